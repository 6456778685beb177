"""What leaves the service as a file: plain tables, and reports that other programs read. Pure."""
