"""What an installed release must be able to do: verify a card, read pictures and documents, and fetch keys."""

import contextlib
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUPPORT = ROOT / "Tests" / "TestSupport"
VECTORS = ROOT / "TestVectors"


def check_links(folder):
    """Each link of a page leads to a file that is installed too."""
    found = 0
    for page in sorted(Path(folder).rglob("*.md")):
        for target in re.findall(r"\]\(([^()\s]+)\)", page.read_text()):
            path = target.split("#")[0]
            found += 1
            if path and not re.match(r"https?:", path) and not (page.parent / path).exists():
                sys.exit(f"{page.relative_to(folder)}: the link {target} leads nowhere")
    if found < 50:
        sys.exit(f"the pages have only {found} links")


class Installation:
    """A release that is installed somewhere.

    `command` runs it. `place` gives it a file and returns the name by which it can open the file. `has_scanner` says whether it can
    read pictures.
    """

    def __init__(self, name, command, place=str, has_scanner=True, environment=None, folder=None):
        self.name, self.command, self.place, self.has_scanner = name, command, place, has_scanner
        self.environment, self.folder = environment, folder

    def expect(self, code, *arguments, stdin="", says=""):
        run = subprocess.run([*self.command, *map(str, arguments)], input=stdin, capture_output=True, text=True,
                             env=self.environment, cwd=self.folder)
        if run.returncode != code or says not in run.stderr:
            sys.exit(f"{self.name}: {arguments}: exit code {run.returncode}, not {code}\n{run.stdout}{run.stderr}")
        return run.stdout

    def check(self):
        if not re.search(r"^(maintainer|homepage|reports) +\S", self.expect(0, "--version"), re.M):
            sys.exit(f"{self.name}: --version does not say to whom bugs are reported")
        keys = ["--jwks", self.place(VECTORS / "keys/issuer-a.jwks.json"), "--offline"]
        self.expect(0, self.place(VECTORS / "cards/inputs/file.smart-health-card"), *keys)
        for name in ("photo.jpg", "card.pdf", "card.svg"):
            self.expect(0 if self.has_scanner else 66, self.place(VECTORS / "pictures" / name), *keys)
        self.check_fetching()

    def check_fetching(self):
        """Fetches from a server of this test. That shows whether the hook into libcurl is used: without it, the test's certificate
        authority would not be accepted, and an address on this machine would not be refused."""
        with serving() as served:
            issuer = f"https://localhost:{served['ports']['good']}/release"
            signed = sign(issuer)
            keys = Path(served["directory"], "release/.well-known/jwks.json")
            keys.parent.mkdir(parents=True)
            keys.write_text(json.dumps({"keys": signed["keys"]}))
            card, authority = signed["cards"][0], ["--ca-file", self.place(served["authority"])]
            private = "--allow-private-network"
            self.expect(0, "-", "--no-cache", private, *authority, stdin=card)
            self.expect(20, "-", "--no-cache", private, stdin=card, says="keys-unavailable")
            self.expect(20, "-", "--no-cache", *authority, stdin=card, says="loopback")
            hanging = sign(f"https://localhost:{served['ports']['hang']}/release")["cards"][0]
            self.expect(20, "-", "--no-cache", private, *authority, "--timeout", "0.5", stdin=hanging, says="keys-unavailable")


@contextlib.contextmanager
def serving():
    """A server of this test on this machine; what it says about itself."""
    server = subprocess.Popen([sys.executable, "-B", SUPPORT / "issuer.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield json.loads(server.stdout.readline())
    finally:
        server.stdin.close()
        server.wait()


def sign(issuer, **changes):
    request = json.dumps([{"iss": issuer, **changes}])
    answer = subprocess.run([sys.executable, "-B", SUPPORT / "sign_cards.py"], input=request, capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)
