"""Lint vectors: inputs, files, QR codes, deep links, Parameters, JWS and payloads."""

import base64
import json
import zlib

from blocks import card as jws
from blocks import ABSENT, Raw, chunks, deep_link, deflated, der, digits, file, header, key_set, minify, noise, parameters, pretty, qr, swapped
from cases import A, BUNDLE, CARD, FHIR_VERSION, HEALTH_CARD, ISS, ISSUED, LONG, NOW, OBSERVATION, PATIENT, SECOND, SET, bundle, immunization, payload, signed
from lint_base import LintVectors

VECTORS = LintVectors()
KEYS = ("--jwks", (".jwks.json", SET))
TYPE = "https://smarthealth.cards#"


def add(rule, name, content, *others, **options):
    VECTORS.add(rule, name, content, *others, **options)


def card(rule, name, content, *others, **options):
    """A vector with a whole card, so that the issuer's keys are needed."""
    add(rule, name, content, *others, args=(*KEYS, *options.pop("args", ())), **options)


def carried(rule, name, content, **options):
    card(rule, name, content, suffix=".smart-health-card", **options)


# Any input

# A vector that breaks this rule would have many megabytes, so a test makes its input instead.
add("input-too-large/bounds", "within", payload({"jti": "x" * 5000}), departs=False, also=["schema-error/unknown-member"])
add("unknown-file-data/unrecognised", "words", "This is no card.")
add("unknown-file-data/unrecognised", "pem", "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQ==\n-----END PUBLIC KEY-----\n")
add("unknown-file-data/unrecognised", "empty", b"")
add("unknown-file-data/unrecognised", "object", {"what": "else"})
add("unknown-file-data/unrecognised", "payload", payload(), departs=False)
add("unknown-file-data/unrecognised", "digits", digits(CARD))
card("unknown-file-data/unrecognised", "digits-with-scheme", qr(CARD), departs=False)
card("unknown-file-data/unrecognised", "array-of-jws", [CARD, SECOND])
card("unknown-file-data/unrecognised", "quoted-jws", json.dumps(CARD) + "\n")
add("unknown-file-data/unrecognised", "lines-of-cards", "".join(json.dumps({"id": i, "card": CARD}) + "\n" for i in range(3)), also=["trailing-characters/after-json"])
add("json-parse-error/input", "cut", minify(payload())[:-1])
add("json-parse-error/input", "duplicate", swapped(minify(payload()), b'{"iss"', b'{"nbf":1,"iss"'))
add("json-parse-error/input", "white-space", pretty(payload()), departs=False)
add("trailing-characters/after-json", "brace", minify(payload()) + b"}")
add("trailing-characters/after-json", "none", minify(payload()), departs=False)
card("trailing-characters/white-space", "line-break", CARD + "\n")
card("trailing-characters/white-space", "before", " " + CARD)
card("trailing-characters/white-space", "none", CARD, departs=False)
add("trailing-characters/white-space", "key-set", minify(SET) + b"\n")
add("trailing-characters/white-space", "bundle", b"\r\n" + minify(bundle(PATIENT, immunization("08"))))
add("trailing-characters/white-space", "directory", minify({"participating_issuers": [{"iss": ISS, "name": "Example"}]}) + b" ")
add("trailing-characters/white-space", "given-key-set", CARD, args=("--jwks", (".jwks-with-line-break.json", minify(SET) + b"\n")), departs=False)
card("byte-order-mark/input", "jws", b"\xef\xbb\xbf" + CARD.encode())
card("byte-order-mark/input", "none", CARD, departs=False)
card("invalid-file-extension/file", "json", file(CARD), suffix=".json")
carried("invalid-file-extension/file", "right", file(CARD), departs=False)
add("base45-error/text", "base64", "HC1:" + base64.b64encode(zlib.compress(b"\xd2\x84" + noise("base64", 200))).decode())

# Files

