"""The cases about what a certificate says: claims, hcert, content, records asked for, time."""

import struct

from hcert_blocks import Cbor, Pairs, Tag, cbor, seconds
from hcert_card import ABSENT, AT, EXP, IAT, NAME, RAPID, card, case, claims, content, identifier, passes, record
from hcert_trust import ENDED, FUTURE, LATER

BAD = "malformed-payload"
LAST_SECOND = seconds("9999-12-31T23:59:59")


# Claims (P1 to P3)

def claim(name, change, why, reason=BAD, **options):
    case(f"claims/{name}", card(change=change), reason, why, **options)


for label, number in (("exp", 4), ("iat", 6)):
    claim(f"{label}-missing", {number: ABSENT}, f"{label} is missing (P3).")
    claim(f"{label}-null", {number: None}, f"{label} is null, which is as if it were missing (P3).")
    claim(f"{label}-text", {number: "1673352000"}, f"{label} is a text (P2).")
    claim(f"{label}-date-text", {number: "2023-01-10"}, f"{label} is a date as text (P2).")
    claim(f"{label}-negative", {number: -1}, f"{label} is negative (P2).")
    claim(f"{label}-nan", {number: float("nan")}, f"{label} is no number (P2).")
    claim(f"{label}-infinite", {number: float("inf")}, f"{label} is infinite (P2).")
    claim(f"{label}-half-infinite", {number: Cbor(b"\xf9\x7c\x00")}, f"{label} is infinite, in 16 bits (P2).")
    claim(f"{label}-bignum", {number: Tag(2, EXP.to_bytes(9, "big"))}, f"{label} is a bignum (P2).")
    claim(f"{label}-tag-1", {number: Tag(1, EXP)}, f"{label} has the tag of a date: NumericDate has none (P2).")
    claim(f"{label}-bool", {number: True}, f"{label} is true (P2).")
    claim(f"{label}-largest", {number: (1 << 64) - 1}, f"{label} is 2^64 - 1 (P2).")
    claim(f"{label}-float-huge", {number: 1e300}, f"{label} is 1e300 (P2).")
claim("exp-thousandfold", {4: EXP * 1000}, "exp in milliseconds, with a hint (P2).", stderrContains=["milliseconds"])
claim("iat-thousandfold", {6: IAT * 1000}, "iat in milliseconds, with a hint (P2).", stderrContains=["milliseconds"])
claim("exp-year-10000", {4: LAST_SECOND + 1}, "exp in the year 10000 (P2).")
claim("exp-year-9999", {4: LAST_SECOND}, "exp in the last second of 9999 (P2); it outlives the signer's certificate (K7).", None,
      warnings=["outlives-certificate"], json={"/cards/0/expires": "9999-12-31T23:59:59Z"})
claim("floats", {4: float(EXP), 6: float(IAT)}, "exp and iat as floats of 64 bits (P2).", None,
      json={"/cards/0/issued": "2022-01-10T12:00:00Z", "/cards/0/expires": "2023-01-10T12:00:00Z"}, warnings=[])
claim("float-32", {4: Cbor(b"\xfa" + struct.pack(">f", EXP))}, "exp as a float of 32 bits (P2).", None)
claim("float-fraction", {4: EXP + 0.5, 6: IAT + 0.25}, "Fractions of a second (P2).", None)
claim("iat-zero", {6: 0}, "iat is 0 (P2), before the signer's certificate begins (K7).", None, warnings=["issued-before-certificate"])
claim("iss-missing", {1: ABSENT}, "iss is optional (P1).", None, json={"/cards/0/issuer/iss": None, "/cards/0/issuer/country": "XA"}, warnings=[])
claim("iss-number", {1: 7}, "iss is a number (P1).")
claim("iss-bytes", {1: b"XA"}, "iss is a byte string (P1).")
claim("iss-null", {1: None}, "iss is null, which is as if it were missing (P1).", None, warnings=["null-member"], json={"/cards/0/issuer/iss": None})
claim("iss-long", {1: "Ministerium Muster " * 4}, "iss is no country (P1; 80 characters in a real one): a warning (CLI).", None,
      warnings=["issuer-mismatch"])
claim("iss-other-country", {1: "XB"}, "iss is not the country of the signer: a warning, and the signer's country is shown (L5).", None,
      warnings=["issuer-mismatch"], json={"/cards/0/issuer/country": "XA", "/cards/0/issuer/iss": "XB"})
