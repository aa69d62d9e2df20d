"""Key sets, each with a JWS that names a key of the set by `kid`. The JWS is right; what is judged is whether the key may verify it.

`public` is a string if the set is no JSON that every reader takes for the same.
"""

import hashlib
import hmac
import json

from blocks import ABSENT, N, P, b64url, es256, minify, octets, raw_signature
from cases import A, B, ZERO_X, ZERO_Y
from edge_file import File
from edge_rsa import KEY as RSA_KEY
from signatures import on_curve

FILE = File(
    "JWK", "json_web_key_schema_v1.json", ["Key sets, and a JWS with ES256 for each."],
    Normal="An ordinary key set.",
    Optional="A member that may be missing is missing, null, or unknown.",
    NotOnCurve="x and y are no point of P-256.",
    CoordinateLength="A coordinate has more or fewer than 32 bytes.",
    CoordinateForm="A coordinate is no text in base64url as RFC 7515 section 2 has it.",
    LeadingZeros="A coordinate begins with zeros.",
    PrivateMember="The private half is published, in this entry or in another one.",
    WrongMember="kty, crv, use, alg or key_ops say that the key is for something else.",
    DuplicateMember="A member stands there twice.",
    DuplicateKid="Several keys have one ID.",
    MixedKeySet="The set has keys of other kinds, or what is no key.",
    OtherKey="The set has no key with the JWS's ID, or the signature is of another key.",
    KeyConfusion="The signature is an HMAC with the public key, or the key is of another kind.",
    MalformedSet="The set is no JSON object with keys.")

# Short IDs keep the files small.
for key, kid in ((A, "a"), (B, "b"), (ZERO_X, "x"), (ZERO_Y, "y")):
    key.kid = kid

HEAD = lambda key: {"alg": "ES256", "kid": key.kid}


def jws(key, head=None, body=b"foo", sign=None):
    text = f"{b64url(minify(HEAD(key) if head is None else head))}.{b64url(body)}"
    return text + "." + b64url(raw_signature(*es256(key, text.encode())) if sign is None else sign(text.encode()))


def case(comment, flags, result, *keys, by=A, of=None, **others):
    """A set of these keys, and a JWS by a key."""
    FILE.group("JsonWebKey", public=keys[0] if len(keys) == 1 and isinstance(keys[0], str) else {"keys": list(keys), **others})
    FILE.case(comment, result, flags, jws=of or jws(by))


good = lambda **changes: A.jwk(**changes)
bare = {"kty": "EC", "crv": "P-256", "kid": A.kid, "x": b64url(A.x), "y": b64url(A.y)}
case("an ordinary key", "Normal", "valid", good())
case("two keys", "Normal", "valid", B.jwk(), good())
case("the key twice", "Normal", "valid", good(), good())
case("with further members in the set", "Normal", "valid", good(), x=1, kty="RSA")
for name in ("use", "alg"):
    case(f"without {name}", "Optional", "valid", good(**{name: ABSENT}))
    case(f"{name} is null", "Optional", "acceptable", good(**{name: None}))
case("only what is required, and an ID", "Optional", "valid", bare)
case("key_ops has verify", "Optional", "valid", good(key_ops=["verify"]))
case("key_ops has sign and verify", "Optional", "acceptable", good(key_ops=["sign", "verify"]))
case("key_ops is null", "Optional", "acceptable", good(key_ops=None))
case("unknown members", "Optional", "valid", good(x5u="https://attacker.example", nbf=0, z={"d": 1}))
case("p, q and n, which an EC key does not have", "Optional", "acceptable", good(p="AQ", q="AQ", n="AQ"))
case("the ID is not the thumbprint", "Optional", "valid", good(kid="1"), of=jws(A, {"alg": "ES256", "kid": "1"}))
case("the ID is a path", "Optional", "valid", good(kid="../../keys"), of=jws(A, {"alg": "ES256", "kid": "../../keys"}))

for name, key in (("x", ZERO_X), ("y", ZERO_Y)):
    text = b64url(getattr(key, name))
    short = b64url(getattr(key, name).lstrip(b"\0"))
    case(f"{name} begins with a zero", "LeadingZeros", "valid", key.jwk(), by=key)
    case(f"{name} begins with a zero, which is left out", ["LeadingZeros", "CoordinateLength"], "acceptable", key.jwk(**{name: short}), by=key)
    case(f"{name} begins with a zero, and a further one stands before it", ["LeadingZeros", "CoordinateLength"], "invalid", key.jwk(**{name: b64url(b"\0" + getattr(key, name))}), by=key)
