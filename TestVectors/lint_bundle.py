"""Lint vectors: FHIR Bundles."""

from blocks import ABSENT, Raw, edited
from cases import OBSERVATION, PATIENT, bundle, immunization, payload
from lint_base import LintVectors

VECTORS = LintVectors()

# The rules of FHIR's structure are looked at alone, without those of profiles.
ALONE = ["--exclude", "profile-error"]
SHOT = immunization("08")
IAL = "https://smarthealth.cards/ial"
DIV = '<div xmlns="http://www.w3.org/1999/xhtml">%s</div>'
EXTENSION = {"url": "https://issuer-a.example/shelf", "valueString": "B"}


def shot(**changes):
    return bundle(PATIENT, edited(SHOT, changes))


def departs(rule, name, content, *also, args=(), **options):
    VECTORS.add(f"fhir-schema-error/{rule}", name, content, also=[f"fhir-schema-error/{each}" for each in also], args=[*ALONE, *args], **options)


def conforms(rule, name, content, args=(), **options):
    VECTORS.add(f"fhir-schema-error/{rule}", name, content, departs=False, args=[*ALONE, *args], **options)


def composition(**changes):
    return edited({"resourceType": "Composition", "status": "final", "type": {"coding": [{"system": "http://loinc.org", "code": "60591-5"}]},
                   "subject": {"reference": "resource:0"}, "date": "2025-05-30T10:00:00+02:00", "author": [{"display": "Example Hospital"}],
                   "title": "Summary"}, changes)


def narrated(div, status="generated"):
    return bundle(PATIENT, composition(section=[{"title": "Summary", "text": {"status": status, "div": div}}]))


# The Bundle

BUNDLE = ["--as", "bundle"]
departs("bundle", "other-resource", {"resourceType": "Parameters", "parameter": [{"name": "a", "valueString": "b"}]}, "no-entries", args=BUNDLE)
departs("bundle", "no-object", [], args=BUNDLE)
conforms("bundle", "collection", bundle(PATIENT, SHOT))
conforms("bundle", "batch", bundle(PATIENT, SHOT, type="batch-response"))
departs("no-entries", "absent", {"resourceType": "Bundle", "type": "collection"})
conforms("no-entries", "one", bundle(PATIENT))
departs("entry-resource", "absent", bundle(PATIENT, SHOT, entry=[*bundle(PATIENT, SHOT)["entry"], {"fullUrl": "resource:2"}]))
conforms("entry-resource", "binary", bundle(PATIENT, {"resourceType": "Binary", "contentType": "text/plain", "data": "QUJD"}))
departs("no-patient", "alone", bundle(edited(SHOT, {"patient": {"display": "Jana"}})))
conforms("no-patient", "last", bundle(edited(SHOT, {"patient": {"reference": "resource:1"}}), PATIENT))

# Resources and members

departs("resource-type", "unknown", bundle(PATIENT, {"resourceType": "ImmunizationRecord"}))
departs("resource-type", "other-case", bundle(PATIENT, edited(SHOT, {"resourceType": "immunization"})))
departs("resource-type", "abstract", bundle(PATIENT, {"resourceType": "DomainResource"}))
departs("resource-type", "datatype", bundle(PATIENT, {"resourceType": "HumanName", "family": "Anyperson"}))
departs("resource-type", "missing", bundle(PATIENT, edited(SHOT, {"resourceType": ABSENT})))
departs("resource-type", "number", bundle(PATIENT, edited(SHOT, {"resourceType": 1})))
departs("resource-type", "kelvin", bundle(PATIENT, {"resourceType": "Tas\u212a", "status": "draft", "intent": "order"}))
conforms("resource-type", "other", bundle(PATIENT, {"resourceType": "Task", "status": "draft", "intent": "order"}))
departs("unknown-element", "top", shot(shelf="B"))
departs("unknown-element", "nested", shot(performer=[{"actor": {"display": "Example Hospital"}, "name": "Example Hospital"}]))
departs("unknown-element", "other-case", shot(lotnumber="1", lotNumber=ABSENT))
departs("unknown-element", "dstu2", shot(date="2025-01-29"))
departs("unknown-element", "comments", shot(fhir_comments=["a comment"]))
departs("unknown-element", "resource-type-within", shot(vaccineCode={"resourceType": "CodeableConcept", **SHOT["vaccineCode"]}))
conforms("unknown-element", "every-kind", shot(primarySource=True, doseQuantity={"value": Raw("0.50"), "unit": "ml"}, note=[{"text": "left arm"}]))
conforms("unknown-element", "specialized", bundle(PATIENT, {"resourceType": "Condition", "subject": {"reference": "resource:0"},
                                                          "onsetAge": {"value": 12, "unit": "a"}}))