claim("iss-lower-case", {1: "xa"}, "iss in lower case (P1).", None, unsure=True)
claim("nbf-past", {5: IAT}, "nbf in the past (P1, T1).", None, warnings=[])
claim("nbf-now", {5: seconds("2022-06-01")}, "nbf now (T1).", None)
claim("nbf-future", {5: seconds("2022-06-02")}, "nbf tomorrow (T1).", "not-yet-valid")
claim("nbf-text", {5: "2022-06-02"}, "nbf is a text (P2).")
claim("other-claims", {2: "subject", 3: "audience", 7: b"\1\2\3"}, "sub, aud and cti (P1).", None, warnings=[])
claim("text-keys", {4: ABSENT, "exp": EXP}, "exp under a text is not exp (P1).")
claim("text-number-key", {4: ABSENT, "4": EXP}, "exp under the text 4 is not exp (P1).")
without_exp = [pair for pair in claims().items() if pair[0] != 4]
case("claims/float-key", card(payload=cbor(Pairs(without_exp + [(4.0, EXP)]))), BAD, "exp under the float 4.0 is not exp (P1).")
passes("claims/float-key-besides", card(payload=cbor(Pairs([*claims().items(), (4.0, 1)]))), "Beside exp there is a float 4.0, another key (P1, C4).", unsure=True)
passes("claims/text-key-besides", card(change={"exp": 1, "2": 2}), "Texts as keys, beside the claims, are not they (P1).")
claim("text-number-key-besides", {"4": 2}, "exp under the number and the text 4: two readers could differ (CLI).")
claim("nbf-text-key", {"5": IAT}, "nbf under the text 5 (P1, CLI).")
claim("nbf-null", {5: None}, "nbf is null, which is as if it were missing (CLI).", None, warnings=["null-member"])
case("claims/array", card(payload=cbor([claims()])), BAD, "The claims stand in an array (P1).")
case("claims/tag-61", card(payload=cbor(Tag(61, claims()))), BAD, "CWT's tag on the claims, where it does not belong (P1).", unsure=True)
case("claims/json", card(payload=b'{"1":"XA"}'), ["malformed-payload", "malformed-cose"], "The claims are JSON (P1).")
case("claims/empty-map", card(payload=b"\xa0"), BAD, "No claims at all (P3).")


# hcert (P4)

def hcert(name, value, why, reason=BAD, **options):
    case(f"hcert/{name}", card(change={-260: value}), reason, why, **options)


hcert("missing", ABSENT, "No hcert (P4).")
hcert("null", None, "hcert is null (P4).")
hcert("array", [content()], "hcert is an array (P4).")
hcert("bytes", cbor({1: content()}), "hcert is CBOR in a byte string (P4).")
hcert("empty", {}, "hcert has no content (P4).")
hcert("text-key", {"1": content()}, "The content stands under the text 1 (P1, P4).")
hcert("key-2", {2: content()}, "The content stands at 2 (P4).", "unsupported-credential")
hcert("dcc-null", {1: None}, "The content is null (P4).")
hcert("dcc-array", {1: [content()]}, "The content is an array (P4).")
hcert("dcc-bytes", {1: cbor(content())}, "The content is CBOR in a byte string (P4).")
hcert("key-3", {3: {"hcid": "INVENTED", "name": "Jane Muster"}}, "WHO's DDCC:VS at 3 is refused by name (P4).", "unsupported-credential", stderrContains=["ddcc"])
hcert("key-4", {4: {"hcid": "INVENTED", "name": "Jane Muster"}}, "WHO's DDCC:TR at 4 is refused by name (P4).", "unsupported-credential", stderrContains=["ddcc"])
hcert("key-minus-6", {-6: {"n": "Jane Muster", "dob": "1979-04-14", "s": "female", "vx": {"vp": "YellowFever", "dt": "2022-01-05"}}},
      "An ICVP at -6 without its vaccinations (V2).")
hcert("others-beside", {3: {"hcid": "INVENTED"}, 1: content(), -6: {"n": "Jane Muster"}}, "Other contents beside key 1 are ignored with a warning (CLI).",
      None, warnings=["*"], json={"/cards/0/records/0/type": "immunization"})
