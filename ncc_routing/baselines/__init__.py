"""Classical methods for the CVRP, one paper per file."""
