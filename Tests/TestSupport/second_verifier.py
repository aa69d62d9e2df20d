#!/usr/bin/env python3
"""Verifies a SMART Health Card and an EU certificate with code that is not this project's: cryptography, cbor2, zlib.

    second_verifier.py < request.json

The request has `jws` and `keySet`, `qr` (the texts of QR codes of the same card), `hc1` and `trustList` (PEM). The answer on standard
output has the card's payload and the certificate's content as JSON. The exit code is 1 if something does not verify.
"""

import base64
import datetime
import hashlib
import json
import re
import sys
import zlib

import cbor2
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives import hashes

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"


def base64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def verify(key, signature, message):
    assert len(signature) == 64, "a signature has 64 bytes"
    r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
    key.verify(utils.encode_dss_signature(r, s), message, ec.ECDSA(hashes.SHA256()))


def card(jws, key_set, texts):
    header, payload, signature = jws.split(".")
    [jwk] = key_set["keys"]
    thumbprint = json.dumps({name: jwk[name] for name in ("crv", "kty", "x", "y")}, separators=(",", ":")).encode()
    kid = base64.urlsafe_b64encode(hashlib.sha256(thumbprint).digest()).decode().rstrip("=")
    assert jwk["kid"] == kid and json.loads(base64url(header)) == {"alg": "ES256", "zip": "DEF", "kid": kid}
    x, y = (int.from_bytes(base64url(jwk[name]), "big") for name in ("x", "y"))
    key = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    verify(key, base64url(signature), f"{header}.{payload}".encode())
    digits = "".join(re.fullmatch(r"shc:/(?:\d+/\d+/)?(\d+)", text)[1] for text in texts)
    assert "".join(chr(int(digits[i:i + 2]) + 45) for i in range(0, len(digits), 2)) == jws, "the QR codes have another card"
    return json.loads(zlib.decompress(base64url(payload), -15))


def base45(text):
    values = [ALPHABET.index(character) for character in text]
    found = b""
    for start in range(0, len(values), 3):
        group = values[start:start + 3]
        number = sum(value * 45 ** place for place, value in enumerate(group))
        found += number.to_bytes(len(group) - 1, "big")
    return found


def certificate(text, trust_list):
    signer = x509.load_pem_x509_certificate(trust_list.encode())
    message = cbor2.loads(zlib.decompress(base45(text.removeprefix("HC1:"))))
    assert message.tag == 18
    protected, _, payload, signature = message.value
    der = base64.b64decode("".join(trust_list.strip().splitlines()[1:-1]))
    assert cbor2.loads(protected) == {1: -7, 4: hashlib.sha256(der).digest()[:8]}
    verify(signer.public_key(), signature, cbor2.dumps(["Signature1", protected, b"", payload]))
    claims = cbor2.loads(payload)
    assert set(claims) == {1, 4, 6, -260}
    begin, end = (time.replace(tzinfo=datetime.timezone.utc).timestamp() for time in (signer.not_valid_before, signer.not_valid_after))
    assert begin <= claims[6] < claims[4] <= end
    [country] = signer.subject.get_attributes_for_oid(x509.NameOID.COUNTRY_NAME)
    assert country.value == claims[1]
    return claims[-260][1]


def main():
    request = json.load(sys.stdin)
    json.dump({
        "payload": card(request["jws"], json.loads(request["keySet"]), request["qr"]),
        "content": certificate(request["hc1"], request["trustList"]),
    }, sys.stdout)


main()
