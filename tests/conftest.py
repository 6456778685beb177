"""Fixtures live in tests/fixtures, one plugin for each real part."""

from importlib.util import find_spec

PLUGINS = ("tests.fixtures.databases", "tests.fixtures.valkey", "tests.fixtures.engine")
pytest_plugins = [plugin for plugin in PLUGINS if find_spec(plugin)]