for name, content in {"missing": {"resourceType": "None"}, "no-array": {"verifiableCredential": CARD}, "empty": {"verifiableCredential": []}}.items():
    add("schema-error/file-credentials", name, content, args=("--as", "file"), suffix=".smart-health-card")
carried("schema-error/file-credentials", "two", file(CARD, SECOND), departs=False)
carried("schema-error/file-credential-text", "number", {"verifiableCredential": [CARD, 7]})
carried("schema-error/file-credential-text", "text", file(CARD), departs=False)
carried("schema-error/file-is-parameters", "both", file(CARD, resourceType="Parameters"))
carried("schema-error/file-is-parameters", "bundle", file(CARD, resourceType="Bundle"))
carried("schema-error/file-is-parameters", "other-case", file(CARD, VerifiableCredential=[SECOND]))
carried("schema-error/file-is-parameters", "parameter", file(CARD, parameter=[{"name": "verifiableCredential", "valueString": SECOND}]))
carried("schema-error/file-is-parameters", "other-member", file(CARD, title="mine"), departs=False)
carried("schema-error/repeated-card", "twice", file(CARD, CARD))
carried("schema-error/repeated-card", "different", file(CARD, SECOND), departs=False)

# Parameters

link = lambda *parts: {"name": "resourceLink", "part": list(parts)}
HOSTED, BUNDLED = {"name": "hostedResource", "valueUri": "https://fhir.example/Immunization/1"}, {"name": "bundledResource", "valueUri": "resource:1"}
index = lambda number: {"name": "vcIndex", "valueInteger": number}
add("schema-error/parameters-credential", "other", {"resourceType": "Parameters", "parameter": [{"name": "other", "valueString": "x"}]})
add("schema-error/parameters-credential", "no-value", {"resourceType": "Parameters", "parameter": [{"name": "verifiableCredential"}]})
add("schema-error/parameters-credential", "none", {"resourceType": "Parameters"})
named = lambda **members: {"name": "verifiableCredential", **members}
card("schema-error/parameters-credential", "part", parameters(CARD, extra=[{"name": "more", "part": [named(valueString=SECOND)]}]))
card("schema-error/parameters-credential", "two-values", parameters(CARD, extra=[named(valueString=SECOND, valueUri="x")]))
card("schema-error/parameters-credential", "other-case", parameters(CARD, extra=[{"name": "VerifiableCredential", "valueString": SECOND}]))
card("schema-error/parameters-credential", "contained", minify({**json.loads(parameters(CARD)), "contained": [json.loads(parameters(SECOND))]}))
card("schema-error/parameters-credential", "list-beside", minify({**json.loads(parameters(CARD)), "VerifiableCredential": [SECOND]}))
card("schema-error/parameters-credential", "no-list", minify({"resourceType": "Parameters", "Parameter": named(valueString=CARD)}))
card("schema-error/parameters-credential", "two", parameters(CARD, SECOND), departs=False)
card("schema-error/resource-link", "no-hosted", parameters(CARD, extra=[link(index(0), BUNDLED)]))
card("schema-error/resource-link", "index", parameters(CARD, extra=[link(index(1), BUNDLED, HOSTED)]))
card("schema-error/resource-link", "whole", parameters(CARD, extra=[link(index(0), BUNDLED, HOSTED), link(BUNDLED, HOSTED)]), departs=False)

# Deep links

card("schema-error/deep-link-address", "app", deep_link(file(CARD)).replace("https://", "viewer://"))
card("schema-error/deep-link-address", "https", deep_link(file(CARD)), departs=False)
add("schema-error/deep-link-fragment", "none", "https://viewer.example/open")
add("schema-error/deep-link-fragment", "no-json", "https://viewer.example/open#card")
add("schema-error/deep-link-fragment", "bad-escape", "https://viewer.example/open#%7")
card("schema-error/deep-link-fragment", "card", deep_link(file(CARD)), departs=False)
card("schema-error/deep-link-encoding", "raw", "https://viewer.example/open#" + file(CARD))
card("schema-error/deep-link-encoding", "encoded", deep_link(file(CARD)), departs=False)

