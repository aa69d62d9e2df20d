"""JWE in compact form, as the files of SMART Health Links are: `dir` with A256GCM, and maybe DEFLATE.

Encrypted with edge_gcm.py. Cases with other algorithms are encrypted as if they were `dir` with A256GCM, so that only the header is wrong.
"""

import base64
import json
import zlib

from blocks import b64url, minify
from edge_file import File
from edge_gcm import flipped, sealed
from hcert_blocks import noise

FILE = File(
    "JWE", "json_web_encryption_schema_v1.json",
    ["JWE in compact form, `dir` with A256GCM. `pt` is the plaintext after inflating; if it is missing, `size` is its length in bytes."],
    Normal="An ordinary JWE.",
    Compressed="The plaintext is compressed.",
    Bomb="The plaintext is small, and inflates to a large one.",
    BrokenStream="The compressed plaintext is no DEFLATE stream that ends with it.",
    Header="The header has other members, or is written in an unusual way.",
    WrongAlgorithm="The header names another algorithm than `dir` with A256GCM.",
    Critical="The header names extensions that have to be understood.",
    MalformedHeader="The header is no JSON object that every reader takes for the same.",
    Parts="A part is missing, or there is one more.",
    EncryptedKey="The encrypted key is not empty, though the key is used directly.",
    Encoding="A part is not base64url as RFC 7515 section 2 has it.",
    Modified="A part was changed.",
    Length="The initialization vector or the tag has another length.",
    OtherKey="It is encrypted with another key.",
    JsonSerialization="A JWE in JSON.",
    WhiteSpace="There is white space around the JWE.")

KEY, OTHER_KEY = noise("edge jwe key", 32), noise("edge jwe other key", 32)
TEXT = b'{"resourceType":"Patient"}'
HEAD = {"alg": "dir", "enc": "A256GCM"}


def jwe(head=HEAD, text=TEXT, key=KEY, iv=None, zipped=False, plain=None):
    """The five parts. `head` is an object or text, `plain` what is encrypted if it is not the text."""
    if zipped:
        head = head | {"zip": "DEF"} if isinstance(head, dict) else head
        compressor = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
        plain = compressor.compress(text) + compressor.flush() if plain is None else plain
    protected = b64url(head.encode() if isinstance(head, str) else head if isinstance(head, bytes) else minify(head))
    iv = noise(f"edge jwe iv {head}", 12) if iv is None else iv
    ciphertext, tag = sealed(key, iv, protected.encode(), text if plain is None else plain)
    return [protected, "", b64url(iv), b64url(ciphertext), b64url(tag)]


def case(comment, flags, result, parts, text=TEXT, **members):
    if result != "invalid" and "size" not in members:
        members["pt"] = text.hex()
    FILE.case(comment, result, flags, jwe=parts if isinstance(parts, str) else ".".join(parts), **members)


FILE.group("JsonWebEncryption", comment="dir with A256GCM", private={"kty": "oct", "alg": "A256GCM", "use": "enc", "k": b64url(KEY)})
GOOD = jwe()
case("an ordinary file", "Normal", "valid", GOOD)
case("an empty file", "Normal", "valid", jwe(text=b""), b"")
case("one byte", "Normal", "valid", jwe(text=b"\0"), b"\0")
case("compressed", "Compressed", "valid", jwe(zipped=True))
case("compressed, and empty", "Compressed", "valid", jwe(text=b"", zipped=True), b"")
case("stored without compression", "Compressed", "valid", jwe(zipped=True, plain=b"\1" + len(TEXT).to_bytes(2, "little") + (len(TEXT) ^ 0xFFFF).to_bytes(2, "little") + TEXT))
case("1 MiB of zeros", "Bomb", "valid", jwe(text=bytes(1 << 20), zipped=True), size=1 << 20)
stream = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
DEFLATED = stream.compress(TEXT) + stream.flush()
for name, plain in {"is not compressed": TEXT, "is cut off": DEFLATED[:-1], "has a byte more": DEFLATED + b"\0", "stands there twice": DEFLATED * 2, "is empty": b"",
                    "is in the format of zlib": zlib.compress(TEXT), "never ends": b"\0\0\0\xff\xff" * 3, "has a block of the fourth kind": b"\x07"}.items():
    case(f"the compressed text {name}", "BrokenStream", "invalid", jwe(zipped=True, plain=plain))
case("compressed, and the header does not say so", "Compressed", "valid", jwe(plain=DEFLATED), DEFLATED)
for zip_name in ("def", "DEFLATE", "GZIP", "BR", ""):
    case(f"zip is {zip_name!r}", "WrongAlgorithm", "invalid", jwe(HEAD | {"zip": zip_name}, plain=DEFLATED))
