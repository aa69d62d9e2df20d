"""AES in Galois/Counter Mode, as JWE's A256GCM uses it: keys of 256 bits, initialization vectors of 96 and tags of 128.

AES (FIPS 197) and GCM (SP 800-38D) are written out here, on Python's integers. Cases with other lengths are right for GCM, and so `valid`, though
JWE has no such lengths.
"""

from functools import lru_cache

from edge_file import File
from hcert_blocks import noise

# AES


def substitution_box():
    exponents, logarithms, value = [], {}, 1
    for power in range(255):
        exponents.append(value)
        logarithms[value] = power
        value ^= value << 1
        value = value ^ 0x11B if value > 255 else value
    box = []
    for byte in range(256):
        inverted = exponents[-logarithms[byte] % 255] if byte else 0
        twice = inverted << 8 | inverted
        box.append(0x63 ^ inverted ^ (twice >> 7 ^ twice >> 6 ^ twice >> 5 ^ twice >> 4) & 0xFF)
    return bytes(box)


BOX = substitution_box()


def double(byte):
    return byte << 1 ^ (0x11B if byte & 0x80 else 0)


@lru_cache
def round_keys(key):
    words, count = [key[i:i + 4] for i in range(0, len(key), 4)], len(key) // 4
    constant = 1
    while len(words) < 4 * (count + 7):
        word = words[-1]
        if len(words) % count == 0:
            word = bytes(BOX[b] for b in word[1:] + word[:1])
            word = bytes([word[0] ^ constant]) + word[1:]
            constant = double(constant)
        elif count == 8 and len(words) % 8 == 4:
            word = bytes(BOX[b] for b in word)
        words.append(bytes(a ^ b for a, b in zip(word, words[-count])))
    return [b"".join(words[i:i + 4]) for i in range(0, len(words), 4)]


@lru_cache(None)
def aes(key, block):
    keys = round_keys(key)
    state = bytes(a ^ b for a, b in zip(block, keys[0]))
    for number, round_key in enumerate(keys[1:], 1):
        state = bytes(BOX[state[(i + 4 * (i % 4)) % 16]] for i in range(16))
        if number < len(keys) - 1:
            mixed = []
            for column in range(0, 16, 4):
                a = state[column:column + 4]
                total = a[0] ^ a[1] ^ a[2] ^ a[3]
                mixed += [a[i] ^ total ^ double(a[i] ^ a[(i + 1) % 4]) for i in range(4)]
            state = bytes(mixed)
        state = bytes(a ^ b for a, b in zip(state, round_key))
    return state


# GCM: a block is a number whose highest bit is the coefficient of 1.


def product(a, b):
    total = 0
    for bit in range(127, -1, -1):
        if a >> bit & 1:
            total ^= b
        b = b >> 1 ^ (0xE1 << 120 if b & 1 else 0)
    return total


def inverse(a):
    """a^(2^128 - 2)."""
    total, power = 1 << 127, a
    for _ in range(127):
        power = product(power, power)
        total = product(total, power)
    return total


def blocks(data):
    return [int.from_bytes(data[i:i + 16].ljust(16, b"\0"), "big") for i in range(0, len(data), 16)]


def ghash(h, numbers):
    total = 0
    for each in numbers:
        total = product(total ^ each, h)
    return total


def hash_key(key):
    return int.from_bytes(aes(key, bytes(16)), "big")


def first_counter(key, iv):
    if len(iv) == 12:
        return int.from_bytes(iv, "big") << 32 | 1
    return ghash(hash_key(key), blocks(iv) + [8 * len(iv)])


