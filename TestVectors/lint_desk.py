"""Lint vectors: the profiles of a front desk, carin-insurance-card and ktc."""

import base64

from blocks import ABSENT, Key, b64url, edited, es256, key_set, minify, raw_signature
from lint_base import LintVectors
from lint_links import link

VECTORS = LintVectors()

THO = "http://terminology.hl7.org/CodeSystem/"
GUIDE = "http://hl7.org/fhir/us/insurance-card/StructureDefinition/"


def concept(system, code):
    return {"coding": [{"system": system, "code": code}]}


def bundle(*resources, **changes):
    return edited({"resourceType": "Bundle", "type": "collection",
                   "entry": [{"fullUrl": f"resource:{i}", "resource": each} for i, each in enumerate(resources)]}, changes)


# Insurance cards

CARIN = ["--profile", "carin-insurance-card"]


def meta(profile):
    return {"lastUpdated": "2026-01-02T03:04:05Z", "profile": [GUIDE + profile]}


INSURED = {"resourceType": "Patient", "meta": meta("C4DIC-Patient"), "name": [{"family": "Anyperson", "given": ["Jana"]}], "birthDate": "1951-01-20"}
PAYER = {"resourceType": "Organization", "meta": meta("C4DIC-Organization"), "active": True, "name": "Example Health Plan",
         "identifier": [{"type": concept(THO + "C4DICIdentifierType", "payerid"), "value": "45002"}]}


def kind(code, value="1", system="coverage-class"):
    return {"type": concept(THO + system, code), "value": value}


def cost(**changes):
    return edited({"type": concept(THO + "coverage-copay-type", "gpvisit"), "valueMoney": {"value": 20, "currency": "USD"}}, changes)


WORDS = [{"url": GUIDE + "C4DIC-BeneficiaryCostString-extension", "valueString": "20% after deductible"}]
COVERAGE = {"resourceType": "Coverage", "meta": meta("C4DIC-Coverage"), "status": "active", "type": concept(THO + "v3-ActCode", "HIP"),
            "subscriber": {"reference": "resource:0"}, "subscriberId": "1023456-01", "beneficiary": {"reference": "resource:0"},
            "relationship": concept(THO + "subscriber-relationship", "self"), "period": {"start": "2026-01-01", "end": "2026-12-31"},
            "payor": [{"reference": "resource:1"}], "class": [kind("group", "993355"), kind("plan", "11461128"), kind("rxbin", "100045")],
            "costToBeneficiary": [cost(), cost(valueMoney={"extension": WORDS})]}


def insurance(patient=INSURED, payer=PAYER, **changes):
    return bundle(patient, payer, edited(COVERAGE, changes))


def carin(rule, name, content, *also, departs=True, **options):
    VECTORS.add(f"profile-error/c4dic-{rule}", name, content, departs=departs, args=CARIN, also=[f"profile-error/c4dic-{each}" for each in also], **options)


def schema(rule, name, content, *others):
    """A violation of FHIR's structure, too."""
    VECTORS.add(f"profile-error/c4dic-{rule}", name, content, args=[*CARIN, "--exclude", "fhir-schema-error"], also=[f"profile-error/c4dic-{each}" for each in others])


for rule in ("coverage", "organization", "patient", "type", "subscriber", "subscriber-id", "beneficiary", "relationship", "payor", "class-type",
             "class-repeated", "cost", "name", "meta"):
    carin(rule, "conforms", insurance(), departs=False)
