#!/usr/bin/env python3
"""Makes the test kit: a folder and an archive that other verifiers can be tried with.

    Scripts/kit/make.py [FOLDER]

Writes FOLDER/shcverify-testkit-VERSION and its archive, FOLDER/shcverify-testkit-VERSION.tar.gz. FOLDER is .build/kit if it is not given.
The cases are those of TestVectors/, with what TestKit/README.md says about their form. Only this script and check.py know how the kit's
words and our options belong together. The archive is the same each time, byte for byte, if Python's zlib is.
"""

import gzip
import io
import json
import re
import shutil
import sys
import tarfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "TestVectors")]

import rules  # noqa: E402
import texts  # noqa: E402
import who  # noqa: E402
from links import Links  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
VECTORS = texts.unpacked()
KIT = ROOT / "TestKit"
VERSION = (KIT / "VERSION").read_text().strip()
NAME = f"shcverify-testkit-{VERSION}"
# Nothing in the archive depends on the day on which it is made.
DATE = 1767225600

# The folders of TestVectors whose files a verifier is given, and their names in the kit.
TRUST = {"keys": "keys", "crls": "revocation-lists", "directories": "directories", "certificates": "anchors", "hcert/trust": "signers",
         "hcert/revocation": "revoked-certificates", "gdhcn/keys": "list-keys"}
DIRECTORY_GROUPS = {"directory", "against", "trust", "list", "burnt", "country", "anchor", "domain"}
CLASSES = {"link": "health-link"}
FORMS = {"jws": "jws", "smart-health-card": "card-file", "qr.txt": "qr", "url.txt": "deep-link", "hc1": "hc1", "cwt": "cwt"}
OUTCOMES = {"valid", "invalid", "undetermined"}


def outcome(codes):
    """What our exit codes mean in the kit's words. None: they do not decide it, or it is about something else."""
    found = set()
    for code in codes if isinstance(codes, list) else [codes]:
        if code == 0:
            found.add("valid")
        elif 10 <= code <= 16 or code == 18:
            found.add("invalid")
        elif 19 <= code <= 25 or code == 27 or code == 64:
            found.add("undetermined")
        else:
            return None
    return found.pop() if len(found) == 1 else None


def facts():
    """The text and the address of each fact of docs/specification.md."""
    text = (ROOT / "docs" / "specification.md").read_text()
    found = {}
    for part in text.split("\n### ")[1:]:
        number, _, body = part.partition("\n")
        body = body.split("\n## ")[0]
        address = re.findall(r"^<(\S+)>$", body, re.MULTILINE)[-1]
        words = " ".join(re.sub(r"^<\S+>$", "", body, flags=re.MULTILINE).split())
        found[number.strip()] = {"text": words, "section": address}
    return found


def rule(name, known):
    """A rule as its number and its section."""
    if name.startswith("RFC "):
        number, _, section = name.partition(" §")
        return {"number": number, "section": section, "url": f"https://www.rfc-editor.org/rfc/rfc{number[4:]}#section-{section}"}
    return {"number": name, "url": known[name]["section"]}


def words(why):
    """The reason of a vector in the kit's words: without the facts' numbers of another document, and what our program says."""
    why = re.sub(r"\s*\((?:[A-Z]{1,2}\d*|CLI|RFC|test data|real|L\b)[^()]*\)", "", why)
    why = re.sub(r",? with an? (?:warning|hint)|: an? warning(?: of lint only)?|: an? finding of lint only|; the message says so|: null and a warning|: null in the report, a warning",
                 "", why)
    why = why.strip().rstrip(".")
    first = why.split()[0].rstrip(":")
    why = (first[0] if first in MEMBERS else why[0].upper()) + why[1:] + "."
    why = next((other for mine, other in REPLACED if why == mine), why)
    if re.search(r"--[a-z]|shcverify|directory verify|\bCLI\b|\bwarning|\blint\b|\bmessage says|\breport\b|exit code|\([A-Z]\d", why):
        raise ValueError(f"Scripts/kit/make.py: the kit does not know what this means: {why}")
    return why


def reason(name, why):
    """The reason of a vector, which has to be complete on its own."""
    group, _, short = name.partition("/")
    if name in rules.REASONS:
        return rules.REASONS[name]
    if anchored := re.fullmatch(r"anchored-(.+)-(before|after)-certified", short):
        return f"An entry that cannot be used ({anchored[1].replace('-', ' ')}) {anchored[2]} the key with its certificate."
    member, _, rest = why.partition(" ")
    if group == "payload" and member in PAYLOAD and "is" not in rest.split():
        rest = rest.removeprefix("version ") if member == "fhir" else rest
        return f"{PAYLOAD[member]}: {rest}."
    why = words(why)
    why = re.sub(r"[Aa] list of the form ([a-z-]+)", lambda match: LISTS[match[1]], why).replace(",.", ".")
    why = why[0].upper() + why[1:] if re.match(r"(a|one|the) ", why) else why
    if re.match(r"The same(,| (in|on|with|without|over|before|after)\b)", why):
        raise ValueError(f"Scripts/kit/rules.py: REASONS has no row for {name}: {why}")
    return why


