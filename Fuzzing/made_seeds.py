"""Seeds for the fuzz targets, of forms that no test vector has."""

import base64

# A list of codes of each form that is read: CDC's tables, lists of FHIR, a value set of the EU, and the file of those installed.
CODE_LISTS = (
    "399       |COVID-19, mRNA, new|SARS-COV-2 (COVID-19) vaccine|note|Active|False|2026/10/01\r\n"
    "140|Influenza, seasonal|Influenza||Inactive|False|2020/05/27\r\n",
    "Comirnaty|COVID-19, mRNA, new|399|Pfizer, Inc|PFR|Active|Active|2026/10/01\n",
    "PFR|Pfizer, Inc|note|Active|2012/10/18\n",
    "COVID-19, mRNA, new|399|Active|COVID-19|500\nInfluenza|140|Active|FLU|88\n",
    '{"resourceType":"ValueSet","url":"https://a.example/vs","date":"2026-01-01","title":"COVID-19 vaccines","compose":'
    '{"include":[{"system":"http://hl7.org/fhir/sid/cvx","concept":[{"code":"399","display":"x"}]}],"exclude":'
    '[{"system":"http://hl7.org/fhir/sid/cvx","concept":[{"code":"140"}]}]}}',
    '{"resourceType":"ValueSet","url":"https://a.example/e","expansion":{"contains":[{"system":"http://loinc.org","code":"1-1",'
    '"contains":[{"system":"http://loinc.org","code":"2-2","display":"y"}]}]}}',
    '{"resourceType":"CodeSystem","url":"https://a.example/cs","version":"2026-02-01","concept":[{"code":"a","display":"A",'
    '"concept":[{"code":"b"}]}]}',
    '{"valueSetId":"vaccines-covid-19-names","valueSetDate":"2026-01-01","valueSetValues":{"EU/1/20/1528":{"display":"Comirnaty",'
    '"lang":"en","active":true,"version":"","system":"https://ec.europa.eu/health/documents/community-register/html/"}}}',
    '{"resourceType":"ValueSet","url":"https://a.example/open","date":"2026","compose":{"include":[{"valueSet":["https://a.example/e"]},'
    '{"system":"http://loinc.org","filter":[{"property":"p","op":"=","value":"v"}]},{"system":"http://loinc.org","concept":'
    '[{"code":"1-1","display":"x","designation":[{"value":"y"}]},{"code":"1-1","display":"z"}]}]}}',
    '{"resourceType":"ValueSet","url":"https://a.example/page","expansion":{"total":2,"offset":0,"contains":'
    '[{"system":"http://loinc.org","code":"1-1"}]}}',
    '{"resourceType":"ValueSet","url":"https://a.example/both","compose":{"include":[{"system":"http://loinc.org","filter":[{}],'
    '"concept":[{"code":"1-1"}]}]}}',
    '{"resourceType":"CodeSystem","content":"supplement","supplements":"http://loinc.org|2.1","version":"1","concept":'
    '[{"code":"1-1","display":""}]}',
    '{"resourceType":"CodeSystem","content":"supplement","concept":[{"code":"1-1"}]}',
    '{"valueSetId":"x","valueSetValues":{"":{}}}',
    "399|a|Active|COVID-19|500\n399|b|Active|COVID-19|500\n399|c|Active|FLU|88\n",
    'shcverify code lists 2\n[{"name":"CVX"}]\n',
    "399|a\udc92\udca9|Active|COVID-19|500\n140|\udc81|Active|FLU|88\n",
    "399|COVID-19|SARS|note|Active|Maybe|2026/10/01\n",
    "399|COVID-19|SARS|note|Active|False|2026-10-01\n",
    "399|COVID-19|SARS|note|Active|False|2026/10/01\n1|2\n",
    "399|COVID-19|Active|COVID-19|x\n",
    "39999|COVID-19|Active|COVID-19|500\n",
    '{"resourceType":"Patient"}',
    "{",
    '{"resourceType":"ValueSet","url":"https://a.example/vs","date":"today","compose":{"include":[{"concept":[{"code":"399"}]}]}}',
    '{"resourceType":"ValueSet","compose":{"include":[{"system":"s","concept":[{"code":"1"}]}],"exclude":[{"system":"s"}]}}',
    '{"resourceType":"ValueSet","expansion":{"contains":[{"code":"1-1"}]}}',
    '{"resourceType":"ValueSet","expansion":{"contains":7}}',
    '{"resourceType":"CodeSystem","url":"s","concept":[{"display":"x"}]}',
    '{"resourceType":"CodeSystem","url":"s","title":"a\\u000ab","concept":[{"code":"x","display":7}]}',
    '{"valueSetId":"x","valueSetValues":7}',
    '{"valueSetId":"x","valueSetValues":{"a":{"display":"b"}}}',
    'shcverify code lists 1\n[{"form":"cvx","id":"cvx","name":"CVX","date":"2026-10-01","dated":true,"count":1,"origin":"f",'
    '"tables":[{"system":"http://hl7.org/fhir/sid/cvx","bytes":8}]}]\n399\x1fc\x1f\x1fx',
)