# QR codes

add("invalid-numeric-qr-header/scheme", "missing-slash", "shc:" + digits(CARD), args=("--as", "qr", *KEYS))
card("invalid-numeric-qr-header/scheme", "right", qr(CARD), departs=False)
card("qr-scheme-case/upper-case", "upper", "SHC:/" + digits(CARD))
card("qr-scheme-case/upper-case", "lower", qr(CARD), departs=False)
add("invalid-numeric-qr-header/part", "zero", "shc:/0/2/" + digits("abc"))
add("invalid-numeric-qr-header/part", "beyond", "shc:/3/2/" + digits("abc"))
add("invalid-numeric-qr-header/part", "one-field", "shc:/2/" + digits("abc"))
card("invalid-numeric-qr-header/part", "lacking", qr(CARD[:400]) + "\n" + qr(CARD[400:]))
card("invalid-numeric-qr-header/part", "right", *chunks(LONG), departs=False, also=["qr-chunking-deprecated/chunked", "jws-too-long/single-code"])
card("invalid-numeric-qr-header/single-part", "one-of-one", "shc:/1/1/" + digits(CARD))
card("invalid-numeric-qr-header/single-part", "none", qr(CARD), departs=False)
add("invalid-numeric-qr/digits", "odd", qr(CARD)[:-1])
add("invalid-numeric-qr/digits", "odd-within", qr(CARD)[:100] + qr(CARD)[101:], also=["jws-header-error/json"])
add("invalid-numeric-qr/digits", "beyond", qr(CARD)[:-2] + "78")
add("invalid-numeric-qr/digits", "minus-48", "shc:/" + "".join("%02d" % max(ord(each) - 48, 0) for each in CARD))
add("invalid-numeric-qr/digits", "cut-within-a-pair", "shc:/1/2/" + digits(CARD)[:401], "shc:/2/2/" + digits(CARD)[401:], also=["qr-chunking-deprecated/chunked"])
add("invalid-numeric-qr/digits", "none", "shc:/")
card("invalid-numeric-qr/digits", "right", qr(CARD), departs=False)
add("invalid-numeric-qr/chunk-length", "long", *("shc:/%d/2/" % (i + 1) + digits(part) for i, part in enumerate((LONG[:1192], LONG[1192:2384]))),
    also=["qr-chunking-deprecated/chunked", "jws-too-long/single-code", "inflation-error/raw-deflate", "json-parse-error/jws-parts", "json-parse-error/jws-encoding"])
card("invalid-numeric-qr/chunk-length", "longest", "shc:/1/9/" + digits("a" * 1191), departs=False, also=["qr-chunking-deprecated/chunked", "missing-qr-chunk/missing"])
card("qr-chunking-deprecated/chunked", "two", *chunks(CARD, 2), also=["invalid-qr/needless-chunks"])
card("qr-chunking-deprecated/chunked", "one", qr(CARD), departs=False)
card("missing-qr-chunk/missing", "one", chunks(LONG)[0], also=["qr-chunking-deprecated/chunked"])
card("missing-qr-chunk/missing", "none", *chunks(LONG), departs=False, also=["qr-chunking-deprecated/chunked", "jws-too-long/single-code"])
add("invalid-qr/conflict", "two-cards", *chunks(CARD, 2), *chunks(SECOND, 2), also=["qr-chunking-deprecated/chunked"])
card("invalid-qr/conflict", "repeated", *chunks(LONG), chunks(LONG)[0], departs=False, also=["qr-chunking-deprecated/chunked", "jws-too-long/single-code"])
SWAPPED = [text.replace(f"shc:/{i + 1}/", f"shc:/{len(chunks(LONG)) - i}/", 1) for i, text in enumerate(chunks(LONG))]
card("invalid-qr/order", "reversed", *SWAPPED, also=["qr-chunking-deprecated/chunked", "jws-too-long/single-code"])
card("invalid-qr/order", "right", *chunks(LONG), departs=False, also=["qr-chunking-deprecated/chunked", "jws-too-long/single-code"])
card("invalid-qr/needless-chunks", "small", *chunks(CARD, 2), also=["qr-chunking-deprecated/chunked"])
card("invalid-qr/needless-chunks", "long", *chunks(LONG), departs=False, also=["qr-chunking-deprecated/chunked", "jws-too-long/single-code"])
COUNT = len(chunks(LONG)) + 1
UNEVEN = [LONG[i * 1191:(i + 1) * 1191] for i in range(COUNT)]
assert all(UNEVEN[:-1]) and len(UNEVEN[-1]) < 1000, [len(each) for each in UNEVEN]
UNEVEN = [each for each in UNEVEN if each]
card("unbalanced-qr-chunks/balance", "rest", *(f"shc:/{i + 1}/{len(UNEVEN)}/{digits(each)}" for i, each in enumerate(UNEVEN)),
     also=["qr-chunking-deprecated/chunked", "jws-too-long/single-code"])