# What is wrong with y is a part of what is wrong with x.
for name, part in {"x": slice(0, 5), "y": slice(0, 1)}.items():
    value = getattr(A, name)
    number = int.from_bytes(value, "big")
    for words, data in list({"33 bytes, the first is a zero": b"\0" + value, "33 bytes, the last is a zero": value + b"\0", "64 bytes": bytes(32) + value, "no bytes": b"", "48 bytes": bytes(16) + value,
                        "200 bytes": bytes(168) + value, "both coordinates": A.x + A.y, "the uncompressed point": b"\4" + A.x + A.y, "the compressed point": bytes([2 + A.y[-1] % 2]) + A.x}.items())[part]:
        case(f"{name} has {words}", "CoordinateLength", "invalid", good(**{name: b64url(data)}))
    for words, data in list({"one more": octets(number + 1), "zeros": bytes(32), "ones": b"\xff" * 32, "p": octets(P), "the last byte is left out": value[:-1], "backwards": value[::-1]}.items())[part]:
        case(f"{name}: {words}", "NotOnCurve", "invalid", good(**{name: b64url(data)}))
    text = b64url(value)
    last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for words, new in list({"a bit more than its bytes": text[:-1] + last[last.index(text[-1]) | 1], "two signs of padding": text + "==", "a space": text + " ", "a line break": text[:9] + "\n" + text[9:],
                       "a letter more": text + "A", "a letter less": text[:-1], "hexadecimal digits": value.hex(), "a '+'": "+" + text[1:], "a zero at its end": text + "\0"}.items())[part]:
        case(f"{name} has or is {words}", "CoordinateForm", "invalid", good(**{name: new}))
    case(f"{name} has padding", "CoordinateForm", "acceptable", good(**{name: text + "="}))
    for words, new in list({"missing": ABSENT, "null": None, "a number": number, "an array": [text], "true": True}.items())[part]:
        case(f"{name} is {words}", "CoordinateForm", "invalid", good(**{name: new}))
case("x and y are exchanged", "NotOnCurve", "invalid", good(x=b64url(A.y), y=b64url(A.x)))
case("y is p - y, which is another key", "OtherKey", "invalid", good(y=b64url(octets(P - int.from_bytes(A.y, "big")))))
case("the base point of secp256k1", "NotOnCurve", "invalid", good(x=b64url(bytes.fromhex("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")),
                                                                  y=b64url(bytes.fromhex("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"))))
case("the point with x = 0", "OtherKey", "invalid", good(x=b64url(bytes(32)), y=b64url(octets(on_curve(0)[1]))))

for words, d in {"": b64url(octets(A.d)), ", of another key": b64url(octets(B.d)), ", empty": "", ", null": None, ", as a number": 1, ", in hexadecimal": f"{A.d:064x}", ", n added": b64url(octets(A.d + N, 33))}.items():
    case(f"with d{words}", "PrivateMember", "invalid", good(d=d))
case("another entry has d of this key", "PrivateMember", "invalid", good(), A.private_jwk(kid="other"))
case("another entry has d of this key, and other coordinates", "PrivateMember", "invalid", good(), B.jwk(d=b64url(octets(A.d))))
case("another entry has d of this key, and no coordinates", "PrivateMember", "invalid", good(), {"kty": "EC", "crv": "P-256", "kid": "x", "d": b64url(octets(A.d))})
case("another entry has d of the key with p - y", "PrivateMember", "invalid", good(), {"kty": "EC", "crv": "P-256", "kid": "x", "d": b64url(octets(N - A.d))})
case("another entry has d of another key", "PrivateMember", "acceptable", good(), B.private_jwk())

for name, values in {"kty": ("RSA", "ec", "oct", ""), "crv": ("P-384", "secp256k1", "p-256", "")}.items():
    for value in values + (ABSENT, None, 1):
        case(f"{name} is {'missing' if value is ABSENT else json.dumps(value)}", "WrongMember", "invalid", good(**{name: value}))
for name, values in {"use": ("enc", "SIG", "", ["sig"], 1), "alg": ("ES384", "HS256", "none", "es256", ["ES256"]),
                     "key_ops": (["sign"], [], "verify", ["VERIFY"], ["encrypt"], {"verify": True}, [["verify"]])}.items():
    for value in values:
        case(f"{name} is {json.dumps(value)}", "WrongMember", "invalid", good(**{name: value}))

TEXT = minify(good()).decode()
for member, other in {"x": b64url(B.x), "kid": "other", "kty": "RSA", "crv": "P-384", "alg": "none"}.items():
    case(f"{member} twice, the other one last", "DuplicateMember", "invalid", '{"keys":[' + TEXT[:-1] + f',"{member}":"{other}"' + "}]}")
