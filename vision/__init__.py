"""A photograph in, a reading out: finding pieces, reading them, teaching a set, printing one."""

import os

# Set before numpy and OpenCV are loaded: a reading uses one core, and on products as small as ours threads only wait
# for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
