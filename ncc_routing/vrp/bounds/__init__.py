"""Proven lower bounds on the cost of any solution."""
