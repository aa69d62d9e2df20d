#!/usr/bin/env python3
"""Measures `shcverify batch` in a network of which half is hostile, and checks each verdict and the number of requests.

    python3 Benchmarks/hostile.py [--shcverify FILE] [--issuers N] [--lines N] [--timeout SECONDS]

The issuers are those of Tests/TestSupport/issuer.py, a server on 127.0.0.1 that ends with this script. Every second one is good. The others
take turns in HOSTILE. The exit code is 1 if a card has the wrong verdict, a good issuer was not asked exactly once, or the run did not end
as it should. The time does not change it.

Needs Linux, and Python's `cryptography` 38 or later (Debian: python3-cryptography).
"""

import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

import cards  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
# The behaviour and the port of a hostile issuer. issuer.py says what they are.
HOSTILE = {
    "accepts and never answers": ("", "hang"),
    "reads the request and never answers": ("/silent", "good"),
    "a byte now and then": ("/drip", "good"),
    "a header now and then": ("/slow-headers", "good"),
    "a body of 64 MiB": ("/large/64", "good"),
    "a body without end": ("/endless", "good"),
    "headers without end": ("/endless-headers", "good"),
    "4 GiB, compressed": ("/compressed-bomb", "good"),
    "resets the connection": ("/reset", "good"),
    "ten redirects": ("/redirect-10", "good"),
    "a redirect without end": ("/redirect-endless", "good"),
    "cut JSON": ("", "good"),
    "something else than HTTP": ("/garbage", "good"),
    "something else than TLS": ("", "plain"),
    "nobody listens": ("", "closed"),
}
CARDS_EACH = 5


class Server:
    """The issuers' server. It ends when its standard input is closed, at the latest with this process."""

    def __init__(self):
        script = ROOT / "Tests/TestSupport/issuer.py"
        self.process = subprocess.Popen(
            ["/usr/bin/python3", "-B", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.facts = json.loads(self.process.stdout.readline())

    def url(self, path, port="good"):
        return f"https://localhost:{self.facts['ports'][port]}{path}"

    def serve(self, path, content):
        file = Path(self.facts["directory"] + path + "/.well-known/jwks.json")
        file.parent.mkdir(parents=True)
        file.write_text(content)
        # So a good issuer is asked again only if something went wrong.
        Path(f"{file}.headers.json").write_text('{"Cache-Control": "max-age=86400"}')

    def requests(self):
        """The number of requests to each path."""
        with open(self.facts["log"]) as log:
            return collections.Counter(json.loads(line)["path"] for line in log)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def issuers(server, count):
    """The issuers with what each one is: None if it is good."""
    for number in range(count):
        issuer, kind = cards.Issuer(number), None
        if number % 2:
            kind = list(HOSTILE)[number // 2 % len(HOSTILE)]
            behaviour, port = HOSTILE[kind]
            issuer.iss = server.url(f"{behaviour}/issuer-{number}", port)
            content = '{"keys":[{"kty":'
        else:
            issuer.iss = server.url(f"/issuer-{number}")
            content = json.dumps({"keys": [issuer.jwk()]})
        server.serve(f"/issuer-{number}", content)
        yield issuer, kind


def lines(everybody, count, rng):
    """The cards, one a line, with the issuer of each."""
    made = [(cards.jws(issuer, cards.deflated(cards.payload(issuer.iss, rng))), issuer.iss)
            for issuer, _ in everybody for _ in range(CARDS_EACH)]
    return rng.choices(made, k=count)


def differences(output, wanted, kinds):
    """The lines that have no verdict, or another one than they should."""
    verdicts = {}
    with open(output) as file:
        for line in file:
            verdict = json.loads(line)
            verdicts[verdict["line"]] = verdict["verdict"]
    for number, (_, iss) in enumerate(wanted, 1):
        expected = "undetermined" if kinds[iss] else "pass"
        if verdicts.get(number) != expected:
            yield f"line {number}: {verdicts.get(number)} instead of {expected} ({kinds[iss] or 'a good issuer'})"


def main():
    options = argparse.ArgumentParser(description="Measures batch in a hostile network.")
    options.add_argument("--shcverify", default=str(ROOT / ".build/dist/shcverify"))
    options.add_argument("--issuers", type=int, default=300)
    options.add_argument("--lines", type=int, default=50_000)
    options.add_argument("--timeout", default="3")
    options = options.parse_args()
    server = Server()
    try:
        everybody = list(issuers(server, options.issuers))
        kinds = {issuer.iss: kind for issuer, kind in everybody}
        wanted = lines(everybody, options.lines, random.Random(1))
        with tempfile.TemporaryDirectory() as folder:
            given, output, errors = (os.path.join(folder, name) for name in ("cards", "verdicts", "errors"))
            Path(given).write_text("".join(card + "\n" for card, _ in wanted))
            command = [options.shcverify, "batch", given, "--fields", "line,verdict", "--timeout", options.timeout, "--no-cache",
                       "--allow-private-network", "--ca-file", server.facts["authority"]]
            command += [word for issuer, _ in everybody for word in ("--trust", issuer.iss)]
            with open(output, "w") as out, open(errors, "w") as error:
                start = time.perf_counter()
                code = subprocess.call(command, stdin=subprocess.DEVNULL, stdout=out, stderr=error)
                seconds = time.perf_counter() - start
            wrong = list(differences(output, wanted, kinds))
            said = Path(errors).read_text().strip()
        counts = server.requests()
        asked = {issuer.iss: counts[f"/issuer-{number}/.well-known/jwks.json"]
                 for number, (issuer, kind) in enumerate(everybody) if not kind}
        wrong += [f"{iss}: asked {count} times" for iss, count in asked.items() if count != 1]
        if code != 20:
            wrong.append(f"exit code {code}: {said}")
    finally:
        server.end()
    good = sum(not kinds[iss] for _, iss in wanted)
    print(f"{options.issuers} issuers, {len(kinds) - len(asked)} of them hostile; {options.lines:,} lines, {good:,} of good issuers; "
          f"--timeout {options.timeout}")
    print(f"{seconds:.1f} s; {sum(counts.values()):,} requests, {sum(asked.values())} of them to the {len(asked)} good issuers")
    for problem in wrong[:20]:
        print(problem)
    print("every verdict is right, and each good issuer was asked once" if not wrong else f"{len(wrong)} are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
