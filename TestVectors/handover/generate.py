#!/usr/bin/env python3
"""Writes the vectors of the hand-over; with --check, compares the existing ones with what it would write.

    /usr/bin/python3 TestVectors/handover/generate.py [--check]

It makes cards and certificates, and the FHIR transaction that each must become. The rules stand here a second time, in another language,
so that shcverify is not compared with itself. Needs Python 3.11 and the package `cryptography` 38 (Debian: python3-cryptography).
"""

import base64
import hashlib
import json
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "hcert")]

from blocks import from_b64url, inflated, key_set, minify, qr, Raw  # noqa: E402
from cases import A, BUNDLE, B, ISS, ISS_B, OBSERVATION, PATIENT, immunization, signed  # noqa: E402
import hcert_card  # noqa: E402
from hcert_blocks import cbor, hc1, to_be_signed  # noqa: E402

AT = "2026-06-01T00:00:00Z"
N = uuid.UUID("2807091e-adac-57e9-9f4e-d2d41076b7fc")
V3 = "http://terminology.hl7.org/CodeSystem/v3-ObservationValue"
ROLES = "http://terminology.hl7.org/CodeSystem/provenance-participant-type"
URI = "urn:ietf:rfc:3986"
TYPES = """AllergyIntolerance CarePlan CareTeam Composition Condition Coverage Device DeviceUseStatement DiagnosticReport DocumentReference
Encounter ExplanationOfBenefit FamilyMemberHistory Goal ImagingStudy Immunization ImmunizationRecommendation InsurancePlan Location Medication
MedicationAdministration MedicationDispense MedicationRequest MedicationStatement Observation Organization Patient Practitioner PractitionerRole
Procedure QuestionnaireResponse RelatedPerson ServiceRequest Specimen""".split()
LABELS = {"issuer-trusted": ["DIGSIG"], "issuer-not-checked": ["DIGSIG", "UNCERTREL"], "unsigned": ["PATAST"]}


def named(space, name):
    """UUID version 5 of octets in a namespace."""
    return uuid.UUID(bytes=hashlib.sha1(space.bytes + name).digest()[:16], version=5)


def text_of(moment):
    return datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


# What is handed over of one source

class Source:
    """A card, a certificate or a file: its id, its grade of trust, its entries, and the Provenance without its targets."""

    def __init__(self, octets, trust, entries, said):
        self.id, self.trust, self.said = octets if isinstance(octets, uuid.UUID) else named(N, octets), trust, said
        self.entries = [(named(self.id, f"entry/{index}".encode()), entry) for index, entry in enumerate(entries)]

    def kept(self):
        return [(id, entry) for id, entry in self.entries if entry.get("resource", {}).get("resourceType") in TYPES]


def own(coding):
    """Whether only the program gives this label."""
    return isinstance(coding, dict) and (str(coding.get("system", "")).startswith("urn:shcverify:") or (coding.get("system"), coding.get("code")) == (V3, "DIGSIG"))


def labelled(resource, id, trust):
    meta = dict(resource.get("meta", {}))
    tags, labels = ([coding for coding in meta.get(name, []) if not own(coding)] for name in ("tag", "security"))
    labels += [each for each in ({"system": V3, "code": code} for code in LABELS[trust])
               if (V3, each["code"]) not in [(coding.get("system"), coding.get("code")) for coding in labels]]
    tags += [{"system": "urn:shcverify:handover:id", "code": str(id)}, {"system": "urn:shcverify:handover:trust", "code": trust}]
    return {name: member for name, member in resource.items() if name != "id"} | {"meta": meta | {"security": labels, "tag": tags}}


def names_of(entry):
    url, resource = entry.get("fullUrl", ""), entry.get("resource", {})
    names = {url, "/".join(url.split("/")[-2:]) if url.count("/") > 1 else url}
    return names | ({f"{resource['resourceType']}/{resource['id']}"} if "id" in resource else set())


