"""One PostgreSQL server that belongs to a folder: start, stop, start again on the same port with the same data, remove.

The server listens on 127.0.0.1 only, with no password, and has no Unix socket (so no path can be too long for one).
Unless it is to be durable, it writes without fsync: it survives its processes being killed, not the machine.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from .account import Account, may_execute, run_as, server_account
from .programs import programs_folder

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
}
# Tests start and stop many, and none of them outlives its machine.
WITHOUT_FSYNC = {"fsync": "off", "full_page_writes": "off"}
# Below the range from which systems take ports for outgoing connections, so that a stopped server's port stays free.
PORTS = range(20000, 32000)
START_ATTEMPTS = 5
SECONDS_TO_START = 60
SECONDS_TO_STOP = 30


class ServerError(Exception):
    """A server program failed; the message holds what it said."""


@dataclass(frozen=True)
class State:
    """What has to be remembered between two commands; kept as `server.json` in the server's folder."""

    base: str
    programs: str
    port: int


class Server:
    """The server of `folder`. Under root, its files live in a folder below /tmp that its account may enter."""

    def __init__(self, folder: Path, durable: bool = False) -> None:
        self.folder = folder.absolute()
        self.settings = SETTINGS if durable else SETTINGS | WITHOUT_FSYNC
        self.account: Account | None = server_account()

    @property
    def exists(self) -> bool:
        return self._state_file.exists()

    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self._state().port}/postgres"

    @property
    def programs(self) -> Path:
        return Path(self._state().programs)

    def start(self, target: Path) -> None:
        """Start the server, making it first if need be. Does nothing if it runs already."""
        if not self.exists or not Path(self._state().base).exists():
            self._create(target)
        elif not self.running:
            self._launch(self._state().port)

    @property
    def running(self) -> bool:
        return self.exists and self._pg_ctl("status").returncode == 0

    def stop(self, mode: str = "fast") -> None:
        """Stop the server and keep its data. `immediate` is a crash: clients are cut off, nothing is flushed."""
        if not self.running:
            return
        result = self._pg_ctl("stop", "-m", mode, "-w", "-t", str(SECONDS_TO_STOP))
        if result.returncode != 0 and mode != "immediate":
            result = self._pg_ctl("stop", "-m", "immediate", "-w", "-t", str(SECONDS_TO_STOP))
        if result.returncode != 0 and self.running:
            raise ServerError(f"pg_ctl stop: {result.stdout}")

    def remove(self) -> None:
        """Stop the server and delete its data."""
        if not self.exists:
            return
        base = Path(self._state().base)
        if base.exists():
            self.stop("immediate")
            shutil.rmtree(base)
        shutil.rmtree(self.folder, ignore_errors=True)

    # What follows needs the state.

    def _create(self, target: Path) -> None:
        programs = programs_folder(target)
        self.folder.mkdir(parents=True, exist_ok=True)
        base = self._base()
        try:
            self._fill(base, programs)
        except BaseException:
            self.remove()
            raise

    def _fill(self, base: Path, programs: Path) -> None:
        self._remember(State(str(base), str(programs), port=0))
        if not may_execute(self.account, programs / "initdb"):
            shutil.copytree(programs.parent, base / "programs", symlinks=True)
            programs = base / "programs" / "bin"
            self._remember(State(str(base), str(programs), port=0))
        self._initdb(programs)
        for attempt in range(START_ATTEMPTS):
            port = _free_port()
            self._remember(State(str(base), str(programs), port))
            try:
                self._launch(port)
                return
            except ServerError as problem:
                if "could not bind" not in str(problem) or attempt == START_ATTEMPTS - 1:
                    raise

    def _base(self) -> Path:
        if self.account is None:
            return self.folder
        base = Path(tempfile.mkdtemp(prefix="wm-postgres-", dir="/tmp"))
        os.chown(base, self.account.uid, self.account.gid)
        return base

    def _initdb(self, programs: Path) -> None:
        """Make the data folder. The order of texts is a human one where the server knows one, as in most installations."""
        command: list[str | Path] = [
            programs / "initdb",
            "-D",
            self._data,
            "-U",
            "postgres",
            "-E",
            "UTF8",
            "--auth=trust",
            "--no-sync",
        ]
        human_order: list[str | Path] = ["--locale=C", "--locale-provider=icu", "--icu-locale=en-US"]
        result = run_as(self.account, command + human_order, capture_output=True)
        if result.returncode != 0:
            shutil.rmtree(self._data, ignore_errors=True)
            result = run_as(self.account, [*command, "--locale=C"], capture_output=True)
        if result.returncode != 0:
            raise ServerError(f"initdb: {result.stdout}{result.stderr}")

    def _launch(self, port: int) -> None:
        settings = " ".join(f"-c {name}='{value}'" for name, value in {**self.settings, "port": str(port)}.items())
        log = Path(self._state().base) / "log"
        result = self._pg_ctl("start", "-w", "-t", str(SECONDS_TO_START), "-l", str(log), "-o", settings)
        if result.returncode != 0:
            said = log.read_text(errors="replace")[-4000:] if log.exists() else ""
            raise ServerError(f"pg_ctl start on port {port}: {result.stdout}{said}")

    def _pg_ctl(self, *arguments: str) -> Completed:
        """Run pg_ctl. Its output goes through a file: a server that it starts would keep a pipe open for ever."""
        with tempfile.TemporaryFile("w+") as said:
            command: list[str | Path] = [self.programs / "pg_ctl", "-D", self._data, *arguments]
            result = run_as(self.account, command, stdout=said, stderr=said)
            said.seek(0)
            return Completed(result.returncode, said.read())

    @property
    def _data(self) -> Path:
        return Path(self._state().base) / "data"

    @property
    def _state_file(self) -> Path:
        return self.folder / "server.json"

    def _state(self) -> State:
        try:
            return State(**json.loads(self._state_file.read_text()))
        except FileNotFoundError:
            raise ServerError(f"{self.folder} holds no server; make one with: scripts/postgres start {self.folder}") from None

    def _remember(self, state: State) -> None:
        self._state_file.write_text(json.dumps(asdict(state)) + "\n")


@dataclass(frozen=True)
class Completed:
    """How a server program ended, and what it said."""

    returncode: int
    stdout: str


def _free_port() -> int:
    for port in random.sample(PORTS, k=200):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise ServerError(f"no free port between {PORTS.start} and {PORTS.stop}")
