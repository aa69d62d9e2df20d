"""The cases about the other contents of WHO's envelope: ICVP (-6), health links (5), and which signer signs which content.

The numbers in the reasons (V3, L4, D2) are those of the facts about WHO's network.
"""

import base64
import hashlib
import json

from hcert_blocks import Cbor, b64, b64url, cbor, pem, seconds
from hcert_card import ABSENT, EXP, IAT, card, case, changed, claims, directory, jwks
from hcert_more import REVOCATION
from hcert_trust import ARC, DDCC, ENDED, FILES, GERMAN, PILGRIM, RSA_2048, TWIN_1, XA, Signer, did, did_entry, json_text, save

BAD = "malformed-payload"

# Signers

ICVP, PH4H, DDVC, IPS = Signer("icvp"), Signer("ph4h"), Signer("racsel-ddvc"), Signer("ips")
TEST_ONLY = Signer("ph4h-test-only", usages=[ARC + "1"])  # a template: its certificate says that it signs tests
BOTH = Signer("dcc-and-icvp")
FILES["trust/who-signers.pem"] = "".join(pem(signer.der) for signer in (ICVP, PH4H, XA)).encode()
save("who-domains.did.json", did(
    did_entry(XA), did_entry(DDCC, domain="DDCC"), did_entry(ICVP, domain="ICVP"), did_entry(PH4H, domain="PH4H"), did_entry(TEST_ONLY, domain="PH4H"),
    did_entry(DDVC, domain="RACSEL-DDVC"), did_entry(PILGRIM, domain="IPS-PILGRIMAGE"), did_entry(IPS, domain="IPS"), did_entry(ENDED, domain="ICVP"),
    did_entry(RSA_2048, domain="ICVP"), did_entry(BOTH), did_entry(BOTH, domain="ICVP"),
    # Two signers of one kid, of different domains
    did_entry(TWIN_1, kid="AAAAAAAAAAA="), did_entry(PH4H, domain="PH4H", kid="AAAAAAAAAAA="),
    did_entry(ICVP, usage="CSCA", domain="ICVP", kid="AQIDBAUGBwg=")))
save("who-v1.did.json", did(did_entry(XA, version=1), did_entry(ICVP, version=1)))
save("who.jwks.json", json_text({"keys": [signer.key.jwk() | {"kid": b64(signer.kid), "x5c": [b64(signer.der)]} for signer in (ICVP, PH4H)]}))
WHO = directory("who-domains.did.json")

# ICVP

YELLOW, POLIO, UNKNOWN = "YellowFeverProduct01a3b83cf13e87948437db11cf5c34eb", "PolioVaccineInactivatedIProduct532ef986c8042bbb15fee24056fdc4ed", "MalariaProduct" + "0" * 32
SHOT = {"vp": YELLOW, "dt": "2021-03-04", "bo": "YF-2021-7", "vls": "2021-03-14", "is": "Ministerium Muster"}
HOLDER = {"n": "Jane Muster", "dob": "1979-04-14", "s": "female", "ntl": "XAA", "nid": "P1234567", "ndt": "PPN"}
OLD = {"vp": "1D47", "tg": "1D47", "dn": "Primary", "dt": "2021-03-04", "bo": "YF-1", "vls": "2021-03-04", "vle": "2031-03-04", "is": "XA", "ma": "M", "mp": "P", "mid": "7"}


def shot(**changes):
    return changed(SHOT, changes)


def icvp(*shots, **changes):
    """What stands at key -6."""
    return changed(HOLDER | {"v": list(shots) or [SHOT]}, changes)


def yellow_card(value=None, signer=ICVP, change={}, **options):
    body = {1: "XA", 6: IAT, -260: {-6: icvp() if value is None else value}}
    return card(signer=signer, payload=cbor(changed(body, change)), **options)


def vaccination(name, value, reason, why, **options):
    options.setdefault("trust", WHO)
    case(f"icvp/{name}", yellow_card(value), reason, why, **options)


ALL = {"/cards/0/sourceType": "who-icvp", "/cards/0/issuer/domain": "ICVP", "/cards/0/issuer/participant": "XAA", "/cards/0/issuer/iss": "XA",
       "/cards/0/issued": "2022-01-10T12:00:00Z", "/cards/0/expires": None, "/cards/0/relevantDate": "2021-03-04", "/cards/0/fhirBundle": None,
       "/cards/0/subject/name": "Jane Muster", "/cards/0/subject/birthDate": "1979-04-14", "/cards/0/subject/sex": "female",
       "/cards/0/subject/nationality": "XAA", "/cards/0/subject/document": {"number": "P1234567", "type": "PPN"}, "/cards/0/subject/guardian": None,
       "/cards/0/subject/transliterated": None, "/cards/0/records/0/resourceType": "Immunization", "/cards/0/records/0/type": "immunization",
       "/cards/0/records/0/status": "completed", "/cards/0/records/0/display": "SinSaVac™ (Yellow Fever)", "/cards/0/records/0/displaySource": "who-prequal",
       "/cards/0/records/0/codes": [{"system": "http://smart.who.int/pcmt-vaxprequal/CodeSystem/PreQualProductIds", "code": YELLOW}],
       "/cards/0/records/0/date": "2021-03-04", "/cards/0/records/0/lotNumber": "YF-2021-7", "/cards/0/records/0/performer": "Ministerium Muster",
       "/cards/0/records/0/orderOnCard": None, "/cards/0/records/0/validFrom": "2021-03-14", "/cards/0/records/0/validUntil": None,
       "/cards/0/certificate/n": "Jane Muster", "/cards/0/certificate/v/0/bo": "YF-2021-7"}
