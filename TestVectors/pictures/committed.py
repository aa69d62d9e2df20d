"""The small set of pictures in this folder: one for each format, and one for each outcome."""

import io
import json
import struct
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

import documents
import sheets
from camera import Light, View, crumpled, shoot
from classes import HEIF, exif, heif, stored
from codes import VECTORS, WEBSITE, cards, drawn, health_card_file, jws, modules, parts, read, version

HERE = Path(__file__).resolve().parent
ENTRIES = []
CARD = cards()[0]
SECOND = cards()[1]


def random(file):
    return np.random.default_rng(zlib.crc32(file.encode()))


def entry(file, outcome, why, texts=(), others=(), attached=()):
    """Adds an entry and returns the path to write to."""
    found = {"file": file, "texts": sorted(texts), "others": sorted(others)} | ({"attached": list(attached)} if attached else {})
    ENTRIES.append(found | {"outcome": outcome, "why": why})
    return HERE / file


def leaflet(file, array, pitch=4):
    """A piece of a letter with the code."""
    side = (array.shape[0] + 8) * pitch
    return sheets.page(array, pitch, random(file), width=side + 80 * pitch, height=side + 130 * pitch)[0]


def labelled(array, label, pitch=4):
    """A code with one line of text below it."""
    code = drawn(array, pitch)
    image = Image.new("L", (code.width, code.height + 40), 255)
    image.paste(code, (0, 0))
    ImageDraw.Draw(image).text((4 * pitch, code.height), label, 0, sheets.font(22))
    return image


def write_formats():
    array = modules(CARD)
    letter = leaflet("card", array)
    has_card = {"outcome": "pass", "texts": [CARD]}
    colour = letter.convert("RGB")
    blank = Image.new("L", letter.size, 255)
    ImageDraw.Draw(blank).text((40, 40), "This page has no code", 0, sheets.font(30))

    letter.save(entry("card.png", why="PNG, grey", **has_card), optimize=True)
    stored(colour, 6).save(entry("card.jpg", why="JPEG, stored turned by 90 degrees (EXIF orientation 6)", **has_card),
                           quality=60, exif=exif(6))
    letter.save(entry("card-grey.jpg", why="JPEG, grey", **has_card), quality=55)
    small = leaflet("card", array, 3)
    small.convert("CMYK").save(entry("card-cmyk.jpg", why="JPEG, CMYK as Adobe programs write it", **has_card), quality=50)
    small.save(entry("card-progressive.jpg", why="JPEG, progressive", **has_card), quality=60, progressive=True)
    colour.save(entry("card.webp", why="WebP, lossy", **has_card), quality=50, method=6)
    letter.save(entry("card.gif", why="GIF", **has_card))
    letter.save(entry("card-animated.gif", why="GIF with two frames, the code in the first", **has_card), save_all=True,
                append_images=[blank], duration=500, loop=0)
    colour.save(entry("card-animated.webp", why="WebP with two frames, the code in the first", **has_card), save_all=True,
                append_images=[blank.convert("RGB")], duration=500, loop=0, lossless=True, method=6)
    blank.convert("1").save(entry("card.tiff", why="TIFF with two pages (CCITT G4), the code on the second", **has_card), save_all=True,
                            append_images=[letter.convert("1", dither=Image.NONE)], compression="group4", dpi=(200, 200))
    drawn(array, 4).convert("1").save(entry("card.bmp", why="BMP, one bit a pixel", **has_card))
    path = entry("card.heic", why="HEIC", **has_card)
    if HEIF:
        path.write_bytes(heif(colour, 40))
    elif not path.exists():
        ENTRIES.pop()
    entry("card.svg", why="SVG without width and height", **has_card).write_bytes(documents.svg(array))
    entry("card.pdf", why="PDF, drawn as rectangles", **has_card).write_bytes(documents.drawn_pdf(array, 60))
    pdf = documents.PDF()
    pdf.page(documents.text_in_pdf(60, 770, documents.LETTER + ["", "The card is attached to this document."]))
    pdf.attach("card.smart-health-card", health_card_file(CARD))
    entry("card-attachment.pdf", "pass", "PDF without a code; the card is attached as a .smart-health-card file",
          attached=[jws(CARD)]).write_bytes(pdf.bytes())
    entry("card-empty-password.pdf", why="PDF, encrypted, but opens without a password", **has_card).write_bytes(
        documents.drawn_pdf(array, 60, password=""))
    entry("card-password.pdf", "picture-unreadable", "PDF that needs a password: it must be refused").write_bytes(
        documents.drawn_pdf(array, 60, password="secret"))