hcert("unknown-beside", {1: content(), 77: [1]}, "An unknown content beside key 1 (CLI).", None, warnings=["*"])


# The content (P5 to P7, P9)

def dcc(name, change, why, reason=BAD, group="v", **options):
    case(f"dcc/{name}", card(group, dcc=change), reason, why, **options)


for member in ("ver", "nam", "dob"):
    dcc(f"{member}-missing", {member: ABSENT}, f"{member} is required (P4, P5, P8).")
    dcc(f"{member}-number", {member: 1979}, f"{member} is a number (P4, P5).")
dcc("ver-2", {"ver": "2.0.0"}, "A version that the schema does not have (CLI).", None, warnings=["schema-version"])
dcc("ver-words", {"ver": "latest"}, "No version at all (CLI).", None, warnings=["schema-version"], unsure=True)
for version in ("1.0.0", "1.3.3", "1.99.0"):
    dcc(f"ver-{version}", {"ver": version}, "Any 1.x.y (P4).", None, warnings=[])
for label, value, shown in (("month", "1979-04", "1979-04"), ("year", "1979", "1979"), ("empty", "", None),
                            ("time", "1979-04-14T00:00:00", "1979-04-14"), ("time-zone", "1979-04-14T00:00:00Z", "1979-04-14")):
    dcc(f"dob-{label}", {"dob": value}, f"A date of birth as {value!r} (P5).", None, json={"/cards/0/subject/birthDate": shown},
        **({} if "time" in label else {"warnings": []}))
for label, value in (("words", "long ago"), ("german", "14.04.1979"), ("february-30", "1979-02-30"), ("short", "1979-4-14")):
    dcc(f"dob-{label}", {"dob": value}, "No date: null and a warning (P11, CLI).", None, warnings=["schema-error"],
        json={"/cards/0/subject/birthDate": None})
dcc("nam-array", {"nam": [NAME]}, "nam is an array (P5).")
dcc("no-group", {"v": ABSENT}, "None of v, t and r (P7).")
dcc("null-group", {"v": None}, "v is null and so absent (P7).")
dcc("null-groups-beside", {"t": None, "r": None}, "Groups that are null beside the one (P7; four real ones).", None,
    json={"/cards/0/records/0/type": "immunization"})
dcc("empty-group", {"v": []}, "v has no entry (P7).")
dcc("empty-group-beside", {"t": []}, "An empty t beside a v (P7).", [BAD, None], unsure=True)
dcc("two-groups", {"t": [record("t")]}, "v and t: refused (P7).")
dcc("two-groups-recovery", {"r": [record("r")]}, "v and r: refused (P7).")
dcc("two-entries", {"v": [record(dn=1), record()]}, "v with two entries: refused (P7).")
dcc("three-groups", {"t": [record("t")], "r": [record("r")]}, "v, t and r: refused (P7).")
dcc("group-map", {"v": record()}, "v is a map (P7).")
dcc("entry-null", {"v": [None]}, "The entry of v is null (P7).")
dcc("entry-text", {"v": ["EU/1/20/1528"]}, "The entry of v is a text (P7).")
dcc("entry-and-null", {"v": [record(), None]}, "v with an entry and a null (P7).", unsure=True)
dcc("unknown-members", {"meta": {"a": [1, 2.5, None, True, b"x"]}, "pid": "1234"}, "Members that the schema does not know (P8).", None, warnings=["*"])
dcc("integer-key", {7: "x"}, "An integer as key in the content (P8).", [BAD, None], unsure=True)


def name(label, change, why, reason=None, **options):
    case(f"name/{label}", card(name=change), reason, why, **options)


shown = lambda text: {"json": {"/cards/0/subject/name": text}}
name("only-fnt", {"gnt": ABSENT, "gn": ABSENT}, "fnt alone is enough (P6).", **shown("Muster"), warnings=[])
name("only-gnt", {"fnt": ABSENT, "fn": ABSENT}, "gnt alone is enough since 1.3.2 (P6).", **shown("Jane"))
name("only-transliterated", {"fn": ABSENT, "gn": ABSENT, "fnt": "MUSTER<BEISPIEL", "gnt": "JANE<JOAN"}, "Without fn and gn the others are shown (CLI).",
     **shown("JANE JOAN MUSTER BEISPIEL"), warnings=[])
