"""The cards, and their QR codes as arrays of modules.

Some cards are those of ../cards. The others are signed here with the test key of issuer A, because real cards are longer than
most of ../cards: they need a code of version 20 to 22.
"""

import json
import re
import sys
from functools import lru_cache
from pathlib import Path

import numpy as np
import qrcode
from PIL import Image
from qrcode.util import MODE_8BIT_BYTE, MODE_NUMBER, QRData

HERE = Path(__file__).resolve().parent
VECTORS = HERE.parent
sys.path.insert(0, str(VECTORS))
from blocks import Key, card, noise, qr  # noqa: E402

LEVELS = {"L": qrcode.ERROR_CORRECT_L, "M": qrcode.ERROR_CORRECT_M, "Q": qrcode.ERROR_CORRECT_Q, "H": qrcode.ERROR_CORRECT_H}
PREFIX = re.compile(r"shc:/(?:\d+/\d+/)?")
WEBSITE = "https://clinic.example/appointments?site=4&lang=en"
WIFI = "WIFI:T:WPA;S:Clinic Guests;P:waiting-room-2026;;"
PEOPLE = [("Anyperson", "Jana T.", 3), ("Testpatient", "Robin", 5), ("Beispiel", "Erika Maria", 6), ("Doe-Example", "Alexandra", 2),
          ("Muster", "Max Friedrich", 9), ("Nobody", "Kim", 1), ("Placeholder", "Jean Luc", 5), ("Sample", "Olivia Grace", 4),
          ("Specimen", "Noor", 8), ("Fulano", "José Antonio", 6)]


def read(name):
    return (VECTORS / "cards" / name).read_text(encoding="utf-8").strip()


def signed(index):
    """A card of issuer A for one of PEOPLE, with one to nine doses."""
    family, given, doses = PEOPLE[index]
    clinics = ["Example Hospital", "County Health Clinic No. 12", "Pharmacy at the Station", "ABC General Hospital", "Dr. Mary Placeholder",
               "Mobile Team 7", "Vaccination Centre North", "School Nurse Office"]
    entries = [{"resourceType": "Patient", "name": [{"family": family, "given": given.split()}],
                "birthDate": f"19{51 + index * 4}-0{index % 9 + 1}-{10 + index}"}]
    entries += [{"resourceType": "Immunization", "status": "completed",
                 "vaccineCode": {"coding": [{"system": "http://hl7.org/fhir/sid/cvx", "code": str(207 + dose % 3)}]},
                 "patient": {"reference": "resource:0"}, "occurrenceDateTime": f"20{18 + dose}-0{(index + dose * 3) % 9 + 1}-1{dose}",
                 "performer": [{"actor": {"display": clinics[(index + dose) % 8]}}], "lotNumber": noise(f"lot {index} {dose}", 5).hex().upper()}
                for dose in range(doses)]
    bundle = {"resourceType": "Bundle", "type": "collection",
              "entry": [{"fullUrl": f"resource:{i}", "resource": resource} for i, resource in enumerate(entries)]}
    payload = {"iss": "https://issuer-a.example/cards", "nbf": 1750000000 + index, "vc": {
        "type": ["https://smarthealth.cards#health-card", "https://smarthealth.cards#immunization"],
        "credentialSubject": {"fhirVersion": "4.0.1", "fhirBundle": bundle}}}
    return qr(card(payload, Key("issuer-a")))


@lru_cache
def cards():
    """The QR texts of all cards that one code can hold. The first is that of ../cards/inputs/qr.qr.txt."""
    texts = [read("inputs/qr.qr.txt"), read("inputs/qr-two-cards-2.qr.txt"), qr(read("valid/laboratory.jws"))]
    texts += [signed(index) for index in range(len(PEOPLE))]
    assert all(len(text) <= 5 + 2 * 1195 for text in texts) and len(set(texts)) == len(texts)
    return texts


@lru_cache
def parts():
    """The three QR texts of one long card."""
    return [read(f"inputs/chunks-{i}.qr.txt") for i in (1, 2, 3)]


def jws(text):
    digits = text.removeprefix("shc:/")
    return "".join(chr(int(digits[i:i + 2]) + 45) for i in range(0, len(digits), 2))


def health_card_file(*texts):
    return json.dumps({"verifiableCredential": [jws(text) for text in texts]}, separators=(",", ":")).encode()


@lru_cache(maxsize=None)
def modules(text, level="L", one_segment=False):
    """The code as an array, True for dark. The text of a card gets a byte segment and a numeric segment."""
    code = qrcode.QRCode(error_correction=LEVELS[level], border=0)
    prefix = PREFIX.match(text)
    if prefix and not one_segment:
        code.add_data(QRData(text[:prefix.end()].encode(), MODE_8BIT_BYTE), optimize=0)
        code.add_data(QRData(text[prefix.end():].encode(), MODE_NUMBER), optimize=0)
    else:
        code.add_data(QRData(text.encode(), MODE_8BIT_BYTE), optimize=0)
    code.make(fit=True)
    array = np.array(code.modules, dtype=bool)
    array.flags.writeable = False
    return array


def version(array):
    return (array.shape[0] - 17) // 4


def drawn(array, pitch, quiet=4, dark=0, light=255):
    """A grey image of the code. `pitch` is in pixels a module. If it is not whole, the code is resampled to it."""
    padded = np.pad(array, quiet)
    whole = max(1, int(np.ceil(pitch)))
    image = Image.fromarray(np.where(np.kron(padded, np.ones((whole, whole), bool)), dark, light).astype(np.uint8))
    side = round(padded.shape[0] * pitch)
    return image if side == image.width else image.resize((side, side), Image.BICUBIC)
