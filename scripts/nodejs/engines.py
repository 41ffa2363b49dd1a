"""Packages from npm that a few tests hold our answers against: what editors and other engines make of our schemas."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from . import npm

# Where the tests find the installed packages.
FOLDER = "WM_TEST_NODE_FOLDER"
SOURCE = Path(__file__).resolve().parents[2] / "integration-tests" / "editors"


def installed(target: Path) -> Path:
    """The folder with the packages that the lock file names, below `target`; one for each lock file."""
    folder = target / "editors" / npm.hash_of([SOURCE / name for name in npm.MANIFESTS])
    folder.mkdir(parents=True, exist_ok=True)
    for name in npm.MANIFESTS:
        shutil.copy(SOURCE / name, folder / name)
    npm.install(folder)
    return folder


if __name__ == "__main__":
    from postgresql.scratch import target_folder

    try:
        print(installed(target_folder()))
    except npm.Unavailable as reason:
        sys.exit(str(reason))