# Values of all types.
VALUES = (
    ("valueQuantity", {"value": 1, "comparator": "<", "code": "kg"}),
    ("valueString", "s"),
    ("valueDateTime", "2021"),
    ("valueTime", "10:00:00"),
    ("valueBoolean", True),
    ("valueInteger", 7),
    ("valueRange", {"low": {"value": 1, "unit": "g"}, "high": {"value": 2, "unit": "g"}}),
    ("valueRange", {"low": {"value": 2, "unit": "g"}, "high": {"value": 3}}),
    ("valueRange", {"low": {"value": 2}}),
    ("valueRange", {"high": {"value": 2}}),
    ("valueRange", {}),
    ("valueRatio", {"numerator": {"value": 1}, "denominator": {"value": 128}}),
    ("valueRatio", {"numerator": {"value": 1, "unit": "g"}, "denominator": {"value": 1, "unit": "l"}}),
    ("valueRatio", {"numerator": {"value": 1}}),
    ("valuePeriod", {"start": "2021", "end": "2022"}),
    ("valuePeriod", {"start": "2021"}),
    ("valuePeriod", {"end": "2021"}),
    ("valuePeriod", {}),
    ("valueCodeableConcept", {"coding": [{"code": "y"}]}),
)


def observation(number, name, value):
    """An Observation with a value, which one component of it has too."""
    category = ("vital-signs", "laboratory", "LAB", "x")[number % 4]
    return {
        "resourceType": "Observation", "status": "final", "category": [{"coding": [{"code": category}]}],
        "code": {"text": "t"}, "effectiveDateTime": "2021-02-03T04:05:06Z", name: value,
        "component": [{"code": {"text": name}, name: value}], "dataAbsentReason": {"text": "a"},
        "referenceRange": [{"low": {"value": 1.50, "unit": "g"}}, {"text": "r"}], "interpretation": [{"text": "i"}],
    }


