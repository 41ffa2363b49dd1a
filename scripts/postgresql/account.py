"""Whose account the server runs under. `initdb` refuses root, so root lends the work to an account without rights."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

CANDIDATES = ("postgres", "wm-postgres")


@dataclass(frozen=True)
class Account:
    """An unprivileged account of this machine; `None` in its place means "as whoever runs this"."""

    name: str
    uid: int
    gid: int


def server_account() -> Account | None:
    """The account to run the server under: None unless we are root."""
    if os.geteuid() != 0:
        return None
    for name in CANDIDATES:
        if account := _look_up(name):
            return account
    return _create(CANDIDATES[-1])


def run_as(account: Account | None, command: list[str | Path], **options: object) -> subprocess.CompletedProcess[str]:
    """Run `command` under `account` from a folder that everybody may enter, with its output captured as text."""
    identity: dict[str, object] = {}
    if account:
        identity = {"user": account.uid, "group": account.gid, "extra_groups": []}
    environment = {**os.environ, "LC_ALL": "C"}
    if account:
        environment |= {"HOME": "/", "USER": account.name, "LOGNAME": account.name}
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [str(part) for part in command], cwd="/", env=environment, stdin=subprocess.DEVNULL, text=True, **identity, **options
    )


def may_execute(account: Account | None, program: Path) -> bool:
    """Whether `account` can reach and execute `program` (a checkout below /root is closed to others)."""
    if account is None:
        return os.access(program, os.X_OK)
    return run_as(account, ["test", "-x", program]).returncode == 0


def _look_up(name: str) -> Account | None:
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    return Account(name, entry.pw_uid, entry.pw_gid)


def _create(name: str) -> Account:
    useradd = shutil.which("useradd") or "/usr/sbin/useradd"
    command = [useradd, "--system", "--user-group", "--no-create-home", "--home-dir", "/", "--shell", "/bin/false", name]
    subprocess.run(command, check=True)
    account = _look_up(name)
    if account is None:
        raise LookupError(f"useradd reported success, but there is no account {name}")
    return account
