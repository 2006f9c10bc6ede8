"""Figures of clusterings."""

from __future__ import annotations