LISTS = {"german": "the German list", "german-zero": "the German list, whose signature line begins with 0,", "gateway": "the gateway's list", "der": "a certificate in DER",
         "pem-one": "one certificate in PEM", "pem-words": "a certificate in PEM among words", "jwks": "a key set with certificates",
         "jwks-plain": "a key set without certificates", "jwks-url": "a key set with base64url"}
# The members of a card that reasons such as `type missing` are about.
PAYLOAD = {"iss": "iss", "nbf": "nbf", "vc": "vc", "rid": "vc.rid", "type": "vc.type", "subject": "vc.credentialSubject", "bundle": "fhirBundle",
           "fhir": "fhirVersion"}
# They may begin a reason, and keep the case that they have in cards.
MEMBERS = set("vc.rid co rids ctr fhirVersion fhirBundle sd ver fn fnt gnt tt tr nm tc dn bo vp vls vle cn is ntl nid ndt gn tg ma mp mid r s x y d iss exp nbf iat kid alg zip crit vc rid crv kty x5c jwk jku x5u hcert nam dob ver dt sc du df fr tg ci n sub dr v t"
              .split())
# Reasons that speak of our program, in the kit's words.
REPLACED = [
    ("An expired leaf, like every real one, is a warning without anchors.", "An expired leaf counts only if the verifier has anchors."),
    ("A SAN copied from an example is a warning without anchors.", "Another name in the leaf counts only if the verifier has anchors."),
    ("Three chunks in order, one per --qr.", "Three QR codes of one card, in order."),
    ("One QR code, by --qr.", "One QR code."),
    ("Missing alg and use concern only lint.", "A key without alg and use."),
    ("A kid that is not the thumbprint concerns only lint.", "A kid that is not the key's thumbprint."),
    ("--at with a fraction.", "Issued half a second ago."),
    ("A set for another issuer only, and offline: a set for this one is missing.", "Keys of another issuer, and none of this one."),
    ("No keys, and offline.", "No keys."),
    ("Padding in both: one warning.", "Padding in x and y."),
    ("A name that would forge lines of a report.", "A name with line breaks in it."),
    ("The message names the country that iss claims.", "A kid that no list has, and another iss."),
    ("The card verifies under another key of this issuer: the message says so, but the card does not pass.",
     "The card verifies under another key of this issuer, whose kid it does not name."),
    ("The country of vaccination is another than iss (270 real ones): no warning.", "The country of vaccination is another than iss."),
    ("On the list as well: no warning.", "A snapshot, and lists, one of which has the issuer."),
    ("Named with --trust as well: no warning.", "A snapshot beside a list, and the issuer is named."),
    ("The vaccination was valid until yesterday, and it passes.", "The vaccination was valid until yesterday. The certificate still is."),
    ("A date that is none: null.", "A date that is none."),
    ("One more.", "101 vaccinations."),
    ("Http.", "The url of the link is not https."),
    ("exp counts if it is there.", "exp decides, and not the dates of the vaccination."),
    ("The clinician comes before the issuer.", "The clinician is named beside the issuer."),
    ("A verifiable health link: the wrapper passes, the link is never requested.", "A good certificate around a link that nobody answers."),
    ("A plain link, offline.", "A good certificate around a SMART Health Link that nobody answers."),
    ("No passcode is asked for.", "The link has the flag P, and nobody answers."),
    ("The first that is there is the kind, whatever it is.", "A broken EU certificate and a good ICVP in one container."),
    ("An array of one map with u.", "The link is in an array of one map."),
    ("Texts are no claims of an ICVP.", "iat stands under a text."),
    ("A text is no key ID of an ICVP.", "kid is a text."),
    ("Digits are of SNOMED CT, which has no names here.", "Codes of SNOMED CT."),
    ("Anything else at 5.", "What stands at the key 5 is no link."),
    ("An ICVP under texts.", "The container of the ICVP stands under texts."),
    ("The German list with one octet changed: its signature is checked by directory verify only.",
     "The German list with one octet changed, and the key of its signature was not given."),
    ("The German list without its signature line, as the conformance data have it.", "The German list without its signature line."),
    ("The entry of PH4H counts.", "Two domains have one kid: the entry of PH4H counts."),
    ("Seven octets.", "kid is a text that stands for seven octets."),
    ("Hexadecimal.", "kid is a text in hexadecimal digits."),
    ("Nothing follows the scheme.", "Nothing follows the scheme of the link."),
    ("No JSON.", "The payload of the link is no JSON."),
    ("Version 2.", "The link is of version 2."),
    ("Padding.", "The payload of the link has padding."),
    ("Two slashes.", "The scheme of the link has two slashes."),
    ("A scheme in upper case.", "The scheme of the link is in upper case."),
]


