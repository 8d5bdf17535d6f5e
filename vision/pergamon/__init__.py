"""Pergamon's pieces: the printable set, how its faces look, and how they are read."""
