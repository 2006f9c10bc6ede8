"""Ruin and recreate for fleets, depots, time windows and prizes."""