# References of all kinds, to resources whose names are one or two references away.
REFERRING = (
    ("resource:0", {"resourceType": "Patient", "name": [{"text": "A B", "use": "official"}, {
        "family": "B", "given": ["A"], "prefix": ["Dr"], "suffix": ["II"]}], "birthDate": "1951-01"}),
    ("https://a.example/fhir/Medication/m", {"resourceType": "Medication", "id": "m", "code": {"text": "aspirin"}}),
    ("https://b.example/fhir/Practitioner/p", {"resourceType": "Practitioner", "id": "p", "name": [{"family": "C"}]}),
    ("urn:uuid:00000000-0000-0000-0000-00000000000a", {
        "resourceType": "PractitionerRole", "practitioner": {"reference": "https://b.example/fhir/Practitioner/p"}}),
    (None, {"resourceType": "PractitionerRole", "id": "r", "organization": {"display": "D"}}),
    (None, {"resourceType": "Organization", "id": "o", "name": "E"}),
    (None, {"resourceType": "MedicationRequest", "medicationReference": {"reference": "https://a.example/fhir/Medication/m"},
            "subject": {"reference": "resource:0"}, "requester": {"reference": "urn:uuid:00000000-0000-0000-0000-00000000000A"}}),
    (None, {"resourceType": "MedicationStatement", "medicationReference": {"reference": "#c"}, "contained": [{
        "resourceType": "Medication", "id": "c", "code": {"coding": [{"system": "s", "code": "c", "display": "d"}]}}],
            "subject": {"display": "F"}, "effectivePeriod": {"start": "2021", "end": "2021-02-03T04:05:06.789+01:00"}}),
    (None, {"resourceType": "MedicationAdministration", "medicationReference": {"reference": "https://c.example/Medication/n"},
            "performer": [{"actor": {"reference": "PractitionerRole/r/_history/2"}}]}),
    (None, {"resourceType": "Immunization", "status": "completed", "vaccineCode": {"coding": [{"code": "207"}]},
            "performer": [{"actor": {"reference": "#p"}}], "contained": [{"resourceType": "PractitionerRole", "id": "p",
                                                                         "organization": {"reference": "Organization/o"}}]}),
    (None, {"resourceType": "DiagnosticReport", "status": "final", "code": {"coding": [{"code": "x"}]}, "conclusion": "well",
            "conclusionCode": [{"coding": [{"system": "http://snomed.info/sct", "code": "1"}]}],
            "performer": [{"reference": "Organization/o"}]}),
    (None, {"resourceType": "Coverage", "status": "active", "subscriberId": "S", "payor": [{"reference": "Organization/o"}],
            "class": [{"type": {"coding": [{"code": "group"}]}, "value": "G", "name": "H"}], "period": {"start": "2021-01-01"}}),
)

BUNDLES = (
    {"resourceType": "Bundle", "type": "collection", "entry": [
        {"fullUrl": url, "resource": resource} if url else {"resource": resource} for url, resource in REFERRING]},
    {"resourceType": "Bundle", "type": "collection", "entry": [
        {"resource": observation(number, name, value)} for number, (name, value) in enumerate(VALUES)]},
    *({"resourceType": "Bundle", "type": "collection", "entry": [{"resource": observation(3, name, value)}]} for name, value in VALUES),
)

# Texts of links, with what is odd and what is wrong.
PAYLOAD = b"eyJ1cmwiOiJodHRwczovL2EuZXhhbXBsZS9tIiwia2V5IjoiQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQSJ9"
LINK_TEXTS = (
    b"shlink://" + PAYLOAD, b"SHLINK:/" + PAYLOAD, b"vhlink:/" + PAYLOAD, b"shlink:/" + PAYLOAD + b"=", b"shlink:/" + PAYLOAD[:-1] + b"B",
    b"shlink:/" + PAYLOAD[:-4], b"shlink:/a+b/", b"shlink:/W10", b"shlink:/!", b"shlink:/", b"https://a.example", b"shlink:/e30",
    b"https://v.example/?a=shlink:/" + PAYLOAD + b"#shlink:/" + PAYLOAD, b"https://v.example/?x=shlink:/e30#shlink:/" + PAYLOAD,
)

# Changes to the payload of a link.
LINK_PAYLOADS = (
    {"url": None}, {"url": 7}, {"url": "http://a.example"}, {"url": "https://a@b"}, {"url": "https://a.example/" + "m" * 120},
    {"url": "https://a.example/" + "m" * 3000}, {"key": None}, {"key": 7}, {"key": "AAAA"}, {"key": "*"}, {"key": "A" * 43 + "="},
    {"label": 7}, {"label": "x" * 81}, {"exp": "x"}, {"exp": "4102444800"}, {"exp": 4102444800000}, {"exp": -1e30}, {"exp": 1e30},
    {"exp": True}, {"exp": 1.5}, {"flag": 7}, {"flag": "PU"}, {"flag": "PL"}, {"flag": "U"}, {"flag": "X"}, {"v": "1"}, {"v": 2},
    {"v": 1.5}, {"v": "x"}, {"extra": 1},
)