def referred(value, source, chosen, contained):
    """The value with references that lead to the transaction's own entries."""
    if isinstance(value, list):
        return [referred(each, source, chosen, contained) for each in value]
    if not isinstance(value, dict):
        return value
    made = {}
    for name, member in value.items():
        if name in ("tag", "security"):
            if own(member):
                continue
            member = [each for each in member if not own(each)] if isinstance(member, list) else member
        if name != "reference" or isinstance(member, dict) or isinstance(member, list) and all(isinstance(each, dict) for each in member):
            made[name] = referred(member, source, chosen, contained)
            continue
        if not isinstance(member, str) or not member:
            continue
        found = [(id, entry) for id, entry in source.entries if member in names_of(entry) and not member.startswith("#")]
        if len(found) == 1 and found[0] in source.kept():
            made[name] = f"urn:uuid:{chosen.get(found[0][0], found[0][0])}"
        elif member.startswith("#") and member[1:] in contained:
            made[name] = member
        elif "identifier" not in value:
            scheme = member.split(":")[0] if ":" in member else ""
            is_uri = scheme[:1].isalpha() and all(letter.isalnum() or letter in "+-." for letter in scheme)
            made["identifier"] = ({"system": URI} if is_uri else {}) | {"value": member}
    return made


def transaction(*sources):
    unique = []
    for source in sources:
        if source.kept() and source.id not in [each.id for each in unique]:
            unique.append(source)
    groups, twice = {}, set()
    for source in unique:
        own = set()
        for id, entry in source.kept():
            if entry["resource"]["resourceType"] == "Patient" and "reference" not in json.dumps(entry) and source.trust != "unsigned":
                key = (source.trust, json.dumps({n: m for n, m in entry["resource"].items() if n not in ("id", "meta")}, sort_keys=True))
                twice |= {key} & own
                own.add(key)
                groups.setdefault(key, []).append(id)
    chosen = {id: min(ids) for key, ids in groups.items() if key not in twice for id in ids}
    entries = {id: (source, entry["resource"]) for source in unique for id, entry in source.kept()}
    made, seen = [], set()

    def add(id, resource):
        made.append({"fullUrl": f"urn:uuid:{id}", "resource": resource,
                     "request": {"method": "POST", "url": resource["resourceType"], "ifNoneExist": f"_tag=urn:shcverify:handover:id|{id}"}})

    for source in unique:
        targets = [chosen.get(id, id) for id, _ in source.kept()]
        for id in targets:
            if id not in seen:
                seen.add(id)
                owner, resource = entries[id]
                contained = [each.get("id") for each in resource.get("contained", [])]
                add(id, labelled(referred(resource, owner, chosen, contained), id, owner.trust))
        id = named(source.id, b"provenance")
        provenance = {"resourceType": "Provenance", "target": [{"reference": f"urn:uuid:{target}"} for target in targets]} | source.said(source)
        add(id, labelled(provenance, id, source.trust))
    return {"resourceType": "Bundle", "type": "transaction", "entry": made} if made else None


def agent(role, **who):
    return {"type": {"coding": [{"system": ROLES, "code": role}]}, "who": who}


def said(kind, author, when, key, form, envelope, checks, source):
    return {
        "recorded": AT, "activity": {"text": checks}, "agent": [agent("author", **author), agent("verifier", display="shcverify")],
        "entity": [{"role": "source", "what": {"identifier": {"system": URI, "value": f"urn:uuid:{source.id}"}, "display": kind}}],
        "signature": [{"type": [{"system": "urn:iso-astm:E1762-95:2013", "code": "1.2.840.10065.1.12.1.14"}], "when": when,
                       "who": {"identifier": key}, "sigFormat": form, "data": base64.b64encode(envelope).decode()}]}


def checks(trust):
    asked = "skipped" if trust == "issuer-not-checked" else "pass"
    return f"format=pass, issuer-trust={asked}, key=pass, signature=pass, validity=pass, revocation=skipped, records=skipped"