vaccination("valid", icvp(), None, "A plain ICVP (V2).", json=ALL, warnings=[])
vaccination("map", icvp(v=SHOT), None, "v is a map, as in all public ones (V5).", warnings=[], json={"/cards/0/records/0/lotNumber": "YF-2021-7"})
vaccination("shape-2024", icvp(OLD), None, "The shape of 2024 (V4).", warnings=[], json={
    "/cards/0/records/0/display": "Yellow fever", "/cards/0/records/0/displaySource": "icd-11", "/cards/0/records/0/orderOnCard": "Primary",
    "/cards/0/records/0/validUntil": "2031-03-04", "/cards/0/records/0/disease": "Yellow fever",
    "/cards/0/records/0/codes": [{"system": "http://id.who.int/icd/release/11/mms", "code": "1D47"}] * 2})
vaccination("vaccine-icd-11", icvp(shot(vp="XM0N24")), None, "A vaccine of ICD-11 (V9).", json={
    "/cards/0/records/0/display": "Yellow fever vaccines", "/cards/0/records/0/displaySource": "icd-11"})
vaccination("snomed", icvp(shot(vp="1119349007", tg="840539006")), None, "Digits are of SNOMED CT (V9), which has no names here.", json={
    "/cards/0/records/0/display": "1119349007", "/cards/0/records/0/displaySource": None,
    "/cards/0/records/0/codes": [{"system": "http://snomed.info/sct", "code": "1119349007"}, {"system": "http://snomed.info/sct", "code": "840539006"}]})
vaccination("unknown-product", icvp(shot(vp=UNKNOWN)), None, "An ID like those of WHO's products (V9).", json={
    "/cards/0/records/0/display": UNKNOWN, "/cards/0/records/0/displaySource": None,
    "/cards/0/records/0/codes/0/system": "http://smart.who.int/pcmt-vaxprequal/CodeSystem/PreQualProductIds"})
vaccination("no-system", icvp(shot(vp="yellow fever")), None, "Words are of no code system (V9).", json={
    "/cards/0/records/0/display": "yellow fever", "/cards/0/records/0/codes/0/system": None})
vaccination("clinician", icvp(shot(cn="Dr. Muster")), None, "The clinician comes before the issuer.", json={"/cards/0/records/0/performer": "Dr. Muster"})
vaccination("guardian", icvp(gn="Erika Muster", n="Andre\u0301"), None, "A guardian, and a name in normal form C.", json={
    "/cards/0/subject/guardian": "Erika Muster", "/cards/0/subject/name": "André"})
vaccination("without-optional", {"n": "Jane Muster", "dob": "1979", "v": [{"vp": YELLOW, "dt": "2021-03-04", "bo": "1"}]}, None,
            "Only what is required (V2); the year of birth alone (V11).", warnings=[], json={
    "/cards/0/subject/document": None, "/cards/0/subject/sex": None, "/cards/0/subject/birthDate": "1979", "/cards/0/records/0/performer": None})
vaccination("two", icvp(SHOT, shot(vp=POLIO, dt="2021-05-06", bo="P-2")), None, "Two vaccinations.", json={
    "/cards/0/records/1/display": "IMOVAX POLIO (Polio Vaccine - Inactivated (IPV))", "/cards/0/relevantDate": "2021-05-06"})
vaccination("hundred", icvp(*[shot(bo=str(number)) for number in range(100)]), None, "A hundred vaccinations.", json={"/cards/0/records/99/lotNumber": "99"})
vaccination("hundred-and-one", icvp(*[SHOT] * 101), BAD, "One more.")
vaccination("none", icvp(v=[]), BAD, "No vaccination.")
for name, value in (("text", "v"), ("null", None), ("of-texts", ["v"]), ("number", 1)):
    vaccination(f"v-{name}", icvp(v=value), BAD, "v is neither a map nor an array of maps.")
for member in ("n", "dob", "v"):
    vaccination(f"without-{member}", icvp(**{member: ABSENT}), BAD, f"{member} is required (V2).")
for member in ("n", "dob"):
    vaccination(f"empty-{member}", icvp(**{member: " "}), BAD, f"{member} is empty.")
    vaccination(f"null-{member}", icvp(**{member: None}), BAD, f"{member} is null.")
for member in ("vp", "dt", "bo"):
    vaccination(f"without-{member}", icvp(shot(**{member: ABSENT})), BAD, f"{member} is required (V2).")
    vaccination(f"empty-{member}", icvp(shot(**{member: ""})), BAD, f"{member} is empty.")
    vaccination(f"second-without-{member}", icvp(SHOT, shot(**{member: ABSENT})), BAD, f"{member} is required in each.")
for member in ("s", "ntl", "nid", "ndt", "gn"):
    vaccination(f"number-{member}", icvp(**{member: 7}), BAD, f"{member} is no text.")
    vaccination(f"null-{member}", icvp(**{member: None}), None, f"{member} is null.", warnings=["schema-error"])