card("unbalanced-qr-chunks/balance", "even", *chunks(LONG), departs=False, also=["qr-chunking-deprecated/chunked", "jws-too-long/single-code"])

# JWS

head = lambda **changes: signed(head=header(A, **changes))
add("json-parse-error/jws-parts", "two", ".".join(CARD.split(".")[:2]))
add("json-parse-error/jws-parts", "five", CARD + ".e30.e30", args=KEYS)
card("json-parse-error/jws-parts", "three", CARD, departs=False)
card("json-parse-error/jws-encoding", "padding", signed(spell_signature=lambda text: text + "=="))
card("json-parse-error/jws-encoding", "none", CARD, departs=False)
SIZED = {len(each): each for each in (signed({"jti": noise("size", 600).hex()[:i]}, head=header(A, cty="x" * pad)) for pad in range(3) for i in range(480, 620))}
LONGEST, TOO_LONG = SIZED[1195], SIZED[1196]
card("jws-too-long/single-code", "1196", TOO_LONG, also=["schema-error/unknown-member"])
card("jws-too-long/single-code", "1195", LONGEST, departs=False, also=["schema-error/unknown-member"])
card("jws-header-error/json", "cut", signed(head=minify(header(A))[:-1]), also=["jws-verification-error/key-missing"])
card("jws-header-error/json", "spaces", signed(head=pretty(header(A))), departs=False)
card("jws-header-error/object", "array", signed(head=b"[]"), also=["jws-verification-error/key-missing"])
card("jws-header-error/object", "object", CARD, departs=False)
card("jws-header-error/alg", "missing", head(alg=ABSENT))
card("jws-header-error/alg", "none", head(alg="none"))
card("jws-header-error/alg", "es256", CARD, departs=False)
card("jws-header-error/zip", "missing", head(zip=ABSENT))
card("jws-header-error/zip", "lower-case", head(zip="def"))
card("jws-header-error/zip", "def", CARD, departs=False)
card("jws-header-error/kid", "missing", head(kid=ABSENT), also=["jws-verification-error/key-missing"])
card("jws-header-error/kid", "there", CARD, departs=False)
add("jws-header-error/kid-form", "short", signed(head=header(A, kid="key-1")), args=("--jwks", (".jwks.json", key_set(A.jwk(kid="key-1")))),
    also=["invalid-key-wrong-kid/thumbprint"])
