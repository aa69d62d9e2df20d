"""PDF and SVG files, written by hand, so that each has exactly the structure that its class is about."""

import hashlib
import io
import zlib

import numpy as np

MM = 72 / 25.4
A4 = (595.28, 841.89)
PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")


def rc4(key, data):
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) & 255
        state[i], state[j] = state[j], state[i]
    out, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) & 255
        j = (j + state[i]) & 255
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) & 255])
    return bytes(out)


class PDF:
    """A PDF of drawn pages. With a `password` (which may be empty) it is encrypted with RC4 of 40 bits.

    Only streams are encrypted. Encrypted files must therefore not contain strings outside of streams."""

    def __init__(self, password=None):
        self.objects, self.pages, self.attachments = [], [], []
        self.catalog, self.tree = self.reserve(), self.reserve()
        self.font = self.add(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
        self.password = password

    def reserve(self):
        self.objects.append(None)
        return len(self.objects)

    def add(self, body, stream=None):
        number = self.reserve()
        self.objects[number - 1] = (body, stream)
        return number

    def stream(self, content, entries=b"", compress=True):
        if compress:
            content, entries = zlib.compress(content, 9), entries + b" /Filter /FlateDecode"
        return self.add(b"<< %s /Length %d >>" % (entries, len(content)), content)

    def image(self, image, quality=None):
        """An image object: JPEG with a quality, otherwise lossless."""
        space = {"L": b"/DeviceGray", "RGB": b"/DeviceRGB", "1": b"/DeviceGray"}[image.mode]
        entries = b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace %s /BitsPerComponent %d" % (
            *image.size, space, 1 if image.mode == "1" else 8)
        if quality is None:
            return self.stream(image.tobytes(), entries)
        content = io.BytesIO()
        image.save(content, "JPEG", quality=quality)
        return self.stream(content.getvalue(), entries + b" /Filter /DCTDecode", compress=False)

    def page(self, content, images={}, size=A4):
        resources = b" ".join(b"/%s %d 0 R" % (name.encode(), number) for name, number in images.items())
        stream = self.stream(content.encode("latin-1"))
        self.pages.append(self.add(
            b"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %.2f %.2f] /Contents %d 0 R "
            b"/Resources << /Font << /F %d 0 R >> /XObject << %s >> >> >>" % (self.tree, *size, stream, self.font, resources)))

    def attach(self, name, content):
        file = self.stream(content, b"/Type /EmbeddedFile /Subtype /application#2Fsmart-health-card")
        self.attachments.append((name, self.add(
            b"<< /Type /Filespec /F (%s) /UF (%s) /EF << /F %d 0 R >> >>" % (name.encode(), name.encode(), file))))

    def bytes(self):
        names = b""
        if self.attachments:
            listed = b" ".join(b"(%s) %d 0 R" % (name.encode(), number) for name, number in sorted(self.attachments))
            names = b" /Names << /EmbeddedFiles << /Names [%s] >> >>" % listed
        self.objects[self.catalog - 1] = (b"<< /Type /Catalog /Pages %d 0 R%s >>" % (self.tree, names), None)
        kids = b" ".join(b"%d 0 R" % number for number in self.pages)
        self.objects[self.tree - 1] = (b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(self.pages), kids), None)
        identifier = hashlib.md5(repr(self.objects).encode()).digest()
        trailer, key = b"/ID [<%s> <%s>]" % ((identifier.hex().encode(),) * 2), None
        if self.password is not None:
            padded = (self.password.encode() + PADDING)[:32]
            owner = rc4(hashlib.md5((b"owner" + PADDING)[:32]).digest()[:5], padded)
            permissions = 0xFFFFFFFC
            key = hashlib.md5(padded + owner + permissions.to_bytes(4, "little") + identifier).digest()[:5]
            entry = b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >>" % (owner.hex().encode(), rc4(key, PADDING).hex().encode())
            trailer += b" /Encrypt %s" % entry
        out, offsets = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"), []
        for number, (body, stream) in enumerate(self.objects, 1):
            offsets.append(len(out))
            out += b"%d 0 obj\n%s\n" % (number, body)
            if stream is not None:
                if key:
                    object_key = hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10]
                    stream = rc4(object_key, stream)
                out += b"stream\n" + stream + b"\nendstream\n"
            out += b"endobj\n"
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1) + b"".join(b"%010d 00000 n \n" % each for each in offsets)
        out += b"trailer\n<< /Size %d /Root %d 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (len(offsets) + 1, self.catalog, trailer, start)
        return bytes(out)