for member in ("vls", "vle", "cn", "is", "dn", "tg", "ma", "mp", "mid"):
    vaccination(f"bytes-{member}", icvp(shot(**{member: b"7"})), BAD, f"{member} is no text.")
    vaccination(f"null-{member}", icvp(shot(**{member: None})), None, f"{member} is null.", warnings=["schema-error"])
vaccination("date-words", icvp(shot(dt="last spring")), None, "A date that is none: null, with a warning.", warnings=["schema-error"],
            json={"/cards/0/records/0/date": None, "/cards/0/relevantDate": None})
vaccination("date-31-feb", icvp(shot(vle="2031-02-31")), None, "A day that does not exist.", warnings=["schema-error"],
            json={"/cards/0/records/0/validUntil": None})
vaccination("birth-words", icvp(dob="unknown"), None, "A date of birth that is none.", warnings=["schema-error"], json={"/cards/0/subject/birthDate": None})
vaccination("date-tag", icvp(shot(dt=Cbor(b"\xd9\x03\xec" + cbor("2021-03-04")))), None, "A date under tag 1004 (V11).", warnings=[], json={"/cards/0/records/0/date": "2021-03-04"})
vaccination("date-time", icvp(shot(vle="2031-03-04T00:00:00Z")), None, "A date with a time behind it (V11).", warnings=[],
            json={"/cards/0/records/0/validUntil": "2031-03-04"})
vaccination("unknown-member", icvp(shot(xyz="1"), abc=7), None, "Members that nobody knows.", warnings=["unknown-member"])
vaccination("array", [icvp()], BAD, "The content is an array.")
vaccination("text", "icvp", BAD, "The content is a text.")

# Validity

vaccination("record-expired", icvp(shot(vle="2022-05-31")), None, "The vaccination was valid until yesterday: a warning, and it passes (V7).",
            warnings=["record-expired"], json={"/cards/0/warnings/0/code": "record-expired", "/cards/0/warnings/0/path": "records[0]"})
vaccination("record-expires-today", icvp(shot(vle="2022-06-01")), None, "Valid until today.", warnings=[])
vaccination("record-begins-tomorrow", icvp(SHOT, shot(vls="2022-06-02")), None, "Valid from tomorrow on.", warnings=["record-not-yet-valid"],
            json={"/cards/0/warnings/0/path": "records[1]"})
vaccination("record-begins-today", icvp(shot(vls="2022-06-01")), None, "Valid from today on.", warnings=[])


def dated(name, change, reason, why, **options):
    case(f"icvp/{name}", yellow_card(change=change), reason, why, trust=WHO, **options)


dated("expired", {4: seconds("2022-05-31")}, "expired", "exp counts if it is there (V6).")
case("icvp/expired-after-begin", yellow_card(icvp(shot(dt="2022-01-10", vls="2022-01-20")), change={4: seconds("2022-05-31")}), "expired",
     "Issued on the day of the vaccination, which is valid from ten days later (V7).", trust=WHO)
dated("not-expired", {4: seconds("2022-06-02")}, None, "exp counts if it is there (V6).", json={"/cards/0/expires": "2022-06-02T00:00:00Z"})
dated("exp-text", {4: "2031"}, BAD, "exp is no number.")
dated("exp-null", {4: None}, None, "exp is optional, and null is absent.", warnings=["null-member"], json={"/cards/0/expires": None})
dated("exp-text-key", {"4": seconds("2022-05-31")}, BAD, "exp under the text 4: who reads it, says that it has expired.")
dated("without-iat", {6: ABSENT}, BAD, "iat is required.")
dated("future", {6: seconds("2022-06-02")}, "not-yet-valid", "iat is tomorrow.")
dated("text-keys", {6: ABSENT, "6": IAT}, BAD, "Texts are no claims of an ICVP (L4).")
dated("issuer-words", {1: "XCL"}, None, "iss is no country, and is not compared (V8).", warnings=[])
dated("without-iss", {1: ABSENT}, None, "iss is optional.", warnings=[])
case("icvp/kid-text", yellow_card(protected={1: -7, 4: b64(ICVP.kid)}), "malformed-cose", "A text is no key ID of an ICVP (L4).", trust=WHO)
case("icvp/text-container", card(signer=ICVP, payload=cbor({1: "XA", 6: IAT, "-260": {"-6": icvp()}})), BAD, "An ICVP under texts (L4).", trust=WHO)
case("icvp/signer-ended", yellow_card(signer=ENDED), "certificate-invalid", "The signer's certificate has ended (V6).", trust=WHO)
case("icvp/rsa", yellow_card(signer=RSA_2048), None, "PS256.", trust=WHO)
case("icvp/changed", yellow_card(spell=lambda signature: signature[:-1] + bytes([signature[-1] ^ 1])), "signature-invalid", "A changed signature.", trust=WHO)

# Which signer for which content

for name, signer, reason in (("icvp", ICVP, None), ("ph4h", PH4H, None), ("racsel-ddvc", DDVC, None), ("test-only", TEST_ONLY, None), ("dcc", XA, "key-not-found"),
                             ("ddcc", DDCC, "key-not-found"), ("ips-pilgrimage", PILGRIM, "key-not-found"), ("ips", IPS, "key-not-found"), ("both", BOTH, None)):
    case(f"domain/icvp-by-{name}", yellow_card(signer=signer), reason, f"An ICVP, signed by {name} (D2, D3).", trust=WHO)
