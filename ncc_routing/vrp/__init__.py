"""The vehicle routing problem: solver, methods, warm starts."""