# What may be in the answer of a link's server.
MANIFESTS = (
    b"<html>", b"[", b"[]", b"{}", b'{"files":7}', b'{"files":[7]}', b'{"files":[{"contentType":"a/b"}]}',
    b'{"files":[{"contentType":"a/b","location":"http://a.example"},{"embedded":7},{"embedded":"x"}],"status":"can-change"}',
    b'{"files":[' + b",".join([b"{}"] * 101) + b"]}",
)

# What may be in a file of a link.
LINK_CONTENTS = (
    b'{"verifiableCredential":["eyJ.eyJ.e30"]}', b'{"resourceType":"Bundle"}', b'{"access_token":"x","aud":"y"}',
    b'{"verifiableCredential":[', b'\xef\xbb\xbf{"resourceType":"Patient"}', b"%PDF-1.7\n", b"\x89PNG\r\n\x1a\n", b"shc:/567629595326546034602925", b"HC1:6BF",
    b"PK\x03\x04",
    b'{"verifiableCredential":["%PDF-1.7\\n"],"a":"\\n%PDF-1.7\\n"}', b"<svg>shc:/567629595326546034602925</svg>", b"text", b"",
)

# Signers of trust lists by which keys are fetched.
# Public keys in PEM: the generator of P-256 as a compressed point, a point that is none, one that is not on the curve, what is no key, and a
# block without an end.
_P256 = bytes.fromhex("301306072a8648ce3d020106082a8648ce3d030107")
_G = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"


def _pem(point):
    key = _P256 + b"\x03" + bytes([len(point) + 1, 0]) + point
    return b"-----BEGIN PUBLIC KEY-----\n" + base64.b64encode(b"\x30" + bytes([len(key)]) + key) + b"\n-----END PUBLIC KEY-----\n"


PUBLIC_KEYS = [
    _pem(bytes.fromhex("03" + _G)), _pem(bytes.fromhex("02" + "ff" * 32)), _pem(bytes.fromhex("04" + _G + "00" * 32)),
    b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", b"-----BEGIN PUBLIC KEY-----\nAAAA\n",
]

SIGNER_IDS = (
    "did:web:tng-cdn.who.int:v2:trustlist#key-1",
    "did:web:tng-cdn-uat.who.int:v2:trustlist",
    "did:web:localhost%3A8443:a:b",
    "did:web:127.0.0.1%3a1",
    "did:web:10.0.0.1",
    "did:web:localhost%3A8443:..:b",
    "did:web:a%b%c",
    "did:key:a:b",
)

