#!/usr/bin/env python3
"""Writes what a patient's app shares: encrypted FHIR Bundles with the attestation of an app whose keys are on a server of this machine.

    share.py PORT FOLDER

The test vectors cannot have them: the app's iss names the port of the server.
"""

import importlib.util
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
port, folder = sys.argv[1], Path(sys.argv[2])
VECTORS = Path(__file__).resolve().parents[2] / "TestVectors"
sys.path.insert(0, str(VECTORS))
import lint_desk as desk  # noqa: E402
from blocks import ABSENT, key_set  # noqa: E402

spec = importlib.util.spec_from_file_location("links", VECTORS / "links/generate.py")
links = importlib.util.module_from_spec(spec)
spec.loader.exec_module(links)

APP = f"https://localhost:{port}/app"


def share(name, content, cty="application/fhir+json"):
    folder.joinpath(f"{name}.jwe").write_text(links.jwe(name, json.dumps(content).encode(), cty))


def attested(**options):
    return desk.attested({"iss": APP} | options.pop("claims", {}), **options)


share("good", attested())
share("other-key", attested(key=desk.OTHER))
share("other-kid", attested(head={"kid": "app key 2"}))
share("claims", attested(claims={"sub": "x"}))
share("form", attested(head={"kid": ABSENT}))
share("future", attested(claims={"iat": 4070908800}))
share("old", attested(claims={"iat": 1577836799}))
share("slash", attested(claims={"iss": APP + "/"}))
share("unreachable", attested(claims={"iss": APP + "-elsewhere"}))
share("plain", desk.shared())
share("patient", desk.PATIENT)
share("cty", desk.shared(), "application/json")
share("defects", desk.shared(desk.PATIENT, desk.PATIENT, type="searchset"))
folder.joinpath("app.jwks.json").write_text(json.dumps(key_set(desk.APP.jwk(kid="app key 1"))))
folder.joinpath("private.jwks.json").write_text(json.dumps(key_set(desk.APP.private_jwk(kid="another name"))))
