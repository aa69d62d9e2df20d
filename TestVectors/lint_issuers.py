"""Lint vectors: key sets, revocation lists and directories, and cards with the documents of their issuers."""

import hashlib
from functools import partial

from blocks import ABSENT, b64url, certificate, edited, header, key_set, minify, noise, octets, pem, x5c
from cases import (CROWD, P384_JWK, A, ATTACKER, B, BAD_SIGNATURE, CARD, INTERMEDIATE, ISS, ISS_B, ISSUED, NOW, OTHER_ROOT, RID, ROOT, SET, WITH_RID, ZERO_X, file,
                   signed)
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from lint_base import LintVectors

VECTORS = LintVectors()
AS_SET, AS_LIST, AS_DIRECTORY = ("--as", "jwks"), ("--as", "crl"), ("--as", "directory")


def departs(rule, name, content, **options):
    VECTORS.add(rule, name, content, **options)


def inside(rule, name, content, **options):
    VECTORS.add(rule, name, content, departs=False, **options)


def key(rule, name, *keys, **options):
    """A set of these keys that breaks the rule."""
    departs(rule, name, key_set(*keys), **options)


def fine(rule, name, *keys, **options):
    inside(rule, name, key_set(*keys), **options)


# Key sets

SCHEMA = "invalid-key-schema"
RSA = {"kty": "RSA", "kid": "rsa", "n": b64url(noise("modulus", 256)), "e": "AQAB"}

for name, content in {"array": [A.jwk()], "single": A.jwk(), "no-keys": {}, "no-array": {"keys": A.jwk()}, "empty": {"keys": []},
                      "no-object": {"keys": [A.jwk(), 7]}}.items():
    departs(f"{SCHEMA}/key-set", name, content, args=AS_SET)
key(f"{SCHEMA}/key-set", "too-many", A.jwk(), *[{"kty": "RSA"}] * 1000)
departs(f"{SCHEMA}/key-set-members", "comment", key_set(A.jwk(), comment="made up"), args=AS_SET)
inside(f"{SCHEMA}/key-set-members", "keys", key_set(A.jwk()))
departs("invalid-key-wrong-kid/candidates", "33", key_set(*[key.jwk(kid=A.kid) for key in CROWD], A.jwk()), args=AS_SET, also=["invalid-key-wrong-kid/thumbprint"])
inside("invalid-key-wrong-kid/candidates", "32", key_set(*[key.jwk(kid=A.kid) for key in CROWD[1:]], A.jwk()), also=["invalid-key-wrong-kid/thumbprint"])
inside(f"{SCHEMA}/key-set", "one-key", key_set(A.jwk()))

for member, value in {"kty": 1, "kid": 7, "use": None, "alg": ["ES256"], "crv": {}, "x": 5, "y": None, "x5t": 1, "x5u": [], "key_ops": "verify"}.items():
    key(f"{SCHEMA}/members", member, A.jwk(**{member: value}))
key(f"{SCHEMA}/members", "key-ops-element", A.jwk(use="sig", key_ops=["verify", 1]))
key(f"{SCHEMA}/members", "other-key", A.jwk(), edited(RSA, {"kid": 7}))
fine(f"{SCHEMA}/members", "unknown-member", A.jwk(keySize=256, date=[1], sig=None))

for member, code, others in (("kty", "invalid-key-wrong-kty", ["RSA", "ec"]), ("alg", "invalid-key-wrong-alg", ["ES384", "es256"]),
                             ("use", "invalid-key-wrong-use", ["enc", "signature"]), ("crv", "invalid-key-wrong-crv", ["P-384", "P256"])):
    rule = f"{code}/{member}"
    key(rule, "missing", A.jwk(**{member: ABSENT}))
    for other in others:
        key(rule, f"other-{other}", A.jwk(**{member: other}))
    key(rule, "named-by-alg", B.jwk(), A.jwk(**{member: others[0]}) if member != "alg" else A.jwk(alg="ES384"))
    fine(rule, "right", A.jwk())
fine("invalid-key-wrong-kty/kty", "beside-others", RSA, A.jwk(), {"kty": "oct", "kid": "oct"})
key("invalid-key-wrong-crv/crv", "p-384-without-alg", edited(P384_JWK, {"alg": ABSENT}))
key("invalid-key-wrong-crv/crv", "p-384", P384_JWK, also=["invalid-key-wrong-alg/alg"])
fine("invalid-key-wrong-crv/crv", "beside-others", {"kty": "EC", "crv": "P-384", "alg": "ES384", "kid": "x", "x": "AA", "y": "AA"}, A.jwk())
fine("invalid-key-wrong-use/use", "beside-others", B.jwk(use="enc", alg="ECDH-ES"), A.jwk())
key("invalid-key-wrong-kty/kty", "alone", RSA, also=[f"invalid-key-wrong-{name}/{name}" for name in ("use", "crv")])

