"""The cases about one text or message, from the outside in: text, zlib, COSE, CBOR, headers, signature."""

import hashlib
import re

from hcert_blocks import Cbor, Pairs, Tag, cbor, compressed, hc1, to_be_signed
from hcert_card import EXP, File, Message, NAME, RAPID, RECORDS, UVCI, card, case, claims, content, passes, record, text
from hcert_trust import OTHER, RSA_2048, RSA_3072, UNLISTED, XA

GOOD = card()
GOOD_TEXT = hc1(GOOD)
EITHER = ["malformed-cose", "malformed-payload"]  # CLI.md does not say which of the two CBOR that is wrong inside the payload is


# Good ones

def report(group):
    common = {"/verdict": "pass", "/cards/0/inputKind": "hc1", "/cards/0/sourceType": "eu-digital-covid-certificate",
              "/cards/0/issuer/iss": "XA", "/cards/0/issuer/country": "XA", "/cards/0/issuer/trust": "directory",
              "/cards/0/issuer/name": "Ministerium Muster", "/cards/0/key/source": "directory", "/cards/0/issued": "2022-01-10T12:00:00Z",
              "/cards/0/expires": "2023-01-10T12:00:00Z", "/cards/0/subject/name": "Jane Muster", "/cards/0/subject/birthDate": "1979-04-14",
              "/cards/0/types": [], "/cards/0/fhirVersion": None, "/cards/0/fhirBundle": None, "/cards/0/certificate/ver": "1.3.0",
              "/cards/0/records/0/displaySource": "eu-valueset", "/cards/0/records/0/country": "AT", "/cards/0/records/0/identifier": UVCI}
    members = {
        "v": {"resourceType": "Immunization", "type": "immunization", "display": "Comirnaty", "date": "2022-01-05", "status": "completed",
              "performer": None, "result": None, "dose": {"number": 2, "of": 2}},
        "t": {"resourceType": "Observation", "type": "laboratory", "display": "Nucleic acid amplification with probe detection, Muster PCR",
              "date": "2022-01-09T08:15:00+01:00", "status": "final",
              "performer": "Teststelle Musterstadt", "result": "Not detected"},
        "r": {"resourceType": "Condition", "type": "recovery", "display": "COVID-19", "date": "2021-12-20", "validFrom": "2022-01-01",
              "validUntil": "2022-06-18"},
    }[group]
    date = {"v": "2022-01-05", "t": "2022-01-09", "r": "2021-12-20"}[group]
    return common | {"/cards/0/relevantDate": date} | {f"/cards/0/records/0/{member}": value for member, value in members.items()}


for group, kind in (("v", "vaccination"), ("t", "test"), ("r", "recovery")):
    passes(f"valid/{kind}", card(group), f"A plain certificate of a {kind} (P7).", json=report(group), warnings=[])
passes("valid/rapid-test", card("t", record=RAPID), "A rapid test: the display names the device (CLI, report).", warnings=[],
       json={"/cards/0/records/0/result": "Not detected"})
passes("valid/ps256", card(signer=RSA_2048), "PS256 with 2048 bits (C6, S4).", warnings=[])
passes("valid/ps256-3072", card("r", signer=RSA_3072), "PS256 with 3072 bits (K3).", warnings=[])
passes("valid/cwt", File(GOOD), "The octets of a CWT without compression are input as they are (H5).", json={"/cards/0/inputKind": "cwt"})
passes("valid/cwt-zlib", File(compressed(GOOD)), "The compressed octets of a CWT (H5).", json={"/cards/0/inputKind": "cwt"})
passes("valid/cwt-no-tag", File(card(tags=())), "The octets of an untagged COSE_Sign1 (H5, C2).", json={"/cards/0/inputKind": "cwt"})
passes("valid/cwt-tag-61", File(card(tags=(61, 18))), "The octets of a CWT with both tags (H5, C2).", json={"/cards/0/inputKind": "cwt"})
passes("valid/cwt-zlib-low", File(compressed(GOOD, 1)), "A CWT compressed at level 1 begins with 7801 (H3, H5).", json={"/cards/0/inputKind": "cwt"})
case("input/cwt-forged", File(card(spell=lambda s: s[:-1] + bytes([s[-1] ^ 1]))), "signature-invalid",
     "The octets of a CWT with a forged signature (H5).")
case("input/cwt-gzip", File(compressed(GOOD, bits=31)), ["malformed-input", "inflate-failed", "malformed-cose"],
     "gzip is not zlib (H3).", unsure=True)
case("input/cwt-raw-deflate", File(compressed(GOOD, bits=-15)), ["malformed-input", "inflate-failed", "malformed-cose"],
     "Raw DEFLATE is not zlib (H3).", unsure=True)
case("input/cwt-zlib-trailing", File(compressed(GOOD) + b"\0"), "inflate-failed", "Data behind the zlib stream, in a file (H3, H5).")
case("input/cwt-trailing", File(GOOD + b"\0"), "malformed-cose", "An octet behind the message, in a file (C3, H5).")
case("input/cwt-line-break", File(GOOD + b"\n"), "malformed-cose", "A line break behind binary octets is an octet behind the message (C3, H5).",
     unsure=True)