card("jws-header-error/kid-form", "thumbprint", CARD, departs=False)
card("jws-header-error/crit", "exp", head(crit=["exp"]))
card("jws-header-error/crit", "none", head(typ="JWT"), departs=False)
card("key-in-header/key-members", "jwk", head(jwk=A.jwk()))
card("key-in-header/key-members", "none", head(cty="x"), departs=False)
for name, compress in {"zlib": lambda data: deflated(data, bits=15), "gzip": lambda data: deflated(data, bits=31), "plain": lambda data: data,
                       "bytes-behind": lambda data: deflated(data) + b"\0"}.items():
    card("inflation-error/raw-deflate", name, signed(compress=compress))
card("inflation-error/raw-deflate", "stored", signed(compress=lambda data: deflated(data, level=0)), departs=False)
number = lambda value: der(2, (value.to_bytes(33, "big").lstrip(b"\0") if value >> 255 == 0 else b"\0" + value.to_bytes(32, "big")))
card("signature-format-error/length", "der", signed(sign=lambda r, s: der(0x30, number(r), number(s))))
card("signature-format-error/length", "64-bytes", CARD, departs=False)
add("signature-format-error/range", "zero", signed(sign=lambda r, s: bytes(64)), args=KEYS, also=["jws-verification-error/signature"])
card("signature-format-error/range", "in-range", CARD, departs=False)

# Payloads

CHANGES = {
    "schema-error/iss": ({"missing": {"iss": ABSENT}, "number": {"iss": 7}}, {}),
    "invalid-issuer-url/iss": ({"http": {"iss": "http://issuer-a.example"}, "slash": {"iss": ISS + "/"}}, {"iss": "https://issuer-a.example"}),
    "invalid-issuer-url/iss-form": ({"key-set": {"iss": ISS + "/.well-known/jwks.json"}, "capitals": {"iss": "https://Issuer-A.example/cards"},
                                     "port": {"iss": "https://issuer-a.example:443/cards"}},
                                    {"iss": "https://issuer-a.example:8443/Cards/.well-known"}),
    "schema-error/nbf": ({"missing": {"nbf": ABSENT}, "string": {"nbf": "1750000000"}}, {"nbf": Raw("1750000000.5")}),
    "not-yet-valid/nbf-range": ({"milliseconds": {"nbf": ISSUED * 1000}, "negative": {"nbf": -1}}, {"nbf": 0}),
    "not-yet-valid/nbf-future": ({"second": {"nbf": NOW + 1}}, {"nbf": NOW}),
    "schema-error/exp": ({"string": {"exp": "never"}, "null": {"exp": None}}, {"exp": NOW + 1}),
    "expiration-error/exp-range": ({"milliseconds": {"exp": (NOW + 9) * 1000}}, {"exp": NOW + 9}),
    "expiration-error/expired": ({"now": {"exp": NOW}}, {"exp": NOW + 1}),
    "schema-error/vc-context": ({"there": {"vc.@context": ["https://www.w3.org/2018/credentials/v1"]}}, {}),
    "schema-error/vc-type-text": ({"number": {"vc.type": [HEALTH_CARD, TYPE + "immunization", TYPE + "covid19", 7]}}, {"vc.type": [HEALTH_CARD]}),
    "schema-error/health-card-type": ({"missing": {"vc.type": [TYPE + "immunization", TYPE + "covid19"]}}, {}),
    "schema-error/unknown-type": ({"other": {"vc.type": [HEALTH_CARD, TYPE + "immunization", TYPE + "covid19", TYPE + "other"]}}, {"vc.type": [HEALTH_CARD, TYPE + "immunization", TYPE + "covid19"]}),
    "schema-error/credential-type": ({"first": {"vc.type": ["VerifiableCredential", HEALTH_CARD, TYPE + "immunization", TYPE + "covid19"]},
                                      "last": {"vc.type": [HEALTH_CARD, TYPE + "immunization", TYPE + "covid19", "VerifiableCredential"]}}, {}),
    "schema-error/applicable-type": ({"covid19": {"vc.type": [HEALTH_CARD, TYPE + "immunization"]}}, {"vc.type": [HEALTH_CARD, TYPE + "immunization", TYPE + "covid19"]}),
    "schema-error/inapplicable-type": ({"laboratory": {"vc.type": [HEALTH_CARD, TYPE + "immunization", TYPE + "covid19", TYPE + "laboratory"]}}, {"vc.type": [HEALTH_CARD, TYPE + "covid19", TYPE + "immunization"]}),
    "schema-error/repeated-type": ({"twice": {"vc.type": [HEALTH_CARD, HEALTH_CARD, TYPE + "immunization", TYPE + "covid19"]}}, {}),
    "schema-error/rid": ({"long": {"vc.rid": "x" * 25}, "alphabet": {"vc.rid": "a+b"}, "number": {"vc.rid": 7}}, {"vc.rid": "x" * 24}),
    "schema-error/fhir-version": ({"missing": {FHIR_VERSION: ABSENT}, "number": {FHIR_VERSION: Raw("4.0")}}, {FHIR_VERSION: "4.0.1"}),
    "unknown-fhir-version/fhir-version": ({"r5": {FHIR_VERSION: "5.0.0"}, "short": {FHIR_VERSION: "4.0"}}, {FHIR_VERSION: "4.0.0"}),
    "schema-error/subject-member": ({"id": {"vc.credentialSubject.id": "did:example:1"}}, {}),
    "schema-error/unknown-member": ({"sub": {"sub": "did:example:1"}, "jti": {"jti": "1"}, "evidence": {"vc.evidence": []}, "upper-case": {"vc.Rid": "one"}},
                                    {"exp": NOW + 1, "vc.rid": "one"}),
}
for rule, (violations, inside) in CHANGES.items():
    for name, changes in violations.items():
        add(rule, name, payload(changes))
    add(rule, "inside", payload(inside), departs=False)
