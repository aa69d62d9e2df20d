"""Verifies cards as a developer would with Python's `cryptography`, and prints how many, and the seconds that it took.

    python3 Benchmarks/peer.py CARDS DIRECTORY COUNT
"""

import base64
import json
import sys
import time
import zlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

ECDSA = ec.ECDSA(hashes.SHA256())


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def main():
    cards, directory, count = sys.argv[1:]
    keys = {}
    for info in json.load(open(directory))["issuerInfo"]:
        for jwk in info["keys"]:
            x, y = (int.from_bytes(decoded(jwk[name]), "big") for name in "xy")
            keys[info["issuer"]["iss"], jwk["kid"]] = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    with open(cards) as file:
        lines = [line.strip() for _, line in zip(range(int(count)), file)]
    start, passed = time.perf_counter(), 0
    for line in lines:
        try:
            head, body, signature = line.split(".")
            payload = json.loads(zlib.decompress(decoded(body), -15))
            key = keys[payload["iss"], json.loads(decoded(head))["kid"]]
            raw = decoded(signature)
            if len(raw) != 64:
                continue
            der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
            key.verify(der, f"{head}.{body}".encode(), ECDSA)
            passed += 1
        except (ValueError, KeyError, zlib.error, InvalidSignature):
            continue
    print(passed, time.perf_counter() - start)


main()