def counted(key, counter, data):
    stream = b""
    for i in range(1, (len(data) + 15) // 16 + 1):
        stream += aes(key, (counter >> 32 << 32 | (counter + i) & 0xFFFFFFFF).to_bytes(16, "big"))
    return bytes(a ^ b for a, b in zip(data, stream))


def tag_of(key, counter, aad, ciphertext):
    hashed = ghash(hash_key(key), blocks(aad) + blocks(ciphertext) + [8 * len(aad) << 64 | 8 * len(ciphertext)])
    return (hashed ^ int.from_bytes(aes(key, counter.to_bytes(16, "big")), "big")).to_bytes(16, "big")


def sealed(key, iv, aad, plaintext):
    counter = first_counter(key, iv)
    ciphertext = counted(key, counter, plaintext)
    return ciphertext, tag_of(key, counter, aad, ciphertext)


FILE = File(
    "AES-GCM", "aead_test_schema_v1.json", ["AES-GCM. JWE's A256GCM has keys of 256 bits, initialization vectors of 96 and tags of 128."],
    Normal="An ordinary case.",
    SpecialIv="All bits of the initialization vector are equal, or most of them.",
    SpecialTag="The tag has a special value, to which the additional data lead.",
    LongData="Long additional data, or a long plaintext.",
    ModifiedTag="The tag was changed.",
    Modified="The key, the initialization vector, the additional data or the ciphertext were changed.",
    TagLength="The tag has another length than 128 bits.",
    IvLength="The initialization vector has another length than 96 bits.",
    CounterWrap="The 32 bits of the counter overflow. With 96 bits of initialization vector, this takes 64 GiB.",
    KeyLength="The key has another length than 256 bits.")

KEY = noise("edge gcm key", 32)
IV = noise("edge gcm iv", 12)
AAD = b"additional data"
TEXT = noise("edge gcm text", 20)


def group(iv=96, key=256, tag=128):
    FILE.group("AeadTest", ivSize=iv, keySize=key, tagSize=tag)


def case(comment, flags, result="valid", key=KEY, iv=IV, aad=AAD, text=TEXT, **changes):
    """A case that is right, except for `changes`: `new_` and the name of a member."""
    ciphertext, tag = sealed(key, iv, aad, text)
    members = {"key": key, "iv": iv, "aad": aad, "msg": text, "ct": ciphertext, "tag": tag}
    if result == "invalid":
        del members["msg"]
    members |= {name[4:]: value for name, value in changes.items()}
    FILE.case(comment, result, flags, **{name: value.hex() for name, value in members.items()})


# The example of the paper that proposed GCM (McGrew and Viega, appendix B, case 16) shows that this page computes it.
_KEY = bytes.fromhex("feffe9928665731c6d6a8f9467308308" * 2)
_TEXT = bytes.fromhex("d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
_AAD = bytes.fromhex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
assert sealed(_KEY, bytes.fromhex("cafebabefacedbaddecaf888"), _AAD, _TEXT)[1].hex() == "76fc6ece0f4e1768cddf8853bb2d551b"

group()
case("an ordinary text", "Normal")
for length in (0, 1, 15, 16, 17, 32, 63, 65):
    case(f"a plaintext of {length} bytes", "Normal", text=noise("edge gcm text", length))
    case(f"additional data of {length} bytes", "Normal", aad=noise("edge gcm data", length))
case("nothing at all", "Normal", text=b"", aad=b"")
for text, aad in ((513, 13), (16, 1024), (0, 513)):
    case(f"a plaintext of {text} bytes, additional data of {aad}", "LongData", text=noise("edge gcm text", text), aad=noise("edge gcm data", aad))
for name, iv in {"zeros": bytes(12), "ones": b"\xff" * 12, "zeros and a one": bytes(11) + b"\1", "a one and zeros": b"\x80" + bytes(11),
                 "ones in the last four bytes": bytes(8) + b"\xff" * 4, "ones, then fe": b"\xff" * 11 + b"\xfe"}.items():
    case(f"the initialization vector is {name}", "SpecialIv", iv=iv, text=noise("edge gcm text", 40))
case("a key of zeros", "Normal", key=bytes(32))
case("a key of ones", "Normal", key=b"\xff" * 32)
for name, tag in {"zeros": bytes(16), "ones": b"\xff" * 16, "zeros and a one": bytes(15) + b"\1", "80 in each byte": b"\x80" * 16, "7f in each byte": b"\x7f" * 16,
                  "the ciphertext": sealed(KEY, IV, AAD, TEXT)[0][:16]}.items():
    # One block of additional data A: the hash is A·H^(n + 2) + rest, with n blocks of ciphertext.
    ciphertext, h = sealed(KEY, IV, b"", TEXT)[0], hash_key(KEY)
    wanted = int.from_bytes(tag, "big") ^ int.from_bytes(aes(KEY, first_counter(KEY, IV).to_bytes(16, "big")), "big")
    rest = ghash(h, [0] + blocks(ciphertext) + [128 << 64 | 8 * len(ciphertext)])
    power = h
    for _ in range(len(blocks(ciphertext)) + 1):
        power = product(power, h)
    aad = product(wanted ^ rest, inverse(power)).to_bytes(16, "big")
    assert sealed(KEY, IV, aad, TEXT)[1] == tag
    case(f"the tag is {name}", "SpecialTag", aad=aad)

CIPHERTEXT, TAG = sealed(KEY, IV, AAD, TEXT)
flipped = lambda data, bit: bytes(byte ^ (0x80 >> bit % 8 if i == bit // 8 else 0) for i, byte in enumerate(data))
for bit in (0, 1, 7, 8, 31, 32, 63, 64, 77, 95, 96, 120, 127):
    case(f"bit {bit} of the tag is flipped", "ModifiedTag", "invalid", new_tag=flipped(TAG, bit))
for name, tag in {"bits 0 and 64 are flipped": flipped(flipped(TAG, 0), 64), "bits 31 and 63 are flipped": flipped(flipped(TAG, 31), 63),
                  "all bits are flipped": bytes(byte ^ 255 for byte in TAG), "zeros": bytes(16), "ones": b"\xff" * 16, "reversed": TAG[::-1],
                  "its halves are exchanged": TAG[8:] + TAG[:8], "only its first four bytes are right": TAG[:4] + bytes(12),
                  "only its last byte is wrong": TAG[:15] + bytes([TAG[15] ^ 1]), "of no additional data": sealed(KEY, IV, b"", TEXT)[1],
                  "of another key": sealed(KEY[::-1], IV, AAD, TEXT)[1], "the hash that is not encrypted": ghash(hash_key(KEY), blocks(AAD) + blocks(CIPHERTEXT) + [8 * len(AAD) << 64 | 160]).to_bytes(16, "big"),
                  "of swapped lengths": sealed(KEY, IV, TEXT, AAD)[1]}.items():
    case(f"the tag: {name}", "ModifiedTag", "invalid", new_tag=tag)
for bit in (0, 7, 8, 64, 100, 159):
    case(f"bit {bit} of the ciphertext is flipped", "Modified", "invalid", new_ct=flipped(CIPHERTEXT, bit))
for bit in (0, 8, 119):
    case(f"bit {bit} of the additional data is flipped", "Modified", "invalid", new_aad=flipped(AAD, bit))
for bit in (0, 50, 95):
    case(f"bit {bit} of the initialization vector is flipped", "Modified", "invalid", new_iv=flipped(IV, bit))
for bit in (0, 127, 128, 255):
    case(f"bit {bit} of the key is flipped", "Modified", "invalid", new_key=flipped(KEY, bit))
for name, changes in {
        "the ciphertext is cut off": {"new_ct": CIPHERTEXT[:-1]}, "the ciphertext is empty": {"new_ct": b""}, "a zero is appended to the ciphertext": {"new_ct": CIPHERTEXT + b"\0"},
        "zeros fill up the ciphertext's block": {"new_ct": CIPHERTEXT + bytes(12)}, "the tag is the ciphertext's end": {"new_ct": CIPHERTEXT[:-16], "new_tag": CIPHERTEXT[-16:]},
        "the additional data are cut off": {"new_aad": AAD[:-1]}, "the additional data are missing": {"new_aad": b""}, "a zero is appended to the additional data": {"new_aad": AAD + b"\0"},
        "a byte of the ciphertext stands in the additional data": {"new_aad": AAD + CIPHERTEXT[:1], "new_ct": CIPHERTEXT[1:]},
        "a byte of the additional data stands in the ciphertext": {"new_aad": AAD[:-1], "new_ct": AAD[-1:] + CIPHERTEXT},
        "the plaintext stands in place of the ciphertext": {"new_ct": TEXT}, "the blocks of the ciphertext are exchanged": {"new_ct": CIPHERTEXT[16:] + CIPHERTEXT[:16]}}.items():
    case(name, "Modified", "invalid", **changes)
case("the tag is empty", "TagLength", "invalid", new_tag=b"")
case("the tag has 17 bytes", "TagLength", "invalid", new_tag=TAG + b"\0")
case("the tag has 32 bytes", "TagLength", "invalid", new_tag=TAG * 2)
case("a zero stands before the tag", "TagLength", "invalid", new_tag=b"\0" + TAG)
case("the initialization vector is empty", "IvLength", "invalid", new_iv=b"")
for bits in (8, 32, 64, 96, 104, 112, 120):
    group(tag=bits)
    case(f"the first {bits} bits of the tag", "TagLength", new_tag=TAG[:bits // 8])
for length in (1, 8, 11, 13, 16, 17, 32, 64):
    group(iv=8 * length)
    case(f"an initialization vector of {length} bytes", "IvLength", iv=noise("edge gcm iv", length))
group(iv=96)
case("a vector of 12 bytes, with zeros to 16", "IvLength", "invalid", new_iv=IV + bytes(4))
case("a vector of 12 bytes, with the first counter", "IvLength", "invalid", new_iv=IV + b"\0\0\0\1")
group(iv=128)
for last in (0xFFFFFFFF, 0xFFFFFFFE, 0x7FFFFFFF):
    # The vector whose first counter ends with these bits: J = ((IV·H) + 128)·H.
    h, counter = hash_key(KEY), int.from_bytes(noise("edge gcm counter", 12), "big") << 32 | last
    iv = product(product(counter, inverse(h)) ^ 128, inverse(h)).to_bytes(16, "big")
    assert first_counter(KEY, iv) == counter
    case(f"the counter begins with {last:x}", ["CounterWrap", "IvLength"], iv=iv, text=noise("edge gcm text", 64))
for bits in (128, 192):
    group(key=bits)
    case(f"a key of {bits} bits", "KeyLength", key=KEY[:bits // 8])
    case(f"a key of {bits} bits, and no text", "KeyLength", key=KEY[:bits // 8], text=b"")
    case(f"a key of {bits} bits, and bit 0 of the tag is flipped", ["KeyLength", "ModifiedTag"], "invalid", key=KEY[:bits // 8],
         new_tag=flipped(sealed(KEY[:bits // 8], IV, AAD, TEXT)[1], 0))
group(key=256)
for length in (0, 15, 31, 33, 64):
    case(f"a key of {length} bytes", "KeyLength", "invalid", new_key=(KEY * 2)[:length])
