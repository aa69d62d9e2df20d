"""The vectors, each with its expected result and the reason. Each card differs from CARD only in the point that its line names."""

import base64
import io
import json
import re
import zipfile
import zlib
from datetime import datetime, timezone

import lint_desk
from blocks import *

# Issuers, keys and people, all made up

ISS = "https://issuer-a.example/cards"
ISS_B = "https://issuer-b.example/cards"
A, B, ATTACKER = Key("issuer-a"), Key("issuer-b"), Key("attacker")
ZERO_X = Key("leading-zero-x", lambda x, y: x[0] == 0)
ZERO_Y = Key("leading-zero-y", lambda x, y: y[0] == 0)
ROOT, INTERMEDIATE, OTHER_ROOT = Key("root"), Key("intermediate"), Key("other-root")
KEYS = [A, B, ATTACKER, ZERO_X, ZERO_Y, ROOT, INTERMEDIATE, OTHER_ROOT]

AT = "2026-06-01T00:00:00Z"
NOW = int(datetime(2026, 6, 1, tzinfo=timezone.utc).timestamp())
ISSUED = 1750000000  # 2025-06-15T15:06:40Z
HEALTH_CARD = "https://smarthealth.cards#health-card"
BUNDLE = "vc.credentialSubject.fhirBundle"
FHIR_VERSION = "vc.credentialSubject.fhirVersion"
RID = "TestRid-1"

PATIENT = {"resourceType": "Patient", "name": [{"family": "Anyperson", "given": ["Jana", "T."]}], "birthDate": "1951-01-20"}
OBSERVATION = {"resourceType": "Observation", "status": "final", "code": {"coding": [{"system": "http://loinc.org", "code": "94500-6"}]},
               "subject": {"reference": "resource:0"}, "effectiveDateTime": "2025-05-30",
               "valueCodeableConcept": {"coding": [{"system": "http://snomed.info/sct", "code": "260373001"}]},
               "performer": [{"display": "Example Laboratory"}]}


def immunization(code="207", date="2025-01-29", lot="TEST-0001", **changes):
    resource = {"resourceType": "Immunization", "status": "completed",
                "vaccineCode": {"coding": [{"system": "http://hl7.org/fhir/sid/cvx", "code": code}]},
                "patient": {"reference": "resource:0"}, "occurrenceDateTime": date,
                "performer": [{"actor": {"display": "Example Hospital"}}], "lotNumber": lot}
    return edited(resource, changes)


def bundle(*resources, **changes):
    entries = [{"fullUrl": f"resource:{i}", "resource": resource} for i, resource in enumerate(resources)]
    return edited({"resourceType": "Bundle", "type": "collection", "entry": entries}, changes)


def patient(**changes):
    return bundle(edited(PATIENT, changes), immunization())


def payload(changes={}):
    return edited({"iss": ISS, "nbf": ISSUED, "vc": {"type": [HEALTH_CARD], "credentialSubject": {
        "fhirVersion": "4.0.1", "fhirBundle": bundle(PATIENT, immunization())}}}, changes)


def signed(changes={}, key=A, **options):
    return card(payload(changes), key, **options)


def nested(depth):
    """A payload whose objects and arrays are nested to this depth."""
    return payload({BUNDLE: bundle(PATIENT, {"resourceType": "Basic", "nested": Raw("[" * (depth - 7) + "]" * (depth - 7))})})


def sized(size):
    """A payload of exactly this many bytes, nearly all of them in one string of the Bundle."""
    filled = lambda length: payload({BUNDLE: bundle(PATIENT, {"resourceType": "Basic", "filling": "x" * length})})
    return filled(size - len(minify(filled(0))))


CARD = signed()
SECOND = signed({BUNDLE: bundle(edited(PATIENT, {"name": [{"family": "Testpatient", "given": ["Robin"]}]}), immunization("208"))})
LAB = signed({BUNDLE: bundle(PATIENT, OBSERVATION)})
# With a vaccine of the year in which it was given. The examples of the documentation use it.
RECENT = signed({"nbf": 1769000000, BUNDLE: bundle(PATIENT, immunization("309", "2026-01-14"))})
LONG = signed({BUNDLE: bundle(PATIENT, *(immunization(lot=noise(f"lot {i}", 24).hex()) for i in range(44)))})
LONG_B = signed({BUNDLE: bundle(PATIENT, *(immunization(lot=noise(f"other lot {i}", 24).hex()) for i in range(44)))})
WITH_RID = signed({"vc.rid": RID})
EXPIRED = signed({"exp": ISSUED + 3600})
BAD_SIGNATURE = signed(sign=lambda r, s: raw_signature(r, s)[:-1] + bytes([s & 255 ^ 1]))
BY_ISSUER_B = signed({"iss": ISS_B}, B)
BY_ATTACKER = signed(key=ATTACKER, head=header(A))
SET = key_set(A.jwk())

# The list of vectors and files

FILES = {f"keys/TEST-ONLY-{key.name}.private.jwk.json": pretty(key.private_jwk()) + b"\n" for key in KEYS}
FILES["keys/issuer-a.jwks.json"] = pretty(SET) + b"\n"
VECTORS = []
EXITS = {code: exit for exit, codes in {
    10: "malformed-input unsupported-credential malformed-qr malformed-jws unsupported-algorithm unsupported-compression inflate-failed "
        "payload-too-large malformed-payload invalid-issuer-url malformed-link",
    11: "signature-invalid", 12: "key-not-found key-invalid certificate-invalid", 13: "issuer-not-trusted", 14: "not-yet-valid",
    15: "expired", 16: "revoked", 17: "records-not-matching", 20: "keys-unavailable", 21: "revocation-unavailable", 26: "codes-unknown",
    27: "empty-input no-code-found picture-unreadable qr-chunk-missing",
    66: "unreadable-input"}.items() for code in codes.split()}
WITHOUT_REASON = {"pass": 0, "usage": 64, "unreadable-option": 66}  # this script's own names for exit codes without a reason


def store(path, content):
    """Adds a file, unless there is one with the same content. Returns its path."""
    content = content.encode() if isinstance(content, str) else content if isinstance(content, bytes) else pretty(content) + b"\n"
    for known, other in FILES.items():
        if other == content and known.split("/")[0] == path.split("/")[0]:
            return known
    assert path not in FILES, path
    FILES[path] = content
    return path


def suffix(content):
    start = (content.encode() if isinstance(content, str) else content).lstrip(b"\xef\xbb\xbf \t\r\n")[:30].lower()
    suffixes = {b"shc:": ".qr.txt", b'{"verifiablecredential"': ".smart-health-card", b"{": ".json", b"ey": ".jws", b"dq": ".jws", b"https:": ".url.txt"}
    return next((suffix for prefix, suffix in suffixes.items() if start.startswith(prefix)), ".bin")


class Unreadable(str):
    """The path of a file that cannot be read."""


class Scoped:
    """A key set for one issuer only, as --jwks ISS=FILE."""

    def __init__(self, iss, keys):
        self.iss, self.keys = iss, keys


def v(id, content, outcome, why, *, feed="paths", at=AT, jwks=None, crl=[], directory=[], anchor=[], trust=[], args=[],
      json={}, hints=[], exact=None):
    """Adds a vector. `outcome` is a reason code, "pass", "usage" or "unreadable-option", or a list if several are allowed."""
    assert id not in {known["id"] for known in VECTORS}, id
    several = content if isinstance(content, list) else [content]
    number = lambda i, all: f"-{i + 1}" if len(all) > 1 else ""
    files = [str(each) if isinstance(each, Unreadable) else store(f"cards/{id}{number(i, several)}{suffix(each)}", each)
             for i, each in enumerate(several)]
    options = ["--offline"]
    if jwks is None:
        # A key set for every issuer is refused beside several issuers that are trusted by name.
        jwks = [Scoped(ISS, SET)] if directory or len(trust) > 1 or "--directory" in args else [SET]
    for option, folder, values, ending in (("--jwks", "keys/sets", jwks, ".jwks.json"), ("--crl", "crls", crl, ".json"),
                                           ("--directory", "directories", directory, ".json"),
                                           ("--anchor", "certificates", anchor, ".pem")):
        for i, value in enumerate(values):
            iss, value = (value.iss + "=", value.keys) if isinstance(value, Scoped) else ("", value)
            name = id.replace("/", "-") + number(i, values)
            options += [option, f"{iss}{{{store(f'{folder}/{name}{ending}', value)}}}"]
    for iss in trust:
        options += ["--trust", iss]
    outcomes = outcome if isinstance(outcome, list) else [outcome]
    one = lambda values: values[0] if len(values) == 1 else values
    expect = {"exit": one(sorted({EXITS.get(each, WITHOUT_REASON.get(each)) for each in outcomes}))}
    reasons = list(dict.fromkeys(None if each in WITHOUT_REASON else each for each in outcomes))
    if reasons != [None]:
        expect["reason"] = one(reasons)
    if json:
        expect["json"] = json
    if hints:
        expect["stderrContains"] = hints
    if exact:
        expect["bundle"] = store(f"bundles/{id}.json", minify(exact))
    VECTORS.append({"id": id, "files": files, "mode": "verify", "args": options + (["--at", at] if at else []) + args, "feed": feed,
                    "expect": expect, "why": why})


def folder(name, listed, snapshot, below=""):
    """The option for a folder with a list of issuers and a snapshot. One of them may be missing, and the snapshot may be in a subfolder."""
    for file, content in (("vci-issuers.json", listed), (f"{below}vci_snapshot.json", snapshot)):
        if content is not None:
            FILES[f"directories/{name}/{file}"] = pretty(content) + b"\n"
    return ["--directory", f"{{directories/{name}}}"]


def kind(name, cards=1):
    return {f"/cards/{i}/inputKind": name for i in range(cards)} | {f"/cards/{i}/verdict": "pass" for i in range(cards)}


# All forms of cards

v("inputs/jws", CARD, "pass", "one compact JWS", json=kind("jws") | {
    "/verdict": "pass", "/exitCode": 0, "/cards/0/reason": None, "/cards/0/issuer/iss": ISS, "/cards/0/issuer/trust": "jwks",
    "/cards/0/key/kid": A.kid, "/cards/0/key/source": "jwks-file", "/cards/0/issued": "2025-06-15T15:06:40Z", "/cards/0/expires": None,
    "/cards/0/relevantDate": "2025-01-29", "/cards/0/types/0": HEALTH_CARD, "/cards/0/subject/birthDate": "1951-01-20",
    "/cards/0/records/0/resourceType": "Immunization", "/cards/0/records/0/date": "2025-01-29", "/cards/0/fhirVersion": "4.0.1"},
  exact=bundle(PATIENT, immunization()))
# The base64 of `{ "` does not begin with the usual `eyJ`.
SPACED = b'{ "zip":"DEF","alg":"ES256","kid":"%s"}' % A.kid.encode()
v("inputs/jws-header-space", card(payload(), A, head=SPACED), "pass", "a space after the first brace of the header", json=kind("jws"))
v("inputs/jws-header-lines", card(payload(), A, head=b"\r\n \t{\n" + SPACED[2:]), "pass", "white space before and after that brace",
  json=kind("jws"))
v("inputs/jws-header-space-forged", card(payload(), A, head=SPACED, sign=lambda r, s: raw_signature(r, s)[:-1] + bytes([s & 255 ^ 1])),
  "signature-invalid", "such a header, and a forged signature")
v("inputs/file", file(CARD), "pass", "a file with one card", json=kind("file"))
v("inputs/file-three-cards", file(CARD, SECOND, LAB), "pass", "all cards of a file are verified, not only the first", json=kind("file", 3))
v("inputs/file-same-card-twice", file(CARD, CARD), "pass", "the same card twice is two cards", json=kind("file", 2))
v("inputs/file-pretty", pretty({"verifiableCredential": [CARD]}), "pass", "white space between the file's tokens", json=kind("file"))
v("inputs/file-other-members", file(CARD, note="made up", list=[1, {"a": None}]), "pass", "other members next to the list",
  json=kind("file"))
v("inputs/file-escaped", file(CARD).replace("verifiable", "\\u0076erifiable").replace("eyJ", "\\u0065yJ"), "pass",
  "JSON escapes in the member's name and in the JWS", json=kind("file"))
v("inputs/recent", RECENT, "pass", "a recent vaccine", args=["--record-type", "covid19", "--since", "2026"],
  json=kind("jws") | {"/cards/0/records/0/display": "COVID-19, mRNA, LNP-S, PF, tris-sucrose, 30 mcg/0.3 mL", "/cards/0/warnings": []})
v("inputs/recent-file", file(RECENT), "pass", "the same card in a file", json=kind("file"))
v("inputs/recent-qr", qr(RECENT), "pass", "the same card as a QR code", feed="qr", json=kind("qr"))
v("inputs/two-inputs", [CARD, file(SECOND)], "pass", "two inputs of two kinds",
  json={"/cards/0/inputKind": "jws", "/cards/1/inputKind": "file"})
v("inputs/qr", qr(CARD), "pass", "one QR code, by --qr", feed="qr", json=kind("qr"))
v("inputs/qr-file", qr(CARD), "pass", "the text of a QR code in a file", json=kind("qr"))
v("inputs/qr-stdin", qr(CARD), "pass", "the text of a QR code on stdin", feed="stdin", json=kind("qr"))
v("inputs/qr-upper-case", "SHC:/" + digits(CARD), "pass", "an upper-case scheme is accepted with a warning", feed="qr", json=kind("qr"))
v("inputs/qr-upper-case-chunks", [each.upper() for each in chunks(LONG)], "pass", "upper-case scheme on every chunk", feed="qr",
  json=kind("qr"))
v("inputs/qr-1-of-1", chunks(CARD, 1), "pass", "shc:/1/1/ is accepted with a warning", feed="qr", json=kind("qr"))
v("inputs/qr-oversized", qr(LONG), "pass", "a single code longer than the limit is accepted with a warning", feed="qr", json=kind("qr"))
v("inputs/qr-two-cards", [qr(CARD), qr(SECOND)], "pass", "two complete --qr texts are two cards", feed="qr", json=kind("qr", 2))
v("inputs/chunks", chunks(LONG), "pass", "three chunks in order, one per --qr", feed="qr", json=kind("qr") | {"/cards/1": None})
v("inputs/chunks-out-of-order", chunks(LONG)[::-1], "pass", "chunks in reverse", feed="qr", json=kind("qr") | {"/cards/1": None})
v("inputs/chunks-repeated", [chunks(LONG)[i] for i in (1, 0, 1, 2, 0, 0)], "pass", "identical repeats are harmless", feed="qr",
  json=kind("qr") | {"/cards/1": None})
v("inputs/chunks-in-files", chunks(LONG), "pass", "each chunk in a file of its own", json=kind("qr") | {"/cards/1": None})
v("inputs/chunks-on-stdin", chunks(LONG), "pass", "one chunk per line on stdin", feed="lines", json=kind("qr") | {"/cards/1": None})
v("inputs/chunks-in-one-file", "\n".join(chunks(LONG)[::-1]), "pass", "one chunk per line of a file, in reverse", json=kind("qr"))
v("inputs/chunks-crlf", "\r\n".join(chunks(LONG)) + "\r\n", "pass", "lines that end in CRLF", json=kind("qr"))
v("inputs/chunks-blank-lines", "\n" + "\n\n".join(chunks(LONG)) + "\n\n", "pass", "blank lines between the chunks", json=kind("qr"))
v("inputs/chunks-unbalanced", [f"shc:/1/2/{digits(LONG[:-5])}", f"shc:/2/2/{digits(LONG[-5:])}"], "pass",
  "chunks of very different sizes, one of them oversized", feed="qr", json=kind("qr"))
v("inputs/chunks-1000", "\n".join(chunks(LONG, 1000)), "pass", "the maximum number of parts", json=kind("qr"))
v("inputs/parameters", parameters(CARD), "pass", "the answer of $health-cards-issue", json=kind("parameters"))
v("inputs/parameters-two-cards", parameters(CARD, LAB), "pass", "two cards in one answer", json=kind("parameters", 2))
v("inputs/parameters-resource-link", parameters(CARD, extra=[{"name": "resourceLink", "part": [
    {"name": "vcIndex", "valueInteger": 0}, {"name": "bundledResource", "valueUri": "resource:1"},
    {"name": "hostedResource", "valueUri": "https://fhir.issuer-a.example/Immunization/1"}]}]), "pass",
  "resourceLink is optional and ignored", json=kind("parameters"))
v("inputs/parameters-other-names", parameters(CARD, extra=[{"name": "note", "valueString": "not a card"}]), "pass",
  "other parameters are not cards", json=kind("parameters") | {"/cards/1": None})
v("inputs/parameters-pretty", pretty(json.loads(parameters(CARD))), "pass", "an indented answer", json=kind("parameters"))
v("inputs/deep-link-encoded", deep_link(file(CARD)), "pass", "fragment percent-encoded", json=kind("deeplink"))
v("inputs/deep-link-lower-case", re.sub("%..", lambda e: e[0].lower(), deep_link(file(CARD))), "pass", "percent-encoding in lower case",
  json=kind("deeplink"))
v("inputs/deep-link-raw", "https://viewer.example/open#" + file(CARD), "pass", "fragment as raw JSON", json=kind("deeplink"))
v("inputs/deep-link-mixed", deep_link(file(CARD), safe="{}[]:,"), "pass", "only the quotation marks encoded", json=kind("deeplink"))
v("inputs/deep-link-two-cards", deep_link(file(CARD, SECOND)), "pass", "two cards in one link", json=kind("deeplink", 2))
v("inputs/deep-link-query", "https://viewer.example/open?a=b#" + file(CARD), "pass", "a query before the fragment", json=kind("deeplink"))
for name, content in (("jws", CARD), ("file", file(CARD)), ("qr", qr(CARD)), ("parameters", parameters(CARD)),
        ("deep-link", deep_link(file(CARD)))):
    found = kind(name.replace("-", ""))
    v(f"inputs/{name}-white-space", f" \t\n{content}\n\n ", "pass", "white space around the artifact", json=found)
    v(f"inputs/{name}-crlf", f"{content}\r\n", "pass", "CRLF at the end", json=found)
    v(f"inputs/{name}-byte-order-mark", f"\ufeff{content}\n", "pass", "a UTF-8 byte-order mark before the artifact", json=found)
v("inputs/jws-stdin", CARD, "pass", "a JWS on stdin", feed="stdin", json=kind("jws"))
v("inputs/file-stdin", file(CARD), "pass", "a file on stdin", feed="stdin", json=kind("file"))
v("inputs/file-hundred-cards", file(*[CARD] * 100), "pass", "a hundred cards in one file", json={"/cards/99/verdict": "pass"})

# Unusual but valid cards

v("valid/laboratory", LAB, "pass", "a laboratory card", json={"/cards/0/records/0/resourceType": "Observation"})
v("valid/dstu2", signed({FHIR_VERSION: "1.0.2", BUNDLE: bundle(
    edited(PATIENT, {"name": [{"family": ["Anyperson"], "given": ["Jana"]}]}),
    immunization(occurrenceDateTime=ABSENT, performer={"display": "Example Hospital"}) | {"date": "2025-01-29"})}), "pass",
  "a DSTU2 card: family is an array, Immunization.date", json={"/cards/0/fhirVersion": "1.0.2"})
v("valid/unknown-fhir-version", signed({FHIR_VERSION: "9.9.9"}), "pass", "an unknown fhirVersion", json={"/cards/0/fhirVersion": "9.9.9"})
v("valid/bundle-type", signed({BUNDLE: bundle(PATIENT, immunization(), type="searchset")}), "pass", "any Bundle.type since 1.3.0")
v("valid/bundle-type-absent", signed({BUNDLE: bundle(PATIENT, immunization(), type=ABSENT)}), "pass", "no Bundle.type: a finding of lint only")
v("valid/types-unknown", signed({"vc.type": [HEALTH_CARD, "https://types.example#unknown", "VerifiableCredential"]}), "pass",
  "unknown types are ignored", json={"/cards/0/types/2": "VerifiableCredential"})
v("valid/types-verifiable-credential-first",
  signed({"vc.type": ["VerifiableCredential", HEALTH_CARD, "https://smarthealth.cards#immunization"]}), "pass",
  "#health-card is not the first type")
v("valid/context", signed({"vc.@context": ["https://www.w3.org/2018/credentials/v1"]}), "pass", "cards of 2021 have a JSON-LD context")
v("valid/other-claims", signed({"sub": "somebody", "jti": "1", "iat": ISSUED, "aud": ["x"], "vc.credentialSubject.id": "urn:uuid:x"}),
  "pass", "additional claims")
v("valid/unminified", card(pretty(payload()), A), "pass", "white space in the payload costs only bytes")
v("valid/white-space-around-payload", card(b" \r\n\t" + minify(payload()) + b"\n", A), "pass", "white space around the payload's JSON")
v("valid/member-order", card(dict(reversed(payload({"vc": dict(reversed(payload()["vc"].items()))}).items())), A), "pass",
  "members in another order")
