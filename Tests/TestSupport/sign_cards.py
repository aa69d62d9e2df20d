"""Signs cards for tests in which the issuer's address is known only when its server runs.

    sign_cards.py < REQUESTS

Each request is a line: a JSON array of objects: `iss`, and optionally `key` (the name of a test key), `rid`, `nbf`, `exp`, `kid`, `bundle`
(JSON text). For each, prints one line of JSON: `cards`, a JWS for each, `keys`, a JWK for each, and `bundleHash`. The cards are made with
the functions of TestVectors/blocks.py.
"""

import hashlib
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "TestVectors"))

import blocks  # noqa: E402

BUNDLE = {
    "resourceType": "Bundle",
    "type": "collection",
    "entry": [{"fullUrl": "resource:0", "resource": {"resourceType": "Patient", "name": [{"text": "Jana T. Anyperson"}]}}],
}



def sign(requests):
    cards, keys = [], []
    for wanted in requests:
        key = blocks.Key(wanted.get("key", "issuer-a"))
        bundle = json.loads(wanted["bundle"]) if "bundle" in wanted else BUNDLE
        vc = {
            "type": ["https://smarthealth.cards#health-card"],
            "credentialSubject": {"fhirVersion": "4.0.1", "fhirBundle": bundle},
        }
        if "rid" in wanted:
            vc["rid"] = wanted["rid"]
        payload = {"iss": wanted["iss"], "nbf": wanted.get("nbf", 1750000000), "vc": vc}
        if "exp" in wanted:
            payload["exp"] = wanted["exp"]
        cards.append(blocks.card(payload, key, blocks.header(key, **({"kid": wanted["kid"]} if "kid" in wanted else {}))))
        keys.append(key.jwk())
    return {"cards": cards, "keys": keys, "bundleHash": bundle_hash}


# The hash by which a list of the method hash-fhir names the cards. For this Bundle, sorted and minified JSON is the
# canonical form.
canonical = blocks.b64url(json.dumps(BUNDLE, sort_keys=True, separators=(",", ":")).encode())
bundle_hash = blocks.b64url(hashlib.sha256(canonical.encode()).digest()[:8])
for line in sys.stdin:
    print(json.dumps(sign(json.loads(line))), flush=True)