for name, value in {"a number": 1, "an array": ["DEF"], "true": True}.items():
    case(f"zip is {name}", "WrongAlgorithm", "invalid", jwe(HEAD | {"zip": value}, plain=DEFLATED))
case("zip is null", "Header", "acceptable", jwe(HEAD | {"zip": None}))

for name, head in {
        "the members in another order": {"enc": "A256GCM", "alg": "dir"}, "a content type": HEAD | {"cty": "application/fhir+json"},
        "a key ID of another key": HEAD | {"kid": "another"}, "members that nobody knows": HEAD | {"x": [1, {"y": None}]},
        "white space": json.dumps(HEAD, indent=2), "escaped letters": '{"\\u0061lg":"d\\u0069r","enc":"A256GCM"}',
        "members for other algorithms": HEAD | {"epk": {"kty": "EC"}, "p2c": 1 << 40, "p2s": "AA", "tag": "AA", "iv": "AA"},
        "a key that anybody can write there": HEAD | {"jwk": {"kty": "oct", "k": b64url(OTHER_KEY)}, "jku": "https://attacker.example"}}.items():
    case(f"the header has {name}", "Header", "valid", jwe(head))
case("the header has a key, with which it is encrypted", ["Header", "OtherKey"], "invalid", jwe(HEAD | {"jwk": {"kty": "oct", "k": b64url(OTHER_KEY)}}, key=OTHER_KEY))
for member, names in {"alg": ("none", "DIR", "Dir", "dir ", "A256KW", "RSA-OAEP", "ECDH-ES", "PBES2-HS256+A128KW", "HS256", "A256GCM", ""),
                      "enc": ("A128GCM", "A192GCM", "A256CBC-HS512", "a256gcm", "A256GCM\0", "dir", "none", "XC20P", "")}.items():
    for name in names:
        case(f"{member} is {name!r}", "WrongAlgorithm", "invalid", jwe(HEAD | {member: name}))
    for name, value in {"null": None, "a number": 1, "an array": [HEAD[member]], "an object": {}}.items():
        case(f"{member} is {name}", "WrongAlgorithm", "invalid", jwe(HEAD | {member: value}))
    case(f"{member} is missing", "WrongAlgorithm", "invalid", jwe({name: value for name, value in HEAD.items() if name != member}))
case("alg and enc are exchanged", "WrongAlgorithm", "invalid", jwe({"alg": "A256GCM", "enc": "dir"}))
case("encrypted with the first half of the key, as A128GCM", "WrongAlgorithm", "invalid", jwe(HEAD | {"enc": "A128GCM"}, key=KEY[:16]))
case("encrypted with the first half of the key, and A256GCM is said", "OtherKey", "invalid", jwe(key=KEY[:16]))
for name, value in {"an extension": ["exp"], "empty": [], "enc itself": ["enc"], "null": None, "a string": "exp", "b64": ["b64"]}.items():
    case(f"crit is {name}", "Critical", "invalid", jwe(HEAD | {"crit": value, "exp": 1, "b64": True}))
for name, text in {
        "alg twice, none last": '{"alg":"dir","enc":"A256GCM","alg":"none"}', "alg twice, none first": '{"alg":"none","alg":"dir","enc":"A256GCM"}',
        "enc twice": '{"alg":"dir","enc":"A128GCM","enc":"A256GCM"}', "enc twice, once escaped": '{"alg":"dir","enc":"A256GCM","\\u0065nc":"A128GCM"}',
        "zip twice": '{"alg":"dir","enc":"A256GCM","zip":"DEF","zip":null}', "an array": '[{"alg":"dir","enc":"A256GCM"}]', "a string": '"dir"', "null": "null",
        "nothing": "", "text after it": '{"alg":"dir","enc":"A256GCM"} x', "a comma at the end": '{"alg":"dir","enc":"A256GCM",}', "single quotes": "{'alg':'dir','enc':'A256GCM'}",
        "a zero after it": '{"alg":"dir","enc":"A256GCM"}\0', "a byte-order mark": "\ufeff" + '{"alg":"dir","enc":"A256GCM"}', "half a surrogate": '{"alg":"dir","enc":"A256GCM","x":"\\ud800"}',
        "a comment": '{"alg":"dir",/**/"enc":"A256GCM"}', "nesting of 300 arrays": '{"alg":"dir","enc":"A256GCM","x":' + "[" * 300 + "]" * 300 + "}"}.items():
    case(f"the header is or has {name}", "MalformedHeader", "invalid", jwe(text))
case("the header is in UTF-16", "MalformedHeader", "invalid", jwe(json.dumps(HEAD).encode("utf-16")))
case("the header is no UTF-8", "MalformedHeader", "invalid", jwe(b'{"alg":"dir","enc":"A256GCM","x":"\xff"}'))

