"""Makes hundreds of thousands of cards, with the expected verdict of each.

The number of cards per issuer follows Zipf's law (the k-th issuer has 1/k of the cards of the first), or is the same for all. One
card in a hundred is bad, and the kinds in KINDS take turns. The cards depend only on the arguments, except for the nonces.
"""

import base64
import hashlib
import itertools
import json
import multiprocessing
import os
import random
import zlib

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

FORM = 3  # the version of the cards; if it changes, they are made again
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
ECDSA = ec.ECDSA(hashes.SHA256())
CHUNK = 2_500
NOW = 1_780_272_000  # 2026-06-01T00:00:00Z, the moment for which the cards are verified

FAMILY = ["Anyperson", "Brandt", "Castillo", "Dubois", "Eriksen", "Fontaine", "García", "Horváth", "Iwata", "Jónsdóttir"]
GIVEN = ["Jana", "Luis", "Amélie", "Kenji", "Sofia", "Marek", "Aisha", "Tom", "Ingrid", "Paulo"]
SITES = ["Example Hospital", "Example County Health Department", "Example Pharmacy 0231", "Example Clinic of the North"]
VACCINES = ["207", "208", "212", "217", "229", "300", "140", "185"]


def b64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Issuer:
    def __init__(self, number):
        self.iss = f"https://issuer-{number}.bench.example/cards"
        self.name = f"Example Issuer {number}"
        secret = int.from_bytes(hashlib.sha256(f"shcverify TEST-ONLY bench {number}".encode()).digest(), "big")
        self.private = ec.derive_private_key(secret % (ORDER - 1) + 1, ec.SECP256R1())
        point = self.private.public_key().public_numbers()
        self.x, self.y = (b64url(n.to_bytes(32, "big")) for n in (point.x, point.y))
        members = {"crv": "P-256", "kty": "EC", "x": self.x, "y": self.y}
        self.kid = b64url(hashlib.sha256(json.dumps(members, separators=(",", ":")).encode()).digest())

    def jwk(self):
        return {"kty": "EC", "kid": self.kid, "use": "sig", "alg": "ES256", "crv": "P-256", "x": self.x, "y": self.y}


def header(kid, **changes):
    return b64url(json.dumps({"zip": "DEF", "alg": "ES256", "kid": kid} | changes, separators=(",", ":")).encode())


def payload(iss, rng, **changes):
    doses = [{"resourceType": "Immunization", "status": "completed",
              "vaccineCode": {"coding": [{"system": "http://hl7.org/fhir/sid/cvx", "code": rng.choice(VACCINES)}]},
              "patient": {"reference": "resource:0"},
              "occurrenceDateTime": f"20{rng.randint(21, 25)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
              "performer": [{"actor": {"display": rng.choice(SITES)}}], "lotNumber": f"{rng.randrange(10**7):07}"}
             for _ in range(rng.choice((1, 2, 2, 2, 3)))]
    patient = {"resourceType": "Patient", "name": [{"family": rng.choice(FAMILY), "given": rng.sample(GIVEN, rng.choice((1, 2)))}],
               "birthDate": f"{rng.randint(1930, 2015)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"}
    bundle = {"resourceType": "Bundle", "type": "collection",
              "entry": [{"fullUrl": f"resource:{i}", "resource": r} for i, r in enumerate([patient, *doses])]}
    return {"iss": iss, "nbf": rng.randint(1_640_000_000, 1_770_000_000) + rng.choice((0, 0, 0.25)),
            "vc": {"type": ["https://smarthealth.cards#health-card", "https://smarthealth.cards#immunization"],
                   "credentialSubject": {"fhirVersion": "4.0.1", "fhirBundle": bundle}}} | changes


def deflated(value):
    compressor = zlib.compressobj(9, wbits=-15)
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
    return compressor.compress(text) + compressor.flush()


def jws(issuer, body, head=None, signer=None, form="raw"):
    text = f"{head or header(issuer.kid)}.{b64url(body)}"
    der = (signer or issuer).private.sign(text.encode(), ECDSA)
    raw = b"".join(n.to_bytes(32, "big") for n in decode_dss_signature(der))
    return f"{text}.{b64url(raw if form == 'raw' else der)}"


def flipped(text, rng):
    """The text with one character of its last part changed, but not the last one, so that it stays base64url."""
    place = rng.randint(len(text) - 80, len(text) - 2)
    return text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1:]


def other_payload(issuer, rng):
    head, _, signature = jws(issuer, deflated(payload(issuer.iss, rng))).split(".")
    return f"{head}.{b64url(deflated(payload(issuer.iss, rng)))}.{signature}"


