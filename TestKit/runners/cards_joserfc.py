#!/usr/bin/env python3
"""A verifier of SMART Health Cards with joserfc: an example of what a careful developer might write first, and no recommendation.

    cards_joserfc.py [--only PATTERN] [--opinions] [--json FILE]

It reads JWS, card files, QR codes and deep links, key sets, lists of issuers, snapshots and revocation lists. It knows nothing of certificates
(x5c), of FHIR operations and of links.
"""

import datetime
import json
import re
import urllib.parse
import zlib

from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import ECKey
from kit import main

MOST = 1 << 20
# `zip` is no member of a header that the library knows.
REGISTRY = jws.JWSRegistry(algorithms=["ES256"], strict_check_header=False)
TYPE = "https://smarthealth.cards#health-card"


class Refused(Exception):
    pass


def token(case, read):
    """The JWS in what is presented."""
    texts = [read(path).decode("utf-8").strip() for path in case["input"]]
    if texts[0].startswith("shc:/"):
        return from_codes(texts)
    text = texts[0]
    if text.startswith("https://"):
        text = urllib.parse.unquote(text.partition("#")[2])
    if not text.startswith("{"):
        return text
    cards = json.loads(text)["verifiableCredential"]
    if len(cards) != 1:
        raise Refused("not one card")
    return cards[0]


def from_codes(texts):
    parts = {}
    for text in texts:
        match = re.fullmatch(r"shc:/(?:(\d+)/(\d+)/)?(\d+)", text)
        if not match:
            raise Refused("no QR code of a card")
        index, count, digits = int(match[1] or 1), int(match[2] or 1), match[3]
        if not 1 <= index <= count:
            raise Refused("a wrong number")
        parts[index] = (count, digits)
    count = max(count for count, _ in parts.values())
    if set(parts) != set(range(1, count + 1)):
        return None
    digits = "".join(parts[index][1] for index in sorted(parts))
    return "".join(chr(int(digits[place:place + 2]) + 45) for place in range(0, len(digits), 2))


def keys_of(case, read, iss):
    """The keys of the issuer, its revocation lists, and whether it is trusted."""
    keys, lists, trusted = [], [], iss in case.get("issuers", []) or not ("issuers" in case or "directories" in case)
    for entry in case.get("keys", []):
        if entry.get("issuer", iss) == iss:
            keys += json.loads(read(entry["file"]))["keys"]
    for path in case.get("directories", []):
        content = json.loads(read(path))
        trusted |= any(issuer["iss"] == iss for issuer in content.get("participating_issuers", []))
        for info in content.get("issuerInfo", []):
            if info["issuer"]["iss"] == iss:
                trusted, keys, lists = True, keys + info["keys"], lists + info.get("crls", [])
    return keys, lists + [json.loads(read(path)) for path in case.get("revocation", [])], trusted


def is_revoked(claims, key, lists):
    rid = claims["vc"].get("rid")
    if rid is None:
        return "valid"
    lists = [one for one in lists if one["kid"] == key["kid"] and one["method"] == "rid"]
    for entry in (entry for one in lists for entry in one["rids"]):
        name, _, before = entry.partition(".")
        if name == rid and (not before or claims["nbf"] < float(before)):
            return "invalid"
    return "valid" if not key.get("crlVersion") or any(int(one["ctr"]) >= int(key["crlVersion"]) for one in lists) else "undetermined"


def verify(case, read):
    text = token(case, read)
    if text is None:
        return "undetermined"
    header = jws.extract_compact(text.encode()).protected
    if header.get("alg") != "ES256" or header.get("zip") != "DEF":
        raise Refused("another algorithm")
    inflater = zlib.decompressobj(-15)
    unverified = jws.extract_compact(text.encode()).payload
    plain = inflater.decompress(unverified, MOST)
    if inflater.unconsumed_tail or not inflater.eof:
        raise Refused("not the whole stream")
    claims = json.loads(plain)
    iss = claims["iss"]
    if not iss.startswith("https://") or iss.endswith("/"):
        raise Refused("no issuer")
    keys, lists, trusted = keys_of(case, read, iss)
    if not trusted:
        raise Refused("the issuer is not trusted")
    if not keys and not case.get("keys"):
        return "undetermined"
    found = [key for key in keys if key.get("kid") == header["kid"] and (key.get("kty"), key.get("crv")) == ("EC", "P-256")]
    if not found or found[0].get("alg", "ES256") != "ES256" or found[0].get("use", "sig") != "sig":
        raise Refused("no such key")
    public = {name: found[0][name] for name in ("kty", "crv", "x", "y")}
    jws.deserialize_compact(text, ECKey.import_key(public), registry=REGISTRY)
    credential = claims["vc"]
    subject = credential["credentialSubject"]
    if TYPE not in credential["type"] or subject["fhirBundle"]["resourceType"] != "Bundle" or not isinstance(subject["fhirVersion"], str):
        raise Refused("no card")
    now = datetime.datetime.fromisoformat(case["at"].replace("Z", "+00:00")).timestamp()
    if claims["nbf"] > now or claims.get("exp") is not None and claims["exp"] <= now:
        raise Refused("not valid at this time")
    return is_revoked(claims, found[0], lists)


def judge(case, read):
    if case["form"] not in ("jws", "card-file", "qr", "deep-link") or "anchors" in case or "revocationRequired" in case:
        return "skip"
    try:
        return verify(case, read)
    except (Refused, JoseError, ValueError, KeyError, TypeError, zlib.error):
        return "invalid"


if __name__ == "__main__":
    main(judge)