def card_source(jws, trust="issuer-trusted", iss=ISS):
    head, body, _ = jws.split(".")
    payload = json.loads(inflated(from_b64url(body)), parse_float=lambda digits: Raw(digits))
    subject = payload["vc"]["credentialSubject"]
    entries = subject["fhirBundle"].get("entry", []) if subject["fhirVersion"].startswith("4.0.") else []
    author = {"identifier": {"system": URI, "value": iss}, "display": iss}
    key = {"system": f"{iss}/.well-known/jwks.json", "value": json.loads(from_b64url(head))["kid"]}
    return Source(f"{head}.{body}".encode(), trust, entries, lambda source: said(
        "SMART Health Card", author, text_of(payload["nbf"]), key, "application/jose", jws.encode(), checks(trust), source))


# EU certificates

SNOMED, LOINC, EMA = "http://snomed.info/sct", "http://loinc.org", "https://spor.ema.europa.eu/v1/organisations"
SYSTEMS = {"tg": SNOMED, "vp": SNOMED, "mp": "https://ec.europa.eu/health/documents/community-register/html/", "tt": LOINC, "tr": SNOMED}
HL7 = "http://terminology.hl7.org/CodeSystem/"


def eu_entries(group, content):
    record, names = content[group][0], content["nam"]
    coding = lambda *members: {"coding": [{"system": SYSTEMS[name], "code": record[name]} for name in members if name in record]}
    ci, patient = {"identifier": [{"value": record["ci"]}]} if "ci" in record else {}, {"reference": "p"}
    family, given = names.get("fn"), names.get("gn")
    if not family and not given:
        family, given = (names[name].replace("<", " ") if name in names else None for name in ("fnt", "gnt"))
    name = ({"family": family} if family else {}) | ({"given": [given]} if given else {})
    person = {"resourceType": "Patient", "name": [name]} | ({"birthDate": content["dob"]} if content["dob"] else {})
    if group == "v":
        made = {"resourceType": "Immunization", "status": "completed", "vaccineCode": coding("vp", "mp"), "patient": patient,
                "manufacturer": {"identifier": {"system": EMA, "value": record["ma"]}}}
        is_date = len(record["dt"]) == 10
        made |= {"occurrenceDateTime": record["dt"]} if is_date else {"occurrenceString": "unknown"}
        if record["dn"] > 0:
            made["protocolApplied"] = [{"targetDisease": [coding("tg")], "doseNumberPositiveInt": record["dn"]}
                                       | ({"seriesDosesPositiveInt": record["sd"]} if record["sd"] > 0 else {})]
    elif group == "t":
        made = {"resourceType": "Observation", "status": "final", "code": coding("tt"), "subject": patient, "effectiveDateTime": record["sc"],
                "category": [{"coding": [{"system": HL7 + "observation-category", "code": "laboratory"}]}],
                "valueCodeableConcept": coding("tr"), "performer": [{"display": record["tc"]}], "method": {"text": record["nm"]}}
    else:
        made = {"resourceType": "Condition", "code": coding("tg"), "subject": patient, "onsetDateTime": record["fr"],
                "clinicalStatus": {"coding": [{"system": HL7 + "condition-clinical", "code": "resolved"}]},
                "verificationStatus": {"coding": [{"system": HL7 + "condition-ver-status", "code": "confirmed"}]}}
    return [{"fullUrl": "p", "resource": person}, {"resource": made | ci}]


def eu(group, **changes):
    """The octets of a certificate, and what must become of it."""
    octets = bytes(hcert_card.card(group, **changes))
    protected = cbor({1: hcert_card.XA.key.alg, 4: hcert_card.XA.kid})
    claims = hcert_card.claims(group, **changes)
    author = {"identifier": {"value": claims[1]}, "display": claims[-260][1][group][0]["is"]}
    key = {"value": base64.b64encode(hcert_card.XA.kid).decode()}
    return octets, Source(to_be_signed(protected, cbor(claims)), "issuer-trusted", eu_entries(group, claims[-260][1]), lambda source: said(
        "EU Digital COVID Certificate", author, text_of(claims[6]), key, "application/cose", octets, checks("issuer-trusted") , source))


# The cases

CASES, FILES = [], {}
TRUSTED = ["--jwks", f"{ISS}={{../keys/issuer-a.jwks.json}}", "--jwks", f"{ISS_B}={{keys/issuer-b.jwks.json}}"]


