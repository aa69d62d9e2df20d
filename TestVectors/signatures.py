"""ES256 signatures over chosen digests: cases that no message leads to, and corner cases of the arithmetic.

They are made by affine arithmetic on Python's integers alone. A case is right by construction: the point u1·G + u2·Q is
chosen first.
"""

import hashlib

from blocks import N, P

B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296, 0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)


def add(a, b):
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and (a[1] + b[1]) % P == 0:
        return None
    slope = (3 * a[0] ** 2 - 3) * pow(2 * a[1], -1, P) if a == b else (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope ** 2 - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def times(k, point):
    total = None
    while k:
        if k & 1:
            total = add(total, point)
        point, k = add(point, point), k >> 1
    return total


def number(label):
    return int.from_bytes(hashlib.sha256(f"shcverify signature {label}".encode()).digest(), "big") % (N - 1) + 1


def case(why, valid, key, digest, r, s):
    return {"why": why, "valid": valid, "x": f"{key[0]:064x}", "y": f"{key[1]:064x}", "digest": f"{digest % N:064x}", "signature": f"{r % N:064x}{s % N:064x}"}


def from_points(why, valid, u1, u2, key, point):
    """The signature that leads to u1 and u2, if u1·G + u2·Q is this point."""
    r = point[0] % N
    s = r * pow(u2, -1, N) % N
    return case(why, valid, key, u1 * s, r, s)


def on_curve(x):
    square = (x ** 3 - 3 * x + B) % P
    root = pow(square, (P + 1) // 4, P)
    return (x, root) if root * root % P == square else None


CASES = []
for i in range(8):
    d, u1, u2 = number(f"d {i}"), number(f"u1 {i}"), number(f"u2 {i}")
    Q = times(d, G)
    R = add(times(u1, G), times(u2, Q))
    CASES.append(from_points("an ordinary signature", True, u1, u2, Q, R))
    good = CASES[-1]
    r, s, e = int(good["signature"][:64], 16), int(good["signature"][64:], 16), int(good["digest"], 16)
    CASES.append(case("s is n - s", True, Q, e, r, N - s))
    CASES.append(case("r is one more", False, Q, e, r + 1, s))
    CASES.append(case("another digest", False, Q, e + 1, r, s))
    CASES.append(case("another key", False, times(d + 1, G), e, r, s))
    CASES.append(case("the key's negative", False, (Q[0], P - Q[1]), e, r, s))
    # u1·G = u2·Q: the sum is a doubling.
    same = u1 * pow(d, -1, N) % N
    CASES.append(from_points("both summands are one point", True, u1, same, Q, times(2 * u1 % N, G)))
    # u1·G = -u2·Q: the sum is the point at infinity, which has no x to compare.
    opposite = (N - u1) * pow(d, -1, N) % N
    for r in (1, number(f"r {i}"), N - 1):
        s = r * pow(opposite, -1, N) % N
        CASES.append(case("the summands cancel each other", False, Q, u1 * s, r, s))
    # A digest of 0: the sum does not contain G.
    CASES.append(from_points("a digest of 0", True, 0, u2, Q, times(u2, Q)))
    # x of the sum is n or more, so r is x - n. The comparison must try both.
    x = N + 1 + i
    while on_curve(x) is None:
        x += 8
    R = on_curve(x)
    Q = times(pow(u2, -1, N), add(R, times(N - u1, G)))
    CASES.append(from_points("x of the sum is beyond n", True, u1, u2, Q, R))
    CASES.append(from_points("the same, with the negative of the sum", True, N - u1, N - u2, Q, (R[0], P - R[1])))
for k in (1, 2, 3, N - 1, N - 2, (N + 1) // 2):
    CASES.append(from_points(f"key and scalars are small: {k if k < 9 else 'n/2' if k < N - 9 else k - N}", True, 1, 2, times(k, G), times((1 + 2 * k) % N, G))
                 if (1 + 2 * k) % N else case("a sum at infinity of small scalars", False, times(k, G), 1, 2, 1))
