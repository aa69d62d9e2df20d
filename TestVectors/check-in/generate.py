#!/usr/bin/env python3
"""Writes the vectors of SMART Health Check-in; with --check, compares the existing ones with what it would write.

    /usr/bin/python3 TestVectors/check-in/generate.py [--check]

It makes requests, a wallet's responses, and encrypted answers: HPKE (RFC 9180), mobile documents (ISO/IEC 18013-5) and COSE, all of it with
Python's hmac and the package `cryptography` 38 (Debian: python3-cryptography). Each broken one has one fault.
"""

import base64
import hashlib
import hmac
import json
import sys
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "hcert")]

from blocks import ABSENT, Key, certificate, edited, es256, minify, octets, raw_signature  # noqa: E402
from cases import BY_ATTACKER, CARD, ISS, PATIENT  # noqa: E402
from hcert_blocks import Tag, cbor  # noqa: E402
import texts  # noqa: E402

AT = "2026-06-01T00:00:00Z"
ORIGIN = "https://clinic.example"
RECIPIENT, OTHER, EPHEMERAL, WALLET, DEVICE = (Key(f"check-in {name}") for name in ("recipient", "other", "ephemeral", "wallet", "device"))
DOCUMENT, SPACE, ELEMENT = "org.smarthealthit.checkin.1", "org.smarthealthit.checkin", "smart_health_checkin_response"
FHIR, SHC = "application/fhir+json", "application/smart-health-card"


def b64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def cose_key(key, **changes):
    return {1: 2, -1: 1, -2: key.x, -3: key.y} | changes.get("changes", {})


# What is asked

REQUEST = {"type": "smart-health-checkin-request", "version": "1", "id": "visit-1", "purpose": "Check-in", "fhirVersions": ["4.0.1"], "items": [
    {"id": "person", "title": "Who you are", "content": {"kind": "selection.fhir"}, "accept": [FHIR]},
    {"id": "vaccines", "title": "Vaccinations", "content": {"kind": "selection.fhir", "profiles": ["https://p.example/x", "https://p.example/y|2"]},
     "accept": [SHC, FHIR]},
    {"id": "form", "title": "Form", "content": {"kind": "form.fhir", "questionnaireCanonical": "https://q.example/f|1"}, "accept": [FHIR]}]}


def encryption(key=RECIPIENT):
    return b64url(cbor(["dcapi", {"nonce": hashlib.sha256(b"nonce").digest(), "recipientPublicKey": cose_key(key)}]))


def navigator(request=REQUEST, key=RECIPIENT):
    items = cbor({"docType": DOCUMENT, "nameSpaces": {SPACE: {ELEMENT: False}},
                  "requestInfo": {"org.smarthealthit.checkin.request": minify(request).decode()}})
    asked = cbor({"version": "1.0", "docRequests": [{"itemsRequest": Tag(24, items)}]})
    one = {"protocol": "org-iso-mdoc", "data": {"deviceRequest": b64url(asked), "encryptionInfo": encryption(key)}}
    return {"mediation": "required", "digital": {"requests": [one]}}


# What a wallet answers

PERSON = {"id": "a1", "mediaType": FHIR, "fhirVersion": "4.0.1", "fulfills": ["person"], "value": PATIENT}
CARDS = {"id": "a2", "mediaType": SHC, "fulfills": ["vaccines"], "value": {"verifiableCredential": [CARD]}}
ROWS = [{"item": "person", "status": "fulfilled"}, {"item": "vaccines", "status": "partial"}, {"item": "form", "status": "declined", "message": "Not now"}]


def response(*artifacts, rows=ROWS, **changes):
    return edited({"type": "smart-health-checkin-response", "version": "1", "requestId": "visit-1",
                   "artifacts": list(artifacts or (PERSON, CARDS)), "requestStatus": rows}, changes)


def transcript(information=None, origin=ORIGIN):
    handover = hashlib.sha256(cbor([information or encryption(), origin])).digest()
    return cbor([None, None, ["dcapi", handover]])


def signed(key, payload, protected=None, unprotected=None, attached=True, spoil=False):
    """A COSE_Sign1 as an array."""
    protected = cbor({1: -7} if protected is None else protected)
    covered = cbor(["Signature1", protected, b"", payload])
    signature = raw_signature(*es256(key, covered))
    if spoil:
        signature = signature[:-1] + bytes([signature[-1] ^ 1])
    return [protected, unprotected or {}, payload if attached is True else attached, signature]