class Kit:
    def __init__(self, folder):
        self.folder = folder
        more = {**{name: {"text": text, "section": rules.LINKS_PAGE} for name, text in rules.LINKS.items()},
                **{name: {"text": text, "section": page} for name, (text, page) in rules.WHO.items()}}
        known = facts()
        assert not known.keys() & more.keys(), "a number of the kit is now one of docs/specification.md"
        self.known = {**known, **more}
        self.cited = set()
        self.index = []

    def write(self, path, data):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        return path

    def trust(self, path):
        """Copies a file that a verifier is given, and returns its path in the kit."""
        inside = path.relative_to(VECTORS).as_posix()
        source = max((folder for folder in TRUST if inside.startswith(folder + "/")), key=len)
        name = f"trust/{TRUST[source]}/{inside[len(source) + 1:]}"
        return self.write(name, path.read_bytes())

    def add(self, area, kind, name, sidecar):
        """Writes a sidecar, with its members in the order of README.md."""
        order = ["id", "area", "class", "input", "form", "at", "expect", "opinion", "why", "rules", "keys", "issuers", "directories",
                 "signers", "listKeys", "anchors", "revocation", "revocationRequired", "passcode", "exchange"]
        self.cited.update(sidecar["rules"])
        members = {**sidecar, "id": f"{area}/{kind}/{name}", "area": area, "class": kind,
                   "rules": [rule(one, self.known) for one in sidecar["rules"]]}
        members = {key: members[key] for key in order if key in members}
        assert members["expect"] in OUTCOMES and members["rules"], members["id"]
        path = f"cases/{area}/{kind}/{name}.case.json"
        assert not (self.folder / path).exists(), f"two cases are {members['id']}"
        self.write(path, (json.dumps(members, indent=1, ensure_ascii=False) + "\n").encode())
        self.index.append({"case": path, **{key: members[key] for key in ("id", "area", "class", "form", "expect")},
                           **({"opinion": True} if members.get("opinion") else {})})

    def renewed(self, name, group, files):
        """ICVPs with all claims, and the others as they are: the octets of the files."""
        contents = [file.read_bytes() for file in files]
        if group in ("icvp", "domain", "content") and all(file.suffix == ".hc1" for file in files):
            if not hasattr(self, "renewal"):
                self.renewal = who.Renewal(VECTORS / "hcert")
            contents = [self.renewal(content) or content for content in contents]
        return contents

    def vectors(self, index, base, left_out, rows, opinions, certificates):
        """The vectors of one index of TestVectors/."""
        content = json.loads((base / index).read_text())
        for vector in content.get("vectors") or content["cases"]:
            name = vector["id"]
            if vector["mode"] != "verify" or rules.fits(left_out, name):
                continue
            expect = outcome(vector["expect"]["exit"])
            given = self.options(vector["args"], base, certificates)
            if expect is None or given is None:
                continue
            group, _, short = name.partition("/")
            area = "directories" if group in DIRECTORY_GROUPS else "certificates" if certificates else "cards"
            kind = CLASSES.get(group, group)
            if area == "directories":
                kind = ("signers-" if certificates else "issuers-") + group
            files = [base / path for path in vector["files"]]
            suffix = next((one for one in FORMS if files[0].name.endswith("." + one)), "bin")
            form = FORMS.get(suffix, "parameters" if "parameters" in name else "other")
            inputs = []
            for number, content in enumerate(self.renewed(name, group, files) if certificates else [file.read_bytes() for file in files], 1):
                part = f".{number}" if len(files) > 1 else ""
                inputs.append(self.write(f"cases/{area}/{kind}/{short}{part}.{suffix}", content))
            sidecar = {"input": inputs, "form": form, "expect": expect, "why": reason(name, vector["why"]), "rules": rules.first(rows, name), **given}
            plain = certificates and rules.fits(rules.CERTIFICATE_NO_OPINIONS, name)
            if rules.fits(opinions, name) and not plain or vector.get("unsure"):
                sidecar["opinion"] = True
            self.add(area, kind, short, sidecar)

    def options(self, arguments, base, certificates):
        """The members of a sidecar that say the same as our options. None: the kit has no words for them."""
        given = {}
        rest = list(arguments)
        while rest:
            option = rest.pop(0)
            if option == "--offline":
                continue
            if option == "--require-revocation":
                given["revocationRequired"] = True
                continue
            if option not in ("--jwks", "--directory", "--trust", "--anchor", "--crl", "--at"):
                return None
            value = rest.pop(0)
            if option == "--at":
                given["at"] = value
            elif option == "--trust":
                given.setdefault("issuers", []).append(value)
            else:
                prefix, path = re.fullmatch(r"(?:(.*)=)?\{(.*)\}", value).groups()
                file = (base / path).resolve()
                if not file.is_file():
                    return None
                copied = self.trust(file)
                if option == "--jwks" and not certificates:
                    given.setdefault("keys", []).append({**({"issuer": prefix} if prefix else {}), "file": copied})
                elif option == "--jwks" and prefix is None or option == "--directory" and certificates:
                    given.setdefault("signers", []).append(copied)
                elif option in ("--directory", "--anchor", "--crl"):
                    member = {"--directory": "directories", "--anchor": "anchors", "--crl": "revocation"}[option]
                    given.setdefault(member, []).append(copied)
                else:
                    return None
        return given

    def who(self):
        """WHO's lists, each with the keys that may have signed it, and an ICVP as the vectors have it."""
        for kind, name, content, keys, expect, why, cited, opinion in who.lists(VECTORS / "gdhcn"):
            path = self.write(f"cases/directories/{kind}/{name}.did.json", content)
            self.add("directories", kind, name, {
                "input": [path], "form": "list", "at": "2026-06-01T00:00:00Z", "expect": expect, "why": why, "rules": cited,
                "listKeys": [self.trust(VECTORS / "gdhcn" / "keys" / keys)], **({"opinion": True} if opinion else {})})
        signers = [self.trust(VECTORS / "hcert" / "trust" / "who-domains.did.json")]
        path = self.write("cases/certificates/icvp/without-exp.hc1", (VECTORS / "hcert" / "cards" / "icvp-valid.hc1").read_bytes())
        self.add("certificates", "icvp", "without-exp", {
            "input": [path], "form": "hc1", "at": "2022-06-01T00:00:00Z", "expect": "valid", "why": "No exp, as in the public ones.",
            "rules": ["HCERT-P2"], "signers": signers, "opinion": True})

    def links(self):
        keys = [{"issuer": "https://issuer-a.example/cards", "file": self.trust(VECTORS / "keys" / "issuer-a.jwks.json")}]
        signers = [self.trust(VECTORS / "hcert" / "trust" / "gdhcn-v2.did.json")]
        for kind, name, text, sidecar, beside in Links(VECTORS / "links").make():
            folder = f"cases/links/{kind}"
            for file, data in beside.items():
                self.write(f"{folder}/{file}", data)
            for step in sidecar["exchange"]:
                step["answer"]["body"] = f"{folder}/{step['answer']['body']}"
            path = self.write(f"{folder}/{name}.link", text)
            self.add("links", kind, name, {**sidecar, "input": [path], "form": "link", "keys": keys, "signers": signers})

    def make(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.vectors("vectors.json", VECTORS, rules.CARDS_LEFT_OUT, rules.CARD_RULES, rules.CARD_OPINIONS, False)
        self.vectors("cases.json", VECTORS / "hcert", rules.CERTIFICATES_LEFT_OUT, rules.CERTIFICATE_RULES, rules.CERTIFICATE_OPINIONS, True)
        self.who()
        self.links()
        self.index.sort(key=lambda case: case["id"])
        self.write("index.json", ("[\n" + ",\n".join(json.dumps(case) for case in self.index) + "\n]\n").encode())
        cited = {name: {"text": self.known[name]["text"], "url": self.known[name]["section"]}
                 for name in sorted(self.cited) if not name.startswith("RFC ")}
        self.write("rules.json", (json.dumps(cited, indent=1, ensure_ascii=False) + "\n").encode())
        for file in sorted(KIT.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                self.write(file.relative_to(KIT).as_posix(), file.read_bytes())

    def archive(self, file):
        """Sorted names, one date, one owner, one mode."""
        data = io.BytesIO()
        with tarfile.open(fileobj=data, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for path in sorted(path for path in self.folder.rglob("*") if path.is_file()):
                inside = path.relative_to(self.folder).as_posix()
                entry = tarfile.TarInfo(f"{NAME}/{inside}")
                entry.size, entry.mtime = path.stat().st_size, DATE
                entry.mode = 0o755 if inside.startswith("runners/") and inside.endswith(".py") else 0o644
                archive.addfile(entry, io.BytesIO(path.read_bytes()))
        with open(file, "wb") as output, gzip.GzipFile(filename="", mode="wb", fileobj=output, compresslevel=9, mtime=0) as packed:
            packed.write(data.getvalue())


def main():
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".build" / "kit"
    target.mkdir(parents=True, exist_ok=True)
    kit = Kit(target / NAME)
    kit.make()
    archive = target / f"{NAME}.tar.gz"
    kit.archive(archive)
    opinions = sum(1 for case in kit.index if case.get("opinion"))
    print(f"{archive}: {len(kit.index)} cases, {opinions} of them opinions, {archive.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