REVERSED = dict(reversed(list(bundle(dict(reversed(list(PATIENT.items()))), immunization()).items())))
v("valid/bundle-member-order", signed({BUNDLE: REVERSED}), "pass", "the Bundle's member order is kept", exact=REVERSED)
NUMBERS = bundle(PATIENT, OBSERVATION | {"valueQuantity": {"value": Raw("6.30"), "unit": "mmol/L"}, "component": [
    {"valueQuantity": {"value": Raw(number)}} for number in (
        "1E2", "1e+2", "0.10", "-0", "-0.0", "1E400", "12345678901234567890", "0.30000000000000000000004", "1" + "0" * 40 + "1")]})
v("valid/numbers", signed({BUNDLE: NUMBERS}), "pass", "numbers are kept digit for digit: 6.30, 1E2, -0, more digits than a Double has",
  exact=NUMBERS)
LONG_NUMBER = bundle(PATIENT, OBSERVATION | {"valueQuantity": {"value": Raw("7" * 10000)}})
v("valid/number-of-ten-thousand-digits", signed({BUNDLE: LONG_NUMBER}), "pass", "a number of 10,000 digits", exact=LONG_NUMBER)
NULLS = bundle(PATIENT | {"telecom": [], "photo": None, "address": [None, {}], "_birthDate": {}}, immunization(note=[], reasonCode=None))
v("valid/null-and-empty", signed({BUNDLE: NULLS}), "pass", "null, empty arrays and empty objects in the Bundle", exact=NULLS)
v("valid/no-entry", signed({BUNDLE: bundle(entry=ABSENT)}), "pass", "a Bundle without entries records nothing, and is genuine")
v("valid/empty-entry", signed({BUNDLE: bundle()}), "pass", "an empty array of entries")
v("valid/no-patient", signed({BUNDLE: bundle(immunization())}), "pass", "no Patient", json={"/cards/0/subject/birthDate": None})
v("valid/birth-year", signed({BUNDLE: patient(birthDate="1951")}), "pass", "birthDate of a year",
  json={"/cards/0/subject/birthDate": "1951"})
v("valid/birth-month", signed({BUNDLE: patient(birthDate="1951-01")}), "pass", "birthDate of a month",
  json={"/cards/0/subject/birthDate": "1951-01"})
v("valid/name-text", signed({BUNDLE: patient(name=[{"text": "Robin Testpatient"}])}), "pass", "name.text only",
  json={"/cards/0/subject/name": "Robin Testpatient"})
v("records/name-period", signed({BUNDLE: patient(name=[{"use": "old", "text": "Robin Before", "period": {"end": "2020-01-31"}},
                                                     {"text": "Robin Testpatient", "period": {"start": "2020-02-01"}}])}), "pass",
  "names of two periods", json={"/cards/0/subject/name": "Robin Testpatient", "/cards/0/subject/names/0/period": {"start": None, "end": "2020-01-31"},
                                "/cards/0/subject/names/1/period": {"start": "2020-02-01", "end": None}})
v("valid/no-name", signed({BUNDLE: patient(name=ABSENT)}), "pass", "a Patient without a name")
v("valid/non-ascii", signed({BUNDLE: patient(name=[{"text": "Željka Øster-Testpatient 試験 🧪"}])}), "pass",
  "names beyond ASCII and beyond the BMP", json={"/cards/0/subject/name": "Željka Øster-Testpatient 試験 🧪"})
v("valid/escapes", signed({BUNDLE: patient(name=[{"text": Raw(r'"R\u00f6bin\/\u0022Testpatient\" \ud83e\uddea"')}])}), "pass",
  "JSON escapes, a surrogate pair among them", json={"/cards/0/subject/name": 'Röbin/"Testpatient" 🧪'})
v("valid/escaped-member-name", card(swapped(minify(payload()), b'"iss"', rb'"\u0069ss"'), A), "pass",
  "an escape in a member's name")
v("valid/control-characters", signed({BUNDLE: patient(name=[{"text": Raw(r'"Robin\u001b[2J\u0007\u0000\r\nTestpatient"')}])}), "pass",
  "escaped control characters are valid JSON; a terminal must not get them")
v("valid/bidirectional-override", signed({BUNDLE: patient(name=[{"text": "Robin \u202etneitaptseT"}])}), "pass",
  "a right-to-left override in a name")
MARKUP = ("\"'></title></style></td></pre></bdi><script src=https://evil.example/x.js></script><img src=https://evil.example/x.png onerror=alert(1)>"
          "<a href=javascript:alert(1)>x</a><style>*{display:none}</style>&lt;b&gt;&#0;<!--]]>\u202e\u2066\0")
MARKED = bundle(
    edited(PATIENT, {"name": [{"text": MARKUP, "family": MARKUP, "given": [MARKUP]}], "birthDate": MARKUP}) | {MARKUP: MARKUP},
    immunization(MARKUP, MARKUP, MARKUP, status=MARKUP, vaccineCode={"text": MARKUP, "coding": [{"system": MARKUP, "code": MARKUP, "display": MARKUP}]},
                 performer=[{"actor": {"display": MARKUP}}], manufacturer={"display": MARKUP}, id=MARKUP,
                 meta={"security": [{"system": MARKUP, "code": MARKUP}]}),
    edited(OBSERVATION, {"code": {"text": MARKUP}, "status": MARKUP, "effectiveDateTime": MARKUP, "valueCodeableConcept": ABSENT, "valueString": MARKUP,
                         "performer": [{"display": MARKUP}], "interpretation": [{"text": MARKUP}], "subject": {"reference": MARKUP},
                         "referenceRange": [{"text": MARKUP}]}),
    {"resourceType": MARKUP, MARKUP: MARKUP})
MARKED_CLAIMS = payload({"vc.type": [HEALTH_CARD, MARKUP], FHIR_VERSION: MARKUP, BUNDLE: MARKED}) | {MARKUP: MARKUP}
v("valid/markup", card(MARKED_CLAIMS, A), "pass", "HTML in every text of a genuine card; a page must show it as text")
v("valid/right-to-left", signed({BUNDLE: bundle(
    edited(PATIENT, {"name": [{"text": "عبد الرحمن بن خالد بن محمد بن عبد العزيز النموذجي المختبري من مدينة الاختبار الطويلة جدا"}]}),
    immunization(lot="דוגמה-123", performer=[{"actor": {"display": "בית החולים לדוגמה (סניף 2)"}}]))}), "pass",
  "a long name in Arabic, and a place in Hebrew")
v("valid/same-name-in-different-objects", signed({"nbf2": {"iss": 1}, "vc.iss": "x"}), "pass",
  "the same member name in different objects is not a duplicate")
v("valid/brackets-in-strings", signed({BUNDLE: patient(name=[{"text": "[{" * 500}])}), "pass", "brackets in a string are not nesting")
v("valid/twenty-thousand-members", signed({BUNDLE: bundle(PATIENT, {"resourceType": "Basic"} | {f"m{i}": 0 for i in range(20000)})}),
  "pass", "the search for duplicates is not quadratic")
v("valid/issuer-in-capitals", signed({"iss": "https://Issuer-C.EXAMPLE/Cards"}), "pass", "hosts with capitals exist",
  json={"/cards/0/issuer/iss": "https://Issuer-C.EXAMPLE/Cards"})
v("valid/issuer-without-path", signed({"iss": "https://issuer-a.example"}), "pass", "iss without a path")
v("valid/issuer-with-long-path", signed({"iss": "https://issuer-a.example/a/b-c/d.e/~f/g%20h"}), "pass", "iss with a long path")
v("valid/issuer-with-port", signed({"iss": "https://issuer-a.example:8443/cards"}), "pass", "iss with a port")
v("valid/rid-of-24", signed({"vc.rid": "abcdefghij-_KLMNOP012345"}), "pass", "a rid of the maximum length")

# The JWS and its header

v("header/other-members", signed(head=header(A, typ="JWT", cty="x", nested={"a": [1]})), "pass", "unknown header members are ignored")
v("header/member-order", signed(head=dict(reversed(header(A).items()))), "pass", "members in another order")
v("header/unminified", signed(head=pretty(header(A))), "pass", "the signed bytes are verified, not the header written anew")
v("header/escaped-kid", signed(head=swapped(minify(header(A)), b'"kid"', rb'"\u006bid"')), "pass", "an escape in a member's name")
for name, value in (("jwk", A.jwk()), ("jku", "https://attacker.example/jwks.json"), ("x5u", "https://attacker.example/chain.pem"),
        ("x5c", ["AAAA"])):
    v(f"header/{name}", signed(head=header(A, **{name: value})), "pass", f"{name} in the header is ignored")
v("header/jwk-of-attacker", signed(key=ATTACKER, head=header(A, jwk=ATTACKER.jwk(kid=A.kid))), "signature-invalid",
  "the header's key verifies the card, the issuer's does not")
v("header/jwk-and-kid-of-attacker", signed(key=ATTACKER, head=header(ATTACKER, jwk=ATTACKER.jwk())), "key-not-found",
  "a key that only the header publishes")
v("header/jku-of-attacker", signed(key=ATTACKER, head=header(A, jku="https://attacker.example/jwks.json")), "signature-invalid",
  "a key set that the header names")
v("header/x5c-of-attacker", signed(key=ATTACKER, head=header(A, x5c=x5c(certificate("Attacker", ATTACKER, uri=ISS)))), "signature-invalid",
  "a certificate in the header")
v("header/x5u-of-attacker", signed(key=ATTACKER, head=header(ATTACKER, x5u="https://attacker.example/chain.pem")), "key-not-found",
  "a certificate that the header names")

for name, value in (
        ("missing", ABSENT), ("null", None), ("none", "none"), ("es384", "ES384"), ("rs256", "RS256"), ("hs256", "HS256"),
        ("es256k", "ES256K"), ("lower-case", "es256"), ("empty", ""), ("number", 256), ("array", ["ES256"])):
    v(f"header/alg-{name}", signed(head=header(A, alg=value)), "unsupported-algorithm", "alg must be ES256")
v("header/alg-none-unsigned", signed(head=header(A, alg="none"), sign=lambda r, s: b""), "unsupported-algorithm",
  "alg none with an empty signature")
for name, value in (("missing", ABSENT), ("null", None), ("lower-case", "def"), ("gzip", "GZIP"), ("empty", ""), ("number", 1),
        ("boolean", True)):
    v(f"header/zip-{name}", signed(head=header(A, zip=value)), "unsupported-compression", "zip must be DEF")
v("header/zip-missing-uncompressed", signed(head=header(A, zip=ABSENT), compress=bytes), "unsupported-compression",
  "no zip and no compression: a JWS, but not a card")
for name, value in (("missing", ABSENT), ("null", None), ("empty", ""), ("number", 1), ("array", [A.kid])):
    v(f"header/kid-{name}", signed(head=header(A, kid=value)), "malformed-jws", "kid must be a non-empty string")
for name, value in (("", ["exp"]), ("-empty", []), ("-b64", ["b64"]), ("-null", None), ("-string", "kid")):
    v(f"header/crit{name}", signed(head=header(A, crit=value, **({"b64": False} if "b64" in name else {}))), "malformed-jws",
      "crit is rejected: no extension is understood")
HEADER = minify(header(A))
for name, head, why in (
        ("duplicate-kid", swapped(HEADER, b'"kid"', b'"kid":"x","kid"'), "two kids: parsers differ in which they read"),
        ("duplicate-alg", swapped(HEADER, b'"alg"', b'"alg":"none","alg"'), "two algs"),
        ("duplicate-zip-equal", swapped(HEADER, b'"zip"', b'"zip":"DEF","zip"'), "duplicates that are equal"),
        ("duplicate-escaped", swapped(HEADER, b'"kid"', rb'"\u006bid":"x","kid"'), "equal only after unescaping"),
        ("duplicate-unknown", swapped(HEADER, b'"kid"', b'"a":1,"a":2,"kid"'), "duplicates of a member without a meaning"),
        ("not-json", b"header", "not JSON"), ("array", b"[" + HEADER + b"]", "an array"), ("string", minify(HEADER.decode()), "a string"),
        ("null", b"null", "null"), ("byte-order-mark", b"\xef\xbb\xbf" + HEADER, "a byte-order mark"),
        ("invalid-utf-8", swapped(HEADER, b'"alg"', b'"a\xff":0,"alg"'), "invalid UTF-8"),
        ("trailing-bytes", HEADER + b"x", "bytes after the object"),
        ("trailing-comma", HEADER[:-1] + b",}", "a trailing comma"), ("truncated", HEADER[:-1], "no closing brace"),
        ("two-objects", HEADER + HEADER, "two objects"),
        ("lone-surrogate", swapped(HEADER, b'"alg"', rb'"a":"\ud800","alg"'), "a lone surrogate"),
        ("deep", swapped(HEADER, b'"alg"', b'"a":' + b"[" * 1000 + b"]" * 1000 + b',"alg"'), "nested beyond the bound")):
    v(f"header/{name}", file(signed(head=head)), "malformed-jws", f"header: {why}")
v("header/empty", file("." + CARD.split(".", 1)[1]), "malformed-jws", "no header at all")

h, p, s = CARD.split(".")
for name, text, why in (("two-parts", f"{h}.{p}", "two parts"), ("four-parts", f"{CARD}.{s}", "four parts"),
        ("five-parts", f"{h}.{s}.{s}.{p}.{s}", "five parts are a JWE"),
        ("one-part", h, "one part"), ("trailing-dot", CARD + ".", "a dot at the end"),
        ("no-parts", "..", "three empty parts"), ("empty", "", "an empty string")):
    v(f"jws/{name}", file(text), "malformed-jws", why)
    if text:
        v(f"jws/{name}-bare", text, ["malformed-jws", "malformed-input"], f"{why}; on its own it may not even count as a card")
v("jws/json-flattened", minify({"payload": p, "protected": h, "signature": s}), "malformed-input",
  "the flattened JSON serialisation (RFC 7515 7.2.2)")
v("jws/json-general", minify({"payload": p, "signatures": [{"protected": h, "signature": s}]}), "malformed-input",
  "the general JSON serialisation (RFC 7515 7.2.1)")


def with_spare_bits():
    """A payload whose compressed length leaves a remainder of 1, so that its base64url has four spare bits."""
    return next(each for each in (payload({"jti": "x" * i}) for i in range(50)) if len(deflated(minify(each))) % 3 == 1)


