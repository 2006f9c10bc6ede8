"""The capacitated clustering problem: solver, methods, baselines."""