departs("json-type", "string-for-boolean", shot(isSubpotent="true"))
departs("json-type", "string-for-number", shot(doseQuantity={"value": "0.5"}))
departs("json-type", "number-for-string", shot(lotNumber=17))
departs("json-type", "number-for-code", shot(status=1))
departs("json-type", "object-for-string", shot(lotNumber={"value": "TEST-0001"}))
departs("json-type", "string-for-object", shot(vaccineCode="08"))
departs("json-type", "string-for-resource", bundle(PATIENT, "SHOT"))
departs("json-type", "array-in-array", bundle(edited(PATIENT, {"name": [{"family": "Anyperson", "given": [["Jana"]]}]}), SHOT))
conforms("json-type", "boolean", shot(isSubpotent=True))
conforms("json-type", "number", shot(doseQuantity={"value": Raw("5e-1")}))
departs("array", "one-value", bundle(edited(PATIENT, {"name": {"family": "Anyperson"}}), SHOT))
departs("array", "one-primitive", bundle(edited(PATIENT, {"name": [{"family": "Anyperson", "given": "Jana"}]}), SHOT))
departs("array", "for-one", shot(lotNumber=["TEST-0001"]))
departs("array", "for-one-object", shot(vaccineCode=[SHOT["vaccineCode"]]))
conforms("array", "of-one", bundle(edited(PATIENT, {"name": [{"family": "Anyperson", "given": ["Jana"]}]}), SHOT))
departs("missing-element", "status", shot(status=ABSENT))
departs("missing-element", "choice", shot(occurrenceDateTime=ABSENT))
departs("missing-element", "nested", shot(performer=[{"function": {"coding": [{"code": "AP"}]}}]))
departs("missing-element", "bundle-type", bundle(PATIENT, SHOT, type=ABSENT))
departs("missing-element", "extension-url", shot(extension=[{"valueString": "B"}]))
conforms("missing-element", "extension-alone", shot(occurrenceDateTime=ABSENT, _occurrenceDateTime={"extension": [EXTENSION]}))
conforms("missing-element", "least", bundle({"resourceType": "Patient"}, SHOT))
departs("choice-of-types", "two", shot(occurrenceString="in January"))
departs("choice-of-types", "value-and-extension", shot(_occurrenceString={"extension": [EXTENSION]}))
conforms("choice-of-types", "string", shot(occurrenceDateTime=ABSENT, occurrenceString="in January"))
conforms("choice-of-types", "with-extension", shot(_occurrenceDateTime={"extension": [EXTENSION]}))

# Values

for name, date in (("no-such-day", "2021-02-30"), ("no-leap-year", "1900-02-29"), ("no-zone", "2021-01-29T10:00:00"), ("no-seconds", "2021-01-29T10:00Z"),
                   ("american", "01/29/2021"), ("padded", " 2021-01-29"), ("year-0", "0000"), ("hour-24", "2021-01-29T24:00:00Z"), ("basic", "20210129")):
    departs("format", f"date-time-{name}", shot(occurrenceDateTime=date))
for name, date in (("year", "2021"), ("month", "2021-01"), ("leap-day", "2000-02-29"), ("second", "2021-01-29T10:00:00Z"), ("fraction", "2021-01-29T10:00:00.123456789-05:00"),
                   ("leap-second", "2016-12-31T23:59:60Z"), ("far-east", "2021-01-29T10:00:00+14:00")):
    conforms("format", f"date-time-{name}", shot(occurrenceDateTime=date))
departs("format", "date-with-time", bundle(edited(PATIENT, {"birthDate": "1951-01-20T00:00:00Z"}), SHOT))
conforms("format", "date-partial", bundle(edited(PATIENT, {"birthDate": "1951-01"}), SHOT))
departs("format", "code-two-spaces", shot(vaccineCode={"coding": [{"system": "https://issuer-a.example/vaccines", "code": "0  8"}]}))
conforms("format", "code-one-space", shot(vaccineCode={"coding": [{"system": "https://issuer-a.example/vaccines", "code": "hep b"}]}))
departs("format", "uri-space", shot(vaccineCode={"coding": [{"system": "hepatitis b", "code": "08"}]}))
departs("format", "integer-fraction", shot(protocolApplied=[{"doseNumberPositiveInt": Raw("1.0")}]))
departs("format", "positive-zero", shot(protocolApplied=[{"doseNumberPositiveInt": 0}]))
departs("format", "too-large", shot(protocolApplied=[{"doseNumberPositiveInt": 2147483648}]))
conforms("format", "largest", shot(protocolApplied=[{"doseNumberPositiveInt": 2147483647}]))
departs("format", "base64", bundle(PATIENT, {"resourceType": "Binary", "contentType": "text/plain", "data": "QUJ"}))
departs("format", "white-space", shot(lotNumber=" "))
conforms("format", "white-space-around", shot(lotNumber=" TEST-0001 "))
departs("code", "unknown", shot(status="finished"))
departs("code", "other-case", shot(status="Completed"))
departs("code", "gender", bundle(edited(PATIENT, {"gender": "m"}), SHOT))
departs("code", "bundle-type", bundle(PATIENT, SHOT, type="Collection"))
conforms("code", "not-done", shot(status="not-done"))
conforms("code", "gender-other", bundle(edited(PATIENT, {"gender": "other"}), SHOT))
conforms("code", "other-system", shot(statusReason={"coding": [{"code": "whatever it is"}]}))
for name, value in (("string", ""), ("null", None)):
    departs("empty", name, shot(lotNumber=value))