case("domain/named", yellow_card(signer=XA), "key-not-found", "The message names the domain that the signer has.", trust=WHO, stderrContains=["dcc"])
for name, signer, reason in (("dcc", XA, None), ("ddcc", DDCC, None), ("icvp", ICVP, "key-not-found"), ("ph4h", PH4H, "key-not-found"), ("both", BOTH, None)):
    case(f"domain/dcc-by-{name}", card(signer=signer), reason, f"An EU certificate, signed by {name}.", trust=WHO)
case("domain/twin-dcc", card(signer=TWIN_1, kid=bytes(8)), None, "Two domains have one kid: the entry of DCC counts.", trust=WHO, json={"/cards/0/issuer/domain": "DCC"})
case("domain/twin-icvp", yellow_card(signer=PH4H, kid=bytes(8)), None, "The entry of PH4H counts.", trust=WHO, json={"/cards/0/issuer/domain": "PH4H"})
case("domain/twin-crossed", yellow_card(signer=TWIN_1, kid=bytes(8)), "signature-invalid", "DCC's key signs no ICVP, though another entry has the kid.", trust=WHO)
case("domain/twin-crossed-dcc", card(signer=PH4H, kid=bytes(8)), "signature-invalid", "PH4H's key signs no EU certificate.", trust=WHO)
case("domain/csca", yellow_card(kid=bytes.fromhex("0102030405060708")), "key-not-found", "Only entries for DSC sign (D4).", trust=WHO)
case("domain/version-1", yellow_card(), "key-not-found", "A list without domains vouches for EU certificates only.", trust=directory("who-v1.did.json"))
case("domain/version-1-dcc", card(), None, "A list without domains, and an EU certificate.", trust=directory("who-v1.did.json"),
     json={"/cards/0/issuer/domain": None, "/cards/0/issuer/environment": None})
case("domain/certificates", yellow_card(), None, "Certificates that the user names vouch for all.", trust=directory("who-signers.pem"), json={"/cards/0/issuer/domain": None})
case("domain/certificates-of-dcc", yellow_card(signer=XA), None, "Certificates that the user names vouch for all.", trust=directory("who-signers.pem"))
case("domain/jwks", yellow_card(), None, "Key sets that the user names vouch for all.", trust=jwks("who.jwks.json"))
case("domain/both-lists", yellow_card(signer=XA), None, "The certificate that the user names counts, though the list has another domain for it.",
     trust=WHO + directory("who-signers.pem"))
case("domain/no-list", yellow_card(), "keys-unavailable", "No list was given.", trust=[])
case("domain/gateway", yellow_card(signer=XA), "key-not-found", "The gateway's list vouches for EU certificates only.", trust=directory("gateway.json"))
case("domain/german", yellow_card(signer=XA), "key-not-found", "The German list vouches for EU certificates only.", trust=directory("german.json"))

# Two contents

case("content/icvp-beside-dcc", card(signer=XA, payload=cbor(claims(hcert={-6: icvp()}))), None, "The EU's content comes first; the ICVP is not read.", trust=WHO,
     warnings=["other-health-content"], json={"/cards/0/sourceType": "eu-digital-covid-certificate", "/cards/0/records/1": None})
case("content/icvp-beside-dcc-by-icvp", card(signer=ICVP, payload=cbor(claims(hcert={-6: icvp()}))), "key-not-found",
     "The EU's content comes first, and ICVP does not sign it.", trust=WHO)
case("content/link-beside-icvp", yellow_card(change={-260: {-6: icvp(), 5: "vhlink:/eyJhIjoxfQ"}}), None, "ICVP comes before a link, which is not read.", trust=WHO,
     warnings=["other-health-content"], json={"/cards/0/sourceType": "who-icvp", "/cards/1": None, "/links": None}, stdoutLacks=["eyjhijoxfq"])
case("content/broken-dcc-beside-icvp", card(signer=ICVP, payload=cbor({1: "XA", 4: EXP, 6: IAT, -260: {1: [], -6: icvp()}})), BAD,
     "The first that is there is the kind, whatever it is.", trust=WHO)
case("content/key-2", card(signer=ICVP, payload=cbor({6: IAT, -260: {2: {}}})), "unsupported-credential", "RACSEL's content is refused by name, before exp is missed (N1).",
     trust=WHO, stderrContains=["racsel"])
case("content/core-data-set", card(payload=cbor({"name": "Jane Muster", "birthDate": "1979", "vaccine": {}, "brand": {}})), "unsupported-credential",
     "DDCC's core data set in the payload (N1).", trust=WHO, stderrContains=["ddcc"])
case("content/core-data-set-with-claims", card(payload=cbor({1: "XA", "hcid": "1", "vaccine": {}})), "unsupported-credential", "DDCC's core data set beside claims (N1).", trust=WHO)

# Records asked for