WRONG_KID = "invalid-key-wrong-kid/thumbprint"
thumb = hashlib.sha256(minify({"crv": "P-256", "kty": "EC", "x": b64url(A.x), "y": b64url(A.y)})).digest()
stripped_x = b64url(ZERO_X.x[1:])
stripped_kid = b64url(hashlib.sha256(minify({"crv": "P-256", "kty": "EC", "x": stripped_x, "y": b64url(ZERO_X.y)})).digest())
for name, kid in {"missing": ABSENT, "other": "key-1", "of-another": B.kid, "hexadecimal": thumb.hex(), "padded": A.kid + "=", "empty": "",
                  "case": A.kid.swapcase()}.items():
    key(WRONG_KID, name, A.jwk(kid=kid))
key(WRONG_KID, "shared", A.jwk(), B.jwk(kid=A.kid))
key(WRONG_KID, "of-stripped", ZERO_X.jwk(x=stripped_x, kid=stripped_kid), also=[f"{SCHEMA}/coordinates"])
fine(WRONG_KID, "leading-zero", ZERO_X.jwk())
fine(WRONG_KID, "two-certificates", *(A.jwk(x5c=x5c(certificate("Issuer A", A, uri=ISS, years=years))) for years in ((2025, 2035), (2024, 2036))))

COORDINATES = f"{SCHEMA}/coordinates"
key(COORDINATES, "stripped", ZERO_X.jwk(x=stripped_x))
key(COORDINATES, "missing", A.jwk(y=ABSENT))
key(COORDINATES, "padded", A.jwk(x=b64url(A.x) + "="))
key(COORDINATES, "empty", A.jwk(x=""))
key(COORDINATES, "zero-too-many", A.jwk(x=b64url(b"\0" + A.x)))
fine(COORDINATES, "zero-at-the-front", ZERO_X.jwk())
fine(COORDINATES, "of-another-kind", A.jwk(), RSA)

key(f"{SCHEMA}/point", "changed", A.jwk(y=b64url(A.y[:-1] + bytes([A.y[-1] ^ 1]))))
key(f"{SCHEMA}/point", "exchanged", A.jwk(x=b64url(A.y), y=b64url(A.x)))
key(f"{SCHEMA}/point", "zero", A.jwk(x=b64url(bytes(32)), y=b64url(bytes(32))))
fine(f"{SCHEMA}/point", "on-the-curve", B.jwk())

for name, operations in {"sign": ["sign"], "empty": [], "twice": ["verify", "verify"], "both": ["sign", "verify"], "beside-use": ["verify"]}.items():
    key(f"{SCHEMA}/key-ops", name, A.jwk(key_ops=operations))
fine(f"{SCHEMA}/key-ops", "other-key", A.jwk(), edited(RSA, {"key_ops": ["encrypt"]}))

PRIVATE = "invalid-key-private/private"
key(PRIVATE, "d", B.jwk(), A.private_jwk())
key(PRIVATE, "null", A.jwk(d=None))
key(PRIVATE, "twice", A.private_jwk(), A.jwk(), B.jwk(), also=[f"{SCHEMA}/repeats"])
key(PRIVATE, "other-kind", A.jwk(), edited(RSA, {"d": "AQAB"}))
for name in ("p", "q", "dp", "dq", "qi", "oth"):
    key(PRIVATE, f"other-kind-{name}", A.jwk(), edited(RSA, {name: [{"r": "AQAB"}] if name == "oth" else "AQAB"}))
key(PRIVATE, "symmetric", A.jwk(), {"kty": "oct", "kid": "made-up", "k": "AAAA"})
fine(PRIVATE, "public", A.jwk(hasPrivateKey=True))

key(f"{SCHEMA}/repeats", "identical", A.jwk(), B.jwk(), A.jwk())
fine(f"{SCHEMA}/repeats", "with-certificate", A.jwk(), A.jwk(x5c=x5c(certificate("Issuer A", A, uri=ISS))))