def runs(array):
    """The dark modules as horizontal runs: (row, first column, length)."""
    for row, line in enumerate(array):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], line.astype(np.int8), [0]))))
        for first, last in zip(edges[::2], edges[1::2]):
            yield row, int(first), int(last - first)


def squares(array):
    """The dark modules one by one, as some generators draw them."""
    for row, column in zip(*np.nonzero(array)):
        yield int(row), int(column), 1


def code_in_pdf(array, x, y, side, single=False):
    """Drawing operators for a code of `side` points, whose lower left corner is at (x, y)."""
    pitch, count = side / array.shape[0], array.shape[0]
    pieces = squares(array) if single else runs(array)
    return "0 g\n" + "\n".join(f"{x + column * pitch:.4f} {y + (count - row - 1) * pitch:.4f} {length * pitch:.4f} {pitch:.4f} re"
                               for row, column, length in pieces) + "\nf\n"


def text_in_pdf(x, y, lines, size=10, leading=14):
    shown = "\n".join(f"({line}) Tj T*" for line in lines)
    return f"BT /F {size} Tf {leading} TL {x:.2f} {y:.2f} Td\n{shown}\nET\n"


LETTER = ["Immunization record", "", "Please keep this record in a safe place. Show the code together with a photo identity",
          "document. The code holds your name, your date of birth and the doses that you received.", "",
          "If an entry is wrong, call the clinic and ask for a new record."]


def drawn_pdf(array, side_mm, pages=1, code_page=1, password=None, single=False, at=(30, 110)):
    """A letter whose code is drawn as rectangles on one of its pages."""
    pdf = PDF(password)
    for number in range(1, pages + 1):
        content = text_in_pdf(60, 770, LETTER) + text_in_pdf(280, 30, [f"page {number} of {pages}"], 8)
        if number == code_page:
            content += code_in_pdf(array, at[0] * MM, at[1] * MM, side_mm * MM, single)
        else:
            content += text_in_pdf(60, 640, LETTER[2:] * 6)
        pdf.page(content)
    return pdf.bytes()


def svg(array, style="path", quiet=4, pitch=None, unit="", background=True, turn=0):
    """A code as SVG. Without a `pitch` it has no width and height, and a module is one unit of its viewBox."""
    side = array.shape[0] + 2 * quiet
    extent = f' width="{side * pitch:g}{unit}" height="{side * pitch:g}{unit}"' if pitch else ""
    if style == "path":
        shape = '<path d="' + "".join(f"M{c + quiet} {r + quiet}h{n}v1h-{n}z" for r, c, n in runs(array)) + '"/>'
    elif style == "rects":
        shape = "".join(f'<rect x="{c + quiet}" y="{r + quiet}" width="1" height="1"/>' for r, c, _ in squares(array))
    elif style == "use":
        shape = '<defs><rect id="m" width="1" height="1"/></defs>' + "".join(
            f'<use href="#m" x="{c + quiet}" y="{r + quiet}"/>' for r, c, _ in squares(array))
    else:  # strokes, as the Python package segno writes them
        shape = '<path stroke="#000" d="' + "".join(f"M{c + quiet} {r + quiet}.5h{n}" for r, c, n in runs(array)) + '"/>'
    if turn:
        shape = f'<g transform="rotate({turn} {side / 2} {side / 2})">{shape}</g>'
    paper = f'<rect width="{side}" height="{side}" fill="#fff"/>' if background else ""
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg"{extent} viewBox="0 0 {side} {side}">'
            f"{paper}{shape}</svg>\n").encode()
