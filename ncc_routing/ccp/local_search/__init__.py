"""Search for clusters of least inertia."""
