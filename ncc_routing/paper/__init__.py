"""Neural Capacitated Clustering: networks, training, methods, baselines.

Source: Falkner and Schmidt-Thieme (2023), Neural Capacitated Clustering,
IJCAI. The rest of the package names this room only in tables of methods.
"""