for name, members in {"string": {"crlVersion": "1"}, "fraction": {"crlVersion": 1.5}, "negative": {"crlVersion": -1}, "null": {"crlVersion": None},
                      "words": {"crlVersion": "one"}, "zero": {"crlVersion": 0}, "ctr": {"ctr": 1}}.items():
    key(f"{SCHEMA}/crl-version", name, A.jwk(**members))
fine(f"{SCHEMA}/crl-version", "both", A.jwk(crlVersion=1, ctr="1"))

# Certificates

CERTIFICATE = "invalid-key-x5c"
leaf = partial(certificate, "Issuer A", A)
by_root = partial(leaf, "Root", ROOT, ISS)
root = certificate("Root", ROOT, authority=True)
intermediate = certificate("Intermediate", INTERMEDIATE, "Root", ROOT, authority=True)
by_intermediate = leaf("Intermediate", INTERMEDIATE, ISS)
CHAIN = (by_intermediate, intermediate, root)
certified = lambda *chain, **changes: A.jwk(x5c=x5c(*chain), **changes)
OF_A = ("--iss", ISS)
anchored = lambda anchor: ("--anchor", (".pem", pem(anchor)))

for name, value in {"string": x5c(root)[0], "empty": [], "number": [7], "pem": [pem(by_root()).decode()], "base64url": [b64url(by_root())],
                    "line-break": [x5c(by_root())[0][:64] + "\n" + x5c(by_root())[0][64:]], "no-certificate": x5c(b"not a certificate"),
                    "two-in-one": x5c(by_root() + root), "too-many": x5c(*[by_root()] * 11)}.items():
    key(f"{CERTIFICATE}/encoding", name, A.jwk(x5c=value))
fine(f"{CERTIFICATE}/encoding", "right", certified(*CHAIN))
fine(f"{CERTIFICATE}/encoding", "other-key", A.jwk(), edited(RSA, {"x5c": ["none"]}))

key(f"{CERTIFICATE}/leaf-key", "other", A.jwk(x5c=x5c(certificate("Issuer B", B, uri=ISS))))
key(f"{CERTIFICATE}/leaf-key", "no-signing", certified(leaf(uri=ISS, authority=True)))
key(f"{CERTIFICATE}/leaf-key", "not-first", certified(intermediate, by_intermediate), also=[f"{CERTIFICATE}/{each}" for each in ("chain", "issuer-name")])
fine(f"{CERTIFICATE}/leaf-key", "same", certified(by_root()), args=OF_A)

key(f"{CERTIFICATE}/issuer-name", "none", certified(leaf()))
key(f"{CERTIFICATE}/issuer-name", "other", certified(leaf(uri=ISS_B)), args=OF_A)
key(f"{CERTIFICATE}/issuer-name", "slash", certified(leaf(uri=ISS + "/")), args=OF_A)
fine(f"{CERTIFICATE}/issuer-name", "issuer-unknown", certified(leaf(uri=ISS_B)))
fine(f"{CERTIFICATE}/issuer-name", "issuer", certified(leaf(uri=ISS)), args=OF_A)

key(f"{CERTIFICATE}/dates", "expired", certified(by_root(years=(2020, 2026))))
key(f"{CERTIFICATE}/dates", "not-yet", certified(by_root(years=(2027, 2030))))
key(f"{CERTIFICATE}/dates", "authority-expired", certified(by_intermediate, certificate("Intermediate", INTERMEDIATE, "Root", ROOT, authority=True,
                                                                                   years=(2020, 2025))))
fine(f"{CERTIFICATE}/dates", "valid", certified(by_root(years=(2026, 2027))))

key(f"{CERTIFICATE}/chain", "out-of-order", certified(by_intermediate, root, intermediate))
key(f"{CERTIFICATE}/chain", "gap", certified(by_intermediate, root))
key(f"{CERTIFICATE}/chain", "beyond-the-root", certified(leaf(uri=ISS), root))
key(f"{CERTIFICATE}/chain", "same-name", certified(by_intermediate, certificate("Intermediate", OTHER_ROOT, authority=True)))
key(f"{CERTIFICATE}/chain", "no-authority", certified(leaf("Root", ROOT, ISS), certificate("Root", ROOT)))
fine(f"{CERTIFICATE}/chain", "three", certified(*CHAIN))
fine(f"{CERTIFICATE}/chain", "without-root", certified(*CHAIN[:2]))

