"""Pieces of a box that nobody has taught: what is of one size on one flat table, and stands out from it."""