def device_response(text=None, session=None, **o):
    """The plaintext of an answer, right but for what is given."""
    text = minify(response()).decode() if text is None else text
    item = o.get("item", ITEM_OF(elementValue=text))
    tagged = Tag(24, cbor(item))
    digest = hashlib.sha256(cbor(tagged)).digest()
    if o.get("digest"):
        digest = bytes(32)
    dates = o.get("dates", ("2026-05-31T23:00:00Z", "2026-06-01T01:00:00Z"))
    mso = {"version": "1.0", "digestAlgorithm": "SHA-256", "valueDigests": {SPACE: {7: digest}},
           "deviceKeyInfo": {"deviceKey": o.get("device_key", cose_key(DEVICE))}, "docType": DOCUMENT,
           "validityInfo": {"signed": Tag(0, dates[0]), "validFrom": Tag(0, dates[0]), "validUntil": Tag(0, dates[1])}}
    mso = {name: member for name, member in (mso | o.get("mso", {})).items() if member is not ABSENT}
    leaf = certificate("wallet", o.get("wallet", WALLET), years=(2020, 2021))
    auth = signed(WALLET, cbor(Tag(24, cbor(mso))), o.get("protected"), o.get("unprotected", {33: leaf}), spoil=o.get("spoil_issuer", False))
    spaces = Tag(24, cbor({}))
    authentication = cbor(Tag(24, o.get("authentication") or cbor(["DeviceAuthentication", Raw(session or transcript()), DOCUMENT, spaces])))
    attached = {"equal": authentication, "other": b"other"}.get(o.get("attached"))
    device = signed(DEVICE, authentication, o.get("device_protected"), attached=attached, spoil=o.get("spoil_device", False))
    document = {"docType": DOCUMENT, "issuerSigned": {"nameSpaces": {SPACE: [tagged]} | o.get("spaces", {}), "issuerAuth": auth},
                "deviceSigned": {"nameSpaces": spaces, "deviceAuth": o.get("auth", {"deviceSignature": device}) | o.get("beside", {})}} | o.get("document", {})
    whole = {"version": "1.0", "documents": o.get("before", []) + [document] * o.get("count", 1), "status": 0} | o.get("whole", {})
    return cbor(whole) + o.get("after", b"")


class Raw(bytes):
    """CBOR that is written as it is."""


CBOR = cbor


def cbor(value, **options):  # noqa: F811
    """CBOR in which parts may be written already."""
    if isinstance(value, Raw):
        return bytes(value)
    if isinstance(value, list) and any(isinstance(each, Raw) for each in value):
        return bytes([0x80 | len(value)]) + b"".join(cbor(each) for each in value)
    return CBOR(value, **options)


# HPKE (RFC 9180), the sender's side

def extract(salt, material):
    return hmac.new(salt or bytes(32), material, hashlib.sha256).digest()


def expand(key, info, length):
    return hmac.new(key, info + b"\1", hashlib.sha256).digest()[:length]


def sealed(plaintext, info, recipient=RECIPIENT, ephemeral=EPHEMERAL):
    kem, suite, point = b"KEM\0\x10", b"HPKE\0\x10\0\1\0\1", lambda key: b"\4" + key.x + key.y
    labelled = lambda suite, label, material: b"HPKE-v1" + suite + label + material
    info_of = lambda suite, label, info, length: octets(length, 2) + b"HPKE-v1" + suite + label + info
    dh = ephemeral.private.exchange(ec.ECDH(), recipient.public)
    shared = expand(extract(b"", labelled(kem, b"eae_prk", dh)), info_of(kem, b"shared_secret", point(ephemeral) + point(recipient), 32), 32)
    context = b"\0" + extract(b"", labelled(suite, b"psk_id_hash", b"")) + extract(b"", labelled(suite, b"info_hash", info))
    secret = extract(shared, labelled(suite, b"secret", b""))
    key, nonce = expand(secret, info_of(suite, b"key", context, 16), 16), expand(secret, info_of(suite, b"base_nonce", context, 12), 12)
    return point(ephemeral), AESGCM(key).encrypt(nonce, plaintext, b"")


def answer(plaintext=None, info=None, change=lambda encapsulated, ciphertext: ["dcapi", {"enc": encapsulated, "cipherText": ciphertext}],
           protocol="org-iso-mdoc", spell=b64url, recipient=RECIPIENT, **o):
    plaintext = device_response(**o) if plaintext is None else plaintext
    return {"protocol": protocol, "data": {"response": spell(cbor(change(*sealed(plaintext, info or transcript(), recipient))))}}


