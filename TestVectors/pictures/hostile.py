#!/usr/bin/env python3
"""Makes hostile pictures and documents: bombs, loops, nonsense, and files that ask a reader to open or contact something.

    python3 TestVectors/pictures/hostile.py --output DIR [--only PREFIX]

Writes the files and DIR/hostile.json, a list of {"file", "about", "expect"}. The files have the same bytes on every machine
with the same zlib. Files that show a QR code need python3-qrcode (Debian) and are left out without it.

`expect` is one of
    no-code-found        a sound picture or document without a code
    picture-unreadable   broken, or past a bound of shcverify
    either               one of these two, since decoders differ, or malformed-input if the kind is not recognised
    memory/time          decoding or searching it takes seconds or hundreds of megabytes; any reason with exit code 10
    card                 the card that it carries must still be read

Network addresses in the files are only 127.0.0.1:9, where nothing listens. Needs Python 3.9 or later.
"""

import argparse
import base64
import gzip
import json
import random
import struct
import sys
import zlib
from pathlib import Path

try:
    import qrcode
except ImportError:
    qrcode = None

HERE = Path(__file__).resolve().parent
INPUTS = HERE.parent / "cards" / "inputs"
CARD_TEXT = (INPUTS / "qr.qr.txt").read_text(encoding="ascii").strip()
CARD_FILE = (INPUTS / "file.smart-health-card").read_bytes()
MEBI = 1 << 20

FOUND_NONE, UNREADABLE, EITHER, HEAVY, CARD = "no-code-found", "picture-unreadable", "either", "memory/time", "card"


# What programs of Debian 12 do with some of the files, given 400 MB of address space and 8 s of processor time. A program that
# is not named here ends within 3 s.
MEASURED = {
    "Pillow takes 6 s": "tiff-jpeg-progressive.tiff",
    "Pillow takes over 8 s": "jpeg-progressive.jpg jpeg-progressive-colour.jpg jpeg-arithmetic-scans.jpg",
    "libheif crashes": "heic-derived-pair.heic",
    "libheif runs out of memory": "heic-sequence-65528x65528.heic heic-grid-hidden.heic heic-grid-exponential.heic",
    "libheif takes 3 s": "heic-sequence-8000x6000.heic",
    "libheif takes 8 s": "heic-grid-tiles.heic",
    "libheif takes over 8 s": "heic-derived-chain.heic heic-overlay.heic",
    "pdfdetach crashes": "pdf-names-deep.pdf",
    "pdfdetach takes over 8 s":
        "pdf-object-stream-bomb.pdf pdf-attachments-100000.pdf pdf-attachment-1-gib.pdf pdf-attachment-16-gib.pdf "
        "pdf-attachments-1000-bombs.pdf",
    "pdftoppm crashes":
        "pdf-mask-self.pdf pdf-shading-decode.pdf pdf-function-deep.pdf pdf-function-jumps.pdf pdf-cmap-self.pdf",
    "pdftoppm runs out of memory":
        "pdf-content-saves.pdf pdf-content-rectangles.pdf pdf-content-clips.pdf pdf-content-brackets.pdf "
        "pdf-content-dictionaries.pdf pdf-content-string.pdf pdf-function-exponential.pdf pdf-dashes.pdf pdf-polygon.pdf",
    "pdftoppm takes 4 s": "pdf-content-once.pdf",
    "pdftoppm takes 6 s": "pdf-image-50000.pdf",
    "pdftoppm takes 8 s": "pdf-image-49-megapixels.pdf",
    "pdftoppm takes over 300 MB": "pdf-filters-10000.pdf pdf-groups-chain.pdf pdf-image-jpx-components.pdf",
    "pdftoppm takes over 8 s":
        "pdf-content-blanks.pdf pdf-content-numbers.pdf pdf-content-fills.pdf pdf-content-blends.pdf pdf-content-texts.pdf "
        "pdf-content-inline-images.pdf pdf-content-curves.pdf pdf-contents-40000.pdf pdf-forms-exponential.pdf "
        "pdf-groups-exponential.pdf pdf-masks-5000.pdf pdf-tiling-tiny.pdf pdf-tiling-large.pdf pdf-tiling-nested.pdf "
        "pdf-shading-function.pdf pdf-shading-radial.pdf pdf-shading-mesh.pdf pdf-shading-patches.pdf pdf-dashes-far.pdf "
        "pdf-lines-wide.pdf pdf-image-50000-full.pdf pdf-image-1-bit-200000.pdf pdf-image-jpeg-progressive.pdf "
        "pdf-image-fax-60000.pdf pdf-object-stream-bomb.pdf pdf-fonts-5000.pdf pdf-type3-exponential.pdf",
    "rsvg-convert crashes": "svg-include-self.svg svg-filter-convolve.svg svg-text-huge.svg",
    "rsvg-convert runs out of memory":
        "svg-entities-quadratic.svg svg-filter-blur.svg svg-filter-blurs.svg svg-filter-uses.svg svg-filter-many.svg "
        "svg-compressed-bomb.svgz svg-elements.svgz",
    "rsvg-convert takes 5 s": "svg-uses.svg",
    "rsvg-convert takes over 8 s":
        "svg-data-jpeg.svg svg-filter-turbulence.svg svg-filter-turbulence-huge.svg svg-filter-morphology.svg "
        "svg-filter-merge.svg svg-filter-lighting.svg svg-uses-opacity.svg svg-markers.svg svg-style-rules.svg "
        "svg-path-crossing.svg",
    "zbar takes 6 s": "code-chessboard-1.png code-noise-49.png",
    "zbar takes over 8 s": "code-finders-small.png code-stripes-wide.png",
    "zxing-cpp takes 6 s": "code-qr-200.png",
    "zxing-cpp takes over 8 s": "code-finders-12100.png code-finders-small.png code-finders-nested.png",
}