departs("empty", "array", shot(note=[]))
departs("empty", "object", shot(location={}))
departs("empty", "object-in-array", shot(reasonCode=[{}]))
departs("empty", "null-in-array", bundle(edited(PATIENT, {"name": [{"family": "Anyperson", "given": ["Jana", None]}]}), SHOT))
departs("empty", "null-object-in-array", shot(reasonCode=[None]))
departs("empty", "companion", bundle(edited(PATIENT, {"name": [{"family": "Anyperson", "given": ["Jana"], "_given": [None]}]}), SHOT))
conforms("empty", "null-for-extension", bundle(edited(PATIENT, {"name": [{"family": "Anyperson", "given": ["Jana", None], "_given": [None, {"extension": [EXTENSION]}]}]}), SHOT))
departs("primitive-extension", "of-object", shot(_vaccineCode={"extension": [EXTENSION]}))
departs("primitive-extension", "array-for-one", shot(_lotNumber=[{"extension": [EXTENSION]}]))
departs("primitive-extension", "one-for-array", bundle(edited(PATIENT, {"name": [{"family": "Anyperson", "given": ["Jana"], "_given": {"extension": [EXTENSION]}}]}), SHOT))
departs("primitive-extension", "string", shot(_lotNumber="B"))
departs("primitive-extension", "of-url", shot(extension=[{**EXTENSION, "_url": {"extension": [EXTENSION]}}]))
conforms("primitive-extension", "value-and-extension", shot(_lotNumber={"id": "a", "extension": [EXTENSION]}))
conforms("primitive-extension", "of-code", shot(_status={"extension": [EXTENSION]}))
departs("extension", "both", shot(extension=[{**EXTENSION, "extension": [EXTENSION]}]))
departs("extension", "neither", shot(extension=[{"url": "https://issuer-a.example/shelf"}]))
conforms("extension", "nested", shot(extension=[{"url": "https://issuer-a.example/shelf", "extension": [EXTENSION]}]))
conforms("extension", "modifier", shot(modifierExtension=[{"url": "https://issuer-a.example/shelf", "valueHumanName": {"family": "Anyperson"}}]))
departs("contained", "twice", shot(contained=[{"resourceType": "PractitionerRole", "contained": [{"resourceType": "Organization", "name": "Example Hospital"}]}]))
conforms("contained", "once", shot(contained=[{"resourceType": "Organization", "name": "Example Hospital"}]))
for name, div in (("not-xhtml", "a summary"), ("no-namespace", "<div>a summary</div>"), ("not-closed", DIV[:-6] % "a summary"), ("crossed", DIV % "<b><i>a</b></i>"),
                  ("script", DIV % "a<script>alert(1)</script>"), ("nothing", DIV % " "), ("entity", DIV % "a&nbsp;summary"), ("two", DIV % "a" + DIV % "b")):
    departs("narrative", name, narrated(div))
conforms("narrative", "lists", narrated(DIV % "<ul><li>a &amp; b<br/></li></ul><!-- c -->"))

# Rules that keep cards small

departs("resource-id", "patient", bundle(edited(PATIENT, {"id": "1"}), SHOT))
departs("resource-id", "bundle", bundle(PATIENT, SHOT, id="card"))
departs("resource-id", "contained", shot(contained=[{"resourceType": "Organization", "id": "a", "name": "Example Hospital"}]))
conforms("resource-id", "element", shot(vaccineCode={"id": "1", **SHOT["vaccineCode"]}))
departs("resource-meta", "version", shot(meta={"versionId": "1"}))
departs("resource-meta", "beside-security", shot(meta={"security": [{"system": IAL, "code": "IAL2"}], "lastUpdated": "2025-01-29T10:00:00Z"}))
conforms("resource-meta", "security", shot(meta={"security": [{"system": IAL, "code": "IAL2"}]}))
departs("assurance-level", "unknown", shot(meta={"security": [{"system": IAL, "code": "IAL5"}]}))
departs("assurance-level", "no-code", shot(meta={"security": [{"system": IAL}]}))
departs("assurance-level", "no-system", shot(meta={"security": [{"code": "IAL2"}]}))
departs("assurance-level", "other-system", shot(meta={"security": [{"system": IAL + "/", "code": "IAL2"}]}))
departs("assurance-level", "bundle", bundle(PATIENT, SHOT, meta={"security": [{"system": IAL, "code": "IAL2"}]}))
for level in ("IAL1", "IAL1.2", "IAL1.4", "IAL3", "ial2"):
    conforms("assurance-level", level.lower() if level != "ial2" else "small-letters", shot(meta={"security": [{"system": IAL, "code": level}]}))
conforms("assurance-level", "other-label", shot(meta={"security": [{"system": "http://terminology.hl7.org/CodeSystem/v3-Confidentiality", "code": "N"}]}))
departs("resource-text", "narrative", shot(text={"status": "generated", "div": DIV % "a shot"}))
conforms("resource-text", "section", narrated(DIV % "a summary"))
departs("concept-text", "vaccine", shot(vaccineCode={**SHOT["vaccineCode"], "text": "hepatitis B"}))
departs("concept-text", "extension", shot(extension=[{"url": "https://issuer-a.example/shelf", "valueCodeableConcept": {"text": "top"}}]))
conforms("concept-text", "note", shot(note=[{"text": "left arm"}]))
departs("coding-display", "vaccine", shot(vaccineCode={"coding": [{"system": "http://hl7.org/fhir/sid/cvx", "code": "08", "display": "Hep B"}]}))
departs("coding-display", "extension", shot(extension=[{"url": "https://issuer-a.example/shelf", "valueCoding": {"code": "top", "display": "Top"}}]))
conforms("coding-display", "reference", shot(location={"display": "Room 1"}))
conforms("coding-display", "translation", shot(vaccineCode={"coding": [{"code": "08", "_display": {"extension": [EXTENSION]}}]}))


def addressed(*urls, **changes):
    resources = (PATIENT, edited(SHOT, changes), edited(SHOT, changes))
    return bundle(entry=[{"fullUrl": url, "resource": resource} for url, resource in zip(urls, resources)])


departs("full-url", "absent", bundle(PATIENT, SHOT, entry=[*bundle(PATIENT)["entry"], {"resource": SHOT}]))
departs("full-url", "uuid", addressed("resource:0", "urn:uuid:c757873d-ec9a-4326-a141-556f43239520"))
departs("full-url", "leading-zero", addressed("resource:0", "resource:01"))
departs("full-url", "word", addressed("resource:0", "resource:one"))
departs("full-url", "other-case", addressed("resource:0", "Resource:1"))
conforms("full-url", "gaps", addressed("resource:0", "resource:7", "resource:3"))
departs("repeated-full-url", "same", addressed("resource:0", "resource:1", "resource:1"))
conforms("repeated-full-url", "alike", addressed("resource:0", "resource:1", "resource:10"))
departs("long-reference", "relative", shot(patient={"reference": "Patient/1"}))
departs("long-reference", "url", shot(patient={"reference": "https://issuer-a.example/fhir/Patient/1"}))
departs("long-reference", "fragment", shot(patient={"reference": "#patient"}))
departs("long-reference", "leading-zero", shot(patient={"reference": "resource:00"}))
conforms("long-reference", "none", shot(location={"display": "Room 1"}))
conforms("long-reference", "no-reference", shot(education=[{"reference": "https://issuer-a.example/leaflet"}]))
departs("open-reference", "beyond", shot(patient={"reference": "resource:2"}))
conforms("open-reference", "forward", bundle(edited(SHOT, {"patient": {"reference": "resource:1"}}), PATIENT))
conforms("open-reference", "to-self", shot(patient={"reference": "resource:1"}))