# What `shcverify-scan` reads and answers, the output of pdfinfo, and the beginnings of attachments.
SCANS = (
    b"shcverify-scan/1 codes thorough 0 50\nGIF89a",
    b"shcverify-scan/1 draw-pages 1 4 resolution 200\n%PDF-1.7\n",
    b"shcverify-scan/1 draw-pages 7 7 longer-side 4000\n%PDF-1.7\n",
    b"shcverify-scan/1 describe-pdf 50\n%PDF-1.7\n",
    b"shcverify-scan/1 attachments 16 1048576\n%PDF-1.7\n",
    b"shcverify-scan/1 draw-svg\n<svg/>",
    b"page 0 1240 1754 1\ncode 0 10 10 90 10 90 90 10 90 22,L,1,b5+n2020+a3+k1 7368633a2f\n"
    b"code 0 -1 10 90 10 90 90 10 90 - 7368633A2f\nproblem damaged\nend\n",
    b"page 0 1240 1754 1\ncode 0 -1 10 90 10 90 90 10 90 1,H,?, 0a\ncode 0 1 2 3 4 5 6 7 8 - \nproblem out-of-time\nend\n",
    b"5\nhello0\nunread 2\nmay-be-more\ndamaged\nend\n",
    b"0\ntoo-many\nend\n",
    b"28\nshc:/56762959532654603460292528\nshc:/567629595326546034602925may-be-more\nend\n",
    b"3\nabc3\nabcend\n",
    b"page 0 9 9 2\nproblem out-of-time\nend\n",
    b"page 0 9 9 0\nproblem out-of-time\nend\n",
    b"end\n",
    b"page 0 9 9 1\ncode 0 1 2 3 4 5 6 7 8 - 7368633a2f353637363239353935333236353436303334363032393235\n"
    b"code 0 1 2 3 4 5 6 7 8 - 68747470733a2f2f612e6578616d706c65\nproblem damaged\nend\n",
    b"code 0 1 2 3 4 5 6 7 8 - 68747470733a2f2f612e6578616d706c65\ncode 0 1 2 3 4 5 6 7 8 - 68747470733a2f2f612e6578616d706c65\nend\n",
    b"Title:  x\nPages:           2\nPage    1 size:  612 x 792 pts (letter)\nPage    1 rot:   0\n"
    b"Page    2 size:  595.276 x 841.89 pts (A4)\n",
    b"%PDF-1.7\n1 0 obj\nendobj\n",
    b"text\n%PDF-1.7",
    b"1 0 obj endobj",
    b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- <svg> --><!DOCTYPE svg><svg xmlns='http://www.w3.org/2000/svg'/>",
    b"<s:svg xmlns:s='http://www.w3.org/2000/svg'/>",
    b"<html><svg/></html>",
    b"\x89PNG\r\n\x1a\n",
)

# What `shcverify-fetch` reads and answers, and addresses.
FETCHES = (
    b'\n{"status":200,"headers":{"age":"5","cache-control":"max-age=\\"600\\", private","content-type":"application/json",'
    b'"etag":"W/\\"x\\""},"bodyLength":2,"redirects":["https://a.example/x"]}\n{}',
    b'{"status":200,"headers":{"date":"Sun, 06 Nov 1994 08:49:37 GMT","expires":"Mon, 07 Nov 1994 08:49:37 GMT"},"bodyLength":0}\n',
    b'{"status":304,"headers":{"cache-control":"no-cache"},"bodyLength":0}\n',
    b'{"status":404,"headers":{"cache-control":"no-store","expires":"0"},"bodyLength":1}\n!',
    b'\n{"failure":"tls","message":"the server does not speak TLS"}\n',
    b'{"url":"https://a.example/.well-known/jwks.json","timeoutMilliseconds":10000,"maximumBodySize":100,"allowsPrivateNetwork":false,'
    b'"entityTag":"x","lastModified":"Sun, 06 Nov 1994 08:49:37 GMT","origin":"https://b.example","accept":"application/json",'
    b'"allowedOrigins":["https://a.example:443"],"errorBodySize":0,"tls":"standard","maximumRedirects":3}\n',
    b'{"url":"https://a.example/m","mediaType":"application/json","bodyLength":2,"timeoutMilliseconds":1,"maximumBodySize":100,'
    b'"allowsPrivateNetwork":true,"accept":"*/*","tokenLength":5,"errorBodySize":64,"tls":"only13","maximumRedirects":0}\ntoken{}',
    b"https://a.example",
    b"HTTPS://A_b.example.:8443?q#f",
    b"https://[2001:db8::1]:443/x?y",
    b"https://[64:ff9b::7f00:1]/",
    b"https://[2002:808:808::]/",
    b"https://[::ffff:8.8.8.8]/",
    b"https://0x7f.1/",
    b"https://8.8.8.8./",
    b"https://010.1:1",
    b"https://localhost./",
)
