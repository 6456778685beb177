"""Is one bot stronger than another? Matches on shared deals, and a test that stops when it knows."""
