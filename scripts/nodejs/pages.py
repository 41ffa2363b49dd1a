"""The scripts of the pages: built from crates/web-ui/client into its `dist`, which the next cargo build embeds."""

from __future__ import annotations

import json
from pathlib import Path

from . import npm

CLIENT = Path(__file__).resolve().parents[2] / "crates" / "web-ui" / "client"
# In the folder that a build empties: whatever builds it otherwise takes the stamp away.
STAMP = CLIENT / "dist" / "sources"
UNBUILT = ("node_modules", "dist", "not-built")


def build() -> bool:
    """Builds them, unless they are built from these very sources; whether there was something to do.

    Raises npm.Unavailable where there is no Node.js (the pages read without scripts), npm.Failed where the sources are wrong.
    """
    npm.require()
    sources = npm.hash_of(_sources())
    if STAMP.exists() and STAMP.read_text() == sources:
        return False
    npm.install(CLIENT)
    npm.run(CLIENT, "build")
    STAMP.write_text(sources)
    return True


def has_script(name: str) -> bool:
    """Whether the client's package.json has this script."""
    return name in json.loads((CLIENT / "package.json").read_text()).get("scripts", {})


def _sources() -> list[Path]:
    top = (entry for entry in CLIENT.iterdir() if entry.name not in UNBUILT)
    files = (file for entry in top for file in ([entry] if entry.is_file() else entry.rglob("*")))
    return sorted(file for file in files if file.is_file())
