"""The kit's cases about WHO: its lists with their proofs (TestVectors/gdhcn), and ICVPs that have all claims (TestVectors/hcert).

The specification of certificates requires `exp`, and the vectors have none, like the public ICVPs. So that a case has one defect and not two,
the kit's are signed again with an `exp`, by the keys of the vectors.
"""

import json
import sys
import zlib
from fnmatch import fnmatchcase

# ---- Lists

# The layer of a case that is about no single member.
LAYERS = {"good": "signer", "dev": "signer", "fragment-in-signer": "signer", "same": "same", "signature": "signature", "header": "header", "jws": "jws",
          "duplicate": "entry", "key": "key", "context": "context", "environment": "environment", "proof": "proof", "added": "entry",
          "trailing": "document"}

# In an array, twice, or with a member more, the sentences can be the same. The others are about limits, and about values that other
# implementations may be able to write.
OPINIONS = """
    more/document more/verificationMethod.0 more/*domain more/*participant more/*keyusage more/proof twice/* array/controller array/verificationMethod*
    array/proof* dev fragment-in-signer same/byte-order-mark signature/64-octets signature/long-length signature/padded-number
    header/more header/alg-twice jws/payload duplicate/* context/order context/http environment/entry environment/signer proof/array proof/two
    characters/nonce-129 characters/*fragment* characters/no-did
    key/umlaut key/delete key/tab key/number key/float key/true key/object key/array-in-array key/array-of-numbers key/name-with-umlaut
"""
# These are in the literal of a key, so an array around them is another value.
NO_OPINIONS = "array/*publicKeyJwk array/*publicKeyJwk.*"

# No key, and two defects at once.
LEFT_OUT = "good/no-key version-1"

RULES = {"signer": ["WHO-K2"], "same": ["WHO-P6"], "signature": ["WHO-P7"], "header": ["WHO-P7"], "jws": ["WHO-P7", "RFC 7515 §2"],
         "entry": ["WHO-P1"], "key": ["WHO-P3"], "context": ["WHO-P2"], "environment": ["WHO-E2"], "proof": ["WHO-P8"], "document": ["WHO-P1"]}
# First fits. What is not here has the rules of its layer.
MORE_RULES = [
    ("header/*b64*", ["WHO-P7", "RFC 7797 §3"]),
    ("header/no-crit", ["WHO-P7", "RFC 7797 §6"]),
    ("header/crit*", ["WHO-P7", "RFC 7515 §4.1.11"]),
    ("header/alg-twice", ["WHO-P7", "RFC 7515 §4"]),
    ("signature/zero signature/order", ["WHO-P7", "RFC 7518 §3.4"]),
    ("jws/payload", ["WHO-P7", "RFC 7515 §7.1"]),
    ("duplicate/*", ["WHO-P10"]),
    ("twice/*", ["WHO-P1", "RFC 8259 §4"]),
    ("trailing", ["RFC 8259 §2"]),
    ("characters/nonce-*", ["WHO-P8", "WHO-P3"]),
    ("characters/percent characters/*fragment* characters/no-did", ["WHO-P3"]),
    ("key/x5c-* added/*", ["WHO-P6"]),
    ("removed/proof", ["WHO-P1"]),
    ("changed/proof.verificationMethod", ["WHO-K2"]),
    ("more/* removed/verificationMethod.1 changed/verificationMethod.1", ["WHO-P1", "WHO-P6"]),
]