class Folder:
    """The folder that is written, and its index."""

    def __init__(self, path, only):
        self.path, self.only, self.index = path, only, []

    def add(self, file, about, expect, content):
        """Writes one file. `content` is bytes, or a function that returns them."""
        if not file.startswith(self.only):
            return
        assert all(entry["file"] != file for entry in self.index), file
        (self.path / file).write_bytes(content() if callable(content) else content)
        measured = [f" {result}." for result, files in MEASURED.items() if file in files.split()]
        self.index.append({"file": file, "about": about + "".join(measured), "expect": expect})

    def damaged(self, kind, suffix, magic, sound, expect=EITHER):
        """Adds cut copies of a sound file, its magic bytes alone, and the magic bytes before random ones."""
        for percent in (10, 50, 90):
            self.add(f"{kind}-cut-{percent}.{suffix}", f"Ends after {percent} % of its bytes.", expect,
                     sound[:len(sound) * percent // 100])
        self.add(f"{kind}-cut-last-byte.{suffix}", "Lacks only the last byte.", EITHER, sound[:-1])
        self.add(f"{kind}-magic-only.{suffix}", "Is only the magic bytes.", EITHER, magic)
        self.add(f"{kind}-magic-random.{suffix}", "Is random after the magic bytes.", EITHER, magic + noise(kind, 20000))
        for seed in range(4):
            self.add(f"{kind}-flipped-{seed}.{suffix}", "Has wrong bytes at random places.", EITHER,
                     flipped(sound, f"{kind}{seed}"))


def noise(name, size):
    return random.Random(f"hostile {name}").randbytes(size)


def flipped(content, name):
    """A copy with one wrong byte in about every two hundred, and at least three."""
    generator, changed = random.Random(f"flipped {name}"), bytearray(content)
    for _ in range(3 + len(content) // 200):
        changed[generator.randrange(len(changed))] ^= 1 << generator.randrange(8)
    return bytes(changed)


def be16(number):
    return number.to_bytes(2, "big")


def be32(number):
    return number.to_bytes(4, "big")


def le16(number):
    return number.to_bytes(2, "little")


def le32(number):
    return number.to_bytes(4, "little")


def repeated(*parts):
    """A zlib stream of parts (unit, count), made without ever holding what it inflates to."""
    body, low, high = [], 1, 0
    for unit, count in parts:
        if not unit or not count:
            continue
        # After a full flush nothing refers to earlier bytes, so the same compressed bytes can follow any number of times.
        deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
        body.append((deflater.compress(unit) + deflater.flush(zlib.Z_FULL_FLUSH)) * count)
        checksum = zlib.adler32(unit)
        for _ in range(count):
            high = (high + (checksum >> 16) + (low - 1) * len(unit)) % 65521
            low = (low + (checksum & 0xFFFF) - 1) % 65521
    return b"\x78\xda" + b"".join(body) + b"\x03\x00" + be32(high << 16 | low)


def filled(size, byte=b"\0"):
    """A zlib stream that inflates to `size` equal bytes."""
    return repeated((byte * MEBI, size // MEBI), (byte * (size % MEBI), 1))


class Bits:
    """Collects bits. `text` has them in writing order."""

    def __init__(self):
        self.text = []

    def high_first(self, value, count):
        self.text.append(format(value, f"0{count}b"))

    def low_first(self, value, count):
        self.text.append(format(value, f"0{count}b")[::-1])

    def packed(self, fill, reverse=False):
        """The bytes, with the first bit highest, or lowest if `reverse`. `fill` completes the last byte."""
        text = "".join(self.text)
        text += fill * (-len(text) % 8)
        if not text:
            return b""
        return int(text[::-1], 2).to_bytes(len(text) // 8, "little") if reverse else int(text, 2).to_bytes(len(text) // 8, "big")


# Codes. A grid is a list of rows, each a text of 0 (white) and 1 (black).

def qr_grid(*segments, border=4):
    code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_L, border=border, mask_pattern=3)
    for segment in segments:
        code.add_data(segment, optimize=0)
    code.make(fit=True)
    return ["".join("1" if black else "0" for black in row) for row in code.get_matrix()]


def card_grid():
    """The QR code of a valid card: a byte segment "shc:/" and a numeric segment."""
    from qrcode.util import MODE_8BIT_BYTE, MODE_NUMBER, QRData
    return qr_grid(QRData(CARD_TEXT[:5], mode=MODE_8BIT_BYTE), QRData(CARD_TEXT[5:], mode=MODE_NUMBER))


def scaled(grid, factor):
    return [row for line in grid for row in [line.translate({48: "0" * factor, 49: "1" * factor})] * factor]


FINDER = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]


# PNG

PNG_MAGIC = b"\x89PNG\r\n\x1a\n"
GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6


def chunk(name, content, crc=None):
    return be32(len(content)) + name + content + be32(zlib.crc32(name + content) if crc is None else crc)


def ihdr(width, height, depth=8, colour=GREY, compression=0, interlace=0):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, compression, 0, interlace))


def png(header, data, before=b"", after=b"", trailer=b""):
    """A PNG of a header and a zlib stream, with other chunks before and after IDAT, and bytes after its end."""
    return PNG_MAGIC + header + before + chunk(b"IDAT", data) + after + chunk(b"IEND", b"") + trailer


def bilevel_rows(grid):
    """The rows of a grid as a 1-bit PNG has them: white is 1."""
    width = len(grid[0])
    padding, size = -width % 8, (width + 7) // 8
    made = {}
    for row in grid:
        if row not in made:
            made[row] = b"\0" + (int(row.translate({48: "1", 49: "0"}), 2) << padding).to_bytes(size, "big")
        yield made[row]


def grid_png(grid, **options):
    return png(ihdr(len(grid[0]), len(grid), 1), zlib.compress(b"".join(bilevel_rows(grid)), 6), **options)


def flat_png(width, height, colour=GREY, depth=8, **options):
    """A PNG whose samples are all 0."""
    bits = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGBA: 4}[colour] * depth
    return png(ihdr(width, height, depth, colour), filled(height * (1 + (width * bits + 7) // 8)), **options)


def adam7_size(width, height, bits):
    """The number of bytes of all seven passes of an interlaced PNG."""
    passes = ((0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2), (0, 1, 1, 2))
    sizes = ((len(range(x, width, dx)), len(range(y, height, dy))) for x, dx, y, dy in passes)
    return sum(rows * (1 + (columns * bits + 7) // 8) for columns, rows in sizes if columns)


def png_files(out):
    sound = grid_png([row * 20 for row in FINDER] * 20)
    out.damaged("png", "png", PNG_MAGIC, sound)
    for name, end in {"header": 33, "idat-begun": 45}.items():
        out.add(f"png-cut-{name}.png", "Ends before the pixels.", UNREADABLE, sound[:end])
    row = zlib.compress(b"\0" * 101 * 100)
    out.add("png-crc-ihdr.png", "The checksum of IHDR is wrong.", UNREADABLE, png(ihdr(100, 100)[:-4] + b"\0" * 4, row))
    out.add("png-crc-idat.png", "The checksum of IDAT is wrong.", EITHER,
            PNG_MAGIC + ihdr(100, 100) + chunk(b"IDAT", row, 0) + chunk(b"IEND", b""))
    out.add("png-adler.png", "The checksum inside the compressed pixels is wrong.", EITHER,
            png(ihdr(100, 100), row[:-4] + b"abcd"))

    little = filled(100_000)
    out.add("png-50000-bilevel.png", "Declares 50,000 x 50,000 pixels of 1 bit, with little data.", UNREADABLE,
            png(ihdr(50_000, 50_000, 1), little))
    out.add("png-50000-rgba.png", "Declares 50,000 x 50,000 RGBA pixels, with little data.", UNREADABLE,
            png(ihdr(50_000, 50_000, 8, RGBA), little))
    out.add("png-bound-over.png", "Has 7,072 x 7,071 pixels, just over 50 megapixels, all there.", UNREADABLE,
            flat_png(7072, 7071))
    out.add("png-bound-little-data.png", "Declares 49 megapixels of RGBA in 16 bits, with little data.", EITHER,
            png(ihdr(7000, 7000, 16, RGBA), little))
    for name, colour, depth in (("rgba-16-bit", RGBA, 16), ("bilevel", GREY, 1)):
        out.add(f"png-bomb-{name}.png", f"Has 49 equal megapixels ({name.replace('-', ' ')}) in a few hundred kilobytes at most.",
                HEAVY, lambda: flat_png(7000, 7000, colour, depth))
    out.add("png-bomb-interlaced.png", "Has 49 megapixels of interlaced RGBA.", HEAVY,
            lambda: png(ihdr(7000, 7000, 8, RGBA, interlace=1), filled(adam7_size(7000, 7000, 32))))
    out.add("png-data-too-long.png", "Has 10 x 10 pixels, and pixel data that inflates to 256 MiB.", EITHER,
            lambda: png(ihdr(10, 10), filled(256 * MEBI)))
    for width, height in ((1_000_000, 20), (20, 1_000_000), (10_000_000, 1)):
        out.add(f"png-{width}x{height}.png", f"Has {width:,} x {height:,} pixels.", EITHER, flat_png(width, height, depth=1))

    for name, head in (("iCCP", b"profile\0\0"), ("zTXt", b"Comment\0\0"), ("iTXt", b"Comment\0\1\0en\0\0")):
        out.add(f"png-{name.lower()}-bomb.png", f"Its {name} chunk inflates to 256 MiB.", FOUND_NONE,
                lambda: flat_png(100, 100, before=chunk(name.encode(), head + filled(256 * MEBI))))
    out.add("png-text-chunks.png", "Has 20,000 tEXt chunks.", EITHER,
            flat_png(100, 100, before=b"".join(chunk(b"tEXt", b"k%d\0v" % i) for i in range(20_000))))
    out.add("png-ztxt-chunks.png", "Has 300 zTXt chunks of 1 MiB each.", EITHER,
            lambda: flat_png(100, 100, before=chunk(b"zTXt", b"k\0\0" + filled(MEBI)) * 300))
    out.add("png-unknown-chunks.png", "Has 30,000 empty chunks of an unknown kind.", EITHER,
            flat_png(100, 100, before=chunk(b"abCd", b"") * 30_000))
    out.add("png-empty-idat.png", "Has 30,000 empty IDAT chunks before the pixels.", FOUND_NONE,
            png(ihdr(100, 100), row, before=chunk(b"IDAT", b"") * 30_000))
    out.add("png-idat-of-one-byte.png", "Has its pixels in IDAT chunks of one byte.", FOUND_NONE,
            PNG_MAGIC + ihdr(1000, 1000) + b"".join(chunk(b"IDAT", bytes([byte])) for byte in filled(1001 * 1000)) +
            chunk(b"IEND", b""))
    out.add("png-chunk-length.png", "A chunk declares 2,147,483,647 bytes.", UNREADABLE,
            PNG_MAGIC + ihdr(9, 9) + be32(2**31 - 1) + b"IDAT" + row)
    out.add("png-chunk-length-negative.png", "A chunk declares 4,294,967,295 bytes.", UNREADABLE,
            PNG_MAGIC + ihdr(9, 9) + be32(2**32 - 1) + b"IDAT" + row)
    out.add("png-critical-chunk.png", "Has a critical chunk that nobody knows.", EITHER,
            flat_png(100, 100, before=chunk(b"ABCD", b"?")))
    out.add("png-two-ihdr.png", "Has a second, larger IHDR.", EITHER, png(ihdr(100, 100), row, before=ihdr(60_000, 60_000)))
    one = chunk(b"fcTL", struct.pack(">IIIIIHHBB", 1, 100, 100, 0, 0, 1, 1, 0, 0)) + chunk(b"fdAT", be32(2) + row)
    out.add("png-animated.png", "Is an APNG of 3,000 frames.", FOUND_NONE,
            flat_png(100, 100, before=chunk(b"acTL", be32(3000) + be32(0)), after=one * 3000))

    palette = chunk(b"PLTE", bytes(6))
    indexes = zlib.compress((b"\0" + bytes(range(100))) * 100)
    out.add("png-palette-out-of-range.png", "Its pixels name palette entries that do not exist.", EITHER,
            png(ihdr(100, 100, 8, PALETTE), indexes, before=palette))
    out.add("png-palette-none.png", "Is a palette picture without a palette.", UNREADABLE,
            png(ihdr(100, 100, 8, PALETTE), indexes))
    out.add("png-palette-257.png", "Has a palette of 257 entries.", UNREADABLE,
            png(ihdr(100, 100, 8, PALETTE), indexes, before=chunk(b"PLTE", bytes(771))))
    out.add("png-trns-too-long.png", "Its tRNS has more entries than its palette.", EITHER,
            png(ihdr(100, 100, 8, PALETTE), indexes, before=palette + chunk(b"tRNS", bytes(256))))
    out.add("png-trns-before-palette.png", "Its tRNS comes before its palette.", EITHER,
            png(ihdr(100, 100, 8, PALETTE), indexes, before=chunk(b"tRNS", b"\0") + palette))
    out.add("png-trns-rgba.png", "Has a tRNS although its pixels have alpha.", EITHER,
            flat_png(100, 100, RGBA, before=chunk(b"tRNS", bytes(6))))
    out.add("png-trns-value.png", "Its tRNS names a grey of 65,535 in an 8-bit picture.", EITHER,
            flat_png(100, 100, before=chunk(b"tRNS", b"\xff\xff")))
    for name, header in {"width-0": (0, 10), "height-0": (10, 0), "width-max": (2**31 - 1, 1), "both-max": (2**31 - 1, 2**31 - 1),
                         "width-negative": (2**32 - 1, 10), "depth-3": (10, 10, 3), "depth-0": (10, 10, 0),
                         "rgb-1-bit": (10, 10, 1, RGB),
                         "colour-5": (10, 10, 8, 5), "compression-9": (10, 10, 8, GREY, 9),
                         "interlace-7": (10, 10, 8, GREY, 0, 7)}.items():
        out.add(f"png-{name}.png", "Its header has values that no PNG may have.", UNREADABLE, png(ihdr(*header), row))


# JPEG

SOI, EOI = b"\xff\xd8", b"\xff\xd9"


def segment(marker, body):
    return bytes([0xFF, marker]) + be16(len(body) + 2) + body


def quantisation(value=8):
    return segment(0xDB, bytes([0]) + bytes([value]) * 64)


def huffman(kind, *symbols):
    """A Huffman table whose codes all have the same length, with the code of only ones left free."""
    length = len(symbols).bit_length()
    return segment(0xC4, bytes([kind]) + bytes(len(symbols) if i == length else 0 for i in range(1, 17)) + bytes(symbols))


def frame(width, height, components=1, marker=0xC0, precision=8, sampling=0x11):
    parts = b"".join(bytes([i + 1, sampling if i == 0 else 0x11, 0]) for i in range(components))
    return segment(marker, bytes([precision]) + be16(height) + be16(width) + bytes([components]) + parts)


def scan(components=(1,), first=0, last=63, before=0, now=0):
    parts = b"".join(bytes([i, 0]) for i in components)
    return segment(0xDA, bytes([len(components)]) + parts + bytes([first, last, before << 4 | now]))


def blocks(width, height):
    return ((width + 7) // 8) * ((height + 7) // 8)


DC_TABLE, AC_TABLE = huffman(0x00, 0), huffman(0x10, 0)
BASELINE = quantisation() + DC_TABLE + AC_TABLE


def flat_jpeg(width, height, components=1, before=b"", after=b"", marker=0xC0, trailer=EOI, size=None, **options):
    """A grey JPEG. Each block is two bits 0: no difference, end of block."""
    size = (blocks(width, height) * 2 * components + 7) // 8 if size is None else size
    return (SOI + before + BASELINE + frame(width, height, components, marker, **options) + scan(range(1, components + 1)) +
            bytes(size) + after + trailer)


def progressive_jpeg(width, height, scans, components=1, arithmetic=False):
    """A progressive JPEG. Each further scan goes through all blocks in about fifty bytes: its data says only "nothing here"."""
    count = blocks(width, height)
    run = Bits()
    for _ in range(-(-count // 32767)):
        run.text.append("0" + "1" * 14)
    nothing = b"" if arithmetic else run.packed("1").replace(b"\xff", b"\xff\0")
    passes = []
    for i in range(scans):
        component = (1 + i % components,)
        passes.append(scan(component, 1, 63, 1, 0) if i >= components else scan(component, 1, 63, 0, 1))
        passes.append(nothing)
    first = bytes(64 if arithmetic else (count * components + 7) // 8)
    tables = quantisation() + DC_TABLE + huffman(0x10, 0xE0)
    return (SOI + tables + frame(width, height, components, 0xCA if arithmetic else 0xC2) +
            scan(range(1, components + 1), 0, 0, 0, 1) + first + b"".join(passes) + EOI)


def grid_jpeg(grid, before=b"", trailer=EOI):
    """A JPEG of a grid with one block of 8 x 8 pixels a module."""
    bits, last = Bits(), 0
    for module in "".join(grid):
        value = -128 if module == "1" else 127
        difference, last = value - last, value
        size = abs(difference).bit_length()
        bits.text.append({0: "00", 7: "01", 8: "10"}[size])
        if size:
            bits.high_first(difference if difference > 0 else difference + (1 << size) - 1, size)
        bits.text.append("0")
    tables = quantisation() + huffman(0x00, 0, 7, 8) + AC_TABLE
    return (SOI + before + tables + frame(8 * len(grid[0]), 8 * len(grid)) + scan() +
            bits.packed("1").replace(b"\xff", b"\xff\0") + trailer)


def exif(*entries, next_ifd=0, order="<", count=None):
    """An APP1 segment with one IFD. An entry is (tag, type, count, value)."""
    ifd = struct.pack(order + "H", len(entries) if count is None else count)
    ifd += b"".join(struct.pack(order + "HHII", *entry) for entry in entries) + struct.pack(order + "I", next_ifd)
    return segment(0xE1, b"Exif\0\0" + (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", 8) + ifd)


ORIENTATION, EXIF_IFD, THUMBNAIL, THUMBNAIL_SIZE = 0x112, 0x8769, 0x201, 0x202
EXIF = {"loop": (exif((EXIF_IFD, 4, 1, 8), next_ifd=8), "Its EXIF directory names itself as the next one."),
        "orientation": (exif((ORIENTATION, 3, 1, 65535)), "Its EXIF orientation is 65,535."),
        "orientation-huge": (exif((ORIENTATION, 3, 2**32 - 1, 2**32 - 1)), "Its EXIF orientation has 4,294,967,295 values."),
        "offset": (exif((EXIF_IFD, 4, 1, 2**32 - 1), (THUMBNAIL, 4, 1, 2**32 - 8), (THUMBNAIL_SIZE, 4, 1, 2**32 - 1),
                        next_ifd=2**32 - 1),
                   "Its EXIF offsets point 4 GiB away."),
        "count": (exif((ORIENTATION, 3, 1, 1), count=65535), "Its EXIF directory declares 65,535 entries and has one."),
        "big-endian": (exif((ORIENTATION, 4, 1, 6), order=">"), "Its EXIF orientation has the wrong type."),
        "empty": (segment(0xE1, b"Exif\0\0"), "Its EXIF segment is empty.")}


def jpeg_files(out):
    out.damaged("jpeg", "jpg", SOI + b"\xff\xe0", grid_jpeg([row * 5 for row in FINDER] * 5))
    tables = SOI + BASELINE
    out.add("jpeg-header-only.jpg", "Ends after its frame header.", UNREADABLE, tables + frame(100, 100))
    out.add("jpeg-no-eoi.jpg", "Lacks its end marker.", EITHER, flat_jpeg(100, 100, trailer=b""))
    out.add("jpeg-no-data.jpg", "Declares 49 megapixels and has no data.", EITHER, tables + frame(7000, 7000) + scan() + EOI)
    for name, marker in {"baseline": 0xC0, "progressive": 0xC2, "arithmetic": 0xC9, "arithmetic-progressive": 0xCA}.items():
        out.add(f"jpeg-65500-{name}.jpg", "Declares 65,500 x 65,500 pixels, with little data.", UNREADABLE,
                tables + frame(65500, 65500, 3, marker) + scan((1, 2, 3), 0, 63 if marker in (0xC0, 0xC9) else 0) + bytes(1000) +
                EOI)
    out.add("jpeg-65500x700.jpg", "Has 65,500 x 700 pixels.", FOUND_NONE, flat_jpeg(65500, 700))
    out.add("jpeg-700x65500.jpg", "Has 700 x 65,500 pixels.", FOUND_NONE, flat_jpeg(700, 65500))
    out.add("jpeg-49-megapixels.jpg", "Has 49 megapixels in three components.", HEAVY, flat_jpeg(7000, 7000, 3))
    out.add("jpeg-progressive.jpg", "Is 7,000 x 7,000 pixels in 3,000 progressive scans.", HEAVY,
            progressive_jpeg(7000, 7000, 3000))
    out.add("jpeg-progressive-colour.jpg", "Is 4,000 x 4,000 pixels of three components in 3,000 progressive scans.", HEAVY,
            progressive_jpeg(4000, 4000, 3000, 3))
    out.add("jpeg-progressive-small.jpg", "Is 100 x 100 pixels in 20,000 progressive scans.", EITHER,
            progressive_jpeg(100, 100, 20_000))
    out.add("jpeg-arithmetic-scans.jpg", "Is 7,000 x 7,000 arithmetic-coded pixels in 300 scans.", HEAVY,
            progressive_jpeg(7000, 7000, 300, arithmetic=True))
    out.add("jpeg-arithmetic.jpg", "Is arithmetic-coded.", EITHER, flat_jpeg(100, 100, marker=0xC9))
    out.add("jpeg-lossless.jpg", "Is a lossless JPEG (SOF3).", UNREADABLE, flat_jpeg(100, 100, marker=0xC3))
    out.add("jpeg-hierarchical.jpg", "Is a hierarchical JPEG (SOF5).", UNREADABLE, flat_jpeg(100, 100, marker=0xC5))
    out.add("jpeg-ls.jpg", "Is a JPEG-LS (SOF55).", UNREADABLE, flat_jpeg(100, 100, marker=0xF7))
    out.add("jpeg-12-bit.jpg", "Has samples of 12 bits.", UNREADABLE, flat_jpeg(100, 100, precision=12))
    out.add("jpeg-0x0.jpg", "Declares 0 x 0 pixels.", UNREADABLE, flat_jpeg(0, 0, size=10))
    out.add("jpeg-dnl.jpg", "Gives its height only after the pixels (DNL).", EITHER,
            flat_jpeg(100, 0, size=100, after=segment(0xDC, be16(100))))
    out.add("jpeg-components-255.jpg", "Declares 255 components.", UNREADABLE, flat_jpeg(100, 100, 255, size=100))
    out.add("jpeg-components-2.jpg", "Has two components.", EITHER, flat_jpeg(100, 100, 2))
    out.add("jpeg-sampling-0.jpg", "Declares a sampling factor of 0.", UNREADABLE, flat_jpeg(100, 100, 3, sampling=0x00))
    out.add("jpeg-sampling-15.jpg", "Declares a sampling factor of 15.", UNREADABLE, flat_jpeg(100, 100, 3, sampling=0xFF))
    out.add("jpeg-sampling-3x1.jpg", "Has a sampling factor of 3 x 1.", EITHER, flat_jpeg(100, 100, 3, sampling=0x31, size=1000))
    out.add("jpeg-restarts.jpg", "Has 200,000 restart markers in its data.", EITHER,
            tables + segment(0xDD, be16(1)) + frame(4000, 4000) + scan() + b"\xff\xd0\xff\xd1\xff\xd2\xff\xd3" * 50_000 + EOI)
    out.add("jpeg-restarts-wrong.jpg", "Its restart markers are never the expected ones.", EITHER,
            tables + segment(0xDD, be16(1)) + frame(4000, 4000) + scan() + b"\0\xff\xd6" * 100_000 + EOI)
    out.add("jpeg-fill-bytes.jpg", "Has 512 KiB of fill bytes before a marker.", FOUND_NONE,
            flat_jpeg(100, 100, before=b"\xff" * (MEBI // 2)))
    out.add("jpeg-app-segments.jpg", "Has 40,000 APP segments.", FOUND_NONE,
            flat_jpeg(100, 100, before=segment(0xE5, b"x") * 40_000))
    out.add("jpeg-comments.jpg", "Has 8 comments of 65,533 bytes.", FOUND_NONE,
            flat_jpeg(100, 100, before=segment(0xFE, b"c" * 65533) * 8))
    out.add("jpeg-icc-parts.jpg", "Has 255 parts of a colour profile that contradict each other.", FOUND_NONE,
            flat_jpeg(100, 100,
                      before=b"".join(segment(0xE2, b"ICC_PROFILE\0" + bytes([255 - i % 7, 255]) + b"?" * 40)
                                      for i in range(255))))
    out.add("jpeg-adobe-cmyk.jpg", "Is CMYK with an Adobe marker.", EITHER,
            flat_jpeg(1000, 1000, 4, before=segment(0xEE, b"Adobe" + struct.pack(">HHHB", 100, 0, 0, 2))))
    out.add("jpeg-adobe-unknown.jpg", "Its Adobe marker names an unknown colour space.", EITHER,
            flat_jpeg(100, 100, 3, before=segment(0xEE, b"Adobe" + struct.pack(">HHHB", 100, 0, 0, 255))))
    out.add("jpeg-quantisation-0.jpg", "Its quantisation table is all 0.", EITHER, flat_jpeg(100, 100, before=quantisation(0)))
    out.add("jpeg-no-tables.jpg", "Lacks all its tables.", UNREADABLE, SOI + frame(100, 100) + scan() + bytes(100) + EOI)
    out.add("jpeg-huffman-overfull.jpg", "Its Huffman table has more codes than there can be.", UNREADABLE,
            SOI + quantisation() + segment(0xC4, bytes([0]) + bytes([255] * 16) + bytes(4080)) + AC_TABLE + frame(100, 100) +
            scan() + bytes(100) + EOI)
    out.add("jpeg-two-frames.jpg", "Has a second, larger frame header.", EITHER,
            tables + frame(8, 8) + frame(65500, 65500) + scan() + bytes(1000) + EOI)
    out.add("jpeg-size-changes.jpg", "Has a second frame header between two scans.", EITHER,
            tables + frame(800, 800, marker=0xC2) + scan(last=0) + bytes(1250) + frame(8, 65500, marker=0xC2) + scan(last=0) +
            bytes(9000) + EOI)
    out.add("jpeg-segment-length-0.jpg", "A segment declares a length of 0.", EITHER,
            SOI + b"\xff\xe1\0\0" + flat_jpeg(100, 100)[2:])
    out.add("jpeg-segment-length-65535.jpg", "A segment is longer than the file.", UNREADABLE,
            SOI + b"\xff\xe1\xff\xff" + flat_jpeg(100, 100)[2:])
    out.add("jpeg-scan-unknown.jpg", "Its scan names a component that does not exist.", UNREADABLE,
            tables + frame(100, 100) + scan((9,)) + bytes(400) + EOI)
    for name, (before, about) in EXIF.items():
        out.add(f"jpeg-exif-{name}.jpg", about, FOUND_NONE, flat_jpeg(100, 100, before=before))


# GIF

def lzw(pixels, codes=None):
    """The GIF data of equal pixels: the codes for ever longer runs. Or the data of given codes of three bits."""
    bits = Bits()
    if codes is not None:
        for code in codes:
            bits.low_first(code, 3)
        return sub_blocks(2, bits.packed("0", reverse=True))
    bits.low_first(4, 3)
    bits.low_first(0, 3)
    left, code = pixels - 1, 6
    while code < 4096 and left >= code - 4:
        bits.low_first(code, code.bit_length())
        left -= code - 4
        code += 1
    if left >= 4091:
        bits.text.append("1" * (12 * (left // 4091)))  # code 4095 stands for 4,091 pixels
        left %= 4091
    width = max(3, min(code, 4095).bit_length())
    if left:
        bits.low_first(left + 4 if left > 1 else 0, width)
    bits.low_first(5, width)
    return sub_blocks(2, bits.packed("0", reverse=True))


def sub_blocks(minimum, content):
    return bytes([minimum]) + b"".join(bytes([len(content[i:i + 255])]) + content[i:i + 255]
                                       for i in range(0, len(content), 255)) + b"\0"


def screen(width, height):
    return b"GIF89a" + le16(width) + le16(height) + b"\x81\0\0" + bytes.fromhex("ffffff000000ff000000ff00")


def gif_frame(width, height, data, x=0, y=0, flags=0):
    return b"," + le16(x) + le16(y) + le16(width) + le16(height) + bytes([flags]) + data


def grid_gif(grid, before=b""):
    """A GIF without compression: a clear code before every second pixel keeps the codes at three bits."""
    codes = [4]
    for i, module in enumerate("".join(grid)):
        codes += [4] if i % 2 == 0 and i else []
        codes.append(int(module))
    return screen(len(grid[0]), len(grid)) + before + gif_frame(len(grid[0]), len(grid), lzw(0, codes + [5])) + b";"


def gif_files(out):
    small = gif_frame(10, 10, lzw(100))
    out.damaged("gif", "gif", b"GIF89a", grid_gif([row * 5 for row in FINDER] * 5))
    out.add("gif-header-only.gif", "Ends after the screen's size.", UNREADABLE, screen(100, 100))
    out.add("gif-no-frame.gif", "Has no frame.", UNREADABLE, screen(100, 100) + b";")
    out.add("gif-screen-huge.gif", "Has a screen of 65,535 x 65,535 pixels and a frame of 10 x 10.", EITHER,
            screen(65535, 65535) + small + b";")
    out.add("gif-screen-7000.gif", "Has a screen of 7,000 x 7,000 pixels and a frame of 10 x 10.", EITHER,
            screen(7000, 7000) + small + b";")
    out.add("gif-frame-outside.gif", "Its frame lies outside its screen.", EITHER,
            screen(10, 10) + gif_frame(10, 10, lzw(100), 65000, 65000) + b";")
    out.add("gif-frame-larger.gif", "Its frame is larger than its screen.", EITHER,
            screen(10, 10) + gif_frame(5000, 5000, lzw(25_000_000)) + b";")
    out.add("gif-frame-huge.gif", "Its frame declares 65,535 x 65,535 pixels and has 100.", UNREADABLE,
            screen(10, 10) + gif_frame(65535, 65535, lzw(100)) + b";")
    out.add("gif-frame-empty.gif", "Its frame has 0 x 0 pixels.", EITHER, screen(10, 10) + gif_frame(0, 0, lzw(1)) + b";")
    out.add("gif-screen-empty.gif", "Its screen has 0 x 0 pixels.", EITHER, screen(0, 0) + small + b";")
    out.add("gif-bomb-7000.gif", "Has 49 megapixels in 18 kilobytes.", HEAVY,
            screen(7000, 7000) + gif_frame(7000, 7000, lzw(49_000_000)) + b";")
    out.add("gif-bomb-30000.gif", "Has 30,000 x 30,000 pixels, all there.", UNREADABLE,
            lambda: screen(30000, 30000) + gif_frame(30000, 30000, lzw(30000**2)) + b";")
    out.add("gif-interlaced.gif", "Has 49 interlaced megapixels.", HEAVY,
            screen(7000, 7000) + gif_frame(7000, 7000, lzw(49_000_000), flags=0x40) + b";")
    out.add("gif-frames-3000.gif", "Has 3,000 frames of 400 x 400 pixels, 480 MB in all.", EITHER,
            screen(400, 400) + gif_frame(400, 400, lzw(160_000)) * 3000 + b";")
    out.add("gif-frames-tiny.gif", "Has 20,000 frames of one pixel.", EITHER,
            screen(100, 100) + gif_frame(1, 1, lzw(1)) * 20_000 + b";")
    out.add("gif-frames-empty.gif", "Declares 1,000 frames of 65,535 x 65,535 pixels without data.", UNREADABLE,
            screen(9, 9) + gif_frame(65535, 65535, b"\2\0") * 1000 + b";")
    out.add("gif-comments.gif", "Has 20,000 comments.", EITHER,
            screen(10, 10) + (b"!\xfe" + sub_blocks(255, b"c" * 9)[1:]) * 20_000 + small + b";")
    out.add("gif-comment-long.gif", "Has one comment of 512 KiB.", EITHER,
            screen(10, 10) + b"!\xfe" + sub_blocks(0, b"c" * (MEBI // 2))[1:] + small + b";")
    out.add("gif-extensions-only.gif", "Has 100,000 empty extensions and no frame.", UNREADABLE,
            screen(10, 10) + b"!\xf9\0" * 100_000 + b";")
    out.add("gif-code-size.gif", "Declares LZW codes of 255 bits.", UNREADABLE,
            screen(10, 10) + gif_frame(10, 10, b"\xff" + lzw(100)[1:]) + b";")
    out.add("gif-lzw-random.gif", "Its pixel data is random.", EITHER,
            screen(1000, 1000) + gif_frame(1000, 1000, sub_blocks(8, noise("lzw", 100_000))) + b";")
    out.add("gif-lzw-clear.gif", "Its pixel data is 128 KiB of clear codes.", EITHER,
            screen(1000, 1000) + gif_frame(1000, 1000, sub_blocks(7, b"\x80" * (MEBI // 8))) + b";")
    out.add("gif-lzw-loop.gif", "Its codes name entries that do not exist yet.", EITHER,
            screen(100, 100) + gif_frame(100, 100, lzw(0, [4, 7, 7, 6, 7] * 800)) + b";")
    out.add("gif-no-palette.gif", "Has no palette.", EITHER, b"GIF89a" + le16(10) + le16(10) + b"\0\0\0" + small + b";")


# WebP

def riff(*chunks, size=None):
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + le32(len(body) if size is None else size) + body


def piece(name, content, size=None):
    return name + le32(len(content) if size is None else size) + content + b"\0" * (len(content) % 2)


def vp8l(width, height, rest=None):
    """A lossless picture of equal pixels: each of its five codes has one symbol, so a pixel takes no bits."""
    bits = Bits()
    bits.low_first(0x2F, 8)
    bits.low_first(width - 1, 14)
    bits.low_first(height - 1, 14)
    bits.low_first(0, 4)  # no alpha, version 0
    bits.text += ["000", "1000" * 5] if rest is None else rest
    return bits.packed("0", reverse=True)


def code_groups():
    """The rest of a lossless picture of 1,024 x 1,024 pixels: each 4 x 4 of them have a group of codes of their own."""
    # Lengths of codes are 0 or 8, told apart by one bit each. The third and the twelfth of 12 lengths of these codes are 1.
    lengths = "0" + "0001" + "000" * 2 + "100" + "000" * 8 + "100" + "0"
    green, red = lengths + "1" * 256 + "0" * 24, lengths + "1" * 256
    one_symbol = "1000"
    # A group's number is in the red and the green of a pixel.
    numbers = "".join(format(number & 255, "08b") + format(number >> 8, "08b") for number in range(65_536))
    return ["0", "0", "1", "000", "0", green, red, one_symbol * 3, numbers, one_symbol * 5 * 65_536]


def vp8(width, height, data, first=None):
    size = len(data) // 2 if first is None else first
    return ((size << 5) | 0x10).to_bytes(3, "little") + b"\x9d\x01\x2a" + le16(width) + le16(height) + data


def vp8x(width, height, flags=0):
    return piece(b"VP8X", le32(flags) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little"))


def anmf(width, height, *chunks, x=0, y=0):
    place = b"".join((n & 0xFFFFFF).to_bytes(3, "little") for n in (x // 2, y // 2, width - 1, height - 1, 100))
    return piece(b"ANMF", place + b"\0" + b"".join(chunks))


def random_bits(name, count):
    return [format(random.Random(f"bits {name}").getrandbits(count), f"0{count}b")]


def webp_files(out):
    small = piece(b"VP8L", vp8l(100, 100))
    out.damaged("webp", "webp", b"RIFF\x40\0\0\0WEBP", riff(piece(b"VP8 ", vp8(400, 400, noise("vp8", 60_000)))))
    out.add("webp-16383-lossless.webp", "Declares 16,383 x 16,383 pixels in 30 bytes, all there.", UNREADABLE,
            riff(piece(b"VP8L", vp8l(16383, 16383))))
    out.add("webp-16383-lossy.webp", "Declares 16,383 x 16,383 lossy pixels of random data.", UNREADABLE,
            riff(piece(b"VP8 ", vp8(16383, 16383, noise("lossy", 200_000)))))
    out.add("webp-bomb-7000.webp", "Has 49 megapixels in 30 bytes.", HEAVY, riff(piece(b"VP8L", vp8l(7000, 7000))))
    # These 60 bytes happen to be a header that skips most of a picture, so the random bytes after them suffice for 25 megapixels.
    out.add("webp-bomb-lossy.webp", "Has 25 megapixels of random lossy data.", HEAVY,
            riff(piece(b"VP8 ", vp8(5000, 5000, noise("lossy 9", 60) + noise("x", 600_000), 520_000))))
    out.add("webp-lossy-no-data.webp", "Declares 49 lossy megapixels without data.", UNREADABLE,
            riff(piece(b"VP8 ", vp8(7000, 7000, b""))))
    out.add("webp-cut-lossless.webp", "Its lossless data ends after the size.", UNREADABLE,
            riff(piece(b"VP8L", vp8l(1000, 1000)[:6])))
    for seed in range(6):
        transforms = ["1" + format(seed % 4, "02b")[::-1]] if seed < 4 else ["0"]
        out.add(f"webp-lossless-random-{seed}.webp", "Its lossless data is random.", EITHER,
                riff(piece(b"VP8L", vp8l(2000, 2000, transforms + random_bits(seed, 100_000)))))
    out.add("webp-code-groups.webp", "Is 1,024 x 1,024 lossless pixels with 65,536 groups of codes, about 780 MB of tables.",
            HEAVY,
            riff(piece(b"VP8L", vp8l(1024, 1024, code_groups()))))
    out.add("webp-cache-15.webp", "Declares a colour cache of 15 bits.", UNREADABLE,
            riff(piece(b"VP8L", vp8l(100, 100, ["0", "1", "1111"] + random_bits("cache", 9000)))))
    out.add("webp-frames.webp", "Is an animation of 5,000 frames.", EITHER,
            riff(vp8x(100, 100, 2), piece(b"ANIM", bytes(6)), anmf(100, 100, small) * 5000))
    out.add("webp-frames-huge.webp", "Is an animation of 2,000 frames of 7,000 x 7,000 pixels.", HEAVY,
            riff(vp8x(7000, 7000, 2), piece(b"ANIM", bytes(6)), anmf(7000, 7000, piece(b"VP8L", vp8l(7000, 7000))) * 2000))
    out.add("webp-frame-outside.webp", "Its frame lies outside its canvas.", EITHER,
            riff(vp8x(100, 100, 2), piece(b"ANIM", bytes(6)), anmf(100, 100, small, x=2**24, y=2**24)))
    out.add("webp-canvas.webp", "Declares a canvas of 16,777,216 x 16,777,216 pixels.", UNREADABLE,
            riff(vp8x(1 << 24, 1 << 24), small))
    out.add("webp-canvas-differs.webp", "Its canvas is larger than its picture.", EITHER, riff(vp8x(16383, 16383), small))
    for name, content in {"random": noise("alph", 5000), "filter": b"\x0f" + noise("alph", 5000),
                          "lossless": b"\1" + vp8l(9, 9)[5:], "empty": b""}.items():
        out.add(f"webp-alpha-{name}.webp", "Its alpha is nonsense.", EITHER,
                riff(vp8x(400, 400, 16), piece(b"ALPH", content), piece(b"VP8 ", vp8(400, 400, noise("vp8", 60_000)))))
    out.add("webp-icc-flood.webp", "Has 30,000 colour profiles.", EITHER,
            riff(vp8x(100, 100, 32), piece(b"ICCP", b"p") * 30_000, small))
    out.add("webp-unknown-chunks.webp", "Has 50,000 unknown chunks.", EITHER,
            riff(vp8x(100, 100), piece(b"ABCD", b"") * 50_000, small))
    for name, size in {"0": 0, "max": 2**32 - 1, "odd": 2**31 + 1}.items():
        out.add(f"webp-riff-size-{name}.webp", "Its RIFF size is wrong.", EITHER, riff(small, size=size))
        out.add(f"webp-chunk-size-{name}.webp", "Its chunk size is wrong.", UNREADABLE,
                riff(piece(b"VP8L", vp8l(100, 100), size=size)))
    out.add("webp-nested.webp", "Has RIFF headers inside RIFF headers.", UNREADABLE, riff(small)[:12] * 1000 + small)


# TIFF

SHORT, LONG, LONG8 = 3, 4, 16
WIDTH, HEIGHT, DEPTH, COMPRESSION, PHOTOMETRIC, STRIPS, SAMPLES, ROWS, STRIP_SIZES = 256, 257, 258, 259, 262, 273, 277, 278, 279
TILE_WIDTH, TILE_HEIGHT, TILES, TILE_SIZES, SUB_IFDS, JPEG_TABLES, SAMPLE_FORMAT = 322, 323, 324, 325, 330, 347, 339


def tiff(tags, data=b"", order="<", next_ifd=0, types={}, counts={}, magic=42, only_ifd=False):
    """A TIFF with `data` at offset 8, then one directory. Values are numbers, lists of numbers or bytes.

    `types` and `counts` replace the type (LONG) and the count of values of single tags.
    """
    start = 8 + len(data)
    start += start % 2
    later, entries = b"", []
    for tag, value in sorted(tags.items()):
        kind = types.get(tag, LONG)
        if isinstance(value, bytes):
            kind, count, packed = types.get(tag, 7), len(value), value
        else:
            values = value if isinstance(value, list) else [value]
            count, packed = len(values), struct.pack(f"{order}{len(values)}{'H' if kind == SHORT else 'I'}", *values)
        if len(packed) > 4:
            place = start + 2 + 12 * len(tags) + 4 + len(later)
            later += packed + b"\0" * (len(packed) % 2)
            packed = struct.pack(order + "I", place)
        entries.append(struct.pack(order + "HHI", tag, kind, counts.get(tag, count)) + packed.ljust(4, b"\0"))
    directory = struct.pack(order + "H", len(tags)) + b"".join(entries) + struct.pack(order + "I", next_ifd) + later
    head = (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", magic, start)
    return (head + data).ljust(start, b"\0") + directory


def strip_tags(width, height, size, compression=1, depth=8):
    return {WIDTH: width, HEIGHT: height, DEPTH: depth, COMPRESSION: compression, PHOTOMETRIC: 1, STRIPS: 8, SAMPLES: 1,
            ROWS: height, STRIP_SIZES: size}


def strip_tiff(width, height, data, compression=1, depth=8, extra={}, **options):
    return tiff({**strip_tags(width, height, len(data), compression, depth), **extra}, data, **options)


def tile_tiff(width, height, tile_width, tile_height, data, count, compression=1, extra={}):
    return tiff({WIDTH: width, HEIGHT: height, DEPTH: 8, COMPRESSION: compression, PHOTOMETRIC: 1, SAMPLES: 1,
                 TILE_WIDTH: tile_width,
                 TILE_HEIGHT: tile_height, TILES: [8] * count, TILE_SIZES: [len(data)] * count, **extra}, data)


def tiff_files(out):
    plain = bytes(100 * 100)
    sound = strip_tiff(100, 100, plain)
    out.damaged("tiff", "tiff", b"II*\0", sound)
    out.add("tiff-big-endian.tiff", "Is big-endian.", FOUND_NONE, strip_tiff(100, 100, plain, order=">"))
    out.add("tiff-mixed-endian.tiff", "Says little-endian and is big-endian.", UNREADABLE,
            b"II" + strip_tiff(100, 100, plain, order=">")[2:])
    out.add("tiff-header-only.tiff", "Is only a header.", UNREADABLE, b"II*\0\x08\0\0\0")
    out.add("tiff-ifd-outside.tiff", "Its directory lies 4 GiB away.", UNREADABLE, b"II*\0\xfe\xff\xff\xff" + bytes(100))
    out.add("tiff-ifd-in-header.tiff", "Its directory is its own header.", UNREADABLE, b"II*\0\0\0\0\0" + bytes(100))
    big = b"II+\0\x08\0\0\0" + struct.pack("<QQ", 16, 4)
    for tag, value in ((WIDTH, 100), (HEIGHT, 100), (STRIPS, 2**63), (STRIP_SIZES, 2**63)):
        big += struct.pack("<HHQQ", tag, LONG8, 1, value)
    out.add("tiff-big.tiff", "Is a BigTIFF whose strip lies at 2^63.", UNREADABLE, big + bytes(8))
    out.add("tiff-big-entries.tiff", "Is a BigTIFF that declares 2^64 - 1 entries.", UNREADABLE,
            big[:16] + b"\xff" * 8 + big[24:])
    loop = strip_tiff(100, 100, plain)
    out.add("tiff-ifd-loop.tiff", "Its directory names itself as the next one.", EITHER,
            strip_tiff(100, 100, plain, next_ifd=8 + len(plain)))
    out.add("tiff-sub-ifd-loop.tiff", "Its directory names itself as a part.", EITHER,
            strip_tiff(100, 100, plain, extra={SUB_IFDS: 8 + len(plain), 0x8769: 8 + len(plain)}))
    entry = tiff(strip_tags(100, 100, len(plain)), plain)[8 + len(plain):-4]
    chain = b"".join(entry + le32(8 + len(plain) + (i + 1) * (len(entry) + 4) if i < 9999 else 0) for i in range(10_000))
    out.add("tiff-ifds-10000.tiff", "Has 10,000 directories.", EITHER, loop[:8 + len(plain)] + chain)
    back = b"".join(entry + le32(8 + len(plain) + (i + 1) % 1000 * (len(entry) + 4)) for i in range(1000))
    out.add("tiff-ifds-ring.tiff", "Has 1,000 directories in a ring.", EITHER, loop[:8 + len(plain)] + back)
    out.add("tiff-size-max.tiff", "Declares 4,294,967,295 x 4,294,967,295 pixels.", UNREADABLE,
            strip_tiff(2**32 - 1, 2**32 - 1, plain))
    out.add("tiff-size-50000.tiff", "Declares 50,000 x 50,000 pixels, with little data.", UNREADABLE,
            strip_tiff(50_000, 50_000, plain))
    out.add("tiff-size-7000.tiff", "Declares 7,000 x 7,000 pixels, with little data.", EITHER, strip_tiff(7000, 7000, plain))
    out.add("tiff-size-0.tiff", "Declares 0 x 0 pixels.", UNREADABLE, strip_tiff(0, 0, plain))
    out.add("tiff-width-max.tiff", "Declares 2,147,483,647 x 1 pixels.", UNREADABLE, strip_tiff(2**31 - 1, 1, plain))
    out.add("tiff-strip-size.tiff", "Its strip declares 4 GiB.", EITHER,
            strip_tiff(100, 100, plain, extra={STRIP_SIZES: 2**32 - 1}))
    out.add("tiff-strip-offset.tiff", "Its strip lies outside the file.", UNREADABLE,
            strip_tiff(100, 100, plain, extra={STRIPS: 2**32 - 16}))
    out.add("tiff-strip-count.tiff", "Declares 536,870,911 strips.", EITHER,
            strip_tiff(100, 100, plain, extra={ROWS: 1}, counts={STRIPS: 2**29 - 1, STRIP_SIZES: 2**29 - 1}))
    out.add("tiff-rows-0.tiff", "Has 0 rows in a strip.", EITHER, strip_tiff(100, 100, plain, extra={ROWS: 0}))
    out.add("tiff-rows-1.tiff", "Declares 40,000,000 rows of one pixel, each a strip of its own.", EITHER,
            strip_tiff(1, 40_000_000, plain, extra={ROWS: 1}))
    out.add("tiff-tag-count.tiff", "A text tag declares 4 GiB.", EITHER,
            strip_tiff(100, 100, plain, extra={270: b"x" * 10}, counts={270: 2**32 - 1}))
    out.add("tiff-entries-65535.tiff", "Its directory declares 65,535 entries.", EITHER,
            sound[:8 + len(plain)] + b"\xff\xff" + sound[10 + len(plain):])
    out.add("tiff-tags-unknown.tiff", "Has 25,000 unknown tags.", EITHER,
            strip_tiff(100, 100, plain, extra={40_000 + i: i for i in range(25_000)}))
    out.add("tiff-no-strips.tiff", "Has no strips.", UNREADABLE,
            tiff({WIDTH: 100, HEIGHT: 100, DEPTH: 8, COMPRESSION: 1, PHOTOMETRIC: 1}))
    for name, compression, data in (("deflate", 8, filled(49_000_000)), ("g4", 4, b"\xff" * 1000)):
        depth = 1 if name == "g4" else 8
        out.add(f"tiff-bomb-{name}.tiff", f"Has 49 equal megapixels ({name}).", HEAVY,
                strip_tiff(7000, 7000, data, compression, depth))
    out.add("tiff-deflate-too-long.tiff", "Has 100 x 100 pixels in a strip that inflates to 256 MiB.", EITHER,
            lambda: strip_tiff(100, 100, filled(256 * MEBI), 8))
    out.add("tiff-strips-shared.tiff", "Has 7,000 strips that are all the same bytes.", FOUND_NONE,
            strip_tiff(7000, 7000, zlib.compress(bytes(7000)), 8,
                       extra={ROWS: 1, STRIPS: [8] * 7000, STRIP_SIZES: [len(zlib.compress(bytes(7000)))] * 7000}))
    out.add("tiff-g4-50000.tiff", "Has 50,000 x 50,000 white pixels in 7 kilobytes.", UNREADABLE,
            strip_tiff(50_000, 50_000, b"\xff" * 6251, 4, 1))
    for name, compression in {"g3": 3, "g4": 4, "lzw": 5, "jpeg-old": 6, "jpeg": 7, "deflate": 8, "jbig": 34661, "logluv": 34676,
                              "lzma": 34925,
                              "zstd": 50000, "webp": 50001, "thunderscan": 32809, "next": 32766, "pixarlog": 32909}.items():
        out.add(f"tiff-random-{name}.tiff", f"Its {name} data is random.", EITHER,
                strip_tiff(1000, 1000, noise(name, 20_000), compression,
                           1 if name in ("g3", "g4", "jbig") else 4 if name in ("thunderscan",) else 8))
    out.add("tiff-lzw-clear.tiff", "Its LZW data is 256 KiB of clear codes.", EITHER,
            strip_tiff(1000, 1000, b"\x80\x40\x20\x10\x08\x04\x02\x01\x00" * 29_000, 5))
    bomb = progressive_jpeg(7000, 7000, 1000)
    out.add("tiff-jpeg-progressive.tiff", "Has a JPEG of 1,000 progressive scans inside.", HEAVY, strip_tiff(7000, 7000, bomb, 7))
    out.add("tiff-jpeg-larger.tiff", "Says 100 x 100 pixels; the JPEG inside has 65,500 x 65,500.", EITHER,
            strip_tiff(100, 100, SOI + BASELINE + frame(65500, 65500) + scan() + bytes(1000) + EOI, 7))
    out.add("tiff-jpeg-smaller.tiff", "Says 7,000 x 7,000 pixels; the JPEG inside has 8 x 8.", EITHER,
            strip_tiff(7000, 7000, flat_jpeg(8, 8), 7))
    out.add("tiff-jpeg-old.tiff", "Is an old-style JPEG whose offsets point outside.", EITHER,
            strip_tiff(100, 100, flat_jpeg(100, 100), 6,
                       extra={512: 1, 513: 2**32 - 1, 514: 2**32 - 1, 519: [2**32 - 1] * 3, 520: [9] * 3, 521: [9] * 3}))
    for name, (width, height) in {"huge": (2**31 - 16, 2**31 - 16), "wide": (2**31 - 16, 16), "0": (0, 0),
                                  "odd": (17, 17)}.items():
        out.add(f"tiff-tile-{name}.tiff", f"Declares tiles of {width:,} x {height:,} pixels.", EITHER,
                tile_tiff(100, 100, width, height, plain, 1))
    packed = filled(4096 * 4096)
    out.add("tiff-tile-bomb.tiff", "Has 100 x 100 pixels in a tile of 16 megapixels.", EITHER,
            tile_tiff(100, 100, 4096, 4096, packed, 1, 8))
    out.add("tiff-tiles-bomb.tiff", "Has 16 x 40,000 pixels in tiles that inflate to 2.4 GiB.", EITHER,
            tile_tiff(16, 40_000, 65_536, 16, filled(65_536 * 16), 2500, 8))
    out.add("tiff-samples-65535.tiff", "Has 65,535 samples a pixel.", EITHER, strip_tiff(100, 100, plain, extra={SAMPLES: 65535}))
    out.add("tiff-depth-0.tiff", "Has samples of 0 bits.", UNREADABLE, strip_tiff(100, 100, plain, depth=0))
    out.add("tiff-depth-64.tiff", "Has samples of 64 bits.", EITHER, strip_tiff(100, 100, plain * 8, depth=64))
    out.add("tiff-float.tiff", "Has float samples, not a number among them.", EITHER,
            strip_tiff(100, 100, b"\0\0\xc0\x7f" * 10_000, depth=32, extra={SAMPLE_FORMAT: 3}))
    out.add("tiff-predictor.tiff", "Has a float predictor on bytes.", EITHER,
            strip_tiff(100, 100, zlib.compress(plain), 8, extra={317: 3}))
    out.add("tiff-palette-none.tiff", "Is a palette picture without a palette.", EITHER,
            strip_tiff(100, 100, plain, extra={PHOTOMETRIC: 3}))
    out.add("tiff-ycbcr.tiff", "Has YCbCr samples with an absurd subsampling.", EITHER,
            strip_tiff(100, 100, plain * 3, extra={PHOTOMETRIC: 6, SAMPLES: 3, DEPTH: [8, 8, 8], 530: [65535, 0]},
                       types={530: SHORT, DEPTH: SHORT}))
    out.add("tiff-cielab.tiff", "Has CIE L*a*b* samples of one component.", EITHER,
            strip_tiff(100, 100, plain, extra={PHOTOMETRIC: 8}))
    out.add("tiff-planar.tiff", "Has its 4,000 samples in planes of their own.", EITHER,
            strip_tiff(100, 100, plain, extra={SAMPLES: 4000, 284: 2}))
    out.add("tiff-orientation.tiff", "Its orientation is 65,535.", EITHER, strip_tiff(100, 100, plain, extra={274: 65535}))


# BMP

def bmp(width, height, data, depth=24, compression=0, colours=0, header=40, extra=b"", offset=None, size=None):
    info = struct.pack("<IiiHHIIiiII", header, width, height, 1, depth, compression, len(data), 2835, 2835, colours, 0) + extra
    start = 14 + len(info) if offset is None else offset
    return b"BM" + struct.pack("<IHHI", 14 + len(info) + len(data) if size is None else size, 0, 0, start) + info + data


def bmp_files(out):
    palette = bytes(1024)
    out.damaged("bmp", "bmp", b"BM", bmp(100, 100, bytes(30_000)))
    for name, about, content in (
            ("rle-end", "Declares 49 megapixels in run lengths that end at once.", bmp(7000, 7000, b"\0\1", 8, 1, extra=palette)),
            ("rle-runs", "Has 49 megapixels in run lengths.",
             bmp(7000, 7000, (b"\xff\0" * 28 + b"\0\0") * 7000 + b"\0\1", 8, 1, extra=palette)),
            ("rle-moves", "Its run lengths move far outside.", bmp(100, 100, b"\0\2\xff\xff" * 20_000, 8, 1, extra=palette)),
            ("rle-4", "Has run lengths of 4 bits in a picture of 24.", bmp(100, 100, b"\xff\0" * 1000, 24, 2)),
            ("negative-height", "Has a negative height.", bmp(100, -100, bytes(30_000))),
            ("least-height", "Has a height of -2,147,483,648.", bmp(100, -2**31, bytes(30_000))),
            ("negative-width", "Has a negative width.", bmp(-100, 100, bytes(30_000))),
            ("huge", "Declares 2,147,483,647 x 2,147,483,647 pixels.", bmp(2**31 - 1, 2**31 - 1, bytes(30_000))),
            ("50000", "Declares 50,000 x 50,000 pixels.", bmp(50_000, 50_000, bytes(30_000))),
            ("bitfields-0", "Has bit fields of 0.", bmp(100, 100, bytes(40_000), 32, 3, extra=bytes(12))),
            ("bitfields-overlap", "Has bit fields that overlap.", bmp(100, 100, bytes(40_000), 32, 3, extra=b"\xff" * 12)),
            ("colours", "Declares 4,294,967,295 colours.", bmp(100, 100, bytes(10_000), 8, 0, 2**32 - 1, extra=palette)),
            ("depth-0", "Has pixels of 0 bits.", bmp(100, 100, bytes(10_000), 0)),
            ("depth-64", "Has pixels of 64 bits.", bmp(100, 100, bytes(80_000), 64)),
            ("jpeg", "Has a JPEG inside.", bmp(100, 100, flat_jpeg(65500, 65500, size=1000), 0, 4)),
            ("png", "Has a PNG inside.", bmp(100, 100, flat_png(100, 100), 0, 5)),
            ("header-max", "Declares a header of 4 GiB.", bmp(100, 100, bytes(30_000), header=2**32 - 1)),
            ("offset", "Its pixels lie 4 GiB away.", bmp(100, 100, bytes(30_000), offset=2**32 - 1))):
        out.add(f"bmp-{name}.bmp", about, EITHER, content)


# HEIC

# One grey picture of 64 x 64 pixels, and one of 4,096 x 4,096, as x265 encodes them.
PARAMETERS_64 = bytes.fromhex(
    "0103700000000000000000001ef000fcfdf8f800000f03200001001840010c01ffff03700000030090000003000003001eba0240210001002b420101"
    "03700000030090000003000003001ea020810596ea4929ae6e04040c08000003000800000300084022000100074401c172b02240")
SLICE_64 = bytes.fromhex("0000000a2801af0418fc4ad79bc0")
PARAMETERS_4096 = bytes.fromhex(
    "010408000000000000000000b4f000fcfcf8f800000f03200001001740010c01ffff0408000003009ff80000030000b4ba0240210001002942010104"
    "08000003009ff80000030000b4c00200200100165ba924a6b9b0200000030020000003002122000100074401c172b06240")
SLICE_4096 = zlib.decompress(base64.b64decode(
    "eNpjYODT0WBcx6ngYP193V3LooeH2/lkzPPubk47O9ss5yZh6tanTpP9zQIGzgEbLRoYGJhJRBw/FjVdMD07jXSdIMR8abLEWgcy9eq1k6eRgYErglydLCHk"
    "6gwh05sMTGZkauRcQaZG2QlkarRNIFNj2gEyNZ5tIE8jYy55+picyEysaWTpY40hSxu7DFnaOG+QpY2HvNzE/4IsbaICZGmTMCBLm0wBWdoUyMsIqg/I0qal"
    "QJY23QVkaTMkz2+m5GkzJy9IrMkLEhvyHGlHXkg6HKCnNifyKiAnutrmMqptSGpzJS+VuDrQVduBoaDNYVTbqDaa5QAA879f3g=="))


def box(name, *content, size=None):
    body = b"".join(content)
    return be32(8 + len(body) if size is None else size) + name + body


def full_box(name, version, *content):
    return box(name, be32(version << 24), *content)


def ispe(width, height):
    return full_box(b"ispe", 0, be32(width), be32(height))


def heif(*items, brand=b"heic", more=b"", iloc=None):
    """A HEIF file whose items are (kind, data, properties, items that it refers to). Item 1 is the picture."""
    properties, places, entries, kinds, references, data = [], b"", b"", b"", b"", b""
    for number, (kind, content, boxes, others) in enumerate(items, 1):
        indexes = []
        for each in boxes:
            if each not in properties:
                properties.append(each)
            indexes.append(properties.index(each) + 1)
        places += be16(number) + be16(1) + be16(0) + be16(1) + be32(len(data)) + be32(len(content))
        data += content
        kinds += full_box(b"infe", 2, be16(number), be16(0), kind, b"\0")
        entries += be16(number) + bytes([len(indexes)]) + bytes(index | (0x80 if index == 1 else 0) for index in indexes)
        if others:
            references += box(b"dimg", be16(number), be16(len(others)), *(be16(other) for other in others))
    return box(b"ftyp", brand, be32(0), b"mif1", brand) + full_box(
        b"meta", 0, full_box(b"hdlr", 0, be32(0), b"pict", bytes(13)), full_box(b"pitm", 0, be16(1)),
        full_box(b"iloc", 1, b"\x44\0", be16(len(items)), places) if iloc is None else iloc,
        full_box(b"iinf", 0, be16(len(items)), kinds),
        box(b"iprp", box(b"ipco", *properties), full_box(b"ipma", 0, be32(len(items)), entries)),
        full_box(b"iref", 0, references) if references else b"", more, box(b"idat", data))


def exponential_golomb(number):
    digits = format(number + 1, "b")
    return "0" * (len(digits) - 1) + digits


def parameters(width, height):
    """The decoder's parameters of the small picture, with another size."""
    start, end = PARAMETERS_64.index(b"\x21\0\1\0\x2b"), PARAMETERS_64.index(b"\x22\0\1\0\7")
    # In these bytes 00 00 03 stands for 00 00. The size follows the 15 bytes of the profile and four bits.
    unit = PARAMETERS_64[start + 5:end].replace(b"\0\0\3", b"\0\0")
    bits = format(int.from_bytes(unit, "big"), f"0{8 * len(unit)}b")
    bits = bits[:15 * 8 + 4] + exponential_golomb(width) + exponential_golomb(height) + bits[15 * 8 + 4 + 26:]
    changed = int(bits.ljust(-(-len(bits) // 8) * 8, "0"), 2).to_bytes(-(-len(bits) // 8), "big")
    escaped, zeros = bytearray(), 0
    for byte in changed:
        if zeros >= 2 and byte < 4:
            escaped.append(3)
            zeros = 0
        escaped.append(byte)
        zeros = zeros + 1 if byte == 0 else 0
    return PARAMETERS_64[:start] + b"\x21\0\1" + be16(len(escaped)) + bytes(escaped) + PARAMETERS_64[end:]


def hevc(width=64, height=64, picture=(PARAMETERS_64, SLICE_64), more=()):
    return (b"hvc1", picture[1], [box(b"hvcC", picture[0]), ispe(width, height), *more], [])


def grid_item(rows, columns, width, height, others):
    return (b"grid", bytes([0, 1, rows - 1, columns - 1]) + be32(width) + be32(height), [ispe(width, height)], others)


def heic_files(out):
    sound, large = heif(hevc()), (PARAMETERS_4096, SLICE_4096)
    start = box(b"ftyp", b"heic", be32(0), b"mif1", b"heic")
    out.damaged("heic", "heic", start, sound)
    out.add("heic-64.heic", "Is a sound picture of 64 x 64 grey pixels.", FOUND_NONE, sound)
    out.add("heic-16-megapixels.heic", "Has 16 grey megapixels in 4 kilobytes.", EITHER, heif(hevc(4096, 4096, large)))
    out.add("heic-no-meta.heic", "Has no meta box.", UNREADABLE, start + box(b"mdat", bytes(100)))
    out.add("heic-nonsense.heic", "Has 20,000 unknown boxes.", UNREADABLE, start + box(b"what", b"ever") * 20_000)
    out.add("heic-nested.heic", "Has boxes nested 2,000 deep.", UNREADABLE, start + nested_boxes(2000))
    out.add("heic-nested-deep.heic", "Has boxes nested 40,000 deep.", UNREADABLE, start + nested_boxes(40_000))
    for name, size in {"0": 0, "1": 1, "7": 7, "max": 2**32 - 1}.items():
        out.add(f"heic-box-size-{name}.heic", f"A box declares {size:,} bytes.", UNREADABLE,
                start + box(b"meta", be32(0), box(b"hdlr", bytes(20), size=size) * 3))
    out.add("heic-box-size-64-bit.heic", "A box declares 2^64 - 1 bytes.", UNREADABLE,
            start + box(b"meta", b"\xff" * 8, bytes(100), size=1))
    for name, place in {"outside": (2**32 - 100, 2**32 - 1), "empty": (0, 0), "long": (0, 2**31)}.items():
        out.add(f"heic-iloc-{name}.heic", "Its picture lies outside the file.", UNREADABLE,
                heif(hevc(),
                     iloc=full_box(b"iloc", 1, b"\x44\0", be16(1), be16(1), be16(0), be16(0), be16(1), be32(place[0]),
                                   be32(place[1]))))
    extents = (be32(0) + be32(14)) * 20_000
    out.add("heic-iloc-extents.heic", "Its picture has 20,000 extents.", UNREADABLE,
            heif(hevc(), iloc=full_box(b"iloc", 1, b"\x44\0", be16(1), be16(1), be16(1), be16(0), be16(20_000), extents)))
    out.add("heic-iloc-count.heic", "Declares 65,535 places of items and has one.", UNREADABLE,
            heif(hevc(),
                 iloc=full_box(b"iloc", 1, b"\x44\0", be16(65_535), be16(1), be16(1), be16(0), be16(1), be32(0), be32(14))))
    for width, height in ((65_528, 65_528), (8_000, 6_000), (2**31 - 16, 8)):
        picture = (parameters(width, height), SLICE_64)
        out.add(f"heic-sequence-{width}x{height}.heic",
                f"The encoded picture declares {width:,} x {height:,} pixels; the file says 64 x 64.", EITHER,
                heif(hevc(picture=picture)))
        out.add(f"heic-both-{width}x{height}.heic", f"Declares {width:,} x {height:,} pixels, with 10 bytes of data.", EITHER,
                heif(hevc(width, height, picture)))
    out.add("heic-ispe-huge.heic", "The file says 4,294,967,295 x 4,294,967,295 pixels; the encoded picture has 64 x 64.", EITHER,
            heif(hevc(2**32 - 1, 2**32 - 1)))
    out.add("heic-ispe-0.heic", "The file says 0 x 0 pixels.", EITHER, heif(hevc(0, 0)))
    out.add("heic-ispe-small.heic", "The file says 64 x 64 pixels; the encoded picture has 4,096 x 4,096.", EITHER,
            heif(hevc(64, 64, large)))
    out.add("heic-grid-tiles.heic", "Is a grid of 109 x 109 tiles of 64 x 64 pixels, all the same item.", HEAVY,
            heif(grid_item(109, 109, 6976, 6976, [2] * 11_881), hevc()))
    out.add("heic-grid-16320.heic", "Is a grid of 255 x 255 tiles, 266 megapixels in all.", UNREADABLE,
            heif(grid_item(255, 255, 16320, 16320, [2] * 65_025), hevc()))
    out.add("heic-grid-hidden.heic", "Is a grid of 255 x 255 tiles of 16 megapixels each; the file says 64 x 64 pixels.", HEAVY,
            heif(grid_item(255, 255, 64, 64, [2] * 65_025), hevc(64, 64, large)))
    out.add("heic-grid-size-max.heic", "Is a grid of 4,294,967,295 x 4,294,967,295 pixels with one tile.", UNREADABLE,
            heif(grid_item(1, 1, 2**32 - 1, 2**32 - 1, [2]), hevc()))
    out.add("heic-grid-no-tiles.heic", "Is a grid of 256 x 256 tiles with none.", UNREADABLE,
            heif(grid_item(256, 256, 4096, 4096, []), hevc()))
    out.add("heic-grid-missing.heic", "Is a grid whose tile does not exist.", UNREADABLE,
            heif(grid_item(1, 1, 64, 64, [99]), hevc()))
    out.add("heic-grid-loop.heic", "Is a grid whose tile is the grid itself.", UNREADABLE, heif(grid_item(1, 1, 64, 64, [1])))
    tree = [grid_item(8, 8, 64, 64, [number + 2] * 64) for number in range(9)]
    out.add("heic-grid-exponential.heic", "Is a grid of grids, nine deep, with 64 tiles each.", HEAVY, heif(*tree, hevc()))
    iden = (b"iden", b"", [ispe(64, 64)])
    out.add("heic-derived-loop.heic", "Is derived from itself.", UNREADABLE, heif((*iden, [1])))
    out.add("heic-derived-pair.heic", "Is derived from an item that is derived from it.", UNREADABLE,
            heif((*iden, [2]), (*iden, [1])))
    out.add("heic-derived-chain.heic", "Is derived through 5,000 items.", HEAVY,
            heif(*((*iden, [i + 2]) for i in range(5000)), hevc()))
    overlay = bytes(2 + 8) + be16(4096) + be16(4096)
    out.add("heic-overlay.heic", "Lays the same 16 megapixels 10,000 times over each other.", HEAVY,
            heif((b"iovl", overlay + bytes(4 * 10_000), [ispe(4096, 4096)], [2] * 10_000), hevc(4096, 4096, large)))
    canvas = bytes([0, 1]) + bytes(8) + be32(2**31) + be32(2**31)
    out.add("heic-overlay-huge.heic", "Is an overlay on a canvas of 2,147,483,648 x 2,147,483,648 pixels.", UNREADABLE,
            heif((b"iovl", canvas + bytes(8), [ispe(64, 64)], [2]), hevc()))
    clap = box(b"clap", *(be32(n) for n in (2**31 - 1, 1, 2**31 - 1, 1, 2**31, 0, 2**31, 0)))
    out.add("heic-clap.heic", "Is cut to a size that divides by 0.", EITHER, heif(hevc(more=[clap])))
    turns = [box(b"irot", bytes([1])), box(b"imir", bytes([1]))]
    out.add("heic-turns.heic", "Is turned and mirrored 200 times.", EITHER, heif(hevc(64, 64, more=turns * 100)))
    out.add("heic-items-5000.heic", "Has 5,000 items.", EITHER, heif(hevc(), *[(b"Exif", b"", [], [])] * 4_999))
    out.add("heic-exif.heic", "Its EXIF item has offsets that point 4 GiB away.", FOUND_NONE,
            heif(hevc(), (b"Exif", be32(2**32 - 1) + EXIF["offset"][0][4:], [], [])))
    out.add("heic-image-sequence.heic", "Is an image sequence without a picture.", UNREADABLE,
            box(b"ftyp", b"hevc", be32(0), b"msf1") + box(b"moov", bytes(1000)))
    out.add("heic-av1.avif", "Is an AVIF with nonsense for a picture.", UNREADABLE,
            heif((b"av01", noise("av1", 1000), [box(b"av1C", b"\x81\0\0\0"), ispe(100, 100)], []), brand=b"avif"))
    out.add("heic-av1-only.avif", "Is an AVIF that ends after its brand.", UNREADABLE,
            box(b"ftyp", b"avif", be32(0), b"mif1", b"avif"))


def nested_boxes(depth):
    # Each box holds the next one, so the sizes are known from the inside out.
    return b"".join(be32(8 * (depth - i)) + b"iprp" for i in range(depth))


# Codes, and patterns that look like them

def tiled(grid, columns, rows, gap):
    lines = ["".join((row + "0" * gap) * columns) for row in grid]
    blank = ["0" * len(lines[0])] * gap
    return blank + (lines + blank) * rows


def fractal(depth):
    """A finder pattern whose black modules are finder patterns, and so on."""
    grid = ["1"]
    for _ in range(depth):
        blank = "0" * len(grid[0])
        grid = ["".join(part[i] if module == "1" else blank for module in row) for row in FINDER
                for part in [grid] for i in range(len(grid))]
    return grid


def random_grid(name, size, cell):
    generator = random.Random(f"grid {name}")
    count = size // cell
    return scaled([format(generator.getrandbits(count), f"0{count}b") for _ in range(count)], cell)


def crossed(row):
    """Stripes in both directions."""
    inverse = row.translate({48: "1", 49: "0"})
    return [inverse if module == "1" else row for module in row]


def code_files(out):
    def add(name, about, expect, grid):
        out.add(f"code-{name}.png", about, expect, lambda: grid_png(grid()))

    add("finders-12100", "Has 12,100 finder patterns of QR codes.", HEAVY, lambda: scaled(tiled(FINDER, 110, 110, 2), 3))
    add("finders-small", "Has 360,000 finder patterns of one pixel a module.", HEAVY, lambda: tiled(FINDER, 600, 600, 1))
    add("finders-nested", "Is a finder pattern made of finder patterns, four deep.", HEAVY, lambda: fractal(4))
    add("squares", "Has concentric squares over 4,000 x 4,000 pixels.", HEAVY,
        lambda: [("".join("1" if min(x, y) // 4 % 2 else "0" for x in range(2000))) * 1 + "".join(
            "1" if min(x, y) // 4 % 2 else "0" for x in reversed(range(2000))) for y in [*range(2000), *reversed(range(2000))]])
    add("stripes", "Has stripes of 1:1:3:1:1 over 4,000 x 4,000 pixels.", HEAVY, lambda: ["10111010" * 500] * 4000)
    add("stripes-crossed", "Has stripes of 1:1:3:1:1 in both directions.", HEAVY, lambda: crossed("10111010" * 500))
    add("stripes-wide", "Has stripes of 1:1:3:1:1, three pixels a module, in both directions.", HEAVY,
        lambda: scaled(crossed("10111010" * 160), 3))
    for cell in (1, 8):
        add(f"chessboard-{cell}", f"Is a chessboard of 6,000 x 6,000 pixels with fields of {cell}.", HEAVY,
            lambda: scaled(["01" * (3000 // cell), "10" * (3000 // cell)], cell) * (3000 // cell))
    for cell in (1, 3, 7):
        add(f"noise-{cell}", f"Is noise of 4,000 x 4,000 pixels in squares of {cell}.", HEAVY,
            lambda: random_grid(f"noise {cell}", 4000, cell))
    add("noise-49", "Is noise of 7,000 x 7,000 pixels in squares of 10.", HEAVY, lambda: random_grid("noise 49", 7000, 10))
    add("timing", "Has the timing patterns and finder patterns of a giant QR code, filled with noise.", EITHER, giant)
    aztec = [("1" if max(abs(x), abs(y)) % 2 == 0 else "0") for y in range(-6, 7) for x in range(-6, 7)]
    add("aztec", "Has 10,000 bull's-eyes of Aztec codes.", HEAVY,
        lambda: scaled(tiled(["".join(aztec[i:i + 13]) for i in range(0, 169, 13)], 100, 100, 2), 2))
    add("data-matrix", "Has 10,000 borders of Data Matrix codes.", HEAVY,
        lambda: scaled(tiled(["10" * 5] + ["1" + "0" * 8 + str(i % 2) for i in range(8)] + ["1" * 10], 100, 100, 3), 3))
    if qrcode is None:
        return
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    generator = random.Random("texts")
    texts = ["".join(generator.choices(letters, k=30)) for _ in range(200)]
    add("qr-200", "Has 200 sound QR codes with random texts, no card.", EITHER,
        lambda: scaled(side_by_side([qr_grid(text) for text in texts], 20), 3))
    text = "shc:/" + "9" * 400
    add("qr-200-same", "Has 200 QR codes with the same text, which begins like a card.", EITHER,
        lambda: scaled(side_by_side([qr_grid(text)] * 200, 20), 2))
    for name, content in {"controls": b"\x1b[2J\x1b]0;title\x07\r\n\0\x7f\x9b31m", "not-utf-8": bytes(range(128, 256)),
                          "lines": b"\n" * 2000, "option": b"--help", "path": b"/etc/passwd",
                          "link": b"http://127.0.0.1:9/"}.items():
        add(f"qr-{name}", "Has a QR code whose text is no card and would harm a careless reader.", EITHER,
            lambda: scaled(qr_grid(content), 4))


def side_by_side(grids, columns):
    rows = []
    for i in range(0, len(grids), columns):
        rows += ["".join(parts) for parts in zip(*grids[i:i + columns])]
    return rows


def giant():
    """The fixed patterns of a QR code of version 40, with random modules between them."""
    size, generator = 177, random.Random("giant")
    grid = [[generator.choice("01") for _ in range(size)] for _ in range(size)]
    for i in range(size):
        grid[6][i] = grid[i][6] = str((i + 1) % 2)
    for left, top in ((0, 0), (size - 7, 0), (0, size - 7)):
        for y in range(-1, 8):
            for x in range(-1, 8):
                if 0 <= left + x < size and 0 <= top + y < size:
                    grid[top + y][left + x] = FINDER[y][x] if 0 <= x < 7 and 0 <= y < 7 else "0"
    return scaled(["0" * 185] * 4 + ["0000" + "".join(row) + "0000" for row in grid] + ["0" * 185] * 4, 4)


# PDF

class Pdf:
    """A PDF in the making. Objects 1 and 2 are the catalogue and the root of the pages."""

    def __init__(self, box="0 0 595 842"):
        self.objects, self.pages, self.catalogue, self.trailer = {}, [], "", ""
        self.box, self.last, self.page_tree = box, 2, None

    def add(self, body):
        self.last += 1
        self.objects[self.last] = body if isinstance(body, bytes) else body.encode("latin-1")
        return self.last

    def stream(self, data, entries="", length=None):
        data = data if isinstance(data, bytes) else data.encode("latin-1")
        return self.add(f"<<{entries}/Length {len(data) if length is None else length}>>stream\n".encode("latin-1") + data +
                        b"\nendstream")

    def form(self, content, resources="", entries="", box="0 0 595 842"):
        return self.stream(content, f"/Type/XObject/Subtype/Form/BBox[{box}]/Resources<<{resources}>>{entries}")

    def image(self, width, height, data, entries="/ColorSpace/DeviceGray/BitsPerComponent 8"):
        return self.stream(data, f"/Type/XObject/Subtype/Image/Width {width}/Height {height}{entries}")

    def page(self, content="", resources="", entries="", box=None):
        contents = self.stream(content) if isinstance(content, (bytes, str)) else content
        self.pages.append(self.add(f"<</Type/Page/Parent 2 0 R/MediaBox[{box or self.box}]/Contents {contents} 0 R"
                                   f"/Resources<<{resources}>>{entries}>>"))
        return self

    def draw(self, *others, **options):
        """A page that draws these XObjects over its whole area."""
        names = "".join(f"/X{other} {other} 0 R" for other in others)
        return self.page("".join(f"q 595 0 0 842 0 0 cm /X{other} Do Q " for other in others), f"/XObject<<{names}>>", **options)

    def file(self, magic=b"%PDF-1.7\n", lead=b"", startxref=None):
        self.objects[1] = f"<</Type/Catalog/Pages 2 0 R{self.catalogue}>>".encode("latin-1")
        kids = " ".join(f"{page} 0 R" for page in self.pages)
        self.objects[2] = (self.page_tree or f"<</Type/Pages/Kids[{kids}]/Count {len(self.pages)}>>").encode("latin-1")
        parts, place, places = [lead + magic], len(magic), [b"0000000000 65535 f \n"]
        for number in range(1, self.last + 1):
            part = b"%d 0 obj\n" % number + self.objects.get(number, b"null") + b"\nendobj\n"
            places.append(b"%010d 00000 n \n" % place)
            parts.append(part)
            place += len(part)
        table = b"xref\n0 %d\n" % len(places) + b"".join(places)
        start = place if startxref is None else startxref
        end = f"trailer\n<</Size {len(places)}/Root 1 0 R{self.trailer}>>\nstartxref\n{start}\n%%EOF\n"
        return b"".join(parts) + table + end.encode("latin-1")


FLATE = "/Filter/FlateDecode"
FLATE_TWICE = "/Filter[/FlateDecode/FlateDecode]"


def twice(stream):
    return zlib.compress(stream, 9)


def in_object_streams(*streams, size, entries):
    """A PDF whose objects lie in object streams (number, stream). An entry of its table is (kind, object number, index)."""
    parts, places, place = [b"%PDF-1.7\n"], {}, 9
    for number, stream in streams:
        places[number] = place
        parts.append(b"%d 0 obj\n" % number + stream + b"\nendobj\n")
        place += len(parts[-1])
    rows = zlib.compress(b"".join(
        struct.pack(">BIH", kind, places.get(number, number) if kind == 1 else number, index) for kind, number, index in entries))
    parts.append(b"%d 0 obj\n<</Type/XRef/W[1 4 2]/Size %d/Root 1 0 R%s/Length %d>>stream\n" % (size, size, FLATE.encode(),
                                                                                                len(rows)))
    return b"".join(parts) + rows + b"\nendstream\nendobj\nstartxref\n%d\n%%%%EOF" % place


def object_stream(objects, extra="", count=None):
    """An object stream of (number, object). `count` is the number of objects that it declares."""
    places, place = [], 0
    for number, content in objects:
        places.append(f"{number} {place} ")
        place += len(content) + 1
    head, text = "".join(places), "".join(content + " " for _, content in objects)
    data = zlib.compress((head + text).encode())
    entries = f"/N {len(objects) if count is None else count}/First {len(head)}{FLATE}{extra}/Length {len(data)}"
    return f"<</Type/ObjStm{entries}>>stream\n".encode() + data + b"\nendstream"


def compressed_pdf(objects):
    """A PDF whose objects, numbered from 1, all lie in one object stream."""
    last = len(objects) + 1
    entries = [(0, 0, 0), *((2, last, index) for index in range(last - 1)), (1, last, 0), (0, 0, 0)]
    return in_object_streams((last, object_stream(list(enumerate(objects, 1)))), size=last + 1, entries=entries)


def grid_pdf_content(grid, size=400):
    """Draws a grid with its lower left corner at (50, 50)."""
    unit, lines = size / len(grid), ["q 0 g"]
    for y, row in enumerate(grid):
        for x, length in runs(row):
            lines.append(f"{50 + x * unit:.3f} {50 + (len(grid) - 1 - y) * unit:.3f} {length * unit:.3f} {unit:.3f} re")
    return "\n".join(lines) + "\nf Q\n"


def runs(row):
    """The start and length of each run of black modules."""
    start = row.find("1")
    while start >= 0:
        end = (row + "0").index("0", start)
        yield start, end - start
        start = row.find("1", end)


def attachments(pdf, names, stream):
    """Attaches the same stream under all names, given as PDF strings in their own brackets."""
    files = [pdf.add(f"<</Type/Filespec/F{name}/UF{name}/EF<</F {stream} 0 R>>>>") for name in names]
    pairs = " ".join(f"({i:06d}) {file} 0 R" for i, file in enumerate(files))
    pdf.catalogue += f"/Names<</EmbeddedFiles<</Names[{pairs}]>>>>"
    return pdf


def many_attachments(count):
    """A PDF with this many attachments, all the same object, so that it takes little room."""
    pdf = Pdf().page("0 0 9 9 re f")
    stream = pdf.stream("x", "/Type/EmbeddedFile")
    file = pdf.add(f"<</Type/Filespec/F(a)/EF<</F {stream} 0 R>>>>")
    pdf.catalogue = f"/Names<</EmbeddedFiles<</Names[{''.join(f'({i}){file} 0 R' for i in range(count))}]>>>>"
    return pdf


ACTIONS = {
    "javascript": "/S/JavaScript/JS(app.launchURL\\(\"http://127.0.0.1:9/\"\\);while\\(true\\);)",
    "launch": "/S/Launch/F(/bin/touch)/Unix(/tmp/launched)",
    "uri": "/S/URI/URI(http://127.0.0.1:9/)", "gotor": "/S/GoToR/F(/etc/passwd)/D[0/Fit]",
    "gotoe": "/S/GoToE/F(/etc/passwd)/T<</R/C/N(x)>>/D[0/Fit]",
    "submit": "/S/SubmitForm/F<</FS/URL/F(http://127.0.0.1:9/)>>", "import": "/S/ImportData/F(/etc/passwd)",
    "sound": "/S/Sound/Sound<</F(/dev/zero)>>"}


def pdf_pages(out):
    def add(name, about, expect, pdf):
        out.add(f"pdf-{name}.pdf", about, expect, lambda: pdf().file() if callable(pdf) else pdf.file())

    pdf = Pdf()
    for _ in range(10_000):
        pdf.pages.append(pdf.add("<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>"))
    add("pages-10000", "Has 10,000 pages.", EITHER, pdf)
    pdf = Pdf().page("0 0 100 100 re f")
    pdf.pages *= 10_000
    add("pages-same", "Has the same page 10,000 times.", EITHER, pdf)
    pdf = Pdf().page()
    pdf.page_tree = f"<</Type/Pages/Kids[{pdf.pages[0]} 0 R]/Count 2147483647>>"
    add("pages-count", "Declares 2,147,483,647 pages and has one.", EITHER, pdf)
    pdf = Pdf().page()
    pdf.page_tree = f"<</Type/Pages/Kids[2 0 R 2 0 R {pdf.pages[0]} 0 R]/Count 3>>"
    add("pages-loop", "Its page tree contains itself.", EITHER, pdf)
    depth = 60_000
    nodes = [f"<</Type/Pages/Parent {i - 1} 0 R/Kids[{i + 1} 0 R]/Count 1>>" for i in range(3, depth)]
    out.add("pdf-pages-deep.pdf", "Its page tree is 60,000 deep.", EITHER, lambda: compressed_pdf([
        "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", *nodes,
        f"<</Type/Page/Parent {depth - 1} 0 R/MediaBox[0 0 99 99]>>"]))
    pdf = Pdf()
    for i in range(20):
        pdf.add(f"<</Type/Pages/Parent {i + 2} 0 R/Kids[{f'{i + 4} 0 R ' * 10}]/Count {10 ** (20 - i)}>>")
    pdf.page_tree = f"<</Type/Pages/Kids[3 0 R]/Count {10 ** 20}>>"
    pdf.pages.append(pdf.add("<</Type/Page/Parent 22 0 R/MediaBox[0 0 595 842]>>"))
    add("pages-exponential", "Its page tree has ten branches at each of 20 levels, and one page object.", EITHER, pdf)
    pdf = Pdf()
    pdf.page_tree = "<</Type/Pages/Parent 3 0 R/Kids[4 0 R]/Count 1>>"
    pdf.add("<</Type/Pages/Parent 2 0 R/Kids[2 0 R]/Count 1>>")
    pdf.add("<</Type/Page/Parent 3 0 R>>")
    add("parent-loop", "Its page inherits its size from parents in a ring.", EITHER, pdf)
    add("no-pages", "Has no page.", EITHER, Pdf())

    # Numbers in a PDF have no exponents.
    billion, far = "1" + "0" * 9, "1" + "0" * 35
    for name, about, size in (("huge", "350,000 kilometres wide", f"0 0 {billion} {billion}"),
                              ("14400", "5 x 5 metres", "0 0 14400 14400"),
                              ("wide", "wide and flat", f"0 0 {billion} 1"),
                              ("tiny", "a thousand millionth of a point wide", "0 0 .000000001 .000000001"),
                              ("empty", "empty", "0 0 0 0"), ("reversed", "reversed", "595 842 0 0"),
                              ("far", "far away", f"{far} {far} {far}0 {far}0"),
                              ("text", "made of texts", "(a)(b)(c)(d)"),
                              ("not-a-number", "made of unknown words", "nan nan inf -inf"),
                              ("short", "made of two numbers", "0 0")):
        add(f"box-{name}", f"Its page is {about}.", EITHER, Pdf(size).page("0 0 100 100 re f"))
    add("user-unit", "Its page is 75,000 times as large as it says.", EITHER,
        Pdf().page("0 0 100 100 re f", entries="/UserUnit 75000"))
    add("crop-box", "Its crop box lies outside its page.", EITHER,
        Pdf().page("0 0 100 100 re f", entries="/CropBox[1000000 1000000 2000000 2000000]"))
    add("rotate", "Its page is turned by 2,147,483,645 degrees.", EITHER,
        Pdf().page("0 0 100 100 re f", entries="/Rotate 2147483645"))
    pdf = Pdf()
    for _ in range(50):
        pdf.page("0 0 100 100 re f", box="0 0 14400 14400")
    add("pages-large", "Has 50 pages of 5 x 5 metres.", EITHER, pdf)

    def content(unit, count, nested=True):
        # The content inflates twice, so that even 1 GiB takes few bytes.
        pdf = Pdf()
        units = MEBI // len(unit)
        data = repeated((unit * units, count // units), (unit * (count % units), 1))
        return pdf.page(pdf.stream(twice(data) if nested else data, FLATE_TWICE if nested else FLATE),
                        f"/ExtGState<</G<</ca .5/BM/Luminosity>>>>/Font<</F "
                        f"{pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>')} 0 R>>")

    for name, about, unit, count in (
            ("blanks", "1 GiB of blanks", b" ", 1 << 30), ("saves", "20 million saved states", b"q ", 20_000_000),
            ("numbers", "300 million numbers", b"0 ", 300_000_000),
            ("rectangles", "one path of 20 million rectangles", b"0 0 9 9 re ", 20_000_000),
            ("fills", "100,000 fills of the whole page", b"0 0 595 842 re f ", 100_000),
            ("blends", "20,000 blended fills of the whole page", b"/G gs 0 0 595 842 re f ", 20_000),
            ("clips", "2 million clip paths", b"0 0 m 500 9 l 9 800 l h W n ", 2_000_000),
            ("brackets", "100 million opening brackets", b"[", 100_000_000),
            ("dictionaries", "50 million dictionaries inside each other", b"<</A", 50_000_000),
            ("texts", "5 million texts", b"BT /F 9 Tf 9 9 Td (abcdefghij) Tj ET ", 5_000_000),
            ("string", "one text of 512 MiB", b"(", 1 << 29),
            ("inline-images", "2 million inline images", b"BI /W 1 /H 1 /BPC 8 /CS /G ID x EI ", 2_000_000),
            ("curves", "1 million stroked curves", b"50 w 9 9 m 900 9 9 900 500 500 c S ", 1_000_000)):
        add(f"content-{name}", f"Its page's content is {about}.", HEAVY, lambda: content(unit, count))
    add("content-once", "Its page's content inflates once to 384 MiB of blanks.", HEAVY, lambda: content(b" ", 384 * MEBI, False))
    for count in (100, 10_000):
        pdf = Pdf()
        data = b"0 0 100 100 re f"
        for _ in range(min(count, 100)):
            data = zlib.compress(data)
        add(f"filters-{count}", f"Its page's content has {count:,} filters.", HEAVY if count > 100 else EITHER,
            pdf.page(pdf.stream(data, f"/Filter[{'/FlateDecode' * count}]")))
    for name, filters in {"ascii85": "/ASCII85Decode", "asciihex": "/ASCIIHexDecode", "lzw": "/LZWDecode",
                          "runlength": "/RunLengthDecode", "crypt": "/Crypt", "dct": "/DCTDecode",
                          "jbig2": "/JBIG2Decode", "jpx": "/JPXDecode", "ccitt": "/CCITTFaxDecode"}.items():
        pdf = Pdf()
        add(f"filter-{name}", f"Its page's content is nonsense for the filter {filters[1:]}.", EITHER,
            pdf.page(pdf.stream(noise(name, 50_000), f"/Filter{filters}")))
    pdf = Pdf()
    add("predictor", "Its page's content has a predictor of 2,147,483,647 columns.", EITHER,
        pdf.page(pdf.stream(filled(1000),
                            FLATE + "/DecodeParms<</Predictor 15/Columns 2147483647/Colors 32/BitsPerComponent 16>>")))
    pdf = Pdf()
    part = pdf.stream("0 0 100 100 re f ")
    pdf.pages.append(pdf.add(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents[{f'{part} 0 R ' * 40_000}]>>"))
    add("contents-40000", "Its page has 40,000 pieces of content.", HEAVY, pdf)


def pdf_drawings(out):
    def add(name, about, expect, pdf):
        out.add(f"pdf-{name}.pdf", about, expect, lambda: pdf().file() if callable(pdf) else pdf.file())

    def nested(levels, uses, entries="", last="0 0 1 1 re f"):
        pdf = Pdf()
        form = pdf.form(last, entries=entries)
        for _ in range(levels):
            form = pdf.form("/X Do " * uses, f"/XObject<</X {form} 0 R>>", entries)
        return pdf.page("/X Do", f"/XObject<</X {form} 0 R>>")

    add("forms-exponential", "Has forms that draw ten forms each, nine deep: a thousand million fills.", HEAVY,
        lambda: nested(9, 10))
    add("forms-chain", "Has 2,500 forms inside each other.", EITHER, lambda: nested(2500, 1))
    add("groups-chain", "Has 90 transparency groups inside each other.", HEAVY,
        lambda: nested(90, 1, "/Group<</S/Transparency/I true/K true/CS/DeviceRGB>>"))
    add("groups-exponential", "Has transparency groups that draw ten groups each, nine deep.", HEAVY,
        lambda: nested(9, 10, "/Group<</S/Transparency/I true>>"))
    pdf = Pdf()
    form = pdf.last + 1
    pdf.form("/X Do /X Do", f"/XObject<</X {form} 0 R>>")
    add("form-self", "Has a form that draws itself.", EITHER, pdf.draw(form))
    pdf = Pdf()
    pdf.form("/X Do /X Do", "/XObject<</X 4 0 R>>")
    pdf.form("/X Do /X Do", "/XObject<</X 3 0 R>>")
    add("form-pair", "Has two forms that draw each other.", EITHER, pdf.draw(3))
    pdf = Pdf()
    pdf.add("<</Type/ExtGState/SMask<</S/Luminosity/G 4 0 R>>>>")
    pdf.form("/G gs 0 0 595 842 re f", "/ExtGState<</G 3 0 R>>", "/Group<</S/Transparency/CS/DeviceRGB>>")
    add("mask-self", "Has a soft mask that uses itself.", EITHER, pdf.page("/G gs 0 0 595 842 re f", "/ExtGState<</G 3 0 R>>"))
    pdf = Pdf()
    form = pdf.form("0 0 9 9 re f", entries="/Group<</S/Transparency/CS/DeviceGray>>")
    state = pdf.add(f"<</Type/ExtGState/SMask<</S/Luminosity/G {form} 0 R>>>>")
    add("masks-5000", "Sets a soft mask of a whole page 5,000 times.", HEAVY,
        pdf.page("q /G gs 0 0 595 842 re f Q " * 5000, f"/ExtGState<</G {state} 0 R>>"))

    def tiling(step, size, content="0 0 1 1 re f", matrix="1 0 0 1 0 0", resources=""):
        pdf = Pdf()
        pattern = pdf.stream(content,
                             f"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 {size} {size}]/XStep {step}/YStep "
                             f"{step}"
                                      f"/Matrix[{matrix}]/Resources<<{resources}>>")
        return pdf.page("/Pattern cs /P scn 0 0 595 842 re f " * 20, f"/Pattern<</P {pattern} 0 R>>")

    add("tiling-1", "Fills its page with a pattern that repeats every point.", HEAVY, tiling(1, 1))
    add("tiling-tiny", "Fills its page with a pattern that repeats every thousandth of a point.", HEAVY, tiling(0.001, 1))
    add("tiling-zero", "Has a pattern whose step is 0.", EITHER, tiling(0, 1))
    add("tiling-negative", "Has a pattern whose step is tiny and negative.", EITHER, tiling("-.000000001", 1))
    add("tiling-large", "Has a pattern a thousand million points wide.", HEAVY, tiling(10, 10**9))
    add("tiling-matrix", "Has a pattern whose matrix has no inverse.", EITHER, tiling(1, 1, matrix="0 0 0 0 0 0"))
    add("tiling-self", "Has a pattern that is filled with itself.", EITHER,
        tiling(10, 10, "/Pattern cs /P scn 0 0 9 9 re f", resources="/Pattern<</P 3 0 R>>"))
    pdf = Pdf()
    pattern, text = 0, "0 0 1 1 re f"
    for level in range(12):
        resources = f"/Pattern<</P {pattern} 0 R>>" if level else ""
        pattern = pdf.stream(text,
                             f"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 50 50]/XStep 5/YStep "
                             f"5/Resources<<{resources}>>")
        text = "/Pattern cs /P scn 0 0 50 50 re f"
    add("tiling-nested", "Has patterns inside patterns, twelve deep.", HEAVY,
        pdf.page("/Pattern cs /P scn 0 0 595 842 re f", f"/Pattern<</P {pattern} 0 R>>"))

    far = "1" + "0" * 35

    def shading(entries, data=None):
        pdf = Pdf()
        head = f"/ColorSpace/DeviceRGB{entries}"
        number = pdf.add(f"<<{head}>>") if data is None else pdf.stream(data, head)
        return pdf.page("/S sh", f"/Shading<</S {number} 0 R>>")

    costly = "{" + "dup sin exch cos " * 2000 + "pop pop 1 0 0}"
    pdf = Pdf()
    function = pdf.stream(costly, "/FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1]")
    number = pdf.add(f"<</ShadingType 1/ColorSpace/DeviceRGB/Domain[0 1 0 1]/Matrix[595 0 0 842 0 0]/Function {function} 0 R>>")
    add("shading-function", "Shades its page with a costly function.", HEAVY,
        pdf.page("/S sh " * 20, f"/Shading<</S {number} 0 R>>"))
    pdf = Pdf()
    function = pdf.stream(costly.replace("pop pop 1 0 0", "pop 0 0"), "/FunctionType 4/Domain[0 1]/Range[0 1 0 1 0 1]")
    number = pdf.add(f"<</ShadingType 3/ColorSpace/DeviceRGB/Coords[300 300 0 300 300 .000000001]/Extend[true true]/Function "
                     f"{function} 0 R>>")
    add("shading-radial", "Shades its page with a circle of no size.", HEAVY,
        pdf.page("/S sh " * 200, f"/Shading<</S {number} 0 R>>"))
    triangles = zlib.compress(noise("triangles", 1000) * 6000, 6)
    add("shading-mesh", "Has a mesh of 850,000 triangles over the whole page.", HEAVY,
        shading(f"/ShadingType 5/VerticesPerRow 2/BitsPerCoordinate 16/BitsPerComponent 8/Decode[0 595 0 842 0 1 0 1 0 1]{FLATE}",
                triangles))
    patches = zlib.compress((b"\0" + noise("patches", 32 * 2 + 12)) * 50_000, 6)
    add("shading-patches", "Has 50,000 patches, each as large as the page.", HEAVY,
        shading(f"/ShadingType 7/BitsPerCoordinate 16/BitsPerComponent 8/BitsPerFlag 8/Decode[0 595 0 842 0 1 0 1 0 1]{FLATE}",
                patches))
    add("shading-decode", "Has a mesh whose coordinates are infinite.", EITHER,
        shading(f"/ShadingType 5/VerticesPerRow 2147483647/BitsPerCoordinate 32/BitsPerComponent 16/Decode[-{far} {far} -{far} "
                f"{far} 0 1 0 1 0 1]", noise("mesh", 50_000)))

    def function_page(body, data=None):
        pdf = Pdf()
        function = pdf.add(f"<<{body}>>") if data is None else pdf.stream(data, body)
        return pdf.page("/C cs 0.5 scn 0 0 595 842 re f", f"/ColorSpace<</C[/Separation/Ink/DeviceGray {function} 0 R]>>")

    unit = "/Domain[0 1]/Range[0 1]"
    add("function-deep", "Has a function of 200,000 braces inside each other.", EITHER,
        function_page(f"/FunctionType 4{unit}", "{" * 200_000))
    add("function-jumps", "Has a function of 100,000 nested conditions.", EITHER,
        function_page(f"/FunctionType 4{unit}{FLATE}", zlib.compress(b"{" + b"{true " * 100_000 + b"} if " * 100_000 + b"}")))
    add("function-stack", "Has a function that copies its stack over and over.", EITHER,
        function_page(f"/FunctionType 4{unit}", "{" + "dup 2147483647 copy 1000000 -1000000 roll " * 5000 + "}"))
    add("function-self", "Has a stitching function that is made of itself.", EITHER,
        function_page(f"/FunctionType 3{unit}/Functions[3 0 R 3 0 R]/Bounds[.5]/Encode[0 1 0 1]"))
    pdf, levels = Pdf(), 30
    for i in range(levels):
        number = i + 4
        pdf.add(f"<</FunctionType 3{unit}/Functions[{number} 0 R {number} 0 R]/Bounds[.5]/Encode[0 1 0 1]>>")
    pdf.add(f"<</FunctionType 2{unit}/N 1>>")
    add("function-exponential", "Has stitching functions of two functions each, 30 deep.", HEAVY,
        pdf.page("/C cs 0.5 scn 0 0 595 842 re f", "/ColorSpace<</C[/Separation/Ink/DeviceGray 3 0 R]>>"))
    add("function-table", "Has a function that declares a table of 10^40 entries.", EITHER,
        function_page(f"/FunctionType 0{unit}/Size[{'100000 ' * 8}]/BitsPerSample 32", "x"))
    pdf = Pdf()
    pdf.add("[/Separation/Ink 3 0 R 4 0 R]")
    pdf.add(f"<</FunctionType 2{unit}/N 1>>")
    add("colour-space-loop", "Has a colour space that is its own alternative.", EITHER,
        pdf.page("/C cs 0.5 scn 0 0 9 9 re f", "/ColorSpace<</C 3 0 R>>"))

    dash = "[0.0001 0.0001] 0 d 0 0 m 595 842 l S "
    add("dashes", "Has lines of ten million dashes.", HEAVY, Pdf().page(dash * 20))
    add("dashes-far", "Has a dashed line a thousand million points long.", HEAVY,
        Pdf().page("[.01] 0 d -1000000000 400 m 1000000000 401 l S"))
    add("lines-wide", "Has 5,000 lines that are wider than the page, with round ends.", HEAVY,
        Pdf().page("1 J 1 j 2000 w " + "0 0 m 9 800 l 500 9 l S " * 5000))
    add("coordinates", "Has coordinates near 10^308.", EITHER,
        Pdf().page(f"1{'0' * 308} 0 0 1{'0' * 308} 0 0 cm 0 0 m 1{'0' * 308} -1{'0' * 308} l S 0 0 1{'0' * 308} 9 re f"))
    polygon = " ".join(f"{(i * 7919) % 595} {(i * 104729) % 842} {'l' if i else 'm'}" for i in range(20_000))
    add("polygon", "Has one polygon of 20,000 crossing edges.", HEAVY,
        Pdf().page(polygon + " f* " + polygon + " W n 0 0 595 842 re f"))


def jp2(width, height, components=3, tiles=None, data=b""):
    tile_width, tile_height = tiles or (width, height)
    size = struct.pack(">HIIIIIIIIH", 0, width, height, 0, 0, tile_width, tile_height, 0, 0, components) + b"\7\1\1" * components
    return (b"\xff\x4f" + b"\xff\x51" + be16(2 + len(size)) + size + b"\xff\x52" + be16(12) + b"\0\0\0\1\0\5\4\4\0\1" +
            b"\xff\x5c" + be16(19) +
            b"\x40" + b"\x40" * 16 + b"\xff\x90" + be16(10) + struct.pack(">HIBB", 0, 14 + len(data), 0, 1) + b"\xff\x93" + data +
            b"\xff\xd9")


def jbig2(width, height, kind=38, data=b"", region=None):
    page = be32(0) + b"\x30\0\1" + be32(19) + struct.pack(">IIIIBH", width, height, 0, 0, 0, 0)
    body = struct.pack(">IIIIB", *(region or (width, height)), 0, 0, 0) + b"\0" + b"\3\xff\xfd\xff\2\xfe\xfe\xfe" + data
    return page + be32(1) + bytes([kind]) + b"\0\1" + be32(len(body)) + body


def pdf_images(out):
    def add(name, about, expect, width, height, data, entries="/ColorSpace/DeviceGray/BitsPerComponent 8", draws=1):
        def make():
            pdf = Pdf()
            image = pdf.image(width, height, data, entries)
            return pdf.draw(*[image] * draws).file()
        out.add(f"pdf-image-{name}.pdf", about, expect, make)

    grey = "/ColorSpace/DeviceGray/BitsPerComponent 8"
    add("50000", "Has an image of 50,000 x 50,000 pixels, with little data.", HEAVY, 50_000, 50_000, b"x" * 1000)
    add("50000-full", "Has an image of 50,000 x 50,000 pixels, all there.", HEAVY, 50_000, 50_000, twice(filled(2_500_000_000)),
        grey + FLATE_TWICE)
    add("1-bit-200000", "Has an image of 200,000 x 200,000 bits, all there.", HEAVY, 200_000, 200_000,
        twice(filled(5_000_000_000)),
        "/ColorSpace/DeviceGray/BitsPerComponent 1" + FLATE_TWICE)
    add("49-megapixels", "Draws an image of 49 megapixels 20 times.", HEAVY, 7000, 7000, filled(49_000_000), grey + FLATE, 20)
    add("max", "Has an image of 2,147,483,647 x 2,147,483,647 pixels.", EITHER, 2**31 - 1, 2**31 - 1, b"x")
    add("negative", "Has an image of -1 x -1 pixels.", EITHER, -1, -1, b"x")
    add("depth-32", "Has an image of 32 bits a sample.", EITHER, 100, 100, bytes(40_000),
        "/ColorSpace/DeviceGray/BitsPerComponent 32")
    add("components", "Has an image of 32 inks.", EITHER, 1000, 1000, bytes(1000),
        f"/ColorSpace[/DeviceN[{' '.join(f'/I{i}' for i in range(32))}]/DeviceGray<</FunctionType 2/Domain[0 1]/N 1>>]"
        f"/BitsPerComponent 8")
    add("indexed", "Has an image with a palette of 2,147,483,647 entries.", EITHER, 100, 100, bytes(10_000),
        "/ColorSpace[/Indexed/DeviceRGB 2147483647<00>]/BitsPerComponent 8")
    add("mask-self", "Has an image that is its own mask.", EITHER, 100, 100, bytes(10_000), grey + "/SMask 3 0 R")
    add("jpeg-progressive", "Has a JPEG of 1,000 progressive scans.", HEAVY, 7000, 7000, progressive_jpeg(7000, 7000, 1000),
        grey + "/Filter/DCTDecode")
    add("jpeg-larger", "Says 10 x 10 pixels; its JPEG has 65,500 x 65,500.", EITHER, 10, 10,
        SOI + BASELINE + frame(65500, 65500) + scan() + bytes(1000) + EOI, grey + "/Filter/DCTDecode")
    add("jpeg-twice", "Has a JPEG inside a JPEG filter.", EITHER, 100, 100, flat_jpeg(100, 100),
        grey + "/Filter[/DCTDecode/DCTDecode]")
    for name, data in {"nonsense": noise("jpx", 50_000), "huge": jp2(2**32 - 1, 2**32 - 1), "30000": jp2(30_000, 30_000),
                       "7000": jp2(7000, 7000, data=bytes(1000)),
                       "components": jp2(1000, 1000, 16_384), "tiles": jp2(60_000, 60_000, 3, (1, 1)),
                       "magic": b"\0\0\0\x0cjP  \r\n\x87\n" + noise("jp2", 999)}.items():
        add(f"jpx-{name}", "Has a JPEG 2000 of nonsense or of absurd sizes.", EITHER, 100, 100, data, "/Filter/JPXDecode")
    for name, data in {"nonsense": noise("jbig2", 50_000), "huge": jbig2(2**32 - 1, 2**32 - 1),
                       "60000": jbig2(60_000, 60_000, data=noise("60000", 5000)),
                       "7000": jbig2(7000, 7000, data=noise("7000", 5000)), "text": jbig2(100, 100, 6, noise("text", 5000)),
                       "symbols": jbig2(100, 100, 0, noise("symbols", 5000)),
                       "segments": jbig2(100, 100) * 3000, "region": jbig2(10, 10, region=(2**31, 2**31))}.items():
        add(f"jbig2-{name}", "Has a JBIG2 image of nonsense or of absurd sizes.", EITHER, 7000, 7000, data,
            "/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode")
    for name, (columns, rows) in {"max": (2**31 - 1, 2**31 - 1), "60000": (60_000, 60_000), "0": (0, 0),
                                  "negative": (-5, -5)}.items():
        add(f"fax-{name}", f"Has a fax of {columns:,} x {rows:,} pixels.", HEAVY if name == "60000" else EITHER, max(columns, 1),
            max(rows, 1), b"\xff" * 8000,
            f"/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns {columns}/Rows {rows}>>")


def pdf_structure(out):
    def add(name, about, expect, pdf, **options):
        out.add(f"pdf-{name}.pdf", about, expect, lambda: (pdf() if callable(pdf) else pdf).file(**options))

    sound = Pdf().page("0 0 100 100 re f").file()
    body, middle = sound[:sound.rindex(b"xref\n0 ")], sound[:sound.rindex(b"startxref")]
    out.damaged("pdf", "pdf", b"%PDF-1.7\n", sound)
    out.add("pdf-sound.pdf", "Is a sound page without a code.", FOUND_NONE, sound)
    out.add("pdf-version.pdf", "Is of version 999999999.9.", EITHER, Pdf().page("0 0 9 9 re f").file(magic=b"%PDF-999999999.9\n"))
    out.add("pdf-no-xref.pdf", "Has no table of its objects.", EITHER, body)
    out.add("pdf-xref-loop.pdf", "Its table of objects names itself as the earlier one.", EITHER,
            middle.replace(b"/Root 1 0 R", b"/Root 1 0 R/Prev %d" % len(body)) + b"startxref\n%d\n%%%%EOF" % len(body))
    # Each table names the one before it, and the first names itself.
    parts, position, before = [body], len(body), len(body)
    for _ in range(5000):
        part = b"xref\n0 1\n0000000000 65535 f \ntrailer\n<</Size 9/Root 1 0 R/Prev %d>>\n" % before
        before = position
        parts.append(part)
        position += len(part)
    out.add("pdf-xref-chain.pdf", "Has 5,000 tables of objects that name each other.", EITHER,
            b"".join(parts) + b"startxref\n%d\n%%%%EOF" % before)
    for name, place in {"outside": 2**31 - 1, "negative": -1, "zero": 0, "huge": 10**30}.items():
        add(f"startxref-{name}", f"Says that its table of objects lies at {place:,}.", EITHER, Pdf().page("0 0 9 9 re f"),
            startxref=place)
    out.add("pdf-xref-size.pdf", "Declares 2,147,483,647 objects.", EITHER,
            body + b"xref\n0 2147483647\n0000000000 65535 f \ntrailer\n<</Size 2147483647/Root 1 0 R>>\n" +
            b"startxref\n%d\n%%%%EOF" % len(body))
    for name, entries in {"size": "/W[1 4 2]/Size 2147483647/Index[0 2147483647]",
                          "width": "/W[2147483647 2147483647 2147483647]/Size 9",
                          "index": f"/W[1 4 2]/Size 99999/Index[{'0 9 ' * 20_000}]",
                          "prev": f"/W[1 4 2]/Size 9/Prev {len(body)}"}.items():
        stream = f"9 0 obj\n<</Type/XRef/Root 1 0 R{entries}{FLATE}/Length 20000>>stream\n".encode()
        stream += filled(10 * MEBI)[:20_000].ljust(20_000) + b"\nendstream\nendobj\n"
        out.add(f"pdf-xref-stream-{name}.pdf", "Has a table of objects in a stream with absurd values.", EITHER,
                body + stream + b"startxref\n%d\n%%%%EOF" % len(body))

    tree = [(1, "<</Type/Catalog/Pages 2 0 R>>"), (2, "<</Type/Pages/Kids[3 0 R]/Count 1>>"),
            (3, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>")]
    inside = [(0, 0, 0), (2, 4, 0), (2, 4, 1), (2, 4, 2)]
    out.add("pdf-object-stream.pdf", "Has its objects in an object stream.", FOUND_NONE,
            in_object_streams((4, object_stream(tree)), size=6, entries=[*inside, (1, 4, 0), (0, 0, 0)]))
    out.add("pdf-object-stream-self.pdf", "Has an object stream that lies in itself.", EITHER,
            in_object_streams((4, object_stream(tree)), size=6, entries=[*inside, (2, 4, 3), (0, 0, 0)]))
    out.add("pdf-object-stream-pair.pdf", "Has two object streams that lie in each other.", EITHER,
            in_object_streams((4, object_stream(tree)), size=6, entries=[*inside, (2, 5, 0), (2, 4, 0)]))
    out.add("pdf-object-stream-extends.pdf", "Has an object stream that extends itself.", EITHER,
            in_object_streams((4, object_stream(tree, "/Extends 4 0 R")), size=6, entries=[*inside, (1, 4, 0), (0, 0, 0)]))
    out.add("pdf-object-stream-length.pdf", "Has an object stream whose length lies in it.", EITHER,
            in_object_streams((4, object_stream(tree).replace(b"/Length ", b"/Length 3 0 R%")), size=6,
                              entries=[*inside, (1, 4, 0), (0, 0, 0)]))
    out.add("pdf-object-stream-count.pdf", "Has an object stream that declares 2,147,483,647 objects.", EITHER,
            in_object_streams((4, object_stream(tree, count=2**31 - 1)), size=6, entries=[*inside, (1, 4, 0), (0, 0, 0)]))
    bomb = b"<</Type/ObjStm/N 3/First 20" + FLATE_TWICE.encode() + b"/Length %d>>stream\n%s\nendstream"
    packed = twice(repeated((b"1 0 2 1 3 2         ", 1), (b" " * MEBI, 1024)))
    out.add("pdf-object-stream-bomb.pdf", "Has an object stream that inflates to 1 GiB.", HEAVY,
            in_object_streams((4, bomb % (len(packed), packed)), size=6, entries=[*inside, (1, 4, 0), (0, 0, 0)]))

    filling = b"".join(b"%d 0 obj\n<</Type/Filling/Text(%s)>>\nendobj\n" % (i, b"x" * 60) for i in range(100, 100_100))
    out.add("pdf-rebuild.pdf", "Has no table of its objects and 10 MB of objects.", EITHER, body + filling)
    out.add("pdf-rebuild-headers.pdf", "Is 500 kB of headers of objects.", EITHER, b"%PDF-1.7\n" + b"1 0 obj " * 62_500)
    out.add("pdf-rebuild-numbers.pdf", "Has an object number of 2,147,483,646 and no table.", EITHER,
            body + b"2147483646 0 obj\n<<>>\nendobj\n" * 1000)
    out.add("pdf-rebuild-trailers.pdf", "Has 20,000 trailers.", EITHER, body + b"trailer <</Root 1 0 R/Size 9>>\n" * 20_000)
    out.add("pdf-rebuild-startxref.pdf", "Has 20,000 places of tables.", EITHER, body + b"startxref\n0\n%%EOF\n" * 20_000)
    out.add("pdf-blanks.pdf", "Is 500 kB of blanks after its header.", EITHER, b"%PDF-1.7\n" + b" " * 500_000)
    out.add("pdf-comments.pdf", "Is 500 kB of comments.", EITHER, b"%PDF-1.7\n" + b"%\n" * 250_000)
    for name, text in {"arrays": "[" * 300_000, "dictionaries": "<</A" * 50_000, "string": "(" * 100_000,
                       "hexadecimal": "<" + "0" * 200_000, "name": "/" + "A" * 200_000,
                       "number": "9" * 100_000}.items():
        pdf = Pdf().page("0 0 9 9 re f")
        pdf.catalogue = f"/X {pdf.add(text)} 0 R/Names {pdf.last} 0 R/Outlines {pdf.last} 0 R"
        add(f"syntax-{name}", f"Its catalogue needs an object of endless {name}.", EITHER, pdf)
    pdf = Pdf()
    pdf.add("3 0 R")
    pdf.pages.append(3)
    add("reference-self", "Has an object that is a reference to itself.", EITHER, pdf)
    pdf = Pdf()
    pdf.stream("0 0 9 9 re f", length="3 0 R")
    add("length-self", "Has a stream whose length is the stream.", EITHER, pdf.page(3))
    for name, length in {"negative": -1, "max": 2**31 - 1, "huge": 10**20, "short": 0}.items():
        pdf = Pdf()
        add(f"length-{name}", f"Has a stream that declares {length:,} bytes.", EITHER,
            pdf.page(pdf.stream("0 0 9 9 re f", length=length)))

    random_bytes = noise("encryption", 48).hex()
    for name, entries in {"40": f"/V 1/R 2/O<{random_bytes[:64]}>/U<{random_bytes[32:]}>/P -44",
                          "128": f"/V 2/R 3/Length 128/O<{random_bytes[:64]}>/U<{random_bytes[32:]}>/P -44",
                          "256": f"/V 5/R 6/Length 256/O<{random_bytes}>/U<{random_bytes}>/OE<{random_bytes[:64]}>"
                                 f"/UE<{random_bytes[:64]}>/Perms<{random_bytes[:32]}>/P -44"
                                 "/CF<</StdCF<</CFM/AESV3/Length 32>>>>/StmF/StdCF/StrF/StdCF",
                          "unknown": "/V 99/R 99"}.items():
        pdf = Pdf().page("0 0 9 9 re f")
        filter_name = "/Filter/Nobody" if name == "unknown" else "/Filter/Standard"
        pdf.trailer = f"/ID[<00><00>]/Encrypt<<{filter_name}{entries}>>"
        add(f"encrypted-{name}", "Is encrypted with a password that nobody knows.", UNREADABLE, pdf)
    pdf = Pdf().page("0 0 9 9 re f")
    pdf.trailer = "/ID[<00><00>]/Encrypt 1 0 R"
    add("encrypted-loop", "Is encrypted by its own catalogue.", EITHER, pdf)

    pdf = Pdf()
    fonts = "".join(f"/F{i} {pdf.add(f'<</Type/Font/Subtype/TrueType/BaseFont/Nobody{i}>>')} 0 R" for i in range(5000))
    add("fonts-5000", "Uses 5,000 fonts.", HEAVY,
        pdf.page("BT " + "".join(f"/F{i} 9 Tf 9 {i % 800} Td (x) Tj " for i in range(5000)) + "ET", f"/Font<<{fonts}>>"))
    for name, kind, key in (("truetype", "TrueType", "FontFile2"), ("type1", "Type1", "FontFile"),
                            ("cff", "Type1", "FontFile3/Subtype/Type1C")):
        head = {"truetype": b"\0\1\0\0\0\x10", "type1": b"%!PS-AdobeFont-1.0\n/FontMatrix[0 0 0 0 0 0]def\ncurrentfile eexec\n",
                "cff": b"\1\0\4\4\0\1"}[name]
        pdf = Pdf()
        font = pdf.stream(head + noise(name, 30_000), "/Subtype/Type1C" if name == "cff" else "")
        descriptor = pdf.add(f"<</Type/FontDescriptor/FontName/F/Flags 4/{key.split('/')[0]} {font} 0 R>>")
        number = pdf.add(f"<</Type/Font/Subtype/{kind}/BaseFont/F/FontDescriptor {descriptor} 0 R/FirstChar 0/LastChar "
                         f"2147483647/Widths[0]>>")
        add(f"font-{name}", "Has a font of random bytes.", EITHER,
            pdf.page("BT /F 99 Tf 9 9 Td (abc) Tj ET", f"/Font<</F {number} 0 R>>"))
    pdf = Pdf()
    number = pdf.last + 2
    glyph = pdf.stream("1000 0 d0 BT /F 1 Tf (aaaaaaaaaa) Tj ET")
    pdf.add(f"<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<</a {glyph} 0 R>>"
            f"/Encoding<</Differences[97/a]>>"
            f"/FirstChar 97/LastChar 97/Widths[1000]/Resources<</Font<</F {number} 0 R>>>>>>")
    add("type3-self", "Has a glyph that is written with its own font.", EITHER,
        pdf.page("BT /F 99 Tf 9 9 Td (aaaaaaaaaa) Tj ET", f"/Font<</F {number} 0 R>>"))
    pdf = Pdf()
    font = 0
    for level in range(10):
        glyph = pdf.stream("1000 0 d0 " + ("BT /F 1 Tf (aaaaaaaaaa) Tj ET" if level else "0 0 9 9 re f"))
        inner = f"/Resources<</Font<</F {font} 0 R>>>>" if level else ""
        font = pdf.add(f"<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<</a {glyph} "
                       f"0 R>>"
                       f"/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1000]{inner}>>")
    add("type3-exponential", "Has glyphs that write ten glyphs each, ten deep.", HEAVY,
        pdf.page("BT /F 99 Tf 9 9 Td (aaaaaaaaaa) Tj ET", f"/Font<</F {font} 0 R>>"))
    pdf = Pdf()
    cmap = pdf.last + 1
    pdf.stream("/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ffffffff> endcodespacerange "
               "1 begincidrange <00000000> <ffffffff> 0 endcidrange endcmap", f"/Type/CMap/CMapName/C/UseCMap {cmap} 0 R")
    inner = pdf.add("<</Type/Font/Subtype/CIDFontType2/BaseFont/F/CIDSystemInfo<</Registry(a)/Ordering(b)/Supplement 0>>/W[0 "
                    "2147483647 9]/DW2[9]>>")
    number = pdf.add(f"<</Type/Font/Subtype/Type0/BaseFont/F/Encoding {cmap} 0 R/ToUnicode {cmap} 0 R/DescendantFonts[{inner} 0 "
                     f"R]>>")
    add("cmap-self", "Has a character map that uses itself and maps four thousand million codes.", EITHER,
        pdf.page("BT /F 9 Tf 9 9 Td <0000000000000001> Tj ET", f"/Font<</F {number} 0 R>>"))
    pdf = Pdf()
    number = pdf.add("<</Type/Font/Subtype/Type0/BaseFont/F/Encoding/../../../../etc/passwd"
                     "/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/F"
                     "/CIDSystemInfo<</Registry(../../../etc)/Ordering(passwd)/Supplement 0>>>>]>>")
    add("cmap-path", "Names /etc/passwd as a character map.", EITHER,
        pdf.page("BT /F 9 Tf 9 9 Td <0001> Tj ET", f"/Font<</F {number} 0 R>>"))

    pdf = Pdf()
    form = pdf.form("0 0 9 9 re f")
    note = pdf.add(f"<</Type/Annot/Subtype/Stamp/Rect[0 0 595 842]/AP<</N {form} 0 R>>>>")
    add("annotations", "Has the same annotation 40,000 times.", EITHER, pdf.page(entries=f"/Annots[{f'{note} 0 R ' * 40_000}]"))
    pdf = Pdf()
    pdf.add("<</FT/Tx/T(a)/Kids[3 0 R 3 0 R]/Parent 3 0 R>>")
    pdf.catalogue = "/AcroForm<</Fields[3 0 R]/XFA[(template) 3 0 R]/NeedAppearances true>>"
    add("fields-loop", "Has a form field that contains itself.", EITHER, pdf.page(entries="/Annots[3 0 R]"))
    pdf = Pdf().page()
    number = pdf.add("<</Title(a)/First 5 0 R/Last 5 0 R/Next 5 0 R/Prev 5 0 R/Parent 5 0 R>>")
    pdf.catalogue = f"/Outlines {number} 0 R/StructTreeRoot<</K {number} 0 R>>"
    pdf.catalogue += f"/OCProperties<</OCGs[{number} 0 R]/D<</Order[{number} 0 R]>>>>"
    add("outline-loop", "Has an outline that contains itself.", EITHER, pdf)


def pdf_attachments(out):
    def add(name, about, expect, pdf):
        out.add(f"pdf-{name}.pdf", about, expect, lambda: pdf().file() if callable(pdf) else pdf.file())

    def attached(names, data=CARD_FILE, entries="/Type/EmbeddedFile"):
        pdf = Pdf().page("0 0 9 9 re f")
        return attachments(pdf, names, pdf.stream(data, entries))

    names = {"parents": "(../../../../tmp/attached)", "absolute": "(/tmp/attached)", "option": "(-o)", "long-option": "(--help)",
             "line-break": "(a\nb\rc)", "empty": "()",
             "nul": "(a\\000b.smart-health-card)", "escape": "(\\033[2J\\033]0;title\\007)",
             "utf-16": "<FEFF202E0064007200610063>", "long": f"({'n' * 5000})", "device": "(/dev/stdout)", "dots": "(..)",
             "shell": "($\\(touch /tmp/attached\\);`id`)", "folder": "(a/b/c/)", "format": "(%s%n%n%n)"}
    for name, text in names.items():
        add(f"attachment-name-{name}", "Has a valid card attached under a hostile name.", CARD, attached([text]))
    for name, text in {"null": "null", "number": " 7"}.items():
        add(f"attachment-name-{name}", "Has a card attached under a name that is no text.", EITHER, attached([text]))
    add("attachment-same-name", "Has 500 attachments of the same name, which are the same card.", CARD,
        attached(["(card)"] * 500))
    add("attachments-100000", "Has 100,000 attachments of one byte.", HEAVY, lambda: many_attachments(100_000))
    add("attachments-2000", "Has 2,000 attachments of one byte.", EITHER, lambda: attached(["(a)"] * 2000, b"x"))
    add("attachment-1-gib", "Has an attachment that inflates to 1 GiB.", HEAVY,
        lambda: attached(["(a)"], twice(filled(1 << 30, b" ")), "/Type/EmbeddedFile" + FLATE_TWICE))
    add("attachment-16-gib", "Has an attachment that inflates twice to 16 GiB.", HEAVY,
        lambda: attached(["(a)"], twice(filled(16 << 30, b" ")), "/Type/EmbeddedFile" + FLATE_TWICE))
    add("attachments-1000-bombs", "Has 1,000 attachments that inflate to 100 MB each.", HEAVY,
        lambda: attached(["(a)"] * 1000, filled(100_000_000, b" "), "/Type/EmbeddedFile" + FLATE))
    add("attachment-size", "Has an attachment that declares a wrong size.", CARD,
        attached(["(a)"], entries="/Type/EmbeddedFile/Params<</Size 2147483647>>"))
    add("attachment-json-deep", "Has an attachment of 100,000 opening brackets.", EITHER, attached(["(a.json)"], b"[" * 100_000))
    add("attachment-pdf", "Has a PDF attached that has a PDF attached, and so on, 30 deep.", EITHER, inner_pdf)
    add("attachment-picture", "Has a picture bomb attached.", EITHER, attached(["(a.png)"], flat_png(7000, 7000, RGBA)))
    pdf = Pdf().page("0 0 9 9 re f")
    pdf.catalogue = "/Names<</EmbeddedFiles 5 0 R>>"
    pdf.add("<</Kids[5 0 R 5 0 R]/Limits[(a)(z)]>>")
    add("names-loop", "Its tree of attachments contains itself.", EITHER, pdf)
    pdf = Pdf().page("0 0 9 9 re f")
    pdf.catalogue = "/Names<</EmbeddedFiles 5 0 R>>"
    for i in range(30):
        pdf.add(f"<</Kids[{i + 6} 0 R {i + 6} 0 R]/Limits[(a)(z)]>>")
    pdf.add("<</Names[(a)<</Type/Filespec/F(a)>>]/Limits[(a)(z)]>>")
    add("names-exponential", "Its tree of attachments has two branches at each of 30 levels.", EITHER, pdf)
    nodes = [f"<</Kids[{i + 1} 0 R]/Limits[(a)(z)]>>" for i in range(4, 60_000)]
    out.add("pdf-names-deep.pdf", "Its tree of attachments is 60,000 deep.", EITHER, lambda: compressed_pdf([
        "<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles 4 0 R>>>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>", *nodes, "<</Names[(a)<</Type/Filespec/F(a)>>]/Limits[(a)(z)]>>"]))
    for name, entries in {"file": "/F(/etc/passwd)", "specification": "/F<</Type/Filespec/F(/etc/passwd)/UF(/etc/passwd)>>",
                          "url": "/F<</FS/URL/F(http://127.0.0.1:9/)>>",
                          "filter": "/F(/etc/passwd)/FFilter/ASCIIHexDecode"}.items():
        add(f"attachment-external-{name}", "Has an attachment whose bytes lie outside the document.", EITHER,
            attached(["(a)"], b"", f"/Type/EmbeddedFile{entries}"))
        pdf = Pdf()
        add(f"external-{name}", "Has a page whose content lies outside the document.", EITHER,
            pdf.page(pdf.stream("0 0 9 9 re f", entries)))
    pdf = Pdf()
    image = pdf.image(100, 100, b"", "/ColorSpace/DeviceGray/BitsPerComponent 8/F(/etc/passwd)")
    add("external-image", "Has an image whose bytes lie outside the document.", EITHER, pdf.draw(image))
    pdf = Pdf()
    add("external-page", "Shows a page of another document.", EITHER,
        pdf.draw(pdf.form("0 0 9 9 re f", entries="/Ref<</F(/etc/passwd)/Page 0>>")))
    pdf = Pdf()
    image = pdf.stream("(/etc/passwd) run (%pipe%touch /tmp/launched) (w) file", "/Type/XObject/Subtype/PS/Level1 3 0 R")
    add("postscript", "Has a PostScript fragment that opens files.", EITHER, pdf.draw(image))
    for name, action in ACTIONS.items():
        pdf = Pdf()
        content = grid_pdf_content(card_grid()) if qrcode else "0 0 9 9 re f"
        pdf.page(content,
                 entries=f"/AA<</O<<{action}>>/C<<{action}>>>>/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 595 842]/A<<{action}>>"
                         f"/AA<</PO<<{action}>>>>>>]")
        pdf.catalogue = f"/OpenAction<<{action}/Next<<{action}>>>>/AA<</WC<<{action}>>>>"
        pdf.catalogue += f"/Names<</JavaScript<</Names[(a)<<{action}>>]>>>>"
        add(f"action-{name}",
            f"Wants to run an action ({name}) when it is opened" + (", and shows a valid card." if qrcode else "."),
            CARD if qrcode else FOUND_NONE, pdf)


def inner_pdf():
    content = Pdf().page("0 0 9 9 re f").file()
    for _ in range(30):
        pdf = Pdf().page("0 0 9 9 re f")
        attachments(pdf, ["(inner.pdf)"], pdf.stream(content, "/Type/EmbeddedFile"))
        content = pdf.file()
    return pdf


# SVG

SVG_START = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
SOUND_SVG = SVG_START + 'width="100" height="100"><rect width="50" height="50"/></svg>'


def svg(content, size='width="100" height="100"', before=""):
    return (before + SVG_START + size + ">" + content + "</svg>").encode()


def svg_files(out):
    def add(name, about, expect, content, suffix="svg"):
        out.add(f"svg-{name}.{suffix}", about, expect, content if isinstance(content, bytes) else svg(content))

    out.damaged("svg", "svg", b"<?xml version=\"1.0\"?><svg", svg('<rect width="50" height="50"/>' * 20))
    rectangle = '<rect width="100" height="100"/>'
    add("sound", "Is a sound picture without a code.", FOUND_NONE, rectangle)

    entities = '<!DOCTYPE svg [<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10)) + "]>"
    add("entities", "Has entities that grow to a thousand million words (billion laughs).", EITHER,
        svg("<text>&a9;</text>", before=entities))
    add("entities-attribute", "Has such entities in an attribute.", EITHER, svg('<path d="&a9;"/>', before=entities))
    quadratic = f'<!DOCTYPE svg [<!ENTITY a "{"a" * 100_000}">]>'
    add("entities-quadratic", "Names one entity of 100 kB 5,000 times.", HEAVY,
        svg("<text>" + "&a;" * 5000 + "</text>", before=quadratic))
    elements = '<!DOCTYPE svg [<!ENTITY a0 "<g/>">' + "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">'
                                                              for i in range(1, 8)) + "]>"
    add("entities-elements", "Has entities that make ten million elements.", EITHER, svg("&a7;", before=elements))
    add("entities-loop", "Has an entity that contains itself.", EITHER,
        svg("<text>&a;</text>", before='<!DOCTYPE svg [<!ENTITY a "&b;"><!ENTITY b "&a;">]>'))
    for name, target in {"file": "file:///etc/passwd", "url": "http://127.0.0.1:9/a"}.items():
        add(f"entity-{name}", f"Has the entity {target}.", EITHER,
            svg("<text>&a;</text>", before=f'<!DOCTYPE svg [<!ENTITY a SYSTEM "{target}">]>'))
        add(f"dtd-{name}", f"Has the document type {target}.", EITHER, svg(rectangle, before=f'<!DOCTYPE svg SYSTEM "{target}">'))
        add(f"parameter-entity-{name}", f"Has the parameter entity {target}.", EITHER,
            svg(rectangle, before=f'<!DOCTYPE svg [<!ENTITY % a SYSTEM "{target}">%a;]>'))
        add(f"image-{name}", f"Has the image {target}.", EITHER,
            f'<image xlink:href="{target}" href="{target}" width="100" height="100"/>{rectangle}')
        add(f"use-{name}", f"Uses an element of {target}.", EITHER, f'<use xlink:href="{target}#a"/>{rectangle}')
        add(f"style-{name}", f"Imports the style {target}.", EITHER,
            f'<style>@import url("{target}"); @font-face{{font-family:f;src:url({target})}}</style><text y="50" font-family="f">'
            f'a</text>')
        add(f"style-sheet-{name}", f"Names the style sheet {target}.", EITHER,
            svg(rectangle, before=f'<?xml-stylesheet href="{target}" type="text/css"?>'))
        add(f"include-{name}", f"Includes {target}.", EITHER,
            f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{target}" parse="text"/>{rectangle}')
        add(f"paint-{name}", f"Fills with a paint of {target}, filtered and masked by it.", EITHER,
            f'<rect width="100" height="100" fill="url({target}#a)" filter="url({target}#b)" mask="url({target}#c)"/>')
        add(f"filter-image-{name}", f"Filters with the image {target}.", EITHER,
            f'<filter id="f"><feImage xlink:href="{target}"/></filter><rect width="100" height="100" filter="url(#f)"/>')
    for target in ("/dev/zero", "/dev/stdin"):
        name = target.rsplit("/", 1)[1]
        add(f"entity-{name}", f"Has the entity {target}.", EITHER,
            svg("<text>&a;</text>", before=f'<!DOCTYPE svg [<!ENTITY a SYSTEM "file://{target}">]>'))
        add(f"image-{name}", f"Has the image {target}.", EITHER,
            f'<image href="file://{target}" width="100" height="100"/>{rectangle}')
    add("include-self", "Includes itself.", EITHER,
        '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href=""/><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" '
        'href="svg-include-self.svg"/>')
    add("image-self", "Has itself as an image.", EITHER, '<image href="svg-image-self.svg" width="100" height="100"/>')
    add("image-neighbour", "Has the neighbour svg-sound.svg as an image.", EITHER,
        '<image href="svg-sound.svg" width="100" height="100"/>')
    add("script", "Has a script.", FOUND_NONE,
        '<script>while(true);</script><rect width="100" height="100" onload="while(true);"/>')
    add("foreign-object", "Has a web page in a foreign object.", FOUND_NONE,
        '<foreignObject width="100" height="100"><iframe xmlns="http://www.w3.org/1999/xhtml" src="http://127.0.0.1:9/"/>'
        '</foreignObject>')
    bomb = base64.b64encode(flat_png(7000, 7000, RGBA)).decode()
    add("data-png-bomb", "Has a PNG of 49 megapixels inside.", HEAVY,
        f'<image href="data:image/png;base64,{bomb}" width="100" height="100"/>')
    for width, height, name in ((50_000, 50_000, "50000"), (7000, 7000, "7000")):
        inner = base64.b64encode(riff(piece(b"VP8L", vp8l(min(width, 16383), min(height, 16383))))).decode()
        add(f"data-webp-{name}", "Has a WebP bomb inside.", EITHER,
            f'<image href="data:image/webp;base64,{inner}" width="100" height="100"/>')
    inner = base64.b64encode(progressive_jpeg(7000, 7000, 1000)).decode()
    add("data-jpeg", "Has a JPEG of 1,000 progressive scans inside.", HEAVY,
        f'<image href="data:image/jpeg;base64,{inner}" width="100" height="100"/>')
    content = svg(rectangle)
    for _ in range(12):
        content = svg(f'<image href="data:image/svg+xml;base64,{base64.b64encode(content).decode()}" width="100" height="100"/>' *
                      2) if len(content) < 100_000 else content
    add("data-svg", "Has pictures inside pictures, two in each.", EITHER, content)

    def filtered(primitives, attributes='x="0" y="0" width="100%" height="100%"', uses=1):
        return f'<filter id="f" {attributes}>{primitives}</filter>' + '<rect width="1000" height="1000" filter="url(#f)"/>' * uses

    page = 'width="4000" height="4000" viewBox="0 0 1000 1000"'
    for name, about, primitives in (
            ("blur", "a blur of 10^9", '<feGaussianBlur stdDeviation="1e9"/>'),
            ("blurs", "500 blurs", '<feGaussianBlur stdDeviation="300"/>' * 500),
            ("turbulence", "a turbulence of 10,000 octaves", '<feTurbulence baseFrequency="0.1" numOctaves="10000"/>'),
            ("turbulence-huge", "a turbulence of 2,147,483,647 octaves",
             '<feTurbulence baseFrequency="1e30" numOctaves="2147483647"/>'),
            ("morphology", "a radius of 100,000", '<feMorphology operator="dilate" radius="100000"/>'),
            ("convolve", "a kernel of 300 x 300", f'<feConvolveMatrix order="300" kernelMatrix="{"1 " * 90_000}"/>'),
            ("convolve-order", "a kernel of 2,147,483,647 x 2,147,483,647",
             '<feConvolveMatrix order="2147483647" kernelMatrix="1"/>'),
            ("offset", "an offset of 10^30", '<feOffset dx="1e30" dy="-1e30"/><feTile/>'),
            ("merge", "a merge of 10,000 inputs", f'<feMerge>{"<feMergeNode/>" * 10_000}</feMerge>'),
            ("lighting", "200 lights",
             '<feSpecularLighting specularExponent="128"><fePointLight x="1" y="1" z="1"/></feSpecularLighting>' * 200),
            ("displacement", "200 displacements",
             '<feDisplacementMap in="SourceGraphic" in2="SourceGraphic" scale="1e9"/>' * 200),
            ("primitives", "20,000 primitives", '<feFlood/>' * 20_000)):
        add(f"filter-{name}", f"Has a filter with {about}.", HEAVY, svg(filtered(primitives), page))
    add("filter-region", "Has a filter region of 10^9 x 10^9.", HEAVY,
        svg(filtered('<feFlood/><feTile/>', 'x="-1e9" y="-1e9" width="2e9" height="2e9" filterUnits="userSpaceOnUse"'), page))
    add("filter-uses", "Uses a filter 5,000 times.", HEAVY, svg(filtered('<feGaussianBlur stdDeviation="50"/>', uses=5000), page))
    add("filter-many", "Puts 1,000 filters on one element.", HEAVY,
        svg('<filter id="f"><feGaussianBlur stdDeviation="50"/></filter>' f'<rect width="1000" height="1000" '
                                                                          f'style="filter:{"url(#f) " * 1000}"/>', page))

    def levels(first, wrap, count, uses=10):
        """Definitions that use the one before several times each, and a use of the last."""
        text = f'<defs><g id="a0">{first}</g>'
        for i in range(1, count):
            text += wrap(i, f'<use xlink:href="#a{i - 1}"/>' * uses)
        return text + f'</defs><use xlink:href="#a{count - 1}"/>'

    add("uses", "Has elements that use ten others each, nine deep.", HEAVY,
        levels(rectangle, lambda i, inner: f'<g id="a{i}">{inner}</g>', 10))
    add("uses-below-bound", "Has 300,000 elements by use.", HEAVY,
        levels(rectangle * 3, lambda i, inner: f'<g id="a{i}">{inner}</g>', 6))
    add("uses-opacity", "Has 10,000 transparent layers by use, four deep.", HEAVY,
        svg(levels(rectangle, lambda i, inner: f'<g id="a{i}" opacity=".5">{inner}</g>', 5), page))
    add("use-self", "Uses itself.", EITHER, '<g id="a"><use xlink:href="#a"/></g>')
    add("use-pair", "Has two elements that use each other.", EITHER,
        '<g id="a"><use xlink:href="#b"/></g><g id="b"><use xlink:href="#a"/></g>')
    add("patterns", "Has patterns that are filled with patterns, twelve deep.", HEAVY, svg("".join(
        f'<pattern id="p{i}" width=".1" height=".1"><rect width="100" height="100" fill="url(#p{i - 1})"/></pattern>'
        for i in range(1, 13)) +
        f'<pattern id="p0" width=".1" height=".1">{rectangle}</pattern><rect width="1000" height="1000" fill="url(#p12)"/>',
        page))
    add("pattern-tiny", "Is filled with a pattern of 10^-6 units.", HEAVY,
        svg(f'<pattern id="p" width="1e-6" height="1e-6" patternUnits="userSpaceOnUse">{rectangle}</pattern><rect width="1000" '
            f'height="1000" fill="url(#p)"/>', page))
    add("pattern-huge", "Is filled with a pattern of 10^9 units.", EITHER,
        svg(f'<pattern id="p" width="1e9" height="1e9" patternUnits="userSpaceOnUse">{rectangle}</pattern><rect width="1e9" '
            f'height="1e9" fill="url(#p)"/>', page))
    add("pattern-self", "Has a pattern that is filled with itself.", EITHER,
        '<pattern id="p" width="9" height="9" patternUnits="userSpaceOnUse"><rect width="9" height="9" fill="url(#p)"/>'
        '</pattern><rect width="100" height="100" fill="url(#p)"/>')
    for kind in ("mask", "clipPath", "linearGradient"):
        add(f"{kind.lower()}-self", f"Has a {kind} that refers to itself.", EITHER,
            f'<{kind} id="m" xlink:href="#m" {"clip-path" if kind == "clipPath" else "mask"}="url(#m)"><rect width="9" '
            f'height="9" mask="url(#m)"/></{kind}>'
            '<rect width="100" height="100" mask="url(#m)" clip-path="url(#m)" fill="url(#m)"/>')
    add("masks", "Has masks inside masks, 10 uses each, six deep.", HEAVY, masks(page))
    add("markers", "Has markers with markers on 10,000 corners.", HEAVY,
        f'<marker id="m"><path d="M0 0{"L1 1" * 100}" marker-mid="url(#n)"/></marker><marker id="n">{rectangle * 10}</marker>'
        f'<path d="M0 0{"l1 1" * 10_000}" marker-mid="url(#m)"/>')
    add("dashes", "Has a dashed line of ten million dashes.", EITHER,
        '<path d="M0 0L100 100" stroke="black" stroke-dasharray="0.00001"/>')
    add("gradient-stops", "Has a gradient of 15,000 stops.", EITHER,
        '<linearGradient id="g">' + '<stop offset=".5"/>' * 15_000 +
        '</linearGradient><rect width="100" height="100" fill="url(#g)"/>')
    add("text-long", "Has a text of 500 kB.", EITHER, f'<text y="50">{"a b " * 125_000}</text>')
    add("text-huge", "Has letters of 10^9 units.", EITHER, '<text y="50" font-size="1e9" stroke="black">abc</text>')
    add("text-spans", "Has 30,000 spans of text.", EITHER, f'<text y="50">{"<tspan>a</tspan>" * 30_000}</text>')
    add("style-rules", "Has 8,000 rules of style for 5,000 elements.", HEAVY,
        f'<style>{"g g g rect:nth-child(2n+1) {fill:red}" * 8_000}</style><g><g><g>{"<rect/>" * 5000}</g></g></g>')
    add("style-deep", "Has a style of 100,000 opening brackets.", EITHER,
        f'<style>{"@media all{" * 20_000}{"(" * 100_000}</style>{rectangle}')
    add("switches", "Has 8,000 switches.", EITHER, '<switch><g systemLanguage="en"/></switch>' * 8000)

    for name, size in {"1e9": 'width="1e9" height="1e9"', "40000": 'width="40000" height="40000"',
                       "32767": 'width="32767" height="32767"', "7000": 'width="7000" height="7000"',
                       "0": 'width="0" height="0"', "negative": 'width="-5" height="-5"', "wide": 'width="30000" height="1"',
                       "percent": 'width="1e9%" height="1e9%"',
                       "units": 'width="1e6in" height="1e6in"', "view-box-0": 'viewBox="0 0 0 0"',
                       "view-box-tiny": 'width="100" height="100" viewBox="0 0 1e-30 1e-30"',
                       "view-box-huge": 'viewBox="-1e30 -1e30 1e38 1e38"', "not-a-number": 'width="nan" height="inf"',
                       "none": ""}.items():
        add(f"size-{name}", f"Has the size {size.replace(chr(34), '') or 'none'}.", HEAVY if name == "7000" else EITHER,
            svg(rectangle, size))
    long_path = "M0 0" + "L9 9" * 750_000
    add("path-3-mb", "Has a path of 3 MB.", EITHER, svg(f'<path d="{long_path}"/>'))
    add("path-9-mb", "Has three paths of 3 MB, compressed.", EITHER,
        gzip.compress(svg(f'<path d="{long_path}"/>' * 3), 9, mtime=0), "svgz")
    add("path-21-mb", "Has seven paths of 3 MB, compressed.", EITHER,
        gzip.compress(svg(f'<path d="{long_path}"/>' * 7), 9, mtime=0), "svgz")
    add("path-attribute", "Has a path of 21 MB, longer than an attribute may be, compressed.", EITHER,
        gzip.compress(svg(f'<path d="{long_path * 7}"/>'), 9, mtime=0), "svgz")
    add("path-crossing", "Has a path of 80,000 crossing lines.", HEAVY,
        svg('<path fill-rule="evenodd" stroke="black" d="M0 0' + "".join(
        f"L{i * 7919 % 997} {i * 104729 % 991}" for i in range(80_000)) + '"/>', page))
    add("compressed", "Is compressed.", FOUND_NONE, gzip.compress(svg(rectangle), mtime=0), "svgz")
    add("compressed-bomb", "Inflates to 384 MiB of blanks.", HEAVY, gzip_bomb(SVG_START.encode() + b">", 384 * MEBI), "svgz")
    add("compressed-twice", "Is compressed twice.", UNREADABLE, gzip.compress(gzip.compress(svg(rectangle), mtime=0), mtime=0),
        "svgz")
    add("compressed-members", "Is compressed in 5,000 empty members and one with the picture.", EITHER,
        gzip.compress(b"", mtime=0) * 5000 + gzip.compress(svg(rectangle), mtime=0), "svgz")
    add("compressed-cut", "Is compressed and cut.", EITHER, gzip.compress(svg(rectangle * 999), mtime=0)[:-40], "svgz")
    add("deep", "Has 30,000 elements inside each other.", EITHER, "<g>" * 30_000 + "</g>" * 30_000)
    add("deep-open", "Has 100,000 elements inside each other and closes none.", EITHER,
        (SVG_START + ">" + "<g>" * 100_000).encode())
    add("deep-250", "Has 250 transparent layers inside each other.", EITHER,
        svg("<g opacity='.5'>" * 250 + rectangle + "</g>" * 250, page))
    add("elements", "Has 900,000 elements, compressed.", HEAVY, gzip.compress(svg("<g/>" * 900_000), mtime=0), "svgz")
    add("attributes", "Has an element of 40,000 attributes.", EITHER, "<g " + " ".join(f'a{i}=""' for i in range(40_000)) + "/>")
    add("name-long", "Has a name of 200 kB.", EITHER, f'<{"n" * 200_000}/>')
    add("namespaces", "Has 20,000 namespaces.", EITHER, "<g " + " ".join(f'xmlns:a{i}="b"' for i in range(20_000)) + "/>")
    add("comment", "Has a comment of 500 kB.", EITHER, f'<!--{"c" * 500_000}-->{rectangle}')
    for name, encoding in {"utf-16": "utf-16", "utf-16-be": "utf-16-be", "utf-32": "utf-32", "utf-7": "utf-7",
                           "ebcdic": "cp037"}.items():
        add(f"encoding-{name}", f"Is written in {name.upper()}.", EITHER,
            (f'<?xml version="1.0" encoding="{name}"?>' + SOUND_SVG).encode(encoding))
    add("encoding-contradicts", "Is UTF-8 and says UTF-16.", EITHER,
        ('<?xml version="1.0" encoding="UTF-16"?>' + SOUND_SVG).encode())
    add("encoding-unknown", "Says an encoding that does not exist.", EITHER,
        ('<?xml version="1.0" encoding="../../x"?>' + SOUND_SVG).encode())
    add("byte-order-marks", "Has the byte-order marks of UTF-8, UTF-16 and UTF-32.", EITHER,
        b"\xef\xbb\xbf\xff\xfe\xff\xfe\0\0" + SOUND_SVG.encode())
    add("invalid-utf-8", "Has bytes that are no UTF-8.", EITHER,
        svg("<text>@</text>").replace(b"@", b"\xff\xfe\xc0\x80\xed\xa0\x80"))
    add("nul", "Has NUL bytes.", EITHER, svg("<text>@</text>").replace(b"@", b"a\0b"))
    add("lead", "Begins after 300 kB of blanks.", EITHER, b" " * 300_000 + SOUND_SVG.encode())
    add("lead-comment", "Begins after comments of 200 kB.", EITHER, b"<!-- svg -->" * 17_000 + SOUND_SVG.encode())
    add("html", "Is a web page with a picture inside.", EITHER,
        ("<!DOCTYPE html><html><body>" + SOUND_SVG + "</body></html>").encode())


def masks(page):
    text = '<mask id="m0"><rect width="500" height="500" fill="white"/></mask>'
    for i in range(1, 7):
        text += f'<mask id="m{i}">' + f'<rect width="1000" height="1000" mask="url(#m{i - 1})"/>' * 10 + "</mask>"
    return svg(text + '<rect width="1000" height="1000" mask="url(#m6)"/>', page)


def gzip_bomb(start, size):
    """A gzip stream of `start` and this many blanks."""
    unit = b" " * MEBI
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    first = deflater.compress(start) + deflater.flush(zlib.Z_FULL_FLUSH)
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    again = deflater.compress(unit) + deflater.flush(zlib.Z_FULL_FLUSH)
    checksum = zlib.crc32(start)
    for _ in range(size // MEBI):
        checksum = zlib.crc32(unit, checksum)
    return b"\x1f\x8b\x08\0\0\0\0\0\2\xff" + first + again * (size // MEBI) + b"\3\0" + le32(checksum) + le32((len(start) +
                                                                                                               size) % 2**32)


# Files of several kinds at once, and cards among hostile parts

def zip_file(name, content):
    """A ZIP with one stored file."""
    fields = struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 33, zlib.crc32(content), len(content), len(content), len(name), 0)
    local = b"PK\3\4" + fields + name + content
    central = b"PK\1\2" + struct.pack("<H", 20) + fields + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
    return local + central + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)


def mixed_files(out):
    def add(name, about, expect, content):
        out.add(f"mixed-{name}", about, expect, content)

    pdf, plain, archive = Pdf().page("0 0 9 9 re f").file(), flat_png(100, 100), zip_file(b"card.smart-health-card", CARD_FILE)
    add("png-card-after.png", "Is a PNG without a code, with a card's JSON after its end.", FOUND_NONE, plain + CARD_FILE)
    add("png-text.png", "Is a PNG without a code, with a card's JSON and QR text in its texts.", FOUND_NONE,
        flat_png(100, 100, before=chunk(b"tEXt", b"Comment\0" + CARD_FILE) + chunk(b"tEXt", b"QR\0" + CARD_TEXT.encode())))
    add("png-pdf-after.png", "Is a PNG with a PDF after its end.", FOUND_NONE, plain + pdf)
    add("png-pdf-inside.png", "Is a PNG with a PDF in a chunk.", FOUND_NONE, flat_png(100, 100, before=chunk(b"pdFd", pdf)))
    add("jpeg-zip.jpg", "Is a JPEG with a ZIP of a card after its end.", FOUND_NONE, flat_jpeg(100, 100) + archive)
    add("jpeg-png.jpg", "Is a JPEG with a PNG after its end.", FOUND_NONE, flat_jpeg(100, 100) + plain)
    add("gif-script.gif", "Is a GIF whose screen's size is a script.", EITHER,
        b"GIF89a/*" + b"\0\0\0*/=1;while(1);" + gif_frame(10, 10, lzw(100)) + b";")
    add("zip.pdf", "Is a ZIP that is called a PDF.", EITHER, archive)
    add("zip-pdf.pdf", "Is a ZIP and a PDF.", EITHER, archive[:40] + b"%PDF-1.7\n" + pdf[9:] + archive)
    add("pdf-json.pdf", "Is a PDF whose first bytes are an opened JSON object.", EITHER,
        b'{"verifiableCredential":["' + pdf + b'"]}')
    add("pdf-late.pdf", "Is a PDF after 5,000 other bytes.", EITHER, Pdf().page("0 0 9 9 re f").file(lead=b"%" + b"x" * 4999))
    add("pdf-svg.svg", "Is an SVG with a PDF in a comment.", EITHER, svg("<!-- %PDF-1.7 -->" + '<rect width="9" height="9"/>'))
    add("tiff-svg.tiff", "Is a TIFF with an SVG after its end.", EITHER, strip_tiff(100, 100, bytes(10_000)) + SOUND_SVG.encode())
    add("webp-heic.heic", "Is a WebP inside the boxes of a HEIC.", UNREADABLE,
        box(b"ftyp", b"heic", be32(0)) + riff(piece(b"VP8L", vp8l(9, 9))))
    add("json.png", "Is a card's JSON that is called a PNG.", CARD, CARD_FILE)
    add("empty.png", "Is empty.", EITHER, b"")
    add("postscript.pdf", "Is PostScript that is called a PDF.", EITHER, b"%!PS-Adobe-3.0\n(/etc/passwd) (r) file {} loop\n")
    add("dos.pdf", "Is a program of another system that is called a PDF.", EITHER, b"MZ" + noise("dos", 20_000))
    if qrcode is None:
        return
    grid = card_grid()
    large = scaled(grid, 4)
    add("card-json-after.png", "Shows a valid card, with the JSON of another after its end.", CARD,
        grid_png(large, trailer=CARD_FILE))
    add("card-texts.png", "Shows a valid card among 5,000 tEXt chunks.", CARD,
        grid_png(large, before=chunk(b"tEXt", b"k\0v") * 5000))
    add("card-profile.png", "Shows a valid card, with a colour profile that inflates to 256 MiB.", CARD,
        grid_png(large, before=chunk(b"iCCP", b"p\0\0" + filled(256 * MEBI))))
    add("card-exif.png", "Shows a valid card, with EXIF data that runs in a loop.", CARD,
        grid_png(large, before=chunk(b"eXIf", EXIF["loop"][0][10:])))
    add("card-animated.png", "Shows a valid card before 1,000 frames of an animation.", CARD,
        grid_png(large, before=chunk(b"acTL", be32(1000) + be32(0)), after=chunk(b"fcTL", bytes(26)) * 1000))
    add("card-zip.jpg", "Shows a valid card before a ZIP.", CARD, grid_jpeg(grid, trailer=EOI + archive))
    add("card-segments.jpg", "Shows a valid card after 20,000 APP segments.", CARD,
        grid_jpeg(grid, before=segment(0xE5, b"x") * 20_000))
    for name, (before, about) in EXIF.items():
        if not name.startswith("orientation"):
            add(f"card-exif-{name}.jpg", f"Shows a valid card. {about}", CARD, grid_jpeg(grid, before=before))
    add("card-no-end.jpg", "Shows a valid card and has no end marker.", CARD, grid_jpeg(grid, trailer=b""))
    add("card-comments.gif", "Shows a valid card after 5,000 comments.", CARD, grid_gif(large, before=b"!\xfe\1c\0" * 5000))
    add("card-frames.gif", "Shows a valid card before 5,000 frames of one pixel.", CARD,
        grid_gif(large)[:-1] + gif_frame(1, 1, lzw(1)) * 5000 + b";")
    rows = b"".join(row[1:] for row in bilevel_rows(large))
    add("card-loop.tiff", "Shows a valid card in a directory that names itself as the next.", CARD,
        strip_tiff(len(large), len(large), rows, depth=1, next_ifd=8 + len(rows) + len(rows) % 2))
    path = "".join(f"M{x + 4} {y + 4}h{length}v1h-{length}z" for y, row in enumerate(grid) for x, length in runs(row))
    size = len(grid) + 8
    drawn = f'<rect width="{size}" height="{size}" fill="white"/><path d="{path}"/>'
    shape = f'width="{size * 4}" height="{size * 4}" viewBox="0 0 {size} {size}"'
    add("card-script.svg", "Shows a valid card, with a script and a foreign image.", CARD,
        svg('<script>while(true);</script>' + drawn +
            '<image href="http://127.0.0.1:9/a.png" width="1" height="1"/><image href="file:///etc/hostname" width="1" '
            'height="1"/>', shape))
    add("card-entity.svg", "Shows a valid card that is drawn by an internal entity.", EITHER,
        svg("&card;", shape, f"<!DOCTYPE svg [<!ENTITY card '{drawn}'>]>"))
    add("card.svgz", "Shows a valid card, compressed.", CARD, gzip.compress(svg(drawn, shape), mtime=0))
    page = Pdf().page(grid_pdf_content(grid))
    add("card-late.pdf", "Shows a valid card after 1,000 other bytes.", CARD, page.file(lead=b"%" + b"x" * 998 + b"\n"))
    add("card-very-late.pdf", "Shows a valid card after 5,000 other bytes.", EITHER, page.file(lead=b"%" + b"x" * 4998 + b"\n"))
    add("card-no-table.pdf", "Shows a valid card and has no table of its objects.", CARD,
        page.file().split(b"xref\n")[0] + b"trailer\n<</Root 1 0 R>>\n")
    deep = Pdf()
    deep.page(grid_pdf_content(grid))
    deep.catalogue = "/Names 1 0 R/Outlines 1 0 R/AcroForm 1 0 R/StructTreeRoot 1 0 R"
    add("card-loops.pdf", "Shows a valid card, and its catalogue is its own outline, form and tree of names.", CARD, deep.file())
    pages = Pdf()
    for _ in range(3000):
        pages.pages.append(pages.add("<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>"))
    pages.page(grid_pdf_content(grid))
    pages.pages.insert(0, pages.pages.pop())
    add("card-pages.pdf", "Shows a valid card on the first of 3,001 pages.", EITHER, pages.file())


GROUPS = (png_files, jpeg_files, gif_files, webp_files, tiff_files, bmp_files, heic_files, code_files, pdf_pages, pdf_drawings,
          pdf_images,
          pdf_structure, pdf_attachments, svg_files, mixed_files)


def main():
    parser = argparse.ArgumentParser(description="Makes hostile pictures and documents.")
    parser.add_argument("--output", required=True, type=Path, metavar="DIR")
    parser.add_argument("--only", default="", metavar="PREFIX", help="write only the files whose names begin so")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    out = Folder(arguments.output, arguments.only)
    for group in GROUPS:
        group(out)
    lines = ",\n".join(" " + json.dumps(entry) for entry in out.index)
    (arguments.output / "hostile.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    if qrcode is None:
        print("hostile.py: python3-qrcode is missing, so the files with QR codes were left out", file=sys.stderr)


if __name__ == "__main__":
    main()