def twice(map, member):
    """A map of up to 22 members with one more."""
    return bytes([map[0] + 1]) + map[1:] + member


def ITEM_OF(**changes):
    return {"digestID": 7, "random": hashlib.sha256(b"random").digest(), "elementIdentifier": ELEMENT, "elementValue": minify(response()).decode()} | changes


# The cases

CASES, FILES = [], {}
FILES["request.json"] = minify(REQUEST)
FILES["navigator.json"] = minify(navigator())
FILES["other-navigator.json"] = minify(navigator(key=OTHER))
FILES["recipient-key.json"] = minify(RECIPIENT.private_jwk())
FILES["other-key.json"] = minify(OTHER.private_jwk())
KEYS = ["--jwks", f"{ISS}={{../keys/issuer-a.jwks.json}}", "--at", AT, "--offline"]
REQUESTED = ["--request", "{request.json}"]
SESSION = ["--request", "{navigator.json}", "--recipient-key", "{recipient-key.json}", "--origin", ORIGIN]


def case(id, content, exit, reason, why, args, path=None, **expected):
    path = path or f"inputs/{id}.json"
    content = content if isinstance(content, bytes) else minify(content)
    FILES[path] = content
    CASES.append({"id": id, "files": [path], "args": [*KEYS, *args], "expect": {"exit": exit, "reason": reason, **expected}, "why": why})


def of_response(id, content, exit, reason, why, args=REQUESTED, **expected):
    case(id, content, exit, reason, why, args, **expected)


def found(id, content, codes, exit, reason, why, args=REQUESTED, **expected):
    """Findings of the envelope: the card is judged, and with --strict-envelope the first finding fails the check-in."""
    codes = [codes] if isinstance(codes, str) else codes
    case(id, content, 0, None, why, args, checkInFindings=codes, json={"/cards/0/verdict": "pass", **expected.pop("json", {})}, **expected)
    case(f"{id}-strict", content, exit, reason, why, [*args, "--strict-envelope"], path=f"inputs/{id}.json")


of_response("response", response(), 0, None, "a response with a card", json={
    "/cards/0/inputKind": "check-in", "/cards/0/checkIn/artifact": "a2", "/cards/0/checks/0/name": "check-in", "/checkIns/0/form": "response",
    "/checkIns/0/items/0/met": True, "/checkIns/0/items/2/met": False, "/checkIns/0/artifacts/1/kind": "health-card"}, warnings=["unsigned-content"])
of_response("without-request", response(), 0, None, "nobody says what was asked", args=[], warnings=["request-not-given", "unsigned-content"])
of_response("forged-card", response(PERSON, edited(CARDS, {"value": {"verifiableCredential": [BY_ATTACKER]}})), 11, "signature-invalid", "the wallet vouches for no card")
of_response("other-request", response(requestId="visit-2"), 17, "request-mismatch", "the answer to another visit")
NO_STATUS = {"/checkIns/0/items/0/item": "person", "/checkIns/0/items/0/status": None, "/checkIns/0/items/0/met": False}
found("row-missing", response(rows=ROWS[1:]), "row-missing", 17, "request-mismatch", "an item without a row", json=NO_STATUS)
found("row-none", response(rows=[]), "row-missing", 17, "request-mismatch", "no row at all", json=NO_STATUS)
found("row-too-many", response(rows=ROWS + [{"item": "more", "status": "error"}]), "row-unknown", 17, "request-mismatch", "a row for what nobody asked")
found("row-no-object", response(rows=ROWS + [7]), "row-unknown", 17, "request-mismatch", "a row that is no object")
found("row-no-item", response(rows=ROWS + [{"status": "error"}]), "row-unknown", 17, "request-mismatch", "a row without an item")
found("row-long-item", response(rows=ROWS + [{"item": "i" * 201, "status": "error"}]), "row-unknown", 17, "request-mismatch", "a row with a long item", args=[],
      json={"/checkIns/0/items/3": None})
found("row-twice", response(rows=ROWS + [ROWS[0]]), "row-twice", 10, "malformed-check-in", "two rows of one item", json=NO_STATUS)
found("row-status", response(rows=[edited(ROWS[0], {"status": "done"}), *ROWS[1:]]), "row-code", 10, "malformed-check-in", "a status that is not known", json=NO_STATUS)
found("row-no-status", response(rows=[edited(ROWS[0], {"status": ABSENT}), *ROWS[1:]]), "row-code", 10, "malformed-check-in", "no status", json=NO_STATUS)
found("rows-all-ways", response(rows=[ROWS[0], ROWS[0], edited(ROWS[1], {"status": "done"}), {"item": "more", "status": "error"}]),
      ["row-missing", "row-twice", "row-code", "row-unknown"], 17, "request-mismatch", "the first of several findings fails it")
