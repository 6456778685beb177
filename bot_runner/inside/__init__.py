"""Programs that run where a bot runs. They are started by path with ``python -I -S`` and import the
standard library alone."""