def case(id, presented, sources, why, args=(), exit=0, stderr=()):
    files = []
    for index, (suffix, content) in enumerate(presented):
        files.append(f"cards/{id}{f'-{index + 1}' if index else ''}.{suffix}")
        FILES[files[-1]] = content if isinstance(content, bytes) else content.encode()
    bundle = transaction(*sources)
    if bundle:
        FILES[f"expected/{id}.json"] = minify(bundle, indent=1, separators=(",", ": ")) + b"\n"
    CASES.append({"id": id, "files": files, "args": [*(args or TRUSTED), "--at", AT, "--offline", "--format", "handover"],
                  "expect": {"exit": exit, "handover": f"expected/{id}.json" if bundle else None, "stderrContains": list(stderr)}, "why": why})


def of(*resources, **others):
    """A card with these resources. Each is a resource, or an entry if it has a fullUrl."""
    entries = [each if "fullUrl" in each or "request" in each else {"fullUrl": f"resource:{index}", "resource": each}
               for index, each in enumerate(resources)]
    return signed({BUNDLE: {"resourceType": "Bundle", "type": "collection", "entry": entries}, **others})


PLAIN = of(PATIENT, immunization())
case("plain", [("jws", PLAIN)], [card_source(PLAIN)], "a Patient, a vaccination and the Provenance")
case("carriers", [("jws", PLAIN), ("txt", qr(PLAIN)), ("smart-health-card", minify({"verifiableCredential": [PLAIN]}))], [card_source(PLAIN)],
     "three forms of one card are one card")
FORGED = PLAIN[:-4] + ("AAAA" if PLAIN[-4:] != "AAAA" else "BBBB")
case("forged", [("jws", FORGED)], [], "of a card that fails, nothing is handed over", exit=11)
case("forged-beside", [("jws", FORGED), ("jws", PLAIN)], [card_source(PLAIN)], "a card that fails keeps no other back", exit=11)
SECOND = of(PATIENT, OBSERVATION)
case("one-person", [("jws", PLAIN), ("jws", SECOND)], [card_source(PLAIN), card_source(SECOND)], "equal Patients of two cards are one entry")
MORE = of(dict(reversed(PATIENT.items())) | {"id": "x", "meta": {"security": [{"system": "https://smarthealth.cards/ial", "code": "IAL2"}]}}, OBSERVATION)
case("one-person-otherwise", [("jws", PLAIN), ("jws", MORE)], [card_source(PLAIN), card_source(MORE)],
     "neither the order of members nor id and meta make another person")
OTHER = of(PATIENT | {"gender": "female"}, OBSERVATION)
case("two-persons", [("jws", PLAIN), ("jws", OTHER)], [card_source(PLAIN), card_source(OTHER)], "Patients that differ in anything are two")
TWINS = of(PATIENT, PATIENT, immunization(patient={"reference": "resource:0"}), immunization(patient={"reference": "resource:1"}))
case("twins", [("jws", TWINS), ("jws", PLAIN)], [card_source(TWINS), card_source(PLAIN)], "a Patient that one card has twice is merged with none")
LED = of(PATIENT | {"managingOrganization": {"reference": "resource:1"}}, {"resourceType": "Organization", "name": "Clinic"})
LED_TOO = of(PATIENT | {"managingOrganization": {"reference": "resource:1"}}, {"resourceType": "Organization", "name": "Other"})
case("patients-with-references", [("jws", LED), ("jws", LED_TOO)], [card_source(LED), card_source(LED_TOO)], "a Patient with a reference is merged with none")

