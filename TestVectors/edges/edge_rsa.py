"""RSASSA-PSS with SHA-256, MGF1 with SHA-256 and a salt of 32 bytes, which JOSE and COSE call PS256.

The numbers are Python's. Each result is compared with `verifies`, which is the standard's own procedure (RFC 8017 8.1.2, 9.1.2).
"""

import hashlib

from edge_file import File
from hcert_blocks import big, noise

FILE = File(
    "RSASSA-PSS", "rsassa_pss_verify_schema_v1.json", ["RSASSA-PSS with SHA-256, MGF1 with SHA-256 and a salt of 32 bytes."],
    Normal="An ordinary signature.",
    SpecialSalt="All bits of the salt are equal, or the signature begins with zeros.",
    SaltLength="The salt has another length than 32 bytes.",
    OtherHash="Another hash function than SHA-256 was used for the message, or for the mask.",
    ModifiedPadding="The encoded message is not as it has to be.",
    Modified="The signature or the message was changed.",
    RangeCheck="The signature is 0, 1, or as large as the modulus and more.",
    SignatureSize="The signature has another length than the modulus.",
    OtherScheme="The signature is of another scheme, such as PKCS #1 v1.5.",
    WeakKey="The key is shorter than 2048 bits, or cannot be an RSA key.",
    LongExponent="The public exponent has more than 64 bits.")

MESSAGE = b"123400"


# How far the primes are from the numbers that their names give. The search takes a minute.
DISTANCES = {"ordinary p": 398, "ordinary q": 1276, "other p": 668, "other q": 1606, "odd p": 1164, "odd q": 884,
             "weak 1024 p": 282, "weak 1024 q": 172, "weak 2046 p": 272, "weak 2046 q": 838}
ZERO = 54  # the number of a salt that leads to a signature whose first byte is 0