case("input/cwt-mac0", File(card(tags=(17,))), ["malformed-cose", "malformed-input"], "The octets of a COSE_Mac0 (C2).")


# Text (H1, H2)

for prefix in ("HC2:", "NO1:", "DK3:", "AT1:", "LT1:", "HC0:", "HC1"):
    case(f"text/{prefix.rstrip(':').lower()}{'' if ':' in prefix else '-no-colon'}", hc1(GOOD, prefix=prefix), "malformed-input",
         f"The text begins with {prefix}, which is not HC1: (H1).")
case("text/no-prefix", GOOD_TEXT[4:], "malformed-input", "base45 without a prefix (H1).")
case("text/prefix-twice", "HC1:" + GOOD_TEXT, ["malformed-qr", "inflate-failed"],
     "The prefix is taken away once; what is left decodes to something else (H1).")
passes("text/lower-case-prefix", "hc1:" + GOOD_TEXT[4:], "The prefix in lower case is accepted with a warning (CLI).", warnings=["*"])
case("text/lower-case-body", "HC1:" + GOOD_TEXT[4:].lower(), "malformed-qr", "base45 has no lower case (H2).")
case("text/one-lower-case", GOOD_TEXT[:9] + next(c for c in GOOD_TEXT[9:] if c.isalpha()).lower() + GOOD_TEXT[10:], "malformed-qr",
     "One character in lower case (H2).")
case("text/empty", "HC1:", ["malformed-input", "malformed-qr", "inflate-failed"], "Nothing behind the prefix (H2).", unsure=True)
passes("text/white-space-around", " \t\r\n" + GOOD_TEXT + " \r\n\n", "White space around the text goes (H2).", warnings=[])
passes("text/byte-order-mark", "\ufeff" + GOOD_TEXT + "\n", "A byte-order mark before the text (CLI of shcverify).")
passes("text/stdin-qr", GOOD_TEXT, "The text in --qr.", feed="qr", json={"/cards/0/inputKind": "hc1"})
spaced = next(made for i in range(999) if "  " in (made := text(name={"gn": f"Jane {i}"})))
passes("text/two-spaces", spaced, "Two spaces in a row are two characters (H2; a third of real texts have it).", warnings=[])
case("text/spaces-collapsed", re.sub(" +", " ", spaced), ["malformed-qr", "inflate-failed"], "What HTML does to two spaces breaks the text (H2).")
case("text/space-removed", GOOD_TEXT.replace(" ", "", 1), ["malformed-qr", "inflate-failed"], "A space is lost (H2).")
case("text/no-break-space", GOOD_TEXT.replace(" ", "\u00a0", 1), "malformed-qr", "A no-break space is no character of the alphabet (H2).")
case("text/tab", GOOD_TEXT.replace(" ", "\t", 1), "malformed-qr", "A tab inside is no character of the alphabet (H2).")
case("text/percent-encoded", GOOD_TEXT.replace(" ", "%20", 1), ["malformed-qr", "inflate-failed"],
     "Percent signs are characters of the alphabet: nothing is decoded (H2).")
case("text/length", GOOD_TEXT + ("0" if len(GOOD_TEXT[4:]) % 3 == 0 else "00" if len(GOOD_TEXT[4:]) % 3 == 2 else ""), "malformed-qr",
     "A length that leaves one character over (H2).")
case("text/group-65536", GOOD_TEXT[:10] + "GGW" + GOOD_TEXT[13:], "malformed-qr", "The group GGW is 65536 (H2).")
case("text/group-colons", GOOD_TEXT[:10] + ":::" + GOOD_TEXT[13:], "malformed-qr", "The group ::: is 91124 (H2).")
odd = next(made for i in range(9) if len(made := text(name={"gn": "J" * i})) % 3 == 0)  # four characters of prefix, and two left over
case("text/last-pair", odd[:-2] + "V5", "malformed-qr", "The last pair is 256 (H2).")
for label, character in (("underscore", "_"), ("umlaut", "Ä"), ("full-width", "Ａ"), ("nul", "\0"), ("equals", "=")):
    case(f"text/{label}", GOOD_TEXT[:30] + character + GOOD_TEXT[31:], "malformed-qr", f"The character {label} is not of the alphabet (H2).",
         **({"unsure": True} if label == "nul" else {}))
lines = [GOOD_TEXT[i:i + 64] for i in range(0, len(GOOD_TEXT), 64)]
passes("text/wrapped", "\n".join(lines) + "\n", "A text over several lines is joined, with a warning (CLI).", warnings=["*"])
passes("text/wrapped-crlf", "\r\n".join(lines) + "\r\n", "The same with CRLF (CLI).", warnings=["*"])
at_space = GOOD_TEXT.index(" ", 20)
passes("text/wrapped-before-space", GOOD_TEXT[:at_space] + "\n" + GOOD_TEXT[at_space:], "A line that begins with a space of the text keeps it (H2, CLI).",
       warnings=["*"], unsure=True)