carin("coverage", "none", bundle(INSURED, PAYER))
carin("organization", "none", bundle(INSURED, edited(COVERAGE, {"payor": [{"display": "Example Health Plan"}]})), "payor")
schema("patient", "none", bundle(PAYER, edited(COVERAGE, {"subscriber": {"reference": "resource:0"}, "beneficiary": {"display": "Jana"}, "payor": [{"reference": "resource:0"}]})), "beneficiary")
carin("type", "absent", insurance(type=ABSENT))
carin("subscriber", "display", insurance(subscriber={"display": "Jana Anyperson"}))
carin("subscriber", "absent", insurance(subscriber=ABSENT))
carin("subscriber-id", "absent", insurance(subscriberId=ABSENT))
carin("beneficiary", "display", insurance(beneficiary={"display": "Jana Anyperson"}))
carin("beneficiary", "payer", insurance(beneficiary={"reference": "resource:1"}))
carin("relationship", "absent", insurance(relationship=ABSENT))
carin("relationship", "other-system", insurance(relationship=concept("https://issuer-a.example/relationships", "self")))
carin("relationship", "other-code", insurance(relationship=concept(THO + "subscriber-relationship", "neighbour")))
carin("relationship", "injured", insurance(relationship=concept(THO + "subscriber-relationship", "injured")), departs=False)
carin("payor", "two", insurance(payor=[{"reference": "resource:1"}] * 2))
carin("payor", "patient", insurance(payor=[{"reference": "resource:0"}]))
schema("payor", "absent", insurance(payor=ABSENT))
carin("class-type", "other-system", insurance(**{"class": [kind("group", system="v3-ActCode")]}))
carin("class-type", "other-code", insurance(**{"class": [kind("network")]}))
carin("class-type", "of-the-guide", insurance(**{"class": [kind(code, system="C4DICExtendedCoverageClassCS") for code in ("network", "division", "alternatenetwork", "rxiin")]}), departs=False)
carin("class-repeated", "rxbin", insurance(**{"class": [kind("rxbin", "1"), kind("rxbin", "2")]}))
carin("class-repeated", "network", insurance(**{"class": [kind("network", "1", "C4DICExtendedCoverageClassCS"), kind("network", "2", "C4DICExtendedCoverageClassCS")]}))
carin("class-repeated", "plan-and-group", insurance(**{"class": [kind("plan", "1"), kind("plan", "2"), kind("group", "1"), kind("group", "2")]}), departs=False)
carin("cost", "no-type", insurance(costToBeneficiary=[cost(type=ABSENT)]))
carin("cost", "quantity", insurance(costToBeneficiary=[cost(valueMoney=ABSENT, valueQuantity={"value": 20})]))
carin("cost", "no-currency", insurance(costToBeneficiary=[cost(valueMoney={"value": 20})]))
carin("cost", "no-value", insurance(costToBeneficiary=[cost(valueMoney={"currency": "USD"})]))
carin("cost", "both", insurance(costToBeneficiary=[cost(valueMoney={"value": 20, "currency": "USD", "extension": WORDS})]))
carin("cost", "other-extension", insurance(costToBeneficiary=[cost(valueMoney={"extension": [{"url": "https://issuer-a.example/cost", "valueString": "none"}]})]))
carin("name", "none", insurance(edited(INSURED, {"name": ABSENT})))
carin("name", "two", insurance(edited(INSURED, {"name": INSURED["name"] * 2})))
carin("name", "no-family", insurance(edited(INSURED, {"name": [{"given": ["Jana"]}]})))
carin("meta", "absent", insurance(edited(INSURED, {"meta": ABSENT})))
carin("meta", "no-profile", insurance(edited(INSURED, {"meta": {"lastUpdated": "2026-01-02T03:04:05Z"}})))
carin("passcode", "flag", link(flag="P"), suffix=".txt")
carin("passcode", "long-term", link(), departs=False, suffix=".txt")

# What a patient's app shares

KTC = ["--profile", "ktc"]
OBSERVED = "http://terminology.hl7.org/CodeSystem/v3-ObservationValue"
APP, OTHER = Key("app"), Key("other-app")
APP_ISS = "https://app.example"
PDF = base64.b64encode(b"%PDF-1.4\n%%EOF\n").decode()
PATIENT = {"resourceType": "Patient", "name": [{"family": "Anyperson", "given": ["Jana"]}], "birthDate": "1951-01-20"}
ALLERGY = {"resourceType": "AllergyIntolerance", "patient": {"reference": "urn:uuid:00000000-0000-4000-8000-000000000000"}, "code": {"text": "nuts"}}
DOCUMENT = {"resourceType": "DocumentReference", "meta": {"security": [{"system": OBSERVED, "code": "PATAST"}]}, "status": "current",
            "type": concept("http://loinc.org", "60591-5"),
            "category": [concept("https://cms.gov/fhir/CodeSystem/patient-shared-category", "patient-shared")],
            "subject": {"reference": "urn:uuid:00000000-0000-4000-8000-000000000000"}, "date": "2026-05-30T10:00:00Z",
            "author": [{"display": "Example App"}, {"reference": "urn:uuid:00000000-0000-4000-8000-000000000000"}],
            "content": [{"attachment": {"contentType": "application/pdf", "data": PDF}}]}