for index, name in enumerate(("header", "encrypted key", "initialization vector", "ciphertext", "tag")):
    case(f"without the {name} and its dot", "Parts", "invalid", GOOD[:index] + GOOD[index + 1:])
    if GOOD[index]:
        case(f"without the {name}", "Parts", "invalid", GOOD[:index] + [""] + GOOD[index + 1:])
for name, parts in {"one more, empty": GOOD + [""], "one more": GOOD + ["AA"], "one more, before it": [""] + GOOD, "the tag twice": GOOD + GOOD[4:], "three parts": GOOD[:1] + GOOD[3:],
                    "nothing but dots": [""] * 5, "nothing": [""], "the header alone": GOOD[:1], "a JWS": [b64url(b'{"alg":"none"}'), b64url(TEXT), ""],
                    "two in one": GOOD[:4] + GOOD[4:] + GOOD}.items():
    case(f"the parts: {name}", "Parts", "invalid", parts)
for name, part in {"the key itself": b64url(KEY), "zeros": b64url(bytes(40)), "a byte": "AA", "no base64url": "!", "padding": "="}.items():
    case(f"the encrypted key is {name}", "EncryptedKey", "invalid", GOOD[:1] + [part] + GOOD[2:])
padded = lambda part: part + "=" * (-len(part) % 4)
last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
for index, name in ((0, "header"), (2, "initialization vector"), (3, "ciphertext"), (4, "tag")):
    part = GOOD[index]
    for words, new in {"has a space": part[:3] + " " + part[3:], "has a line break": part[:4] + "\n" + part[4:], "ends with a line break": part + "\n", "begins with '+'": "+" + part[1:],
                       "begins with '/'": "/" + part[1:], "has a zero": part[:2] + "\0" + part[3:], "has a letter more": part + "A", "has padding": padded(part) if len(part) % 4 else part + "===="}.items():
        if index == 4 and words == "ends with a line break" or index in (2, 3) and ("'" in words or "space" in words):
            continue
        case(f"the {name} {words}", "Encoding", "invalid", GOOD[:index] + [new] + GOOD[index + 1:])
    if len(part) % 4:
        new = part[:-1] + last[last.index(part[-1]) | 1]
        case(f"the {name} has a bit more than its bytes", "Encoding", "invalid", GOOD[:index] + [new] + GOOD[index + 1:])
for words, new in {"a line break after": ".".join(GOOD) + "\n", "spaces around": "  " + ".".join(GOOD) + " "}.items():
    case(words + " it", "WhiteSpace", "acceptable", new)

data = lambda part: base64.urlsafe_b64decode(padded(part))
for index, name in ((2, "initialization vector"), (3, "ciphertext"), (4, "tag")):
    bytes_ = data(GOOD[index])
    for bit in (0, 7, 8 * len(bytes_) - 1):
        case(f"bit {bit} of the {name} is flipped", "Modified", "invalid", GOOD[:index] + [b64url(flipped(bytes_, bit))] + GOOD[index + 1:])
    for words, new in {"a byte less": bytes_[:-1], "a byte more": bytes_ + b"\0", "a byte less at its beginning": bytes_[1:]}.items():
        case(f"the {name} has {words}", "Modified" if index == 3 else "Length", "invalid", GOOD[:index] + [b64url(new)] + GOOD[index + 1:])
for count in (4, 8, 12, 15):
    case(f"the tag has {count} bytes", "Length", "invalid", GOOD[:4] + [b64url(data(GOOD[4])[:count])])
for count in (8, 16, 32):
    case(f"encrypted with an initialization vector of {count} bytes", "Length", "invalid", jwe(iv=noise("edge jwe iv", count)))
case("the header is another, which means the same", "Modified", "invalid", [b64url(json.dumps(HEAD).encode())] + GOOD[1:])
case("the header is of another JWE", "Modified", "invalid", jwe(zipped=True)[:1] + GOOD[1:])
case("the tag is for no header", "Modified", "invalid", GOOD[:4] + [b64url(sealed(KEY, data(GOOD[2]), b"", TEXT)[1])])
case("the tag is for the header's bytes, not for its text", "Modified", "invalid", GOOD[:4] + [b64url(sealed(KEY, data(GOOD[2]), minify(HEAD), TEXT)[1])])
case("another key", "OtherKey", "invalid", jwe(key=OTHER_KEY))
case("a key of zeros", "OtherKey", "invalid", jwe(key=bytes(32)))
case("the key backwards", "OtherKey", "invalid", jwe(key=KEY[::-1]))
FLAT = {"protected": GOOD[0], "iv": GOOD[2], "ciphertext": GOOD[3], "tag": GOOD[4]}
case("a JWE in JSON", "JsonSerialization", "invalid", json.dumps(FLAT))
case("a JWE in JSON with recipients", "JsonSerialization", "invalid", json.dumps(FLAT | {"recipients": [{}]}))