passes("text/wrapped-after-space", GOOD_TEXT[:at_space + 1] + "\n" + GOOD_TEXT[at_space + 1:], "A line that ends with a space of the text keeps it (H2, CLI).",
       warnings=["*"], unsure=True)
RECOVERY = text("r")
passes("text/two-lines", GOOD_TEXT + "\n" + RECOVERY + "\n", "Several texts, one a line, are several certificates (CLI).",
       json={"/cards/0/records/0/type": "immunization", "/cards/1/records/0/type": "recovery"})
passes("text/two-files", [GOOD, card("r")], "Two inputs are two certificates (CLI).",
       json={"/cards/0/records/0/type": "immunization", "/cards/1/records/0/type": "recovery"})
case("text/second-is-bad", [GOOD, card("r", spell=lambda s: s[:-1] + bytes([s[-1] ^ 1]))], "signature-invalid",
     "The exit code is that of the first card that fails (CLI).", json={"/cards/0/verdict": "pass", "/cards/1/verdict": "fail"})


# zlib (H3, H4)

case("zlib/none", hc1(GOOD, lambda data: data), "inflate-failed", "Not compressed at all (H3, test data Z2).")
case("zlib/raw-deflate", hc1(GOOD, lambda data: compressed(data, bits=-15)), "inflate-failed", "Raw DEFLATE (H3).")
case("zlib/gzip", hc1(GOOD, lambda data: compressed(data, bits=31)), "inflate-failed", "gzip (H3).")
case("zlib/adler", hc1(GOOD, lambda data: compressed(data)[:-1] + bytes([compressed(data)[-1] ^ 1])), "inflate-failed", "Adler-32 is wrong (H3).")
case("zlib/dictionary", hc1(GOOD, lambda data: compressed(data, dictionary=b"840539006")), "inflate-failed", "A preset dictionary (H3).")
case("zlib/trailing", hc1(GOOD, lambda data: compressed(data) + b"\0"), "inflate-failed", "An octet behind the stream (H3).")
case("zlib/two-streams", hc1(GOOD, lambda data: compressed(data[:99]) + compressed(data[99:])), "inflate-failed", "Two streams, one behind the other (H3).")
case("zlib/no-adler", hc1(GOOD, lambda data: compressed(data)[:-4]), "inflate-failed", "Adler-32 is missing (H3).")
case("zlib/half", hc1(GOOD, lambda data: compressed(data)[:150]), "inflate-failed", "Half of the stream is missing (H3).")
case("zlib/header-check", hc1(GOOD, lambda data: b"\x78\xdb" + compressed(data)[2:]), "inflate-failed", "The check bits of the zlib header are wrong (H3).")
case("zlib/twice", hc1(GOOD, lambda data: compressed(compressed(data))), ["malformed-cose", "inflate-failed"], "Compressed twice (H3, C1).")
for label, level, bits in (("level-0", 0, 15), ("level-1", 1, 15), ("level-6", 6, 15), ("window-9", 9, 9), ("window-12", 9, 12)):
    passes(f"zlib/{label}", hc1(GOOD, lambda data: compressed(data, level, bits)), "Any level and any size of window (H3).", warnings=[])
MAXIMUM = 4 << 20
padded = lambda size: card(unprotected={99: bytes(size - len(card(unprotected={99: b""})) - 4)})
assert len(padded(MAXIMUM)) == MAXIMUM
passes("zlib/four-mebibytes", padded(MAXIMUM), "A message of 4 MiB exactly, most of it in a header that nobody knows (H4, C9).")
case("zlib/above-four-mebibytes", padded(MAXIMUM + 1), "payload-too-large", "One octet more than 4 MiB (H4).")
case("zlib/bomb", hc1(bytes(16 << 20)), "payload-too-large",
     "16 MiB of zeros (H4).")
case("input/cwt-bomb", File(compressed(bytes(16 << 20))), "payload-too-large", "16 MiB of zeros, in a file (H4, H5).")
case("input/cwt-too-large", File(compressed(padded(MAXIMUM + 1))), "payload-too-large", "One octet more than 4 MiB, in a compressed file (H4, H5).")


# The message (C1 to C3)

