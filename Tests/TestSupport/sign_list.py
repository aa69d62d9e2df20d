#!/usr/bin/env python3
"""Writes lists of WHO's form that are signed for a server on this machine, and the DID documents with the keys.

    sign_list.py PORT FOLDER

The test vectors cannot have them: the DID of the signer names the port of the server.
"""

import importlib.util
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
port, folder = sys.argv[1], Path(sys.argv[2])
generator = Path(__file__).resolve().parents[2] / "TestVectors/gdhcn/generate.py"
spec = importlib.util.spec_from_file_location("gdhcn", generator)
sys.argv = [str(generator)]
gdhcn = importlib.util.module_from_spec(spec)
spec.loader.exec_module(gdhcn)

DID = f"did:web:localhost%3A{port}:WHO:signing:DID"


def signed(body, **options):
    return gdhcn.signed(body, **{"verificationMethod": DID} | options)


def save(name, value):
    folder.joinpath(f"{name}.json").write_text(json.dumps(value))


def keys(*keys, did=DID):
    return {"id": did, "verificationMethod": [{"id": did, "type": "JsonWebKey2020", "controller": did, "publicKeyJwk": key.jwk()} for key in keys]}


good = signed(gdhcn.BODY)
save("good", good)
save("older", signed(gdhcn.BODY, created="2026-05-13T12:00:01Z"))
save("newer", signed(gdhcn.BODY, created="2026-05-27T12:00:01Z"))
save("rotated", signed(gdhcn.BODY, key=gdhcn.OTHER, created="2026-05-28T12:00:01Z"))
save("changed", good | {"proof": good["proof"] | {"nonce": good["proof"]["nonce"][::-1]}})
save("member", good | {"more": "x"})
save("stripped", gdhcn.BODY)
save("part", signed(gdhcn.document(gdhcn.entry(gdhcn.XA), path="trustlist:DCC"), created="2026-05-27T12:00:01Z"))
save("no-signers", signed(gdhcn.document(gdhcn.reference())))
save("future", signed(gdhcn.BODY, created="2999-01-01T00:00:00Z"))
save("unknown", signed(gdhcn.BODY, verificationMethod="did:web:issuer.example:WHO:signing:DID"))
save("elsewhere", signed(gdhcn.BODY, verificationMethod=f"did:web:localhost%3A{port}:elsewhere"))
# The server redirects the paths of these DIDs to another host, or to itself.
for name in ("moved-away-302", "redirect-1"):
    did = DID.replace(":WHO", f":{name}:WHO")
    save(name, signed(gdhcn.BODY, verificationMethod=did))
    save(f"{name}-keys", keys(gdhcn.KEY["prod"], did=did))
save("two-environments", signed(gdhcn.document(gdhcn.entry(gdhcn.XA), gdhcn.entry(gdhcn.XB, env="dev"))))
save("dev", signed(gdhcn.document(gdhcn.entry(gdhcn.XA, env="dev"), env="dev"), env="dev", key=gdhcn.KEY["prod"]))
save("version-1", json.loads(gdhcn.FILES["lists/version-1.json"]))
save("keys", keys(gdhcn.KEY["prod"]))
save("other-keys", keys(gdhcn.OTHER))
save("keys-of-another", {"id": "did:web:x", "verificationMethod": [{"id": "did:web:x", "publicKeyJwk": gdhcn.KEY["prod"].jwk()}]})
