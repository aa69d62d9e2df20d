#!/usr/bin/env python3
"""Writes lists of WHO's network with good and bad proofs; with --check, compares the existing ones with what it would write.

    /usr/bin/python3 TestVectors/gdhcn/generate.py [--check]

README.md explains them. The sentences that are signed are made here from a table of their own, and Python sorts them.
Needs Python 3.11, and the packages `cryptography` 38 and `cbor2` (Debian: python3-cryptography, python3-cbor2).
"""

import copy
import hashlib
import json
import shutil
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "hcert"))

from cryptography.hazmat.primitives import serialization  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec  # noqa: E402
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature  # noqa: E402

from hcert_blocks import EcKey, b64, b64url  # noqa: E402
from hcert_trust import CSCA, LATER, XA, XB  # noqa: E402

CONTEXTS = ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/suites/jws-2020/v1"]
SUFFIX = {"prod": "", "uat": "-UAT", "dev": "-DEV"}
HOST = {"prod": "tng-cdn.who.int", "uat": "tng-cdn-uat.who.int", "dev": "tng-cdn-dev.who.int"}
HEADER = b'{"b64":false,"crit":["b64"],"alg":"ES256"}'
SIGNER = {env: f"did:web:raw.githubusercontent.com:WorldHealthOrganization:tng-participants-{env}:main:WHO:signing:DID" for env in SUFFIX}
KEY = {env: EcKey(f"list key of {env}") for env in SUFFIX}
OTHER = EcKey("another list key")
FILES, CASES = {}, []
SIGNED = {}  # what each key has signed, for the seeds of the fuzzer


# The sentences (WHO-P4), written as a table: subject, predicate, object

SEC, RDF = "https://w3id.org/security#", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
VALUE_SET = "https://smart.who.int/trust/ValueSet-"


def canonical(sentences):
    return "".join(sorted({f"{' '.join(words)} .\n" for words in sentences})).encode()


def iri(text):
    return f"<{text}>"


