"""The recorded experiments, one short description each."""
