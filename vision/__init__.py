"""A photograph in, a reading out: finding pieces, reading them, teaching a set, printing one."""
