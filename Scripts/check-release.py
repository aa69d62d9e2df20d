"""Tests a release that is installed in a temporary directory: verifies one card offline, and one whose key is fetched.

    check-release.py PROGRAM FETCHER SCANNER

The fetch shows whether this build uses the hook into libcurl. Without the hook, the test's certificate authority would not be
accepted, and an address on this machine would not be refused.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUPPORT = ROOT / "Tests" / "TestSupport"
VECTORS = ROOT / "TestVectors"


def sign(issuer):
    request = json.dumps([{"iss": issuer}])
    answer = subprocess.run([sys.executable, "-B", SUPPORT / "sign_cards.py"], input=request, capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)


def main(program, fetcher, scanner):
    with tempfile.TemporaryDirectory() as folder:
        installed = {program: Path(folder, "bin/shcverify"), fetcher: Path(folder, "libexec/shcverify/shcverify-fetch"),
                     scanner: Path(folder, "libexec/shcverify/shcverify-scan")}
        for built, path in installed.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(built, path)
            path.with_name("libcrypto.so.3").write_bytes(b"")  # a program that loads libraries from its own folder cannot start
        environment = {"PATH": "/usr/bin:/bin", "HOME": folder}  # no LD_LIBRARY_PATH, no Swift

        def expect(code, *arguments, stdin="", says=""):
            run = subprocess.run([installed[program], *map(str, arguments)], input=stdin, capture_output=True, text=True,
                                 env=environment, cwd=folder)
            if run.returncode != code or says not in run.stderr:
                sys.exit(f"check-release: {arguments}: exit code {run.returncode}, not {code}\n{run.stdout}{run.stderr}")

        expect(0, "--version")
        # A library that changes the environment while it is loaded, as some monitoring agents do. This needs a C
        # compiler.
        library = Path(folder, "preloaded.so")
        source = "int setenv(const char *, const char *, int);\n__attribute__((constructor)) static void f(void) { setenv(\"LOADED\", \"1\", 1); }\n"
        if shutil.which("cc") and subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=source, text=True).returncode == 0:
            environment["LD_PRELOAD"] = str(library)
            expect(0, "--version")
            del environment["LD_PRELOAD"]
        expect(0, VECTORS / "cards/inputs/file.smart-health-card", "--jwks", VECTORS / "keys/issuer-a.jwks.json", "--offline")
        for name in ("photo.jpg", "card.pdf", "card.svg"):
            expect(0, VECTORS / "pictures" / name, "--jwks", VECTORS / "keys/issuer-a.jwks.json", "--offline")
        server = subprocess.Popen([sys.executable, "-B", SUPPORT / "issuer.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            served = json.loads(server.stdout.readline())
            issuer = f"https://localhost:{served['ports']['good']}/release"
            signed = sign(issuer)
            keys = Path(served["directory"], "release/.well-known/jwks.json")
            keys.parent.mkdir(parents=True)
            keys.write_text(json.dumps({"keys": signed["keys"]}))
            card, authority = signed["cards"][0], ["--ca-file", served["authority"]]
            private = "--allow-private-network"
            expect(0, "-", "--no-cache", private, *authority, stdin=card)
            expect(20, "-", "--no-cache", private, stdin=card, says="keys-unavailable")
            expect(20, "-", "--no-cache", *authority, stdin=card, says="loopback")
            hanging = sign(f"https://localhost:{served['ports']['hang']}/release")["cards"][0]
            expect(20, "-", "--no-cache", private, *authority, "--timeout", "0.5", stdin=hanging, says="keys-unavailable")
        finally:
            server.stdin.close()
            server.wait()
    print("the release verifies and fetches")


if __name__ == "__main__":
    os.environ.pop("LD_LIBRARY_PATH", None)
    main(*sys.argv[1:])