key(f"{CERTIFICATE}/anchor", "other-root", certified(*CHAIN), args=anchored(certificate("Other root", OTHER_ROOT, authority=True)))
key(f"{CERTIFICATE}/anchor", "gap", certified(by_intermediate), args=anchored(root))
fine(f"{CERTIFICATE}/anchor", "root", certified(*CHAIN), args=(*OF_A, *anchored(root)))
fine(f"{CERTIFICATE}/anchor", "no-certificate", A.jwk(), args=anchored(root))

# Revocation lists

LIST = {"kid": A.kid, "method": "rid", "ctr": 1, "rids": ["one", "two"]}
REVOCATION = "revocation-error"
crl = lambda *rids, **changes: edited(LIST, {"rids": list(rids), **changes})


def listed(rule, name, *rids, **changes):
    departs(f"{REVOCATION}/{rule}", name, crl(*rids, **changes), args=AS_LIST)


for name, changes in {"no-kid": {"kid": ABSENT}, "kid-number": {"kid": 1}, "kid-empty": {"kid": ""}, "no-rids": {"rids": ABSENT}, "rids-object": {"rids": {}},
                      "entry-number": {"rids": ["one", 2]}}.items():
    listed("members", name, *([] if "rids" in changes else ["one"]), **changes)
departs(f"{REVOCATION}/members", "array", [LIST], args=AS_LIST)
inside(f"{REVOCATION}/members", "empty", crl("one", issued="made up"))
# What an input is depends on the names of the members at its top, and on nothing else in it
inside(f"{REVOCATION}/members", "rids-like-names", crl("entries", "hashType", "participating_issuers"))
inside(f"{REVOCATION}/members", "beside-entries", crl("one", entries=[]))
UNKNOWN = "unknown-file-data/unrecognised"
departs(UNKNOWN, "list-and-batch", crl("one", hashType="UCI", entries=[]))
departs(UNKNOWN, "batch", {"kid": "AQIDBAUGBwg=", "hashType": "UCI", "entries": []})
departs(UNKNOWN, "halves-of-list-and-batch", crl("one", method=ABSENT, entries=[]))
inside(UNKNOWN, "crl", crl("one"))
listed("method", "missing", "one", method=ABSENT)
listed("method", "other", "one", method="uid")
listed("method", "number", "one", method=1)
listed("method", "hashes", "one", method="hash-fhir")
inside(f"{REVOCATION}/method", "rid", LIST)
for name, counter in {"missing": ABSENT, "string": "1", "fraction": 1.5, "words": "one", "negative": -1, "zero": 0, "null": None}.items():
    listed("counter", name, "one", ctr=counter)
listed("counter", "crl-version", "one", ctr=ABSENT, crlVersion=1)
inside(f"{REVOCATION}/counter", "one", crl("one", ctr=1))
listed("empty", "no-entries")
inside(f"{REVOCATION}/empty", "one-entry", crl("one"))
for name, entry in {"fraction": "one.1750000000.5", "words": "one.now", "nothing": "one.", "negative": "one.-1", "date": "one.2025-06-15",
                    "digits": "one." + "1" * 16}.items():
    listed("entry-form", name, entry)
inside(f"{REVOCATION}/entry-form", "time", crl(f"one.{ISSUED}"))
for name, entry in {"long": "x" * 25, "long-with-time": "x" * 25 + f".{ISSUED}", "alphabet": "a+b", "letters": "ä", "empty": "", "time-only": f".{ISSUED}"}.items():
    listed("entry-rid", name, entry)
inside(f"{REVOCATION}/entry-rid", "longest", crl("x" * 24, "A-z_09" + f".{ISSUED}"))
listed("timestamp", "milliseconds", f"one.{ISSUED}000")
listed("timestamp", "early", "one.1500000000")
listed("timestamp", "zero", "one.0")
listed("timestamp", "far-ahead", f"one.{NOW + 400 * 86400}")
inside(f"{REVOCATION}/timestamp", "tomorrow", crl(f"one.{NOW + 86400}"))
listed("repeats", "same", "one", "one")
listed("repeats", "with-and-without", f"one.{ISSUED}", "one")
listed("repeats", "two-times", f"one.{ISSUED}", f"one.{ISSUED + 1}")
inside(f"{REVOCATION}/repeats", "case", crl("one", "One"))

# Directories