found("row-order", response(rows=ROWS[::-1]), [], 0, None, "rows in another order", json={"/checkIns/0/items/0/item": "person", "/checkIns/0/items/2/status": "declined"})
of_response("many-rows", response(rows=ROWS + [{"item": f"i{i}", "status": "error"} for i in range(998)]), 10, "malformed-check-in", "more rows than are read")
of_response("many-references", response(*[edited(CARDS, {"id": f"a{i}", "fulfills": ["vaccines"] * 1001}) for i in range(10)]), 10, "malformed-check-in",
            "more references to items than are read")
of_response("empty-request-id", response(requestId=""), 10, "malformed-check-in", "an empty requestId")
of_response("empty-request-id-alone", response(requestId=""), 10, "malformed-check-in", "an empty requestId", args=[])
of_response("no-session-origin", response(), 10, "malformed-check-in", "nobody encrypted it, and the session's origin is given", args=[*REQUESTED, "--origin", ORIGIN])
of_response("no-session-key", response(), 10, "malformed-check-in", "nobody encrypted it, and the session's key is given", args=SESSION[:4])
of_response("no-session", response(), 10, "malformed-check-in", "nobody encrypted it, and the whole session is given", args=SESSION)
of_response("version", response(version="2"), 10, "malformed-check-in", "another version")
of_response("version-number", response(version=1), 10, "malformed-check-in", "the version is a text")
of_response("no-request-id", response(requestId=ABSENT), 10, "malformed-check-in", "no requestId")
of_response("no-artifacts", response(artifacts=ABSENT), 10, "malformed-check-in", "artifacts is no array")
of_response("member-twice", minify(response())[:-1] + b',"version":"1"}', 10, "malformed-check-in", "a member twice")
of_response("cut", minify(response())[:-1], 10, "malformed-check-in", "the end is missing")
of_response("declined", response(artifacts=[]), 19, "no-signed-content", "nothing was shared", warnings=["item-without-artifact"])
of_response("many-artifacts", response(*[edited(PERSON, {"id": f"p{i}"}) for i in range(1001)]), 10, "malformed-check-in", "more artifacts than are read")
for name, artifact, defect in [
        ("id-missing", edited(CARDS, {"id": ABSENT}), "id"), ("id-long", edited(CARDS, {"id": "a" * 201}), "id"), ("media-type", edited(CARDS, {"mediaType": SHC.upper()}), "media-type"),
        ("fulfills-none", edited(CARDS, {"fulfills": []}), "fulfills"), ("fulfills-other", edited(CARDS, {"fulfills": ["vaccines", "x"]}), "fulfills"),
        ("not-accepted", edited(CARDS, {"fulfills": ["vaccines", "person"]}), "not-accepted"),
        ("fhir-version", edited(CARDS, {"fhirVersion": "4.0.1"}), "fhir-version"), ("value", edited(CARDS, {"value": {"verifiableCredential": CARD}}), "value")]:
    of_response(f"disregarded-{name}", response(PERSON, artifact), 19, "no-signed-content", f"an artifact with a fault: {defect}", json={
        "/checkIns/0/artifacts/1/disregarded": defect}, warnings=["artifact-disregarded"])
of_response("disregarded-id-twice", response(edited(PERSON, {"id": "a2"}), CARDS), 19, "no-signed-content", "both artifacts with one id go", json={
    "/checkIns/0/artifacts/0/disregarded": "id", "/checkIns/0/artifacts/1/disregarded": "id"})
for name, changes, defect in [("version-missing", {"fhirVersion": ABSENT}, "fhir-version"), ("version-other", {"fhirVersion": "4.3.0"}, "fhir-version"),
                              ("no-resource", {"value": {"a": 1}}, "value")]:
    of_response(f"fhir-{name}", response(edited(PERSON, changes), CARDS), 0, None, "a fault in FHIR leaves the card", json={
        "/checkIns/0/artifacts/0/disregarded": defect, "/checkIns/0/items/0/met": False}, warnings=["artifact-disregarded", "item-without-artifact"])