cose = lambda name, what, why, **options: case(f"cose/{name}", what, options.pop("reason", "malformed-cose"), why, **options)
cose("three-elements", card(whole=lambda e: e[:3]), "An array of three (C1).")
cose("five-elements", card(whole=lambda e: e + [b""]), "An array of five (C1).")
cose("map", card(whole=lambda e: dict(enumerate(e))), "A map in place of the array (C1).")
cose("byte-string", card(whole=lambda e: cbor(e)), "The array inside a byte string (C1).")
cose("empty-array", card(whole=lambda e: []), "An empty array (C1).")
cose("integer", Message(b"\x01"), "An integer (C1).")
cose("nothing", Message(b""), "A stream of no octets (C1).", unsure=True)
cose("detached", card(whole=lambda e: [e[0], e[1], None, e[3]]), "A detached payload (C1).")
cose("bare-payload", card(whole=lambda e: [e[0], e[1], Cbor(e[2]), e[3]]), "The payload is a map, not a byte string (C1).")
cose("text-payload", card(whole=lambda e: [e[0], e[1], "payload", e[3]]), "The payload is a text (C1).")
cose("empty-payload", card(payload=b""), "An empty payload (C1, P1).", reason=EITHER)
cose("tagged-payload", card(whole=lambda e: [e[0], e[1], Tag(24, e[2]), e[3]]), "A tag on the payload's byte string (C1, C2).")
cose("bare-protected", card(whole=lambda e: [Cbor(e[0]), e[1], e[2], e[3]]), "The protected header is a map, not a byte string (C1).")
cose("protected-array", card(protected=cbor([1, -7, 4, XA.kid])), "The protected header holds an array (C1).")
cose("protected-not-cbor", card(protected=b"\xff"), "The protected header is no CBOR (C1, C11).")
cose("unprotected-null", card(whole=lambda e: [e[0], None, e[2], e[3]]), "The unprotected header is null (C1).")
cose("unprotected-array", card(whole=lambda e: [e[0], [], e[2], e[3]]), "The unprotected header is an array (C1).")
cose("unprotected-string", card(whole=lambda e: [e[0], b"\xa0", e[2], e[3]]), "The unprotected header is a byte string (C1).")
cose("signature-text", card(whole=lambda e: e[:3] + ["A" * 64]), "The signature is a text (C1).")
cose("signature-null", card(whole=lambda e: e[:3] + [None]), "The signature is null (C1).")
cose("signature-array", card(whole=lambda e: e[:3] + [[[e[0], {}, e[3]]]]), "Several signatures, as in COSE_Sign (C1, C2).")
for tags in ((98,), (17,), (16,), (96,), (97,), (18, 18), (18, 61), (61, 61, 18), (61, 17), (55799, 18), (61, 98), (24,), (61, 61)):
    cose("tag-" + "-".join(map(str, tags)), card(tags=tags), f"The tags {tags}, outermost first: only 18, and 61 around it, are accepted (C2).")
cose("tag-61-alone", card(tags=(61,)), "CWT's tag without COSE's (C2; RFC 8392 wants both).", reason=["malformed-cose", None], unsure=True)
passes("cose/no-tag", card(tags=()), "Tag 18 is optional (C2).", warnings=[])
passes("cose/tag-61-18", card(tags=(61, 18)), "CWT's tag outside of COSE's (C2, test data CO28).", warnings=[])
passes("cose/tag-wide", Message(b"\xda\0\0\0\x12" + card(tags=())), "Tag 18 with a head of five octets (C2, C5).")
passes("cose/tag-61-wide", Message(b"\xd9\0\x3d\xd8\x12" + card(tags=())), "Tags 61 and 18 with longer heads (C2, C5).")
cose("trailing", Message(GOOD + b"\0"), "An octet behind the message (C3).")
cose("trailing-item", Message(GOOD + GOOD), "A second message behind the first (C3).")
cose("trailing-protected", card(protected=cbor({1: -7, 4: XA.kid}) + b"\xa0"), "A second map in the protected header (C3).")
cose("trailing-payload", card(payload=cbor(claims()) + b"\0"), "An octet behind the claims (C3).", reason=EITHER)
cose("trailing-payload-item", card(payload=cbor(claims()) + cbor(claims("r"))), "A second map of claims (C3).", reason=EITHER)
cose("cut-short", Message(GOOD[:-1]), "The last octet is missing (C3).")


# CBOR (C4, C5, C10, C11)

PLAIN = cbor(claims())
passes("cbor/indefinite", card(form=lambda value: cbor(value, indefinite=True)), "All lengths indefinite, all strings in chunks (C5).", warnings=[])
for width in (1, 2, 4, 8):
    passes(f"cbor/wide-{width}", card(form=lambda value: cbor(value, wide=width)), f"All heads with {width} octets for the number (C5).", warnings=[])
passes("cbor/chunked-payload", card(whole=lambda e: [e[0], e[1], Cbor(cbor(e[2], indefinite=True)), e[3]]),
       "A payload in chunks: what is signed is the string, not its encoding (C5, S1).", warnings=[])
passes("cbor/empty-chunks", card(whole=lambda e: [Cbor(b"\x5f\x40" + cbor(e[0]) + b"\x40\xff"), Cbor(b"\xbf\xff"), e[2], e[3]]),
       "Empty chunks, and an empty map without length (C5).", warnings=[])
passes("cbor/many-orders", card(payload=cbor(Pairs(reversed(claims().items())))), "Claims in any order (C5; seven orders in real ones).", warnings=[])

