"""Uploaded bots: their bundles, the sandbox they run in, and the pipes that lead to their seats.

``bundles`` reads what strangers hand in, ``levels`` says how a bot is shut in and
``probes`` whether that holds on this machine, ``runner`` starts bots for seats.
"""