asked = lambda name, value, kind, reason, why: vaccination(f"ask-{name}", value, reason, why, args=["--record-type", kind])
asked("yellow-fever", icvp(), "yellow-fever", None, "By product.")
asked("not-polio", icvp(), "polio", "records-not-matching", "A product against yellow fever.")
asked("polio", icvp(SHOT, shot(vp=POLIO)), "polio", None, "One of two.")
asked("polio-target", icvp(shot(vp="1119349007", tg="1C81")), "polio", None, "By tg.")
asked("covid19", icvp(shot(vp="1119349007", tg="RA01")), "covid19", None, "By tg of ICD-11.")
asked("covid19-snomed", icvp(shot(vp="XM0N24", tg="840539006")), "covid19", None, "By tg of SNOMED CT.")
asked("covid19-product-alone", icvp(shot(vp="1119349007")), "covid19", "records-not-matching", "A product against COVID-19, and no tg, by which alone this type goes.")
asked("covid19-other-target", icvp(shot(vp="1119349007", tg="1D47")), "covid19", "records-not-matching", "A product against COVID-19, and tg is yellow fever.")
asked("not-covid19", icvp(), "covid19", "records-not-matching", "Yellow fever.")
asked("immunization", icvp(), "immunization", None, "Each is an immunization.")
asked("not-laboratory", icvp(), "laboratory", "records-not-matching", "None is a test.")
for name, change, reason, why in (
    ("ended", {"vle": "2022-05-31"}, "records-not-matching", "It ended yesterday."), ("ends-today", {"vle": "2022-06-01"}, None, "It ends today."),
    ("ended-with-year", {"vle": "2021"}, "records-not-matching", "It ended with a year: the interval counts."),
    ("ends-with-year", {"vle": "2022"}, None, "It ends with this year."), ("ends-with-month", {"vle": "2022-06"}, None, "It ends with this month."),
    ("end-words", {"vle": "soon"}, "records-not-matching", "Nobody knows when it ends."),
    ("begins-tomorrow", {"vls": "2022-06-02"}, "records-not-matching", "It begins tomorrow."), ("begins-today", {"vls": "2022-06-01"}, None, "It begins today."),
    ("dated-ahead", {"dt": "2030-01-01", "vls": "2021-03-14"}, "records-not-matching", "It is dated ahead."),
):
    asked(f"yellow-fever-{name}", icvp(shot(**change)), "yellow-fever", reason, why)
asked("one-ended", icvp(shot(vle="2022-05-31"), SHOT), "yellow-fever", None, "One of two is in force.")
vaccination("record-ended-with-year", icvp(shot(vle="2021")), None, "The interval that the date names has ended.", warnings=["schema-error", "record-expired"])
vaccination("since", icvp(), None, "The date counts.", args=["--since", "2021-03-04", "--until", "2021-03-04"])
vaccination("since-later", icvp(), "records-not-matching", "The date counts.", args=["--since", "2021-03-05"])

# Revocation: by the signature alone

SIGNED = yellow_card()


def batch(name, kind, hashed, kid=b64(ICVP.kid)):
    digest = b64(hashlib.sha256(hashed).digest()[:16])
    REVOCATION[f"revocation/{name}.json"] = json_text({"country": "XA", "expires": "2032-01-01T00:00:00Z", "kid": kid, "hashType": kind,
                                                       "entries": [{"hash": digest}]}).encode()
    return ["--crl", f"{{revocation/{name}.json}}"]


case("icvp/revoked", SIGNED, "revoked", "A batch has the first half of the signature (R2).", trust=WHO, args=batch("who-signature", "SIGNATURE", bytes(SIGNED)[-64:-32]))
case("icvp/not-revoked", yellow_card(icvp(n="Other")), None, "Another certificate.", trust=WHO, args=["--crl", "{revocation/who-signature.json}"])
case("icvp/revoked-by-identifier", yellow_card(icvp(shot(ci="URN:UVCI:01:XA:1"))), None, "An ICVP has no identifier.", trust=WHO,
     args=batch("who-uci", "UCI", b"URN:UVCI:01:XA:1"))
case("icvp/revocation-required", SIGNED, "revocation-unavailable", "A batch of identifiers can name no ICVP.", trust=WHO,
     args=["--crl", "{revocation/who-uci.json}", "--require-revocation"])

# Health links

KEY = b64url(hashlib.sha256(b"key of a link").digest())
german_yellow = lambda: yellow_card(signer=GERMAN)
for listed, found in (("fr", ["issuer-mismatch"]), ("de", [])):
    case(f"icvp/list-says-{listed}", german_yellow(), None, "The list and the certificate of the signer name a country.", warnings=found,
         trust=directory(f"gdhcn-german-of-{listed}.did.json"))
LINK = {"url": "https://shl.example/manifest", "key": KEY, "label": "A health record", "exp": EXP}
SECRET = [KEY.lower(), "shl.example/manifest"]


def link_text(scheme="vhlink:/", padded=False, indent=None, **changes):
    text = json.dumps(changed(LINK, changes), separators=None if indent else (",", ":"), indent=indent).encode()
    if padded:
        text = text[:-1] + b" " * (len(text) % 3 == 0) + b"}"  # so that there is something to pad
    return scheme + (base64.urlsafe_b64encode(text).decode() if padded else b64url(text))


def wrapper(value=None, signer=PH4H, change={}, **options):
    body = {1: "XA", 4: EXP, 6: IAT, -260: {5: link_text() if value is None else value}}
    return card(signer=signer, payload=cbor(changed(body, change)), **options)


def link(name, what, reason, why, **options):
    options.setdefault("trust", WHO)
    options.setdefault("stdoutLacks", SECRET)
    case(f"link/{name}", what, reason, why, **options)


