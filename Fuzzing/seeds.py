"""Makes seed files for each target from the test vectors, and the list of the signed cards.

usage: seeds.py VECTORS BUILD_FOLDER
"""

import base64
import hashlib
import json
import re
import sys
import zlib
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

# In bytes. Larger seeds make a fuzzer slow, and find nothing that smaller ones do not find.
LARGEST = 16 << 10
# The same limit for an inflated payload.
LARGEST_INFLATED = 64 << 10
JWS = re.compile(rb"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")


def decoded(text):
    return base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4))


def texts_of_cards(contents):
    """Everything in a file that looks like a JWS, in any kind of input."""
    found = set(JWS.findall(contents))
    parts = []
    for line in contents.splitlines():
        digits = line.rpartition(b"/")[2].strip()
        if line.startswith(b"shc:/") and digits.isdigit() and len(digits) % 2 == 0:
            pairs = [int(digits[i : i + 2]) for i in range(0, len(digits), 2)]
            parts.append(bytes(pair + 45 for pair in pairs if pair <= 77))
    return found | {jws for jws in parts + [b"".join(parts)] if JWS.fullmatch(jws)}


def inflates_too_far(jws):
    try:
        inflater = zlib.decompressobj(-15)
        return len(inflater.decompress(decoded(jws.split(b".")[1]), LARGEST_INFLATED + 1)) > LARGEST_INFLATED
    except (ValueError, zlib.error):
        return False


def is_signed(jws, keys):
    signing_input, _, signature = jws.rpartition(b".")
    try:
        signature = decoded(signature)
    except ValueError:
        return False
    if len(signature) != 64:
        return False
    der = utils.encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    for key in keys:
        try:
            key.verify(der, signing_input, ec.ECDSA(hashes.SHA256()))
            return True
        except InvalidSignature:
            pass
    return False


def public_keys(path):
    for key in json.loads(path.read_bytes())["keys"]:
        x, y = (int.from_bytes(decoded(key[name].encode()), "big") for name in "xy")
        yield ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()


def main(vectors, build):
    def seed(target, contents):
        folder = build / "seeds" / target
        folder.mkdir(parents=True, exist_ok=True)
        if len(contents) <= LARGEST:
            (folder / hashlib.sha256(contents).hexdigest()[:20]).write_bytes(contents)

    keys = list(public_keys(vectors / "keys/issuer-a.jwks.json"))
    signed = set()
    folders = {"crls": "revocation", "directories": "directory", "keys": "jwks"}
    for file in sorted(vectors.rglob("*")):
        place = file.relative_to(vectors).parts[0]
        if not file.is_file() or place not in (*folders, "cards", "bundles", "certificates", "lint"):
            continue
        contents = file.read_bytes()
        cards = texts_of_cards(contents) if place in ("cards", "lint") else set()
        signed.update(jws for jws in cards if is_signed(jws, keys))
        if len(contents) > LARGEST or any(inflates_too_far(jws) for jws in cards):
            continue
        seed("lint", contents)
        if place in folders:
            seed(folders[place], contents)
        if file.suffix == ".json":
            seed("json", contents)
        if place not in ("cards", "lint"):
            continue
        seed("artifact", contents)
        seed("verify", contents)
        if contents.startswith(b"shc:"):
            seed("qr", contents)
        for jws in cards:
            seed("jws", jws)
            for part in jws.split(b"."):
                seed("base64url", part)
            try:
                stream = decoded(jws.split(b".")[1])
                seed("inflate", stream)
                payload = zlib.decompress(stream, -15)
                seed("json", payload)
                bundle = json.loads(payload)["vc"]["credentialSubject"]["fhirBundle"]
                seed("fhir", json.dumps(bundle, ensure_ascii=False, separators=(",", ":")).encode())
                seed("lint", payload)
            except (ValueError, KeyError, TypeError, RecursionError, zlib.error):
                continue
    for file in sorted((vectors / "lint").rglob("*.json")):
        contents = file.read_bytes()
        if b'"Bundle"' in contents[:200]:
            seed("fhir", contents)
        for name, target in ((b'"rids"', "revocation"), (b'"participating_issuers"', "directory"),
                             (b'"issuerInfo"', "directory"), (b'"keys"', "jwks")):
            if name in contents:
                seed(target, contents)
    (build / "signed.txt").write_bytes(b"\n".join(sorted(signed)) + b"\n")
    assert signed, "the key signed no card of the vectors"


main(Path(sys.argv[1]), Path(sys.argv[2]))
