"""Lint vectors: FHIR Bundles."""

from blocks import ABSENT, Raw, edited
from cases import OBSERVATION, PATIENT, bundle, immunization, payload
from lint_base import LintVectors

VECTORS = LintVectors()

# A vaccination against hepatitis B, because the warnings of the Vaccination & Testing guide are only for COVID-19.
SHOT = immunization("08")
DIV = '<div xmlns="http://www.w3.org/1999/xhtml">%s</div>'
EXTENSION = {"url": "https://issuer-a.example/shelf", "valueString": "B"}


def shot(**changes):
    return bundle(PATIENT, edited(SHOT, changes))


def departs(rule, name, content, *also, **options):
    VECTORS.add(f"fhir-schema-error/{rule}", name, content, also=[f"fhir-schema-error/{each}" for each in also], **options)


def conforms(rule, name, content, **options):
    VECTORS.add(f"fhir-schema-error/{rule}", name, content, departs=False, **options)


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
departs("format", "code-two-spaces", shot(vaccineCode={"coding": [{"system": "http://hl7.org/fhir/sid/cvx", "code": "0  8"}]}))
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
departs("resource-meta", "beside-security", shot(meta={"security": [{"code": "IAL2"}], "lastUpdated": "2025-01-29T10:00:00Z"}))
conforms("resource-meta", "security", shot(meta={"security": [{"code": "IAL2"}]}))
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

# The Vaccination & Testing guide

PROFILE = ["--profile", "usa-covid19-immunization"]
COVID = immunization()


def guide(rule, name, content, **options):
    VECTORS.add(f"profile-error/{rule}", name, content, **options)


def covid(**changes):
    return bundle(PATIENT, edited(COVID, changes))


def lab(**changes):
    return bundle(PATIENT, edited(OBSERVATION, changes))


for profile, args in (("guess", []), ("profile", PROFILE)):
    guide("bundle-elements", f"language-{profile}", bundle(PATIENT, COVID, language="en"), args=args)
    guide("patient-elements", f"gender-{profile}", bundle(edited(PATIENT, {"gender": "female"}), COVID), args=args)
    guide("patient-elements", f"name-use-{profile}", bundle(edited(PATIENT, {"name": [{"use": "official", "family": "Anyperson"}]}), COVID), args=args)
    guide("patient-name", f"none-{profile}", bundle(edited(PATIENT, {"name": ABSENT}), COVID), args=args)
    guide("patient-name", f"period-{profile}", bundle(edited(PATIENT, {"name": [{"period": {"start": "2000"}}]}), COVID), args=args)
    guide("immunization-elements", f"site-{profile}", covid(site={"coding": [{"code": "LA"}]}), args=args)
    guide("immunization-elements", f"actor-{profile}", covid(performer=[{"actor": {"display": "Example Hospital", "type": "Organization"}}]), args=args)
    guide("immunization-elements", f"manufacturer-{profile}", covid(manufacturer={"display": "Example"}), args=args)
    guide("immunization-status", f"not-done-{profile}", covid(status="not-done"), args=args)
    guide("is-subpotent", f"false-{profile}", covid(isSubpotent=False), args=args)
    guide("occurrence-date", f"words-{profile}", covid(occurrenceDateTime=ABSENT, occurrenceString="in January"), args=args)
    guide("occurrence-date", f"time-{profile}", covid(occurrenceDateTime="2025-01-29T10:00:00Z"), args=args)
    guide("lot-number", f"lot-{profile}", covid(lotNumber="Lot #0001"), args=args)
    guide("performer", f"two-{profile}", covid(performer=COVID["performer"] * 2), args=args)
    guide("performer", f"nameless-{profile}", covid(performer=[{"actor": {"id": "a"}}]), also=["profile-error/immunization-elements"], args=args)
guide("patient-name", "two", bundle(edited(PATIENT, {"name": PATIENT["name"] * 2}), COVID))
guide("lot-number", "long", covid(lotNumber="0123456789 0123456789"), args=PROFILE)
guide("lot-number", "long-not-asked", covid(lotNumber="0123456789 0123456789"), departs=False)
guide("observation-elements", "method", lab(method={"coding": [{"code": "pcr"}]}))
guide("observation-elements", "performer", lab(performer=[{"display": "Example Laboratory", "type": "Organization"}]))
guide("observation-status", "preliminary", lab(status="preliminary"))
guide("observation-content", "no-value", lab(valueCodeableConcept=ABSENT))
guide("observation-content", "timing", lab(effectiveDateTime=ABSENT, effectiveInstant="2025-05-30T10:00:00Z"))
guide("bundle-type", "batch", bundle(PATIENT, COVID, type="batch"), args=PROFILE)
guide("resources", "no-shot", bundle(PATIENT), args=PROFILE)
guide("resources", "two-patients", bundle(PATIENT, COVID, PATIENT), args=PROFILE)
guide("resources", "laboratory", bundle(PATIENT, COVID, OBSERVATION), args=PROFILE)
guide("vaccine-code", "other-vaccine", bundle(PATIENT, SHOT), args=PROFILE)
guide("vaccine-code", "other-system", covid(vaccineCode={"coding": [{"system": "http://snomed.info/sct", "code": "1119349007"}]}), args=PROFILE)

for rule, content in (
        ("bundle-elements", bundle(PATIENT, COVID)), ("patient-elements", bundle(edited(PATIENT, {"name": [{"text": "Jana T. Anyperson"}]}), COVID)),
        ("patient-name", bundle(edited(PATIENT, {"name": [{"given": ["Jana"]}]}), COVID)), ("immunization-elements", covid(lotNumber=ABSENT, performer=ABSENT)),
        ("immunization-status", covid()), ("is-subpotent", covid(isSubpotent=True)), ("occurrence-date", covid(occurrenceDateTime="2025-01-31")),
        ("lot-number", covid(lotNumber="0123456789-01234567")), ("performer", covid(performer=ABSENT)), ("bundle-type", bundle(PATIENT, COVID)),
        ("resources", bundle(PATIENT, COVID, COVID)), ("vaccine-code", bundle(PATIENT, COVID, immunization("208")))):
    guide(rule, "conforms", content, departs=False)
    guide(rule, "conforms-to-profile", content, departs=False, args=PROFILE)
guide("observation-elements", "range", lab(referenceRange=[{"text": "not detected"}]), departs=False)
guide("observation-status", "amended", lab(status="amended"), departs=False)
guide("observation-content", "quantity", lab(valueCodeableConcept=ABSENT, valueQuantity={"value": 12, "unit": "AU/mL"}), departs=False)
guide("patient-elements", "other-disease", bundle(edited(PATIENT, {"gender": "female"}), SHOT), departs=False)
guide("immunization-elements", "other-disease", shot(site={"coding": [{"code": "LA"}]}), departs=False)
guide("observation-elements", "other-records", bundle(PATIENT, edited(OBSERVATION, {"method": {"coding": [{"code": "pcr"}]}}), composition()), departs=False)
guide("vaccine-code", "not-asked", bundle(PATIENT, SHOT), departs=False)
