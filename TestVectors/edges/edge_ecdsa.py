"""ECDSA on P-256 with SHA-256, with signatures in the form of JWS: r and s, 32 bytes each.

All of it is affine arithmetic on Python's integers. A signature for chosen numbers needs no private key: the public key is computed from them.
Each result is compared with `verifies`, which is the standard's own procedure (FIPS 186-5 6.4.2).
"""

import hashlib

from blocks import N, P, Key, der, es256, octets
from edge_file import File
from signatures import B, G, add, number, on_curve, times

FILE = File(
    "ECDSA", "ecdsa_p1363_verify_schema_v1.json", ["ECDSA on P-256 with SHA-256; r and s have 32 bytes each."],
    Normal="An ordinary signature.",
    RangeCheck="r or s is 0, or n and more.",
    Wrap="x of the sum is n or more, so that r is x - n.",
    SignatureSize="The signature has another length than 64 bytes.",
    DER="The signature is in DER, as X.509 has it.",
    Modified="The signature or the message was changed.",
    OtherHash="Another digest than SHA-256 of the message was signed.",
    SpecialDigest="A word of the message's digest has only zeros, or only ones, in its upper 26 bits.",
    EdgeCaseNumber="r, s, or the factor of the base point or of the key is tiny, or right below n.",
    EdgeCaseSum="The two summands are equal, or cancel each other.",
    EdgeCaseKey="The key has a tiny private half, or a coordinate with many equal bits.",
    NotOnCurve="The key is no point of P-256, or a coordinate is not below p.")

MESSAGE = b"123400"


def digest_of(message):
    return int.from_bytes(hashlib.sha256(message).digest(), "big")


def is_point(x, y):
    return x < P and y < P and (y * y - x ** 3 + 3 * x - B) % P == 0


def sum_of(u1, u2, point):
    """u1·G + u2·point, with doublings that both share."""
    total, both = None, add(G, point)
    for bit in range(255, -1, -1):
        total = add(total, total)
        summand = (None, G, point, both)[(u1 >> bit & 1) + 2 * (u2 >> bit & 1)]
        total = add(total, summand) if summand else total
    return total


def verifies(point, message, signature):
    """FIPS 186-5 6.4.2, with the checks of the key (SP 800-56A 5.6.2.3.3) and of the form (RFC 7518 3.4)."""
    if len(signature) != 64 or not is_point(*point):
        return False
    r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
    if not (0 < r < N and 0 < s < N):
        return False
    w = pow(s, -1, N)
    total = sum_of(digest_of(message) * w % N, r * w % N, point)
    return total is not None and total[0] % N == r


def group(point, comment):
    x, y = (octets(each) for each in point)
    FILE.group("EcdsaP1363Verify", comment=comment, publicKey={
        "type": "EcPublicKey", "curve": "secp256r1", "uncompressed": "04" + x.hex() + y.hex()}, sha="SHA-256")
    group.point = point


def case(comment, flags, signature, valid, message=MESSAGE):
    assert verifies(group.point, message, signature) == valid, comment
    FILE.case(comment, "valid" if valid else "invalid", flags, msg=message.hex(), sig=signature.hex())


def pair(r, s):
    return octets(r) + octets(s)


def recovered(R, r, s, message=MESSAGE):
    """The key for which (r, s) leads to the sum R."""
    return times(pow(r, -1, N), add(times(s, R), times(N - digest_of(message) % N, G)))


def signature_by(d, message, k=None):
    k = k or number(f"edge nonce {d} {message}")
    r = times(k, G)[0] % N
    return r, pow(k, -1, N) * (digest_of(message) + r * d) % N


