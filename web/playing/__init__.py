"""People at the table: the web process is the bridge that fills their seats."""