ANSWERED = [edited(row, {"status": "fulfilled"}) for row in ROWS]
for name, canonical, defect in [("right", "https://q.example/f|1", None), ("other", "https://q.example/f", "questionnaire")]:
    form = {"id": "q", "mediaType": FHIR, "fhirVersion": "4.0.1", "fulfills": ["form"], "value": {"resourceType": "QuestionnaireResponse", "questionnaire": canonical}}
    of_response(f"form-{name}", response(PERSON, CARDS, form, rows=ANSWERED), 0, None, "an answered form", json={"/checkIns/0/artifacts/2/disregarded": defect})
OF_PROFILE = lambda *profiles: {"id": "i", "mediaType": FHIR, "fhirVersion": "4.0.1", "fulfills": ["vaccines"], "value": {
    "resourceType": "Bundle", "type": "collection", "entry": [{"resource": {"resourceType": "Immunization", "meta": {"profile": list(profiles)}}}]}}
of_response("profile-met", response(PERSON, CARDS, OF_PROFILE("https://p.example/y|2"), rows=ANSWERED), 0, None, "a resource of the asked version", json={"/checkIns/0/items/1/met": True})
of_response("profile-not-met", response(PERSON, CARDS, OF_PROFILE("https://p.example/y"), rows=ANSWERED), 0, None, "the version is another", json={
    "/checkIns/0/items/1/met": False}, warnings=["item-not-met"])


of_response("id-of-200", response(PERSON, edited(CARDS, {"id": "a" * 200})), 0, None, "the longest id", json={"/cards/0/checkIn/artifact": "a" * 200})

# What is a card in FHIR


def in_fhir(value, **changes):
    return edited({"id": "f", "mediaType": FHIR, "fhirVersion": "4.0.1", "fulfills": ["person"], "value": value}, changes)


def parameters(card):
    return {"resourceType": "Parameters", "parameter": [{"name": "verifiableCredential", "valueString": card}]}


def attached(content, type=SHC, **changes):
    content = content if isinstance(content, str) else base64.b64encode(minify(content)).decode()
    return {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": {"resourceType": "DocumentReference", "status": "current", "content": [
        {"attachment": {"contentType": type, "data": content} | changes}]}}]}


LISTED = lambda card: {"verifiableCredential": [card]}
for name, card, exit, reason in [("", CARD, 0, None), ("-forged", BY_ATTACKER, 11, "signature-invalid")]:
    for form, value, kind in [
            ("parameters", parameters(card), "health-card"), ("card-file", PATIENT | LISTED(card), "health-card"), ("text", card, "health-card"),
            ("text-qr", "shc:/" + "".join(f"{ord(c) - 45:02}" for c in card), "health-card"), ("attachment", attached(LISTED(card)), "fhir"),
            ("attachment-type", attached(LISTED(card), SHC.upper() + "; charset=utf-8"), "fhir"), ("attachment-jws", attached(card), "fhir"),
            ("contained", {"resourceType": "Patient", "contained": [attached(LISTED(card))]}, "fhir")]:
        of_response(f"fhir-{form}{name}", response(in_fhir(value), CARDS), exit, reason, "a card in FHIR is judged", json={
            "/cards/0/checkIn/artifact": "f", "/cards/1/verdict": "pass", "/checkIns/0/artifacts/0/kind": kind})
        of_response(f"fhir-{form}{name}-disregarded", response(in_fhir(value, fulfills=["x"]), CARDS), exit, reason, "also in an artifact that is disregarded", json={
            "/cards/1/verdict": "pass", "/checkIns/0/artifacts/0/disregarded": "fulfills"})
of_response("fhir-card-alone", response(in_fhir(parameters(CARD))), 0, None, "the only card is in FHIR", warnings=["item-without-artifact"])
of_response("fhir-no-id", response(in_fhir(parameters(BY_ATTACKER), id=ABSENT), CARDS), 11, "signature-invalid", "an artifact without an id hides no card", json={
    "/cards/0/checkIn": {"index": 0, "artifact": None}, "/cards/0/checks/0/status": "pass"})
for name, media_type in [("other-type", "text/plain"), ("upper-case", FHIR.upper()), ("card-type", SHC), ("no-type", ABSENT)]:
    of_response(f"fhir-{name}", response(in_fhir(parameters(BY_ATTACKER), mediaType=media_type), CARDS), 11, "signature-invalid", "FHIR hides no card, whatever its type",
                json={"/cards/0/checkIn/artifact": "f", "/cards/1/verdict": "pass"}, warnings=["artifact-disregarded", "item-without-artifact"])
