"""Property tests measure no time: the machine that runs them may be busy."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("core", deadline=None)
settings.load_profile("core")
