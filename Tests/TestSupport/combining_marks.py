"""Makes cards with a long run of combining marks in one member each. Unicode's own comparison is slow for such text.

    combining_marks.py MARKS FOLDER STEP

Writes signed cards: FOLDER/000.jws and so on. In each, MARKS marks replace one string of a sample payload, or name an additional
member of one object, or are the key ID. Marks of two classes alternate, so that none is in canonical order.
Only every STEP-th of these cards is made.
"""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "TestVectors"))

import blocks  # noqa: E402

count, folder = int(sys.argv[1]), sys.argv[2]
marks = "\u0315\u0300" * (count // 2)
NEW = object()


def coding(system, code):
    return {"coding": [{"system": system, "code": code, "display": "d"}], "text": "t"}


def entry(number, resource_type, **members):
    return {"fullUrl": f"resource:{number}", "resource": {"resourceType": resource_type, "id": f"id{number}", **members}}


PATIENT = {"reference": "resource:0", "display": "d", "type": "Patient"}
BUNDLE = {
    "resourceType": "Bundle", "type": "collection",
    "meta": {"security": [{"system": "https://smarthealth.cards/ial", "code": "IAL1.2"}]},
    "entry": [
        entry(0, "Patient", birthDate="1951-01-20", name=[
            {"use": "official", "text": "t", "family": "f", "given": ["g"], "prefix": ["p"], "suffix": ["s"]}]),
        entry(1, "Immunization", status="completed", vaccineCode=coding("http://hl7.org/fhir/sid/cvx", "207"), patient=PATIENT,
              occurrenceDateTime="2021-01-29", performer=[{"actor": {"display": "d", "reference": "resource:2"}}], lotNumber="1",
              manufacturer={"identifier": {"system": "http://hl7.org/fhir/sid/mvx", "value": "MOD"}, "reference": "resource:2"},
              protocolApplied=[{"doseNumberString": "1"}], text={"status": "empty", "div": "<div xmlns=\"x\">t</div>"}),
        entry(2, "Organization", name="n"),
        entry(3, "Observation", status="final", category=[coding("http://example.org", "laboratory")], subject={"reference": "Patient/id0"},
              code=coding("http://loinc.org", "94500-6"), effectivePeriod={"start": "2021", "end": "2022"},
              valueQuantity={"value": 1, "unit": "u", "comparator": "<", "code": "c"}, interpretation=[coding("s", "H")],
              referenceRange=[{"text": "r", "low": {"value": 1, "unit": "u"}, "high": {"value": 2, "unit": "u"}}],
              dataAbsentReason=coding("s", "unknown"), component=[{"code": coding("s", "c"), "valueString": "v"}],
              performer=[{"reference": "#p"}], contained=[{"resourceType": "Practitioner", "id": "p", "name": [{"family": "f"}]}]),
        entry(4, "Condition", clinicalStatus=coding("s", "active"), verificationStatus=coding("s", "confirmed"), subject=PATIENT,
              code=coding("http://snomed.info/sct", "840539006"), onsetString="long ago", identifier=[{"value": "i"}]),
        entry(5, "MedicationStatement", status="active", medicationReference={"reference": "resource:6", "display": "m"},
              subject=PATIENT, effectiveDateTime="2020"),
        entry(6, "Medication", code=coding("s", "c")),
    ],
}
PAYLOAD = {
    "iss": "https://issuer-a.example/cards", "nbf": 1750000000, "exp": "x",
    "vc": {"type": ["https://smarthealth.cards#health-card", "x"], "rid": "abc",
           "credentialSubject": {"fhirVersion": "4.0.1", "fhirBundle": BUNDLE}},
}


def places(value, path=()):
    if isinstance(value, dict):
        for name in value:
            yield from places(value[name], path + (name,))
        yield path + (NEW,)
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from places(element, path + (index,))
    elif isinstance(value, str):
        yield path


def changed(path):
    payload = json.loads(json.dumps(PAYLOAD))
    if path != ("exp",):
        del payload["exp"]
    target = payload
    for step in path[:-1]:
        target = target[step]
    target[marks if path[-1] is NEW else path[-1]] = marks
    return payload


key = blocks.Key("issuer-a")
paths = list(places(PAYLOAD))[::int(sys.argv[3])]
cards = [blocks.card(changed(path), key, blocks.header(key)) for path in paths]
# A header has a bound of its own.
cards.append(blocks.card(changed(("vc", "rid")), key, blocks.header(key, kid=marks[:15000])))
for number, card in enumerate(cards):
    with open(os.path.join(folder, f"{number:03}.jws"), "w") as file:
        file.write(card)