def prime(label, bits):
    """The first prime at or after a number that is made from the label, with its two top bits set."""
    number = (big(noise(f"edge prime {label}", bits // 8 + 1)) & (1 << bits) - 1 | 3 << (bits - 2) | 1) + DISTANCES[label]
    assert pow(2, number - 1, number) == 1, label
    return number


def mgf1(seed, length, digest=hashlib.sha256):
    return b"".join(digest(seed + i.to_bytes(4, "big")).digest() for i in range(length // digest().digest_size + 1))[:length]


def xor(a, b):
    return bytes(one ^ other for one, other in zip(a, b))


class RSA:
    def __init__(self, name, bits, e=65537, other_bits=None):
        p, q = prime(f"{name} p", bits // 2), prime(f"{name} q", other_bits or bits // 2)
        self.e = e
        self.n, self.p, self.q = p * q, p, q
        self.d_p, self.d_q, self.q_inverse = pow(e, -1, p - 1), pow(e, -1, q - 1), pow(q, -1, p)
        self.bits = self.n.bit_length()
        self.size = (self.bits + 7) // 8

    def raw(self, encoded):
        assert big(encoded) < self.n
        one, other = pow(big(encoded), self.d_p, self.p), pow(big(encoded), self.d_q, self.q)
        return (other + self.q * ((one - other) * self.q_inverse % self.p)).to_bytes(self.size, "big")

    def encode(self, message=MESSAGE, salt=None, digest=hashlib.sha256, mask=hashlib.sha256, trailer=0xBC, separator=1, first=None, last=None,
               top=False, hash_flip=0, zeros=8):
        """EMSA-PSS-ENCODE (RFC 8017 9.1.1), with what can be wrong: `first` and `last` are bytes of the padding, `top` sets the bits that must be clear."""
        salt = noise(f"edge salt {message}", 32) if salt is None else salt
        length = (self.bits + 6) // 8
        h = digest(bytes(zeros) + digest(message).digest() + salt).digest()
        data = bytearray(bytes(length - len(salt) - len(h) - 2) + bytes([separator]) + salt)
        if first is not None:
            data[1] = first
        if last is not None:
            data[-len(salt) - 2] = last
        masked = bytearray(xor(data, mgf1(h, len(data), mask)))
        masked[0] &= 0xFF >> (8 * length - self.bits + 1)
        if top:
            masked[0] |= 0x80
        h = bytes([h[0] ^ hash_flip]) + h[1:]
        return bytes(masked) + h + bytes([trailer])

    def sign(self, message=MESSAGE, **changes):
        return self.raw(self.encode(message, **changes))


def verifies(n, e, message, signature):
    bits, size = n.bit_length(), (n.bit_length() + 7) // 8
    if bits < 2048 or n % 2 == 0 or e % 2 == 0 or e < 3 or len(signature) != size or big(signature) >= n:
        return False
    length = (bits + 6) // 8
    number = pow(big(signature), e, n)
    if number.bit_length() > 8 * length:
        return False
    encoded = number.to_bytes(length, "big")
    masked, h, trailer = encoded[:-33], encoded[-33:-1], encoded[-1]
    unused = 8 * length - bits + 1
    if trailer != 0xBC or masked[0] >> (8 - unused):
        return False
    data = bytearray(xor(masked, mgf1(h, len(masked))))
    data[0] &= 0xFF >> unused
    if any(data[:-33]) or data[-33] != 1:
        return False
    return hashlib.sha256(bytes(8) + hashlib.sha256(message).digest() + bytes(data[-32:])).digest() == h


def group(n, e, comment):
    number = lambda value: value.to_bytes(value.bit_length() // 8 + 1, "big").hex()
    FILE.group("RsassaPssVerify", comment=comment, publicKey={"modulus": number(n), "publicExponent": number(e)}, keySize=n.bit_length(),
               sha="SHA-256", mgf="MGF1", mgfSha="SHA-256", sLen=32)
    group.n, group.e = n, e


def case(comment, flags, signature, result, message=MESSAGE):
    assert verifies(group.n, group.e, message, signature) == (result != "invalid"), comment
    FILE.case(comment, result, flags, msg=message.hex(), sig=signature.hex())


KEY = RSA("ordinary", 2048)
group(KEY.n, KEY.e, "2048 bits")
for message in (b"", b"\0", MESSAGE, bytes(range(256))):
    case(f"a message of {len(message)} bytes", "Normal", KEY.sign(message), "valid", message)
GOOD = KEY.sign()
case("the salt is zeros", "SpecialSalt", KEY.sign(salt=bytes(32)), "valid")
case("the salt is ones", "SpecialSalt", KEY.sign(salt=b"\xff" * 32), "valid")
for length in (0, 20, 31, 33, 256 - 32 - 2):
    case(f"a salt of {length} bytes", "SaltLength", KEY.sign(salt=noise("edge salt", length)), "invalid")
for name, digest in {"SHA-1": hashlib.sha1, "SHA-384": hashlib.sha384}.items():
    case(f"{name} for the message and for the mask", "OtherHash", KEY.sign(digest=digest, mask=digest), "invalid")
    case(f"{name} for the message", "OtherHash", KEY.sign(digest=digest), "invalid")
    case(f"{name} for the mask", "OtherHash", KEY.sign(mask=digest), "invalid")
for trailer in (0x00, 0xCC):
    case(f"the trailer is {trailer:02x}", "ModifiedPadding", KEY.sign(trailer=trailer), "invalid")
for separator in (0x00, 0x81):
    case(f"{separator:02x} before the salt", "ModifiedPadding", KEY.sign(separator=separator), "invalid")
for byte in (0x01, 0x80):
    case(f"the padding begins with 00{byte:02x}", "ModifiedPadding", KEY.sign(first=byte), "invalid")
    case(f"the padding ends with {byte:02x}", "ModifiedPadding", KEY.sign(last=byte), "invalid")
for flip in (0x01, 0x80):
    case(f"the hash is changed by {flip:02x}", "ModifiedPadding", KEY.sign(hash_flip=flip), "invalid")
for zeros in (0, 7):
    case(f"{zeros} zeros are hashed before the message's hash", "ModifiedPadding", KEY.sign(zeros=zeros), "invalid")
counter = 0
while big(KEY.encode(salt=noise(f"edge top {counter}", 32), top=True)) >= KEY.n:
    counter += 1
case("the bit that must be clear is set", "ModifiedPadding", KEY.sign(salt=noise(f"edge top {counter}", 32), top=True), "invalid")
case("the encoded message is zeros", "ModifiedPadding", KEY.raw(bytes(256)), "invalid")
case("the encoded message is zeros with a good trailer", "ModifiedPadding", KEY.raw(bytes(255) + b"\xbc"), "invalid")
case("the hash is zeros", "ModifiedPadding", KEY.raw(KEY.encode()[:-33] + bytes(32) + b"\xbc"), "invalid")
case("the data are not masked", "ModifiedPadding", KEY.raw(bytes(190) + b"\1" + noise(f"edge salt {MESSAGE}", 32) + KEY.encode()[-33:]), "invalid")

for bit in (0, 7, 1024, 2045):
    case(f"bit {bit} is flipped", "Modified", (big(GOOD) ^ 1 << bit).to_bytes(256, "big"), "invalid")
case("little-endian", "Modified", GOOD[::-1], "invalid")
case("n minus the signature", "Modified", (KEY.n - big(GOOD)).to_bytes(256, "big"), "invalid")
case("the message is another", "Modified", GOOD, "invalid", b"123401")
case("the message is empty", "Modified", GOOD, "invalid", b"")
case("the message's hash is signed as a message", "Modified", KEY.sign(hashlib.sha256(MESSAGE).digest()), "invalid")
for name, value in {"0": 0, "1": 1, "n - 1": KEY.n - 1, "n": KEY.n, "n + 1": KEY.n + 1, "all bits are ones": (1 << 2048) - 1}.items():
    case(f"the signature is {name}", "RangeCheck", value.to_bytes(256, "big"), "invalid")
counter = 0
while big(KEY.sign(salt=noise(f"edge small {counter}", 32))) + KEY.n >= 1 << 2048:
    counter += 1
small = KEY.sign(salt=noise(f"edge small {counter}", 32))
case("a signature that is small", "Normal", small, "valid")
case("the same, and n is added", "RangeCheck", (big(small) + KEY.n).to_bytes(256, "big"), "invalid")
zero = KEY.sign(salt=noise(f"edge zero {ZERO}", 32))
assert zero[0] == 0
case("it begins with a zero", "SpecialSalt", zero, "valid")
case("it begins with a zero, which is left out", "SignatureSize", zero[1:], "invalid")
case("a zero stands before it", "SignatureSize", b"\0" + GOOD, "invalid")
case("a zero is appended", "SignatureSize", GOOD + b"\0", "invalid")
case("n is added, in 257 bytes", "SignatureSize", (big(GOOD) + KEY.n).to_bytes(257, "big"), "invalid")
for count in (0, 128, 255):
    case(f"cut off after {count} bytes", "SignatureSize", GOOD[:count], "invalid")
INFO = bytes.fromhex("3031300d060960864801650304020105000420") + hashlib.sha256(MESSAGE).digest()
case("PKCS #1 v1.5", "OtherScheme", KEY.raw(b"\0\1" + b"\xff" * (256 - len(INFO) - 3) + b"\0" + INFO), "invalid")
case("PKCS #1 v1.5 with a short padding", "OtherScheme", KEY.raw(b"\0\1" + b"\xff" * 8 + b"\0" + INFO + bytes(256 - len(INFO) - 11)), "invalid")
case("the hash without any padding", "OtherScheme", KEY.raw(bytes(224) + hashlib.sha256(MESSAGE).digest()), "invalid")
case("the message without any padding", "OtherScheme", KEY.raw(bytes(256 - len(MESSAGE)) + MESSAGE), "invalid")
case("an encoded message that is not signed", "OtherScheme", KEY.encode(), "invalid")
case("encrypted with the public key", "OtherScheme", pow(big(KEY.encode()), KEY.e, KEY.n).to_bytes(256, "big"), "invalid")
case("an ECDSA signature of 64 bytes", "OtherScheme", noise("edge ecdsa", 64), "invalid")

OTHER = RSA("other", 2048)
case("by another key", "Modified", OTHER.sign(), "invalid")

ODD = RSA("odd", 2050, other_bits=1024)
assert ODD.bits == 2049
group(ODD.n, ODD.e, "2049 bits: the encoded message has a byte less than the modulus")
case("a good signature", "Normal", ODD.sign(), "valid")
case("the byte before the encoded message is 1", "ModifiedPadding", ODD.raw(b"\1" + bytes(4) + ODD.encode()[4:]), "invalid")
case("a bit is flipped", "Modified", (big(ODD.sign()) ^ 1).to_bytes(257, "big"), "invalid")
case("it has 256 bytes", "SignatureSize", ODD.sign()[1:], "invalid")
THREE = RSA("ordinary", 2048, e=3)
group(THREE.n, 3, "the exponent is 3")
case("a good signature", "Normal", THREE.sign(), "valid")
case("the signature is a number whose cube has no padding at all", "OtherScheme", (2).to_bytes(256, "big"), "invalid")
BIG = RSA("ordinary", 2048, e=(1 << 64) + 13)
group(BIG.n, BIG.e, "the exponent has 65 bits")
case("a good signature", "LongExponent", BIG.sign(), "acceptable")
# Keys that must not verify anything, with what would be a signature of each

for bits, other in ((1024, None), (2046, 1024)):
    weak = RSA(f"weak {bits}", bits, other_bits=other)
    group(weak.n, weak.e, f"a key of {weak.bits} bits")
    case("a good signature", "WeakKey", weak.sign(), "invalid")
for name, e in {"1, so that everybody can sign": 1, "0": 0, "2": 2, "65536": 65536, "2^32": 1 << 32}.items():
    group(KEY.n, e, f"the exponent is {name}")
    case("the encoded message", "WeakKey", KEY.encode(), "invalid")
group(KEY.n + 1, KEY.e, "an even modulus")
case("a good signature for the number below it", "WeakKey", GOOD, "invalid")
group(KEY.n << 1, KEY.e, "the modulus times two")
case("a good signature for half of it, with a zero before it", "WeakKey", b"\0" + GOOD, "invalid")