name("no-transliterated", {"fnt": ABSENT, "gnt": ABSENT}, "Neither fnt nor gnt (P6).", BAD)
name("nothing", {"fn": ABSENT, "gn": ABSENT, "fnt": ABSENT, "gnt": ABSENT}, "An empty nam (P6).", BAD)
name("decomposed", {"fn": "Mu\u0308ster", "gn": "Ja\u0301ne"}, "Letters with combining marks are shown in NFC (P9).", **shown("J\u00e1ne M\u00fcster"))
name("gn-null", {"gn": None}, "An optional member that is null (P8).", json={"/verdict": "pass"})
name("gn-empty", {"gn": ""}, "An empty gn (real: 32 of 988).", **shown("Muster"))
name("fn-number", {"fn": 7}, "fn is a number (P6).", BAD)
name("fnt-array", {"fnt": ["MUSTER"]}, "fnt is an array (P6).", BAD)
name("fn-80", {"fn": "M" * 80}, "80 characters (P6).", warnings=[])
name("fn-81", {"fn": "M" * 81}, "81 characters: a warning (P6, CLI).", warnings=["schema-error"])
name("fn-80-umlauts", {"fn": "\u00dc" * 80}, "80 characters of two octets each (P6).", warnings=[])
name("fnt-lower-case", {"fnt": "Muster"}, "A transliteration in lower case (P6).", warnings=["schema-error"], unsure=True)
name("white-space", {"fn": " Muster ", "gn": "Jane\n"}, "White space around names (real: 7).", json={"/verdict": "pass"})
name("unknown-member", {"mn": "Joan"}, "A member that the schema does not know (P8).", warnings=["*"])
name("line-and-colons", {"fn": "Muster\n::error::forged", "gn": "\u202eenaJ"}, "A name that would forge lines of a report (CLI of shcverify).",
     json={"/verdict": "pass"})


# Records (P8, P10, P11)

REQUIRED = {"v": "tg vp mp ma dn sd dt co is ci", "t": "tg tt sc tr co is ci", "r": "tg fr df du co is ci"}
for group, members in REQUIRED.items():
    for member in members.split():
        case(f"record/{group}-{member}-missing", card(group, record={member: ABSENT}), BAD, f"{member} of {group} is required (P8).")


def entry(label, group, change, why, reason=None, **options):
    case(f"record/{label}", card(group, record=change), reason, why, **options)


first = lambda **members: {"json": {f"/cards/0/records/0/{member}": value for member, value in members.items()}}
entry("v-mp-null", "v", {"mp": None}, "A required member that is null (P8).", BAD)
entry("v-dn-null", "v", {"dn": None}, "A required number that is null (P8).", BAD)
entry("t-optional-null", "t", {"ma": None, "nm": None, "tc": None}, "Optional members that are null (P8; IE's ma).", **first(performer=None))
entry("t-optional-absent", "t", {"nm": ABSENT, "tc": ABSENT}, "Optional members that are absent (P8; FJ has no tc).", warnings=[])
entry("v-float-doses", "v", {"dn": 2.0, "sd": 2.0}, "Whole floats (P8; IE).", **first(dose={"number": 2, "of": 2}), warnings=[])
entry("v-half-float-doses", "v", {"dn": Cbor(b"\xf9\x40\x00"), "sd": Cbor(b"\xf9\x40\x00")}, "Whole floats of 16 bits (P8).", **first(dose={"number": 2, "of": 2}))
entry("v-fraction-dose", "v", {"dn": 1.5}, "A dose and a half (P8, CLI).", [BAD, None], unsure=True)
entry("v-text-dose", "v", {"dn": "2"}, "A dose number as text (CLI).", BAD)
entry("v-dose-zero", "v", {"dn": 0}, "Dose 0 is outside the schema: a warning (CLI).", warnings=["schema-error"])
entry("v-dose-negative", "v", {"sd": -1}, "A negative number of doses is outside the schema (CLI).", warnings=["schema-error"])
entry("v-dose-huge", "v", {"dn": (1 << 64) - 1}, "Dose 2^64 - 1: read without a fault (P8).", [BAD, None], unsure=True)
entry("v-3-of-1", "v", {"dn": 3, "sd": 1}, "3 of 1, as boosters are (68 real ones).", **first(dose={"number": 3, "of": 1}), warnings=[])
entry("v-dates-tag", "v", {"dt": Tag(0, "2022-01-05")}, "A date tag (P11, CLI).", **first(date="2022-01-05"))
entry("v-date-tag-1", "v", {"dt": Tag(1, IAT)}, "Seconds with the tag of a date: another type (CLI).", BAD, unsure=True)
entry("v-date-number", "v", {"dt": 20220105}, "dt is a number (CLI).", BAD)
entry("v-date-time", "v", {"dt": "2022-01-05T10:00:00"}, "dt with a time (P11; 5 real ones).", json={"/cards/0/relevantDate": "2022-01-05"})
entry("v-date-time-zone", "v", {"dt": "2022-01-05T23:30:00+02:00"}, "dt with time and offset (P11): the date as written.",
      json={"/cards/0/relevantDate": "2022-01-05"})
