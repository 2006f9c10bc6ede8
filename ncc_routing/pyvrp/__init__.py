"""PyVRP: its problems, solutions and criteria as ours, and its search."""
