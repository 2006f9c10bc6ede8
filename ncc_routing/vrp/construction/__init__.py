"""Classical constructions: savings, sweep, petal, GAP."""
