"""Building with cargo, and what cargo says about what it built."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Integration tests start the real binary, which is a package of its own.
NEEDS_BINARY = "integration-tests"
BINARY = "wm"
# The tests of the robustness suite itself switch faults on; without their settings they do nothing.
FAILPOINTS = ["--features", "wm/failpoints"]


@dataclass(frozen=True)
class Executable:
    """One test executable and the package whose tests it holds."""

    package: str
    version: str
    target: str
    kind: str
    path: Path
    folder: Path

    @property
    def name(self) -> str:
        """`store`, `store::behaviour` for a file below tests/, `wm (bin)` for a binary's own tests."""
        if self.kind == "test":
            return f"{self.package}::{self.target}"
        return self.package if self.kind == "lib" else f"{self.package} ({self.kind} {self.target})"


@dataclass(frozen=True)
class Built:
    """What a build made: test executables, and the binary unless the chosen crates do without."""

    tests: list[Executable]
    binary: Path | None


class BuildFailed(Exception):
    """Cargo could not build; it has said why."""


def build(crates: list[str]) -> Built:
    """Build the binary and the tests of the named crates, or of all.

    In one go: built apart, the two would choose other features for what both depend on, and compile much of it twice.
    """
    packages = _packages()
    wanted = set(crates) or {package["name"] for package in packages.values()}
    if unknown := wanted - {package["name"] for package in packages.values()}:
        raise BuildFailed(f"no crate is called {', '.join(sorted(unknown))}")
    chosen = [argument for crate in crates for argument in ("-p", crate)] or ["--workspace"]
    if NEEDS_BINARY in crates:
        chosen += ["-p", BINARY]
    if not crates or NEEDS_BINARY in crates or BINARY in crates:
        chosen += FAILPOINTS
    artifacts = _artifacts(["cargo", "build", *chosen, "--lib", "--bins", "--tests"])
    tests = [_executable(artifact, packages[artifact["package_id"]]) for artifact in artifacts if artifact["profile"]["test"]]
    binaries = [artifact for artifact in artifacts if not artifact["profile"]["test"] and artifact["target"]["name"] == BINARY]
    return Built(
        tests=sorted(
            (test for test in tests if test.package in wanted), key=lambda test: (test.package == NEEDS_BINARY, test.name)
        ),
        binary=Path(binaries[0]["executable"]) if binaries else None,
    )


def build_binary() -> Built:
    """Build the binary alone, for tests that are not Rust's."""
    artifacts = _artifacts(["cargo", "build", "-p", BINARY, *FAILPOINTS, "--bins"])
    return Built(tests=[], binary=next((Path(artifact["executable"]) for artifact in artifacts), None))


def package_environment(executable: Executable) -> dict[str, str]:
    """What `cargo test` itself would tell the executable."""
    major, minor, patch = executable.version.split("-")[0].split(".")
    return {
        "CARGO": os.environ.get("CARGO", "cargo"),
        "CARGO_MANIFEST_DIR": str(executable.folder),
        "CARGO_MANIFEST_PATH": str(executable.folder / "Cargo.toml"),
        "CARGO_PKG_NAME": executable.package,
        "CARGO_PKG_VERSION": executable.version,
        "CARGO_PKG_VERSION_MAJOR": major,
        "CARGO_PKG_VERSION_MINOR": minor,
        "CARGO_PKG_VERSION_PATCH": patch,
    }


def _packages() -> dict[str, dict[str, Any]]:
    command = ["cargo", "metadata", "--no-deps", "--format-version", "1"]
    result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        raise BuildFailed(f"`{' '.join(command)}` failed: see above")
    return {package["id"]: package for package in json.loads(result.stdout)["packages"]}


def _artifacts(command: list[str]) -> list[dict[str, Any]]:
    """Run a build; the executables it made or found up to date."""
    with subprocess.Popen(
        [*command, "--message-format=json-render-diagnostics"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        messages = [json.loads(line) for line in process.stdout if line.startswith("{")]
    if process.returncode != 0:
        raise BuildFailed(f"`{' '.join(command)}` failed: see above")
    return [message for message in messages if message["reason"] == "compiler-artifact" and message["executable"]]


def _executable(artifact: dict[str, Any], package: dict[str, Any]) -> Executable:
    target = artifact["target"]
    return Executable(
        package=package["name"],
        version=package["version"],
        target=target["name"],
        kind="lib" if "lib" in target["kind"] else target["kind"][0],
        path=Path(artifact["executable"]),
        folder=Path(package["manifest_path"]).parent,
    )