# DSTU2: only the parts that are the same in all versions

DSTU2 = {"resourceType": "Immunization", "status": "completed", "date": "2015-01-29", "vaccineCode": SHOT["vaccineCode"], "patient": {"reference": "resource:0"},
         "wasNotGiven": False, "reported": False}


def in_dstu2(**changes):
    return payload({"vc.credentialSubject.fhirVersion": "1.0.2", "vc.credentialSubject.fhirBundle": bundle(PATIENT, edited(DSTU2, changes))})


conforms("unknown-element", "in-dstu2", in_dstu2())
departs("resource-id", "in-dstu2", in_dstu2(id="1"))
departs("resource-meta", "in-dstu2", in_dstu2(meta={"versionId": "1"}))
departs("resource-text", "in-dstu2", in_dstu2(text={"status": "generated", "div": DIV % "a shot"}))
departs("concept-text", "in-dstu2", in_dstu2(vaccineCode={**SHOT["vaccineCode"], "text": "hepatitis B"}))
departs("coding-display", "in-dstu2", in_dstu2(vaccineCode={"coding": [{"code": "08", "display": "Hep B"}]}))
departs("long-reference", "in-dstu2", in_dstu2(patient={"reference": "Patient/1"}))
departs("empty", "in-dstu2", in_dstu2(lotNumber=""))

# The profile usa-covid19-immunization

PROFILE = ["--profile", "usa-covid19-immunization"]
COVID = immunization()


def usa(rule, name, content, **options):
    VECTORS.add(f"profile-error/{rule}", name, content, args=PROFILE, **options)


def covid(**changes):
    return bundle(PATIENT, edited(COVID, changes))


def lab(**changes):
    return bundle(PATIENT, edited(OBSERVATION, changes))


usa("bundle-elements", "language", bundle(PATIENT, COVID, language="en"))
usa("patient-elements", "gender", bundle(edited(PATIENT, {"gender": "female"}), COVID))
usa("patient-elements", "name-use", bundle(edited(PATIENT, {"name": [{"use": "official", "family": "Anyperson"}]}), COVID))
usa("patient-name", "none", bundle(edited(PATIENT, {"name": ABSENT}), COVID))
usa("patient-name", "period", bundle(edited(PATIENT, {"name": [{"period": {"start": "2000"}}]}), COVID))
usa("patient-name", "two", bundle(edited(PATIENT, {"name": PATIENT["name"] * 2}), COVID))
usa("immunization-elements", "site", covid(site={"coding": [{"code": "LA"}]}))
usa("immunization-elements", "actor", covid(performer=[{"actor": {"display": "Example Hospital", "type": "Organization"}}]))
usa("immunization-elements", "manufacturer", covid(manufacturer={"display": "Example"}))
usa("immunization-status", "not-done", covid(status="not-done"))
usa("is-subpotent", "false", covid(isSubpotent=False))
usa("occurrence-date", "words", covid(occurrenceDateTime=ABSENT, occurrenceString="in January"))
usa("occurrence-date", "time", covid(occurrenceDateTime="2025-01-29T10:00:00Z"))
usa("lot-number", "lot", covid(lotNumber="Lot #0001"))
usa("lot-number", "long", covid(lotNumber="0123456789 0123456789"))
usa("performer", "two", covid(performer=COVID["performer"] * 2))
usa("performer", "nameless", covid(performer=[{"actor": {"id": "a"}}]), also=["profile-error/immunization-elements"])
usa("observation-elements", "method", bundle(PATIENT, COVID, edited(OBSERVATION, {"method": {"coding": [{"code": "pcr"}]}})), also=["profile-error/resources"])
usa("observation-elements", "performer", bundle(PATIENT, COVID, edited(OBSERVATION, {"performer": [{"display": "Example Laboratory", "type": "Organization"}]})),
    also=["profile-error/resources"])
usa("observation-status", "preliminary", bundle(PATIENT, COVID, edited(OBSERVATION, {"status": "preliminary"})), also=["profile-error/resources"])
usa("observation-content", "no-value", bundle(PATIENT, COVID, edited(OBSERVATION, {"valueCodeableConcept": ABSENT})), also=["profile-error/resources"])
usa("bundle-type", "batch", bundle(PATIENT, COVID, type="batch"))
usa("resources", "no-shot", bundle(PATIENT))
usa("resources", "two-patients", bundle(PATIENT, COVID, PATIENT))
usa("resources", "laboratory", bundle(PATIENT, COVID, OBSERVATION))
usa("vaccine-code", "other-vaccine", bundle(PATIENT, SHOT))
usa("vaccine-code", "other-system", covid(vaccineCode={"coding": [{"system": "http://snomed.info/sct", "code": "1119349007"}]}),
    also=["code-unknown/code-unknown"])
