#!/usr/bin/env python3
"""Tries intake.py with a small FHIR server on this machine: test_intake.py SHCVERIFY

The server does what FHIR says of a transaction with conditional creates, and refuses what a server would refuse. It keeps everything in
memory, listens on 127.0.0.1 alone, and ends with the test.
"""

import http.server
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
VECTORS = HERE.parent.parent / "TestVectors"
KEYS = f"https://issuer-a.example/cards={VECTORS}/keys/issuer-a.jwks.json"
OPTIONS = ["--", "--jwks", KEYS, "--at", "2026-06-01T00:00:00Z", "--offline"]


class Fault(Exception):
    """What a FHIR server would refuse."""


class Store:
    """The resources of the server, by type and id."""

    def __init__(self):
        self.resources = {}

    def matching(self, kind, query):
        name, _, value = query.partition("=")
        if name != "_tag" or "|" not in value:
            raise Fault(f"cannot search by {query}")
        system, _, code = value.partition("|")
        tags = lambda resource: resource.get("meta", {}).get("tag", [])
        return [place for place, resource in self.resources.items() if place.startswith(kind + "/")
                and any(tag.get("system") == system and tag.get("code") == code for tag in tags(resource))]

    def transaction(self, bundle):
        if bundle.get("resourceType") != "Bundle" or bundle.get("type") != "transaction":
            raise Fault("not a transaction")
        places, states, conditions = {}, [], set()
        for entry in bundle["entry"]:
            request, kind = entry["request"], entry["resource"]["resourceType"]
            if request["method"] != "POST" or request["url"] != kind or "id" in entry["resource"]:
                raise Fault("only creates are expected")
            if request["ifNoneExist"] in conditions:
                raise Fault("two entries with one condition")
            conditions.add(request["ifNoneExist"])
            found = self.matching(kind, request["ifNoneExist"])
            if len(found) > 1:
                raise Fault("412 several matches")
            places[entry["fullUrl"]] = found[0] if found else f"{kind}/{len(self.resources) + len(places) + 1}"
            states.append("200 OK" if found else "201 Created")
        stored = {places[entry["fullUrl"]]: self.linked(entry["resource"], places)
                  for entry, state in zip(bundle["entry"], states) if state.startswith("201")}
        self.resources |= stored
        return {"resourceType": "Bundle", "type": "transaction-response", "entry": [{"response": {"status": state}} for state in states]}

    def linked(self, value, places):
        if isinstance(value, list):
            return [self.linked(each, places) for each in value]
        if not isinstance(value, dict):
            return value
        reference = value.get("reference")
        if isinstance(reference, str) and not reference.startswith("#") and reference not in places:
            raise Fault(f"a reference to what is not in the transaction: {reference}")
        made = {name: self.linked(member, places) for name, member in value.items()}
        return made | ({"reference": places[reference]} if reference in places else {})


class Handler(http.server.BaseHTTPRequestHandler):
    store = Store()
    refusal = None

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            if Handler.refusal:
                raise Fault(Handler.refusal)
            status, answer = 200, self.store.transaction(json.loads(body))
        except (Fault, KeyError, ValueError) as fault:
            status, answer = 400, {"resourceType": "OperationOutcome", "issue": [{"severity": "error", "diagnostics": str(fault)}]}
        text = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def intake(base, *arguments):
    environment = os.environ | {"SHCVERIFY": sys.argv[1], "XDG_DATA_HOME": "/dev/null", "SHCVERIFY_SYSTEM_DIR": "/dev/null"}
    run = subprocess.run([sys.executable, "-B", str(HERE / "intake.py"), base, *map(str, arguments), *OPTIONS],
                         env=environment, capture_output=True, text=True, timeout=120)
    lines = run.stdout.splitlines()
    # The person at the desk sees who it is.
    if lines[-1].startswith("stored: ") and not any(line.startswith("Name ") for line in lines):
        sys.exit(f"the report names nobody: {run.stdout}")
    return run.returncode, lines[-1], run.stderr.strip()


def check(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: expected {wanted}, got {found}")


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}/fhir"
    cards, store = VECTORS / "handover/cards", Handler.store
    code, said, _ = intake(base, cards / "plain.jws")
    check("the first time", (code, said, len(store.resources)), (0, "stored: 3 new, 0 known before", 3))
    immunization = next(resource for place, resource in store.resources.items() if place.startswith("Immunization/"))
    check("the reference", immunization["patient"]["reference"] in store.resources, True)
    # The same card from another carrier, on another day, in another process.
    OPTIONS[OPTIONS.index("2026-06-01T00:00:00Z")] = "2026-06-02T09:00:00Z"
    code, said, _ = intake(base, cards / "carriers-2.txt")
    check("the second time", (code, said, len(store.resources)), (0, "stored: 0 new, 3 known before", 3))
    code, said, _ = intake(base, cards / "one-person-2.jws", cards / "plain.jws")
    check("another card of the person", (code, len(store.resources) > 3), (0, True))
    code, said, _ = intake(base, cards / "references.jws")
    check("references", code, 0)
    count = len(store.resources)
    code, said, _ = intake(base, cards / "forged.jws")
    check("a forged card", (code, said, len(store.resources)), (11, "nothing was handed over", count))
    code, said, _ = intake(base, cards / "forged.jws", cards / "twins-1.jws" if (cards / "twins-1.jws").exists() else cards / "twins.jws")
    check("a forged card beside a good one", (code, said.startswith("stored: ")), (11, True))
    Handler.refusal = "no space"
    code, said, error = intake(base, cards / "digits.jws")
    check("a server that refuses", (code, said.startswith("stored"), "no space" in error), (70, False, True))
    code, _, error = intake("http://fhir.example/r4", cards / "digits.jws")
    check("an address without TLS", (code, "https" in error), (70, True))
    server.shutdown()
    print(f"intake: {count} resources were stored once each")


if __name__ == "__main__":
    main()
