"""Every experiment, by the page that shows its record."""

from __future__ import annotations

from benchmarks.experiments import (
    behaviour,
    bounds,
    breaks,
    clusters,
    dispatch,
    fairness,
    many,
    network,
    phases,
    preferences,
    proofs,
    rich,
    routes,
    server,
    size,
    territories,
    vehicles,
    warm_starts,
)

PAGES = {
    "routes": routes.EXPERIMENTS,
    "rich": (*rich.EXPERIMENTS, *vehicles.EXPERIMENTS),
    "warm_starts": warm_starts.EXPERIMENTS,
    "preferences": (*preferences.EXPERIMENTS, *fairness.EXPERIMENTS),
    "bounds": (*bounds.EXPERIMENTS, *proofs.EXPERIMENTS),
    "clusters": clusters.EXPERIMENTS,
    "territories": territories.EXPERIMENTS,
    "dispatch": dispatch.EXPERIMENTS,
    "network": network.EXPERIMENTS,
    "size": (
        *size.EXPERIMENTS,
        *many.EXPERIMENTS,
        *server.EXPERIMENTS,
        *breaks.EXPERIMENTS,
    ),
    "choices": (*phases.EXPERIMENTS, *behaviour.EXPERIMENTS),
}

JOINED = (*routes.JOINED, *bounds.JOINED)
"""What is shown of several records together."""