twice = lambda name, make, why, reason="malformed-cose", **options: case(f"duplicate/{name}", make, reason, why + " (C4).", **options)
twice("alg", card(protected=cbor(Pairs([(1, -7), (4, XA.kid), (1, -7)]))), "The label of alg twice")
twice("kid-protected", card(protected=cbor(Pairs([(1, -7), (4, XA.kid), (4, OTHER.kid)]))), "kid twice in the protected header")
twice("kid-unprotected", card(protected={1: -7}, unprotected=Pairs([(4, XA.kid), (4, OTHER.kid)])), "kid twice in the unprotected header")
twice("unknown-label", card(unprotected=Pairs([(99, 1), (99, 2)])), "A label that nobody knows, twice")
twice("wide-label", card(protected=cbor(Pairs([(1, -7), (4, XA.kid), (Cbor(b"\x18\x04"), OTHER.kid)]))), "kid twice, once with a wider head")
twice("exp", card(payload=cbor(Pairs([*claims().items(), (4, EXP + 9)]))), "exp twice", EITHER)
twice("exp-wide", card(payload=cbor(Pairs([*claims().items(), (Cbor(b"\x19\0\x04"), EXP)]))), "exp twice, once with a wider head", EITHER)
twice("hcert", card(payload=cbor(Pairs([*claims().items(), (-260, claims("r")[-260])]))), "hcert twice", EITHER)
twice("dcc", card(payload=cbor(claims(change={-260: Pairs([(1, content()), (1, content("r"))])}))), "Key 1 of hcert twice", EITHER)
twice("group", card(payload=cbor(claims(hcert={1: Pairs([*content().items(), ("v", [record(dn=3)])])}))), "v twice", EITHER)
twice("member", card(dcc={"v": [Pairs([*RECORDS["v"].items(), ("dn", 3)])]}), "A member of the record twice", EITHER)
twice("chunked", card(dcc={"v": [Pairs([*RECORDS["v"].items(), (Cbor(b"\x7f\x61d\x61n\xff"), 3)])]}), "A member twice, once in chunks", EITHER)
twice("name", card(dcc={"nam": Pairs([*NAME.items(), ("fn", "Another")])}), "A name twice", EITHER)
twice("deep", card(dcc={"meta": [[{"a": Pairs([("b", 1), ("b", 1)])}]]}), "Deep in a member that nobody knows", EITHER)
twice("bytes", card(dcc={"meta": Pairs([(b"b", 1), (b"b", 2)])}), "Byte strings as keys, in a member that nobody knows", EITHER)
twice("array", card(dcc={"meta": Pairs([(Cbor(cbor([1])), 1), (Cbor(cbor([1], wide=1)), 2)])}), "Arrays as keys that are equal, in a member that nobody knows", EITHER,
      unsure=True)
twice("same-label-in-both", card(unprotected={4: XA.kid}), "The same kid in both headers is one of each, not a duplicate", None, exits=0)

cose_or_payload = lambda name, octets: (
    case(f"cbor/{name}-header", card(unprotected={99: Cbor(octets)}), "malformed-cose", f"{name} in the unprotected header (C11)."),
    case(f"cbor/{name}-claims", card(dcc={"meta": Cbor(octets)}), EITHER, f"{name} in the claims (C11)."))
cose_or_payload("reserved-head-28", b"\x1c")
cose_or_payload("reserved-head-30", b"\x7e")
cose_or_payload("break-alone", b"\xff")
cose_or_payload("simple-24", b"\xf8\x18")
cose_or_payload("not-utf8", b"\x62\xc3\x28")
case("cbor/indefinite-integer", card(dcc={"meta": Cbor(b"\x1f")}), EITHER, "An integer without length (C11).")
case("cbor/indefinite-tag", card(dcc={"meta": Cbor(b"\xdf\x01")}), EITHER, "A tag without length (C11).")
case("cbor/chunk-of-other-kind", card(dcc={"meta": Cbor(b"\x7f\x41a\xff")}), EITHER, "A chunk of octets in a text (C11).")
case("cbor/chunk-in-chunk", card(dcc={"meta": Cbor(b"\x7f\x7f\x61a\xff\xff")}), EITHER, "Chunks within chunks (C11).")
case("cbor/no-break", card(payload=cbor(Pairs(claims().items()), indefinite=True)[:-1]), EITHER, "The last break is missing (C11).")
case("cbor/odd-map", card(payload=b"\xbf" + PLAIN[1:] + b"\x05\xff"), EITHER, "A map without length with a key and no value (C11).")
case("cbor/utf8-overlong", card(name={"fn": Cbor(b"\x62\xc0\x80")}), EITHER, "An overlong form of UTF-8 (C11).")
case("cbor/utf8-surrogate", card(name={"fn": Cbor(b"\x63\xed\xa0\x80")}), EITHER, "A surrogate in UTF-8 (C11).")
case("cbor/utf8-beyond", card(name={"fn": Cbor(b"\x64\xf4\x90\x80\x80")}), EITHER, "A code point above 10FFFF (C11).")
case("cbor/utf8-over-chunks", card(name={"fn": Cbor(b"\x7f\x61\xc3\x61\xa4\xff")}), EITHER, "A character divided over two chunks: each chunk by itself (C11).")
passes("cbor/utf8-whole-chunks", card(name={"fn": Cbor(b"\x7f\x62\xc3\xa4\x61b\xff")}), "Chunks that are UTF-8 each (C5, C11).",
       json={"/cards/0/subject/name": "Jane \u00e4b"})