for label, value in (("words", "recently"), ("february-30", "2022-02-30"), ("short", "2022-1-5"), ("empty", ""), ("german", "05.01.2022"), ("month-13", "2022-13-01")):
    entry(f"v-date-{label}", "v", {"dt": value}, f"dt is {value!r}, no date: null in the report, a warning (P11).", **first(date=None),
          warnings=["schema-error"])
for label, value in (("utc", "2022-01-09T08:15:00Z"), ("fraction-3", "2022-01-09T08:15:00.123Z"), ("fraction-6", "2022-01-09T08:15:00.123456+01:00"),
                     ("offset", "2022-01-09T08:15:00-05:00"), ("offset-hours", "2022-01-09T08:15:00+02"), ("offset-basic", "2022-01-09T08:15:00-0530")):
    entry(f"t-time-{label}", "t", {"sc": value}, f"sc is {value} (P11).", json={"/cards/0/relevantDate": "2022-01-09"}, warnings=[])
entry("t-time-tag", "t", {"sc": Tag(0, "2022-01-09T08:15:00Z")}, "sc with the tag of a date (P11; 12 real ones).", **first(date="2022-01-09T08:15:00Z"))
entry("t-time-as-written", "t", {"sc": "2022-01-09T00:30:00+02:00"}, "The day of sc as written, not as in UTC (CLI, report).",
      json={"/cards/0/relevantDate": "2022-01-09"})
entry("t-time-no-zone", "t", {"sc": "2022-01-09T08:15:00"}, "sc without a zone (P11).", warnings=["schema-error"], unsure=True)
entry("t-time-date-only", "t", {"sc": "2022-01-09"}, "sc without a time (P11).", warnings=["schema-error"], unsure=True)
entry("t-time-hour-25", "t", {"sc": "2022-01-09T25:15:00Z"}, "Hour 25 (P11).", **first(date=None), warnings=["schema-error"])
entry("t-dr-tag", "t", {"dr": Tag(0, "2022-01-09T18:15:00Z")}, "dr with the tag of a date (P11; 2 real ones).")
entry("t-rapid-without-ma", "t", RAPID | {"ma": ABSENT}, "A rapid test without a device (P8: ma is optional).")
entry("t-rapid-unknown-device", "t", RAPID | {"ma": "999999"}, "A device that no value set has (P8).")
entry("r-dates-time", "r", {"df": "2022-01-01T00:00:00Z", "du": "2022-06-18T23:59:59Z"}, "df and du with times (P11).")
entry("r-du-passed", "r", {"du": "2022-02-01"}, "du has passed: shown, never a verdict (T5).", **first(validUntil="2022-02-01"))
entry("r-df-to-come", "r", {"df": "2022-12-01"}, "df is to come: shown, never a verdict (T5).", **first(validFrom="2022-12-01"))
entry("r-df-no-date", "r", {"df": "soon"}, "df is no date (P11).", **first(validFrom=None), warnings=["schema-error"])
entry("t-old", "t", {"sc": "2021-06-09T08:15:00Z"}, "A test a year ago: age is no verdict (T5).")
entry("t-detected", "t", {"tr": "260373001"}, "A positive test is a certificate like any other (T4).", **first(result="Detected"), warnings=[])
entry("v-unknown-codes", "v", {"mp": "INVENTED", "vp": "99", "ma": "ORG-0"}, "Codes that no value set has (P8).")
entry("v-code-white-space", "v", {"mp": " EU/1/20/1528 ", "tg": "840539006 "}, "White space around codes (P8).", **first(display="Comirnaty"))
entry("v-empty-codes", "v", {"mp": "", "ma": ""}, "Empty codes (real ones have them).")
entry("v-code-number", "v", {"tg": 840539006}, "A code that is a number (CLI).", BAD)
entry("v-code-bytes", "v", {"mp": b"EU/1/20/1528"}, "A code that is a byte string (CLI).", BAD)
entry("v-code-array", "v", {"mp": ["EU/1/20/1528"]}, "A code that is an array (CLI).", BAD)
entry("v-other-disease", "v", {"tg": "16814004"}, "Another disease (P8).")
entry("v-unknown-members", "v", {"rd": "x", "pn": {"a": 1}}, "Members that the schema does not know (P8; TW, MY).", warnings=["*"])
entry("v-country", "v", {"co": "AW"}, "The country of vaccination is another than iss (270 real ones): no warning.", warnings=[])
entry("v-country-lower-case", "v", {"co": "at"}, "A country in lower case is outside the schema (CLI).", warnings=["schema-error"], unsure=True)
for label, value in (("no-prefix", identifier("01:XA:INVENTED0002")), ("no-check", "URN:UVCI:01:XA:INVENTED0003"), ("wrong-check", "URN:UVCI:01:XA:INVENTED0001#A"),
                     ("lower-case", "urn:uvci:01:xa:invented-0004#1"), ("words", "what you like"), ("empty", "")):
    entry(f"v-ci-{label}", "v", {"ci": value}, f"The identifier {value!r} is opaque to verifiers (P10).", **(first(identifier=value) if value else {}))