STRANGER = Issuer("stranger")

# The fault, the expected reason code, and the function that makes the line.
KINDS = [
    ("a character of the signature", "signature-invalid", lambda i, r: flipped(jws(i, deflated(payload(i.iss, r))), r)),
    ("another payload", "signature-invalid", other_payload),
    ("another's key", "signature-invalid", lambda i, r: jws(i, deflated(payload(i.iss, r)), signer=STRANGER)),
    ("a signature in DER", "signature-invalid", lambda i, r: jws(i, deflated(payload(i.iss, r)), form="der")),
    ("expired", "expired", lambda i, r: jws(i, deflated(payload(i.iss, r, exp=NOW - r.randrange(10**6))))),
    ("not yet valid", "not-yet-valid", lambda i, r: jws(i, deflated(payload(i.iss, r, nbf=NOW + 1 + r.randrange(10**6))))),
    ("an issuer on no list", "issuer-not-trusted", lambda i, r: jws(STRANGER, deflated(payload(STRANGER.iss, r)))),
    ("a key that is not in the set", "key-not-found", lambda i, r: jws(i, deflated(payload(i.iss, r)), head=header(STRANGER.kid))),
    ("another algorithm", "unsupported-algorithm", lambda i, r: jws(i, deflated(payload(i.iss, r)), head=header(i.kid, alg="ES384"))),
    ("no compression", "unsupported-compression", lambda i, r: jws(i, deflated(payload(i.iss, r)), head=header(i.kid, zip="none"))),
    ("a cut deflate stream", "inflate-failed", lambda i, r: jws(i, deflated(payload(i.iss, r))[:-40])),
    ("a payload without a bundle", "malformed-payload", lambda i, r: jws(i, deflated({"iss": i.iss, "nbf": 1_700_000_000}))),
    ("two parts", "malformed-jws", lambda i, r: jws(i, deflated(payload(i.iss, r))).rpartition(".")[0]),
    ("no card", "malformed-input", lambda i, r: "the quick brown fox"),
]


def _chunk(task):
    first, count, total, issuers, shares = task
    cast = _issuers(issuers)
    rng = random.Random(f"{FORM} {issuers} {bool(shares)} {first}")
    lines, expected = [], []
    for number in range(first, first + count):
        issuer = rng.choices(cast, cum_weights=shares)[0] if shares else cast[number % issuers]
        if number % 100 == 37:
            _, reason, make = KINDS[number // 100 % len(KINDS)]
            lines.append(make(issuer, rng))
            expected.append(reason)
        else:
            lines.append(jws(issuer, deflated(payload(issuer.iss, rng))))
            expected.append("")
    return "\n".join(lines) + "\n", "\n".join(expected) + "\n"


_cast = {}


def _issuers(count):
    if count not in _cast:
        _cast[count] = [Issuer(number) for number in range(count)]
    return _cast[count]


class Set:
    """The files with the cards of a number of issuers. Missing files are made."""

    def __init__(self, folder, count, issuers, uniform=False):
        self.count, self.issuers, self.uniform = count, issuers, uniform
        stem = f"{folder}/cards-{FORM}-{count}-{issuers}{'-uniform' if uniform else ''}"
        self.cards, self.reasons, self.directory = f"{stem}.txt", f"{stem}.reasons", f"{stem}.directory.json"
        if not os.path.exists(self.cards):
            self._make()

    def _make(self):
        infos = [{"issuer": {"iss": i.iss, "name": i.name}, "keys": [i.jwk()], "lastRetrieved": "2026-05-31T00:00:00Z"}
                 for i in _issuers(self.issuers)]
        with open(self.directory, "w") as file:
            json.dump({"directory": "https://directory.example/vci-issuers.json", "time": "2026-05-31T00:00:00Z",
                       "issuerInfo": infos}, file)
        shares = None if self.uniform else list(itertools.accumulate(1 / (k + 1) for k in range(self.issuers)))
        tasks = [(first, min(CHUNK, self.count - first), self.count, self.issuers, shares)
                 for first in range(0, self.count, CHUNK)]
        unfinished = self.cards + ".new"
        with multiprocessing.Pool() as pool, open(unfinished, "w") as cards, open(self.reasons, "w") as reasons:
            for text, expected in pool.imap(_chunk, tasks):
                cards.write(text)
                reasons.write(expected)
        os.rename(unfinished, self.cards)

    def expected(self):
        """The expected reason of each card, or "" if it must pass."""
        with open(self.reasons) as file:
            return file.read().split("\n")[:-1]
