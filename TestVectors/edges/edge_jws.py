"""Cards, that is, JWS with ES256 and DEFLATE, with a key set for all of them. What is judged is the JWS, and not what the card says.
"""

import hashlib
import hmac
import json

from blocks import ABSENT, N, b64url, card, der, es256, from_b64url, header, minify, opened, raw_signature
from cases import A, ATTACKER, B, BUNDLE, bundle, payload
from cryptography.hazmat.primitives import serialization
from edge_ecdsa import integer
from edge_file import File
from edge_rsa import KEY as RSA_KEY

FILE = File(
    "JWS", "json_web_signature_schema_v1.json", ["SMART Health Cards: JWS in compact form, with ES256 and DEFLATE. Only the JWS is wrong."],
    Normal="An ordinary card.",
    Header="The header has other members, or is written in an unusual way.",
    EmbeddedKey="The header has a key or a link to one. It proves nothing.",
    AlgIsNone="The header says that there is no signature.",
    WrongPrimitive="The header names another algorithm than ES256.",
    KeyConfusion="The signature is an HMAC with the public key.",
    Critical="The header names extensions that have to be understood.",
    UnencodedPayload="b64 is false (RFC 7797).",
    MalformedHeader="The header is no JSON object that every reader takes for the same.",
    Parts="A part is missing, or there is one more.",
    Encoding="A part is not base64url as RFC 7515 section 2 has it.",
    KeyID="kid is missing, or names another key.",
    ModifiedSignature="The signature was changed, or is in another form.",
    SignedOver="The signature is over something else.",
    JsonSerialization="A JWS in JSON.")

# Short IDs keep the files small.
for key, kid in ((A, "a"), (B, "b"), (ATTACKER, "attacker")):
    key.kid = kid
PAYLOAD = payload({BUNDLE: bundle({"resourceType": "Patient", "birthDate": "1951"})})
SET = [A.jwk(), B.jwk()]
FILE.group("JsonWebSignature", comment="cards", public={"keys": SET})


def made(head={}, key=A, **options):
    return card(PAYLOAD, key, header(A, **head) if isinstance(head, dict) else head, **options)


def case(comment, flags, result, jws):
    if result == "valid":
        opened(jws, SET)
    FILE.case(comment, result, flags, jws=jws)


GOOD = made()
HEAD, BODY, SIGNATURE = GOOD.split(".")
case("an ordinary card", "Normal", "valid", GOOD)
case("s is n - s", "Normal", "valid", made(sign=lambda r, s: raw_signature(r, N - s)))
case("by another key of the set", "Normal", "valid", made({"kid": B.kid}, B))
case("the members in another order", "Header", "valid", made(minify({"kid": A.kid, "alg": "ES256", "zip": "DEF"})))
case("a type and a content type", "Header", "valid", made({"typ": "JWT", "cty": "x"}))
case("members that nobody knows", "Header", "valid", made({"x": [None, {"alg": "none"}], "exp": 0, "iss": "https://attacker.example"}))
case("white space", "Header", "valid", made(json.dumps(header(A), indent=1).encode()))
case("escaped letters", "Header", "valid", made(json.dumps(header(A)).replace("alg", "\\u0061lg").replace("ES256", "\\u0045S256").encode()))
case("a member twice, in a member that nobody knows", ["Header", "MalformedHeader"], "invalid", made(minify(header(A))[:-1] + b',"x":{"y":1,"y":2}}'))

BY_ATTACKER = {"jwk": {"kty": "EC", "crv": "P-256", "x": b64url(ATTACKER.x), "y": b64url(ATTACKER.y)}, "jku": "https://attacker.example", "x5c": ["MIIB"]}
for name, value in BY_ATTACKER.items():
    case(f"{name} of an attacker, and the card is good", "EmbeddedKey", "valid", made({name: value}))
    case(f"{name} of an attacker, who signed it", "EmbeddedKey", "invalid", made({name: value}, ATTACKER))
    case(f"{name} and kid of an attacker, who signed it", "EmbeddedKey", "invalid", made({name: value, "kid": ATTACKER.kid}, ATTACKER))
    if name == "jwk":
        case(f"{name} of an attacker, who signed it, without kid", ["EmbeddedKey", "KeyID"], "invalid", made({name: value, "kid": ABSENT}, ATTACKER))
case("jwk of the issuer, and an attacker signed it", "EmbeddedKey", "invalid", made({"jwk": A.jwk()}, ATTACKER))
case("jwk whose point makes any signature good, if it is not checked", "EmbeddedKey", "invalid", made({"jwk": {"kty": "EC", "crv": "P-256", "x": "A" * 43, "y": "A" * 43}}, ATTACKER))

empty = lambda head: ".".join(made(head).split(".")[:2]) + "."
for name in ("none", "nOnE", ""):
    case(f"alg is {name!r}, without a signature", "AlgIsNone", "invalid", empty({"alg": name}))
    case(f"alg is {name!r}, with a good signature", "AlgIsNone", "invalid", made({"alg": name}))