def dirtied(text):
    """The same bytes in base64url, but with unused trailing bits that are not zero."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    assert len(text) % 4 > 1
    return text[:-1] + alphabet[alphabet.index(text[-1]) + 1]


SPARE = with_spare_bits()
in_head = lambda change: lambda head, body: (change(head), body)
in_body = lambda change: lambda head, body: (head, change(body))
for name, change, why in (
        ("padding", lambda text: text + "=" * (-len(text) % 4), "padding"),
        ("percent", lambda text: text[:20] + "%" + text[20:], "a character outside every base64 alphabet"),
        ("space", lambda text: text[:20] + " " + text[20:], "a space inside"),
        ("newline", lambda text: text[:20] + "\n" + text[20:], "a line break inside"),
        ("space-at-end", lambda text: text + " ", "a space at the end"), ("nul", lambda text: text[:20] + "\0" + text[20:], "a NUL inside"),
        ("non-ascii", lambda text: text[:20] + "é" + text[21:], "a letter beyond ASCII"),
        ("trailing-bits", dirtied, "unused bits that are not zero"),
        ("one-more", lambda text: text + "A" * (5 - len(text) % 4), "4n + 1 characters are impossible")):
    spelled = card(SPARE, A, head=header(A, pad="x"), spell=in_body(change))
    v(f"base64url/payload-{name}", file(spelled), "malformed-jws", f"payload: {why}; signed in this form")
    if name in ("padding", "newline", "percent"):
        # Outside a file, wrapped lines are joined. What was signed is the text with the line break.
        refused = "signature-invalid" if name == "newline" else ["malformed-jws", "malformed-input"]
        v(f"base64url/payload-{name}-bare", spelled, refused, f"payload: {why}; outside a file")
    if name in ("padding", "space", "trailing-bits"):
        head = next(each for each in (header(A, pad="x" * i) for i in range(3)) if len(minify(each)) % 3 == 1)
        v(f"base64url/header-{name}", file(card(SPARE, A, head=head, spell=in_head(change))), "malformed-jws",
          f"header: {why}; signed in this form")
    if name != "one-more":
        v(f"base64url/signature-{name}", file(signed(spell_signature=change)), "malformed-jws", f"signature: {why}")
PLUS = next(each for each in (payload({"jti": noise(f"plus {i}", 20).hex()}) for i in range(50))
            if {"-", "_"} <= set(b64url(deflated(minify(each)))))
v("base64url/payload-standard-alphabet", file(card(PLUS, A, spell=in_body(lambda text: text.replace("-", "+").replace("_", "/")))),
  "malformed-jws", "base64 with + and /; signed in this form")

# Signatures

v("signature/high-s", signed(sign=lambda r, s: raw_signature(r, max(s, N - s))), "pass", "s above n/2 is valid ES256")
v("signature/low-s", signed(sign=lambda r, s: raw_signature(r, min(s, N - s))), "pass", "s below n/2")
SIGNED = [(each, from_b64url(each.split(".")[2])) for each in (signed({"nbf": ISSUED + i}) for i in range(2000))]
v("signature/leading-zero-r", next(each for each, signature in SIGNED if signature[0] == 0), "pass", "r begins with a zero octet")
v("signature/leading-zero-s", next(each for each, signature in SIGNED if signature[32] == 0), "pass", "s begins with a zero octet")
v("signature/der", signed(sign=lambda r, s: encode_dss_signature(r, s)), "signature-invalid", "DER, as most libraries give it",
  hints=["der"])
v("signature/other-key", BY_ATTACKER, "signature-invalid", "signed by another key under the issuer's kid")
v("signature/last-bit", BAD_SIGNATURE, "signature-invalid", "one bit of s flipped")
v("signature/bit-of-r", signed(sign=lambda r, s: raw_signature(r ^ 1 << 200, s)), "signature-invalid", "one bit of r flipped")
v("signature/swapped", signed(sign=lambda r, s: raw_signature(s, r)), "signature-invalid", "s before r")
v("signature/little-endian", signed(sign=lambda r, s: octets(r)[::-1] + octets(s)[::-1]), "signature-invalid", "little-endian")
v("signature/of-another-card", CARD.rsplit(".", 1)[0] + "." + SECOND.rsplit(".", 1)[1], "signature-invalid",
  "the signature of another card")
v("signature/payload-changed", f"{h}.{SECOND.split('.')[1]}.{s}", "signature-invalid", "the payload of another card")
v("signature/header-changed", f"{b64url(pretty(header(A)))}.{p}.{s}", "signature-invalid",
  "white space added to the header after it was signed")
v("signature/recompressed", f"{h}.{b64url(deflated(minify(payload()), level=0))}.{s}", "signature-invalid",
  "the same payload, compressed anew")
v("signature/over-uncompressed", signed(sign_over=f"{h}.{b64url(minify(payload()))}".encode()), "signature-invalid",
  "signed before compression")
v("signature/over-json", signed(sign_over=minify(payload())), "signature-invalid", "signed the JSON, not the JWS signing input")
v("signature/over-payload", signed(sign_over=p.encode()), "signature-invalid", "the signature is over the payload alone")
for name, make, why in (
        ("63-bytes", lambda r, s: raw_signature(r, s)[:63], "the last byte cut off"),
        ("65-bytes", lambda r, s: raw_signature(r, s) + b"\0", "a zero byte appended"),
        ("65-bytes-in-front", lambda r, s: b"\0" + raw_signature(r, s), "a zero byte in front"),
        ("32-bytes", lambda r, s: octets(r), "r alone"),
        ("1-byte", lambda r, s: b"\0", "one byte"), ("96-bytes", lambda r, s: octets(r, 48) + octets(s, 48), "as wide as ES384's"),
        ("128-bytes", lambda r, s: raw_signature(r, s) * 2, "the signature twice"),
        ("0-bytes", lambda r, s: b"", "no signature: nothing after the second dot"),
        ("hexadecimal", lambda r, s: raw_signature(r, s).hex().encode(), "in hexadecimal")):
    v(f"signature/{name}", signed(sign=make), "signature-invalid", why)
for name, make, why in (
        ("r-zero", lambda r, s: (0, s), "r = 0"), ("s-zero", lambda r, s: (r, 0), "s = 0"),
        ("both-zero", lambda r, s: (0, 0), "r = s = 0, which careless arithmetic accepts for any key"),
        ("r-n", lambda r, s: (N, s), "r = n"), ("s-n", lambda r, s: (r, N), "s = n"), ("both-n", lambda r, s: (N, N), "r = s = n"),
        ("zero-and-n", lambda r, s: (0, N), "r = 0, s = n"),
        ("r-above-n", lambda r, s: (N + 1, s), "r = n + 1"), ("s-above-n", lambda r, s: (r, N + 1), "s = n + 1"),
        ("r-p", lambda r, s: (P, s), "r = p"),
        ("all-ones", lambda r, s: (2 ** 256 - 1, 2 ** 256 - 1), "every bit set"),
        ("one-and-one", lambda r, s: (1, 1), "r = s = 1, in range"),
        ("n-minus-one", lambda r, s: (N - 1, N - 1), "r = s = n - 1, in range")):
    v(f"signature/{name}", signed(sign=lambda r, s: raw_signature(*make(r, s))), "signature-invalid", why)

# DEFLATE

RAW = deflated(minify(payload()))
stream = lambda data: signed(compress=lambda plain: data)
v("deflate/stored", signed(compress=lambda plain: deflated(plain, level=0)), "pass", "stored blocks only")
v("deflate/fixed-codes", signed(compress=lambda plain: deflated(plain, strategy=zlib.Z_FIXED)), "pass", "fixed Huffman codes only")
v("deflate/huffman-only", signed(compress=lambda plain: deflated(plain, strategy=zlib.Z_HUFFMAN_ONLY)), "pass", "no matches")
v("deflate/several-blocks", signed(compress=lambda plain: deflated(plain[:99], end=zlib.Z_SYNC_FLUSH) + deflated(plain[99:])), "pass",
  "several blocks, one of them empty")
v("deflate/thousand-empty-blocks", stream(b"\0\0\0\xff\xff" * 1000 + RAW), "pass", "a thousand empty stored blocks in front")
v("deflate/empty-last-block", signed(compress=lambda plain: deflated(plain, end=zlib.Z_SYNC_FLUSH) + b"\1\0\0\xff\xff"), "pass",
  "the last block is empty")
v("deflate/zlib-wrapped", signed(compress=lambda plain: deflated(plain, bits=15)), "inflate-failed", "zlib's wrapper", hints=["zlib"])
v("deflate/gzip-wrapped", signed(compress=lambda plain: (lambda data: data[:9] + b"\xff" + data[10:])(deflated(plain, bits=31))),
  "inflate-failed", "gzip's wrapper")
v("deflate/uncompressed", signed(compress=bytes), "inflate-failed", "zip says DEF, and nothing is compressed")
v("deflate/truncated-by-one", stream(RAW[:-1]), "inflate-failed", "the last byte cut off")
v("deflate/truncated-in-half", stream(RAW[:len(RAW) // 2]), "inflate-failed", "half of the stream")
v("deflate/one-byte", stream(RAW[:1]), "inflate-failed", "the stream's first byte")
v("deflate/no-last-block", signed(compress=lambda plain: deflated(plain, end=zlib.Z_SYNC_FLUSH)), "inflate-failed",
  "all of the JSON, and no last block")
v("deflate/zero-appended", stream(RAW + b"\0"), "inflate-failed", "a byte after the end of the stream")
v("deflate/line-break-appended", stream(RAW + b"\n"), "inflate-failed", "a line break after the end of the stream")
v("deflate/two-streams", stream(RAW + RAW), "inflate-failed", "a second stream after the first")
v("deflate/reserved-block-type", stream(b"\7" + RAW), "inflate-failed", "block type 3")
v("deflate/stored-length", stream(b"\1\5\0\0\0hello"), "inflate-failed", "a stored block whose length and its complement disagree")
v("deflate/distance-too-far", stream(bytes.fromhex("034200")), "inflate-failed", "a match that reaches before the beginning")
v("deflate/random", stream(noise("random stream", 500)), "inflate-failed", "random bytes")
v("deflate/no-payload", stream(b""), ["malformed-jws", "inflate-failed", "malformed-payload"], "an empty second part")
v("deflate/empty-stream", signed(compress=lambda plain: deflated(b"")), "malformed-payload", "a stream of no bytes")
v("deflate/twice", signed(compress=lambda plain: deflated(deflated(plain))), "malformed-payload", "compressed twice")
v("deflate/4-mib", card(sized(4 << 20), A), "pass", "exactly the maximum size")
v("deflate/4-mib-and-one", card(sized((4 << 20) + 1), A), "payload-too-large", "one byte more than the maximum")
v("deflate/4-mib-of-white-space", card(b" " * (4 << 20) + minify(payload()), A), "payload-too-large", "the bound counts bytes, not JSON")
v("deflate/bomb", signed(compress=lambda plain: deflated([plain[:-1], *[b" " * (1 << 20)] * 1024, b"}"])), "payload-too-large",
  "1 MiB that inflates to 1 GiB of valid JSON, correctly signed")

# The payload's JSON

PLAIN = minify(payload())
for name, data, why in (
        ("duplicate-iss", swapped(PLAIN, b'"iss":', b'"iss":"https://attacker.example","iss":'), "two issuers"),
        ("duplicate-nbf", swapped(PLAIN, b'"nbf":', b'"nbf":1,"nbf":'), "two dates of issue"),
        ("duplicate-vc", swapped(PLAIN, b'"vc":', b'"vc":{},"vc":'), "two credentials"),
        ("duplicate-equal", swapped(PLAIN, b'"nbf":', b'"nbf":%d,"nbf":' % ISSUED), "duplicates that are equal"),
        ("duplicate-far-apart", PLAIN[:-1] + b',"nbf":1}', "the duplicate is the last member"),
        ("duplicate-deep", swapped(PLAIN, b'"family":', b'"family":"Testpatient","family":'), "deep inside the Bundle"),
        ("duplicate-escaped", swapped(PLAIN, b'"nbf":', rb'"\u006ebf":1,"nbf":'), "equal only after unescaping"),
        ("duplicate-escaped-deep", swapped(PLAIN, b'"family":', b'"a":1,"\\u0061":2,"family":'),
         '"a" and "\\u0061", deep inside the Bundle'),
        ("duplicate-escaped-non-ascii", swapped(PLAIN, b'"family":', '"é":1,"\\u00e9":2,"family":'.encode()), '"é" and "\\u00e9"'),
        ("duplicate-surrogates", swapped(PLAIN, b'"family":', '"🧪":1,"\\ud83e\\uddea":2,"family":'.encode()),
         "a character beyond the BMP and its surrogate pair"),
        ("duplicate-empty", swapped(PLAIN, b'"family":', b'"":1,"":2,"family":'), "two members with an empty name"),
        ("invalid-utf-8", swapped(PLAIN, b"Anyperson", b"Anyp\xffrson"), "a byte that never occurs in UTF-8"),
        ("overlong-utf-8", swapped(PLAIN, b"Anyperson", b"Any\xc0\xafperson"), "an overlong form"),
        ("surrogate-utf-8", swapped(PLAIN, b"Anyperson", b"Any\xed\xa0\x80person"), "a surrogate in UTF-8"),
        ("beyond-unicode", swapped(PLAIN, b"Anyperson", b"Any\xf4\x90\x80\x80person"), "a code point beyond U+10FFFF"),
        ("truncated-utf-8", swapped(PLAIN, b"Anyperson", b"Anyperson\xe2\x82"), "a character cut off"),
        ("latin-1", swapped(PLAIN, b"Anyperson", "Änyperson".encode("latin-1")), "Latin-1"),
        ("utf-16", PLAIN.decode().encode("utf-16"), "UTF-16"),
        ("lone-high-surrogate", swapped(PLAIN, b"Anyperson", rb"Any\ud83eperson"), "a high surrogate alone"),
        ("lone-low-surrogate", swapped(PLAIN, b"Anyperson", rb"Any\uddeaperson"), "a low surrogate alone"),
        ("reversed-surrogates", swapped(PLAIN, b"Anyperson", rb"Any\uddea\ud83eperson"), "surrogates in the wrong order"),
        ("byte-order-mark", b"\xef\xbb\xbf" + PLAIN, "a byte-order mark inside the payload"),
        ("control-character", swapped(PLAIN, b"Anyperson", b"Any\nperson"), "a line break in a string, unescaped"),
        ("nul", swapped(PLAIN, b"Anyperson", b"Any\0person"), "a NUL in a string, unescaped"),
        ("bad-escape", swapped(PLAIN, b"Anyperson", rb"Any\x70erson"), "an escape that JSON does not have"),
        ("short-escape", swapped(PLAIN, b"Anyperson", rb"Anyperson\u12"), "an escape cut off"),
        ("single-quotes", PLAIN.replace(b'"', b"'"), "single quotation marks"),
        ("unquoted-name", swapped(PLAIN, b'"nbf"', b"nbf"), "a member's name without quotation marks"),
        ("trailing-comma", PLAIN[:-1] + b",}", "a comma after the last member"),
        ("trailing-comma-in-array", swapped(PLAIN, b'"T."]', b'"T.",]'), "a comma after the last element"),
        ("missing-comma", swapped(PLAIN, b',"nbf"', b' "nbf"'), "no comma between two members"),
        ("comment", swapped(PLAIN, b'"nbf"', b'/* hello */"nbf"'), "a comment"),
        ("line-comment", swapped(PLAIN, b'"nbf"', b'// hello\n"nbf"'), "a comment to the end of the line"),
        ("trailing-bytes", PLAIN + b"x", "a byte after the object"), ("trailing-nul", PLAIN + b"\0", "a NUL after the object"),
        ("two-objects", PLAIN + PLAIN, "a second object"),
        ("truncated", PLAIN[:-1], "no closing brace"),
        ("unclosed-string", PLAIN[:PLAIN.index(b"Anyperson") + 4], "a string that does not end"),
        ("form-feed", b"\f" + PLAIN, "white space that JSON does not have"),
        ("no-break-space", swapped(PLAIN, b',"nbf"', ',\u00a0"nbf"'.encode()), "a no-break space between tokens"),
        ("array", b"[" + PLAIN + b"]", "an array"), ("string", minify(PLAIN.decode()), "a string"), ("null", b"null", "null"),
        ("empty-object", b"{}", "an object without members"),
        ("white-space-only", b" \n", "white space"), ("capital-literal", swapped(PLAIN, b'"nbf"', b'"a":True,"nbf"'), "True")):
    v(f"json/{name}", card(data, A), "malformed-payload", why)
for name, token in (("nan", "NaN"), ("infinity", "-Infinity"), ("leading-zero", "01"), ("negative-leading-zero", "-01"), ("plus", "+1"),
        ("no-fraction", "1."), ("no-integer", ".5"),
        ("no-exponent", "1e"), ("minus", "-"), ("hexadecimal", "0x10"), ("underscore", "1_000"), ("arabic-digits", "١")):
    v(f"json/number-{name}", signed({BUNDLE: bundle(PATIENT, OBSERVATION | {"valueQuantity": {"value": Raw(token)}})}), "malformed-payload",
      f"{token} is not a JSON number")
v("json/nested-128", card(nested(128), A), "pass", "128 objects and arrays open at once")
v("json/nested-129", card(nested(129), A), "malformed-payload", "129 objects and arrays open at once")
v("json/nested-100000", card(nested(100000), A), "malformed-payload", "nested 100,000 deep")
v("json/nested-unclosed", card(b"[" * 1000000, A), "malformed-payload", "a million opening brackets")
v("json/nested-objects-unclosed", card(b'{"a":' * 200000, A), "malformed-payload", "200,000 opening braces")

# The payload's members

for name, changes in (
        ("iss-missing", {"iss": ABSENT}), ("iss-null", {"iss": None}), ("iss-number", {"iss": 1}), ("iss-array", {"iss": [ISS]}),
        ("nbf-missing", {"nbf": ABSENT}), ("vc-missing", {"vc": ABSENT}), ("vc-array", {"vc": []}), ("vc-null", {"vc": None}),
        ("type-missing", {"vc.type": ABSENT}), ("type-empty", {"vc.type": []}),
        ("type-other", {"vc.type": ["VerifiableCredential", "https://smarthealth.cards#immunization"]}),
        ("type-null", {"vc.type": None}), ("type-in-capitals", {"vc.type": ["https://smarthealth.cards#Health-Card"]}),
        ("type-http", {"vc.type": ["http://smarthealth.cards#health-card"]}),
        ("type-nested", {"vc.type": [[HEALTH_CARD]]}), ("subject-missing", {"vc.credentialSubject": ABSENT}),
        ("subject-array", {"vc.credentialSubject": []}),
        ("subject-null", {"vc.credentialSubject": None}), ("fhir-version-missing", {FHIR_VERSION: ABSENT}),
        ("fhir-version-number", {FHIR_VERSION: 4}), ("fhir-version-null", {FHIR_VERSION: None}),
        ("bundle-missing", {BUNDLE: ABSENT}), ("bundle-null", {BUNDLE: None}), ("bundle-array", {BUNDLE: [PATIENT]}),
        ("bundle-string", {BUNDLE: minify(bundle(PATIENT)).decode()}),
        ("bundle-is-patient", {BUNDLE: PATIENT}), ("bundle-without-resource-type", {BUNDLE: bundle(PATIENT, resourceType=ABSENT)}),
        ("rid-of-25", {"vc.rid": "a" * 25}), ("rid-with-plus", {"vc.rid": "ab+d"}), ("rid-with-dot", {"vc.rid": "abc.1750000000"}),
        ("rid-with-space", {"vc.rid": "ab d"}),
        ("rid-non-ascii", {"vc.rid": "é"}), ("rid-number", {"vc.rid": 1})):
    v(f"payload/{name}", signed(changes), "malformed-payload", f"{name.replace('-', ' ')}")
for name, changes, path in (("rid-null", {"vc.rid": None}, "vc.rid"), ("exp-null", {"exp": None}, "exp")):
    v(f"payload/{name}", signed(changes), "pass", f"{path} is null, which is read as absent",
      json={"/cards/0/warnings/0/code": "null-member", "/cards/0/warnings/0/path": path})
for name, changes in (("type-string", {"vc.type": HEALTH_CARD}), ("rid-empty", {"vc.rid": ""})):
    v(f"payload/{name}", signed(changes), ["pass", "malformed-payload"],
      f"{name.replace('-', ' ')}: no document says what a verifier does")
for name, iss, why in (
        ("http", "http://issuer-a.example/cards", "not https"), ("trailing-slash", ISS + "/", "a trailing slash"),
        ("trailing-slash-no-path", "https://issuer-a.example/", "a trailing slash and nothing else"),
        ("query", ISS + "?a=b", "a query"), ("empty-query", ISS + "?", "an empty query"), ("fragment", ISS + "#a", "a fragment"),
        ("user", "https://user@issuer-a.example/cards", "a user name"),
        ("user-and-password", "https://issuer-b.example:x@issuer-a.example/cards", "a user name and a password"),
        ("empty-host", "https:///cards", "no host"), ("scheme-only", "https://", "nothing but the scheme"),
        ("no-scheme", "issuer-a.example/cards", "no scheme"), ("relative", "//issuer-a.example/cards", "no scheme, but slashes"),
        ("ftp", "ftp://issuer-a.example/cards", "another scheme"),
        ("did", "did:example:123", "a DID"), ("space", "https://issuer-a.example/my cards", "a space inside"),
        ("leading-space", " " + ISS, "a space in front"), ("trailing-space", ISS + " ", "a space at the end"),
        ("line-break", "https://issuer-a.example/\r\nX: y", "a line break inside"),
        ("nul", "https://issuer-a.example\0.issuer-b.example", "a NUL inside"),
        ("backslash", "https://issuer-a.example\\@issuer-b.example", "a backslash"),
        ("port-not-a-number", "https://issuer-a.example:port/cards", "a port that is not a number"),
        ("only-port", "https://:443/cards", "a port without a host"),
        ("bracket", "https://[issuer-a.example/cards", "a bracket that is not closed")):
    v(f"issuer-url/{name}", signed({"iss": iss}), "invalid-issuer-url", why)
v("issuer-url/empty", signed({"iss": ""}), ["invalid-issuer-url", "malformed-payload"], "an empty string")

# Time: valid when nbf <= now < exp

v("time/nbf-in-future", signed({"nbf": NOW + 86400}), "not-yet-valid", "issued tomorrow")
v("time/nbf-now", signed({"nbf": NOW}), "pass", "issued this second")
v("time/nbf-in-a-second", signed({"nbf": NOW + 1}), "not-yet-valid", "no clock skew is granted")
v("time/nbf-in-half-a-second", signed({"nbf": Raw(f"{NOW}.5")}), "not-yet-valid", "a fraction counts")
v("time/nbf-half-a-second-ago", signed({"nbf": Raw(f"{NOW}.5")}), "pass", "--at with a fraction", at="2026-06-01T00:00:00.75Z")
v("time/nbf-fraction", signed({"nbf": Raw("1750000000.677")}), "pass", "a fraction, as in the specification's own examples")
v("time/nbf-long-fraction", signed({"nbf": Raw("1750000000." + "1" * 60)}), "pass", "more digits than a Double has")
v("time/nbf-exponent", signed({"nbf": Raw("1.6e9")}), "pass", "1.6e9 is an ordinary number",
  json={"/cards/0/issued": "2020-09-13T12:26:40Z"})
v("time/nbf-zero", signed({"nbf": 0}), "pass", "1970-01-01", json={"/cards/0/issued": "1970-01-01T00:00:00Z"})
v("time/nbf-year-9999", signed({"nbf": 253402300799}), "not-yet-valid", "the last second of the year 9999")
v("time/nbf-milliseconds", signed({"nbf": ISSUED * 1000}), "not-yet-valid", "milliseconds: never treated as seconds; the message says so",
  hints=["millisecond"])
v("time/exp-milliseconds", signed({"exp": (NOW + 86400) * 1000}), "malformed-payload", "milliseconds: the year 58000",
  hints=["millisecond"])
v("time/exp-in-future", signed({"exp": NOW + 86400}), "pass", "expires tomorrow", json={"/cards/0/expires": "2026-06-02T00:00:00Z"})
v("time/exp-in-a-second", signed({"exp": NOW + 1}), "pass", "expires in a second")
v("time/exp-in-half-a-second", signed({"exp": Raw(f"{NOW}.5")}), "pass", "expires in half a second")
v("time/exp-now", signed({"exp": NOW}), "expired", "expires this second")
v("time/exp-past", EXPIRED, "expired", "expired an hour after it was issued")
v("time/exp-fraction-past", signed({"exp": Raw(f"{NOW - 1}.999")}), "expired", "expired a millisecond ago")
v("time/exp-zero", signed({"exp": 0}), "expired", "exp 0 is 1970, not never")
v("time/exp-year-9999", signed({"exp": 253402300799}), "pass", "the last second of the year 9999")
v("time/exp-before-nbf", signed({"nbf": NOW + 10, "exp": NOW - 10}), ["not-yet-valid", "expired"], "expired before it was issued")
for name, changes in (
        ("nbf-negative", {"nbf": -1}), ("nbf-negative-fraction", {"nbf": Raw("-0.5")}), ("nbf-1e300", {"nbf": Raw("1e300")}),
        ("nbf-1e400", {"nbf": Raw("1e400")}),
        ("nbf-huge-exponent", {"nbf": Raw("1e999999999999999999999")}), ("nbf-microseconds", {"nbf": ISSUED * 10 ** 6}),
        ("nbf-above-64-bits", {"nbf": 2 ** 64 + ISSUED}),
        ("nbf-string", {"nbf": str(ISSUED)}), ("nbf-date-string", {"nbf": "2025-06-15T15:06:40Z"}), ("nbf-null", {"nbf": None}),
        ("nbf-boolean", {"nbf": True}), ("nbf-array", {"nbf": [ISSUED]}),
        ("exp-string", {"exp": str(NOW + 1)}), ("exp-negative", {"exp": -1}), ("exp-1e300", {"exp": Raw("1e300")}),
        ("exp-boolean", {"exp": False}), ("exp-year-10000", {"exp": 253402300800})):
    v(f"time/{name}", signed(changes), "malformed-payload", f"{name.replace('-', ' ')}: no date from 1970 to 9999")
v("time/at-seconds", signed({"nbf": NOW}), "pass", "--at in seconds since 1970", at=str(NOW), json={"/verifiedAt": AT})
v("time/at-seconds-before", signed({"nbf": NOW}), "not-yet-valid", "--at a second earlier", at=str(NOW - 1))
v("time/at-offset", signed({"nbf": NOW}), "pass", "--at with an offset", at="2026-06-01T02:00:00+02:00")
v("time/at-offset-before", signed({"nbf": NOW}), "not-yet-valid", "the same wall clock further east", at="2026-06-01T00:00:00+02:00")

v("time/at-issued", EXPIRED, "pass", "expired today, and valid when it was issued", at="issued",
  json={"/verifiedAt": None, "/cards/0/verifiedAt": "2025-06-15T15:06:40Z"})
v("time/at-issued-two", [EXPIRED, LAB], "pass", "each card as of its own issue", at="issued",
  json={f"/cards/{i}/verifiedAt": "2025-06-15T15:06:40Z" for i in (0, 1)})
v("time/at-issued-in-future", signed({"nbf": 253402300799}), "not-yet-valid", "a card that is not issued yet is judged by the clock", at="issued")
v("time/at-issued-exp-before-nbf", signed({"exp": ISSUED - 1}), "expired", "expired before it was issued: never valid", at="issued")
v("time/at-issued-unreadable", "eyJ.e30.AA", "malformed-jws", "no date can be read", at="issued")
v("time/at-date", CARD, "usage", "a date alone; the message says what to write", at="2026-06-01", hints=["--at 2026-06-01t00:00:00z"])
v("time/at-no-zone", CARD, "usage", "no zone; the message says what to write", at="2026-06-01T10:00:00", hints=["--at 2026-06-01t10:00:00z"])

# Keys

v("keys/markup", card(MARKED_CLAIMS, A, header(A, kid=MARKUP)), "key-not-found", "HTML in every text of a card that fails, and in the kid")
v("keys/private-half-beside", CARD, "key-invalid", "d next to the same kid and point without d: anyone who reads the set can sign",
  jwks=[key_set(A.jwk(), A.private_jwk())])
v("keys/private-half-first", CARD, "key-invalid", "the entry with d comes first", jwks=[key_set(A.private_jwk(), A.jwk())])
v("keys/private-half-only", CARD, "key-invalid", "the only entry has d", jwks=[key_set(A.private_jwk())])
v("keys/private-half-other-kid", CARD, "key-invalid", "d under another kid, at the same point",
  jwks=[key_set(A.jwk(), A.private_jwk(kid="other"))])
v("keys/private-half-without-kid", CARD, "key-invalid", "d in an entry without kid, at the same point",
  jwks=[key_set(A.jwk(), A.private_jwk(kid=ABSENT, use=ABSENT, alg=ABSENT))])
v("keys/private-half-of-another", CARD, "pass", "d on another, unrelated key of the set", jwks=[key_set(A.jwk(), B.private_jwk())])
KID_STRIPPED = thumbprint(b64url(ZERO_X.x[1:]), b64url(ZERO_X.y))
SHORT_X = ZERO_X.jwk(x=b64url(ZERO_X.x[1:]), kid=KID_STRIPPED)
BY_ZERO_X = signed(key=ZERO_X, head=header(ZERO_X, kid=KID_STRIPPED))
# One key ID for many keys: 32 are tried, and unusable ones do not count
CROWD = [Key(f"crowd-{number}") for number in range(32)]
v("keys/of-one-kid", CARD, "pass", "the card's key is the last of 32 with its kid", jwks=[key_set(*[key.jwk(kid=A.kid) for key in CROWD[1:]], A.jwk())])
v("keys/too-many-of-one-kid", CARD, "keys-unavailable", "the card's key is the 33rd with its kid: that is no fault of the card",
  jwks=[key_set(*[key.jwk(kid=A.kid) for key in CROWD], A.jwk())], json={"/verdict": "undetermined"})
v("keys/too-many-of-one-kid-first", CARD, "pass", "the card's key is the first of 33 with its kid",
  jwks=[key_set(A.jwk(), *[key.jwk(kid=A.kid) for key in CROWD])])
v("keys/unusable-of-one-kid", CARD, "pass", "40 entries with the card's kid are no points on the curve",
  jwks=[key_set(*[A.jwk(x=b64url(bytes([number]) + A.x[1:])) for number in range(40) if number != A.x[0]], A.jwk())])
v("keys/short-x", BY_ZERO_X, "pass", "x of 31 bytes: the leading zero stripped, kid computed over that form", jwks=[key_set(SHORT_X)])
v("keys/short-x-thumbprint", signed(key=ZERO_X), "pass", "x of 31 bytes under the kid of the full form",
  jwks=[key_set(ZERO_X.jwk(x=b64url(ZERO_X.x[1:])))])
v("keys/short-y", signed(key=ZERO_Y), "pass", "y of 31 bytes", jwks=[key_set(ZERO_Y.jwk(y=b64url(ZERO_Y.y[1:])))])
v("keys/full-x-with-zero", signed(key=ZERO_X), "pass", "the same key with its leading zero", jwks=[key_set(ZERO_X.jwk())])
v("keys/private-half-spelled-otherwise", BY_ZERO_X, "key-invalid", "d at the same point, whose x is spelled without its leading zero",
  jwks=[key_set(SHORT_X, ZERO_X.private_jwk())])
v("keys/padded-x", CARD, ["pass", "key-invalid"], "x of 33 bytes, a zero in front", jwks=[key_set(A.jwk(x=b64url(b"\0" + A.x)))])
SHARED = [Scoped(ISS, key_set(A.jwk(kid="shared"))), Scoped(ISS_B, key_set(B.jwk(kid="shared")))]
SHARED_A, SHARED_B = signed(head=header(A, kid="shared")), signed({"iss": ISS_B}, B, head=header(B, kid="shared"))
v("keys/shared-kid", [SHARED_A, SHARED_B], "pass", "one kid under two issuers: each card meets its own issuer's key", jwks=SHARED,
  json={"/cards/1/verdict": "pass"})
v("keys/shared-kid-of-other-issuer", signed(key=B, head=header(B, kid="shared")), "signature-invalid",
  "issuer B signs in the name of issuer A, under the kid they share", jwks=SHARED)
v("keys/scoped", CARD, "pass", "a set for the card's issuer", jwks=[Scoped(ISS, SET)])
v("keys/scoped-to-another", CARD, "keys-unavailable", "a set for another issuer only, and offline: a set for this one is missing",
  jwks=[Scoped(ISS_B, SET)], json={"/verdict": "undetermined", "/cards/0/issuer/trust": "unchecked"})
v("keys/scoped-to-another-required", CARD, "issuer-not-trusted", "the same, and trust is required",
  jwks=[Scoped(ISS_B, SET)], args=["--require-trusted"], json={"/verdict": "fail", "/cards/0/issuer/trust": "untrusted"})
v("keys/scoped-near-miss", CARD, "issuer-not-trusted", "issuers are compared exactly; the message says so",
  jwks=[Scoped("https://Issuer-A.example/cards", SET)], args=["--require-trusted"], hints=["case"])
v("keys/scoped-with-slash", CARD, "usage", "no card can name such an issuer", jwks=[Scoped(ISS + "/", SET)], hints=["slash"])
v("keys/none", CARD, "keys-unavailable", "no keys, and offline", jwks=[], json={"/verdict": "undetermined", "/exitCode": 20})
v("keys/empty-set", CARD, "key-not-found", "an issuer with no keys", jwks=[key_set()])
v("keys/kid-absent", BY_ISSUER_B, "key-not-found", "a set without the card's kid")
v("keys/kid-of-other-case", signed(head=header(A, kid=A.kid.swapcase())), "key-not-found", "kids are compared exactly")
v("keys/kid-not-thumbprint", signed(head=header(A, kid="key-1")), "pass", "a kid that is not the thumbprint concerns only lint",
  jwks=[key_set(A.jwk(kid="key-1"))])
v("keys/kid-of-another-key", signed(head=header(A, kid="key-2025")), "key-not-found",
  "the card verifies under another key of this issuer: the message says so, but the card does not pass", jwks=[key_set(A.jwk(kid="key-2026"))], hints=["key-2026"])
v("keys/kid-missing-in-set", CARD, "key-not-found", "an entry without kid", jwks=[key_set(A.jwk(kid=ABSENT))])
v("keys/kid-number-in-set", CARD, "key-not-found", "an entry whose kid is a number", jwks=[key_set(A.jwk(kid=7))])
v("keys/two-sets", CARD, "pass", "the key is in the second of two sets", jwks=[key_set(B.jwk()), SET])
v("keys/same-key-twice", CARD, "pass", "one entry per certificate: the same key under the same kid",
  jwks=[key_set(A.jwk(), A.jwk(comment="again"))])
P384 = ec.derive_private_key(A.d, ec.SECP384R1()).public_key().public_numbers()
P384_JWK = A.jwk(kid="p-384", alg="ES384", crv="P-384", x=b64url(octets(P384.x, 48)), y=b64url(octets(P384.y, 48)))
RSA = [{"kty": "RSA", "kid": f"rsa-{i}", "n": b64url(b"\xc1" + noise(f"rsa {i}", 254) + b"\1"), "e": "AQAB"} for i in range(29)]
JUNK = [None, 7, "key", [], {}, True, P384_JWK, {"kty": "EC"}, {"kty": 1, "kid": []}, {"kty": "oct", "kid": "oct", "k": "c2VjcmV0"},
        {"kty": "OKP", "kid": "okp", "crv": "Ed25519", "x": b64url(noise("okp", 32))},
        {"kty": "EC", "kid": "off-curve", "crv": "P-256", "x": b64url(octets(1)), "y": b64url(octets(1))},
        {"kty": "EC", "kid": "bad", "crv": "P-256", "x": "+/=", "y": None}]
v("keys/junk-beside", CARD, "pass", "29 RSA keys, other kinds, and entries that are not keys, next to the one that counts",
  jwks=[key_set(*RSA, *JUNK, A.jwk(), *JUNK)])
v("keys/alg-and-use-absent", CARD, "pass", "missing alg and use concern only lint", jwks=[key_set(A.jwk(alg=ABSENT, use=ABSENT))])
v("keys/other-members", CARD, "pass", "members that real issuers add, counters as strings", jwks=[key_set(A.jwk(
    crlVersion="1", ctr="1", date=1750000000000, keyId=7, keySize=256, hasPrivateKey=True, sig="x", key_ops=["verify"]), comment="made up")])
v("keys/member-order", CARD, "pass", "members of the set and of the key in another order",
  jwks=[{"comment": [], "keys": [dict(reversed(A.jwk().items()))]}])
SQRT_B = pow(0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B, (P + 1) // 4, P)
for name, changes, why in (
        ("alg-es384", {"alg": "ES384"}, "another alg"), ("alg-rs256", {"alg": "RS256"}, "an alg of another kind"),
        ("alg-number", {"alg": 1}, "an alg that is not a string"), ("use-enc", {"use": "enc"}, "a key to encrypt with"),
        ("kty-rsa", {"kty": "RSA"}, "another kty"), ("kty-missing", {"kty": ABSENT}, "no kty"),
        ("crv-p-384", {"crv": "P-384"}, "another crv"), ("crv-lower-case", {"crv": "p-256"}, "crv is case-sensitive"),
        ("crv-secp256k1", {"crv": "secp256k1"}, "Bitcoin's curve"), ("crv-missing", {"crv": ABSENT}, "no crv"),
        ("x-missing", {"x": ABSENT}, "no x"), ("y-missing", {"y": ABSENT}, "no y"), ("x-number", {"x": 1}, "x is a number"),
        ("x-empty", {"x": ""}, "x is empty"), ("x-padded-wrongly", {"x": b64url(A.x) + "=="}, "padding that fills no group"),
        ("x-padding-alone", {"x": "===="}, "nothing but padding"), ("x-padding-inside", {"x": "=" + b64url(A.x)}, "an equals sign that is no padding"),
        ("x-plus", {"x": "+" + b64url(A.x)[1:]}, "not in the alphabet of base64url"),
        ("x-space", {"x": b64url(A.x)[:9] + " " + b64url(A.x)[9:]}, "white space in base64url"),
        ("x-trailing-bits", {"x": dirtied(b64url(A.x))}, "unused bits that are not zero"),
        ("y-trailing-bits", {"y": dirtied(b64url(A.y))}, "unused bits that are not zero"),
        ("off-curve", {"y": b64url(A.y[:-1] + bytes([A.y[-1] ^ 1]))}, "a point that is not on the curve"),
        ("zero-point", {"x": b64url(bytes(32)), "y": b64url(bytes(32))}, "(0, 0)"),
        ("x-y-swapped", {"x": b64url(A.y), "y": b64url(A.x)}, "x and y swapped"),
        ("x-too-long", {"x": b64url(b"\1" + A.x)}, "x of 33 bytes"),
        ("x-equals-p", {"x": b64url(octets(P)), "y": b64url(octets(SQRT_B))}, "x = p, on the curve only after reduction"),
        ("p-384-point", {"x": P384_JWK["x"], "y": P384_JWK["y"]}, "a point of another curve")):
    v(f"keys/{name}", CARD, "key-invalid", why, jwks=[key_set(A.jwk(**changes))])
LAX_KEY = {"/cards/0/warnings/0/code": "key-encoding", "/cards/0/warnings/1": None}
for name, key, changes, why in (
        ("x-padded", A, {"x": b64url(A.x) + "="}, "base64url with padding"), ("y-padded", A, {"y": b64url(A.y) + "="}, "padding in y"),
        ("both-padded", A, {"x": b64url(A.x) + "=", "y": b64url(A.y) + "="}, "padding in both: one warning"),
        ("short-x-padded", ZERO_X, {"x": b64url(ZERO_X.x[1:]) + "=="}, "x of 31 bytes, with two equals signs")):
    v(f"keys/{name}", signed(key=key), "pass", why, jwks=[key_set(key.jwk(**changes))], json=LAX_KEY)
v("keys/padded-beside", CARD, "pass", "padding in another key of the set says nothing about this one",
  jwks=[key_set(B.jwk(x=b64url(B.x) + "="), A.jwk())], json={"/cards/0/warnings/0": None})
v("keys/padded-private-half-beside", CARD, "key-invalid", "d beside the same point, written with padding",
  jwks=[key_set(A.jwk(x=b64url(A.x) + "="), A.private_jwk(kid="other"))])
v("keys/byte-order-mark", CARD, "pass", "a byte-order mark before the key set", jwks=[b"\xef\xbb\xbf" + minify(SET)], json=LAX_KEY)
v("keys/byte-order-mark-scoped", CARD, "pass", "the same in a set for the card's issuer", jwks=[Scoped(ISS, b"\xef\xbb\xbf" + minify(SET))],
  json=LAX_KEY)
v("keys/byte-order-mark-twice", CARD, ["pass", "usage"], "an editor may have added one more", jwks=[b"\xef\xbb\xbf" * 2 + minify(SET)])
OTHERS = [Key(f"one of many {number}") for number in range(32)]
many = lambda count: [each.jwk(kid=A.kid) for each in OTHERS[:count]]
v("keys/fifth-of-one-kid", CARD, "pass", "the fifth key of one kid", jwks=[key_set(*many(4), A.jwk())], json={"/cards/0/warnings/0": None})
v("keys/last-of-one-kid", CARD, "pass", "the last key of one kid that is tried", jwks=[key_set(*many(31), A.jwk())])
v("keys/beyond-the-last-of-one-kid", CARD, "keys-unavailable", "32 other keys of the kid come first: it is not tried",
  jwks=[key_set(*many(32), A.jwk())])
v("keys/repeats-of-one-kid", CARD, "pass", "40 entries of two other keys come first: each key counts once",
  jwks=[key_set(*many(2) * 20, A.jwk())])
v("keys/p-384-key", CARD, "key-invalid", "a good P-384 key under the card's kid", jwks=[key_set(P384_JWK | {"kid": A.kid})])
v("keys/other-key-under-kid", CARD, "signature-invalid", "a good key that did not sign the card", jwks=[key_set(B.jwk(kid=A.kid))])
v("keys/y-negated", CARD, "signature-invalid", "the mirrored point: on the curve, another key",
  jwks=[key_set(A.jwk(y=b64url(octets(P - int.from_bytes(A.y, "big")))))])

# Certificates

ROOT_CERTIFICATE = certificate("Test Root", ROOT, authority=True, years=(2020, 2040))
LEAF = certificate("Test Issuer A", A, "Test Root", ROOT, uri=ISS)
OLD_LEAF = certificate("Test Issuer A", A, "Test Root", ROOT, uri=ISS, years=(2021, 2022))
SAMPLE_LEAF = certificate("Test Issuer A", A, "Test Root", ROOT, uri="https://sample.example/issuer")
BELOW = certificate("Test Intermediate", INTERMEDIATE, "Test Root", ROOT, authority=True)
LEAF_BELOW = certificate("Test Issuer A", A, "Test Intermediate", INTERMEDIATE, uri=ISS)
OTHER_LEAF = certificate("Test Issuer A", A, "Test Root", OTHER_ROOT, uri=ISS)
ANCHOR = pem(ROOT_CERTIFICATE)
with_x5c = lambda *chain: [key_set(A.jwk(x5c=x5c(*chain)))]
v("certificates/present", CARD, "pass", "x5c counts only if the verifier has anchors", jwks=with_x5c(LEAF, ROOT_CERTIFICATE))
v("certificates/expired", CARD, "pass", "an expired leaf, like every real one, is a warning without anchors", jwks=with_x5c(OLD_LEAF))
v("certificates/other-name", CARD, "pass", "a SAN copied from an example is a warning without anchors", jwks=with_x5c(SAMPLE_LEAF))
for name, value in (("garbage", ["AAAA"]), ("not-base64", ["%%%%"]), ("empty", []), ("string", x5c(LEAF)[0]), ("numbers", [1, None])):
    v(f"certificates/{name}", CARD, "pass", f"x5c: {name.replace('-', ' ')}; no leaf to compare, and no anchors",
      jwks=[key_set(A.jwk(x5c=value))])
v("certificates/other-key", CARD, "certificate-invalid", "the leaf's key is not the JWK's",
  jwks=with_x5c(certificate("Test Issuer A", B, "Test Root", ROOT, uri=ISS)))
v("certificates/other-key-elsewhere", CARD, "pass", "a bad certificate on another key of the set",
  jwks=[key_set(A.jwk(), B.jwk(x5c=x5c(LEAF)))])
v("certificates/anchored", CARD, "pass", "trusted by its certificate", jwks=with_x5c(LEAF), anchor=[ANCHOR],
  json={"/cards/0/issuer/trust": "certificate"})
v("certificates/anchored-with-intermediate", CARD, "pass", "a path of three", jwks=with_x5c(LEAF_BELOW, BELOW), anchor=[ANCHOR],
  json={"/cards/0/issuer/trust": "certificate"})
v("certificates/anchored-expired", CARD, "certificate-invalid", "expired at the time of verification", jwks=with_x5c(OLD_LEAF),
  anchor=[ANCHOR])
for name, chain, why in (("other-name", [SAMPLE_LEAF], "the certificate names another issuer"),
        ("other-root", [OTHER_LEAF], "signed by another root of the same name"),
        ("without-intermediate", [LEAF_BELOW], "one certificate of the path is missing"),
        ("issuer-not-authority", [certificate("Test Issuer A", A, "Test Issuer B", B, uri=ISS),
         certificate("Test Issuer B", B, "Test Root", ROOT, uri=ISS_B)], "signed by a leaf, which is not an authority")):
    v(f"certificates/anchored-{name}", CARD, ["certificate-invalid", "issuer-not-trusted"], why, jwks=with_x5c(*chain), anchor=[ANCHOR])
v("certificates/anchored-no-x5c", CARD, ["certificate-invalid", "issuer-not-trusted"], "no certificate at all", anchor=[ANCHOR])

# Several entries of one kid: only a key with a certificate of its own is trusted because of a certificate. What is beside it does
# not matter, and neither does the order.

CERTIFIED, PLAIN_ENTRY = A.jwk(x5c=x5c(LEAF)), A.jwk()
BESIDE = {
    "for-encryption": A.jwk(use="enc", x5c=x5c(LEAF)), "rsa": {**RSA[0], "kid": A.kid, "x5c": x5c(LEAF)},
    "off-curve": A.jwk(y=b64url(A.y[:-1] + bytes([A.y[-1] ^ 1])), x5c=x5c(LEAF)), "private": B.private_jwk(kid=A.kid, x5c=x5c(LEAF)),
    "garbage-certificate": A.jwk(use="enc", x5c=["AAAA"]), "other-root": A.jwk(use="enc", x5c=x5c(OTHER_LEAF)),
    "without-certificate": A.jwk(use="enc"), "other-curve": {**P384_JWK, "kid": A.kid, "x5c": x5c(LEAF)},
    "key-of-issuer": B.jwk(kid=A.kid, use="enc", x5c=x5c(certificate("Test Issuer A", B, "Test Root", ROOT, uri=ISS)))}
NOT_CERTIFIED = ["issuer-not-trusted", "certificate-invalid"]
for name, entry in BESIDE.items():
    for order, keys in (("before", [entry, PLAIN_ENTRY]), ("after", [PLAIN_ENTRY, entry])):
        v(f"certificates/anchored-{name}-{order}", CARD, NOT_CERTIFIED,
          f"an entry that cannot be used ({name.replace('-', ' ')}) {order} a usable one without a certificate",
          jwks=[key_set(*keys)], anchor=[ANCHOR], args=["--require-trusted"], json={"/cards/0/issuer/trust": "untrusted"})
        v(f"certificates/anchored-{name}-{order}-certified", CARD, "pass",
          f"the same {order} the key with its certificate", jwks=[key_set(*({"before": [entry, CERTIFIED], "after": [CERTIFIED, entry]}[order]))],
          anchor=[ANCHOR], args=["--require-trusted"], json={"/cards/0/issuer/trust": "certificate"})
v("certificates/anchored-other-key-of-kid", CARD, "signature-invalid", "another key of the kid has the certificate, and this one signed the card",
  jwks=[key_set(PLAIN_ENTRY, B.jwk(kid=A.kid, x5c=x5c(certificate("Test Issuer A", B, "Test Root", ROOT, uri=ISS))))], anchor=[ANCHOR])
v("certificates/anchored-no-usable-key", CARD, "key-invalid", "no entry can be used", jwks=[key_set(BESIDE["for-encryption"])], anchor=[ANCHOR])
v("certificates/anchored-private-half-beside", CARD, "key-invalid", "the certified key, burnt in another entry",
  jwks=[key_set(CERTIFIED, A.private_jwk(kid="other"))], anchor=[ANCHOR])
v("certificates/anchored-scoped", CARD, NOT_CERTIFIED, "a set for the issuer, beside an anchor", jwks=[Scoped(ISS, key_set(PLAIN_ENTRY, BESIDE["rsa"]))],
  anchor=[ANCHOR], args=["--require-trusted"])

# Trust: judged after the format and before keys are sought

v("trust/listed", CARD, "pass", "on the list", trust=[ISS], json={"/cards/0/issuer/trust": "allow-list"})
v("trust/two-lists", [CARD, BY_ISSUER_B], "pass", "two issuers on the list", trust=[ISS_B, ISS],
  jwks=[Scoped(ISS, SET), Scoped(ISS_B, key_set(B.jwk()))],
  json={"/cards/1/issuer/trust": "allow-list"})
v("trust/not-listed", CARD, "issuer-not-trusted", "not on the list, whatever its keys", trust=[ISS_B],
  json={"/cards/0/issuer/trust": "untrusted", "/cards/0/verdict": "fail"})
v("trust/not-listed-no-keys", CARD, "issuer-not-trusted", "trust is judged before keys are sought", trust=[ISS_B], jwks=[])
v("trust/not-listed-bad-key", CARD, "issuer-not-trusted", "trust comes before the key", trust=[ISS_B], jwks=[key_set(A.private_jwk())])
v("trust/not-listed-bad-signature", BAD_SIGNATURE, "issuer-not-trusted", "trust comes before the signature", trust=[ISS_B])
v("trust/not-listed-malformed", signed({"vc": ABSENT}), "malformed-payload", "the format comes before trust", trust=[ISS_B])
v("trust/listed-no-keys", CARD, "keys-unavailable", "trusted, but no keys", trust=[ISS], jwks=[])
v("trust/listed-bad-signature", BAD_SIGNATURE, "signature-invalid", "trusted, and forged", trust=[ISS])
v("trust/trailing-slash", CARD, "issuer-not-trusted", "a nearly equal issuer is not accepted; the message says so", trust=[ISS + "/"], hints=["trailing slash"])
v("trust/case", CARD, "issuer-not-trusted", "a nearly equal issuer is not accepted; the message says so", trust=["https://Issuer-A.example/cards"],
  hints=["case"])
v("trust/path-case", CARD, "issuer-not-trusted", "paths are compared exactly", trust=["https://issuer-a.example/Cards"])
v("trust/prefix", CARD, "issuer-not-trusted", "a host is not an issuer", trust=["https://issuer-a.example"])
v("trust/longer", signed({"iss": ISS + "/attacker"}), "issuer-not-trusted", "an issuer that only begins like the trusted one", trust=[ISS])
v("trust/longer-host", signed({"iss": "https://issuer-a.example.attacker.example/cards"}), "issuer-not-trusted",
  "another host that begins like the issuer's", trust=["https://issuer-a.example"])
v("trust/default-port", signed({"iss": "https://issuer-a.example:443/cards"}), "issuer-not-trusted", "no normalisation, not even of ports",
  trust=[ISS])
v("trust/second-card", file(CARD, BY_ISSUER_B), "issuer-not-trusted", "trust is judged card by card", trust=[ISS],
  jwks=[key_set(A.jwk(), B.jwk())], json={"/cards/0/verdict": "pass"})
v("trust/required-alone", CARD, "usage", "--require-trusted without a list", jwks=[], args=["--require-trusted"])
v("trust/required-by-list", CARD, "pass", "--require-trusted with --trust", trust=[ISS], args=["--require-trusted"])
SEVERAL = "several issuers"
v("trust/keys-of-nobody-beside-two-issuers", CARD, "usage", "the owner of a key in the set could sign as any of the issuers", jwks=[SET],
  trust=[ISS, ISS_B], hints=[SEVERAL, "iss="])
v("trust/one-issuer-named-twice", CARD, "pass", "one issuer, whose keys these must be", jwks=[SET], trust=[ISS, ISS])
v("trust/key-of-another-ward", signed(key=B), "usage", "issuer B signs as issuer A", jwks=[key_set(A.jwk(), B.jwk())], trust=[ISS, ISS_B],
  hints=[SEVERAL])
v("trust/key-of-another-ward-scoped", signed(key=B), "key-not-found", "issuer B signs as issuer A: each key has its owner",
  jwks=[Scoped(ISS, SET), Scoped(ISS_B, key_set(B.jwk()))], trust=[ISS, ISS_B])
v("trust/keys-alone-of-nobody", BY_ISSUER_B, "key-not-found", "keys of nobody in particular trust what they have signed", jwks=[SET])
v("trust/keys-of-two-issuers-alone", [CARD, BY_ISSUER_B], "pass", "keys of two issuers", jwks=[Scoped(ISS, SET), Scoped(ISS_B, key_set(B.jwk()))],
  json={"/cards/1/issuer/trust": "jwks"})
v("trust/key-of-nobody-beside-keys-of-the-issuer", signed(key=B), "key-not-found", "the keys of the issuer were given: another's cannot sign in its name",
  jwks=[Scoped(ISS, SET), key_set(B.jwk())])
v("trust/key-of-nobody-beside-keys-of-the-named-issuer", signed(key=B), "key-not-found", "the same with the issuer named", trust=[ISS],
  jwks=[Scoped(ISS, SET), key_set(B.jwk())])
v("trust/keys-of-an-issuer-and-of-nobody", [BY_ISSUER_B, CARD], "pass", "a set for one issuer and a set for all", jwks=[Scoped(ISS_B, key_set(B.jwk())), SET])
SIGNER_KID = base64.b64encode(noise("kid of a signer", 8)).decode()
SIGNER_KEYS = key_set(B.jwk(kid=SIGNER_KID), B.jwk(kid=SIGNER_KID.rstrip("="), x5c=x5c(certificate("Test Signer", B, "Test Root", ROOT))))
for name, kid in (("padded", SIGNER_KID), ("unpadded", SIGNER_KID.rstrip("="))):
    v(f"trust/{name}-key-of-a-signer", signed(key=B, head=header(B, kid=kid)), "key-not-found",
      "keys of signers of EU certificates are no keys of cards", jwks=[SIGNER_KEYS], args=["--require-trusted"])
v("trust/key-of-a-signer-beside-keys", signed(key=B, head=header(B, kid=SIGNER_KID)), "key-not-found", "the same in one set with keys of cards",
  jwks=[key_set(*SET["keys"], *SIGNER_KEYS["keys"])], trust=[ISS])
v("trust/keys-of-signers-beside-issuers", CARD, "pass", "a set that has only signers is not meant by the rule about several issuers",
  jwks=[Scoped(ISS, SET), SIGNER_KEYS], trust=[ISS, ISS_B])
v("trust/unpadded-kid-of-eight-bytes", signed(key=B, head=header(B, kid="hospital-00")), "pass",
  "a key ID that only happens to be base64 of eight bytes, without a certificate", jwks=[key_set(B.jwk(kid="hospital-00"))])
v("trust/required-by-keys", CARD, "pass", "--jwks alone is a statement of trust in those keys", args=["--require-trusted"])
listing = lambda *issuers: {"participating_issuers": list(issuers)}
known = lambda iss, **others: {"iss": iss, "name": "Example Issuer A", **others}
snapshot = lambda *infos: {"directory": "https://directory.example/vci-issuers.json", "time": "2026-05-31T00:00:00Z",
  "issuerInfo": list(infos)}
info = lambda iss, keys, crls=None: {"issuer": known(iss), "keys": keys, **({"crls": crls} if crls else {}),
  "lastRetrieved": "2026-05-31T00:00:00Z"}
SNAPSHOT_OF_A = snapshot(info(ISS, [A.jwk()]))
v("directory/listed", CARD, "pass", "on the directory's list", directory=[listing(known(ISS_B), known(ISS))],
  json={"/cards/0/issuer/trust": "directory", "/cards/0/issuer/name": "Example Issuer A"})
v("directory/not-listed", CARD, "issuer-not-trusted", "not on the directory's list", directory=[listing(known(ISS_B))])
v("directory/canonical-iss", CARD, "issuer-not-trusted", "canonical_iss never extends trust",
  directory=[listing(known(ISS_B, canonical_iss=ISS))])
v("directory/trailing-slash", CARD, "issuer-not-trusted", "issuers are compared exactly", directory=[listing(known(ISS + "/"))])
v("directory/lists-add-up", CARD, "pass", "an issuer on any of the lists", directory=[listing(known(ISS_B))], trust=[ISS])
v("directory/snapshot", CARD, "pass", "a snapshot's keys", jwks=[],
  directory=[snapshot(info(ISS_B, [B.jwk()]), info(ISS, [A.jwk(date=1, ctr="1")]))], json={"/cards/0/key/source": "directory"})
v("directory/snapshot-shared-kid", [SHARED_A, SHARED_B], "pass", "one kid under two issuers of a snapshot", jwks=[],
  directory=[snapshot(info(ISS, [A.jwk(kid="shared")]), info(ISS_B, [B.jwk(kid="shared")]))])
v("directory/snapshot-other-issuer", CARD, "issuer-not-trusted", "the kid is listed under another issuer", jwks=[],
  directory=[snapshot(info(ISS_B, [A.jwk()]))])
v("directory/snapshot-beside-list", CARD, "pass", "each directory is a source of its own: a snapshot vouches for its issuers, with a warning",
  jwks=[], directory=[snapshot(info(ISS, [A.jwk()])), listing(known(ISS_B))],
  json={"/cards/0/warnings/0/code": "issuer-not-on-list", "/cards/0/issuer/trust": "directory"})
v("directory/snapshot-private-half", CARD, "key-invalid", "a snapshot that holds d", jwks=[],
  directory=[snapshot(info(ISS, [A.private_jwk()]))])
v("directory/snapshot-without-keys", CARD, ["key-not-found", "keys-unavailable"], "an issuer whose keys could not be retrieved", jwks=[],
  directory=[snapshot(info(ISS, []))])
v("directory/snapshot-revoked", WITH_RID, "revoked", "a snapshot's revocation list", jwks=[],
  directory=[snapshot(info(ISS, [A.jwk(crlVersion=1)], [{"kid": A.kid, "method": "rid", "ctr": 1, "rids": [RID]}]))])
v("directory/not-json", CARD, "usage", "a directory that cannot be parsed", directory=[b"<html>"])
# The names of the members at the top say what a directory is, as they are parsed, and nothing that an issuer writes does
LIKE_NAMES = ("certificates", "verificationMethod", "kty", "keys")
v("directory/issuers-like-names", CARD, "pass", "issuers whose names are those of members of other lists",
  directory=[listing(*(known(f"https://issuer-{i}.example", name=name) for i, name in enumerate(LIKE_NAMES)), known(ISS))])
v("directory/keys-like-names", CARD, "pass", "keys of another issuer whose IDs are such names", jwks=[],
  directory=[snapshot(info(ISS_B, [B.jwk(kid=name) for name in LIKE_NAMES]), info(ISS, [A.jwk()]))])
v("directory/keys-like-names-own", signed(head=header(A, kid="certificates")), "pass", "the issuer's own key has such an ID", jwks=[],
  directory=[snapshot(info(ISS, [A.jwk(kid="certificates")]))])
v("directory/members-like-names", CARD, "pass", "an entry with members of such names",
  directory=[listing(known(ISS, certificates=[], verificationMethod=[], kty="EC", keys=[]))])
v("directory/escaped-name", CARD, "pass", "the one name is written with an escape",
  directory=[minify(listing(known(ISS))).replace(b"_issuers", b"\\u005fissuers")])
for name, others in (("did", {"verificationMethod": []}), ("german", {"certificates": []}), ("keys", {"keys": [A.jwk()]})):
    v(f"directory/two-kinds-{name}", CARD, "usage", "a list of issuers that is a list of another kind as well", directory=[listing(known(ISS)) | others],
      hints=["--directory"])
    v(f"directory/two-kinds-{name}-snapshot", CARD, "usage", "a snapshot that is a list of another kind as well",
      directory=[snapshot(info(ISS, [A.jwk()])) | others], hints=["--directory"])
v("directory/two-kinds-escaped", CARD, "usage", "the second kind is written with an escape",
  directory=[minify(listing(known(ISS)) | {"certificates": []}).replace(b'"certificates"', b'"\\u0063ertificates"')], hints=["--directory"])
v("directory/list-and-snapshot", CARD, "usage", "a list and a snapshot in one document", directory=[listing(known(ISS)) | SNAPSHOT_OF_A],
  hints=["--directory"])
v("directory/key-set", CARD, "usage", "a key set as a directory", directory=[SET], hints=["--directory", "key set"])
v("directory/crl", CARD, "usage", "a revocation list as a directory", directory=[{"kid": A.kid, "method": "rid", "ctr": 1, "rids": []}],
  hints=["--directory", "revocation list"])
v("directory/none", CARD, "usage", "an object that is no list", directory=[{"issuers": [known(ISS)]}], hints=["--directory"])
v("directory/nested", CARD, "usage", "a list of issuers one level too deep", directory=[{"list": listing(known(ISS))}], hints=["--directory"])
v("directory/jwks-directory", CARD, "usage", "a list of issuers as a key set", jwks=[listing(known(ISS))], hints=["--jwks"])
v("directory/jwks-more-members", CARD, "pass", "members of a key set that nobody knows are ignored (RFC 7517, section 5)",
  jwks=[SET | {"certificates": [], "comment": "made up"}])

# Revocation

KEY_1 = [key_set(A.jwk(crlVersion=1))]
crl = lambda *rids, **changes: edited({"kid": A.kid, "method": "rid", "ctr": 1, "rids": list(rids)}, changes)
v("revocation/listed", WITH_RID, "revoked", "the card's rid is listed", jwks=KEY_1, crl=[crl("other", RID)])
v("revocation/listed-and-expired", signed({"vc.rid": RID, "exp": ISSUED + 3600}), "expired", "the validity comes first", jwks=KEY_1,
  crl=[crl("other", RID)])
v("revocation/not-listed", WITH_RID, "pass", "not listed", jwks=KEY_1, crl=[crl("other")],
  json={"/cards/0/checks/5/name": "revocation", "/cards/0/checks/5/status": "pass"})
v("revocation/empty-list", WITH_RID, "pass", "an empty list", jwks=KEY_1, crl=[crl()])
v("revocation/no-rid", CARD, "pass", "no rid: nothing to look up by", jwks=KEY_1, crl=[crl(RID)],
  json={"/cards/0/checks/5/name": "revocation", "/cards/0/checks/5/status": "skipped"})
# Only with --require-revocation does a list have to be there for a card that could be on one.
REQUIRED = ["--require-revocation"]
why = lambda word: {"/cards/0/checks/5/status": "skipped", "/cards/0/checks/5/why": word}
v("revocation/required-not-listed", WITH_RID, "pass", "looked up", jwks=KEY_1, crl=[crl("other")], args=REQUIRED)
v("revocation/required-listed", WITH_RID, "revoked", "looked up and found", jwks=KEY_1, crl=[crl(RID)], args=REQUIRED)
v("revocation/required-no-list", WITH_RID, "revocation-unavailable", "no list", jwks=KEY_1, args=REQUIRED)
v("revocation/required-key-without-list", CARD, "pass", "no rid, and the key has no crlVersion: nothing to look up", args=REQUIRED,
  json=why("not-applicable"))
v("revocation/required-rid-key-without-list", WITH_RID, "pass", "the issuer has no list for the key", args=REQUIRED, json=why("not-applicable"))
v("revocation/required-no-rid", CARD, "pass", "no rid, and a list of rids", jwks=KEY_1, crl=[crl(RID)], args=REQUIRED, json=why("not-applicable"))
v("revocation/required-no-rid-no-list", CARD, "revocation-unavailable", "no rid: a list of hashes could name the card, and there is no list",
  jwks=KEY_1, args=REQUIRED, hints=["--crl"])
v("revocation/required-no-rid-unknown-method", CARD, "revocation-unavailable", "no rid, and a list of an unknown method", jwks=KEY_1,
  crl=[crl(RID, method="other")], args=REQUIRED)
v("revocation/required-other-kid", CARD, "revocation-unavailable", "no rid, and the list of another kid", jwks=KEY_1, crl=[crl(RID, kid=B.kid)],
  args=REQUIRED)
v("revocation/why-no-list", CARD, "pass", "no rid, and whether a list names the card is not known", jwks=KEY_1, json=why("not-asked"))
v("revocation/why-not-reached", BAD_SIGNATURE, "signature-invalid", "an earlier check failed", jwks=KEY_1, json=why("not-reached"))
v("revocation/no-rid-no-list", CARD, "pass", "no rid: no list is needed", jwks=KEY_1, json={"/cards/0/checks/5/status": "skipped"})
v("revocation/no-list", WITH_RID, "revocation-unavailable", "the key has a list, the card a rid, and the list is not available", jwks=KEY_1,
  json={"/cards/0/verdict": "undetermined", "/exitCode": 21})
v("revocation/key-without-list", WITH_RID, "pass", "a rid, but the key has no crlVersion")
v("revocation/listed-without-crl-version", WITH_RID, "revoked", "a given list applies, whether or not the key has crlVersion",
  crl=[crl(RID)])
for name, rids, outcome, why in (
        ("issued-before", [f"{RID}.{ISSUED + 1}"], "revoked", "issued a second before the timestamp"),
        ("issued-then", [f"{RID}.{ISSUED}"], "pass", "issued at the timestamp: before is strictly before"),
        ("issued-after", [f"{RID}.{ISSUED - 1}"], "pass", "issued after the timestamp"),
        ("with-and-without", [f"{RID}.{ISSUED - 1}", RID], "revoked", "the same rid with and without timestamp: any match revokes"),
        ("without-and-with", [RID, f"{RID}.{ISSUED - 1}"], "revoked", "the same in the other order"),
        ("two-timestamps", [f"{RID}.{ISSUED + 9}", f"{RID}.{ISSUED - 9}"], "revoked", "two timestamps: the later one matches"),
        ("two-timestamps-reversed", [f"{RID}.{ISSUED - 9}", f"{RID}.{ISSUED + 9}"], "revoked", "the same in the other order"),
        ("twice", [RID, RID], "revoked", "the rid twice"), ("prefix", [RID[:-1], RID + "x"], "pass", "rids that only begin alike are different"),
        ("other-case", [RID.lower()], "pass", "rids are compared exactly"),
        ("among-many", [*(noise(f"rid {i}", 8).hex() for i in range(1000)), RID], "revoked", "one of a thousand"),
        ("bad-timestamp", [f"{RID}.yesterday"], "revocation-unavailable", "a timestamp that is not a number"),
        ("bad-timestamp-of-another", ["other.yesterday"], "revocation-unavailable", "a malformed entry, even another's"),
        ("empty-timestamp", [f"{RID}."], "revocation-unavailable", "a dot and no timestamp"),
        ("negative-timestamp", [f"{RID}.-1"], "revocation-unavailable", "a negative timestamp"),
        ("two-dots", [f"{RID}.1.2"], "revocation-unavailable", "two dots"),
        ("bad-rid", ["a b"], "revocation-unavailable", "a rid outside base64url"),
        ("empty-rid", [""], "revocation-unavailable", "an empty rid"),
        ("number-as-rid", [7], "revocation-unavailable", "a rid that is not a string"),
        ("timestamp-above-64-bits", [f"{RID}.{10 ** 25}"], ["revoked", "revocation-unavailable"],
         "a timestamp beyond every date: never a pass")):
    v(f"revocation/{name}", WITH_RID, outcome, why, jwks=KEY_1, crl=[crl(*rids)])
v("revocation/fraction-before", signed({"vc.rid": RID, "nbf": Raw(f"{ISSUED - 1}.9")}), "revoked",
  "issued a tenth of a second before the timestamp", jwks=KEY_1, crl=[crl(f"{RID}.{ISSUED}")])
for name, version, counter, outcome, why in (
        ("counter-behind", 2, 1, "revocation-unavailable", "the list is older than the key says"),
        ("counter-ahead", 1, 2, "pass", "a newer list will do"), ("strings", "1", "1", "pass", "both counters as strings"),
        ("string-and-number", "1", 1, "pass", "one as a string"),
        ("strings-compared-as-numbers", "9", "10", "pass", '"10" is not less than "9"'),
        ("strings-behind", "10", "9", "revocation-unavailable", '"9" is less than "10"'),
        ("counter-missing", 1, ABSENT, "revocation-unavailable", "the age of the list is unknown"),
        ("counter-not-a-number", 1, "x", "revocation-unavailable", "a counter that is not a number")):
    v(f"revocation/{name}", WITH_RID, outcome, why, jwks=[key_set(A.jwk(crlVersion=version))], crl=[crl("other", ctr=counter)])
v("revocation/old-list-that-lists", WITH_RID, "revoked", "an old list that lists the card",
  jwks=[key_set(A.jwk(crlVersion=2))], crl=[crl(RID)])
v("revocation/ctr-on-key", WITH_RID, "pass", "ctr in the JWK instead of crlVersion, and a list", jwks=[key_set(A.jwk(ctr=1))],
  crl=[crl("other")])
v("revocation/unknown-method", WITH_RID, "revocation-unavailable", "an unknown method", jwks=KEY_1,
  crl=[crl("other", method="unknown")])
v("revocation/no-method", WITH_RID, ["revoked", "revocation-unavailable"], "a list without method that lists the card: never a pass",
  jwks=KEY_1, crl=[crl(RID, method=ABSENT)])
for name, changes, why in (("no-rids", {"rids": ABSENT}, "no rids"), ("rids-object", {"rids": {}}, "rids that are not an array")):
    v(f"revocation/{name}", WITH_RID, ["revocation-unavailable", "usage"], why, jwks=KEY_1, crl=[crl(**changes)])
v("revocation/other-kid", WITH_RID, "revocation-unavailable", "the list of another kid does not count", jwks=KEY_1, crl=[crl(RID, kid=B.kid)])
v("revocation/other-kid-not-needed", WITH_RID, "pass", "the list of another kid, but none is needed", crl=[crl(RID, kid=B.kid)])
v("revocation/two-lists", WITH_RID, "revoked", "several lists of one kid add up", jwks=KEY_1, crl=[crl("other"), crl(RID)])
v("revocation/two-lists-reversed", WITH_RID, "revoked", "in either order", jwks=KEY_1, crl=[crl(RID), crl("other", ctr=2)])
v("revocation/not-json", WITH_RID, "usage", "a list that cannot be parsed", jwks=KEY_1, crl=[b"not a list"])
# The names of the members at the top say what a file of --crl is, as they are parsed, and nothing else in it does
v("revocation/rids-like-names", WITH_RID, "revoked", "rids that are names of members of a batch of certificates", jwks=KEY_1,
  crl=[crl("entries", "hashType", RID)])
v("revocation/rids-like-names-others", WITH_RID, "pass", "a list of nothing but such rids", jwks=KEY_1, crl=[crl("entries", "hashType")])
v("revocation/escaped-names", WITH_RID, "revoked", "a list whose names are written with escapes", jwks=KEY_1,
  crl=[minify(crl(RID)).replace(b'"rids"', b'"rid\\u0073"').replace(b'"method"', b'"\\u006dethod"')])
for name, changes, why in (("entries", {"entries": [{"hash": "x"}]}, "a member of another kind"), ("hash-type", {"hashType": "UCI"}, "another such member")):
    v(f"revocation/beside-{name}", WITH_RID, "revoked", f"a whole list with {why}, which nobody knows here", jwks=KEY_1, crl=[crl(RID, **changes)])
v("revocation/two-kinds", WITH_RID, "usage", "a list of cards and a batch of certificates at once", jwks=KEY_1,
  crl=[crl(RID, hashType="UCI", entries=[])], hints=["--crl"])
v("revocation/two-halves", WITH_RID, "usage", "half of a list of cards, and half of a batch of certificates", jwks=KEY_1,
  crl=[crl(RID, method=ABSENT, entries=[])], hints=["--crl"])
v("revocation/no-kind", WITH_RID, "usage", "an object that has nothing of a list but the key's id", jwks=KEY_1,
  crl=[{"kid": A.kid, "country": "XA", "Entries": [], "hashtype": "UCI"}], hints=["--crl"])
v("revocation/key-set", WITH_RID, "usage", "a key set as a revocation list", jwks=KEY_1, crl=[SET], hints=["--crl", "key set"])
v("revocation/directory", WITH_RID, "usage", "a list of issuers as a revocation list", jwks=KEY_1, crl=[listing(known(ISS))], hints=["--crl"])
v("revocation/array", WITH_RID, "usage", "an array with a revocation list", jwks=KEY_1, crl=[[crl(RID)]], hints=["--crl"])
v("revocation/missing-file", WITH_RID, "unreadable-option", "a list that cannot be read", jwks=KEY_1,
  args=["--crl", "{crls/there-is-none.json}"])

# Several sources of trust

WARNED = {"/cards/0/warnings/0/code": "issuer-not-on-list", "/cards/0/warnings/1": None, "/cards/0/issuer/trust": "directory"}
NOT_WARNED = {"/cards/0/warnings": [], "/cards/0/issuer/trust": "directory"}
SNAPSHOT_A, SNAPSHOT_B = snapshot(info(ISS, [A.jwk()])), snapshot(info(ISS_B, [B.jwk()]))
LIST_A, LIST_B = listing(known(ISS)), listing(known(ISS_B))
v("directory/list-before-snapshot", CARD, "pass", "the same in the other order", jwks=[], directory=[LIST_B, SNAPSHOT_A], json=WARNED)
v("directory/snapshot-beside-list-that-has-the-issuer", CARD, "pass", "on the list as well: no warning", jwks=[],
  directory=[SNAPSHOT_A, LIST_B, LIST_A], json=NOT_WARNED)
v("directory/snapshot-beside-list-and-named", CARD, "pass", "named with --trust as well: no warning", jwks=[],
  directory=[SNAPSHOT_A, LIST_B], trust=[ISS], json=NOT_WARNED)
v("directory/two-snapshots", CARD, "pass", "no list that an issuer could be missing from", jwks=[], directory=[SNAPSHOT_B, SNAPSHOT_A],
  json=NOT_WARNED)

v("directory/keys-of-nobody", CARD, "usage", "a directory of several issuers beside keys that are of none of them", jwks=[SET],
  directory=[listing(known(ISS_B), known(ISS))], hints=[SEVERAL])
v("directory/keys-of-nobody-beside-one-issuer", CARD, "pass", "a directory of one issuer, whose keys these must be", jwks=[SET],
  directory=[listing(known(ISS))])

# Ages are counted by the clock, so a limit is years here.
v("directory/old-keys-beside-recent-ones", CARD, "keys-unavailable", "the key is among those that are too old to rely on", jwks=[],
  directory=[snapshot({**info(ISS, [A.jwk()]), "lastRetrieved": "1990-01-01T00:00:00Z"}), snapshot(info(ISS, [B.jwk()]))],
  args=["--max-directory-age", "10000"])
v("directory/keys-later-than-at", CARD, "pass", "retrieved after --at: the age is counted by the clock", jwks=[], args=["--max-directory-age", "10000"],
  directory=[snapshot({**info(ISS, [A.jwk()]), "lastRetrieved": "2026-07-01T00:00:00Z"})])
v("directory/keys-later-than-now", CARD, "keys-unavailable", "retrieved in the future", jwks=[], args=["--max-directory-age", "10000"],
  directory=[snapshot({**info(ISS, [A.jwk()]), "lastRetrieved": "9999-01-01T00:00:00Z"})])

# A folder is one source. Its list limits its snapshot

v("directory/folder", CARD, "pass", "a folder with a list and a snapshot", jwks=[], args=folder("both", LIST_A, SNAPSHOT_A),
  json=NOT_WARNED | {"/cards/0/key/source": "directory"})
v("directory/folder-clone", CARD, "pass", "a clone of the directory's repository, with the snapshot in logs", jwks=[],
  args=folder("clone", LIST_A, SNAPSHOT_A, "logs/"), json=NOT_WARNED | {"/cards/0/key/source": "directory"})
NOT_ON_LIST = folder("not-on-list", LIST_B, snapshot(info(ISS, [A.jwk()]), info(ISS_B, [B.jwk()])))
v("directory/folder-not-on-list", CARD, "issuer-not-trusted", "in the folder's snapshot, and not on its list", args=NOT_ON_LIST)
v("directory/folder-not-in-snapshot", CARD, "issuer-not-trusted", "on the folder's list, which is not signed, and not in its snapshot",
  args=folder("not-in-snapshot", LIST_A, SNAPSHOT_B))
v("directory/folder-beside-snapshot", CARD, "pass", "a snapshot beside the folder vouches for the issuer, which the folder's list lacks",
  jwks=[], directory=[SNAPSHOT_A], args=NOT_ON_LIST, json=WARNED)
v("directory/folder-beside-list", CARD, "keys-unavailable", "a list beside the folder vouches for the issuer; the folder's keys of it are not used",
  jwks=[], directory=[LIST_A], args=NOT_ON_LIST)
v("directory/folder-without-snapshot", CARD, "unreadable-option", "a folder with a list alone", args=folder("list-alone", LIST_A, None))
v("directory/folder-without-list", CARD, "unreadable-option", "a folder with a snapshot alone", args=folder("snapshot-alone", None, SNAPSHOT_A))
v("directory/folder-list-for-snapshot", CARD, "usage", "a list where the snapshot should be", args=folder("two-lists", LIST_A, LIST_B))
v("directory/folder-snapshot-for-list", CARD, "usage", "a snapshot where the list should be",
  args=folder("two-snapshots", SNAPSHOT_B, SNAPSHOT_A))

# Evidence against a card counts from every source

LISTING_RID = {"kid": A.kid, "method": "rid", "ctr": 1, "rids": [RID]}
LISTING_OTHER, BROKEN_LIST = LISTING_RID | {"rids": ["other"]}, LISTING_RID | {"rids": [7]}
WITHOUT_POINT = {name: value for name, value in A.private_jwk().items() if name not in "xy"}
for name, keys, outcome, why in (
        ("burnt", [A.private_jwk()], "key-invalid", "its private half is published there"),
        ("burnt-under-other-kid", [A.private_jwk(kid="other")], "key-invalid", "the same point under another kid"),
        ("burnt-mirrored", [A.private_jwk(y=b64url(octets(P - int.from_bytes(A.y, "big"))))], "key-invalid", "the point on the other side has n - d"),
        ("burnt-by-kid", [WITHOUT_POINT], "key-invalid", "a private half of its id that does not say which point it is for"),
        ("not-burnt", [B.private_jwk()], "pass", "the private half of another key")):
    v(f"against/{name}", CARD, outcome, f"a snapshot beside the given keys: {why}", directory=[snapshot(info(ISS, keys))])
    v(f"against/{name}-in-folder", CARD, outcome, f"a folder whose list lacks the issuer, beside the given keys: {why}", trust=[ISS],
      args=folder(f"against-{name}", LIST_B, snapshot(info(ISS, keys), info(ISS_B, []))))
for name, keys, outcome, why in (
        ("burnt-at-other-issuer", [A.private_jwk()], "key-invalid", "a point is burnt for all issuers"),
        ("private-half-alone-at-other-issuer", [WITHOUT_POINT], "key-invalid", "a private half alone gives its point"),
        ("private-half-with-x-at-other-issuer", [{**WITHOUT_POINT, "kid": "other", "x": b64url(A.x)}], "key-invalid", "a private half with x alone"),
        ("private-half-with-other-point", [{**B.jwk(), "d": A.private_jwk()["d"]}], "key-invalid", "a private half beside another key's point"),
        ("private-half-without-kty", [{"d": A.private_jwk()["d"]}], "key-invalid", "a private half and nothing else"),
        ("no-private-half-at-other-issuer", [A.jwk(d=b64url(noise("no private half", 32)))], "pass",
         "some d beside a point, which is not its private half, burns the point only for its own issuer"),
        ("kid-burnt-at-other-issuer", [{**WITHOUT_POINT, "d": "AAAA"}], "pass", "a kid without a point is the issuer's own")):
    v(f"against/{name}", CARD, outcome, f"{why}: in a snapshot", trust=[ISS], directory=[snapshot(info(ISS_B, keys))])
    v(f"against/{name}-in-set", CARD, outcome, f"{why}: in a key set that was given for another", jwks=[SET, Scoped(ISS_B, key_set(*keys))])
v("against/burnt-in-set-beside-snapshot", CARD, "key-invalid", "a set that was given for another issuer shows that a snapshot's key is burnt",
  jwks=[Scoped(ISS_B, key_set(A.private_jwk()))], directory=[SNAPSHOT_A])
v("against/burnt-without-issuer", CARD, "key-invalid", "in an entry without an issuer", trust=[ISS],
  directory=[snapshot({"keys": [A.private_jwk()]})])
for name, lists, outcome, why in (
        ("revoked", [LISTING_RID], "revoked", "names the card"), ("not-revoked", [LISTING_OTHER], "pass", "names another card"),
        ("defective", [BROKEN_LIST], "revocation-unavailable", "nothing can be concluded from it"),
        ("revoked-beside-defective", [BROKEN_LIST, LISTING_RID], "revoked", "one names the card, the other is defective")):
    v(f"against/{name}", WITH_RID, outcome, f"a snapshot's revocation list beside a list that lacks the issuer: {why}", trust=[ISS],
      directory=[LIST_B, snapshot(info(ISS, [], lists))])
    v(f"against/{name}-in-folder", WITH_RID, outcome, f"a revocation list in a folder whose list lacks the issuer: {why}", trust=[ISS],
      args=folder(f"against-{name}", LIST_B, snapshot(info(ISS, [], lists), info(ISS_B, []))))
v("against/defective-for-card-without-rid", CARD, "pass", "there is nothing to look up in it", trust=[ISS], jwks=[Scoped(ISS, key_set(A.jwk(crlVersion=1)))],
  args=folder("against-defective", LIST_B, snapshot(info(ISS, [], [BROKEN_LIST]), info(ISS_B, []))))
v("against/list-of-other-issuer", WITH_RID, "pass", "a revocation list of the same kid, of another issuer",
  directory=[snapshot(info(ISS, []), info(ISS_B, [], [LISTING_RID]))])
v("against/list-that-is-no-answer", WITH_RID, "revocation-unavailable", "a list of a source that does not vouch for the issuer can revoke, and not clear",
  jwks=[Scoped(ISS, key_set(A.jwk(crlVersion=1)))], trust=[ISS],
  args=folder("against-not-revoked", LIST_B, snapshot(info(ISS, [], [LISTING_OTHER]), info(ISS_B, []))))
v("against/old-list", WITH_RID, "revoked", "a list that names the card revokes it, however old it is", jwks=[], trust=[ISS],
  directory=[snapshot(info(ISS, [A.jwk(crlVersion=9)], [LISTING_RID]))])

# An issuer that is listed twice has the keys and lists of all its entries

for name, second, content, outcome, why in (
        ("keys", info(ISS, [A.jwk()]), CARD, "pass", "the key is in the second"),
        ("revoked", info(ISS, [A.jwk()], [LISTING_RID]), WITH_RID, "revoked", "so does the revocation list"),
        ("burnt", info(ISS, [A.jwk(), A.private_jwk(kid="other")]), CARD, "key-invalid", "so does a private half"),
        ("renamed", {**info(ISS, [A.jwk()]), "issuer": known(ISS, name="Another Name")}, CARD, "pass", "the first name counts")):
    v(f"directory/twice-{name}", content, outcome, f"two entries of one issuer: {why}", jwks=[],
      directory=[snapshot(info(ISS, [B.jwk()]), info(ISS_B, []), second)], json={"/cards/0/issuer/name": "Example Issuer A"})
v("directory/twice-burnt-first", CARD, "key-invalid", "two entries of one issuer, the first with a private half", jwks=[],
  directory=[snapshot(info(ISS, [A.private_jwk()]), info(ISS, [A.jwk()]))])
v("directory/twice-on-list", CARD, "pass", "two entries of one issuer on a list: the second has what the first lacks",
  directory=[listing({"iss": ISS}, known(ISS))], json={"/cards/0/issuer/name": "Example Issuer A"})

# Required records

v("records/immunization", CARD, "pass", "an immunization is asked for", args=["--record-type", "immunization"])
v("records/resource-type", CARD, "pass", "a FHIR resource type", args=["--record-type", "Patient"])
v("records/laboratory", CARD, "records-not-matching", "a laboratory result is asked for", args=["--record-type", "laboratory"])
for name, focus, outcome, why in (("other", [{"display": "Donor"}], "records-not-matching", "a result about somebody else"),
        ("same", [{"reference": "resource:0"}], "pass", "a result about the person on the card"), ("empty", [{}], "pass", "a focus that names nothing")):
    v(f"records/focus-{name}", signed({BUNDLE: bundle(PATIENT, edited(OBSERVATION, {"focus": focus}))}), outcome, why, args=["--record-type", "laboratory"])
v("records/both", CARD, "records-not-matching", "several types: all must be present",
  args=["--record-type", "immunization", "--record-type", "laboratory"])
v("records/type-claims-otherwise", signed({"vc.type": [HEALTH_CARD, "https://smarthealth.cards#laboratory"]}), "records-not-matching",
  "the Bundle decides, not vc.type", args=["--record-type", "laboratory"])
v("records/since", CARD, "pass", "the day itself is included", args=["--since", "2025-01-29", "--until", "2025-01-29"])
v("records/since-later", CARD, "records-not-matching", "one day too early", args=["--since", "2025-01-30"])
v("records/until-earlier", CARD, "records-not-matching", "one day too late", args=["--until", "2025-01-28"])
# Insurance cards


def covered(payer=lint_desk.PAYER, **changes):
    """A card of a family: the subscriber is the first Patient, the insured person the second."""
    child = edited(lint_desk.INSURED, {"name": [{"family": "Anyperson", "given": ["Kim"]}], "birthDate": "2015-03-04"})
    coverage = edited(lint_desk.COVERAGE, {"subscriber": {"reference": "resource:1"}, "payor": [{"reference": "resource:2", "display": "EHP"}], **changes})
    return signed({BUNDLE: bundle(child, lint_desk.INSURED, payer, coverage)})


IN_FORCE = {"/cards/0/warnings": []}
NOT_IN_FORCE = {"/cards/0/warnings/0/code": "coverage-not-in-force", "/cards/0/warnings/0/path": f"{BUNDLE}.entry[3].resource"}
of_card = lambda **members: {f"/cards/0/records/0/{name.replace('_', '/')}": member for name, member in members.items()}
v("records/coverage", covered(), "pass", "an insurance card", args=["--record-type", "coverage"], json=IN_FORCE | of_card(
    type="coverage", performer="Example Health Plan", identifier="1023456-01", date="2026-01-01", validFrom="2026-01-01", validUntil="2026-12-31",
    display="11461128", displaySource="card", codes_0_code="HIP", coverage_payer="Example Health Plan", coverage_payerId="45002",
    coverage_memberId=None, coverage_subscriberId="1023456-01", coverage_relationship="self", coverage_group="993355", coverage_plan="11461128",
    coverage_rxBin="100045", coverage_rxPcn=None, coverage_costs_0_type="gpvisit", coverage_costs_0_value="20 USD",
    coverage_costs_1_value="20% after deductible", coverage_contacts=[]))
v("records/coverage-numbers", covered(
    identifier=[{"type": lint_desk.concept(lint_desk.THO + "C4DICIdentifierType", "um"), "value": "U"}, {"type": lint_desk.concept(lint_desk.THO + "v2-0203", "MB"), "value": "M"}],
    extension=[{"url": lint_desk.GUIDE + "C4DIC-CardIssueDate-extension", "valueDate": "2025-12-15"}],
    **{"class": [lint_desk.kind("rxiin", "I", "C4DICExtendedCoverageClassCS"), lint_desk.kind("network", "561490", "C4DICExtendedCoverageClassCS"),
                 lint_desk.kind("plan", "1") | {"name": "Gold"}, lint_desk.kind("group", "2") | {"name": "Stars Inc"}]}),
  "pass", "the member's own number, names before numbers, rxiin where there is no rxbin", json=of_card(
      display="Gold", identifier="M", coverage_memberId="M", coverage_cardIssued="2025-12-15", coverage_rxBin="I", coverage_network="561490",
      coverage_planName="Gold", coverage_groupName="Stars Inc"))
v("records/coverage-no-payer", covered(payer=edited(lint_desk.PAYER, {"resourceType": "Practitioner", "identifier": ABSENT, "active": ABSENT, "name": [{"text": "Doe"}]})), "pass",
  "the payor is no Organization, so its words count", json=of_card(performer="EHP", coverage_payer="EHP", coverage_payerId=None))
v("records/coverage-contacts", covered(payer=edited(lint_desk.PAYER, {"contact": [{"purpose": lint_desk.concept("http://terminology.hl7.org/CodeSystem/contactentity-type", "PATINF"),
    "telecom": [{"system": "phone", "value": "1-800-555-0100"}, {"system": "url"}]}]})), "pass", "how to reach the payer",
  json=of_card(coverage_contacts=[{"purpose": "PATINF", "system": "phone", "value": "1-800-555-0100"}]))
v("records/coverage-none", CARD, "records-not-matching", "no insurance card", args=["--record-type", "coverage"])
for name, outcome, changes in (
        ("ended", NOT_IN_FORCE, {"period": {"start": "2026-01-01", "end": "2026-05-31"}}), ("last-day", IN_FORCE, {"period": {"end": "2026-06-01"}}),
        ("ended-year", NOT_IN_FORCE, {"period": {"end": "2025"}}), ("last-year", IN_FORCE, {"period": {"end": "2026"}}),
        ("begins-tomorrow", NOT_IN_FORCE, {"period": {"start": "2026-06-02"}}), ("begins-today", IN_FORCE, {"period": {"start": "2026-06-01"}}),
        ("no-period", IN_FORCE, {"period": ABSENT}), ("draft", NOT_IN_FORCE, {"status": "draft"}), ("words", NOT_IN_FORCE, {"period": {"end": "soon"}})):
    v(f"records/coverage-{name}", covered(**changes), "pass", "whether it is in force is a warning", json=outcome)
v("records/undated", signed({BUNDLE: bundle(PATIENT, immunization(occurrenceDateTime=ABSENT))}), "records-not-matching",
  "a card with no dated record does not match", args=["--since", "1900-01-01"])

# Records count only if they are of persons on the card, and one record has both the type and the date

CHILD = edited(PATIENT, {"name": [{"family": "Anyperson", "given": ["Kim"]}], "birthDate": "2015-05-05"})
NOBODY = {"reference": "resource:9"}
TYPE = ["--record-type", "covid19"]
for name, content, args, outcome, why in (
        ("dangling", bundle(PATIENT, immunization(patient=NOBODY)), TYPE, False, "the record refers to nobody on the card"),
        ("dangling-resource", bundle(PATIENT, immunization(patient=NOBODY)), ["--record-type", "Immunization"], False, "the same, as a FHIR type"),
        ("dangling-since", bundle(PATIENT, immunization(patient=NOBODY)), ["--since", "2025"], False, "the same, by its date"),
        ("dangling-beside", bundle(PATIENT, immunization(date="2021-01-29"), immunization(patient=NOBODY)), TYPE + ["--since", "2025"], False,
         "only the record of nobody has the date"),
        ("dangling-later", bundle(PATIENT, immunization(), immunization(date="2025-05-01", patient=NOBODY)), ["--until", "2025-01-29"], True,
         "the date of a record of nobody does not count"),
        ("display-only", bundle(PATIENT, immunization(patient={"display": "Jana T. Anyperson"})), TYPE, False, "a name is no reference"),
        ("no-reference", bundle(PATIENT, immunization(patient=ABSENT)), TYPE + ["--since", "2025"], True, "the card has one Patient"),
        ("no-reference-two-patients", bundle(PATIENT, CHILD, immunization(patient=ABSENT)), TYPE, False, "nothing says whose it is"),
        ("no-patient", bundle(immunization(patient=ABSENT)), TYPE, False, "the card has no Patient"),
        ("of-second-patient", bundle(PATIENT, CHILD, immunization(patient={"reference": "resource:1"})), TYPE, True, "of a person on the card"),
        ("patient-of-two", bundle(PATIENT, CHILD), ["--record-type", "Patient"], True, "a Patient names itself"),
        ("patient-since", bundle(PATIENT, immunization()), ["--record-type", "Patient", "--since", "1900"], False, "a Patient has no date"),
        ("other-record-since", bundle(PATIENT, immunization(date="2021-01-29"), immunization("140", "2025-05-01")), TYPE + ["--since", "2025"], False,
         "an old vaccination against COVID-19, and a new one against influenza"),
        ("same-record-since", bundle(PATIENT, immunization("140", "2021-01-29"), immunization()), TYPE + ["--since", "2025"], True,
         "the vaccination against COVID-19 is the new one"),
        ("latest-of-other-type", bundle(PATIENT, immunization(date="2021-01-29"), immunization("140", "2025-05-01")), TYPE + ["--until", "2021"], False,
         "the card's latest record is later"),
        ("two-types-since", bundle(PATIENT, immunization(), OBSERVATION), ["--record-type", "immunization", "--record-type", "laboratory", "--since", "2025"],
         True, "each type has a record in the interval"),
        ("two-types-one-since", bundle(PATIENT, immunization(date="2021-01-29"), OBSERVATION),
         ["--record-type", "immunization", "--record-type", "laboratory", "--since", "2025"], False, "one type has only an older record"),
        ("leap-second", bundle(PATIENT, immunization(date="2021-06-30T23:59:60Z")), TYPE + ["--until", "2021-06-30"], True, "a leap second is on its day"),
        ("not-given", bundle(PATIENT, immunization(notGiven=True)), TYPE, False, "STU3 says notGiven"),
        ("was-not-given", bundle(PATIENT, immunization(wasNotGiven=True)), TYPE, False, "DSTU2 says wasNotGiven")):
    v(f"records/{name}", signed({BUNDLE: content}), "pass" if outcome else "records-not-matching", why, args=args)

# Codes that no list has

COVID_TYPE = "https://smarthealth.cards#covid19"
NEW, LOCAL = immunization("399", "2026-01-05"), edited(immunization(date="2026-01-05"), {
    "vaccineCode": {"coding": [{"system": "https://issuer-a.example/vaccines", "code": "COV"}]}})
OTHER_TEST = edited(OBSERVATION, {"code": {"coding": [{"system": "http://loinc.org", "code": "2345-7"}]}})
OLD, COVID_TEST = immunization("208", "2021-02-01"), edited(OBSERVATION, {"code": {"coding": [{"system": "http://loinc.org", "code": "94500-6"}]}})
for name, content, types, args, outcome, why in (
        ("of-2025", bundle(PATIENT, immunization("309", "2025-10-01")), [], TYPE, "pass", "a vaccine of 2025"),
        ("of-2025-other", bundle(PATIENT, immunization("333", "2025-10-01")), [], TYPE, "records-not-matching", "a vaccine of 2025 against influenza"),
        ("newer", bundle(PATIENT, NEW), [], TYPE, "codes-unknown", "no list has the vaccine"),
        ("newer-with-type", bundle(PATIENT, NEW), [COVID_TYPE], TYPE, "pass", "the card's type decides"),
        ("newer-with-other-type", bundle(PATIENT, NEW), [COVID_TYPE + "x", "#covid19"], TYPE, "codes-unknown", "the type is compared exactly"),
        ("known-with-type", bundle(PATIENT, immunization("140")), [COVID_TYPE], TYPE, "records-not-matching", "a known code is judged by the lists"),
        ("beside-known", bundle(PATIENT, NEW, immunization("140")), [], TYPE, "codes-unknown", "one record is known, and no match; the other is unknown"),
        ("beside-match", bundle(PATIENT, NEW, immunization()), [], TYPE, "pass", "one record matches"),
        ("local", bundle(PATIENT, LOCAL), [], TYPE, "codes-unknown", "a code system of the issuer's own"),
        ("local-and-known", bundle(PATIENT, edited(LOCAL, {"vaccineCode": {"coding": [*LOCAL["vaccineCode"]["coding"], *immunization("140")["vaccineCode"]["coding"]]}})),
         [], TYPE, "records-not-matching", "a record with one known code is judged by its known codes"),
        ("words", bundle(PATIENT, edited(LOCAL, {"vaccineCode": {"text": "COVID-19"}})), [], TYPE, "records-not-matching", "words are no code"),
        ("test", bundle(PATIENT, OTHER_TEST), [], TYPE, "codes-unknown", "a laboratory test that no list has"),
        ("test-with-type", bundle(PATIENT, OTHER_TEST), [COVID_TYPE], TYPE, "pass", "the card's type decides"),
        ("not-done", bundle(PATIENT, edited(NEW, {"status": "not-done"})), [], TYPE, "records-not-matching", "the record does not count"),
        ("of-nobody", bundle(PATIENT, edited(NEW, {"patient": NOBODY})), [], TYPE, "records-not-matching", "the record does not count"),
        ("and-missing", bundle(PATIENT, NEW), [], TYPE + ["--record-type", "laboratory"], "records-not-matching", "what is missing for certain is said first"),
        ("too-old", bundle(PATIENT, NEW), [], TYPE + ["--since", "2026-02"], "records-not-matching", "the date is wrong for certain"),
        ("in-interval", bundle(PATIENT, NEW, immunization()), [], TYPE + ["--since", "2026"], "codes-unknown", "only the unknown record is in the interval"),
        ("immunization", bundle(PATIENT, NEW), [], ["--record-type", "immunization"], "pass", "it is a vaccination, whatever its code"),
        ("recovery", bundle(PATIENT, OTHER_TEST), [], ["--record-type", "recovery"], "records-not-matching", "only covid19 is unknown"),
        # A card's type is not about an unknown code if a known record explains it.
        ("explained-since", bundle(PATIENT, OLD, LOCAL), [COVID_TYPE], TYPE + ["--since", "2025"], "codes-unknown",
         "the old vaccination is why the card has the type"),
        ("explained-before", bundle(PATIENT, NEW, OLD), [COVID_TYPE], TYPE + ["--since", "2025"], "codes-unknown", "the order does not matter"),
        ("explained-match", bundle(PATIENT, OLD, LOCAL), [COVID_TYPE], TYPE, "pass", "without a date, the old vaccination matches"),
        ("explained-by-test", bundle(PATIENT, COVID_TEST, LOCAL), [COVID_TYPE], TYPE + ["--since", "2026"], "codes-unknown",
         "an old test is why the card has the type"),
        ("explained-not-done", bundle(PATIENT, edited(immunization(), {"status": "entered-in-error"}), LOCAL), [COVID_TYPE], TYPE, "codes-unknown",
         "a record that does not count may be why the card has the type"),
        ("explained-known", bundle(PATIENT, OLD, immunization("140", "2026-01-05")), [COVID_TYPE], TYPE + ["--since", "2025"], "records-not-matching",
         "nothing is unknown"),
        ("explained-old-unknown", bundle(PATIENT, OLD, edited(LOCAL, {"occurrenceDateTime": "2022-01-05"}), immunization("140", "2026-01-05")), [COVID_TYPE],
         TYPE + ["--since", "2025"], "records-not-matching", "the unknown record is too old"),
        ("type-since", bundle(PATIENT, immunization("140", "2021-02-01"), NEW), [COVID_TYPE], TYPE + ["--since", "2025"], "pass",
         "no known record explains the type"),
        ("yellow-fever", bundle(PATIENT, immunization("37")), [], ["--record-type", "yellow-fever"], "pass", "a vaccine against yellow fever"),
        ("yellow-fever-other", bundle(PATIENT, immunization("10")), [], ["--record-type", "yellow-fever"], "records-not-matching", "a vaccine against polio"),
        ("yellow-fever-newer", bundle(PATIENT, NEW), [COVID_TYPE], ["--record-type", "yellow-fever"], "codes-unknown", "no type of a card is about it"),
        ("polio", bundle(PATIENT, immunization("10")), [], ["--record-type", "polio"], "pass", "a vaccine against polio"),
        ("polio-combined", bundle(PATIENT, immunization("120")), [], ["--record-type", "polio"], "pass", "a combined vaccine has no group"),
        ("polio-other", bundle(PATIENT, immunization("20")), [], ["--record-type", "polio"], "records-not-matching", "a combined vaccine without polio"),
        ("polio-newer", bundle(PATIENT, LOCAL), [], ["--record-type", "polio"], "codes-unknown", "no list has the vaccine"),
        ("second-coding", bundle(PATIENT, edited(NEW, {"vaccineCode": {"coding": [{"display": "x"}, *NEW["vaccineCode"]["coding"]]}})), [COVID_TYPE], TYPE,
         "pass", "the path is that of the code")):
    v(f"records/code-{name}", signed({BUNDLE: content, **({"vc.type": [HEALTH_CARD, *types]} if types else {})}), outcome, why, args=args,
      hints=["399", "http://hl7.org/fhir/sid/cvx", "2025-09-03", "shcverify codes update"] if name == "newer" else [],
      json={"/cards/0/warnings/0/code": "code-unknown",
            "/cards/0/warnings/0/path": BUNDLE + f".entry[1].resource.vaccineCode.coding[{int(name == 'second-coding')}].code"}
      if name in ("newer-with-type", "second-coding") else {})
PERSON_UUID = "urn:uuid:4D1E7A0C-90F1-4a6b-8a52-3f6f0d6e5a11"
v("records/uuid-in-other-case",
  signed({BUNDLE: {"resourceType": "Bundle", "type": "collection", "entry": [
      {"fullUrl": PERSON_UUID, "resource": PATIENT},
      {"fullUrl": "resource:1", "resource": immunization(patient={"reference": PERSON_UUID.lower()})}]}}),
  "pass", "the case of a UUID means nothing", args=TYPE, json={"/cards/0/records/0/subject": 0})

# QR texts

NUMBER = digits(CARD)
for name, text, why in (
        ("odd-digits", "shc:/" + NUMBER + "1", "an odd number of digits"), ("pair-78", "shc:/78" + NUMBER, "a pair above 77"),
        ("pair-99", "shc:/" + NUMBER + "99", "a pair above 77 at the end"),
        ("letter", "shc:/" + NUMBER[:10] + "a" + NUMBER[11:], "a letter among the digits"),
        ("space", "shc:/" + NUMBER[:10] + " " + NUMBER[10:], "a space among the digits"),
        ("sign", "shc:/+1-1" + NUMBER, "signs among the digits"),
        ("arabic-digits", "shc:/" + NUMBER.translate({48 + i: 0x660 + i for i in range(10)}), "digits of another script"),
        ("full-width-digits", "shc:/" + NUMBER.translate({48 + i: 0xFF10 + i for i in range(10)}), "full-width digits"),
        ("empty", "shc:/", "nothing after the scheme"), ("empty-chunk", "shc:/1/1/", "a chunk without digits"),
        ("one-digit", "shc:/5", "a single digit"),
        ("index-0", "shc:/0/2/" + NUMBER, "parts are counted from 1"), ("index-above-count", "shc:/3/2/" + NUMBER, "part 3 of 2"),
        ("count-0", "shc:/1/0/" + NUMBER, "part 1 of 0"), ("index-and-count-0", "shc:/0/0/" + NUMBER, "part 0 of 0"),
        ("count-1001", "shc:/1/1001/" + NUMBER, "more parts than the maximum"),
        ("count-huge", "shc:/1/99999999999999999999/" + NUMBER, "a count above 64 bits"),
        ("index-huge", "shc:/18446744073709551617/1/" + NUMBER, "an index that wraps around to 1"),
        ("negative", "shc:/-1/1/" + NUMBER, "a negative index"), ("letters-for-index", "shc:/a/b/" + NUMBER, "letters for the numbers"),
        ("no-count", "shc:/1/" + NUMBER, "an index without a count"), ("three-numbers", "shc:/1/1/1/" + NUMBER, "three numbers"),
        ("empty-index", "shc://1/" + NUMBER, "an empty index"), ("spaced-index", "shc:/ 1/1/" + NUMBER, "a space before the index")):
    v(f"qr/{name}", text, "malformed-qr", why, feed="qr")
THREE, OTHER_THREE, TWO_OF_CARD = chunks(LONG, 3), chunks(LONG_B, 3), chunks(CARD, 2)
v("qr/leading-zeros", chunks(CARD, 1)[0].replace("/1/1/", "/01/001/"), ["pass", "malformed-qr"], "leading zeros in the numbers", feed="qr")
v("qr/chunk-missing", [THREE[0], THREE[2]], "qr-chunk-missing", "part 2 of 3 is missing", feed="qr")
v("qr/chunk-alone", THREE[1], "qr-chunk-missing", "one part of three", feed="qr")
v("qr/chunk-repeated-not-replaced", [THREE[0], THREE[0], THREE[2]], "qr-chunk-missing", "three texts, and one part is still missing",
  feed="qr")
v("qr/chunk-missing-in-lines", [THREE[2], THREE[0]], "qr-chunk-missing", "part 2 of 3 is missing, on stdin", feed="lines")
v("qr/chunk-missing-of-thousand", chunks(LONG, 1000)[7], "qr-chunk-missing", "one part of a thousand", feed="qr")
v("qr/two-texts-for-one-part", [*THREE, f"shc:/2/3/{digits('x')}"], "malformed-qr", "two different texts for part 2", feed="qr")
v("qr/two-cards-mixed", [*THREE, *OTHER_THREE], "malformed-qr", "the parts of two cards of three parts each", feed="qr")
v("qr/parts-of-two-cards", [THREE[0], OTHER_THREE[1], THREE[2]],
  ["malformed-qr", "malformed-jws", "inflate-failed", "malformed-payload", "signature-invalid"], "one part taken from another card",
    feed="qr")
v("qr/counts-differ", [THREE[0], TWO_OF_CARD[1]], ["malformed-qr", "qr-chunk-missing"], "part 1 of 3 and part 2 of 2", feed="qr")
v("qr/split-between-digits", ["shc:/1/2/" + NUMBER[:101], "shc:/2/2/" + NUMBER[101:]], "malformed-qr",
  "the digits of one pair in two parts", feed="qr")
v("qr/last-chunk-bad", [THREE[0], THREE[1], THREE[2] + "x"], ["malformed-qr", "qr-chunk-missing"], "a letter at the end of the last part",
  feed="qr")
v("qr/1001-parts", "\n".join(chunks(LONG, 1001)), "malformed-qr", "more parts than the maximum")
v("qr/not-a-jws", qr("hello"), ["malformed-qr", "malformed-jws", "malformed-input"], "digits that do not spell a JWS", feed="qr")
v("qr/slash", qr(CARD[:20] + "/" + CARD[21:]), ["malformed-qr", "malformed-jws"], "digits that spell a slash", feed="qr")
v("qr/no-slash", "shc:" + NUMBER, ["malformed-qr", "malformed-input"], "no slash after the scheme", feed="qr")
v("qr/digits-only", NUMBER, ["malformed-qr", "malformed-input"], "no scheme", feed="qr")
v("qr/other-scheme", "shlink:/" + NUMBER, "malformed-link", "the scheme of a link, but the digits of a card", feed="qr")
for name, text in (("help", "--help"), ("h", "-h"), ("version", "--version"), ("script", "--generate-completion-script"),
                   ("script-zsh", "--generate-completion-script=zsh"), ("dump", "--experimental-dump-help"), ("end", "--"), ("qr", "--qr"),
                   ("quiet", "--quiet"), ("hyphens", "---")):
    v(f"qr/option-{name}", text, "malformed-input", "the argument after --qr is always its value", feed="qr")
v("qr/bad-signature", qr(BAD_SIGNATURE), "signature-invalid", "a forged card in a QR code", feed="qr",
  json={"/cards/0/inputKind": "qr", "/cards/0/verdict": "fail"})
v("qr/bad-signature-in-chunks", chunks(BAD_SIGNATURE, 3), "signature-invalid", "a forged card in three QR codes", feed="qr")
v("qr/second-of-two", [qr(CARD), qr(BAD_SIGNATURE)], "signature-invalid", "the second --qr is forged", feed="qr",
  json={"/cards/0/verdict": "pass", "/cards/1/verdict": "fail"})

# Pictures. TestVectors/pictures has those with cards.

v("files/svg", b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><path d="M0 0h1v1h-1z"/></svg>',
  ["no-code-found", "picture-unreadable"],
  "a drawing without a QR code; on a busy machine the time may be up before all passes are made")
v("files/png", b"\x89PNG\r\n\x1a\n" + noise("png", 200), "picture-unreadable", "the beginning of a picture")

# Files, and inputs that are not cards

for name, content, why in (
        ("empty", b"", "an empty file"), ("white-space", b" \r\n\t\n", "only white space"),
        ("byte-order-mark", b"\xef\xbb\xbf", "a byte-order mark and nothing else"), ("nul", b"\0" * 100, "NULs")):
    v(f"files/{name}", content, "empty-input", why, json={"/verdict": "undetermined"})
for name, content, why in (
        ("random", noise("random file", 1000), "random bytes"),
        ("text", b"This is not a card.\n", "a sentence"), ("html", b"<!DOCTYPE html><html><body>Not a card</body></html>", "a web page"),
        ("bundle", minify(bundle(PATIENT, immunization())), "a bare Bundle is signed by nobody"),
        ("payload", PLAIN, "a bare payload is signed by nobody"), ("key-set", pretty(SET), "a key set"),
        ("empty-object", b"{}", "an object without members"), ("null", b"null", "null"), ("no-cards", file(), "an empty list"),
        ("list-is-string", minify({"verifiableCredential": CARD}), "a string instead of a list"),
        ("list-is-object", minify({"verifiableCredential": {"0": CARD}}), "an object instead of a list"),
        ("list-is-null", minify({"verifiableCredential": None}), "null instead of a list"),
        ("other-case", minify({"VerifiableCredential": [CARD]}), "names are case-sensitive"),
        ("duplicate-list", '{"verifiableCredential":["%s"],"verifiableCredential":["%s"]}' % (CARD, BAD_SIGNATURE),
         "two lists: parsers differ in which they read"), ("trailing-garbage", file(CARD) + "x", "a byte after the object"),
        ("two-objects", file(CARD) * 2, "two objects"),
        ("trailing-comma", file(CARD)[:-2] + ",]}", "a comma after the last element"), ("truncated", file(CARD)[:-1], "no closing brace"),
        ("truncated-jws", file(CARD)[:300], "cut off inside the JWS"),
        ("invalid-utf-8", file(CARD, note="@").encode().replace(b"@", b"\xff"), "invalid UTF-8"),
        ("deep", b'{"verifiableCredential":' + b"[" * 100000, "nested 100,000 deep"),
        ("nested-129", file(CARD, a=Raw("[" * 128 + "]" * 128)), "nested 129 deep"),
        ("parameters-empty", minify({"resourceType": "Parameters"}), "no parameters"),
        ("parameters-without-value", parameters(extra=[{"name": "verifiableCredential"}]), "a parameter without a value"),
        ("operation-outcome", minify({"resourceType": "OperationOutcome", "issue": [{"severity": "error", "code": "not-found"}]}),
         "a server's answer in place of cards"),
        ("link-without-fragment", b"https://viewer.example/open", "a link without a fragment"),
        ("link-empty-fragment", b"https://viewer.example/open#", "a link with an empty fragment"),
        ("link-other-fragment", b"https://viewer.example/open#top", "a link to somewhere"),
        ("link-bad-escape", deep_link(file(CARD)).replace("%7B", "%7", 1), "a percent-escape cut off"),
        ("link-invalid-utf-8", "https://viewer.example/open#%FF" + file(CARD), "invalid UTF-8 behind the escapes"),
        ("link-no-cards", deep_link(file()), "a link with an empty list")):
    v(f"files/{name}", content, "malformed-input", why)
for name, element, why in (("element-number", 7, "an element that is a number"), ("element-null", None, "an element that is null"),
        ("element-object", {"jws": CARD}, "an element that is an object"), ("element-array", [CARD], "a list in the list")):
    v(f"files/{name}", minify({"verifiableCredential": [element]}), ["malformed-input", "malformed-jws"], why)
    v(f"files/{name}-second", minify({"verifiableCredential": [CARD, element]}), ["malformed-input", "malformed-jws"],
      f"{why}, after a good card")
v("files/two-jws-in-lines", f"{CARD}\n{SECOND}\n", ["malformed-input", "malformed-jws"],
  "two JWS in one input: batch reads lines, verify does not")
v("files/two-jws-and-text", f"{CARD}\n{SECOND}\nmy cards\n", "malformed-jws", "the same with another line")

# Texts as scanners, mails and editors hand them on

lines_of = lambda text, width: "\n".join(text[i:i + width] for i in range(0, len(text), width)) + "\n"
mail = lambda text: f"From: clinic@example.org\nSubject: Your card\n\nDear Robin,\n\n{text}\n\nRegards,\nJana\n"
for name, content, warning, why in (
        ("aim-prefix", "]Q1" + qr(CARD), "scanner-characters", "an AIM identifier before the text"),
        ("stx-etx", "\x02" + qr(CARD) + "\x03", "scanner-characters", "STX and ETX around the text"),
        ("nul", CARD + "\0\0", "scanner-characters", "NULs behind the text"),
        ("utf-16-le", (qr(CARD) + "\r\n").encode("utf-16"), "text-encoding", "UTF-16, little-endian, as PowerShell writes it"),
        ("utf-16-be", b"\xfe\xff" + CARD.encode("utf-16-be"), "text-encoding", "UTF-16, big-endian"),
        ("wrapped-qr", lines_of(qr(CARD), 76), "text-wrapped", "digits wrapped at 76 columns"),
        ("wrapped-jws", lines_of(CARD, 64), "text-wrapped", "a JWS wrapped at 64 columns"),
        ("mail-qr", mail(qr(CARD)), "other-text-skipped", "a mail with the text of a code in a line of its own"),
        ("mail-jws", mail(CARD), "other-text-skipped", "a mail with a JWS in a line of its own")):
    v(f"scanned/{name}", content, "pass", why, json={"/cards/0/warnings/0/code": warning})

# What is inside something else, or was changed on its way without a loss

in_json = lambda value: minify(value).decode()
attached = lambda text: {"name": "card", "valueAttachment": {"contentType": "application/smart-health-card", "data": base64.b64encode(text.encode()).decode()}}
percent = lambda text: quote(text, safe="")
for name, content, why in (
        ("json-array", in_json([CARD]), "an array of JWS"), ("json-member", in_json({"data": [{"other": [CARD]}]}), "a JWS in JSON"),
        ("json-escaped", in_json({"barcode": {"message": qr(CARD)}}).replace("/", "\\/"), "a wallet pass, with escaped slashes"),
        ("json-same", in_json({"a": CARD, "b": qr(CARD), "c": file(CARD)}), "one card in three forms"),
        ("json-parts", in_json({"codes": chunks(LONG, 3)}), "the parts of a card in JSON"),
        ("json-in-json", in_json({"a": in_json({"b": in_json({"c": qr(CARD)})})}), "JSON in JSON in JSON"),
        ("parameters", parameters(extra=[{"name": "note", "valueString": CARD}]), "a parameter of another name"),
        ("parameters-attachment", parameters(extra=[attached(file(CARD))]), "a card file that is attached to Parameters"),
        ("data-url", "data:text/plain;base64," + base64.b64encode(qr(CARD).encode()).decode(), "a data URL"),
        ("fragment", "https://viewer.example/#" + qr(CARD), "behind the number sign of a page")):
    v(f"scanned/{name}", content, "pass", why, json={"/cards/0/warnings/0/code": "text-was-inside", "/cards/1": None})
for name, content, why in (
        ("quoted", in_json(CARD), "between quotation marks"), ("quoted-comma", f'"{qr(CARD)}",', "with a comma behind them"),
        ("escaped", qr(CARD).replace("/", "\\/"), "an escaped slash"), ("percent", percent(qr(CARD)), "percent-encoding"),
        ("percent-file", percent(file(CARD)), "a card file in percent-encoding"),
        ("keyboard", qr(CARD).replace("/", "\u00e9"), "a Canadian French keyboard"),
        ("keyboard-parts", "\n".join(chunks(LONG, 3)).replace(":", "\u00d6").replace("/", "-"), "a German keyboard, and three parts")):
    v(f"scanned/{name}", content, "pass", why, json={"/cards/0/warnings/0/code": "text-repaired", "/cards/1": None})
for name, members, why in (
        ("two", {"a": CARD, "b": SECOND}, "two cards"), ("forged-second", {"a": CARD, "b": [qr(BAD_SIGNATURE)]}, "a forged card beside a genuine one"),
        ("forged-in-string", {"a": CARD, "b": file(BAD_SIGNATURE)}, "a forged card in a file in a string"),
        ("forged-attached", {"a": CARD, "b": attached(file(BAD_SIGNATURE))["valueAttachment"]}, "a forged card in an attachment")):
    v(f"scanned/json-{name}", in_json(members), "pass" if name == "two" else "signature-invalid", why,
      json={"/cards/0/verdict": "pass", "/cards/1/verdict": "pass" if name == "two" else "fail"})
v("scanned/keyboard-short", "shc\u00f1-5676290952", "malformed-input", "too few digits", hints=["keyboard"])
v("scanned/percent-link", "shlink%3A%2FeyJ1cmwiOiJodHRwczovL2EuZXhhbXBsZSJ9", "malformed-input", "a link is not opened because of a repair", hints=["percent"])
v("scanned/json-link", in_json({"a": "shlink:/eyJ1cmwiOiJodHRwczovL2EuZXhhbXBsZSJ9"}), "malformed-input", "nor because it stands in JSON",
  hints=["SMART Health Link"])
v("scanned/mail-forged", mail(qr(BAD_SIGNATURE)), "signature-invalid", "a mail with a forged card")
v("scanned/mail-two", mail(CARD + "\n\n" + SECOND), ["malformed-input", "malformed-jws"], "a mail with two cards")
v("scanned/digits", digits(CARD), "malformed-input", "digits without shc:/", hints=["shc:/"])
for name, text in (("german", "shc\u00d6-567629"), ("french", "shcM!(-\u00e8-\u00e7")):
    v(f"scanned/keyboard-{name}", text, "malformed-input", "a scanner that types for another keyboard layout", hints=["keyboard"])
v("scanned/telephone", "TEL:+4912345678", "malformed-input", "a QR code with a telephone number", hints=["telephone"])

# Credentials of other kinds are named


def zipped(*names):
    """A ZIP archive with empty objects under these names."""
    with io.BytesIO() as held:
        with zipfile.ZipFile(held, "w") as archive:
            for each in names:
                archive.writestr(zipfile.ZipInfo(each), "{}")
        return held.getvalue()


SEAL = {"data": {"hdr": {"is": "AUS", "t": "icao.vacc", "v": 1}, "msg": {}}, "sig": {}}
for name, content, words in (
        ("nzcp", "NZCP:/1/2KCEVIQEIVVWK6JNGEASNICZAEP2KALYDZSGSZB2O5SWEOTOPJRXALTDN53GSZBRHEXGQZLBNR2GQLTOPJRAYH", "new zealand"),
        ("vds-nc", minify(SEAL), "vds-nc, icao.vacc"), ("2d-doc", "DC04FR0AXT4A0E840E8A0101FR26FR247500010MME/SPECIMEN", "2d-doc"),
        ("divoc-json", minify({"type": ["VerifiableCredential"], "credentialSubject": {}, "evidence": [{}], "proof": {}}), "divoc"),
        ("divoc-zip", zipped("certificate.json"), "divoc"), ("divoc-text", "B64:" + base64.b64encode(zipped("certificate.json")).decode(), "divoc"),
        ("wallet-pass", zipped("manifest.json", "pass.json"), "screenshot")):
    v(f"kinds/{name}", content, "unsupported-credential", f"another kind is named: {words}", hints=[words],
      json={"/cards/0/issuer/iss": None})
v("kinds/zip", zipped("readme.txt"), "malformed-input", "another archive")

# A card is never skipped because only some programs would find it

named = lambda **members: {"name": "verifiableCredential", **members}
for name, extra, outcome, why in (
        ("part", [{"name": "more", "part": [named(valueString=BAD_SIGNATURE)]}], "signature-invalid", "a forged card in a part"),
        ("deep-part", [{"name": "more", "part": [{"name": "more", "part": [named(valueString=BAD_SIGNATURE)]}]}], "signature-invalid", "deeper"),
        ("resource", [{"name": "more", "resource": json.loads(parameters(BAD_SIGNATURE))}], "signature-invalid", "a forged card in a resource"),
        ("part-good", [{"name": "more", "part": [named(valueString=SECOND)]}], "pass", "a good card in a part is read"),
        ("two-values", [named(valueString=CARD, valueUri=BAD_SIGNATURE)], "malformed-input", "two values"),
        ("value-and-part", [named(valueString=CARD, part=[named(valueString=BAD_SIGNATURE)])], "malformed-input", "a value and a part"),
        ("value-in-other-case", [named(valueString=CARD, ValueString=BAD_SIGNATURE)], "malformed-input", "two values"),
        ("name-in-other-case", [{"name": "VerifiableCredential", "valueString": BAD_SIGNATURE}], "malformed-input", "another case"),
        ("name-member-in-other-case", [{"Name": "verifiableCredential", "valueString": BAD_SIGNATURE}], "malformed-input", "another case"),
        ("part-in-other-case", [{"name": "more", "Part": [named(valueString=BAD_SIGNATURE)]}], "malformed-input", "another case")):
    v(f"files/parameters-{name}", parameters(CARD, extra=extra), outcome, f"a second card in Parameters: {why}",
      json={"/cards/0/verdict": "pass", "/cards/1/verdict": "pass" if outcome == "pass" else "fail"})
v("files/parameters-list-in-other-case", minify({**json.loads(parameters(CARD)), "Parameter": [named(valueString=BAD_SIGNATURE)]}), "malformed-input",
  "a second list of parameters, in another case", json={"/cards/0/verdict": "pass", "/cards/1/verdict": "fail"})
answer = lambda *cards, **members: {**json.loads(parameters(*cards)), **members}
for name, resource, outcome, why in (
        ("contained", answer(CARD, contained=[answer(BAD_SIGNATURE)]), "signature-invalid", "a forged card in a contained resource"),
        ("contained-good", answer(CARD, contained=[answer(SECOND)]), "pass", "a good card in a contained resource is read"),
        ("bundle", answer(CARD, contained=[{"resourceType": "Bundle", "entry": [{"resource": answer(BAD_SIGNATURE)}]}]),
         "signature-invalid", "a forged card in a Bundle"),
        ("bundle-in-parameter", json.loads(parameters(CARD, extra=[{"name": "more", "resource": {
            "resourceType": "Bundle", "entry": [{"resource": answer(BAD_SIGNATURE)}]}}])), "signature-invalid", "a forged card in a Bundle"),
        ("file-in-parameter", json.loads(parameters(CARD, extra=[{"name": "more", "resource": json.loads(file(BAD_SIGNATURE))}])),
         "malformed-input", "a card file in place of a resource"),
        ("file-in-value", json.loads(parameters(CARD, extra=[{"name": "more", "valueAttachment": json.loads(file(BAD_SIGNATURE))}])),
         "malformed-input", "a card file in a value"),
        ("list-beside", answer(CARD, VerifiableCredential=[BAD_SIGNATURE]), "malformed-input", "a file's list in another case"),
        ("list-is-object", answer(CARD, Parameter=named(valueString=BAD_SIGNATURE)), "malformed-input", "a parameter without a list"),
        ("part-is-object", json.loads(parameters(CARD, extra=[{"name": "more", "part": named(valueString=BAD_SIGNATURE)}])),
         "malformed-input", "a part without a list"),
        ("extension", json.loads(parameters(extra=[named(valueString=CARD, extension=[named(valueString=BAD_SIGNATURE)])])),
         "malformed-input", "a card in an extension of a card"),
        ("contained-without-type", answer(CARD, contained=[{"parameter": [named(valueString=BAD_SIGNATURE)]}]), "malformed-input",
         "parameters in an object of no type")):
    v(f"files/parameters-{name}", minify(resource), outcome, f"a second card in Parameters: {why}", json={
        f"/cards/{i}/verdict": "pass" if outcome == "pass" or i == 0 else "fail" for i in (0, 1)})
v("files/parameters-only-object", minify({"resourceType": "Parameters", "parameter": named(valueString=CARD)}), "malformed-input",
  "a parameter in place of the list")
v("files/parameters-two-lists", file(CARD, resourceType="Parameters", parameter=[named(valueString=BAD_SIGNATURE)]), "malformed-input",
  "a list of a file beside parameters")
v("files/file-and-parameters", file(CARD, parameter=[named(valueString=BAD_SIGNATURE)]), "malformed-input",
  "parameters beside the list of a file")
v("files/file-and-one-parameter", file(CARD, Parameter=named(valueString=BAD_SIGNATURE)), "malformed-input",
  "the same in another case, without a list")
for name, members in (("bundle", {"resourceType": "Bundle", "entry": [{"resource": PATIENT}]}), ("unknown-resource", {"resourceType": "None"}),
        ("second-list-in-other-case", {"VerifiableCredential": [BAD_SIGNATURE]})):
    v(f"files/file-and-{name}", file(CARD, **members), "malformed-input", "two programs could read different cards")
v("files/file-and-card-in-member", file(CARD, x={"verifiableCredential": [BAD_SIGNATURE]}), "malformed-input",
  "a second list of cards in another member, which another program could read")
v("files/link-and-bundle", deep_link(file(CARD, resourceType="Bundle")), "malformed-input", "the same in a deep link")
v("files/empty-on-stdin", b"", "empty-input", "nothing on stdin", feed="stdin")
v("files/second-bad", file(CARD, BAD_SIGNATURE), "signature-invalid", "the second card is forged",
  json={"/verdict": "fail", "/cards/0/verdict": "pass", "/cards/1/verdict": "fail", "/cards/1/reason/code": "signature-invalid"})
v("files/first-bad", file(BAD_SIGNATURE, CARD), "signature-invalid", "the first card is forged, the second is good",
  json={"/cards/0/verdict": "fail", "/cards/1/verdict": "pass"})
v("files/both-bad", file(BAD_SIGNATURE, EXPIRED), "signature-invalid", "the first card that did not verify decides the code",
  json={"/cards/1/reason/code": "expired"})
v("files/both-bad-reversed", file(EXPIRED, BAD_SIGNATURE), "expired", "the first card that did not verify decides the code",
  json={"/cards/1/reason/code": "signature-invalid"})
v("files/malformed-second", file(CARD, "not a card"), "malformed-jws", "one element is not a JWS; the other is still verified",
  json={"/cards/0/verdict": "pass", "/cards/1/verdict": "fail"})
v("files/malformed-first", file("not a card", CARD), "malformed-jws", "one element is not a JWS; the other is still verified",
  json={"/cards/0/verdict": "fail", "/cards/1/verdict": "pass"})
v("files/undetermined-first", file(BY_ISSUER_B, BAD_SIGNATURE), "keys-unavailable", "the order of the inputs decides, not the severity",
  jwks=[Scoped(ISS, SET)], trust=[ISS, ISS_B], json={"/exitCode": 20, "/cards/1/reason/code": "signature-invalid"})
v("files/undetermined-second", file(BAD_SIGNATURE, BY_ISSUER_B), "signature-invalid", "the order of the inputs decides, not the severity",
  jwks=[Scoped(ISS, SET)], trust=[ISS, ISS_B], json={"/exitCode": 11, "/cards/1/reason/code": "keys-unavailable"})
v("files/last-of-hundred-bad", file(*[CARD] * 99, BAD_SIGNATURE), "signature-invalid", "the hundredth card is forged",
  json={"/cards/98/verdict": "pass", "/cards/99/verdict": "fail"})
v("files/parameters-second-bad", parameters(CARD, BAD_SIGNATURE), "signature-invalid", "the second card of an answer is forged",
  json={"/cards/0/inputKind": "parameters", "/cards/0/verdict": "pass"})
v("files/link-second-bad", deep_link(file(CARD, BAD_SIGNATURE)), "signature-invalid", "the second card of a link is forged",
  json={"/cards/0/inputKind": "deeplink", "/cards/0/verdict": "pass"})
v("files/second-input-bad", [CARD, b"not a card"], "malformed-input", "the second input is not a card",
  json={"/cards/0/verdict": "pass", "/cards/1/reason/code": "malformed-input"})
v("files/missing", Unreadable("cards/files/there-is-none.jws"), "unreadable-input", "a missing file",
  json={"/cards/0/verdict": "undetermined", "/exitCode": 66})
v("files/missing-second", [CARD, Unreadable("cards/files/there-is-none.jws")], "unreadable-input",
  "the second input is missing; the first is still verified", json={"/cards/0/verdict": "pass"})
v("files/folder", Unreadable("cards"), "unreadable-input", "a folder")

# The order of the checks: the first failure decides the reason

v("order/format-before-key", signed({"vc": ABSENT}), "malformed-payload", "malformed, and no keys", jwks=[])
v("order/format-before-signature", signed({"vc": ABSENT}, ATTACKER, head=header(A)), "malformed-payload", "malformed and forged")
v("order/key-before-signature", signed(head=header(B), sign=lambda r, s: bytes(64)), "key-not-found", "forged under an unknown key")
v("order/key-before-validity", signed({"exp": ISSUED + 1}, head=header(B)), "key-not-found", "expired under an unknown key")
v("order/signature-before-validity", signed({"exp": ISSUED + 1}, ATTACKER, head=header(A)), "signature-invalid", "expired and forged")
v("order/signature-before-not-yet-valid", signed({"nbf": NOW + 9}, ATTACKER, head=header(A)), "signature-invalid",
  "not yet valid, and forged")
v("order/signature-before-revocation", signed({"vc.rid": RID}, ATTACKER, head=header(A)), "signature-invalid", "revoked and forged",
  jwks=KEY_1, crl=[crl(RID)])
v("order/validity-before-revocation", signed({"vc.rid": RID, "exp": ISSUED + 1}), "expired", "expired and revoked", jwks=KEY_1,
  crl=[crl(RID)])
v("order/validity-before-list", signed({"vc.rid": RID, "exp": ISSUED + 1}), "expired", "expired, and its revocation list is not available", jwks=KEY_1)
v("order/revocation-before-records", WITH_RID, "revoked", "revoked, and without the required records", jwks=KEY_1, crl=[crl(RID)],
  args=["--record-type", "laboratory"])
v("order/key-and-length-of-signature", signed(head=header(B), sign=lambda r, s: b""), ["key-not-found", "signature-invalid"],
  "no signature, under an unknown key")

# Usage

v("usage/no-input", [], "usage", "nothing to verify")
v("usage/unknown-option", CARD, "usage", "an unknown option", args=["--there-is-no-such-option"])
v("usage/at-word", CARD, "usage", "the value of --at is not a time", at="yesterday")
v("usage/at-without-zone", CARD, "usage", "--at needs a zone", at="2026-06-01T00:00:00")
v("usage/at-no-such-day", CARD, "usage", "the 30th of February", at="2026-02-30T00:00:00Z")
v("usage/jwks-missing", CARD, "unreadable-option", "a key set that cannot be read", jwks=[],
  args=["--jwks", "{keys/sets/there-is-none.jwks.json}"])
for name, content, why in (("not-json", b"<html>404</html>", "a web page instead of a key set"), ("empty", b"", "an empty key set file"),
        ("no-keys", {}, "a key set without the member keys"), ("keys-object", {"keys": {}}, "keys that are not an array"),
        ("trailing-bytes", pretty(SET) + b"x", "a byte after the object")):
    v(f"usage/jwks-{name}", CARD, "usage", why, jwks=[content])
v("usage/jwks-duplicate-member", CARD, ["usage", "key-invalid", "key-not-found"], "two kids in one key: never a pass",
  jwks=[swapped(minify(SET), b'"kid"', b'"kid":"x","kid"')])
for name, iss in (("empty", ""), ("host", "issuer-a.example"), ("http", "http://issuer-a.example/cards"), ("user", "https://u@issuer-a.example/cards")):
    v(f"usage/trust-{name}", CARD, "usage", "no card can name such an issuer", trust=[iss])
for option, number in (("timeout", "-1"), ("timeout", "1e300"), ("max-stale", "-1"), ("max-directory-age", "-1")):
    v(f"usage/{option}-{number.strip('-')}", CARD, "usage", "a number that makes no sense", args=[f"--{option}", number])
v("usage/anchor-not-pem", CARD, "usage", "an anchor that is not a certificate", anchor=[b"not a certificate"])