def write_scenes():
    rng, size, array = random("photo.jpg"), (1600, 1200), modules(CARD)
    sheet = sheets.printed(array, 9, rng, spread=0.05, width=2600, height=2700, at=(700, 900))
    light = Light(defocus=0.9, gradient=(0.2, 30), shadows=[(-0.26, 160, 0.03, 0.35)], noise=0.006, warmth=0.4, sharpening=0.3)
    view = View(6.2, 19, 35, -11, (0.53, 0.5))
    shoot(sheet, size, view, light, sheets.table(rng, size, "wood"), rng, crumpled(rng, 420, 0.7, 7, 0.5)).save(
        entry("photo.jpg", "pass", "a photograph of a letter on a table (simulated)", [CARD]), quality=72, subsampling=2)
    sheets.phone(array, random("screenshot.png"), 9)[0].quantize(48).save(
        entry("screenshot.png", "pass", "a phone's screenshot of a wallet", [CARD]), optimize=True)


def write_several():
    def poster(file, labels, columns, pitch=4, **expected):
        codes = [(drawn(modules(text), pitch), label) for text, label in labels]
        side = max(code.width for code, _ in codes)
        rows = -(-len(codes) // columns)
        image = sheets.poster(codes, random(file), (round(side * columns * 1.15), round(side * rows * 1.3)), columns)
        image.quantize(16).save(entry(file, **expected), optimize=True)

    poster("two-cards.png", [(CARD, "Card 1"), (SECOND, "Card 2")], 2, outcome="pass", why="two cards", texts=[CARD, SECOND])
    poster("card-and-website.png", [(CARD, "Your health card"), (WEBSITE, "Our website")], 2, outcome="pass",
           why="a card beside the code of a website", texts=[CARD], others=[WEBSITE])
    spaced = read("inputs/jws-header-space-forged.jws")
    poster("card-and-forged-jws.png", [(CARD, "Your health card"), (spaced, "Another")], 2, outcome="signature-invalid",
           why="a card beside a forged JWS, whose header begins with white space", texts=[CARD], others=[spaced])
    for file, outcome, why, content in (
            ("card-and-forged-jws.pdf", "signature-invalid", "a forged JWS, whose header begins with white space", spaced.encode()),
            ("card-and-refused-file.pdf", "malformed-input", "a card file with its list twice",
             (VECTORS / "cards/files/duplicate-list.smart-health-card").read_bytes()),
            ("card-and-forged-cwt.pdf", "keys-unavailable", "a forged EU certificate in CBOR",
             (VECTORS / "hcert/cards/input-cwt-forged.cwt").read_bytes())):
        pdf = documents.PDF()
        pdf.page(documents.text_in_pdf(60, 770, documents.LETTER))
        pdf.attach("a.smart-health-card", health_card_file(CARD))
        pdf.attach("b", content)
        entry(file, outcome, f"PDF with a card and {why} as attachments", attached=[jws(CARD)]).write_bytes(pdf.bytes())
    write_attached_documents()
    poster("chunks.png", [(text, f"Code {i + 1} of 3") for i, text in enumerate(parts())], 3, 3, outcome="pass",
           why="all three parts of a card", texts=parts())
    for i, text in enumerate(parts()):
        path = entry(f"chunk-{i + 1}.png", "qr-chunk-missing", f"part {i + 1} of 3 of a card; the three files together pass", [text])
        labelled(modules(text), f"Code {i + 1} of 3", 3).convert("1", dither=Image.NONE).save(path, optimize=True)


def attaching(*contents):
    """A PDF whose pages have no code, with these attachments."""
    pdf = documents.PDF()
    pdf.page(documents.text_in_pdf(60, 770, documents.LETTER))
    for number, content in enumerate(contents):
        pdf.attach(f"attachment-{number}", content)
    return pdf.bytes()


def write_attached_documents():
    """Pictures and PDFs that are attached to a PDF are searched, but not what is attached to those in turn."""
    picture, inner = io.BytesIO(), attaching(health_card_file(SECOND))
    labelled(modules(forged()), "Health card", 3).convert("1", dither=Image.NONE).save(picture, "PNG", optimize=True)
    drawn_card = documents.drawn_pdf(modules(CARD), 60)
    entry("attached-pdf.pdf", "pass", "PDF with two PDFs attached: one has a code, and one a card file attached", [CARD],
          attached=[jws(SECOND)]).write_bytes(attaching(drawn_card, inner))
    entry("attached-forged-picture.pdf", "signature-invalid", "PDF with a card file and a picture of a forged card attached",
          [forged()], attached=[jws(CARD)]).write_bytes(attaching(health_card_file(CARD), picture.getvalue()))
    entry("attached-damaged-picture.pdf", "picture-unreadable", "PDF with a card file and a damaged picture attached",
          attached=[jws(CARD)]).write_bytes(attaching(health_card_file(CARD), picture.getvalue()[:300]))
    entry("attached-too-deep.pdf", "picture-unreadable", "PDF with a card, and a PDF that has a picture attached in turn",
          attached=[jws(CARD)]).write_bytes(attaching(health_card_file(CARD), attaching(picture.getvalue())))


    entry("attached-pdf-and-jws.pdf", "malformed-input", "PDF with a card, and a file that is a PDF and a forged JWS at once",
          attached=[jws(CARD)]).write_bytes(
              attaching(health_card_file(CARD), read("inputs/jws-header-space-forged.jws").encode() + b"\n" + attaching()))
    headless = attaching(health_card_file(forged()))
    entry("attached-without-header.pdf", "signature-invalid", "PDF with a card, and a PDF without its header, with a forged card attached",
          attached=sorted([jws(CARD), jws(forged())])).write_bytes(
              attaching(health_card_file(CARD), headless[headless.index(b"\n") + 1:]))
    page = b"<!DOCTYPE html>\n<html><body><svg width='9' height='9'></svg></body></html>\n"
    entry("attached-page.pdf", "pass", "PDF with a card, an HTML page with a drawing, and a text on PDF", attached=[jws(CARD)]).write_bytes(
        attaching(health_card_file(CARD), page, b"The header of a PDF is %PDF-1.4 or so.\n"))


def write_frames():
    """Pictures whose first frame or page is not all that they show."""
    genuine, changed = (labelled(modules(text), "Health card", 3) for text in (CARD, forged()))
    blank, width = Image.new("L", genuine.size, 255), genuine.width // 2
    expected = {"outcome": "signature-invalid", "texts": [CARD, forged()]}
    shown = {"save_all": True, "append_images": [changed], "duration": 500, "loop": 0}
    genuine.save(entry("forged-frame.gif", why="GIF, a forged card in the second frame", **expected), **shown)
    genuine.save(entry("forged-frame.webp", why="WebP, a forged card in the second frame", **expected), lossless=True, method=6, **shown)
    genuine.save(entry("forged-frame.png", why="PNG, a forged card in the second frame", **expected), **shown)
    genuine.save(entry("forged-animation.png", why="PNG, a forged card in the animation, which does not have the picture itself", **expected),
                 default_image=True, **shown)
    left = blank.copy()
    left.paste(genuine.crop((0, 0, width, genuine.height)), (0, 0))
    for name, options in {"split-frames.gif": {}, "split-frames.webp": {"lossless": True, "method": 6}, "split-frames.png": {}}.items():
        left.save(entry(name, "pass", "half of the code in the first frame, the other half in the second", [CARD]), save_all=True,
                  append_images=[genuine], duration=500, loop=0, **options)
    others = [Image.new("L", genuine.size, index * 4) for index in range(60)]
    genuine.save(entry("many-frames.gif", "pass", "GIF of 61 frames, of which 50 are looked at, the code in the first", [CARD]),
                 save_all=True, append_images=others, duration=100, loop=0)
    entry("two-pictures.heic", "pass", "HEIC with two pictures; the first is an empty corner of the second", [CARD]).write_bytes(
        two_pictures((HERE / "card.heic").read_bytes()))


def two_pictures(heic):
    """A HEIC with a corner of its picture before the picture. It has the boxes that heif-enc writes."""
    def box(kind, content):
        return struct.pack(">I4s", len(content) + 8, kind) + content

    def boxes(content):
        while content:
            size, kind = struct.unpack(">I4s", content[:8])
            yield kind, content[8:size]
            content = content[size:]

    file = dict(boxes(heic))
    meta = dict(boxes(file[b"meta"][4:]))
    properties = dict(boxes(meta[b"iprp"]))
    width, height = struct.unpack(">II", dict(boxes(properties[b"ipco"]))[b"ispe"][4:])
    corner = struct.pack(">IIIIiIiI", 40, 1, 40, 1, 40 - width, 2, 40 - height, 2)
    items = b"".join(box(b"infe", b"\2\0\0\0\0" + bytes([number]) + b"\0\0hvc1\0") for number in (1, 2))
    length = len(file[b"mdat"])

    def made(at):
        place = b"".join(struct.pack(">HHIHII", number, 0, at, 1, 0, length) for number in (1, 2))
        uses = b"\0\1\4\x81\2\x83\x84" + b"\0\2\3\x81\2\x83"
        content = b"\0\0\0\0" + box(b"hdlr", meta[b"hdlr"]) + box(b"pitm", meta[b"pitm"])
        content += box(b"iloc", b"\0\0\0\0D@\0\2" + place)
        content += box(b"iinf", b"\0\0\0\0\0\2" + items)
        content += box(b"iprp", box(b"ipco", properties[b"ipco"] + box(b"clap", corner))
                       + box(b"ipma", b"\0\0\0\0\0\0\0\2" + uses))
        return box(b"ftyp", file[b"ftyp"]) + box(b"meta", content)

    return made(len(made(0)) + 8) + box(b"mdat", file[b"mdat"])


def write_faults():
    def code(file, array, outcome, why, texts=(), others=(), label="Health card"):
        labelled(array, label).convert("1", dither=Image.NONE).save(entry(file, outcome, why, texts, others), optimize=True)

    changed = forged()
    code("forged.png", modules(changed), "signature-invalid", "one character of the signature was changed", [changed])
    odd = read("qr/odd-digits.qr.txt")
    code("malformed.png", modules(odd), "malformed-qr", "an odd number of digits", [odd])
    code("website.png", modules(WEBSITE), "malformed-input", "only the code of a website", others=[WEBSITE], label="Our website")
    page = Image.new("L", (700, 500), 255)
    sheets.paragraph(ImageDraw.Draw(page), (40, 40, 660, 460), 20, 0, random("nothing.png"))
    page.quantize(16).save(entry("nothing.png", "no-code-found", "a page of text without a code"), optimize=True)
    large = modules(CARD, "Q")
    assert version(large) >= 23
    code("version-23.png", large, "pass", f"version {version(large)}, larger than SMART Health Cards allows (22)", [CARD])
    code("single-segment.png", modules(CARD, "L", True), "pass", "one segment of bytes, instead of one of bytes and one of digits", [CARD])
    drawn(modules(CARD), 4, 0).convert("1").save(entry("no-quiet-zone.png", "pass", "a code up to the picture's edge", [CARD]),
                                                 optimize=True)


def forged():
    """The card's text with the 20th character of the signature changed."""
    head, signature = jws(CARD).rsplit(".", 1)
    other = "A" if signature[19] != "A" else "B"
    return "shc:/" + "".join(f"{ord(each) - 45:02}" for each in f"{head}.{signature[:19]}{other}{signature[20:]}")


def write():
    assert jws(CARD) == json.loads(read("inputs/file.smart-health-card"))["verifiableCredential"][0]
    write_formats()
    write_scenes()
    write_several()
    write_frames()
    write_faults()
    lines = ",\n".join("  " + json.dumps(each, ensure_ascii=False) for each in ENTRIES)
    (HERE / "pictures.json").write_text(f'{{\n "schemaVersion": 1,\n "pictures": [\n{lines}\n ]\n}}\n', encoding="utf-8")
    size = sum((HERE / each["file"]).stat().st_size for each in ENTRIES)
    print(f"{len(ENTRIES)} pictures, {size / 1000:.0f} kB")