case("ES256 without a signature", "AlgIsNone", "invalid", HEAD + "." + BODY + ".")
for name in ("ES384", "ES256K", "PS256", "HS256", "es256", "ES256\0"):
    case(f"alg is {name!r}, with a good signature", "WrongPrimitive", "invalid", made({"alg": name}))
for name, value in {"missing": ABSENT, "null": None, "a number": -7, "an array": ["ES256"], "true": True, "an object": {"ES256": 1}}.items():
    case(f"alg is {name}", "WrongPrimitive", "invalid", made({"alg": value}))


def signed(head, sign):
    text = made(head).rsplit(".", 1)[0]
    return text + "." + b64url(sign(text.encode()))


form = lambda encoding, kind: A.public.public_bytes(encoding, kind)
SPKI = serialization.PublicFormat.SubjectPublicKeyInfo
SECRETS = {"PEM": form(serialization.Encoding.PEM, SPKI), "DER": form(serialization.Encoding.DER, SPKI),
           "x and y": A.x + A.y, "x in base64url": b64url(A.x).encode(), "the JWK": minify(A.jwk()), "nothing": b""}
for name, secret in SECRETS.items():
    case(f"HS256 with {name}", "KeyConfusion", "invalid", signed({"alg": "HS256"}, lambda text: hmac.new(secret, text, hashlib.sha256).digest()))
for name in ("PEM",):
    case(f"HS512 with {name}", "KeyConfusion", "invalid", signed({"alg": "HS512"}, lambda text: hmac.new(SECRETS[name], text, hashlib.sha512).digest()))
    case(f"ES256 is said, and it is an HMAC with SHA-512 and {name}", "KeyConfusion", "invalid", signed({}, lambda text: hmac.new(SECRETS[name], text, hashlib.sha512).digest()))
case("PS256 with an RSA key", "WrongPrimitive", "invalid", signed({"alg": "PS256"}, RSA_KEY.sign))

for name, value in {"an extension": ["exp"], "empty": [], "a name of the standard": ["alg"], "null": None, "a string": "exp", "what is not there": ["z"]}.items():
    case(f"crit is {name}", "Critical", "invalid", made({"crit": value, "exp": 9999999999}))
case("crit and b64", ["Critical", "UnencodedPayload"], "invalid", made({"crit": ["b64"], "b64": False}))
case("crit and b64, which is true", ["Critical", "UnencodedPayload"], "invalid", made({"crit": ["b64"], "b64": True}))
case("b64 without crit", "UnencodedPayload", "acceptable", made({"b64": False}))
plain = (HEAD + ".").encode() + from_b64url(BODY)
case("b64 without crit, and the signature is over the payload's bytes", "UnencodedPayload", "invalid", made({"b64": False}, sign_over=plain))

TEXT = minify(header(A)).decode()
for name, text in {
        "alg twice, none last": TEXT[:-1] + ',"alg":"none"}', "alg twice, none first": '{"alg":"none",' + TEXT[1:], "alg twice, once escaped": TEXT[:-1] + ',"\\u0061lg":"none"}',
        "kid twice": TEXT[:-1] + ',"kid":"x"}', "zip twice": TEXT[:-1] + ',"zip":null}', "an array": f"[{TEXT}]", "null": "null", "nothing": "", "text after it": TEXT + "x",
        "a zero after it": TEXT + "\0", "a byte-order mark": "\ufeff" + TEXT, "a comment": TEXT[:-1] + "/**/}",
        "half a surrogate": TEXT[:-1] + ',"x":"\\udc00"}', "nesting of 300 arrays": TEXT[:-1] + ',"x":' + "[" * 300 + "]" * 300 + "}", "NaN": TEXT[:-1] + ',"x":NaN}'}.items():
    case(f"the header is or has {name}", "MalformedHeader", "invalid", made(text.encode()))
case("the header is in UTF-16", "MalformedHeader", "invalid", made(TEXT.encode("utf-16")))
case("the header is no UTF-8", "MalformedHeader", "invalid", made(TEXT.encode()[:-1] + b',"x":"\xc0\xaf"}'))
for name, value in {"missing": ABSENT, "null": None, "another": "GZ", "in small letters": "def", "an array": ["DEF"]}.items():
    case(f"zip is {name}", "MalformedHeader", "invalid", made({"zip": value}))