for name, changes in [("media-type", {"mediaType": SHC + "; a=b"}), ("value", {"value": {"verifiableCredential": [BY_ATTACKER, 1]}})]:
    of_response(f"disregarded-forged-{name}", response(edited(CARDS, {"id": "f", "value": LISTED(BY_ATTACKER)} | changes), CARDS), 0, None,
                "a card in an artifact that is disregarded is not judged", json={"/cards/0/checkIn/artifact": "a2", "/cards/1": None}, warnings=["artifact-disregarded"])
for name, card, exit, reason in [("", CARD, 0, None), ("-forged", BY_ATTACKER, 11, "signature-invalid")]:
    of_response(f"fhir-list{name}", response(in_fhir([card]), CARDS), exit, reason, "a card in a list is found", json={"/cards/1/verdict": "pass"})
for name, value in [("digits", "567629" + "0" * 20), ("misplaced", {"resourceType": "Patient", "extension": [LISTED(CARD)]}),
                    ("attachment", attached({"a": 1})), ("attachment-no-base64", attached("%")), ("no-jws", PATIENT | {"verifiableCredential": []})]:
    of_response(f"fhir-refused-{name}", response(in_fhir(value), CARDS), 10, "malformed-input", "what is refused as a card fails the check-in", json={"/cards/1/verdict": "pass"})
for name, value in [("pdf", attached("JVBERi0xLjQ=", "application/pdf")), ("other", attached(LISTED(BY_ATTACKER), "application/json")), ("empty", attached("")),
                    ("url", attached("", url="https://card.example/x"))]:
    of_response(f"fhir-attached-{name}", response(in_fhir(value), CARDS), 0, None, "no card file is attached", json={"/cards/1": None})


def of_answer(id, content, exit, reason, why, args=SESSION, **expected):
    case(f"answer-{id}", content, exit, reason, why, args, **expected)


BAD = "malformed-check-in"
of_answer("good", answer(), 0, None, "an encrypted answer", json={"/checkIns/0/form": "envelope", "/checkIns/0/origin": ORIGIN,
                                                                 "/checkIns/0/validUntil": "2026-06-01T01:00:00Z", "/cards/0/checkIn/artifact": "a2"})
of_answer("without-key", answer(), 22, "recipient-key-required", "no key", args=[*REQUESTED, "--origin", ORIGIN])
of_answer("smart-request", answer(), 22, "recipient-key-required", "a request without encryptionInfo", args=[*REQUESTED, *SESSION[2:]])
of_answer("malformed-without-key", {"protocol": "x", "data": {"response": "="}}, 22, "recipient-key-required", "what opens it is looked for first", args=[])
of_answer("other-origin", answer(), 10, "decryption-failed", "asked by another page", args=[*SESSION[:-1], "https://other.example"])
of_answer("other-key", answer(recipient=OTHER), 10, "decryption-failed", "sealed for somebody else")
of_answer("other-request", answer(info=transcript(encryption(OTHER))), 10, "decryption-failed", "sealed for another request")
of_answer("ciphertext", answer(change=lambda e, c: ["dcapi", {"enc": e, "cipherText": c[:-1] + bytes([c[-1] ^ 1])}]), 10, "decryption-failed", "one bit of the ciphertext")
of_answer("ciphertext-empty", answer(change=lambda e, c: ["dcapi", {"enc": e, "cipherText": b""}]), 10, "decryption-failed", "no ciphertext")
of_answer("enc-off-curve", answer(change=lambda e, c: ["dcapi", {"enc": e[:-1] + bytes([e[-1] ^ 1]), "cipherText": c}]), 10, "decryption-failed", "no point of the curve")
of_answer("enc-infinity", answer(change=lambda e, c: ["dcapi", {"enc": b"\0" * 65, "cipherText": c}]), 10, "decryption-failed", "no point at all")
of_answer("enc-compressed", answer(change=lambda e, c: ["dcapi", {"enc": b"\2" + e[1:33], "cipherText": c}]), 10, BAD, "a compressed point")
FORM, ALGORITHM, SIGNATURE, DIGEST, VALIDITY = (f"envelope-{name}" for name in ("form", "algorithm", "signature", "digest", "validity"))


def odd(id, content, codes, exit, reason, why, **expected):
    found(f"answer-{id}", content, codes, exit, reason, why, SESSION, **expected)