add("expiration-error/exp-range", "before-nbf", payload({"nbf": NOW - 9, "exp": NOW - 10}), also=["expiration-error/expired"])
add("schema-error/vc", "missing", payload({"vc": ABSENT}))
add("schema-error/vc", "array", payload({"vc": []}))
add("schema-error/vc", "object", payload(), departs=False)
add("schema-error/vc-type", "missing", payload({"vc.type": ABSENT}))
add("schema-error/vc-type", "string", payload({"vc.type": HEALTH_CARD}))
add("schema-error/vc-type", "array", payload(), departs=False)
add("schema-error/credential-subject", "missing", payload({"vc.credentialSubject": ABSENT}))
add("schema-error/credential-subject", "object", payload(), departs=False)
add("schema-error/fhir-bundle", "missing", payload({BUNDLE: ABSENT}))
add("schema-error/fhir-bundle", "object", payload(), departs=False)
add("schema-error/payload-object", "array", [1], args=("--as", "payload"))
add("schema-error/payload-object", "object", payload(), departs=False)
PLAIN = minify(payload())
card("json-parse-error/payload", "duplicate", jws(swapped(PLAIN, b'{"iss"', b'{"nbf":1,"iss"'), A))
card("json-parse-error/payload", "whole", CARD, departs=False)
card("json-parse-error/payload-byte-order-mark", "mark", jws(b"\xef\xbb\xbf" + PLAIN, A))
card("json-parse-error/payload-byte-order-mark", "none", CARD, departs=False)
card("payload-not-minified/white-space", "pretty", jws(pretty(payload()), A))
card("payload-not-minified/white-space", "around", jws(PLAIN + b"\n", A))
card("payload-not-minified/white-space", "in-strings", signed({"jti": "a b\tc"}), departs=False, also=["schema-error/unknown-member"])
add("payload-not-minified/white-space", "input", pretty(payload()), departs=False)
add("schema-error/applicable-type", "laboratory", payload({BUNDLE: bundle(PATIENT, OBSERVATION), "vc.type": [HEALTH_CARD, TYPE + "covid19"]}))
add("invalid-numeric-qr-header/part", "too-many", "shc:/1/1001/" + digits("abc"))
