"""What `make bench` measures in a browser; the lines go to stdout. WM_BIN names the binary."""

from __future__ import annotations

import os
import subprocess
import sys

from nodejs import browser, npm
from postgresql.scratch import target_folder


def main() -> int:
    target = target_folder()
    try:
        npm.install(browser.TESTS)
        chromium = browser.installed(target)
    except npm.Unavailable as problem:
        print(f"skipped: what is measured in a browser ({problem})")
        return 0
    command = ["node", "node_modules/@playwright/test/cli.js", "test", "--config", "bench.config.ts"]
    environment = {**os.environ, browser.OVERRIDE: str(chromium), "CARGO_TARGET_DIR": str(target)}
    return subprocess.run(command, cwd=browser.TESTS, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
