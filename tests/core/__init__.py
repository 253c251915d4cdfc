"""The core's parts without a face."""