DIRECTORY = "directory-error"
SNAPSHOT_KEYS = f"{DIRECTORY}/snapshot-keys"
known = lambda iss, name="Issuer", **others: edited({}, {"iss": iss, "name": name, **others})
directory = lambda *entries: {"participating_issuers": list(entries)}
info = lambda iss, *keys, **changes: edited({"issuer": known(iss, f"Issuer at {iss}"), "keys": list(keys), "lastRetrieved": "2026-05-31T00:00:00Z"}, changes)
snapshot = lambda *infos, **changes: edited({"directory": "https://directory.example/vci-issuers.json", "time": "2026-05-31T00:00:00Z",
                                             "issuerInfo": list(infos)}, changes)


def directories(rule, name, *contents, **options):
    departs(f"{DIRECTORY}/{rule}", name, *contents, args=AS_DIRECTORY, **options)


for name, content in {"array": [known(ISS)], "neither": {"issuers": []}, "no-array": {"participating_issuers": known(ISS)}, "empty": directory(),
                      "no-object": directory(known(ISS), ISS_B)}.items():
    directories("form", name, content)
inside(f"{DIRECTORY}/form", "list", directory(known(ISS)))
inside(f"{DIRECTORY}/form", "snapshot", snapshot(info(ISS, A.jwk())))
inside(f"{DIRECTORY}/form", "names-like-members", directory(known(ISS, "certificates"), known(ISS_B, "verificationMethod")))
inside(f"{DIRECTORY}/form", "more-members", directory(known(ISS)) | {"iss": ISS, "method": "rid", "ctr": 1})
departs(f"{DIRECTORY}/form", "list-and-snapshot", directory(known(ISS)) | snapshot(info(ISS, A.jwk())))
departs(UNKNOWN, "directory-and-did", directory(known(ISS)) | {"verificationMethod": []})
departs(UNKNOWN, "directory-and-german", snapshot(info(ISS, A.jwk())) | {"certificates": []})
departs(UNKNOWN, "directory-and-keys", directory(known(ISS)) | key_set(A.jwk()))
inside(UNKNOWN, "directory", directory(known(ISS)))
for name, entry in {"no-iss": {"name": "Issuer"}, "iss-number": known(1), "http": known(ISS.replace("https", "http")), "slash": known(ISS + "/"),
                    "no-name": known(ISS, ABSENT), "name-number": known(ISS, 7), "name-empty": known(ISS, ""), "website": known(ISS, website=1)}.items():
    directories("entry", name, directory(entry))
directories("entry", "canonical-number", directory(known(ISS, canonical_iss=7)))
directories("entry", "snapshot", snapshot(info(ISS, A.jwk(), issuer=known(ISS + "?"))))
inside(f"{DIRECTORY}/entry", "all-members", directory(known(ISS, website="https://issuer-a.example", comment=1)))
directories("issuer-twice", "same", directory(known(ISS), known(ISS, "Other")))
directories("issuer-twice", "case", directory(known(ISS), known(ISS.upper().replace("HTTPS", "https"), "Other")))
inside(f"{DIRECTORY}/issuer-twice", "two", directory(known(ISS), known(ISS_B, "Other")))
directories("canonical-iss", "not-listed", directory(known(ISS, canonical_iss=ISS_B)))
directories("canonical-iss", "itself", directory(known(ISS, canonical_iss=ISS)))
directories("canonical-iss", "alias", directory(known(ISS, canonical_iss=ISS_B), known(ISS_B, "B", canonical_iss=ISS + "/c"), known(ISS + "/c", "C")))
inside(f"{DIRECTORY}/canonical-iss", "listed", directory(known(ISS, canonical_iss=ISS_B), known(ISS_B)))
directories("name-twice", "same", directory(known(ISS), known(ISS_B)))
inside(f"{DIRECTORY}/name-twice", "alias", directory(known(ISS, canonical_iss=ISS_B), known(ISS_B)))
for name, content in {"no-time": snapshot(info(ISS, A.jwk()), time=ABSENT), "time": snapshot(info(ISS, A.jwk()), time="yesterday"),
                      "no-directory": snapshot(info(ISS, A.jwk()), directory=ABSENT), "no-issuer": snapshot(info(ISS, A.jwk(), issuer=ABSENT)),
                      "no-keys": snapshot(info(ISS, keys=ABSENT)), "keys-object": snapshot(info(ISS, keys={})),
                      "not-retrieved": snapshot(info(ISS, A.jwk(), lastRetrieved=ABSENT)), "crls": snapshot(info(ISS, A.jwk(), crls={}))}.items():
    directories("snapshot", name, content)
