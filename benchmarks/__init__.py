"""Measurements beside the peers: whole processes, CPU seconds, ratios in one run."""