WHY = {
    "good": "A good list.", "good/prod.jwk.json": "A good list, and its key as a JWK.", "good/set.jwks.json": "A good list, and its key in a key set.",
    "good/two.pem": "A good list, and its key is one of two in PEM.", "good/fragment.did.json": "A good list; the ID of the key has a fragment.",
    "good/other-key": "A good list, and the DID document has another key.",
    "good/key-of-uat": "A good list, and the DID document is that of another environment.", "dev": "A good list of the network for tests, and its key.",
    "dev/key-of-production": "A list of the network for tests, and the key of production.",
    "dev/says-production": "The key of the network for tests has signed a list that says it is production's.",
    "fragment-in-signer": "The DID in the proof has a fragment.",
    "same/order": "Members and entries in another order.", "same/indented": "White space.", "same/crlf": "White space with CR LF.",
    "same/byte-order-mark": "A byte order mark.", "same/escapes": "Characters written with escapes.",
    "same/escaped-name": "The name of a member written with an escape.", "same/entry-twice": "The same entry twice.",
    "same/reference-twice": "The same reference twice.",
    "signature/64-octets": "64 octets, as a JWS has them, and not DER.", "signature/high-s": "s is in the upper half.", "signature/low-s": "s is in the lower half.",
    "signature/octet-behind": "An octet behind the signature in DER.", "signature/65-octets": "65 octets.",
    "signature/inside-behind": "A NULL inside the sequence of the signature in DER.", "signature/long-length": "A length of two octets where one is enough.",
    "signature/padded-number": "Numbers with a zero octet too many.", "signature/negative": "r is negative.", "signature/zero": "r and s are 0.",
    "signature/order": "s is the order of the group.", "signature/empty": "No signature.", "signature/another": "The signature of another list.",
    "header/order": "Members of the header in another order.", "header/space": "White space in the header.", "header/b64-true": "b64 is true.",
    "header/no-b64": "No b64.", "header/no-crit": "No crit, so nobody has to understand b64.", "header/crit-empty": "crit is empty.",
    "header/crit-more": "crit names something else as well.", "header/crit-text": "crit is a text.", "header/alg-none": "alg is none.",
    "header/alg-ec": "alg is EC.", "header/more": "The header has a kid.", "header/b64-text": "b64 is a text.", "header/alg-twice": "alg stands there twice.",
    "header/not-json": "The header is no JSON.", "header/array": "The header is an array.",
    "jws/padded": "base64url with padding.", "jws/payload": "Something between the dots.", "jws/four-parts": "A fourth part.",
    "jws/two-parts": "One dot.", "jws/empty": "jws is empty.", "jws/line-break": "A line break behind jws.", "jws/base64": "A character that base64url does not have.",
    "duplicate/domain-exchanged": "Two entries of one ID, with different domains.",
    "duplicate/as-exchanged": "Two entries of one ID, whose domains were exchanged after the list was signed.",
    "duplicate/keys": "Two entries of one ID, with different keys.",
    "characters/nonce-128": "A nonce of 128 characters.", "characters/nonce-129": "A nonce of 129 characters.",
    "characters/nonce-signs": "A nonce with the signs of base64.", "characters/percent": "The key ID in the ID of an entry is percent-encoded.",
    "characters/no-fragment": "The ID of an entry has no fragment.", "characters/empty-fragment": "The ID of an entry has an empty fragment.",
    "characters/two-fragments": "The ID of an entry has two fragments.", "characters/fragment-in-reference": "A reference has a fragment.",
    "characters/fragment-in-document-id": "The ID of the list has a fragment.", "characters/no-did": "The controller of the list is no DID.",
    "key/quote-and-backslash": "A key with a quotation mark and backslashes.", "key/name-with-quote": "A member of a key with a quotation mark in its name.",
    "key/order-of-names": "Members of a key that have to be sorted.", "key/array-empty": "A member of a key is an empty array.",
    "key/slash-escaped": "A slash with an escape in a key.", "key/umlaut": "A key with a letter beyond ASCII.",
    "key/delete": "A key with the character DELETE.", "key/tab": "A key with a tabulator.", "key/number": "A member of a key is a number.",
    "key/float": "A member of a key is a fraction.", "key/true": "A member of a key is true.", "key/object": "A member of a key is an object.",
    "key/array-in-array": "A member of a key has an array in an array.", "key/array-of-numbers": "A member of a key has a number in an array.",
    "key/name-with-umlaut": "A member of a key has a letter beyond ASCII in its name.",
    "key/x5c-exchanged": "Two entries' certificates were exchanged after the list was signed.",
    "key/x5c-reversed": "An entry's certificates were put in another order after the list was signed.",
    "context/more": "A context more.", "context/order": "The contexts in another order.", "context/other": "Another context for the third.",
    "context/object": "A context that says itself what a member means.", "context/text": "Only the third context.", "context/http": "The third context with http.",
    "context/empty": "No context.", "context/of-dev": "The context of the network for tests.",
    "environment/entry": "An entry of the network for tests.", "environment/signer": "The proof names the DID of the network for tests.",
    "environment/reference": "A reference to a list of the network for tests.",
    "proof/array": "The proof is in an array.", "proof/two": "Two proofs.", "proof/text": "The proof is a text.",
    "removed/entry-of-two": "An entry was removed after the list was signed.", "added/entry": "An entry was added after the list was signed.",
    "added/reference": "A reference was added after the list was signed.",
    "added/reference-for-entry": "A reference was put in the place of an entry after the list was signed.", "trailing": "A character behind the list.",
    "removed/proof": "No proof.",
}
CHANGES = {"changed": "Another value", "removed": "Nothing", "null": "null", "number": "A number", "array": "An array around the value", "more": "A member more"}
PIECES = {"sentence": "The end of a term and another sentence", "space": "A space", "line-break": "A line break", "quote": "A quotation mark", "angle": "An angle bracket",
          "backslash": "A backslash", "umlaut": "A letter beyond ASCII", "combining": "A letter with a combining character", "zero": "A NUL", "brace": "A brace"}