PASSED = {"/cards/0/verdict": "pass", "/cards/0/sourceType": "who-health-link", "/cards/0/records": [], "/cards/0/certificate": None}
REFUSED = {"/cards/1": None, "/links": None}
link("vhlink", wrapper(), "receiver-required", "A verifiable health link: the wrapper passes, the link is never requested (L2).", json=PASSED | {
    "/cards/0/inputKind": "hc1", "/cards/0/issuer/domain": "PH4H", "/cards/1/inputKind": "link", "/cards/1/link": {"index": 0, "file": None}, "/links/0/form": "hcert",
    "/links/0/scheme": "vhlink", "/links/0/label": "A health record", "/links/0/origin": "https://shl.example"}, warnings=[])
for option in ("--no-links",):
    link(f"vhlink{option}", wrapper(), "receiver-required", f"{option} changes nothing.", args=[option])
link("vhlink-passcode", wrapper(link_text(flag="P")), "receiver-required", "No passcode is asked for.")
link("shlink", wrapper(link_text("shlink:/")), "link-unavailable", "A plain link, offline.", json=PASSED | {"/links/0/scheme": "shlink"})
link("vhlink-expired", wrapper(link_text(exp=IAT)), "link-expired", "The link has expired.", json=PASSED)
link("vhlink-http", wrapper(link_text(url="http://shl.example/manifest")), "malformed-link", "http.", json=PASSED)
link("vhlink-short-key", wrapper(link_text(key="AAAA")), "malformed-link", "A key of three bytes.", json=PASSED)
link("vhlink-version", wrapper(link_text(v=2)), "unsupported-link-version", "Version 2.", json=PASSED)
link("vhlink-empty", wrapper("vhlink:/"), "malformed-link", "Nothing follows the scheme.", json=PASSED)
link("vhlink-no-json", wrapper("vhlink:/AAAA"), "malformed-link", "No JSON.", json=PASSED)
link("by-icvp", wrapper(signer=ICVP), "receiver-required", "Signed by ICVP (D2).", json=PASSED)
link("by-pilgrimage", wrapper(signer=PILGRIM), "receiver-required", "Signed by IPS-PILGRIMAGE (D2).", json=PASSED)
for name, signer in (("dcc", XA), ("racsel-ddvc", DDVC), ("ips", IPS)):
    link(f"by-{name}", wrapper(signer=signer), "key-not-found", f"Signed by {name}: nothing is said of the link.", json=REFUSED)
link("forged", wrapper(spell=lambda signature: signature[:-1] + bytes([signature[-1] ^ 1])), "signature-invalid", "A forged wrapper.", json=REFUSED)
link("wrapper-expired", wrapper(change={4: seconds("2022-05-31")}), "expired", "The wrapper has expired.", json=REFUSED)
link("without-exp", wrapper(change={4: ABSENT}), BAD, "exp is required around a link.", json=REFUSED)
link("without-iat", wrapper(change={6: ABSENT}), BAD, "iat is required around a link.", json=REFUSED)
link("filters", wrapper(), "receiver-required", "Filters are not for the wrapper.", json=PASSED, args=["--record-type", "covid19", "--since", "2022-01-01"])
link("two", [wrapper(), wrapper(link_text(label="Another"))], "receiver-required", "Two links.", json={
    "/cards/1/link": {"index": 0, "file": None}, "/cards/3/link": {"index": 1, "file": None}, "/links/1/label": "Another", "/cards/2/verdict": "pass"})
link("beside-another", [wrapper(), "shlink:/" + link_text("", label="Plain")], "receiver-required", "A link after a certificate with one.", json={
    "/cards/1/link/index": 0, "/cards/2/link/index": 1, "/links/0/form": "hcert", "/links/1/form": "bare", "/links/1/label": "Plain"})
link("behind-another", ["shlink:/" + link_text("", label="Plain"), wrapper()], "link-unavailable", "A link before a certificate with one.", json={
    "/cards/0/link/index": 0, "/cards/2/link/index": 1, "/links/0/form": "bare", "/links/1/form": "hcert"})
link("text-report", wrapper(), "receiver-required", "The report for people.", args=["--format", "text"], stdoutContains=["health link"])
link("html", wrapper(), "receiver-required", "The page.", args=["--format", "html"])
link("fhir", wrapper(), "receiver-required", "No Bundle.", args=["--format", "fhir"])
link("records", wrapper(), "receiver-required", "No records.", mode="records")
link("inspect", wrapper(), None, "inspect shows the members, and not the key.", mode="inspect", trust=[], at=None, stdoutLacks=[KEY.lower()], stdoutContains=["vhlink:/…", "not verified"],
     json={"/links/0/key/length": 32, "/links/0/url": "https://shl.example/manifest", "/links/0/scheme": "vhlink", "/links/0/form": "hcert"})
link("inspect-text", wrapper(), None, "inspect for people.", mode="inspect", trust=[], at=None, args=["--format", "text"], stdoutLacks=[KEY.lower()],
     stdoutContains=["32 bytes", "vhlink:/…"])
link("inspect-malformed", wrapper([link_text(), 7]), BAD, "inspect does not show the text of a link that cannot be read.", mode="inspect", trust=[], at=None,
     stdoutLacks=[KEY.lower(), link_text()[8:40].lower()])