odd("protocol", answer(protocol="openid4vp"), FORM, 10, BAD, "another protocol")
odd("padding", answer(spell=lambda data: base64.urlsafe_b64encode(data + b"").decode() + "="), FORM, 10, BAD, "base64url has no padding")
of_answer("no-base64url", answer(spell=lambda data: b64url(data) + "*"), 10, BAD, "no base64url")
of_answer("label", answer(change=lambda e, c: ["dcapi2", {"enc": e, "cipherText": c}]), 10, BAD, "another label")
of_answer("three-parts", answer(change=lambda e, c: ["dcapi", {"enc": e, "cipherText": c}, 1]), 10, BAD, "more than two parts")
of_answer("member-twice", minify(answer())[:-1] + b',"protocol":"org-iso-mdoc"}', 10, BAD, "a member of the answer twice")
of_answer("no-cbor", answer(plaintext=b"\xff"), 10, BAD, "the plaintext is no CBOR")
of_answer("after", answer(after=b"\0"), 10, BAD, "something after the answer")
odd("device-version", answer(whole={"version": "1.1"}), FORM, 10, BAD, "another version")
odd("device-status", answer(whole={"status": 10}), FORM, 10, BAD, "a status that is an error")
odd("two-documents", answer(count=2), FORM, 10, BAD, "two documents")
odd("other-document-first", answer(before=[{"docType": "org.iso.18013.5.1.mDL"}]), FORM, 10, BAD, "the first document of its type counts")
odd("member-twice-equal", answer(plaintext=twice(device_response(), b"\x66status\0")), FORM, 10, BAD, "a member twice, with one value")
of_answer("member-twice-other", answer(plaintext=twice(device_response(), b"\x66status\1")), 10, BAD, "a member twice, with two values")
of_answer("no-map", answer(plaintext=b"\1"), 10, BAD, "the plaintext is no map")
of_answer("no-documents", answer(count=0), 10, BAD, "no document")
of_answer("doc-type", answer(document={"docType": "org.iso.18013.5.1.mDL"}), 10, BAD, "another document")
of_answer("no-element", answer(item=ITEM_OF(elementIdentifier="x")), 10, BAD, "no item of the name")
of_answer("no-text", answer(item=ITEM_OF(elementValue=7)), 10, BAD, "the item is no text")
odd("mso-doc-type", answer(mso={"docType": "org.iso.18013.5.1.mDL"}), FORM, 10, BAD, "a security object of another document")
odd("mso-no-digests", answer(mso={"valueDigests": ABSENT}), FORM, 10, BAD, "a security object without digests")
odd("mso-version", answer(mso={"version": "2.0"}), FORM, 10, BAD, "a security object of another version")
odd("mso-no-validity", answer(mso={"validityInfo": ABSENT}), VALIDITY, 10, BAD, "nothing says when it is valid")
odd("no-certificate", answer(unprotected={}), FORM, 10, BAD, "no certificate")
odd("no-issuer-auth", answer(document={"issuerSigned": {"nameSpaces": {SPACE: [Tag(24, cbor(ITEM_OF()))]}}}), [FORM, VALIDITY], 10, BAD, "no issuerAuth")
odd("no-device-signed", answer(document={"deviceSigned": 7}), FORM, 10, BAD, "the device has signed nothing")
of_answer("chain", answer(unprotected={33: [certificate("wallet", WALLET), certificate("root", OTHER)]}), 0, None, "the first certificate counts", checkInFindings=[])
odd("chain-other-way", answer(unprotected={33: [certificate("root", OTHER), certificate("wallet", WALLET)]}), SIGNATURE, 11, "signature-invalid", "the first certificate counts")
odd("alg", answer(protected={1: -35}), ALGORITHM, 10, "unsupported-algorithm", "another algorithm")
odd("alg-device", answer(device_protected={1: -8}), ALGORITHM, 10, "unsupported-algorithm", "another algorithm of the device")
odd("alg-and-digest", answer(protected={1: -35}, digest=True), [ALGORITHM, DIGEST], 10, "unsupported-algorithm", "algorithms come before signatures")
odd("digest-algorithm", answer(mso={"digestAlgorithm": "SHA-512"}), ALGORITHM, 10, "unsupported-algorithm", "another digest")
odd("device-curve", answer(device_key=cose_key(DEVICE, changes={-1: 2})), ALGORITHM, 10, "unsupported-algorithm", "a device key on another curve")
odd("mac", answer(auth={"deviceMac": [b"", {}, None, bytes(32)]}), ALGORITHM, 10, "unsupported-algorithm", "a MAC of the device")
odd("mac-beside", answer(beside={"deviceMac": [b"", {}, None, bytes(32)]}), ALGORITHM, 10, "unsupported-algorithm", "a MAC beside the signature")
ITEM = Tag(24, cbor({"digestID": 1, "random": bytes(16), "elementIdentifier": "x", "elementValue": "y"}))
odd("other-space", answer(spaces={"org.example": [ITEM]}), DIGEST, 11, "signature-invalid", "an item of another name space without a digest")
odd("other-space-malformed", answer(spaces={"org.example": [Tag(24, b"\xa2\x61a\x01\x61a\x02")]}), FORM, 10, BAD, "an item of another name space with a key twice")
odd("other-space-no-item", answer(spaces={"org.example": [7]}), FORM, 10, BAD, "a name space with something that is no item")
odd("issuer-signature", answer(spoil_issuer=True), SIGNATURE, 11, "signature-invalid", "the wallet's signature")
odd("digest", answer(digest=True), DIGEST, 11, "signature-invalid", "the digest of the item")
odd("two-cards", answer(text=minify(response(PERSON, edited(CARDS, {"value": {"verifiableCredential": [CARD, CARD]}}))).decode(), digest=True), DIGEST, 11,
    "signature-invalid", "a finding stands once", json={"/cards/1/verdict": "pass"})
