"""The runtimes that find and read skills: one module each, with one `PROFILE`."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from hatch_skills.core.runtimes.profile import Profile

__all__ = ["DEFAULT", "profile", "profiles", "runtime_ids"]

DEFAULT = ("agent-skills", "library-skills", "ovos")
"""The runtimes of a package that uses the build hook."""

_NOT_RUNTIMES = (
    "distribution",
    "loomflow_yaml",
    "profile",
    "shared_yaml",
    "strict_parser",
    "strict_scanner",
    "strict_yaml",
)


def __dir__() -> list[str]:
    return list(__all__)


def runtime_ids() -> tuple[str, ...]:
    """The ids of all runtimes, sorted; a module of this package is a runtime."""
    return tuple(
        sorted(
            module.name.replace("_", "-")
            for module in pkgutil.iter_modules(__path__)
            if module.name not in _NOT_RUNTIMES
        )
    )


def profile(runtime: str) -> Profile:
    """The profile of one runtime.

    Raises:
        KeyError: there is no runtime of that id.
    """
    if runtime not in runtime_ids():
        raise KeyError(runtime)
    found: Profile = import_module(f"{__name__}.{runtime.replace('-', '_')}").PROFILE
    return found


def profiles(ids: tuple[str, ...] | None = None) -> tuple[Profile, ...]:
    """The profiles of `ids`, or of all runtimes, in that order."""
    return tuple(profile(runtime) for runtime in (runtime_ids() if ids is None else ids))
