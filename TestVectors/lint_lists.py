"""Lint vectors: WHO's list of signers. The lists are those of gdhcn/, which has a generator of its own."""

from lint_base import LintVectors

VECTORS = LintVectors()
KEY = ("--list-key", "{gdhcn/keys/prod.did.json}")


def add(rule, name, *, departs=True, also=(), options=KEY, at="2022-06-01T00:00:00Z", folder="lint"):
    """One vector with a list that exists."""
    VECTORS.vectors.append({"id": f"{rule}/{name}", "rule": rule, "departs": departs, "files": [f"gdhcn/{folder}/{name}.json"],
                            "args": ["--offline", "--at", at, *options], "findings": sorted([rule, *also] if departs else also)})


def right(rule, name="good", folder="lists", **options):
    """A list that just follows a rule."""
    add(rule, name, departs=False, folder=folder, **options)


UNCHECKED = "trust-list-proof-error/unchecked"
for rule, name in {"members": "member", "context": "context", "value": "value", "environment": "environment", "duplicate": "duplicate"}.items():
    add(f"trust-list-error/{rule}", name, also=[UNCHECKED])
    right(f"trust-list-error/{rule}")
add("trust-list-error/context", "version-1", folder="lists", also=["trust-list-error/members", "trust-list-proof-error/form", UNCHECKED])
add("trust-list-error/duplicate", "entry-twice")
right("trust-list-error/members", "dev", options=("--list-key", "{gdhcn/keys/dev.did.json}"))

add("trust-list-proof-error/missing", "stripped", folder="lists")
right("trust-list-proof-error/missing")
add("trust-list-proof-error/form", "form")
right("trust-list-proof-error/form")
add("trust-list-proof-error/key", "dev", folder="lists")
right("trust-list-proof-error/key")
add("trust-list-proof-error/signature", "changed", folder="lists")
right("trust-list-proof-error/signature")
add(UNCHECKED, "good", folder="lists", options=())
right(UNCHECKED, "newer")

for name in ("kid-of-key", "kid-of-key-text", "kid-without-certificate"):
    add("trust-list-key-error/kid", name)
for name in ("coordinate-length", "curve", "certificate", "kid"):
    add(f"trust-list-key-error/{name}", name)
    right(f"trust-list-key-error/{name}")

add("trust-list-expired/signers", "good", folder="lists", at="2024-06-01T00:00:01Z")
right("trust-list-expired/signers", at="2024-06-01T00:00:00Z")