REFERENCES = of(
    {"fullUrl": "https://ehr.example/fhir/Patient/p1", "resource": PATIENT | {"id": "p1"}},
    {"fullUrl": "urn:uuid:0b1c0a3c-6a4f-4f0e-9d5e-000000000001", "resource": {"resourceType": "Organization", "id": "o", "name": "Clinic"}},
    {"fullUrl": "resource:2", "resource": immunization(patient={"reference": "Patient/p1"}, performer=[
        {"actor": {"reference": "urn:uuid:0b1c0a3c-6a4f-4f0e-9d5e-000000000001"}}, {"actor": {"reference": "Organization/o", "display": "the same"}},
        {"actor": {"reference": "Organization/other", "display": "elsewhere"}}, {"actor": {"reference": "https://ehr.example/fhir/Practitioner/1"}},
        {"actor": {"reference": "Practitioner?identifier=1"}}, {"actor": {"reference": "#inside"}}, {"actor": {"reference": "#outside"}},
        {"actor": {"reference": "Patient/p1/_history/2"}}, {"actor": {"reference": "resource:9", "identifier": {"value": "own"}}}],
        contained=[{"resourceType": "Practitioner", "id": "inside", "qualification": [{"code": {}, "issuer": {"reference": "Organization/o"}}]}],
        extension=[{"url": "https://e.example", "valueReference": {"reference": "patient/p1"}}])})
case("references", [("jws", REFERENCES)], [card_source(REFERENCES)], "references lead to entries of the transaction, or are identifiers")
ODD = of(PATIENT, immunization(patient={"reference": "resource:0"}, meta={"extension": [{"url": "https://e.example", "valueReference": {"reference": "Patient/9"}}],
    "tag": [{"system": "https://e.example", "code": "a", "extension": [{"url": "https://e.example", "valueReference": {"reference": "Patient/9"}}]}]},
    performer=[{"actor": {"reference": "", "display": "nobody"}}, {"actor": {"reference": ["Patient/9"]}}, {"actor": {"reference": 9}}, {"actor": {"reference": [{"reference": "Patient/9"}]}}]))
case("odd-references", [("jws", ODD)], [card_source(ODD)], "references in meta, in arrays and of other types lead nowhere either")
SIGNED_LABELS = [{"system": V3, "code": "DIGSIG"}, {"system": "urn:shcverify:handover:trust", "code": "issuer-trusted"}, {"system": "https://e.example", "code": "kept"}]
DEEP = of(PATIENT, immunization(patient={"reference": "resource:0"}, contained=[
    {"resourceType": "Organization", "id": "a", "contained": [{"resourceType": "Organization", "id": "b", "meta": {"security": SIGNED_LABELS, "tag": SIGNED_LABELS}}]},
    {"resourceType": "Organization", "id": "c", "meta": {"security": SIGNED_LABELS[0], "tag": SIGNED_LABELS[2]}}],
    extension=[{"url": "https://e.example", "valueMeta": {"security": SIGNED_LABELS, "tag": SIGNED_LABELS[1:]}}]))
case("labels-deep", [("jws", DEEP)], [card_source(DEEP)], "nobody labels himself, at any depth")
INSIDE = of({"fullUrl": "resource:0", "resource": PATIENT}, {"fullUrl": "#o", "resource": {"resourceType": "Organization", "name": "Outside"}},
            immunization(patient={"reference": "resource:0"}, manufacturer={"reference": "#o"}, contained=[{"resourceType": "Organization", "id": "o", "name": "Inside"}]))
case("contained-first", [("jws", INSIDE)], [card_source(INSIDE)], "#o is the contained resource, even if an entry has this address")
AMBIGUOUS = of({"fullUrl": "resource:0", "resource": PATIENT}, {"fullUrl": "resource:0", "resource": PATIENT | {"gender": "male"}}, immunization(patient={"reference": "resource:0"}))
case("ambiguous-reference", [("jws", AMBIGUOUS)], [card_source(AMBIGUOUS)], "a reference that names two entries names none")
TO_LEFT_OUT = of(PATIENT, {"resourceType": "Consent", "status": "active"}, immunization(patient={"reference": "resource:0"}, reasonReference=[{"reference": "resource:1"}]))
case("types", [("jws", TO_LEFT_OUT)], [card_source(TO_LEFT_OUT)], "a resource that could act on a server is left out, and no reference leads to it",
     stderr=["handover-left-out", "1 entry"])
