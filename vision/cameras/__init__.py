"""Cameras behind one small protocol, and the one thread that looks through them."""
