"""The experiments whose tables and pages lie in this folder."""