passes("cbor/simple-255", card(dcc={"meta": Cbor(b"\xf8\xff")}), "A simple value that nobody knows, where nobody looks (C11).", warnings=["*"])
passes("cbor/undefined", card(dcc={"meta": Cbor(b"\xf7")}), "undefined, where nobody looks (C11).", warnings=["*"])

nested = lambda depth, inner=b"\0": Cbor(b"\x81" * depth + inner)
passes("bounds/nesting-20", card(unprotected={99: nested(20)}), "Nesting of about 20 in a header that nobody knows (C9, C10).")
case("bounds/nesting-40", card(unprotected={99: nested(40)}), "malformed-cose", "Nesting above 32 (C10).")
case("bounds/nesting-100000", card(unprotected={99: nested(100000)}), "malformed-cose", "Nesting of 100,000: recursion has a limit (C10).")
PAST_BOUND = EITHER + ["payload-too-large"]
case("bounds/nesting-claims", card(dcc={"meta": nested(100000)}), PAST_BOUND, "Nesting of 100,000 in the claims (C10).")
case("bounds/nesting-tags", Message(b"\xd2" * 100000 + card(tags=())), "malformed-cose", "100,000 times tag 18 (C2, C10).")
case("bounds/nesting-open", Message(b"\x9f" * 100000), "malformed-cose", "100,000 arrays without an end (C10).")
passes("bounds/items-15000", card(unprotected={99: [0] * 15000}), "15,000 items (C10).")
case("bounds/items-25000", card(unprotected={99: [0] * 25000}), "malformed-cose", "25,000 items (C10).")
case("bounds/items-claims", card(dcc={"meta": [0] * 25000}), PAST_BOUND, "25,000 items in the claims (C10).")
for label, octets in (("string", b"\x5b"), ("array", b"\x9b"), ("map", b"\xbb"), ("text", b"\x7b")):
    case(f"bounds/length-{label}", card(unprotected={99: Cbor(octets + b"\x3f" + b"\xff" * 7)}), "malformed-cose",
         f"A {label} of 2^62 items (C10): no memory is taken for it.")
case("bounds/length-largest", card(unprotected={99: Cbor(b"\x5b" + b"\xff" * 8)}), "malformed-cose", "A string of 2^64 - 1 octets (C10).")
case("bounds/length-claims", card(dcc={"meta": Cbor(b"\x9a\xff\xff\xff\xff")}), PAST_BOUND, "An array of 2^32 - 1 items in the claims (C10).")


# Headers (C6 to C9)

for label, number in (("es384", -35), ("es512", -36), ("rs256", -257), ("ps384", -38), ("ps512", -39), ("eddsa", -8), ("es256k", -47), ("hs256", 5),
                      ("zero", 0), ("esp256", -9)):
    case(f"alg/{label}", card(alg=number), "unsupported-algorithm", f"alg {number} ({label}) is neither ES256 nor PS256 (C6).")
case("alg/text", card(alg="ES256"), "unsupported-algorithm", "alg is a text (C6).")
case("alg/bytes", card(alg=b"\x26"), "unsupported-algorithm", "alg is a byte string (C6).")
case("alg/float", card(alg=-7.0), "unsupported-algorithm", "alg is a float (C6).")
case("alg/null", card(protected={1: None, 4: XA.kid}), "unsupported-algorithm", "alg is null (C6).")
case("alg/none", card(protected={4: XA.kid}), "unsupported-algorithm", "alg is in neither header (C6).")
passes("alg/unprotected", card(protected={4: XA.kid}, unprotected={1: -7}), "alg in the unprotected header only (C6, test data CO20).", warnings=["alg-unprotected"])
passes("alg/unprotected-empty-protected", card(protected=b"", unprotected={1: -7, 4: XA.kid}), "An empty protected header (C1, C6).", warnings=["alg-unprotected"])
passes("alg/unprotected-empty-map", card(protected={}, unprotected={1: -7, 4: XA.kid}), "The protected header is a map with nothing in it, signed as received (C1, C6, S1).",
       warnings=["alg-unprotected"])
case("alg/empty-map-signed-as-empty", card(protected={}, unprotected={1: -7, 4: XA.kid}, over=(b"", PLAIN)), ["signature-invalid", None],
     "An empty map, while the signature is over an empty string: S1 says as received, RFC 9052 (4.4) says empty string.", unsure=True)