for rule, content in (
        ("bundle-elements", bundle(PATIENT, COVID)), ("patient-elements", bundle(edited(PATIENT, {"name": [{"text": "Jana T. Anyperson"}]}), COVID)),
        ("patient-name", bundle(edited(PATIENT, {"name": [{"given": ["Jana"]}]}), COVID)), ("immunization-elements", covid(lotNumber=ABSENT, performer=ABSENT)),
        ("immunization-status", covid()), ("is-subpotent", covid(isSubpotent=True)), ("occurrence-date", covid(occurrenceDateTime="2025-01-31")),
        ("lot-number", covid(lotNumber="0123456789-01234567")), ("performer", covid(performer=ABSENT)), ("bundle-type", bundle(PATIENT, COVID)),
        ("resources", bundle(PATIENT, COVID, COVID)), ("vaccine-code", bundle(PATIENT, COVID, immunization("208")))):
    usa(rule, "conforms", content, departs=False)
for rule, content in (
        ("observation-elements", edited(OBSERVATION, {"referenceRange": [{"text": "not detected"}]})), ("observation-status", edited(OBSERVATION, {"status": "amended"})),
        ("observation-content", edited(OBSERVATION, {"valueCodeableConcept": ABSENT, "valueQuantity": {"value": 12, "unit": "AU/mL"}}))):
    usa(rule, "conforms", bundle(PATIENT, COVID, content), departs=False, also=["profile-error/resources"])

# HL7's Vaccination & Testing guide


def guide(rule, name, content, profile="vaccination-dm", also=(), is_unknown=False, **options):
    """is_unknown: whether the code is of a code system of which a part is built in, and in no list."""
    args = ["--profile", f"shc-{profile}"] if profile else []
    # What keeps cards small is also in the specification.
    args += ["--exclude", "fhir-schema-error"]
    also = [f"profile-error/{each}" for each in also] + ["code-unknown/code-unknown"] * is_unknown
    VECTORS.add(f"profile-error/{rule}", name, content, args=args, also=also, **options)


LAB = "covid19-laboratory-dm"
LAB_AD = "covid19-laboratory-ad"
OTHER_LAB = "infectious-disease-laboratory-dm"


def named(**changes):
    return bundle(edited(PATIENT, changes), COVID)


def coded(system, code, *more):
    return covid(vaccineCode={"coding": [{"system": system, "code": code}, *more]})


def supervised(code="1208523001", concept="1208522006", **changes):
    component = {"code": {"coding": [{"system": "http://snomed.info/sct", "code": concept}]},
                 "valueCodeableConcept": {"coding": [{"system": "http://snomed.info/sct", "code": code}]}}
    return edited(component, changes)


CVX = "http://hl7.org/fhir/sid/cvx"
SNOMED = "http://snomed.info/sct"
ICD11 = "http://id.who.int/icd/release/11/mms"
IAL = "https://smarthealth.cards/ial"
MVX = {"identifier": {"system": "http://hl7.org/fhir/sid/mvx", "value": "MOD"}}

# Without a profile, the contents choose one, and only its errors count.
guide("prohibited-element", "protocol-chosen", covid(protocolApplied=[{"doseNumberPositiveInt": 1}]), profile=None)
guide("prohibited-element", "site-chosen", covid(site={"coding": [{"code": "LA"}]}), profile=None, departs=False)
guide("prohibited-element", "address-line-chosen", bundle(edited(PATIENT, {"address": [{"line": ["1 Main Street"]}]}), SHOT), profile=None)
guide("use-only-if-required-by-law", "chosen", named(gender="female"), profile=None, departs=False)
guide("choice-of-types", "instant-chosen", lab(effectiveDateTime=ABSENT, effectiveInstant="2025-05-30T10:00:00Z"), profile=None)
guide("required-element", "value-chosen", lab(valueCodeableConcept=ABSENT), profile=None)
guide("prohibited-element", "other-records", bundle(PATIENT, edited(COVID, {"protocolApplied": [{"doseNumberPositiveInt": 1}]}), composition()), profile=None, departs=False)
guide("bundle-entries", "both-kinds-chosen", bundle(PATIENT, COVID, OBSERVATION), profile=None, departs=False)
guide("fixed-value", "not-done-chosen", covid(status="not-done"), profile=None)

for name, content in (
        ("bundle-timestamp", bundle(PATIENT, COVID, timestamp="2025-01-29T10:00:00Z")), ("patient-meta", named(meta={"security": [{"system": IAL, "code": "IAL2"}]})),
        ("telecom", named(telecom=[{"value": "+1 555 0100"}])), ("name-use", named(name=[{"use": "official", **PATIENT["name"][0]}])),
        ("deceased", named(deceasedBoolean=False)), ("site", covid(site={"coding": [{"code": "LA"}]})), ("manufacturer", covid(manufacturer=MVX)),
        ("coding-display", coded(CVX, "207", {"system": SNOMED, "code": "1119349007", "display": "vaccine"})), ("patient-display", covid(patient={"reference": "resource:0", "display": "Jana"})),
        ("extension-of-primitive", covid(_primarySource={"extension": [EXTENSION]})), ("actor-reference", covid(performer=[{"actor": {"display": "A", "reference": "resource:0"}}]))):
    also = ["reference-type"] if name == "actor-reference" else []
    guide("prohibited-element", name, content, also=also)
guide("prohibited-element", "subject-id", lab(subject={"id": "a", "reference": "resource:0"}), profile=LAB)
guide("prohibited-element", "id-of-string", lab(valueCodeableConcept=ABSENT, valueString="trace", _valueString={"id": "a"}), profile=LAB)
guide("prohibited-element", "component-interpretation", lab(component=[supervised(interpretation=[{"text": "a"}])]), profile=LAB)
guide("prohibited-element", "photo", named(photo=[{"title": "a"}]), profile="vaccination-ad")
guide("prohibited-element", "allowed", covid(site={"coding": [{"code": "LA"}]}, meta={"security": [{"system": IAL, "code": "IAL2"}]}), profile="vaccination-ad", departs=False)
guide("prohibited-element", "conforms", bundle(PATIENT, COVID, COVID), departs=False)
for name, content in (("name", named(name=ABSENT)), ("full-url", bundle(PATIENT, COVID, entry=[{"resource": PATIENT}, {"fullUrl": "resource:1", "resource": edited(COVID, {"patient": {"reference": "resource:1"}})}])),
                      ("display", covid(performer=[{"actor": {"identifier": {"value": "1"}}}])), ("reference", covid(patient={"id": "a"}))):
    also = ["reference-type"] if name == "full-url" else ["prohibited-element"] if name == "display" else []
    guide("required-element", name, content, also=also)