def shared(*resources, **changes):
    resources = resources or (PATIENT, DOCUMENT, ALLERGY)
    return edited({"resourceType": "Bundle", "type": "collection", "timestamp": "2026-05-30T10:00:00Z",
                   "entry": [{"fullUrl": f"urn:uuid:00000000-0000-4000-8000-{i:012}", "resource": each} for i, each in enumerate(resources)]}, changes)


def document(**changes):
    return shared(PATIENT, edited(DOCUMENT, changes), ALLERGY)


def ktc(rule, name, content, *also, departs=True, args=(), **options):
    VECTORS.add(f"profile-error/ktc-{rule}", name, content, departs=departs, args=[*KTC, *args], also=[f"profile-error/ktc-{each}" for each in also], **options)


def required(rule, name, content, *also):
    """A violation of FHIR's structure, too."""
    VECTORS.add(f"profile-error/ktc-{rule}", name, content, args=[*KTC, "--exclude", "fhir-schema-error"], also=[f"profile-error/ktc-{each}" for each in also])


for rule in ("bundle-type", "timestamp", "patient", "entries", "doc-status", "doc-type", "doc-category", "doc-subject", "doc-author", "doc-date", "doc-content",
             "doc-pdf", "doc-patast", "meta-profile", "demographics", "no-rendered-pdf"):
    ktc(rule, "conforms", shared(), departs=False)
ktc("bundle-type", "document", shared(type="searchset"))
ktc("timestamp", "absent", shared(timestamp=ABSENT))
ktc("patient", "two", shared(PATIENT, DOCUMENT, ALLERGY, PATIENT))
ktc("entries", "patient-alone", shared(PATIENT))
ktc("doc-status", "superseded", document(status="superseded"))
ktc("doc-type", "other", shared(PATIENT, edited(DOCUMENT, {"type": concept("http://loinc.org", "34133-9")})))
ktc("doc-type", "both", document(type={"coding": [{"system": "http://loinc.org", "code": code} for code in ("60591-5", "51855-5")]}))
ktc("doc-type", "other-system", shared(PATIENT, edited(DOCUMENT, {"type": concept("https://issuer-a.example/types", "60591-5")})))
ktc("doc-type", "story", shared(PATIENT, edited(DOCUMENT, {"type": concept("http://loinc.org", "51855-5")})), departs=False)
ktc("doc-category", "absent", document(category=ABSENT))
ktc("doc-category", "other-system", document(category=[concept("https://issuer-a.example/categories", "patient-shared")]))
ktc("doc-subject", "display", document(subject={"display": "Jana Anyperson"}))
ktc("doc-subject", "elsewhere", document(subject={"reference": "https://fhir.example/Patient/1"}))
ktc("doc-author", "display", document(author=[{"display": "Example App"}]))
ktc("doc-author", "allergy", document(author=[{"reference": "urn:uuid:00000000-0000-4000-8000-000000000002"}]))
ktc("doc-date", "absent", document(date=ABSENT))
ktc("doc-content", "two", document(content=DOCUMENT["content"] * 2))
required("doc-content", "absent", document(content=ABSENT))
ktc("doc-pdf", "text", document(content=[{"attachment": {"contentType": "text/plain", "data": PDF}}]))
ktc("doc-pdf", "url", document(content=[{"attachment": {"contentType": "application/pdf", "url": "https://app.example/1.pdf"}}]))
ktc("doc-pdf", "no-pdf", document(content=[{"attachment": {"contentType": "application/pdf", "data": base64.b64encode(b"\x89PNG").decode()}}]))
required("doc-pdf", "no-base64", document(content=[{"attachment": {"contentType": "application/pdf", "data": "%PDF-1.4"}}]))
ktc("doc-patast", "absent", document(meta=ABSENT))
ktc("doc-patast", "other-system", document(meta={"security": [{"system": "https://issuer-a.example/labels", "code": "PATAST"}]}))
ktc("meta-profile", "patient", shared(edited(PATIENT, {"meta": {"profile": ["http://hl7.org/fhir/us/core/StructureDefinition/us-core-patient"]}}), DOCUMENT))
ktc("demographics", "no-name", shared(edited(PATIENT, {"name": ABSENT}), DOCUMENT))
ktc("demographics", "no-birth-date", shared(edited(PATIENT, {"birthDate": ABSENT}), DOCUMENT))
ktc("no-rendered-pdf", "story-alone", shared(PATIENT, edited(DOCUMENT, {"type": concept("http://loinc.org", "51855-5")}), ALLERGY))
ktc("no-rendered-pdf", "nothing-to-render", shared(PATIENT, edited(DOCUMENT, {"type": concept("http://loinc.org", "51855-5")})), departs=False)