case("alg/both-differ", card(unprotected={1: -37}), "malformed-cose", "alg in both headers, and different (CLI).")
passes("alg/both-same", card(unprotected={1: -7}), "alg in both headers, the same (CLI).")
case("alg/unprotected-ps256", card(protected={4: XA.kid}, unprotected={1: -37}), "key-invalid", "Whoever changes alg outside the signature gains nothing (C6, K3).")
passes("alg/wide", card(protected=b"\xa2\x01\x38\x06\x04\x48" + XA.kid), "-7 with a wider head (C5, C6).")
passes("kid/unprotected", card(protected={1: -7}, unprotected={4: XA.kid}), "kid in the unprotected header only (C7; 81 of 988).", warnings=[])
passes("kid/protected-counts", card(unprotected={4: OTHER.kid}), "Both headers have a kid: the protected one counts (C7, test data CO21).")
case("kid/protected-counts-wrong", card(kid=UNLISTED.kid, unprotected={4: XA.kid}), "key-not-found", "Both headers have a kid, and the protected one is not listed (C7, CO22).")
case("kid/none", card(protected={1: -7}), "malformed-cose", "No kid: keys are never tried without one (C7).")
case("kid/empty", card(kid=b""), "malformed-cose", "An empty kid (C7).")
case("kid/text", card(kid="2qV+qK/ix7M="), "malformed-cose", "kid is a text (C7).")
case("kid/integer", card(kid=7), "malformed-cose", "kid is an integer (C7).")
case("kid/null", card(protected={1: -7, 4: None}), "malformed-cose", "kid is null (C7).")
case("kid/array", card(protected={1: -7, 4: [XA.kid]}), "malformed-cose", "kid is an array (C7).")
case("kid/protected-text", card(protected={1: -7, 4: "kid"}, unprotected={4: XA.kid}), "malformed-cose", "The protected kid is a text, the other one good (C7).")
case("kid/protected-empty", card(protected={1: -7, 4: b""}, unprotected={4: XA.kid}), "malformed-cose", "The protected kid is empty, the other one good (C7).")
case("kid/unprotected-text", card(unprotected={4: "kid"}), ["malformed-cose", None], "The protected kid is good, the other one a text (C7).", unsure=True)
case("kid/seven-octets", card(kid=XA.kid[:7]), "key-not-found", "A shortened kid is another kid (K1).")
case("kid/nine-octets", card(kid=XA.kid + b"\0"), "key-not-found", "A longer kid is another kid (K1).")
case("kid/whole-hash", card(kid=hashlib.sha256(XA.der).digest()), "key-not-found", "The whole hash is not the list's kid (K1).")
case("crit/protected", card(protected={1: -7, 4: XA.kid, 2: [99], 99: 1}), "malformed-cose", "Something critical (C8).")
case("crit/known", card(protected={1: -7, 4: XA.kid, 2: [1]}), "malformed-cose", "alg as critical (C8).")
case("crit/empty", card(protected={1: -7, 4: XA.kid, 2: []}), "malformed-cose", "An empty crit (C8).")
case("crit/unprotected", card(unprotected={2: [99]}), "malformed-cose", "crit in the unprotected header (C8).")
passes("header/x5chain", card(protected={1: -7, 4: XA.kid, 33: UNLISTED.der}, unprotected={33: [UNLISTED.der], 34: [-16, bytes(32)], 35: "https://keys.example/"}),
       "Certificates in the headers are ignored (C9).", warnings=[])
case("header/x5chain-own-key", card(signer=UNLISTED, kid=XA.kid, unprotected={33: UNLISTED.der}), "signature-invalid",
     "Signed by a stranger who brings his own certificate along with a listed kid (C9).")
case("header/x5chain-unlisted", card(signer=UNLISTED, unprotected={33: UNLISTED.der}), "key-not-found", "A stranger's certificate and his own kid (C9, K2).")
case("header/cose-key", card(signer=UNLISTED, kid=XA.kid, unprotected={-1: {1: 2, -1: 1, -2: UNLISTED.key.x, -3: UNLISTED.key.y}}), "signature-invalid",
     "A COSE_Key in the header (C9).")
passes("header/content-type", card(protected={3: 60, 1: -7, 4: XA.kid}), "A content type, and the labels in another order (C9; 38 of 988).", warnings=[])
passes("header/strange-labels", card(protected={1: -7, 4: XA.kid, "x": {"y": [1.5]}, -70000: b"z"}, unprotected={256: None}), "Labels that nobody knows (C9).")


# Signature (S1 to S4)

N = XA.key.order
ES = lambda label, why, reason="signature-invalid", **options: case(f"signature/{label}", card(**options), reason, why)


def as_der(signature):
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
    return encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))


def with_s(signature, wanted):
    """The same signature with s or n - s, whichever is wanted."""
    s = int.from_bytes(signature[32:], "big")
    return signature[:32] + (wanted(s, N - s)).to_bytes(32, "big")


