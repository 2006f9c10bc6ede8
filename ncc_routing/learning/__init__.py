"""Networks, labels and training: the only room that needs torch."""
