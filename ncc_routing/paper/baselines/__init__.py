"""The methods of the literature that the solver is compared with."""