odd("device-signature", answer(spoil_device=True), SIGNATURE, 11, "signature-invalid", "the device's signature")
odd("other-session", answer(session=transcript(origin="https://other.example")), SIGNATURE, 11, "signature-invalid", "the device has signed another session")
of_answer("attached-equal", answer(attached="equal"), 0, None, "an attached payload that is the rebuilt one", checkInFindings=[])
odd("attached-other", answer(attached="other"), SIGNATURE, 11, "signature-invalid", "an attached payload that is another")
odd("future", answer(dates=("2026-06-01T00:05:01Z", "2026-06-02T00:00:00Z")), VALIDITY, 14, "not-yet-valid", "valid only later")
of_answer("almost", answer(dates=("2026-06-01T00:05:00Z", "2026-06-02T00:00:00Z")), 0, None, "clocks may differ by five minutes", checkInFindings=[])
odd("past", answer(dates=("2026-05-01T00:00:00Z", "2026-05-31T23:54:59Z")), VALIDITY, 15, "expired", "no longer valid")
of_answer("just", answer(dates=("2026-05-01T00:00:00Z", "2026-05-31T23:55:00Z")), 0, None, "clocks may differ by five minutes", checkInFindings=[])
odd("form-and-past", answer(whole={"version": "2"}, dates=("2026-05-01T00:00:00Z", "2026-05-02T00:00:00Z")), [FORM, VALIDITY], 10, BAD, "the first in the order of the codes fails it")
odd("past-and-rows", answer(text=minify(response(rows=[])).decode(), dates=("2026-05-01T00:00:00Z", "2026-05-02T00:00:00Z")), [VALIDITY, "row-missing"], 15, "expired",
    "the envelope comes before the rows")
of_answer("past-and-forged", answer(text=minify(response(edited(CARDS, {"value": LISTED(BY_ATTACKER)}))).decode(), spoil_issuer=True), 11, "signature-invalid",
          "the card is judged by its own signature", checkInFindings=[SIGNATURE], json={"/cards/0/checkIn/artifact": "a2"})
of_answer("past-and-malformed", answer(text="{}", dates=("2026-05-01T00:00:00Z", "2026-05-02T00:00:00Z")), 10, BAD, "the response in it is none")
of_answer("response-malformed", answer(text="{}"), 10, BAD, "the response in it is none")
of_answer("response-twice", answer(text=minify(response()).decode()[:-1] + ',"version":"1"}'), 10, BAD, "a member of the response twice")
of_answer("mismatch", answer(text=minify(response(requestId="x")).decode()), 17, "request-mismatch", "the answer to another request")

FILES, SHORT = texts.split(FILES, "check-in/")
FILES["cases.json"] = texts.index("cases", CASES, SHORT)


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    there = {str(path.relative_to(HERE)) for path in HERE.rglob("*.json")}
    if sys.argv[1:]:
        wrong = [path for path in sorted(there | set(FILES)) if path not in FILES or path not in there or (HERE / path).read_bytes() != FILES[path]]
        if wrong:
            sys.exit("\n".join(f"{path}: not what generate.py writes" for path in wrong))
    else:
        for path in there:
            (HERE / path).unlink()
        for path, content in FILES.items():
            (HERE / path).parent.mkdir(exist_ok=True)
            (HERE / path).write_bytes(content)
    print(f"{len(CASES)} cases of check-ins: {'as generated' if sys.argv[1:] else 'written'}")


if __name__ == "__main__":
    main()