def jwk_literal(jwk):
    text = json.dumps(jwk, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + f'"^^<{RDF}JSON>'


def document_sentences(document, env):
    this = iri(document["id"])
    yield this, iri(SEC + "controller"), iri(document["controller"])
    for method in document["verificationMethod"]:
        name = iri(method if isinstance(method, str) else method["id"])
        yield this, iri(SEC + "verificationMethod"), name
        if isinstance(method, str):
            continue
        yield name, iri(RDF + "type"), iri(SEC + "JsonWebKey2020")
        yield name, iri(SEC + "controller"), iri(method["controller"])
        for member, word in (("domain", "Domains"), ("keyusage", "KeyUsage"), ("participant", "Participants")):
            term = f"{VALUE_SET}{word}{SUFFIX[env]}.jsonld"
            yield name, iri(term), iri(term + method[member]["code"])
        yield name, iri(SEC + "publicKeyJwk"), jwk_literal(method["publicKeyJwk"])


def proof_sentences(proof):
    yield "_:c14n0", "<http://purl.org/dc/terms/created>", f'"{proof["created"]}"^^<http://www.w3.org/2001/XMLSchema#dateTime>'
    yield "_:c14n0", iri(RDF + "type"), iri(SEC + "JsonWebSignature2020")
    yield "_:c14n0", iri(SEC + "nonce"), f'"{proof["nonce"]}"'
    yield "_:c14n0", iri(SEC + "proofPurpose"), iri(SEC + "assertionMethod")
    yield "_:c14n0", iri(SEC + "verificationMethod"), iri(proof["verificationMethod"])


def der(r, s):
    return encode_dss_signature(r, s)


def signed(document, env="prod", key=None, header=HEADER, encode=der, created="2026-05-20T12:00:01Z", **members):
    """A list with a proof. Its signature covers the sentences, whatever else is in the document."""
    proof = {"type": "JsonWebSignature2020", "created": created, "nonce": hashlib.sha256(repr(document).encode()).hexdigest()[:32],
             "proofPurpose": "assertionMethod", "verificationMethod": SIGNER[env]} | members
    digest = lambda sentences: hashlib.sha256(canonical(sentences)).digest()
    octets = b64url(header).encode() + b"." + digest(proof_sentences(proof)) + digest(document_sentences(document, env))
    SIGNED.setdefault(key or KEY[env], set()).add(octets)
    proof["jws"] = f"{b64url(header)}..{b64url(encode(*(key or KEY[env]).pair(octets)))}"
    return document | {"proof": proof}


# Lists

def entry(signer, domain="DCC", usage="DSC", participant="XXA", env="prod", jwk=None, kid=None):
    kid = kid or b64(signer.kid)
    base = f"did:web:{HOST[env]}:v2:trustlist"
    chain = [b64(signer.der)] + ([b64(CSCA[signer.country].der)] if signer is XB else [])
    return {"id": f"{base}:{domain}:{participant}:{usage}#{kid}", "type": "JsonWebKey2020", "controller": f"{base}:{domain}:{participant}",
            "publicKeyJwk": jwk or signer.key.jwk() | {"x5c": chain, "kid": b64(signer.kid)},
            "domain": {"code": f"#{domain}"}, "participant": {"code": f"#{participant}"}, "keyusage": {"code": f"#{usage}"}}


def reference(env="prod", name="DCC"):
    return f"did:web:{HOST[env]}:v2:trustlist-ref:{name}"


def document(*methods, env="prod", path="trustlist"):
    base = f"did:web:{HOST[env]}:v2"
    return {"@context": [*CONTEXTS, f"https://smart.who.int/trust/tng-context/v1{SUFFIX[env]}.jsonld"], "id": f"{base}:{path}",
            "controller": f"{base}:{path}:-", "verificationMethod": list(methods)}


def text(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def did_document(key, env, **members):
    method = {"id": SIGNER[env], "type": "JsonWebKey2020", "controller": SIGNER[env], "publicKeyJwk": key.jwk() | members}
    return {"@context": CONTEXTS, "id": SIGNER[env], "controller": SIGNER[env], "verificationMethod": [method]}


def save(path, value):
    FILES[path] = value if isinstance(value, bytes) else json.dumps(value, indent=1, ensure_ascii=False).encode()


def pem(key):
    return key.public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


for env, key in KEY.items():
    save(f"keys/{env}.did.json", did_document(key, env))
save("keys/other.did.json", did_document(OTHER, "prod"))
save("keys/prod.jwk.json", KEY["prod"].jwk())
save("keys/set.jwks.json", {"keys": [OTHER.jwk(), {"kty": "RSA", "n": "AQ", "e": "AQAB"}, KEY["prod"].jwk()]})
save("keys/two.pem", pem(OTHER) + pem(KEY["prod"]))
save("keys/fragment.did.json", {"id": SIGNER["prod"], "verificationMethod": [
    {"id": SIGNER["prod"] + "#key-1", "publicKeyJwk": KEY["prod"].jwk()}]})
save("keys/private.jwk.json", KEY["prod"].jwk() | {"d": b64url(KEY["prod"].d.to_bytes(32, "big"))})
save("keys/private.pem", KEY["prod"].private.private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
# The private half under another name, as it stands in key sets that were published by mistake
save("keys/burnt.jwks.json", {"keys": [KEY["prod"].jwk() | {"kid": "published-by-mistake", "d": b64url(KEY["prod"].d.to_bytes(32, "big"))}]})
save("keys/certificate.pem", (HERE.parent / "hcert/trust/dsc-xa.pem").read_bytes())
save("keys/none.jwks.json", {"keys": []})

BODY = document(entry(XA), entry(XB, "PH4H", participant="XXB"), reference())
GOOD = signed(BODY)
DEV = signed(document(entry(XA, env="dev"), env="dev"), "dev")
save("lists/good.json", GOOD)
save("lists/older.json", signed(BODY, created="2026-05-13T12:00:01Z"))
save("lists/newer.json", signed(BODY, created="2026-05-27T12:00:01Z"))
save("lists/later.json", signed(document(entry(XA), entry(LATER)), created="2026-05-27T12:00:01Z"))
save("lists/rotated.json", signed(BODY, key=OTHER, created="2026-05-27T12:00:01Z"))
save("lists/part.json", signed(document(entry(XA), path="trustlist:DCC")))
save("lists/dev.json", DEV)
save("lists/uat.json", signed(document(entry(XA, env="uat"), env="uat"), "uat"))
save("lists/other-signer.json", signed(BODY, verificationMethod="did:web:issuer.example:signing"))
save("lists/no-signers.json", signed(document(reference())))
save("lists/future.json", signed(BODY, created="2999-01-01T00:00:00Z"))
save("lists/stripped.json", BODY)
save("lists/changed.json", GOOD | {"proof": GOOD["proof"] | {"nonce": GOOD["proof"]["nonce"][::-1]}})
save("lists/version-1.json", {"@context": CONTEXTS, "id": "did:web:tng-cdn.who.int:trustlist", "controller": "did:web:tng-cdn.who.int:trustlist",
                              "verificationMethod": [{"id": f"did:web:tng-cdn.who.int:trustlist:XXA#{b64(XA.kid)}", "type": "JsonWebKey2020",
                                                      "controller": "did:web:tng-cdn.who.int:trustlist:XXA", "publicKeyJwk": XA.key.jwk() | {"x5c": [b64(XA.der)]}}],
                              "proof": {"type": "JsonWebSignature2020", "created": "2026-05-20T12:00:01Z", "nonce": "", "proofPurpose": "assertionMethod",
                                        "verificationMethod": "did:web:tng-cdn.who.int:trustlist:signerinfo", "jws": f"{b64url(b'{}')}..{b64url(bytes(64))}"}})


# Cases: a text, the keys, and what is known of its proof

def case(name, value, outcome, kind=None, keys="prod.did.json"):
    """kind: the first reason for which a proof cannot be checked."""
    content = value if isinstance(value, str) else text(value)
    CASES.append({"id": name, "text": content, "keys": keys, "outcome": outcome} | ({"kind": kind} if kind else {}))


case("good", GOOD, "verified")
case("good/no-key", GOOD, "unchecked", keys=None)
for name in ("prod.jwk.json", "set.jwks.json", "two.pem", "fragment.did.json"):
    case(f"good/{name}", GOOD, "verified", keys=name)
case("good/other-key", GOOD, "invalid", keys="other.did.json")
case("good/key-of-uat", GOOD, "noKey", keys="uat.did.json")
case("dev", DEV, "verified", keys="dev.did.json")
case("dev/key-of-production", DEV, "noKey")
# The document of one environment vouches for no list that calls itself another's.
case("dev/says-production", signed(BODY, key=KEY["dev"]), "noKey", keys="dev.did.json")
case("fragment-in-signer", signed(BODY, verificationMethod=SIGNER["prod"] + "#key-1"), "verified")
case("version-1", json.loads(FILES["lists/version-1.json"]), "uncheckable", "context")

# What changes nothing (WHO-P5)
flipped = copy.deepcopy(GOOD)
flipped["verificationMethod"].reverse()
flipped = {name: flipped[name] for name in reversed(flipped)}
flipped["verificationMethod"] = [one if isinstance(one, str) else {name: one[name] for name in reversed(one)} for one in flipped["verificationMethod"]]
case("same/order", flipped, "verified")
case("same/indented", json.dumps(GOOD, indent=2), "verified")
case("same/crlf", json.dumps(GOOD, indent=2).replace("\n", "\r\n"), "verified")
case("same/byte-order-mark", "\ufeff" + text(GOOD), "verified")
case("same/escapes", text(GOOD).replace("DCC", "\\u0044CC").replace("//", "\\/\\/"), "verified")
case("same/escaped-name", text(GOOD).replace('"proof":', '"pro\\u006ff":'), "verified")
case("same/entry-twice", GOOD | {"verificationMethod": GOOD["verificationMethod"] + [flipped["verificationMethod"][-1]]}, "verified")
case("same/reference-twice", GOOD | {"verificationMethod": GOOD["verificationMethod"] + [reference()]}, "verified")

# Signatures (WHO-P7)
raw = lambda r, s: r.to_bytes(32, "big") + s.to_bytes(32, "big")
ORDER = KEY["prod"].order
case("signature/64-octets", signed(BODY, encode=raw), "verified")
case("signature/high-s", signed(BODY, encode=lambda r, s: der(r, ORDER - s)), "verified")
case("signature/low-s", signed(BODY, encode=lambda r, s: der(r, min(s, ORDER - s))), "verified")
case("signature/octet-behind", signed(BODY, encode=lambda r, s: der(r, s) + b"\0"), "uncheckable", "form")
case("signature/65-octets", signed(BODY, encode=lambda r, s: raw(r, s) + b"\0"), "uncheckable", "form")
case("signature/inside-behind", signed(BODY, encode=lambda r, s: bytes([0x30, len(der(r, s))]) + der(r, s)[2:] + b"\x05\0"), "uncheckable", "form")
case("signature/long-length", signed(BODY, encode=lambda r, s: b"\x30\x81" + der(r, s)[1:]), "uncheckable", "form")
number = lambda value: b"\x02" + bytes([len(value)]) + value
wide = lambda r, s: [b"\0" * 2 + n.to_bytes(32, "big") for n in (r, s)]
case("signature/padded-number", signed(BODY, encode=lambda r, s: bytes([0x30, 72]) + b"".join(number(n) for n in wide(r, s))), "uncheckable", "form")
case("signature/negative", signed(BODY, encode=lambda r, s: (lambda body: bytes([0x30, len(body)]) + body)(
    number(bytes([0x80]) + r.to_bytes(32, "big")[1:]) + number(s.to_bytes(32, "big") if s >> 255 == 0 else b"\0" + s.to_bytes(32, "big")))), "uncheckable", "form")
case("signature/zero", signed(BODY, encode=lambda r, s: bytes(64)), "invalid")
case("signature/order", signed(BODY, encode=lambda r, s: raw(r, ORDER)), "invalid")
case("signature/empty", signed(BODY, encode=lambda r, s: b""), "uncheckable", "form")
case("signature/another", GOOD | {"proof": GOOD["proof"] | {"jws": DEV["proof"]["jws"]}}, "invalid")
for name, header in {"order": b'{"alg":"ES256","crit":["b64"],"b64":false}', "space": b'{ "b64" : false, "crit" : [ "b64" ], "alg" : "ES256" }'}.items():
    case(f"header/{name}", signed(BODY, header=header), "verified")
for name, header in {"b64-true": b'{"b64":true,"crit":["b64"],"alg":"ES256"}', "no-b64": b'{"crit":["b64"],"alg":"ES256"}',
                     "no-crit": b'{"b64":false,"alg":"ES256"}', "crit-empty": b'{"b64":false,"crit":[],"alg":"ES256"}',
                     "crit-more": b'{"b64":false,"crit":["b64","exp"],"alg":"ES256"}', "crit-text": b'{"b64":false,"crit":"b64","alg":"ES256"}',
                     "alg-none": b'{"b64":false,"crit":["b64"],"alg":"none"}', "alg-ec": b'{"b64":false,"crit":["b64"],"alg":"EC"}',
                     "more": b'{"b64":false,"crit":["b64"],"alg":"ES256","kid":"x"}', "b64-text": b'{"b64":"false","crit":["b64"],"alg":"ES256"}',
                     "alg-twice": b'{"b64":false,"crit":["b64"],"alg":"ES256","alg":"ES256"}', "not-json": b"x", "array": b"[]"}.items():
    case(f"header/{name}", signed(BODY, header=header), "uncheckable", "form")


def with_jws(change):
    return GOOD | {"proof": GOOD["proof"] | {"jws": change(GOOD["proof"]["jws"])}}


for name, change in {"padded": lambda jws: jws + "=", "payload": lambda jws: jws.replace("..", ".e30."), "four-parts": lambda jws: jws + ".",
                     "two-parts": lambda jws: jws.replace("..", "."), "empty": lambda jws: "", "line-break": lambda jws: jws + "\n",
                     "base64": lambda jws: jws[:-1] + "+"}.items():
    case(f"jws/{name}", with_jws(change), "uncheckable", "form")

# Two different entries of one ID (WHO-P10): their sentences are one set, so a good signature covers each exchange between them.
double = document(entry(XA), entry(XA) | {"domain": {"code": "#PH4H"}, "keyusage": {"code": "#CSCA"}})
exchanged = copy.deepcopy(double)
for member in ("domain", "keyusage"):
    one, other = exchanged["verificationMethod"]
    one[member], other[member] = other[member], one[member]
proof = signed(double)["proof"]
case("duplicate/domain-exchanged", double | {"proof": proof}, "uncheckable", "duplicate")
case("duplicate/as-exchanged", exchanged | {"proof": proof}, "uncheckable", "duplicate")
keys = document(entry(XA), entry(XA, jwk=XB.key.jwk() | {"x5c": [b64(XB.der)], "kid": b64(XA.kid)}))
case("duplicate/keys", signed(keys), "uncheckable", "duplicate")

# Every place of the list: another value, another type, nothing, null, an array around it, a member more


def places(value, path=()):
    yield path
    if isinstance(value, dict):
        for name in value:
            yield from places(value[name], (*path, name))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield from places(value[index], (*path, index))


def changed(value, path, change):
    value = copy.deepcopy(value)
    if not path:
        return change(value)
    place = value
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = change(place[path[-1]])
    return value


def without(value, path):
    value = copy.deepcopy(value)
    place = value
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    return value


def at(value, path):
    for step in path:
        value = value[step]
    return value


def other_text(old):
    """The same text with another last letter or digit, so that its form stays."""
    for index in range(len(old) - 1, -1, -1):
        if old[index].isalnum():
            return old[:index] + ("a" if old[index] != "a" else "b") + old[index + 1:]
    return old + "a"


SMALL = signed(document(entry(XA), reference()))
TIME = ("proof", "created")
for path in places(SMALL):
    name = ".".join(map(str, path)) or "document"
    old = at(SMALL, path)
    head = path[:1]
    form = "form" if head == ("proof",) else "context" if head == ("@context",) else "members"
    if path:
        if isinstance(old, str):
            value = changed(SMALL, path, other_text)
            good_form = path not in (("proof", "type"), ("proof", "proofPurpose"), TIME) and head != ("@context",) and path[-1] != "type"
            if path == ("proof", "verificationMethod"):
                case(f"changed/{name}", value, "noKey")
            elif path == TIME:
                case(f"changed/{name}", changed(SMALL, path, lambda old: old.replace("01Z", "02Z")), "invalid")
                case(f"changed/{name}/offset", changed(SMALL, path, lambda old: old.replace("Z", "+00:00")), "uncheckable", "form")
                case(f"changed/{name}/no-date", changed(SMALL, path, lambda old: old.replace("05-20", "02-30")), "uncheckable", "form")
            elif path == ("proof", "jws"):
                case(f"changed/{name}", changed(SMALL, path, lambda old: old[:-6] + other_text(old[-6:-5]) + old[-5:]), "invalid")
            else:
                case(f"changed/{name}", value, "invalid" if good_form else "uncheckable",
                     None if good_form else "form" if head == ("proof",) else "context" if head == ("@context",) else "value")
        key_value = "publicKeyJwk" in path[:-1]
        key_kind = "value" if key_value else form
        if not (key_value and path[-1] == 0):
            removed = without(SMALL, path)
            entries = path[0] == "verificationMethod" and len(path) == 2
            if path == ("proof",):
                case("removed/proof", removed, "absent")
            elif path != ("verificationMethod",):
                kind = "members" if path == ("@context",) else form
                case(f"removed/{name}", removed, "invalid" if entries or key_value else "uncheckable", None if entries or key_value else kind)
        else:
            case(f"removed/{name}", without(SMALL, path), "invalid")
        if path != ("verificationMethod",):
            kind = "value" if head == ("verificationMethod",) and path[-1] == "type" else key_kind
            case(f"null/{name}", changed(SMALL, path, lambda old: None), "uncheckable", kind)
            case(f"number/{name}", changed(SMALL, path, lambda old: 1), "uncheckable", kind)
            in_array = [old]
            if key_value and isinstance(old, str) and path[-1] != 0:
                case(f"array/{name}", changed(SMALL, path, lambda old: in_array), "invalid")
            else:
                case(f"array/{name}", changed(SMALL, path, lambda old: in_array), "uncheckable", kind)
    if isinstance(old, dict):
        more = changed(SMALL, path, lambda old: old | {"more": "x"})
        if path[-1:] == ("publicKeyJwk",):
            case(f"more/{name}", more, "invalid")
        else:
            case(f"more/{name}", more, "uncheckable", form)
        # The same member twice is refused before the proof is looked at, also if one of the names is escaped.
        first = next(iter(old))
        marked = text(changed(SMALL, path, lambda old: {"@@": 0} | old))
        for spelling, label in ((first, "plain"), ("\\u%04x" % ord(first[0]) + first[1:], "escaped")):
            case(f"twice/{name}/{label}", marked.replace('"@@":0', f'"{spelling}":{text(old[first])}'), "refused")

# Characters that could end a term or a sentence
INJECTION = '> <https://w3id.org/security#controller> <did:web:x'
for path, kind in ((("id",), "value"), (("controller",), "value"), (("verificationMethod", 0, "id"), "value"),
                   (("verificationMethod", 0, "controller"), "value"), (("verificationMethod", 1), "value"),
                   (("verificationMethod", 0, "domain", "code"), "value"), (("proof", "nonce"), "form"), (("proof", "verificationMethod"), "form")):
    for label, piece in {"sentence": INJECTION, "space": " ", "line-break": "\n", "quote": '"', "angle": ">", "backslash": "\\", "umlaut": "ä",
                         "combining": "a\u0308", "zero": "\0", "brace": "{", "empty": None}.items():
        value = changed(SMALL, path, lambda old: "" if piece is None else old + piece)
        case(f"characters/{'.'.join(map(str, path))}/{label}", value, "uncheckable", kind)
case("characters/nonce-128", signed(BODY, nonce="a" * 128), "verified")
case("characters/nonce-129", signed(BODY, nonce="a" * 129), "uncheckable", "form")
case("characters/nonce-signs", signed(BODY, nonce="aA0+/=_-"), "verified")
case("characters/percent", signed(document(entry(XA, kid=b64(XA.kid).replace("+", "%2B").replace("/", "%2F")))), "verified")
for name, fragment in {"no-fragment": "", "empty-fragment": "#", "two-fragments": "#AA==#AA=="}.items():
    case(f"characters/{name}", signed(document(entry(XA) | {"id": f"did:web:{HOST['prod']}:v2:trustlist:DCC:XXA:DSC{fragment}"})), "uncheckable", "value")
case("characters/fragment-in-reference", signed(document(entry(XA), reference() + "#AA==")), "uncheckable", "value")
case("characters/fragment-in-document-id", signed(BODY | {"id": BODY["id"] + "#AA=="}), "uncheckable", "value")
case("characters/no-did", signed(BODY | {"controller": "https://tng-cdn.who.int/"}), "uncheckable", "value")


def with_jwk(**members):
    return signed(document(entry(XA, jwk=XA.key.jwk() | {"x5c": [b64(XA.der)], "kid": b64(XA.kid)} | members)))


case("key/quote-and-backslash", with_jwk(note='a"b\\c\\"d'), "verified")
case("key/name-with-quote", with_jwk(**{'a"b\\c': "x"}), "verified")
case("key/order-of-names", with_jwk(Z="1", a="2", _="3", **{"10": "4", "9": "5", "": "6"}), "verified")
case("key/array-empty", with_jwk(note=[]), "verified")
case("key/slash-escaped", text(with_jwk(note="a/b")).replace("a/b", "a\\/b"), "verified")
for name, value in {"umlaut": "ä", "delete": "\x7f", "tab": "\t", "number": 1, "float": 1.5, "true": True, "object": {"a": "b"},
                    "array-in-array": [["a"]], "array-of-numbers": ["a", 1]}.items():
    case(f"key/{name}", with_jwk(note=value), "uncheckable", "value")
case("key/name-with-umlaut", with_jwk(ä="x"), "uncheckable", "value")
swapped = copy.deepcopy(GOOD)
first, second = swapped["verificationMethod"][:2]
first["publicKeyJwk"]["x5c"], second["publicKeyJwk"]["x5c"] = second["publicKeyJwk"]["x5c"], first["publicKeyJwk"]["x5c"]
case("key/x5c-exchanged", swapped, "invalid")
case("key/x5c-reversed", changed(GOOD, ("verificationMethod", 1, "publicKeyJwk", "x5c"), lambda old: old[::-1]), "invalid")

# Contexts and environments
for name, contexts in {"more": [*BODY["@context"], "https://issuer.example/v1"], "order": BODY["@context"][::-1], "other": [*CONTEXTS, "https://issuer.example/v1"],
                       "object": [*CONTEXTS, {"domain": "https://issuer.example/"}], "text": BODY["@context"][2], "http": [*CONTEXTS, BODY["@context"][2].replace("https", "http")],
                       "empty": []}.items():
    case(f"context/{name}", GOOD | {"@context": contexts}, "uncheckable", "context")
case("context/of-dev", GOOD | {"@context": DEV["@context"]}, "uncheckable", "environment")
case("environment/entry", signed(document(entry(XA), entry(XB, env="dev"))), "uncheckable", "environment")
case("environment/signer", signed(BODY, verificationMethod=SIGNER["dev"]), "uncheckable", "environment")
case("environment/reference", signed(document(entry(XA), reference("dev"))), "verified")
case("proof/array", GOOD | {"proof": [GOOD["proof"]]}, "uncheckable", "form")
case("proof/two", GOOD | {"proof": [GOOD["proof"], DEV["proof"]]}, "uncheckable", "environment")
case("proof/text", GOOD | {"proof": "x"}, "uncheckable", "form")
case("removed/entry-of-two", GOOD | {"verificationMethod": GOOD["verificationMethod"][1:]}, "invalid")
case("added/entry", GOOD | {"verificationMethod": [*GOOD["verificationMethod"], entry(LATER)]}, "invalid")
case("added/reference", GOOD | {"verificationMethod": [*GOOD["verificationMethod"], reference("prod", "PH4H")]}, "invalid")
case("added/reference-for-entry", GOOD | {"verificationMethod": [GOOD["verificationMethod"][0]["id"], *GOOD["verificationMethod"][1:]]}, "uncheckable", "value")
case("trailing", text(GOOD) + "x", "refused")


# Lists for lint: one violation each

def lint(name, value):
    save(f"lint/{name}.json", value)


def padded_jwk(signer):
    return signer.key.jwk() | {"x": b64url(b"\0" + signer.key.x), "x5c": [b64(signer.der)], "kid": b64(signer.kid)}


lint("coordinate-length", with_jwk(x=b64url(b"\0" + XA.key.x)))
lint("curve", with_jwk(crv="UNKNOWN CURVE"))
lint("certificate", with_jwk(**XB.key.jwk()))
lint("kid", signed(document(entry(XA, kid=b64(b"\1" * 8), jwk=XA.key.jwk() | {"x5c": [b64(XA.der)], "kid": b64(b"\1" * 8)}))))
lint("kid-of-key", signed(document(entry(XA, jwk=XA.key.jwk() | {"x5c": [b64(XA.der)], "kid": b64(b"\1" * 8)}))))
lint("kid-of-key-text", signed(document(entry(XA, jwk=XA.key.jwk() | {"x5c": [b64(XA.der)], "kid": "not base64"}))))
lint("kid-without-certificate", signed(document(entry(XA, jwk=XA.key.jwk() | {"kid": b64(b"\1" * 8)}))))
lint("member", GOOD | {"more": "x"})
lint("context", GOOD | {"@context": CONTEXTS})
lint("value", signed(BODY | {"controller": "https://tng-cdn.who.int/"}))
lint("environment", signed(document(entry(XA), entry(XB, env="dev"))))
lint("duplicate", signed(double))
lint("entry-twice", signed(document(entry(XA), entry(XA))))
lint("form", signed(BODY, header=b'{"alg":"ES256"}'))


def files():
    lines = ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in CASES)
    return FILES | {"cases.json": f'{{\n "schemaVersion": 1,\n "cases": [\n{lines}\n ]\n}}\n'.encode()}


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    folders, wanted, found = ("keys", "lists", "lint"), files(), []
    ids = [case["id"] for case in CASES]
    found += sorted({f"{name}: two cases of this name" for name in ids if ids.count(name) > 1})
    if sys.argv[1:]:
        there = {str(path.relative_to(HERE)): path.read_bytes() for folder in folders for path in (HERE / folder).rglob("*") if path.is_file()}
        there["cases.json"] = (HERE / "cases.json").read_bytes()
        found += [f"{path}: not what generate.py writes" for path in sorted(wanted.keys() | there.keys()) if wanted.get(path) != there.get(path)]
    else:
        for folder in folders:
            shutil.rmtree(HERE / folder, ignore_errors=True)
        for path, content in wanted.items():
            (HERE / path).parent.mkdir(parents=True, exist_ok=True)
            (HERE / path).write_bytes(content)
    if found:
        sys.exit("\n".join(found))
    print(f"{len(CASES)} cases, {len(wanted)} files, {sum(map(len, wanted.values())) // 1024} KiB: {'as generated' if sys.argv[1:] else 'written'}")


if __name__ == "__main__":
    main()