link("batch", wrapper(), "receiver-required", "A line has one verdict: the link's.", mode="batch", json={"/0/reason/code": "receiver-required", "/0/sourceType": "who-health-link"})
link("batch-shlink", wrapper(link_text("shlink:/")), "link-unavailable", "batch opens nothing.", mode="batch", json={"/0/reason/code": "link-unavailable"})
link("batch-malformed", wrapper(link_text(key=ABSENT)), "malformed-link", "A malformed link in a line.", mode="batch")
link("batch-expired", wrapper(link_text(exp=IAT)), "link-expired", "An expired link in a line.", mode="batch")
link("batch-forged", wrapper(signer=XA), "key-not-found", "A line has the wrapper's failure.", mode="batch")

# What the field does otherwise

texts = lambda body: {str(name): {str(key): inside for key, inside in value.items()} if isinstance(value, dict) else value for name, value in body.items()}
FIELD = {1: "XA", 4: EXP, 6: IAT, -260: {5: link_text()}}
in_texts = lambda **options: card(signer=PH4H, payload=cbor(texts(FIELD)), **options)
link("claim-key-text", in_texts(), "receiver-required", "All claims under texts.", warnings=["claim-key-text"], json=PASSED | {"/cards/0/issued": "2022-01-10T12:00:00Z"})
link("claim-key-mixed", card(signer=PH4H, payload=cbor({1: "XA", 4: EXP, "6": IAT, -260: {"5": link_text()}})), BAD, "Some of the claims under texts, and some under numbers.",
     json=REFUSED)
link("claim-key-mixed-inside", card(signer=PH4H, payload=cbor(texts(FIELD) | {"-260": {5: link_text()}})), BAD, "The link alone under a number.", json=REFUSED)
link("beside-dcc-in-texts", card(signer=XA, payload=cbor(claims() | {"-260": {"5": link_text()}})), BAD, "An EU certificate, and a link under texts.", json=REFUSED)
link("beside-icvp-in-texts", yellow_card(change={"-260": {"5": link_text()}}), BAD, "An ICVP, and a link under texts.", json=REFUSED)
link("beside-dcc-text", card(signer=PH4H, payload=cbor(FIELD | {-260: {5: link_text(), "1": claims()[-260][1]}})), BAD, "A link, and an EU certificate under a text.", json=REFUSED)
for name, body in (("iat", FIELD | {"6": IAT}), ("exp", FIELD | {"4": EXP}), ("iss", FIELD | {"1": "XA"}), ("hcert", FIELD | {"-260": {"5": link_text()}}),
                   ("content", FIELD | {-260: {5: link_text(), "5": link_text()}})):
    link(f"claim-twice-{name}", card(signer=PH4H, payload=cbor(body)), BAD, "A claim under both the number and the text.", json=REFUSED)
link("kid-text", wrapper(protected={1: -7, 4: b64(PH4H.kid)}), "receiver-required", "kid is a text in base64.", warnings=["kid-text"], json=PASSED)
link("kid-text-url", wrapper(protected={4: b64url(PH4H.kid), 1: -7}), "receiver-required", "kid is a text in base64url, before alg.", warnings=["kid-text"])
link("kid-text-short", wrapper(protected={1: -7, 4: b64(PH4H.kid[:7])}), "malformed-cose", "Seven octets.", json=REFUSED)
link("kid-text-hex", wrapper(protected={1: -7, 4: PH4H.kid.hex()}), "malformed-cose", "Hexadecimal.", json=REFUSED)
link("milliseconds", wrapper(change={6: IAT * 1000, 4: EXP * 1000}), "receiver-required", "iat and exp in milliseconds.", warnings=["time-milliseconds"],
     json=PASSED | {"/cards/0/issued": "2022-01-10T12:00:00Z", "/cards/0/expires": "2023-01-10T12:00:00Z"})
link("milliseconds-expired", wrapper(change={4: seconds("2022-05-31") * 1000}), "expired", "exp in milliseconds counts.", json=REFUSED)
link("array", wrapper([{"u": link_text()}]), "receiver-required", "An array of one map with u.", warnings=["link-array"], json=PASSED)
for name, value in (("array-of-two", [{"u": link_text()}] * 2), ("map", {"u": link_text()}), ("array-of-text", [link_text()]), ("array-more", [{"u": link_text(), "t": "x"}]),
                    ("bytes", link_text().encode()), ("number", 7), ("https", "https://shl.example/#" + link_text()), ("no-scheme", link_text()[8:]), ("space", " " + link_text())):
    link(f"other-{name}", wrapper(value), BAD, "Anything else at 5.", json=REFUSED)
link("two-slashes", wrapper(link_text("vhlink://")), "receiver-required", "Two slashes.", warnings=["link-form"], json=PASSED | {"/links/0/scheme": "vhlink"})
link("upper-case", wrapper(link_text("VHLINK:/")), "receiver-required", "A scheme in upper case.", warnings=["link-form"], json=PASSED | {"/links/0/scheme": "vhlink"})
link("padding", wrapper(link_text(padded=True)), "receiver-required", "Padding.", warnings=[], json={"/links/0/warnings/0/code": "link-encoding"})
link("white-space", wrapper(link_text(indent=1)), "receiver-required", "White space in the JSON.", warnings=[], json={"/links/0/warnings/0/code": "link-encoding"})
link("field", card(signer=PH4H, protected={4: b64(PH4H.kid), 1: -7}, payload=cbor(texts(FIELD | {6: IAT * 1000, -260: {5: [{"u": link_text("vhlink://", padded=True)}]}}))),
     "receiver-required", "Everything at once, as the one public certificate has it (L4).", json=PASSED | {"/cards/0/issued": "2022-01-10T12:00:00Z"},
     warnings=["claim-key-text", "kid-text", "time-milliseconds", "link-array", "link-form"])