low, high = (lambda signature: with_s(signature, min)), (lambda signature: with_s(signature, max))
ES("low-s", "s below half of the order (S3).", None, spell=low)
ES("high-s", "s above half of the order is valid (S3).", None, spell=high)
ES("der", "The signature in DER (S2).", spell=as_der)
ES("63-octets", "63 octets (S2).", spell=lambda s: s[:63])
ES("65-octets", "65 octets (S2).", spell=lambda s: s + b"\0")
ES("96-octets", "96 octets (S2).", spell=lambda s: bytes(16) + s[:32] + bytes(16) + s[32:])
ES("empty", "No octets (S2).", spell=lambda s: b"")
ES("all-zero", "r and s are 0 (S2).", spell=lambda s: bytes(64))
ES("r-zero", "r is 0 (S2).", spell=lambda s: bytes(32) + s[32:])
ES("s-zero", "s is 0 (S2).", spell=lambda s: s[:32] + bytes(32))
ES("r-is-order", "r is n (S2).", spell=lambda s: N.to_bytes(32, "big") + s[32:])
ES("s-is-order", "s is n (S2).", spell=lambda s: s[:32] + N.to_bytes(32, "big"))
ES("all-ones", "r and s are above n (S2).", spell=lambda s: b"\xff" * 64)
ES("swapped", "s and then r (S2).", spell=lambda s: s[32:] + s[:32])
ES("one-bit", "One bit of the signature (S2).", spell=lambda s: s[:40] + bytes([s[40] ^ 1]) + s[41:])
ES("one-bit-of-payload", "One bit of the name (S1).", payload=PLAIN.replace(b"Muster", b"Nuster"), over=(cbor({1: -7, 4: XA.kid}), PLAIN))
ES("other-key", "Signed by another key (S1).", signer=OTHER, kid=XA.kid)
ES("context", "The context is Signature, as in COSE_Sign (S1).", over=to_be_signed(cbor({1: -7, 4: XA.kid}), PLAIN, "Signature"))
ES("external", "Signed with external data (S1).", over=to_be_signed(cbor({1: -7, 4: XA.kid}), PLAIN, external=b"x"))
ES("payload-alone", "Signed over the payload only (S1).", over=PLAIN)
ES("header-order", "Another order of the protected header is signed (S1).", over=(cbor({4: XA.kid, 1: -7}), PLAIN))
ES("re-encoded-header", "The protected header has wide heads, its shortest form is signed: what is received counts (S1).",
   protected=cbor({1: -7, 4: XA.kid}, wide=2), over=(cbor({1: -7, 4: XA.kid}), PLAIN))
ES("wide-header", "The protected header has wide heads and is signed as it stands (S1).", None, protected=cbor({1: -7, 4: XA.kid}, wide=2))
ES("header-added", "A label is added to the protected header after signing (S1).", protected=cbor({1: -7, 4: XA.kid, 3: 60}), over=(cbor({1: -7, 4: XA.kid}), PLAIN))
ES("re-encoded-payload", "The payload has wide heads, its shortest form is signed (S1).", payload=cbor(claims(), wide=4), over=(cbor({1: -7, 4: XA.kid}), PLAIN))
ES("sorted-payload", "The payload is signed in another order of claims (S1).", payload=cbor(Pairs(reversed(claims().items()))), over=(cbor({1: -7, 4: XA.kid}), PLAIN))

PS = lambda label, why, reason="signature-invalid", **options: case(f"signature/ps256-{label}", card(**{"signer": RSA_2048} | options), reason, why)
key = RSA_2048.key
for salt in (0, 20, 31, 33, 64):
    PS(f"salt-{salt}", f"A salt of {salt} octets (S4).", sign=lambda message: key.sign(message, salt))
PS("pkcs1", "PKCS#1 v1.5 (S4).", sign=key.sign_pkcs1)
PS("mgf-sha1", "MGF1 with SHA-1 (S4).", sign=lambda message: key.sign(message, mask_digest=hashlib.sha1))
PS("sha384", "PSS with SHA-384 (S4).", sign=lambda message: key.sign(message, digest=hashlib.sha384, mask_digest=hashlib.sha384))
PS("257-octets", "A zero octet in front (S4).", spell=lambda s: b"\0" + s)
PS("255-octets", "The last octet is missing (S4).", spell=lambda s: s[:-1])
small = next(name for name in ({"gn": f"Jane {i}"} for i in range(999)) if int.from_bytes(card(signer=RSA_2048, name=name)[-256:], "big") + key.n < 1 << 2048)
PS("above-n", "The signature plus n (S4).", name=small, spell=lambda s: (int.from_bytes(s, "big") + key.n).to_bytes(256, "big"))
PS("one-bit", "One bit of the signature (S4).", spell=lambda s: s[:40] + bytes([s[40] ^ 1]) + s[41:])
PS("es256-key", "PS256 in the header and the kid of a key on P-256 (K3).", "key-invalid", kid=XA.kid)
PS("empty", "No octets (S4).", spell=lambda s: b"")
ES("es256-rsa-key", "ES256 in the header and the kid of an RSA key (K3).", "key-invalid", kid=RSA_2048.kid)