case("x twice, once escaped", "DuplicateMember", "invalid", '{"keys":[' + TEXT[:-1] + f',"\\u0078":"{b64url(B.x)}"' + "}]}")
case("keys twice", "DuplicateMember", "invalid", '{"keys":[' + TEXT + '],"keys":[]}')
case("a member twice, in an entry that is not needed", "DuplicateMember", "invalid", '{"keys":[' + TEXT + ',{"kty":"x","kty":"y"}]}')

case("another key with the same ID, before it", "DuplicateKid", "acceptable", B.jwk(kid=A.kid), good())
case("another key with the same ID, after it", "DuplicateKid", "acceptable", good(), B.jwk(kid=A.kid))
case("a broken key with the same ID", "DuplicateKid", "acceptable", good(x="AA"), good())
case("two other keys with the ID", "DuplicateKid", "invalid", B.jwk(kid=A.kid), ZERO_X.jwk(kid=A.kid))

rsa = {"kty": "RSA", "kid": "rsa", "alg": "RS256", "use": "sig", "n": b64url(RSA_KEY.n.to_bytes(256, "big")), "e": "AQAB"}
secret = A.x + A.y
oct_key = {"kty": "oct", "kid": A.kid, "alg": "HS256", "k": b64url(secret)}
mac = lambda key: lambda text: hmac.new(key, text, hashlib.sha256).digest()
hs256 = {"alg": "HS256", "kid": A.kid}
case("an RSA key beside it", "MixedKeySet", "valid", rsa, good())
case("a symmetric key beside it", "MixedKeySet", "acceptable", oct_key | {"kid": "oct"}, good())
case("a symmetric key with the same ID", "MixedKeySet", "acceptable", oct_key, good())
for words, value in {"null": None, "a number": 1, "a string": "EC", "an array": [bare], "an empty object": {}}.items():
    case(f"{words} beside it", "MixedKeySet", "acceptable", value, good())
case("a symmetric key, and HS256 with it", "KeyConfusion", "invalid", oct_key, of=jws(A, hs256, sign=mac(secret)))
case("a symmetric key, and ES256", "KeyConfusion", "invalid", oct_key)
for words, key in {"x and y": A.x + A.y, "the uncompressed point": b"\4" + A.x + A.y, "x in base64url": b64url(A.x).encode(), "nothing": b"", "the JWK": minify(good())}.items():
    case(f"HS256 with {words} as the secret", "KeyConfusion", "invalid", good(), of=jws(A, hs256, sign=mac(key)))
    if words == "the JWK":
        case(f"ES256 is said, and it is an HMAC, twice, with {words} as the secret", "KeyConfusion", "invalid", good(), of=jws(A, sign=lambda text: mac(key)(text) * 2))
case("an RSA key with the ID", "KeyConfusion", "invalid", rsa | {"kid": A.kid, "alg": "ES256"})
case("an RSA key with x and y of the key", "KeyConfusion", "invalid", rsa | {"kid": A.kid, "alg": "ES256", "crv": "P-256", "x": b64url(A.x), "y": b64url(A.y)})
case("PS256 with an RSA key", "KeyConfusion", "invalid", rsa | {"kid": A.kid}, of=jws(A, {"alg": "PS256", "kid": A.kid}, sign=RSA_KEY.sign))
case("no keys", "OtherKey", "invalid")
case("only another key", "OtherKey", "invalid", B.jwk())
case("the ID in other letters", "OtherKey", "invalid", good(kid=A.kid.upper()))
case("the ID with a zero", "OtherKey", "invalid", good(kid=A.kid + "\0"))
case("the ID with a space", "OtherKey", "invalid", good(kid=A.kid + " "))
case("the ID is missing", "OtherKey", "invalid", good(kid=ABSENT))
case("the ID is a number", "OtherKey", "invalid", good(kid=1), of=jws(A, {"alg": "ES256", "kid": "1"}))
case("the ID is written as another sequence of Unicode", "OtherKey", "invalid", good(kid="\u00e9"), of=jws(A, {"alg": "ES256", "kid": "e\u0301"}))
case("the JWS has no ID", "OtherKey", "invalid", good(), of=jws(A, {"alg": "ES256"}))

for words, text in {"a single key": TEXT, "an array": f"[{TEXT}]", "keys is an object": '{"keys":' + TEXT + "}", "keys is null": '{"keys":null}', "nothing": "", "Keys": '{"Keys":[' + TEXT + "]}",
                    "a comma at the end": '{"keys":[' + TEXT + ",]}", "text after it": '{"keys":[' + TEXT + "]}x", "two objects": '{"keys":[' + TEXT + ']}{"keys":[]}',
                    "a string": json.dumps('{"keys":[' + TEXT + "]}"), "a zero after it": '{"keys":[' + TEXT + "]}\0"}.items():
    case(f"the set is or has: {words}", "MalformedSet", "invalid", text)
