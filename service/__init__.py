"""What every server of ours shares: settings, logs, tokens, limits, errors, presence, health."""
