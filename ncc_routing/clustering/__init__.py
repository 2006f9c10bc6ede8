"""Steps that both problems share: priorities, k-means, correlation."""
