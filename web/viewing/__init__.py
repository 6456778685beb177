"""Finished matches on the board: every position of a replay, as a seat, the public or everybody may see it."""
