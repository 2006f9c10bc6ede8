"""Results as data: records, best-known costs, and the runs of ``bench``."""
