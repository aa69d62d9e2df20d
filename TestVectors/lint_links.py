"""Lint vectors: SMART Health Links. What is on a server is tested with a server."""

import base64
import json

from lint_base import LintVectors

VECTORS = LintVectors()
KEY = base64.urlsafe_b64encode(bytes(range(32))).rstrip(b"=").decode()


def link(text=None, viewer="", scheme="shlink:/", encode=base64.urlsafe_b64encode, **members):
    """A link whose payload has these members. `None` removes a member."""
    payload = {"url": "https://shl.example/m", "key": KEY, "flag": "L", **members}
    payload = {name: value for name, value in payload.items() if value is not None}
    text = json.dumps(payload, separators=(",", ":")) if text is None else text
    return viewer + scheme + encode(text.encode()).rstrip(b"=").decode()


def add(rule, name, content, **options):
    VECTORS.add(rule, name, content, suffix=".txt", **options)


add("invalid-shlink/text", "empty", "shlink:/")
add("invalid-shlink/text", "character", link() + "!")
add("invalid-shlink/text", "no-slash", link(scheme="shlink:"))
add("invalid-shlink/text", "bare", link(), departs=False)
add("invalid-shlink/form", "two-slashes", link(scheme="shlink://"))
add("invalid-shlink/form", "upper-case", link(scheme="SHLINK:/"))
add("invalid-shlink/form", "query", link(viewer="https://viewer.example/?shlink=", scheme=""))
add("invalid-shlink/form", "percent-encoded", link(viewer="https://viewer.example/#", scheme="shlink%3A%2F"))
add("invalid-shlink/form", "viewer", link(viewer="https://viewer.example/#"), departs=False)
add("invalid-shlink/encoding", "padding", link() + "=" * (-len(link().split("/")[1]) % 4 or 2))
add("invalid-shlink/encoding", "white-space", link(json.dumps({"url": "https://shl.example/m", "key": KEY})))
add("invalid-shlink/encoding", "minified", link(), departs=False)
add("shlink-payload-error/payload", "array", link("[]"))
add("shlink-payload-error/payload", "no-key", link(key=None))
add("shlink-payload-error/payload", "short-key", link(key=KEY[:-2]))
add("shlink-payload-error/payload", "both-flags", link(flag="PU"))
add("shlink-payload-error/payload", "version", link(v=2))
add("shlink-payload-error/payload", "version-without-url", link(v=2, url=None))
add("shlink-payload-error/payload", "expiry", link(exp="soon"))
add("shlink-payload-error/payload", "label", link(label=1))
add("shlink-payload-error/payload", "all-members", link(label="A label", exp=4102444800, v=1), departs=False)
add("shlink-not-https-url/url", "http", link(url="http://shl.example/m"))
add("shlink-not-https-url/url", "relative", link(url="/m"))
add("shlink-not-https-url/url", "https", link(), departs=False)
add("shlink-payload-error/members", "long-url", link(url="https://shl.example/" + "m" * 120))
add("shlink-payload-error/members", "long-label", link(label="x" * 81))
add("shlink-payload-error/members", "flag-order", link(flag="UL"))
add("shlink-payload-error/members", "milliseconds", link(exp=4102444800000))
add("shlink-payload-error/members", "limits", link(url="https://shl.example/" + "m" * 108, label="x" * 80), departs=False)
add("expiration-error/link", "past", link(exp=1600000000))
add("expiration-error/link", "future", link(exp=4102444800), departs=False)