def integer(value):
    data = octets(value, value.bit_length() // 8 + 1)
    return der(0x02, data)


# One key, and all that can be wrong with a signature

KEY = Key("edges")
group((int.from_bytes(KEY.x, "big"), int.from_bytes(KEY.y, "big")), "an ordinary key")
for message in (b"", MESSAGE, b"\0" * 20, bytes(range(256))):
    case(f"a message of {len(message)} bytes", "Normal", pair(*es256(KEY, message)), True, message)
R, S = es256(KEY, MESSAGE)
GOOD = pair(R, S)
case("s is n - s", "Normal", pair(R, N - S), True)

EDGES = {"0": 0, "1": 1, "n - 1": N - 1, "n": N, "n + 1": N + 1, "p": P, "2^256 - 1": (1 << 256) - 1}
for r_name, r in EDGES.items():
    for s_name, s in [(name, EDGES[name]) for name in ("0", "1", "n")]:
        case(f"r is {r_name}, s is {s_name}", "RangeCheck", pair(r, s), False)
for name, value in EDGES.items():
    case(f"r is {name}", "RangeCheck", pair(value, S), False)
    case(f"s is {name}", "RangeCheck", pair(R, value), False)

for count in (0, 32, 62, 63):
    case(f"cut off after {count} bytes", "SignatureSize", GOOD[:count], False)
    if count:
        case(f"the first {64 - count} bytes are missing", "SignatureSize", GOOD[64 - count:], False)
for name, data in {
        "a zero is appended": GOOD + b"\0", "a zero stands before it": b"\0" + GOOD, "it stands there twice": GOOD * 2,
        "r and s have 33 bytes each": octets(R, 33) + octets(S, 33), "r and s have 48 bytes each, as for P-384": octets(R, 48) + octets(S, 48),
        "r has 31 bytes": octets(R)[1:] + octets(S), "zeros instead of a signature of 128 bytes": bytes(128),
        "r of 32 bytes and no s": octets(R), "n is added to r, in 33 bytes each": octets(R + N, 33) + octets(S, 33)}.items():
    case(name, "SignatureSize", data, False)
DER = der(0x30, integer(R), integer(S))
case("DER", "DER", DER, False)
case("DER, with a zero appended", "DER", DER + b"\0", False)
case("DER, cut off to 64 bytes", "DER", DER[:64], False)
case("DER of two numbers with 29 bytes, which has 64 bytes", "DER", der(0x30, integer(R >> 25 | 1 << 230), integer(S >> 25 | 1 << 230)), False)

for name, data in {
        "s and r are exchanged": pair(S, R), "little-endian": octets(R)[::-1] + octets(S)[::-1], "r is n - r": pair(N - R, S),
        "one more than r": pair(R + 1, S), "one less than s": pair(R, S - 1), "s is inverted": pair(R, pow(S, -1, N)),
        "r is p - r": pair(P - R, S), "r is 2^256 - 1 - r": pair((1 << 256) - 1 - R, S), "r + p - n": pair((R + P - N) % (1 << 256), S),
        "r - (p - n)": pair((R - P + N) % N, S), "r is x of the key": pair(int.from_bytes(KEY.x, "big"), S), "zeros": bytes(64)}.items():
    case(name, "RangeCheck" if name == "zeros" else "Modified", data, False)
for bit in (0, 128, 255):
    case(f"bit {bit} of r is flipped", "Modified", pair(R ^ 1 << bit, S), False)
    case(f"bit {bit} of s is flipped", "Modified", pair(R, S ^ 1 << bit), False)
for name, message in {"empty": b"", "one byte more": MESSAGE + b"\0", "one byte less": MESSAGE[:-1], "one bit flipped": b"123401"}.items():
    case(f"the message is another: {name}", "Modified", GOOD, False, message)
for name, digest in {
        "SHA-1": hashlib.sha1(MESSAGE).digest(), "SHA-224": hashlib.sha224(MESSAGE).digest(), "SHA-384, cut off": hashlib.sha384(MESSAGE).digest()[:32],
        "SHA-512, cut off": hashlib.sha512(MESSAGE).digest()[:32], "SHA3-256": hashlib.sha3_256(MESSAGE).digest(),
        "SHA-256 twice": hashlib.sha256(hashlib.sha256(MESSAGE).digest()).digest(), "no hash": MESSAGE, "zeros": bytes(32)}.items():
    k = number(f"edge hash {name}")
    r = times(k, G)[0] % N
    case(f"the digest is {name}", "OtherHash", pair(r, pow(k, -1, N) * (int.from_bytes(digest, "big") + r * KEY.d) % N), False)

# Messages that were searched for. Each is "shcverify" and a number.
DIGESTS = {"zero": [160612165, 114568301, 84344169, 27484820, 28379549, 53426979, 24739617, 131323487],
           "ones": [181721947, 9115488, 72854485, 28850996, 159252585, 59782798, 19544840, 20842028]}
for kind, numbers in DIGESTS.items():
    for word, found in enumerate(numbers):
        message = f"shcverify {found}".encode()
        assert (digest_of(message) >> 32 * (7 - word) & 0xFFFFFFFF) >> 6 == (0 if kind == "zero" else 0x3FFFFFF), (kind, word)
        r, s = es256(KEY, message)
        case(f"word {word} of the digest: {kind}", "SpecialDigest", pair(r, s), True, message)
        case(f"word {word} of the digest: {kind}, and s is one more", "SpecialDigest", pair(r, s + 1), False, message)

# Keys that follow from chosen numbers


def chosen(comment, flags, R, s, valid=True, r=None):
    """A signature with this sum and this s, under a key of its own."""
    r = R[0] % N if r is None else r
    group(recovered(R, R[0] % N, s), comment)
    case(comment, flags, pair(r, s), valid)


x = N
for found in range(3):
    x += 1
    while on_curve(x) is None:
        x += 1
    s = number(f"edge wrap {found}")
    chosen(f"x of the sum is n + {x - N}", "Wrap", on_curve(x), s)
    case("s is n - s", "Wrap", pair(x - N, N - s), True)
    case("r is x, which is n or more", ["Wrap", "RangeCheck"], pair(x, s), False)
    case("r is one more", "Wrap", pair(x - N + 1, s), False)
x = P - 1
while on_curve(x) is None:
    x -= 1
chosen(f"x of the sum is p - {P - x}, the largest of all", "Wrap", on_curve(x), number("edge wrap top"))
x = 0
for found in range(4):
    x += 1
    while on_curve(x) is None:
        x += 1
    s = number(f"edge small r {found}")
    chosen(f"r is {x}", "EdgeCaseNumber", on_curve(x), s)
    case(f"r is {x} + n", ["EdgeCaseNumber", "RangeCheck"], pair(x + N, s), False)
    case(f"r is {x} and s is 0", "RangeCheck", pair(x, 0), False)
x = N - 1
while on_curve(x) is None:
    x -= 1
chosen(f"r is n - {N - x}", "EdgeCaseNumber", on_curve(x), number("edge large r"))
for name, s in {"1": 1, "2": 2, "n - 1": N - 1, "2^255": 1 << 255, "2^128": 1 << 128, "2^64 - 1": (1 << 64) - 1,
                "half of n": (N + 1) // 2, "2^256 modulo n": (1 << 256) % N, "the digest": digest_of(MESSAGE) % N}.items():
    R_s = times(number(f"edge s {name}"), G)
    chosen(f"s is {name}", "EdgeCaseNumber", R_s, s)
    if s < (1 << 256) - N:
        case(f"s is {name} + n", ["EdgeCaseNumber", "RangeCheck"], pair(R_s[0] % N, s + N), False)
for name, u1 in {"1": 1, "2": 2, "n - 1": N - 1, "2^255": 1 << 255, "half of n": (N - 1) // 2}.items():
    chosen(f"the factor of the base point is {name}", "EdgeCaseNumber", times(number(f"edge u1 {name}"), G), digest_of(MESSAGE) * pow(u1, -1, N) % N)
for name, u2 in {"1": 1, "2": 2, "n - 1": N - 1, "2^255": 1 << 255, "half of n": (N - 1) // 2}.items():
    R_u = times(number(f"edge u2 {name}"), G)
    chosen(f"the factor of the key is {name}", "EdgeCaseNumber", R_u, R_u[0] * pow(u2, -1, N) % N)
for i in range(3):
    # u1 G and u2 Q are one point: Q = (u1 / u2) G, so r d = e.
    d = number(f"edge same {i}")
    r = digest_of(MESSAGE) * pow(d, -1, N) % N
    group(times(d, G), "both summands are one point")
    case("both summands are one point, and r is x of another sum", "EdgeCaseSum", pair(r, number(f"edge same s {i}")), False)
    r = (N - digest_of(MESSAGE)) * pow(d, -1, N) % N
    for s_name, s in {"1": 1, "any": number(f"edge opposite {i}"), "n - 1": N - 1, "r": r}.items():
        case(f"the summands cancel each other, s is {s_name}", "EdgeCaseSum", pair(r, s), False)
# The sum is a doubling: 2 u1 G has r as x, with u1 = e / s and r d = e.
k = number("edge doubling")
r = times(k, G)[0] % N
d = digest_of(MESSAGE) * pow(r, -1, N) % N
group(times(d, G), "the sum is a doubling")
case("the sum is a doubling", "EdgeCaseSum", pair(*signature_by(d, MESSAGE, k)), True)
case("the sum is a doubling, s is n - s", "EdgeCaseSum", pair(r, N - signature_by(d, MESSAGE, k)[1]), True)
case("the sum is a doubling, s is one more", "EdgeCaseSum", pair(r, signature_by(d, MESSAGE, k)[1] + 1), False)

# Keys with edges

PRIVATE = {"1": 1, "2": 2, "3": 3, "n - 1": N - 1, "n - 2": N - 2, "half of n": (N + 1) // 2, 
           "y begins with zeros": 2376, "x begins with ones": 7362, "y ends with ones": 20496, "x begins with zeros": 40393,
           "y ends with zeros": 53267, "x ends with zeros": 65526, "x ends with ones": 173622, "y begins with ones": 190606}
for name, d in PRIVATE.items():
    group(times(d, G), f"the private half is {name}" if d in (1, 2, 3, N - 1, N - 2, (N + 1) // 2) else f"the key's {name}")
    case("a good signature", "EdgeCaseKey", pair(*signature_by(d, MESSAGE)), True)
    if d < 3:
        case("the nonce is 1", "EdgeCaseKey", pair(*signature_by(d, MESSAGE, 1)), True)
    r, s = signature_by(d, MESSAGE)
    case("s is one more", "EdgeCaseKey", pair(r, (s + 1) % N), False)
x = P - 1
while on_curve(x) is None:
    x -= 1
for name, point in {"x is 0": on_curve(0), "x is the largest": on_curve(x)}.items():
    for sign, y in (("", point[1]), (", with the other y", P - point[1])):
        group((point[0], y), name + sign)
        case("the signature is of another key", "EdgeCaseKey", GOOD, False)

# No points of P-256. Signatures by the key that is meant, if there is one.

x, y = (int.from_bytes(each, "big") for each in (KEY.x, KEY.y))
SMALL = next(point for point in map(on_curve, range(1, 99)) if point)
R_small = times(number("edge not reduced"), G)
for name, point in {
        "y is one more": (x, y + 1), "x and y are exchanged": (y, x), "y is 0": (x, 0), "x and y are 0": (0, 0), "x is p": (P, on_curve(0)[1]),
        "x + p instead of x": (SMALL[0] + P, SMALL[1]), "all bits are ones": ((1 << 256) - 1, (1 << 256) - 1),
        "the base point of secp256k1": (0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798, 0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8),
        "the base point of brainpoolP256r1": (0x8BD2AEB9CB7E57CB2C4B482FFC81B7AFB9DE27E1E3BD23C23A4453BD9ACE3262, 0x547EF835C3DAC4FD97F8461A14611DC9C27745132DED8E545C1D54C72F046997),
        "a point of the twist": next((t, 1) for t in range(2, 99) if on_curve(t) is None)}.items():
    group(point, name)
    case("a signature that is good for the key that is meant", "NotOnCurve", GOOD, False)
    case("r and s are 1", "NotOnCurve", pair(1, 1), False)
    if SMALL[1] == point[1]:
        # r and s that lead to a sum with this very key, if the coordinate is reduced.
        u1, u2 = 5, 7
        total = add(times(u1, G), times(u2, SMALL))
        case("numbers that lead to a sum with the reduced key", "NotOnCurve", pair(total[0] % N, total[0] * pow(u2, -1, N) % N), False)