def fits(patterns, name):
    return any(fnmatchcase(name, pattern) for pattern in patterns.split())


def layer(name):
    group, _, rest = name.partition("/")
    if name in WHY and group in LAYERS:
        return LAYERS[group]
    if rest in ("no-did", "fragment-in-document-id"):
        return "document"
    if rest.startswith(("nonce", "proof")):
        return "proof"
    if rest.startswith("@context"):
        return "context"
    if "publicKeyJwk" in rest:
        return "key"
    return "document" if rest.split("/")[0] in ("document", "id", "controller") else "entry"


def why(name):
    if name in WHY:
        return WHY[name]
    group, _, rest = name.partition("/")
    member, _, label = rest.partition("/")
    place = "the list" if member == "document" else member
    if group == "twice":
        return f"A member of {place} twice, the second time with the same value" + (", and one name with an escape." if label == "escaped" else ".")
    if group == "characters" and label == "empty":
        return f"{member} is empty; the list was signed with a value."
    if group == "characters":
        return f"{PIECES[label]} at the end of {member}, put there after the list was signed."
    if label == "offset":
        return f"{member} with an offset in place of Z, put there after the list was signed."
    if label == "no-date":
        return f"{member} is a day that does not exist, put there after the list was signed."
    return f"{CHANGES[group]} {'in' if group == 'more' else 'at' if group == 'array' else 'in the place of'} {place}, put there after the list was signed." \
        if group != "removed" else f"{member} was removed after the list was signed."


def lists(folder):
    """(class, name, octets of the list, name of the file of keys, expect, why, rules, whether it is an opinion)"""
    for case in json.loads((folder / "cases.json").read_text())["cases"]:
        name = case["id"]
        if fits(LEFT_OUT, name):
            continue
        kind = layer(name)
        rules = next((rules for patterns, rules in MORE_RULES if fits(patterns, name)), None)
        if rules is None:
            signed_before = name not in WHY or name.startswith("removed/")
            rules = [*(["WHO-P6"] if signed_before else []), *RULES[kind]]
        opinion = fits(OPINIONS, name) and not fits(NO_OPINIONS, name)
        # The class says it already.
        short = name.removeprefix(f"{kind}/")
        yield (f"who-list-{kind}", short.replace("@", "").replace(".", "-").replace("/", "-"), case["text"].encode(), case["keys"],
               "valid" if case["outcome"] == "verified" else "invalid", why(name), rules, opinion)


# ---- ICVP

class Renewal:
    """Signs the vectors' ICVPs again, with an `exp`."""

    def __init__(self, folder):
        sys.path.insert(0, str(folder))
        import cbor2
        import hcert_blocks
        import hcert_card
        import hcert_who  # the signers of these cases
        self.cbor2, self.blocks, self.expiry, self.signers = cbor2, hcert_blocks, hcert_card.EXP, hcert_who.Signer.everything

    def __call__(self, text):
        """The same with an `exp`. None: it has one, or it is another certificate."""
        blocks = self.blocks
        message = self.cbor2.loads(zlib.decompress(blocks.from_base45(text.decode("ascii")[len("HC1:"):])))
        protected, unprotected, payload, signature = message.value
        if 4 in self.cbor2.loads(payload):
            return None
        # The map of claims has one pair more, in front of the others, which stay as they are written.
        renewed = bytes([payload[0] + 1]) + blocks.cbor(4) + blocks.cbor(self.expiry) + payload[1:]
        assert 0xA0 < renewed[0] < 0xB8
        # A signature that is wrong on purpose has another last bit.
        for spoilt in (0, 1):
            genuine = signature[:-1] + bytes([signature[-1] ^ spoilt])
            signer = next((one for one in self.signers if self.has_signed(one.key, blocks.to_be_signed(protected, payload), genuine)), None)
            if signer:
                made = signer.sign(blocks.to_be_signed(protected, renewed))
                made = made[:-1] + bytes([made[-1] ^ spoilt])
                return blocks.hc1(blocks.cbor(blocks.Tag(message.tag, [protected, unprotected, renewed, made]))).encode()
        raise ValueError("Scripts/kit/who.py: nobody has signed this")

    @staticmethod
    def has_signed(key, message, signature):
        from cryptography.exceptions import InvalidSignature
        try:
            key.verifies(message, signature)
            return True
        except InvalidSignature:
            return False