inside(f"{DIRECTORY}/snapshot", "all-members", snapshot(info(ISS, A.jwk(), crls=[LIST])))
for name, content in {"none": [], "no-object": [A.jwk(), 7], "private": [A.private_jwk(), B.jwk()], "no-kid": [A.jwk(kid=ABSENT)], "curve": [A.jwk(), B.jwk(crv="P256")],
                      "only-rsa": [RSA]}.items():
    directories("snapshot-keys", name, snapshot(info(ISS, *content)))
inside(f"{DIRECTORY}/snapshot-keys", "shared", snapshot(info(ISS, A.jwk(), RSA), info(ISS_B, A.jwk(date=1, ctr="1"))))
directories("snapshot-lists", "method", snapshot(info(ISS, A.jwk(), crls=[crl("one", method="uid")])))
directories("snapshot-lists", "no-kid", snapshot(info(ISS, A.jwk(), crls=[crl(kid=ABSENT)])))
inside(f"{DIRECTORY}/snapshot-lists", "right", snapshot(info(ISS, A.jwk(), crls=[crl(ctr="1")])))


class Signer:
    """A P-521 key that signs snapshots, made from its name."""

    name = "snapshot-signer"
    d = int.from_bytes(noise("shcverify TEST-ONLY snapshot signer", 64), "big")
    private = ec.derive_private_key(d, ec.SECP521R1())
    public = private.public_key()
    order = ((1 << 257) - 1 << 264) + 0xFA51868783BF2F966B7FCC0148F709A5D03BB5C9B8899C47AEBB6FB71E91386409


def ecdsa_p521(message):
    """DER of an ECDSA signature with SHA-512. The nonce is made from the key and the message."""
    digest, n = hashlib.sha512(message).digest(), Signer.order
    k = int.from_bytes(hashlib.sha512(octets(Signer.d, 64) + digest).digest(), "big")
    r = ec.derive_private_key(k, ec.SECP521R1()).public_key().public_numbers().x % n
    signature = encode_dss_signature(r, pow(k, -1, n) * (int.from_bytes(digest, "big") + r * Signer.d) % n)
    Signer.public.verify(signature, message, ec.ECDSA(hashes.SHA512()))
    return signature


SIGNED = snapshot(info(ISS, A.jwk()))
signature = lambda of: ("--signature", (".sig", ecdsa_p521(minify(of))))
SIGNER = ("--certificate", (".pem", pem(certificate("Snapshots", Signer, "Root", ROOT))))
departs(f"{DIRECTORY}/signature", "other-bytes", SIGNED, args=(*signature(snapshot(info(ISS_B, B.jwk()))), *SIGNER))
departs(f"{DIRECTORY}/signature", "other-signer", SIGNED, args=signature(SIGNED))
departs(f"{DIRECTORY}/signature", "no-signature", SIGNED, args=("--signature", (".sig", b"signed, honestly"), *SIGNER))
inside(f"{DIRECTORY}/signature", "right", SIGNED, args=(*signature(SIGNED), *SIGNER))
inside(f"{DIRECTORY}/signature", "none-given", SIGNED)

# Cards and their issuers

jwks = lambda *keys: ("--jwks", (".jwks.json", key_set(*keys)))
lists = lambda *contents: [each for content in contents for each in ("--crl", (".crl.json", content))]
in_directory = lambda content: ("--directory", (".directory.json", content))
KEYS = jwks(A.jwk())
KEYS_1 = jwks(A.jwk(crlVersion=1))
WRONG_KEY, WRONG_SIGNATURE = "jws-verification-error/key-missing", "jws-verification-error/signature"
MISMATCH = "issuer-kid-mismatch/kid"

# Files that are given with options are linted too, with all their findings.
for name, content, also in (("other", known(ISS_B), []), ("slash", known(ISS + "/"), [f"{DIRECTORY}/entry"]),
                            ("alias", known(ISS_B, canonical_iss=ISS), [f"{DIRECTORY}/canonical-iss"])):
    departs("issuer-not-trusted/issuer", name, CARD, args=(*KEYS, *in_directory(directory(content))), also=also)
departs("issuer-not-trusted/issuer", "without-keys", CARD, args=in_directory(directory(known(ISS_B))))
departs("issuer-not-trusted/issuer", "no-certificate", CARD, args=(*KEYS, *anchored(root)))
departs("issuer-not-trusted/issuer", "other-anchor", CARD, also=[f"{CERTIFICATE}/anchor"],
        args=(*jwks(certified(*CHAIN)), *anchored(certificate("Other root", OTHER_ROOT, authority=True))))
