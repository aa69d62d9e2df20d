#!/usr/bin/env python3
"""A verifier of EU Digital COVID Certificates with pycose, cbor2 and base45: an example of what a careful developer might
write first, and no recommendation.

    certificates_pycose.py [--only PATTERN] [--opinions] [--json FILE]

It reads the text (HC1:) and the octets of a certificate, signers as PEM, in WHO's list, in the gateway's and in key sets with certificates, and
batches of revoked certificates. It knows nothing of authorities (CSCA), of the German list, and of WHO's certificates and domains.
"""

import base64
import datetime
import hashlib
import json
import zlib

import base45
import cbor2
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from kit import main
from pycose.exceptions import CoseException
from pycose.headers import KID, Algorithm
from pycose.algorithms import Es256, Ps256
from pycose.keys import EC2Key, RSAKey
from pycose.messages import Sign1Message

MOST = 1 << 20
USAGES = {"t": "1.3.6.1.4.1.1847.2021.1.1", "v": "1.3.6.1.4.1.1847.2021.1.2", "r": "1.3.6.1.4.1.1847.2021.1.3"}
MEMBERS = {"v": "tg vp mp ma dn sd dt co is ci", "t": "tg tt sc tr co is ci", "r": "tg fr df du co is ci"}


class Refused(Exception):
    pass


def octets(data):
    """The message in what is presented."""
    if data.lstrip().startswith(b"HC1:"):
        data = base45.b45decode(data.strip()[4:].decode("ascii"))
        return zlib_octets(data)
    return zlib_octets(data) if data[:1] == b"\x78" else data


def zlib_octets(data):
    inflater = zlib.decompressobj()
    plain = inflater.decompress(data, MOST)
    if not inflater.eof or inflater.unused_data:
        raise Refused("not the whole stream")
    return plain


def signers(case, read):
    """(kid, certificate) of all signers."""
    found = []
    for path in case["signers"]:
        data = read(path)
        if b"BEGIN CERTIFICATE" in data:
            found += [(None, one) for one in x509.load_pem_x509_certificates(data)]
            continue
        if path.endswith(".der"):
            found.append((None, x509.load_der_x509_certificate(data)))
            continue
        content = json.loads(data)
        if isinstance(content, list):
            entries = [(one.get("kid"), one["rawData"]) for one in content if one["certificateType"] == "DSC"]
        elif "verificationMethod" in content:
            entries = [(one["publicKeyJwk"].get("kid"), one["publicKeyJwk"]["x5c"][0]) for one in content["verificationMethod"]
                       if isinstance(one, dict) and one.get("keyusage", {"code": "#DSC"}) == {"code": "#DSC"}]
        else:
            entries = [(one.get("kid"), one["x5c"][0]) for one in content["keys"]]
        for kid, text in entries:
            try:
                found.append((base64.b64decode(kid) if kid else None, x509.load_der_x509_certificate(base64.b64decode(text))))
            except ValueError:
                continue
    return [(kid or hashlib.sha256(one.public_bytes(Encoding.DER)).digest()[:8], one) for kid, one in found]


def cose_key(certificate, algorithm):
    key = certificate.public_key()
    if algorithm is Es256 and isinstance(key, ec.EllipticCurvePublicKey) and key.curve.name == "secp256r1":
        numbers = key.public_numbers()
        return EC2Key(crv="P_256", x=numbers.x.to_bytes(32, "big"), y=numbers.y.to_bytes(32, "big"))
    if algorithm is Ps256 and isinstance(key, rsa.RSAPublicKey) and key.key_size >= 2048:
        numbers = key.public_numbers()
        return RSAKey(n=numbers.n.to_bytes((numbers.n.bit_length() + 7) // 8, "big"), e=numbers.e.to_bytes(3, "big"))
    return None


def is_revoked(case, read, claims, record, message, certificate, kid):
    uci, country = record["ci"], claims.get(1) or record["co"]
    signature = message.signature if isinstance(certificate.public_key(), rsa.RSAPublicKey) else message.signature[:len(message.signature) // 2]
    hashes = {"UCI": uci.encode(), "COUNTRYCODEUCI": (country + uci).encode(), "SIGNATURE": signature}
    for path in case.get("revocation", []):
        batch = json.loads(read(path))
        if batch["kid"] in ("UNKNOWN_KID", base64.b64encode(kid).decode()):
            wanted = base64.b64encode(hashlib.sha256(hashes[batch["hashType"]]).digest()[:16]).decode()
            if any(entry["hash"] == wanted for entry in batch["entries"]):
                return True
    return False


def verify(case, read):
    data = cbor2.loads(octets(read(case["input"][0])))
    if isinstance(data, cbor2.CBORTag) and data.tag == 61:
        data = data.value
    if isinstance(data, cbor2.CBORTag) and data.tag != 18:
        raise Refused("another message")
    message = Sign1Message.from_cose_obj(list(data.value if isinstance(data, cbor2.CBORTag) else data), True)
    algorithm = message.get_attr(Algorithm)
    kid = message.phdr.get(KID) or message.uhdr.get(KID)
    if algorithm not in (Es256, Ps256) or not kid:
        raise Refused("another algorithm, or no key")
    if not case.get("signers"):
        return "undetermined"
    now = datetime.datetime.fromisoformat(case["at"].replace("Z", "+00:00"))
    for _, certificate in (one for one in signers(case, read) if one[0] == kid):
        message.key = cose_key(certificate, algorithm)
        if message.key and message.verify_signature():
            break
    else:
        raise Refused("no signer")
    begin, end = (time.replace(tzinfo=datetime.timezone.utc) for time in (certificate.not_valid_before, certificate.not_valid_after)) \
        if not hasattr(certificate, "not_valid_before_utc") else (certificate.not_valid_before_utc, certificate.not_valid_after_utc)
    claims = cbor2.loads(message.payload)
    if not begin <= now <= end or not claims[6] <= now.timestamp() <= claims[4]:
        raise Refused("not valid at this time")
    content = claims[-260][1]
    kinds = [kind for kind in "vtr" if content.get(kind)]
    if len(kinds) != 1 or len(content[kinds[0]]) != 1 or not isinstance(content["ver"], str) or not isinstance(content["dob"], str):
        raise Refused("not one record")
    if not (content["nam"].get("fnt") or content["nam"].get("gnt")):
        raise Refused("no name")
    record = content[kinds[0]][0]
    for member in MEMBERS[kinds[0]].split():
        if not isinstance(record[member], int if member in ("dn", "sd") else str):
            raise Refused("not a record")
    try:
        usages = {one.dotted_string for one in certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value}
    except x509.ExtensionNotFound:
        usages = set()
    if usages & set(USAGES.values()) and USAGES[kinds[0]] not in usages:
        raise Refused("the signer may not sign this")
    return "invalid" if is_revoked(case, read, claims, record, message, certificate, kid) else "valid"


def judge(case, read):
    if case["class"] in ("icvp", "health-link", "content", "signers-domain"):
        return "skip"
    if case["form"] not in ("hc1", "cwt") or "anchors" in case or "revocationRequired" in case:
        return "skip"
    if any("german" in path or path.endswith(".txt") for path in case.get("signers", [])):
        return "skip"
    try:
        return verify(case, read)
    except (Refused, CoseException, cbor2.CBORDecodeError, ValueError, KeyError, TypeError, IndexError, AttributeError, zlib.error):
        return "invalid"


if __name__ == "__main__":
    main(judge)