for name, text in {
        "no signature and no dot": f"{HEAD}.{BODY}", "no payload": f"{HEAD}..{SIGNATURE}", "no header": f".{BODY}.{SIGNATURE}", "no header and no dot": f"{BODY}.{SIGNATURE}",
        "nothing": "", "dots": "..", "a dot at the end": GOOD + ".", "a dot at the beginning": "." + GOOD, "one more": GOOD + ".AA", "the signature twice": GOOD + "." + SIGNATURE, 
        "a signature of dots": f"{HEAD}.{BODY}." + "." * 86, "the header twice": f"{HEAD}.{HEAD}.{BODY}.{SIGNATURE}", "commas": GOOD.replace(".", ",")}.items():
    case(f"the parts: {name}", "Parts", "invalid", text)

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
padded = lambda text: text + "=" * (-len(text) % 4)
with_bit = lambda text: text[:-1] + LETTERS[LETTERS.index(text[-1]) | 1]
SPELLINGS = {"has padding": lambda text: padded(text) if len(text) % 4 else text + "====", "has a line break": lambda text: text[:8] + "\n" + text[8:],
             "begins with '+'": lambda text: "+" + text[1:], "ends with a letter more": lambda text: text + "A", "has a zero": lambda text: text[:4] + "\0" + text[5:],
             "has a letter with an accent": lambda text: "\u00e9" + text[1:]}
for name, spell in SPELLINGS.items():
    case(f"the signature {name}", "Encoding", "invalid", f"{HEAD}.{BODY}.{spell(SIGNATURE)}")
    # The signature is over the text as it is spelled, so that only the spelling is wrong.
    case(f"the payload {name}", "Encoding", "invalid", made(spell=lambda head, body: (head, spell(body))))
    case(f"the header {name}", "Encoding", "invalid", made(spell=lambda head, body: (spell(head), body)))
case("the signature has a bit more than its bytes", "Encoding", "invalid", f"{HEAD}.{BODY}.{with_bit(SIGNATURE)}")
odd = next(head for head in ({"x": "y" * i} for i in range(3)) if len(b64url(minify(header(A, **head)))) % 4)
case("the header has a bit more than its bytes", "Encoding", "invalid", made(odd, spell=lambda head, body: (with_bit(head), body)))
case("the header is in hexadecimal digits", "Encoding", "invalid", made(spell=lambda head, body: (from_b64url(head).hex(), body)))

for name, kid in {"of another key of the set": B.kid, "unknown": ATTACKER.kid, "empty": "", "a path": "../../dev/null", "in other letters": A.kid.upper(), "with a zero": A.kid + "\0",
                  "missing": ABSENT, "null": None, "a number": 1, "an array": [A.kid]}.items():
    case(f"kid is {name}", "KeyID", "invalid", made({"kid": kid}))
case("signed by another key of the set", "KeyID", "invalid", made(key=B))

R, S = es256(A, f"{HEAD}.{BODY}".encode())
with_signature = lambda data: f"{HEAD}.{BODY}.{b64url(data)}"
pair = raw_signature
for name, data in {
        "DER": der(0x30, integer(R), integer(S)), "zeros": bytes(64), "r is 0": pair(0, S), "s is 0": pair(R, 0), "r is n": pair(N, S), "s is n": pair(R, N), "r and s are exchanged": pair(S, R),
        "little-endian": pair(R, S)[31::-1] + pair(R, S)[:31:-1], "a byte less": pair(R, S)[:-1], "a byte more": pair(R, S) + b"\0", "a zero before it": b"\0" + pair(R, S), 
        "the recovery ID after it": pair(R, S) + b"\1", "r and s in 48 bytes each": R.to_bytes(48, "big") + S.to_bytes(48, "big"), "in hexadecimal digits": pair(R, S).hex().encode(),
        }.items():
    case(f"the signature: {name}", "ModifiedSignature", "invalid", with_signature(data))
for name, over in {
        "the payload alone": BODY, "the header alone": HEAD, "both without the dot": HEAD + BODY, "the payload first": f"{BODY}.{HEAD}", 
        "another header": f"{b64url(minify(header(A, typ='JWT')))}.{BODY}", "the text in capital letters": f"{HEAD}.{BODY}".upper(), "the text and a line break": f"{HEAD}.{BODY}\n"}.items():
    case(f"over {name}", "SignedOver", "invalid", made(sign_over=over.encode()))
case("over the decoded parts", "SignedOver", "invalid", made(sign_over=from_b64url(HEAD) + b"." + from_b64url(BODY)))
case("over the digest", "SignedOver", "invalid", made(sign_over=hashlib.sha256(f"{HEAD}.{BODY}".encode()).digest()))
other = card(payload(), A)
case("the signature of another card", "SignedOver", "invalid", f"{HEAD}.{BODY}.{other.split('.')[2]}")
case("the payload of another card", "SignedOver", "invalid", f"{HEAD}.{other.split('.')[1]}.{SIGNATURE}")
case("the header of another card", "SignedOver", "invalid", f"{made({'kid': B.kid}, B).split('.')[0]}.{BODY}.{SIGNATURE}")
FLAT = {"protected": HEAD, "payload": BODY, "signature": SIGNATURE}
case("a JWS in JSON", "JsonSerialization", "invalid", json.dumps(FLAT))
case("a JWS in JSON with signatures", "JsonSerialization", "invalid", json.dumps({"payload": BODY, "signatures": [{"protected": HEAD, "signature": SIGNATURE}]}))