inside("issuer-not-trusted/issuer", "listed", CARD, args=(*KEYS, *in_directory(directory(known(ISS_B, name="Another"), known(ISS)))))
inside("issuer-not-trusted/issuer", "names-like-members", CARD,
       args=(*KEYS, *in_directory(directory(known(ISS_B, "certificates"), known(ISS, "verificationMethod")))))
inside("issuer-not-trusted/issuer", "snapshot", CARD, args=in_directory(snapshot(info(ISS, A.jwk()))))
inside("issuer-not-trusted/issuer", "certificate", CARD, args=(*jwks(certified(*CHAIN)), *anchored(root)))
inside("issuer-not-trusted/issuer", "no-lists", CARD, args=KEYS)

departs("issuer-key-download-error/keys", "not-to-be-had", CARD)
inside("issuer-key-download-error/keys", "given", CARD, args=KEYS)

departs(WRONG_KEY, "absent", CARD, args=jwks(B.jwk()))
departs(PRIVATE, "in-directory", key_set(A.jwk(), B.jwk()), args=in_directory(snapshot(info(ISS_B, A.private_jwk(kid="other")))),
        also=[SNAPSHOT_KEYS])
inside(PRIVATE, "of-another-in-directory", key_set(A.jwk()), args=in_directory(snapshot(info(ISS, B.private_jwk()))), also=[SNAPSHOT_KEYS])
departs(WRONG_KEY, "not-named", signed(head=header(A, kid=ABSENT)), args=KEYS, also=["jws-header-error/kid"])
departs(WRONG_KEY, "private", CARD, args=jwks(A.private_jwk()), also=[PRIVATE])
departs(WRONG_KEY, "burnt", CARD, args=jwks(A.jwk(), A.private_jwk(kid="other")), also=[PRIVATE, WRONG_KID])
departs(WRONG_KEY, "burnt-in-directory", CARD, args=(*KEYS, *in_directory(snapshot(info(ISS, A.private_jwk(kid="other"))))),
        also=[PRIVATE, SNAPSHOT_KEYS])
departs(WRONG_KEY, "not-for-signing", CARD, args=jwks(A.jwk(use="enc"), B.jwk()), also=["invalid-key-wrong-use/use"])
inside(WRONG_KEY, "beside-others", CARD, args=jwks(P384_JWK, RSA, A.jwk()))
OWNER = "issuer-kid-mismatch/issuer"
BY_B = signed(key=B, head=header(B))
scoped = lambda iss, *keys: ("--jwks", (".jwks.json", key_set(*keys), iss + "="))
departs(OWNER, "given", BY_B, args=(*scoped(ISS, A.jwk()), *scoped(ISS_B, B.jwk())), also=[WRONG_KEY])
inside(OWNER, "given-shared", CARD, args=(*scoped(ISS_B, A.jwk()), *scoped(ISS, A.jwk())))
departs(OWNER, "snapshot", BY_B, args=(*KEYS, *in_directory(snapshot(info(ISS_B, B.jwk())))), also=[WRONG_KEY, "issuer-not-trusted/issuer"])
departs(OWNER, "snapshot-of-both", BY_B, args=in_directory(snapshot(info(ISS, A.jwk()), info(ISS_B, B.jwk()))), also=[WRONG_KEY])
inside(OWNER, "own", CARD, args=in_directory(snapshot(info(ISS_B, B.jwk()), info(ISS, A.jwk()))))
inside(OWNER, "shared", CARD, args=in_directory(snapshot(info(ISS_B, A.jwk()), info(ISS, A.jwk()))))
inside(OWNER, "nowhere", BY_B, args=in_directory(snapshot(info(ISS, A.jwk()), info(ISS_B, A.jwk()))), also=[WRONG_KEY])
departs(MISMATCH, "other-key", signed(head=header(B)), args=jwks(A.jwk(), B.jwk()), also=[WRONG_SIGNATURE])
departs(MISMATCH, "other-name", signed(head=header(A, kid="key-1")), args=KEYS, also=[WRONG_KEY, "jws-header-error/kid-form"])
inside(MISMATCH, "same", CARD, args=jwks(A.jwk(), B.jwk()))
departs(WRONG_SIGNATURE, "changed", BAD_SIGNATURE, args=KEYS)
departs(WRONG_SIGNATURE, "forged", signed(key=ATTACKER, head=header(A)), args=KEYS)
inside(WRONG_SIGNATURE, "right", CARD, args=KEYS)