entry("v-ci-81", "v", {"ci": "URN:UVCI:01:XA:" + "I" * 66}, "An identifier of 81 characters: a warning (P10, CLI).", warnings=["schema-error"])
entry("v-ci-null", "v", {"ci": None}, "ci is null (P8).", BAD)
entry("v-ci-number", "v", {"ci": 7}, "ci is a number (CLI).", BAD)


# Records asked for

ask = lambda name, group, args, reason, why, **parts: case(f"ask/{name}", card(group, **parts), reason, why, args=args)
NOT = "records-not-matching"
for kind, group in (("immunization", "v"), ("laboratory", "t"), ("recovery", "r")):
    ask(f"{kind}", group, ["--record-type", kind], None, f"{group} has what is asked for (CLI, report).")
    ask(f"{kind}-of-another", "vtr"["vtr".index(group) - 1], ["--record-type", kind], NOT, f"A certificate of another kind than {kind} (CLI, report).")
    ask(f"covid19-{group}", group, ["--record-type", "covid19"], None, "tg is 840539006 (CLI, report).")
for kind, group in (("Immunization", "v"), ("Observation", "t"), ("Condition", "r")):
    ask(f"resource-{kind.lower()}", group, ["--record-type", kind], None, "The type as FHIR calls it (CLI, report).")
ask("covid19-other-disease", "v", ["--record-type", "covid19"], NOT, "tg is another disease (CLI, report).", record={"tg": "16814004"})
ask("since", "v", ["--since", "2022-01-05"], None, "The date is inclusive (CLI).")
ask("since-later", "v", ["--since", "2022-01-06"], NOT, "Vaccinated before (CLI).")
ask("until", "t", ["--until", "2022-01-09"], None, "The day of the sample is inclusive (CLI).")
ask("until-earlier", "t", ["--until", "2022-01-08"], NOT, "Tested after (CLI).")
ask("until-offset-hours", "t", ["--record-type", "covid19", "--since", "2022-01-09", "--until", "2022-01-09"], None, "sc with hours as its offset is a date (P11).",
    record={"sc": "2022-01-09T23:15:00+02"})
ask("since-offset-hours", "t", ["--since", "2022-01-10"], NOT, "The same, on its own day (P11).", record={"sc": "2022-01-09T23:15:00+02"})
ask("until-leap-second", "v", ["--until", "2022-01-05"], None, "A leap second is on its day (P11).", record={"dt": "2022-01-05T23:59:60"})
ask("since-space", "v", ["--since", "2022-01-05"], None, "A space for the T of a time (P11).", record={"dt": "2022-01-05 10:00:00"})
ask("type-and-since", "v", ["--record-type", "covid19", "--since", "2022-01-05"], None, "The record has both (CLI).")
ask("type-and-since-later", "v", ["--record-type", "covid19", "--since", "2022-01-06"], NOT, "The record has only the type (CLI).")
ask("since-recovery", "r", ["--since", "2021-12-21"], NOT, "The date of a recovery is fr (CLI, report).")
for name, record, reason in (("ended", {"du": "2021-12-31"}, NOT), ("begins-later", {"df": "2099-01-01", "du": "2099-06-30"}, NOT), ("du-words", {"du": "soon"}, NOT)):
    ask(f"recovery-{name}", "r", ["--record-type", "recovery"], reason, "A recovery counts from df to du (T5).", record=record)