guide("required-element", "value", lab(valueCodeableConcept=ABSENT), profile=LAB)
guide("required-element", "supervision", lab(component=[supervised(valueCodeableConcept=ABSENT)]), profile=LAB_AD)
guide("required-element", "no-performer", covid(performer=ABSENT), departs=False)
guide("required-element", "period", lab(effectiveDateTime=ABSENT, effectivePeriod={"start": "2025-05-30"}), profile=LAB, departs=False)
guide("repeated-element", "names", bundle(edited(PATIENT, {"name": PATIENT["name"] * 2}), COVID))
guide("repeated-element", "performers", covid(performer=COVID["performer"] * 2))
guide("repeated-element", "names-allowed", bundle(edited(PATIENT, {"name": PATIENT["name"] * 2}), COVID), profile="vaccination-ad", departs=False)
guide("fixed-value", "bundle-type", bundle(PATIENT, COVID, type="batch"))
guide("fixed-value", "not-done", covid(status="not-done"))
guide("fixed-value", "conforms", covid(status="completed"), departs=False)
guide("choice-of-types", "words", covid(occurrenceDateTime=ABSENT, occurrenceString="in January"))
guide("choice-of-types", "ratio", lab(valueCodeableConcept=ABSENT, valueRatio={"numerator": {"value": 1}}), profile=LAB)
guide("choice-of-types", "period", lab(effectiveDateTime=ABSENT, effectivePeriod={"start": "2025-05-30"}), profile=LAB_AD, departs=False)
guide("reference-type", "patient", covid(patient={"reference": "resource:1"}))
guide("reference-type", "practitioner", covid(performer=[{"actor": {"display": "Dr. A", "reference": "Practitioner/1"}}]), profile="vaccination-ad")
guide("reference-type", "stated", lab(performer=[{"display": "A", "type": "Device"}]), profile=LAB_AD)
guide("reference-type", "organization", covid(performer=[{"actor": {"display": "A", "reference": "Organization/1"}}]), profile="vaccination-ad", departs=False)
guide("bundle-entries", "no-shot", bundle(PATIENT))
guide("bundle-entries", "two-patients", bundle(PATIENT, COVID, PATIENT))
guide("bundle-entries", "laboratory", bundle(PATIENT, COVID, OBSERVATION))
guide("bundle-entries", "two-shots", bundle(PATIENT, COVID, COVID), departs=False)
guide("vaccine-coding", "other-system", coded("http://www.nlm.nih.gov/research/umls/rxnorm", "2468235"))
guide("vaccine-coding", "two-of-one", coded(CVX, "207", {"system": CVX, "code": "213"}))
guide("vaccine-coding", "one-of-each", coded(CVX, "207", {"system": SNOMED, "code": "1119349007"}, {"system": ICD11, "code": "XM3DT5"}), departs=False)
guide("component", "other-code", lab(component=[supervised(concept="118247008")]), profile=LAB)
guide("component", "two", lab(component=[supervised(), supervised()]), profile=LAB_AD)
guide("component", "other-code-allowed", lab(component=[supervised(concept="118247008")]), profile=LAB_AD, departs=False)
guide("component", "supervised", lab(component=[supervised()]), profile=LAB, departs=False)
guide("id-should-not-be-populated", "patient", named(id="1"), profile="vaccination-ad")
guide("id-should-not-be-populated", "none", covid(), profile="vaccination-ad", departs=False)

# The guide's invariants

for name, value in (("family-alone", {"family": "Anyperson"}), ("both", {"text": "Jana T. Anyperson", **PATIENT["name"][0]}), ("neither", {"prefix": ["Dr."]})):
    guide("vc-name-invariant", name, named(name=[value]))
for name, value in (("text", {"text": "Jana"}), ("text-and-family", {"text": "Jana", "family": "Anyperson"}), ("parts", PATIENT["name"][0])):
    guide("vc-name-invariant", name, named(name=[value]), departs=False)
guide("use-only-if-required-by-law", "gender", named(gender="female"))
guide("use-only-if-required-by-law", "none", named(), departs=False)
guide("vc-should-be-omitted", "bundle-id", bundle(PATIENT, COVID, id="card"), profile="vaccination-ad")
guide("vc-should-be-omitted", "none", bundle(PATIENT, COVID), profile="vaccination-ad", departs=False)
guide("vc-should-be-omitted-privacy", "city", named(address=[{"city": "Springfield"}]), profile="vaccination-ad")
guide("vc-should-be-omitted-privacy", "telecom", named(telecom=[{"value": "+1 555 0100"}]), profile="vaccination-ad")
guide("vc-should-be-omitted-privacy", "country", named(address=[{"country": "US"}]), profile="vaccination-ad", departs=False)
for name, value in (("time", "2025-01-29T10:00:00Z"), ("month", "2025-01")):
    guide("vc-polymorphic-date-invariant", name, covid(occurrenceDateTime=value))