departs(f"{REVOCATION}/list-missing", "not-to-be-had", WITH_RID, args=KEYS_1)
departs(f"{REVOCATION}/list-missing", "of-another-key", WITH_RID, args=(*KEYS_1, *lists(crl("one", kid=B.kid))))
inside(f"{REVOCATION}/list-missing", "given", WITH_RID, args=(*KEYS_1, *lists(LIST)))
inside(f"{REVOCATION}/list-missing", "none-announced", WITH_RID, args=KEYS)
inside(f"{REVOCATION}/list-missing", "snapshot", WITH_RID, args=in_directory(snapshot(info(ISS, A.jwk(crlVersion=1), crls=[LIST]))))
departs(f"{REVOCATION}/list-behind", "given", WITH_RID, args=(*jwks(A.jwk(crlVersion=2)), *lists(LIST)))
departs(f"{REVOCATION}/list-behind", "snapshot", WITH_RID, args=in_directory(snapshot(info(ISS, A.jwk(crlVersion=2), crls=[LIST]))))
departs(f"{REVOCATION}/list-ahead", "given", WITH_RID, args=(*KEYS_1, *lists(crl("one", ctr=10))))
departs(f"{REVOCATION}/list-ahead", "snapshot", WITH_RID, args=in_directory(snapshot(info(ISS, A.jwk(crlVersion=1), crls=[crl("one", ctr=10)]))))
inside(f"{REVOCATION}/list-ahead", "same", WITH_RID, args=(*KEYS_1, *lists(LIST)))
inside(f"{REVOCATION}/list-ahead", "none-announced", WITH_RID, args=(*KEYS, *lists(crl("one", ctr=10))))
departs(f"{REVOCATION}/repeats", "of-a-card", WITH_RID, args=(*KEYS_1, *lists(crl("one", "one"))))
departs(f"{REVOCATION}/repeats", "of-another-key", WITH_RID, args=(*KEYS_1, *lists(LIST, crl("one", "one", kid=B.kid))))
departs(f"{REVOCATION}/repeats", "in-a-directory", WITH_RID, args=in_directory(snapshot(info(ISS, A.jwk(crlVersion=1), crls=[crl("one", "one")]))))
departs(f"{REVOCATION}/repeats", "rids-like-names", WITH_RID, args=(*KEYS_1, *lists(crl("entries", "hashType", "entries"))))
inside(f"{REVOCATION}/list-missing", "rids-like-names", WITH_RID, args=(*KEYS_1, *lists(crl("entries", "hashType"))))
inside(f"{REVOCATION}/list-behind", "one-of-two", WITH_RID, args=(*jwks(A.jwk(crlVersion=2)), *lists(LIST, crl("one", ctr=2))))
departs(f"{REVOCATION}/revoked", "listed", WITH_RID, args=(*KEYS_1, *lists(crl(RID))))
departs(f"{REVOCATION}/revoked", "listed-in-directory", WITH_RID,
        args=(*KEYS, *in_directory(directory(known(ISS))), *in_directory(snapshot(info(ISS, crls=[crl(RID)])))), also=[SNAPSHOT_KEYS])
departs(f"{REVOCATION}/revoked", "issued-before", WITH_RID, args=(*KEYS_1, *lists(crl(f"{RID}.{ISSUED + 1}"))))
inside(f"{REVOCATION}/revoked", "issued-at", WITH_RID, args=(*KEYS_1, *lists(crl(f"{RID}.{ISSUED}"))))
departs(f"{REVOCATION}/no-rid", "without", CARD, args=(*KEYS_1, *lists(LIST)))
departs(f"{REVOCATION}/no-rid", "without-list", CARD, args=KEYS_1)
inside(f"{REVOCATION}/no-rid", "with", WITH_RID, args=(*KEYS_1, *lists(LIST)))
departs(f"{REVOCATION}/method", "of-a-card", WITH_RID, args=(*KEYS_1, *lists(crl("one", method="uid"))))
departs(f"{REVOCATION}/entry-rid", "of-a-card", WITH_RID, args=(*KEYS_1, *lists(crl("x" * 25))))
departs(WRONG_KID, "of-a-card", signed(head=header(A, kid="key-1")), args=jwks(A.jwk(kid="key-1"), B.jwk(kid="key-2")), also=["jws-header-error/kid-form"])
departs("invalid-key-wrong-alg/alg", "of-two-cards", file(CARD, WITH_RID), args=jwks(A.jwk(alg=ABSENT)), suffix=".smart-health-card")