ask("recovery-ended-without-type", "r", [], None, "Without --record-type, df and du make no verdict (T5).", record={"du": "2021-12-31"})
ask("dated-ahead", "v", ["--record-type", "immunization"], NOT, "A record that is dated ahead never counts (CLI).", record={"dt": "2099-01-01"})
ask("since-no-date", "v", ["--since", "2000-01-01"], NOT, "A record with no date does not match (CLI).", record={"dt": "recently"})


# Time (T1, T2), and the signer's certificate at that time (K6, K7)

def at(name, reason, why, when, **options):
    parts = {part: options.pop(part) for part in ("signer", "change", "group") if part in options}
    case(f"time/{name}", card(**parts), reason, why, at=when, **options)


at("issued-now", None, "Issued in this second (T1).", "2022-01-10T12:00:00Z")
at("issued-in-a-second", "not-yet-valid", "Issued in a second: no skew (T1).", "2022-01-10T11:59:59Z")
at("expires-now", None, "Valid through exp (T2).", "2023-01-10T12:00:00Z")
at("expired-a-second-ago", "expired", "A second after exp (T2).", "2023-01-10T12:00:01Z")
at("expired-half-a-second-ago", "expired", "Half a second after exp (T2).", "2023-01-10T12:00:00.5Z")
at("exp-fraction", None, "Half a second before an exp with a fraction (P2, T2).", "2023-01-10T12:00:00.5Z", change={4: EXP + 0.75})
at("zone", "expired", "The time is given with an offset (CLI of shcverify).", "2023-01-10T13:00:00-01:00")
at("exp-before-iat", "expired", "exp is before iat, and both have passed (T2).", "2022-06-01T00:00:00Z", change={4: IAT - 9})
at("exp-before-iat-between", ["expired", "not-yet-valid"], "The time is between exp and iat, in this order (T1, T2).", "2022-01-10T11:59:55Z", change={4: IAT - 9}, unsure=True)
at("nbf-after-exp", ["expired", "not-yet-valid"], "nbf is after exp, and now between the two (T1, T2).", "2023-02-01T00:00:00Z",
   change={5: seconds("2023-03-01")}, unsure=True)
at("signer-ended", "certificate-invalid", "The signer's certificate has ended (K6).", AT, signer=ENDED)
at("signer-ended-then-valid", None, "The signer's certificate was still valid then (K6); the certificate outlives it (K7).", "2022-04-30T00:00:00Z",
   signer=ENDED, warnings=["outlives-certificate"])
at("signer-last-second", None, "The last second of the signer's certificate (K6; RFC 5280: inclusive).", "2022-05-01T00:00:00Z", signer=ENDED)
at("signer-a-second-later", "certificate-invalid", "A second after it (K6).", "2022-05-01T00:00:01Z", signer=ENDED)
at("signer-to-come", "certificate-invalid", "The signer's certificate is not yet valid (K6).", AT, signer=FUTURE)
at("signer-first-second", None, "The first second of the signer's certificate (K6); iat is before it (K7).", "2022-07-01T00:00:00Z", signer=FUTURE,
   warnings=["issued-before-certificate"])
at("expired-and-signer-ended", "expired", "Both have ended: expired goes first (K6).", "2023-06-01T00:00:00Z", signer=ENDED)
at("not-yet-and-signer-to-come", "not-yet-valid", "Neither is valid yet: the certificate's own time goes first (CLI, order).", "2022-01-01T00:00:00Z",
   signer=FUTURE)
at("all-have-ended", "expired", "Long after everything has ended (K6).", "2026-11-22T00:00:00Z")
at("today", None, "A certificate that is still valid in 2026.", "2026-11-22T00:00:00Z", signer=LATER, change={4: seconds("2030-01-01")}, warnings=[])