guide("vc-polymorphic-date-invariant", "day", covid(occurrenceDateTime="2025-01-31"), departs=False)
guide("vc-shall-be-true-if-populated-invariant", "false", covid(isSubpotent=False))
guide("vc-shall-be-true-if-populated-invariant", "true", covid(isSubpotent=True), departs=False)
guide("vc-should-not-include-string-lot", "lot", covid(lotNumber="Lot #0001"))
guide("vc-should-not-include-string-lot", "lo", covid(lotNumber="LO-0001"), departs=False)
guide("vc-should-be-under-20-chars", "lot-20", covid(lotNumber="01234567890123456789"))
guide("vc-should-be-under-20-chars", "lot-19", covid(lotNumber="0123456789012345678"), departs=False)
guide("vc-should-be-under-20-chars", "umlauts-19", covid(lotNumber="\u00e4" * 19), departs=False)
guide("vc-should-be-under-20-chars", "result-20", lab(valueCodeableConcept=ABSENT, valueString="a" * 20), profile=LAB)
guide("vc-should-be-under-30-chars", "actor-30", covid(performer=[{"actor": {"display": "H" * 30}}]))
guide("vc-should-be-under-30-chars", "actor-29", covid(performer=[{"actor": {"display": "H" * 29}}]), departs=False)
guide("vc-should-be-under-30-chars", "laboratory-30", lab(performer=[{"display": "H" * 30}]), profile=LAB)
guide("vc-shall-be-resource-uri", "uuid", addressed("urn:uuid:c757873d-ec9a-4326-a141-556f43239520", "resource:1"))
guide("vc-shall-be-resource-uri", "number", addressed("resource:0", "resource:12"), departs=False)
for name, system in (("other", "http://example.org/makers"), ("longer", "http://hl7.org/fhir/sid/mvx/")):
    guide("shall-use-known-vaccine-manufacturer-code-system", name, covid(manufacturer={"identifier": {"system": system, "value": "MOD"}}), profile="vaccination-ad")
guide("shall-use-known-vaccine-manufacturer-code-system", "gln", covid(manufacturer={"identifier": {"system": "https://www.gs1.org/gln", "value": "1"}}), profile="vaccination-ad", departs=False)
guide("vc-bundle-lab-status-complete", "preliminary", lab(status="preliminary"), profile=LAB, also=["completed-observation-status"])
guide("vc-bundle-lab-status-complete", "corrected", lab(status="corrected"), profile=LAB, departs=False)
guide("completed-observation-status", "upper-case", lab(status="FINAL"), profile=LAB)
guide("completed-observation-status", "amended", lab(status="amended"), profile=LAB, departs=False)
QUANTITY = {"valueCodeableConcept": ABSENT, "valueQuantity": {"value": 12, "unit": "AU/mL"}}
guide("vc-observation-quantity-should-have-range", "none", lab(**QUANTITY), profile=LAB)
guide("vc-observation-quantity-should-have-range", "range", lab(**QUANTITY, referenceRange=[{"text": "up to 10"}]), profile=LAB, departs=False)
guide("vc-observation-range-only-quantity-or-string", "concept", lab(referenceRange=[{"text": "not detected"}]), profile=LAB)
guide("vc-observation-range-only-quantity-or-string", "words", lab(valueCodeableConcept=ABSENT, valueString="trace", referenceRange=[{"text": "none"}]), profile=LAB, departs=False)

# The guide's value sets

for name, code in (("self-asserted", "IAL1"), ("unknown", "IAL4")):
    guide("identity-assurance-level", name, covid(meta={"security": [{"system": IAL, "code": code}]}))
guide("identity-assurance-level", "other-system", covid(meta={"security": [{"code": "IAL2"}]}))
for name, code in (("ial2", "IAL2"), ("lower-case", "ial1.4")):
    guide("identity-assurance-level", name, covid(meta={"security": [{"system": IAL, "code": code}]}), departs=False)
VECTORS.add("profile-error/immunization-all-cvx", "unknown", coded(CVX, "9999"), also=["code-unknown/code-unknown"],
            args=["--profile", "shc-vaccination-dm", "--exclude", "fhir-schema-error"])
guide("immunization-all-cvx", "newest", coded(CVX, "333"), departs=False)
guide("immunization-all-cvx", "leading-zero", coded(CVX, "08"), departs=False)
guide("SnomedVaccineCodes", "check-digit", coded(SNOMED, "1119349008"), is_unknown=True)
guide("SnomedVaccineCodes", "description", coded(SNOMED, "1119349011"), is_unknown=True)
guide("SnomedVaccineCodes", "concept", coded(SNOMED, "1119349007"), departs=False, is_unknown=True)
guide("SnomedVaccineCodes", "extension", coded(SNOMED, "1031000172108"), departs=False)
guide("ICD11Codes", "words", coded(ICD11, "a vaccine"), is_unknown=True)
guide("ICD11Codes", "joined", coded(ICD11, "XM0GQ8&XM1NL1"), departs=False, is_unknown=True)
guide("lab-qualitative-test-covid", "other-test", lab(code={"coding": [{"system": "http://loinc.org", "code": "2345-7"}]}), profile=LAB, is_unknown=True)
guide("lab-qualitative-test-covid", "last", lab(code={"coding": [{"system": "http://loinc.org", "code": "99772-6"}]}), profile=LAB, departs=False)
guide("lab-qualitative-result", "finding", lab(valueCodeableConcept={"coding": [{"system": SNOMED, "code": "17621005"}]}), profile=LAB)
guide("lab-qualitative-result", "suspected", lab(valueCodeableConcept={"coding": [{"system": SNOMED, "code": "415684004"}]}), profile=LAB, departs=False)
guide("observation-codes", "check-digit", lab(code={"coding": [{"system": "http://loinc.org", "code": "94500-7"}]}), profile=OTHER_LAB, is_unknown=True)
guide("observation-codes", "other-system", lab(code={"coding": [{"system": SNOMED, "code": "871553007"}]}), profile=OTHER_LAB, is_unknown=True)
guide("observation-codes", "any", lab(code={"coding": [{"system": "http://loinc.org", "code": "2345-7"}]}), profile=OTHER_LAB, departs=False, is_unknown=True)
guide("lab-result-findings", "check-digit", lab(valueCodeableConcept={"coding": [{"system": SNOMED, "code": "260373002"}]}), profile=OTHER_LAB)
guide("lab-result-findings", "any", lab(valueCodeableConcept={"coding": [{"system": SNOMED, "code": "17621005"}]}), profile=OTHER_LAB, departs=False)
guide("specimen-collection-supervision-status", "other", lab(component=[supervised("260373001")]), profile=LAB)
guide("specimen-collection-supervision-status", "unsupervised", lab(component=[supervised("1208526009")]), profile=LAB, departs=False)

