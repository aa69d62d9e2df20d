"""Tests a release that is installed in a temporary directory: verifies cards offline, and some whose keys are fetched.

    check-release.py PROGRAM FETCHER SCANNER
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from releases import Installation


def main(program, fetcher, scanner):
    with tempfile.TemporaryDirectory() as folder:
        installed = {program: Path(folder, "bin/shcverify"), fetcher: Path(folder, "libexec/shcverify/shcverify-fetch"),
                     scanner: Path(folder, "libexec/shcverify/shcverify-scan")}
        for built, path in installed.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(built, path)
            path.with_name("libcrypto.so.3").write_bytes(b"")  # a program that loads libraries from its own folder cannot start
        environment = {"PATH": "/usr/bin:/bin", "HOME": folder}  # no LD_LIBRARY_PATH, no Swift
        release = Installation("check-release", [installed[program]], environment=environment, folder=folder)
        # A library that changes the environment while it is loaded, as some monitoring agents do. This needs a C
        # compiler.
        library = Path(folder, "preloaded.so")
        source = "int setenv(const char *, const char *, int);\n__attribute__((constructor)) static void f(void) { setenv(\"LOADED\", \"1\", 1); }\n"
        if shutil.which("cc") and subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=source, text=True).returncode == 0:
            environment["LD_PRELOAD"] = str(library)
            release.expect(0, "--version")
            del environment["LD_PRELOAD"]
        release.check()
    print("the release verifies and fetches")


if __name__ == "__main__":
    os.environ.pop("LD_LIBRARY_PATH", None)
    main(*sys.argv[1:])
