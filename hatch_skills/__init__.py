"""Ship agent skills inside Python packages and prove that each runtime finds them."""

__all__ = ["__version__"]

__version__ = "0.1.0"


def __dir__() -> list[str]:
    return list(__all__)