NOTHING = of({"resourceType": "Subscription", "status": "requested"}, {"fullUrl": "resource:1"})
case("nothing-left", [("jws", NOTHING)], [card_source(NOTHING)], "a card of which nothing is left has no Provenance", stderr=["handover-left-out", "2 entries"])
VERSION = signed({"vc.credentialSubject.fhirVersion": "4.3.0"})
case("other-fhir", [("jws", VERSION)], [card_source(VERSION)], "another FHIR version is left out", stderr=["handover-left-out"])

LABELS_OF_OWN = of(PATIENT | {"meta": {"tag": [{"system": "urn:shcverify:handover:trust", "code": "issuer-trusted"}, {"system": "http://t.example", "code": "t"}],
                                       "security": [{"system": V3, "code": "DIGSIG"}, {"system": V3, "code": "PATAST"}, {"system": "urn:shcverify:x", "code": "y"}]}},
                   immunization(meta={"profile": ["https://p.example"], "tag": [{"code": "urn:shcverify:kept"}]}))
case("labels", [("jws", LABELS_OF_OWN)], [card_source(LABELS_OF_OWN)], "nobody labels himself")
BY_B = signed({BUNDLE: {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": PATIENT}]}, "iss": ISS_B}, B)
case("two-issuers", [("jws", of(PATIENT)), ("jws", BY_B)], [card_source(of(PATIENT)), card_source(BY_B, iss=ISS_B)],
     "equal Patients of two issuers with the same trust are one")
DIGITS = of(PATIENT, {"resourceType": "Observation", "status": "final", "code": {"text": "x"}, "valueQuantity": {"value": Raw("6.30")}, "id": "o"})
case("digits", [("jws", DIGITS)], [card_source(DIGITS)], "numbers stay as they are written")

for group in "vtr":
    octets, source = eu(group)
    case(f"eu-{group}", [("hc1", hc1(octets))], [source], f"an EU certificate ({group})", args=["--directory", "{../hcert/trust/signers.pem}"])
TWICE, SOURCE = eu("v")
case("eu-octets", [("cwt", TWICE), ("hc1", hc1(TWICE))], [SOURCE], "the octets and the text of a certificate are one", args=["--directory", "{../hcert/trust/signers.pem}"])
for label, changes in {"no-dose": {"record": {"dn": 0}}, "no-date": {"record": {"dt": "2022-01-05T10:00"}}, "latin": {"name": {"fn": hcert_card.ABSENT, "gn": hcert_card.ABSENT, "fnt": "MUSTER<FRAU"}},
                       "birth-month": {"dcc": {"dob": "1979-04"}}, "no-birth-date": {"dcc": {"dob": ""}}}.items():
    octets, source = eu("v", **changes)
    case(f"eu-{label}", [("hc1", hc1(octets))], [source], f"an EU certificate: {label}", args=["--directory", "{../hcert/trust/signers.pem}"])
for one in CASES:
    if one["id"].startswith("eu-"):
        one["args"] = [hcert_card.AT if argument == AT else argument for argument in one["args"]]
        path = f"expected/{one['id']}.json"
        FILES[path] = FILES[path].replace(AT.encode(), hcert_card.AT.encode())

FILES["keys/issuer-b.jwks.json"] = minify(key_set(B.jwk())) + b"\n"
FILES["cases.json"] = ("[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in CASES) + "\n]\n").encode()


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    there = {str(path.relative_to(HERE)) for folder in ("cards", "expected", "keys") for path in (HERE / folder).glob("*")} | {"cases.json"}
    if sys.argv[1:]:
        wrong = [path for path in sorted(there | set(FILES)) if path not in FILES or path not in there or (HERE / path).read_bytes() != FILES[path]]
        if wrong:
            sys.exit("\n".join(f"{path}: not what generate.py writes" for path in wrong))
    else:
        for path in there & {str(path.relative_to(HERE)) for path in HERE.rglob("*")}:
            (HERE / path).unlink()
        for path, content in FILES.items():
            (HERE / path).parent.mkdir(exist_ok=True)
            (HERE / path).write_bytes(content)
    print(f"{len(CASES)} cases of hand-overs: {'as generated' if sys.argv[1:] else 'written'}")


if __name__ == "__main__":
    main()
