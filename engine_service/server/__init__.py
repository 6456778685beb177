"""The engine's servers: matches, seats, presence, clocks, watchers, over gRPC."""
