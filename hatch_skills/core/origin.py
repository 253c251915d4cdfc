"""Where this installation of hatch-skills came from, and where its template lies."""

from __future__ import annotations

import json
import os
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

import hatch_skills

__all__ = ["own_source", "template_directory"]


def __dir__() -> list[str]:
    return list(__all__)


def own_source() -> Path | None:
    """The directory or wheel that this installation was made from, as ``direct_url.json`` tells; None from an index.

    Source: PyPA specification “Recording the direct URL origin of installed distributions”.
    """
    try:
        text = metadata.distribution("hatch-skills").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        text = None
    if not text:
        return None
    url = urlsplit(json.loads(text).get("url", ""))
    if url.scheme != "file":
        return None
    path = Path(url2pathname(unquote(url.path) if os.name != "nt" else url.path))
    return path if path.exists() else None


def template_directory() -> Path:
    """The directory with ``copier.yml`` and ``template/``: in the installed package, or in the checkout."""
    package = Path(hatch_skills.__file__).parent
    shipped = package / "_template"
    return shipped if (shipped / "copier.yml").is_file() else package.parent