# Values that are only extensions, and other ways to be absent

EXTENSIONS = {"extension": [{"url": "https://issuer-a.example/shelf", "valueCode": "unknown"}]}
guide("fixed-value", "only-extension", covid(status=ABSENT, _status=EXTENSIONS))
guide("completed-observation-status", "only-extension", lab(status=ABSENT, _status=EXTENSIONS), profile=LAB_AD, also=["vc-bundle-lab-status-complete"])
guide("vc-shall-be-true-if-populated-invariant", "only-extension", covid(_isSubpotent=EXTENSIONS))
guide("vc-name-invariant", "empty-text", named(name=[{"_text": {}, **PATIENT["name"][0]}]), departs=False)
guide("vc-name-invariant", "empty-family", named(name=[{"family": "", "given": ["Jana"]}]))
guide("immunization-all-cvx", "no-leading-zero", coded(CVX, "8"))
guide("immunization-all-cvx", "three-digits", coded(CVX, "008"))
guide("lab-result-findings", "organism", lab(valueCodeableConcept={"coding": [{"system": SNOMED, "code": "840533007"}]}), profile=OTHER_LAB)
guide("vc-should-be-under-20-chars", "outside-the-basic-plane", covid(lotNumber="\U0001f600" * 10))
guide("vc-should-not-include-string-lot", "llot", covid(lotNumber="lLOT1"))
guide("reference-type", "server", covid(performer=[{"actor": {"display": "Dr. A", "reference": "https://issuer-a.example/fhir/Practitioner/1/_history/2"}}]), profile="vaccination-ad")
guide("fixed-value", "bundle-type-chosen", bundle(PATIENT, COVID, type="batch"), profile=None)
guide("bundle-entries", "two-patients-chosen", bundle(PATIENT, COVID, PATIENT), profile=None)
guide("vc-shall-be-true-if-populated-invariant", "other-observation", bundle(PATIENT, edited(COVID, {"isSubpotent": False}), edited(OBSERVATION, {
    "code": {"coding": [{"system": "http://loinc.org", "code": "8302-2"}]}, "valueCodeableConcept": ABSENT, "valueQuantity": {"value": 170}})), profile=None, is_unknown=True)
R5 = {"vc.credentialSubject.fhirVersion": "5.0.0", "vc.credentialSubject.fhirBundle": bundle(PATIENT, COVID)}
VECTORS.add("profile-error/fhir-version", "r5", payload(R5), args=["--profile", "shc-vaccination-dm", "--exclude", "unknown-fhir-version"])
VECTORS.add("profile-error/fhir-version", "r4", payload({"vc.credentialSubject.fhirBundle": bundle(PATIENT, COVID)}), args=["--profile", "shc-vaccination-dm"], departs=False)

# Codes that no list has

for name, changes, is_unknown in (
        ("vaccine", {"vaccineCode": {"coding": [{"system": CVX, "code": "399"}]}}, True),
        ("second", {"vaccineCode": {"coding": [{"system": CVX, "code": "08"}, {"system": CVX, "code": "399"}]}}, True),
        ("maker", {"manufacturer": {"identifier": {"system": "http://hl7.org/fhir/sid/mvx", "value": "XXX"}}}, True),
        ("snomed", {"vaccineCode": {"coding": [{"system": SNOMED, "code": "1119349007"}]}}, True),
        ("icd11", {"vaccineCode": {"coding": [{"system": "http://id.who.int/icd11/mms", "code": "XM9999"}]}}, True),
        ("known-snomed", {"vaccineCode": {"coding": [{"system": SNOMED, "code": "10871000172106"}, {"system": SNOMED, "code": "1119349007"}]}}, False),
        ("newest-vaccine", {"vaccineCode": {"coding": [{"system": CVX, "code": "333"}]}}, False),
        ("known-maker", {"manufacturer": {"identifier": {"system": "http://hl7.org/fhir/sid/mvx", "value": "MOD"}}}, False),
        ("other-system", {"vaccineCode": {"coding": [{"system": "https://issuer-a.example/vaccines", "code": "399"}]}}, False)):
    VECTORS.add("code-unknown/code-unknown", name, shot(**changes), departs=is_unknown,
                args=[*ALONE, "--exclude", "fhir-schema-error"])
for name, code, is_unknown in (("loinc", "2345-7", True), ("known-loinc", "94500-6", False)):
    VECTORS.add("code-unknown/code-unknown", name, lab(code={"coding": [{"system": "http://loinc.org", "code": code}]}), departs=is_unknown, args=ALONE)
for profile in ("shc-vaccination-dm", "shc-vaccination-ad", "usa-covid19-immunization"):
    rule = "vaccine-code" if profile.startswith("usa") else "immunization-all-cvx"
    VECTORS.add(f"profile-error/{rule}", f"of-next-year-{profile}", coded(CVX, "399"), also=["code-unknown/code-unknown"],
                args=["--profile", profile, "--exclude", "fhir-schema-error"])
guide("immunization-all-cvx", "word", coded(CVX, "XM0GQ8"), is_unknown=True)
