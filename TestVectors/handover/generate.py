#!/usr/bin/env python3
"""Writes the vectors of the hand-over; with --check, compares the existing ones with what it would write.

    /usr/bin/python3 TestVectors/handover/generate.py [--check]

It makes cards and certificates, and the FHIR transaction that each must become. The rules stand here a second time, in another language,
so that shcverify is not compared with itself. Needs Python 3.11 and the package `cryptography` 38 (Debian: python3-cryptography).
"""

import base64
import hashlib
import json
import re
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
import hcert_who  # noqa: E402
from hcert_blocks import cbor, hc1, to_be_signed  # noqa: E402
from hcert_trust import XA, XB, Signer, did_entry  # noqa: E402
import texts  # noqa: E402

AT = "2026-06-01T00:00:00Z"
N = uuid.UUID("2807091e-adac-57e9-9f4e-d2d41076b7fc")
V3, REASON = "http://terminology.hl7.org/CodeSystem/v3-ObservationValue", "http://terminology.hl7.org/CodeSystem/v3-ActReason"
ROLES = "http://terminology.hl7.org/CodeSystem/provenance-participant-type"
URI = "urn:ietf:rfc:3986"
TYPES = """AllergyIntolerance CarePlan CareTeam Composition Condition Coverage Device DeviceUseStatement DiagnosticReport DocumentReference
Encounter ExplanationOfBenefit FamilyMemberHistory Goal ImagingStudy Immunization ImmunizationRecommendation InsurancePlan Location Medication
MedicationAdministration MedicationDispense MedicationRequest MedicationStatement Observation Organization Patient Practitioner PractitionerRole
Procedure QuestionnaireResponse RelatedPerson ServiceRequest Specimen""".split()
LABELS = {"issuer-trusted": [(V3, "DIGSIG")], "issuer-not-checked": [(V3, "DIGSIG"), (V3, "UNCERTREL")], "unsigned": [(V3, "PATAST")], "test-list": [(REASON, "HTEST")]}
OIDS = {V3: "urn:oid:2.16.840.1.113883.5.1063", REASON: "urn:oid:2.16.840.1.113883.5.8"}
ADDRESSES = {"valueUri", "valueUrl", "valueCanonical", "questionnaire", "instantiatesUri", "instantiatesCanonical"}


def named(space, name):
    """UUID version 5 of octets in a namespace."""
    return uuid.UUID(bytes=hashlib.sha1(space.bytes + name).digest()[:16], version=5)


def text_of(moment):
    return datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


# What is handed over of one source

class Source:
    """A card, a certificate or a file: its id, its grade of trust, its entries, the Provenance without its targets, and who vouches for the persons."""

    def __init__(self, octets, trust, entries, said, voucher=None):
        self.id, self.trust, self.said, self.voucher = octets if isinstance(octets, uuid.UUID) else named(N, octets), trust, said, voucher
        self.entries = [(named(self.id, f"entry/{index}".encode()), entry) for index, entry in enumerate(entries)]

    def kept(self):
        return [(id, entry) for id, entry in self.entries if entry.get("resource", {}).get("resourceType") in TYPES]


def own(coding):
    """Whether only the program gives this label."""
    if not isinstance(coding, dict):
        return False
    system, code = str(coding.get("system", "")).strip(), str(coding.get("code", "")).strip()
    lower = system.lower()
    return lower.startswith("urn:shcverify:") or any(
        code == label and lower in (where.lower(), OIDS[where]) for where, label in ((V3, "DIGSIG"), (REASON, "HTEST")))


def labelled(resource, id, trust):
    meta = dict(resource.get("meta", {}))
    tags, labels = ([coding for coding in meta.get(name, []) if not own(coding)] for name in ("tag", "security"))
    labels += [{"system": system, "code": code} for system, code in LABELS[trust]
               if (system, code) not in [(coding.get("system"), coding.get("code")) for coding in labels]]
    tags += [{"system": "urn:shcverify:handover:id", "code": str(id)}, {"system": "urn:shcverify:handover:trust", "code": trust}]
    return {name: member for name, member in resource.items() if name != "id"} | {"meta": meta | {"security": labels, "tag": tags}}


GONE = object()


