"""What makes a routing problem infeasible, and what looks wrong in it."""