# Links. 2026-06-01T00:00:00Z is 1780272000.

NAMED = ["--recipient", "Example Clinic"]
SOON = 1780272000 + 900
TWO_DAYS = 1780272000 + 48 * 3600


def ktc_link(rule, name, content, *also, departs=True, args=NAMED):
    ktc(rule, name, content, *also, departs=departs, args=args, suffix=".txt")


ktc_link("flag", "manifest", link(exp=SOON))
ktc_link("flag", "direct", link(flag="U", exp=SOON), departs=False)
ktc_link("exp", "absent", link(flag="U"))
ktc_link("exp", "soon", link(flag="U", exp=SOON), departs=False)
ktc_link("exp-long", "a-second-more", link(flag="U", exp=TWO_DAYS + 1))
ktc_link("exp-long", "two-days", link(flag="U", exp=TWO_DAYS), departs=False)
ktc_link("recipient", "nobody", link(flag="U", exp=SOON), args=())
ktc_link("recipient", "named", link(flag="U", exp=SOON), departs=False)

# Attestations

LISTED = ["--app", APP_ISS, "--jwks", (".jwks.json", key_set(APP.jwk(kid="app key 1")), APP_ISS + "=")]


def attested(claims={}, head={}, key=APP, text=None, sign=raw_signature, **changes):
    """A Bundle with the attestation of an app."""
    parts = [b64url(minify(edited(each, more))) for each, more in (
        ({"alg": "ES256", "kid": "app key 1"}, head), ({"iss": APP_ISS, "iat": 1780000000, "jti": "6f1f47a3-0d0e-4b3a-9a44-1b2c3d4e5f60"}, claims))]
    signed = ".".join(parts)
    text = text or f"{signed}.{b64url(sign(*es256(key, signed.encode())))}"
    return shared(meta={"extension": [{"url": "https://cms.gov/fhir/StructureDefinition/app-attestation", "valueString": text}]}, **changes)


def attestation(rule, name, content, departs=True, args=LISTED):
    ktc(f"attestation-{rule}", name, content, departs=departs, args=args)


for rule in ("form", "claims", "signature"):
    attestation(rule, "good", attested(), departs=False)
attestation("form", "no-jws", attested(text="app.example"))
attestation("form", "no-kid", attested(head={"kid": ABSENT}))
attestation("form", "empty-kid", attested(head={"kid": ""}))
attestation("form", "none", attested(head={"alg": "none"}))
attestation("form", "es384", attested(head={"alg": "ES384"}))
attestation("form", "critical", attested(head={"crit": ["exp"]}))
attestation("form", "short-signature", attested(sign=lambda r, s: raw_signature(r, s)[:-1]))
attestation("claims", "more", attested({"sub": "x"}))
attestation("claims", "no-jti", attested({"jti": ABSENT}))
attestation("claims", "number-as-text", attested({"iat": "1780000000"}))
attestation("claims", "http", attested({"iss": "http://app.example"}))
attestation("claims", "empty-jti", attested({"jti": ""}))
# The time of the check is 1780272000.
attestation("claims", "more-than-a-day-ahead", attested({"iat": 1780358401}))
attestation("claims", "a-day-ahead", attested({"iat": 1780358400}), departs=False)
attestation("claims", "before-2020", attested({"iat": 1577836799}))
attestation("claims", "first-of-2020", attested({"iat": 1577836800}), departs=False)
attestation("signature", "other-key", attested(key=OTHER))
attestation("signature", "slash", attested({"iss": APP_ISS + "/"}))
attestation("signature", "keys-of-nobody", attested(), args=[*LISTED[:3], (".jwks.json", LISTED[3][1])])
attestation("signature", "no-such-key", attested(head={"kid": "app key 2"}))
attestation("signature", "not-listed", attested(), args=())
attestation("signature", "slash-not-listed", attested({"iss": APP_ISS + "/"}), args=())
attestation("signature", "absent", shared(), departs=False, args=())