link("not-for-dcc", card(protected={1: -7, 4: b64(XA.kid)}), "malformed-cose", "An EU certificate with a text as kid (L4).", json=REFUSED)
link("content-text-and-dcc", card(signer=XA, payload=cbor(claims(hcert={"5": link_text()}))), BAD, "An EU certificate, and a link under the text 5.", json={
    "/cards/0/sourceType": "eu-digital-covid-certificate", "/links": None})

# Other commands

for made in ("text", "html"):
    case(f"icvp/format-{made}", yellow_card(icvp(shot(vle="2031-03-04"))), None, f"--format {made} shows what a border asks.", trust=WHO, args=["--format", made],
         stdoutContains=["sinsavac", "yf-2021-7", "2031-03-04", "2021-03-14", "p1234567", "female"])
case("icvp/format-fhir", yellow_card(), None, "--format fhir prints nothing.", trust=WHO, args=["--format", "fhir"], stdout="", unsure=True)
for made in ("text", "html", "csv", "json", "ndjson"):
    case(f"icvp/records-{made}", yellow_card(icvp(shot(vle="2031-03-04"), gn="Erika Muster")), None, f"records --format {made}.", mode="records", trust=WHO,
         args=["--format", made], stdoutContains=["sinsavac", "yf-2021-7", "2031-03-04"] + (["p1234567", "erika muster"] if made not in ("text", "html") else []))
case("icvp/batch", yellow_card(), None, "A line of batch.", mode="batch", trust=WHO, json={"/0/sourceType": "who-icvp", "/0/issuer/domain": "ICVP"})
case("icvp/batch-records", yellow_card(), None, "A line with records.", mode="batch", trust=WHO, args=["--records"], json={"/0/records/0/lotNumber": "YF-2021-7"})
case("icvp/inspect", yellow_card(), None, "inspect decodes it.", mode="inspect", trust=[], at=None, json={"/cards/0/payload/-260/-6/n": "Jane Muster"},
     stdoutContains=["not verified"])


# lint

def lint(name, what, codes, findings, why, **options):
    case(f"lint/{name}", what, None, why, mode="lint", trust=options.pop("trust", WHO), exits=codes, **({"findings": findings} if findings else {}), **options)


FULL = shot(cn="Dr. Muster")
lint("icvp", yellow_card(icvp(FULL)), 0, [], "A good ICVP has no finding.", noFindings=["icvp-schema-error", "hcert-claim-error", "unsupported-credential"])
for name, value in (("required", icvp(shot(bo=ABSENT))), ("type", icvp(s=7)), ("date", icvp(shot(dt="2021-3-4"))), ("product", icvp(shot(vp="XM0N24"))),
                    ("issuer", icvp(changed(SHOT, {"is": ABSENT})))):
    lint(f"icvp-{name}", yellow_card(value), 10, ["icvp-schema-error"], f"{name} is a finding.")
for name, value in (("array", icvp(v=FULL)), ("member", icvp(FULL, x="1")), ("shape", icvp(shot(dn="Primary")))):
    lint(f"icvp-{name}", yellow_card(value), 0, ["icvp-schema-error"], f"{name} is a warning.")
lint("icvp-just-inside", yellow_card(icvp(*[FULL] * 100, dob="1979-04", gn="Erika Muster")), 0, [], "A hundred vaccinations, a month of birth.",
     noFindings=["icvp-schema-error"])
lint("link", wrapper(), 0, [], "A good health link has no finding.", noFindings=["hcert-link-error", "hcert-claim-error", "cose-header-error"], stdoutLacks=SECRET)
for name, what in (("claim-key", in_texts()), ("kid", wrapper(protected={1: -7, 4: b64(PH4H.kid)})), ("time", wrapper(change={6: IAT * 1000})),
                   ("array", wrapper([{"u": link_text()}])), ("scheme", wrapper(link_text("vhlink://"))), ("encoding", wrapper(link_text(padded=True)))):
    lint(f"link-{name}", what, 10, ["hcert-link-error"], f"{name} is a finding.", stdoutLacks=SECRET, noFindings=["hcert-claim-error", "cose-header-error"])
lint("link-kind", wrapper(link_text("shlink:/")), 0, ["hcert-link-error"], "shlink for vhlink is a warning.", stdoutLacks=SECRET)
lint("link-other", wrapper(7), 10, ["hcert-link-error"], "No text at 5.")
lint("link-http", wrapper(link_text(url="http://shl.example/manifest")), 10, ["shlink-not-https-url"], "What is in the link has the rules of links.", stdoutLacks=[KEY.lower()])
lint("unsupported", card(payload=cbor({1: "XA", 6: IAT, -260: {2: {}}})), 10, ["unsupported-credential"], "Another content.", noFindings=["unknown-file-data"])
lint("unsupported-ddcc", card(payload=cbor({"hcid": "1", "vaccine": {}})), 10, ["unsupported-credential"], "DDCC's core data set.")
lint("unsupported-nzcp", "NZCP:/1/" + "A" * 60, 10, ["unsupported-credential"], "Another form.", noFindings=["unknown-file-data"])
