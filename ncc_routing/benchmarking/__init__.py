"""Run methods over instances and seeds, and keep the results as data."""
