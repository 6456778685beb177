"""Gameday: a running service broken on purpose, by a printed seed, and then asked what it lost."""