def relative(address):
    return not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", address) or bool(re.match(r"(?i)https?:(?!//)", address))


def narrative(text):
    """A narrative without relative links. Those that are no plain XML stand in NARRATIVES with what must become of them."""
    if text in NARRATIVES:
        return NARRATIVES[text]
    link = lambda found: "" if not found[3].startswith("#") and relative(found[3]) else found[0]
    return re.sub(r"""<(?:[^>"']|"[^"]*"|'[^']*')*>""", lambda tag: re.sub(r"""\s+(href|src)\s*=\s*(["'])(.*?)\2""", link, tag[0]), text)


NARRATIVES = {}


def cleaned(value, label=False, address=False, inside="", root=False):
    """The value without labels of its own, and without what a server would resolve against itself; GONE if nothing is left."""
    if isinstance(value, str):
        return GONE if address and relative(value) else value
    if isinstance(value, list):
        made = [each for each in (cleaned(each, label, address, inside) for each in value) if each is not GONE]
        return GONE if value and not made else made
    if not isinstance(value, dict):
        return value
    if label and own(value):
        return GONE
    is_extension = inside in ("extension", "modifierExtension")
    made, changed = {}, set()
    for name, member in value.items():
        if name == "div" and isinstance(member, str):
            made[name] = narrative(member)
            continue
        is_address = name in ADDRESSES or name == "url" and not is_extension and not root and inside != "contained" or name == "reference" and inside == "education"
        kept = cleaned(member, label or name in ("tag", "security", "securityLabel"), is_address, name)
        if is_address and kept != member:
            changed.add("_" + name)
        if kept is not GONE:
            made[name] = kept
    made = {name: member for name, member in made.items() if name not in changed}
    left = set(made) - {"id"} - ({"url"} if is_extension else set())
    return GONE if made != value and not left and not root else made


def names_of(entry):
    url, resource = entry.get("fullUrl", ""), entry.get("resource", {})
    names = {url, "/".join(url.split("/")[-2:]) if url.count("/") > 1 else url}
    return names | ({f"{resource['resourceType']}/{resource['id']}"} if "id" in resource else set())


def referred(value, source, chosen, contained, inside=""):
    """The value with references that lead to the transaction's own entries."""
    if isinstance(value, list):
        return [referred(each, source, chosen, contained, inside) for each in value]
    if not isinstance(value, dict):
        return value
    made = {}
    for name, member in value.items():
        if name != "reference" or inside == "education" or isinstance(member, dict) or isinstance(member, list) and all(isinstance(each, dict) for each in member):
            made[name] = referred(member, source, chosen, contained, name)
            continue
        if not isinstance(member, str) or not member:
            continue
        named, _, version = member.partition("/_history/")
        stated = lambda entry: entry["resource"].get("meta", {}).get("versionId", version)
        found = [(id, entry) for id, entry in source.entries if named in names_of(entry) and not member.startswith("#") and (not version or stated(entry) == version)]
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
    groups, chosen = {}, {}
    for source in unique:
        for id, entry in source.kept():
            person = entry["resource"]
            if person["resourceType"] != "Patient" or '"reference"' in json.dumps(entry) or source.trust != "issuer-trusted" or not source.voucher:
                continue
            if len(person.get("birthDate", "")) == 10 and any(name.get("text") or name.get("family") or any(name.get("given", [])) for name in person.get("name", [])):
                key = (source.voucher, json.dumps({n: m for n, m in person.items() if n not in ("id", "meta")}, sort_keys=True))
                groups.setdefault(key, []).append((id, person.get("id"), source.id))
    for group in groups.values():
        ids = {own for _, own, _ in group if own}
        for persons in [[each for each in group if each[1] == own] for own in ids | {None}] if len(ids) > 1 else [group]:
            if len({card for _, _, card in persons}) == len(persons):
                chosen |= {id: min(id for id, _, _ in persons) for id, _, _ in persons}
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
                add(id, labelled(referred(cleaned(resource, root=True), owner, chosen, contained), id, owner.trust))
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


def checks(trust, *warnings):
    asked = "skipped" if trust == "issuer-not-checked" else "pass"
    return (f"format=pass, issuer-trust={asked}, key=pass, signature=pass, validity=pass, revocation=skipped, records=skipped"
            + ("; warnings: " + ", ".join(warnings) if warnings else ""))


def card_source(jws, trust="issuer-trusted", iss=ISS, warnings=()):
    head, body, _ = jws.split(".")
    payload = json.loads(inflated(from_b64url(body)), parse_float=lambda digits: Raw(digits))
    subject = payload["vc"]["credentialSubject"]
    entries = subject["fhirBundle"].get("entry", []) if subject["fhirVersion"].startswith("4.0.") else []
    author = {"identifier": {"system": URI, "value": iss}, "display": iss}
    key = {"system": f"{iss}/.well-known/jwks.json", "value": json.loads(from_b64url(head))["kid"]}
    return Source(f"{head}.{body}".encode(), trust, entries, lambda source: said(
        "SMART Health Card", author, text_of(payload["nbf"]), key, "application/jose", jws.encode(), checks(trust, *warnings), source), iss)


# EU certificates

SNOMED, LOINC, EMA = "http://snomed.info/sct", "http://loinc.org", "https://spor.ema.europa.eu/v1/organisations"
SYSTEMS = {"tg": SNOMED, "vp": SNOMED, "mp": "https://ec.europa.eu/health/documents/community-register/html/", "tt": LOINC, "tr": SNOMED}
HL7 = "http://terminology.hl7.org/CodeSystem/"


def eu_entries(group, content):
    record, names = content[group][0], content["nam"]
    coding = lambda *members: {"coding": [{"system": SYSTEMS[name], "code": record[name]} for name in members if name in record]}
    ci, patient = {"identifier": [{"value": record["ci"]}]} if "ci" in record else {}, {"reference": "p"}
    name = lambda family, given: ({"family": family} if family else {}) | ({"given": [given]} if given else {})
    own = [names.get(name, "") for name in ("fn", "gn")]
    latin = [names.get(name, "").replace("<", " ") for name in ("fnt", "gnt")]
    other = any(machine and machine.lower() != written.lower() for machine, written in zip(latin, own))
    person = {"resourceType": "Patient", "name": [name(*each) for each, there in ((own, any(own)), (latin, other)) if there]} | ({"birthDate": content["dob"]} if content["dob"] else {})
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


def author(country, claims=None):
    return {"identifier": {"system": "urn:iso:std:iso:3166", "value": country}, "display": country + (f" (the certificate names {claims})" if claims else "")}


def eu(group, signer=XA, trust="issuer-trusted", warnings=(), **changes):
    """The octets of a certificate, and what must become of it."""
    octets = bytes(hcert_card.card(group, signer=signer, **changes))
    protected = cbor({1: signer.key.alg, 4: signer.kid})
    claims = hcert_card.claims(group, **changes)
    content, claim = claims[-260][1], claims.get(1) or claims[-260][1][group][0].get("co")
    who = author(signer.country, None if claim == signer.country else claim)
    key = {"value": base64.b64encode(signer.kid).decode()}
    return octets, Source(to_be_signed(protected, cbor(claims)), trust, eu_entries(group, content), lambda source: said(
        "EU Digital COVID Certificate", who, text_of(claims[6]), key, "application/cose", octets, checks(trust, *warnings), source),
        (signer.country, json.dumps([content["nam"], content["dob"]], sort_keys=True)))


def icvp(iss="XA", **changes):
    """The octets of a vaccination certificate of WHO, and what must become of it."""
    signer, content = hcert_who.ICVP, hcert_who.icvp(**changes)
    claims = {1: iss, 6: hcert_card.IAT, -260: {-6: content}}
    if not iss:
        del claims[1]
    octets = bytes(hcert_card.card(signer=signer, payload=cbor(claims)))
    shot = content["v"][0]
    person = {"resourceType": "Patient", "name": [{"text": content["n"]}], "birthDate": content["dob"]}
    if "nid" in content:
        person["identifier"] = [{"type": {"coding": [{"system": HL7 + "v2-0203", "code": content["ndt"]}]}, "value": content["nid"]}]
    gender = {"f": "female", "m": "male", "o": "other", "u": "unknown"}.get(content["s"][:1].lower())
    person |= {"gender": gender} if gender else {}
    if "gn" in content:
        person["contact"] = [{"relationship": [{"coding": [{"system": HL7 + "v3-RoleCode", "code": "GUARD"}]}], "name": {"text": content["gn"]}}]
    record = {"resourceType": "Immunization", "status": "completed", "patient": {"reference": "p"}, "occurrenceDateTime": shot["dt"], "lotNumber": shot["bo"],
              "vaccineCode": {"coding": [{"system": "http://smart.who.int/pcmt-vaxprequal/CodeSystem/PreQualProductIds", "code": shot["vp"]}]}}
    who = author("XA", None if iss == "XA" else iss or shot["is"])
    voucher = ("ICVP", json.dumps([content.get(name) for name in ("n", "dob", "s", "ntl", "nid", "ndt", "gn")])) if "nid" in content else None
    return octets, Source(
        to_be_signed(cbor({1: signer.key.alg, 4: signer.kid}), cbor(claims)), "issuer-trusted",
        [{"fullUrl": "p", "resource": person}, {"resource": record}], lambda source: said(
            "International Certificate of Vaccination or Prophylaxis", who, text_of(claims[6]), {"value": base64.b64encode(signer.kid).decode()},
            "application/cose", octets, checks("issuer-trusted"), source), voucher)


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
MORE = of(dict(reversed(PATIENT.items())) | {"meta": {"security": [{"system": "https://smarthealth.cards/ial", "code": "IAL2"}]}}, OBSERVATION)
case("one-person-otherwise", [("jws", PLAIN), ("jws", MORE)], [card_source(PLAIN), card_source(MORE)],
     "neither the order of members nor meta makes another person")
OTHER = of(PATIENT | {"gender": "female"}, OBSERVATION)
case("two-persons", [("jws", PLAIN), ("jws", OTHER)], [card_source(PLAIN), card_source(OTHER)], "Patients that differ in anything are two")
TWINS = of(PATIENT, PATIENT, immunization(patient={"reference": "resource:0"}), immunization(patient={"reference": "resource:1"}))
case("twins", [("jws", TWINS), ("jws", PLAIN)], [card_source(TWINS), card_source(PLAIN)], "a Patient that one card has twice is merged with none")
LED = of(PATIENT | {"managingOrganization": {"reference": "resource:1"}}, {"resourceType": "Organization", "name": "Clinic"})
LED_TOO = of(PATIENT | {"managingOrganization": {"reference": "resource:1"}}, {"resourceType": "Organization", "name": "Other"})
case("patients-with-references", [("jws", LED), ("jws", LED_TOO)], [card_source(LED), card_source(LED_TOO)], "a Patient with a reference is merged with none")

REFERENCES = of(
    {"fullUrl": "https://ehr.example/fhir/Patient/p1", "resource": PATIENT | {"id": "p1"}},
    {"fullUrl": "urn:uuid:0b1c0a3c-6a4f-4f0e-9d5e-000000000001", "resource": {"resourceType": "Organization", "id": "o", "meta": {"versionId": "2"}, "name": "Clinic"}},
    {"fullUrl": "resource:2", "resource": immunization(patient={"reference": "Patient/p1"}, performer=[
        {"actor": {"reference": "urn:uuid:0b1c0a3c-6a4f-4f0e-9d5e-000000000001"}}, {"actor": {"reference": "Organization/o", "display": "the same"}},
        {"actor": {"reference": "Organization/other", "display": "elsewhere"}}, {"actor": {"reference": "https://ehr.example/fhir/Practitioner/1"}},
        {"actor": {"reference": "Practitioner?identifier=1"}}, {"actor": {"reference": "#inside"}}, {"actor": {"reference": "#outside"}},
        {"actor": {"reference": "Patient/p1/_history/2"}}, {"actor": {"reference": "Organization/o/_history/3"}}, {"actor": {"reference": "resource:9", "identifier": {"value": "own"}}}],
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
     "equal Patients of two issuers are two: nobody is matched")
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
SIGNERS = ["--directory", "{../hcert/trust/signers.pem}"]
for label, changes in {"second-name": {"name": {"fn": "B\u00e4cker", "gn": "Zo\u00eb", "fnt": "BAECKER", "gnt": "ZOE"}}, "second-given": {"name": {"gnt": "JEAN<ANNE"}},
                       "one-part": {"name": {"gn": hcert_card.ABSENT, "gnt": hcert_card.ABSENT}}, "no-issuer": {"change": {1: hcert_card.ABSENT}, "record": {"co": "XA"}},
                       "names-a-place": {"change": {1: hcert_card.ABSENT}}}.items():
    octets, source = eu("v", **changes)
    case(f"eu-{label}", [("hc1", hc1(octets))], [source], f"an EU certificate: {label}", args=SIGNERS)
octets, source = eu("v", warnings=["issuer-mismatch"], change={1: "DE"})
case("eu-claims-another", [("hc1", hc1(octets))], [source], "the author is who signed, and a claim is said to be one; so is the warning", args=SIGNERS)
octets, source = eu("v", change={1: "https://issuer-a.example/cards"}, warnings=["issuer-mismatch"])
case("eu-claims-a-url", [("hc1", hc1(octets))], [source], "a certificate cannot speak as an issuer of cards", args=SIGNERS)
FIRST, SAME = eu("v"), eu("v", record={"dn": 3, "sd": 3})
both = lambda *pairs: ([("hc1", hc1(octets)) for octets, _ in pairs], [source for _, source in pairs])
case("eu-one-person", *both(FIRST, SAME), "two certificates of one signer whose members about the person are equal", args=SIGNERS)
for label, other in {"name": eu("r", name={"fnt": "MUSTERR"}), "given": eu("r", name={"gnt": "JAN"}), "added": eu("r", name={"gnt": hcert_card.ABSENT})}.items():
    case(f"eu-two-persons-{label}", *both(FIRST, other), "nam differs: two persons", args=SIGNERS)
NO_DAY = eu("v", dcc={"dob": "1979"}), eu("r", dcc={"dob": "1979"})
case("eu-two-persons-year", *both(*NO_DAY), "a year of birth is no person", args=SIGNERS)
BY_XB = eu("v", signer=XB, change={1: "XB"})
case("eu-two-countries", *both(FIRST, BY_XB), "one person of two countries is two: nobody is matched", args=["--directory", "{../hcert/trust/signers.pem}", "--directory", "{../hcert/trust/dsc-xb.pem}"])

TEST_DID = "did:web:tng-cdn-dev.who.int:v2:trustlist"
entry = did_entry(XA)
entry |= {"id": entry["id"].replace("did:web:trust.example:v2:trustlist", TEST_DID), "controller": TEST_DID}
FILES["keys/list-dev.did.json"] = (json.dumps({"@context": ["https://www.w3.org/ns/did/v1"], "id": TEST_DID, "controller": TEST_DID, "verificationMethod": [entry]}, indent=1) + "\n").encode()
OF_TEST = eu("v", trust="test-list", warnings=["test-list"]), eu("v", trust="test-list", warnings=["test-list"], record={"dn": 3, "sd": 3})
case("eu-test-list", *both(*OF_TEST), "the signer is on a list of a test network alone: HTEST, and two Patients", args=["--directory", "{keys/list-dev.did.json}", "--allow-test-lists"])
case("eu-test-list-and-other", *both(FIRST, SAME), "another list has the signer too", args=["--directory", "{keys/list-dev.did.json}", "--allow-test-lists", *SIGNERS])

WHO = ["--directory", "{../hcert/trust/who-domains.did.json}"]
HOLDER = icvp()
case("eu-icvp", *both(HOLDER), "a vaccination certificate of WHO: sex and document", args=WHO)
case("eu-icvp-guardian", *both(icvp(gn="Lee Muster", s="M")), "its guardian is a contact, and M is male", args=WHO)
case("eu-icvp-claims-a-url", *both(icvp(iss="https://issuer-a.example/cards")), "its iss is free text: it cannot speak as an issuer of cards", args=WHO)
case("eu-icvp-no-issuer", *both(icvp(iss=None)), "without iss, what the vaccination names is said to be a claim", args=WHO)
AGAIN = hcert_who.shot(dt="2022-03-04")
case("eu-icvp-one-person", *both(HOLDER, icvp(v=[AGAIN])), "all members about the person are equal", args=WHO)
for name, value in {"nid": "K22222222", "s": "male", "ntl": "XBB", "ndt": "NI", "gn": "Lee Muster", "n": "Jane Mustard"}.items():
    case(f"eu-icvp-other-{name}", *both(HOLDER, icvp(v=[AGAIN], **{name: value})), f"{name} differs: two travellers", args=WHO)
NAMELESS = icvp(nid=hcert_card.ABSENT, ndt=hcert_card.ABSENT), icvp(v=[AGAIN], nid=hcert_card.ABSENT, ndt=hcert_card.ABSENT)
case("eu-icvp-no-document", *both(*NAMELESS), "without a document, nobody can tell", args=WHO)

# Persons of cards

BIRTH, MORE = {"resourceType": "Patient", "birthDate": "1951-01-20"}, OBSERVATION
for label, one, other in [("no-name", BIRTH, BIRTH), ("nothing", {"resourceType": "Patient"}, {"resourceType": "Patient"}),
                          ("no-birth-date", {n: m for n, m in PATIENT.items() if n != "birthDate"}, {n: m for n, m in PATIENT.items() if n != "birthDate"}),
                          ("birth-year", PATIENT | {"birthDate": "1951"}, PATIENT | {"birthDate": "1951"}), ("empty-name", BIRTH | {"name": [{"use": "official"}]}, BIRTH | {"name": [{"use": "official"}]}),
                          ("two-ids", PATIENT | {"id": "a"}, PATIENT | {"id": "b"}), ("one-id", PATIENT | {"id": "a"}, PATIENT | {"id": "a"})]:
    pair = of(one, immunization()), of(other, MORE)
    case(f"persons-{label}", [("jws", card) for card in pair], [card_source(card) for card in pair], f"whether two Patients are one: {label}")
THREE = of(PATIENT | {"id": "a"}, immunization()), of(PATIENT | {"id": "b"}, MORE), of(PATIENT, immunization(lot="TEST-0002")), of(PATIENT, immunization(lot="TEST-0003"))
case("persons-between-ids", [("jws", card) for card in THREE], [card_source(card) for card in THREE], "one without an id is neither of two ids, but may be another without")

# What a server resolves

document = lambda **attachment: {"resourceType": "DocumentReference", "status": "current", "subject": {"reference": "resource:0"}, "content": [{"attachment": attachment}]}
told = lambda **members: immunization(extension=[{"url": "https://e.example/x"} | members, {"url": "https://e.example/y", "valueString": "Patient/1"}])
SERVED = {
    "attachment": document(contentType="application/pdf", url="Binary/4711", title="Report"), "attachment-alone": document(url="Binary/4711"),
    "attachment-type": document(url="Binary/4711", title="Report", resourceType="Attachment"),
    "leaflets": immunization(education=[{"documentType": "a", "reference": "https://vis.example/a.pdf"}, {"documentType": "b", "reference": "Binary/1"}]),
    "attachment-path": document(url="/fhir/Binary/4711", data="JVBERi0="), "attachment-host": document(url="//ehr.example/Binary/1", title="t"), "attachment-entry": document(url="resource:0", title="t"),
    "attachment-names-entry": document(url="Patient/p1", title="t"), "attachment-absolute": document(url="https://ehr.example/Binary/4711"), "attachment-scheme": document(url="HTTPS:Binary/4711", title="t"),
    "attachment-id": document(url="Binary/1", id="a", _url={"extension": [{"url": "https://e.example", "valueCode": "x"}]}),
    "photo": {"resourceType": "Practitioner", "photo": [{"url": "Binary/1"}, {"url": "Binary/2", "title": "t"}]}, "device": {"resourceType": "Device", "url": "here"},
    "uri": told(valueUri="Patient/1"), "url": told(valueUrl="Patient/1"), "canonical": told(valueCanonical="Questionnaire/1|2"), "absolute": told(valueUri="urn:uuid:0b1c0a3c-6a4f-4f0e-9d5e-000000000001"),
    "nested": told(extension=[{"url": "inner", "valueUri": "Patient/1"}]), "nested-kept": told(extension=[{"url": "inner", "valueUri": "Patient/1"}, {"url": "other", "valueCode": "c"}]),
    "questionnaire": {"resourceType": "QuestionnaireResponse", "status": "completed", "questionnaire": "Questionnaire/1"},
    "questionnaire-contained": {"resourceType": "QuestionnaireResponse", "status": "completed", "questionnaire": "#q", "item": [{"linkId": "1", "answer": [{"valueUri": "Patient/1"}]}]},
    "instantiates": {"resourceType": "CarePlan", "status": "active", "intent": "plan", "instantiatesUri": ["PlanDefinition/1", "https://p.example/a"], "instantiatesCanonical": ["PlanDefinition/1"],
                     "_instantiatesUri": [None, {"id": "x"}]},
    "contained": immunization(contained=[{"resourceType": "Practitioner", "id": "o", "photo": [{"url": "Binary/1"}], "text": {"status": "generated", "div": "<div><a href='Patient/1'>a</a></div>"}}],
                              performer=[{"actor": {"reference": "#o"}}]),
    "meta": immunization(meta={"extension": [{"url": "https://e.example", "valueUri": "Patient/1"}]}),
}
div = lambda text: immunization(text={"status": "generated", "div": f'<div xmlns="http://www.w3.org/1999/xhtml">{text}</div>'})
for label, text in {"link": '<a href="Patient/1">a</a> <a href="https://x.example">b</a> <a class="c" href="#top">c</a>', "picture": '<img src="Binary/1" alt="c"/>',
                    "quotes": "<a title='x > y' href='../Patient/1' class=\"k\">a</a>", "prose": 'write href="Patient/1" there', "spaces": '<a\n href = "Patient/1"\n >a</a>',
                    "prefixed": "<a mailto='x' href='mailto:a@b.example'>m</a><b hrefx='y'>n</b>"}.items():
    SERVED[f"div-{label}"] = div(text)
for label, (text, left) in {
    "comment": ('<!--> <a href="Patient/1"> -->', "<!--> <a  > -->"), "unquoted": ("<a href=Patient/1>a</a>", "<a  >a</a>"), "slash": ('<a/href="Patient/1">a</a>', "<a/ >a</a>"),
    "case": ('<A HREF="Patient/1"/HREF="Patient/2">a</A>', "<A  / >a</A>"), "joined": ('<a hr href="x"ef="Patient/1">a</a>', '<a hr  ef="Patient/1">a</a>'),
    "open": ('<a href="Patient/1>a</a>', "<a  "), "kept": ("<a href=https://x.example title=src=Binary/1>a</a>", "<a href=https://x.example title= >a</a>")}.items():
    SERVED[f"div-{label}"] = div(text)
    before, after = '<div xmlns="http://www.w3.org/1999/xhtml">', "</div>"
    NARRATIVES[before + text + after] = before + left + ("" if label == "open" else after)
for label, resource in SERVED.items():
    served = of(PATIENT | {"id": "p1"}, resource)
    case(f"served-{label}", [("jws", served)], [card_source(served)], f"what a server would resolve against itself goes: {label}")

# Labels

for label, coding in {"urn": ("URN:shcverify:handover:trust", "issuer-trusted"), "namespace": ("urn:SHCverify:handover:id", "x"), "blank": (" urn:shcverify:handover:trust", "issuer-trusted"),
                      "oid": (OIDS[V3], "DIGSIG"), "oid-case": (OIDS[REASON].upper(), "HTEST"), "htest": (REASON, "HTEST"), "other-code": (REASON, "TREAT"), "other-system": ("https://e.example", "DIGSIG")}.items():
    coding, kept = dict(zip(("system", "code"), coding)), {"system": "https://t.example", "code": "t"}
    marked = of(PATIENT, immunization(
        meta={"tag": [coding, kept], "security": [kept, coding]}, code={"coding": [coding]},
        contained=[{"resourceType": "Organization", "id": "o", "meta": {"tag": [[coding, kept]], "security": [coding]}}]),
        document(title="t") | {"securityLabel": [{"coding": [coding, kept]}, {"coding": [coding]}]})
    case(f"labels-{label}", [("jws", marked)], [card_source(marked)], f"nobody labels himself: {label}")
SUBJECTLESS = of(PATIENT, immunization(patient={"reference": "resource:9"}))
case("warnings", [("jws", SUBJECTLESS)], [card_source(SUBJECTLESS, warnings=["record-without-subject"])], "the Provenance has the codes of the warnings")

for one in CASES:
    if one["id"].startswith("eu-"):
        one["args"] = [hcert_card.AT if argument == AT else argument for argument in one["args"]]
        path = f"expected/{one['id']}.json"
        FILES[path] = FILES[path].replace(AT.encode(), hcert_card.AT.encode())

FILES["keys/issuer-b.jwks.json"] = minify(key_set(B.jwk())) + b"\n"
FILES, SHORT = texts.split(FILES, "handover/")
FILES["cases.json"] = texts.index("cases", CASES, SHORT)


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
