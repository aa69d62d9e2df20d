"""Printed pages, cards and screens with codes on them, and what lies around them."""

from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from camera import Sheet, smooth_noise
from codes import drawn

FONTS = "/usr/share/fonts/truetype/dejavu/DejaVu{}.ttf"
SENTENCES = ("Please keep this record in a safe place. Show the code together with a photo identity document. "
             "The code holds your name, your date of birth and the doses that you received. It is signed by the issuer, "
             "so that a verifier can check that nobody has changed it. You can also open the file in the app of your choice. "
             "If an entry is wrong, call the clinic and ask for a new record. Do not post a picture of the code. "
             "The next dose is recommended after six months, unless your physician tells you otherwise. ").split()


@lru_cache(maxsize=None)
def font(size, style="Sans"):
    return ImageFont.truetype(FONTS.format(style), max(4, round(size)))


def paragraph(draw, box, size, fill, rng, style="Sans", spacing=1.5):
    """Fills the box with lines of text."""
    left, top, right, bottom = box
    face, word = font(size, style), int(rng.integers(len(SENTENCES)))
    while top + size < bottom:
        line = ""
        while draw.textlength(line + SENTENCES[word % len(SENTENCES)], face) < right - left:
            line += SENTENCES[word % len(SENTENCES)] + " "
            word += 1
            if len(line) > 400:
                break
        if not line:
            break
        draw.text((left, top), line, fill, face)
        top += size * spacing


def logo(draw, box, colour):
    left, top, right, bottom = box
    draw.rounded_rectangle(box, (right - left) * 0.2, fill=colour)
    width, height, third = right - left, bottom - top, (right - left) * 0.12
    draw.rectangle((left + width / 2 - third, top + height * 0.2, left + width / 2 + third, top + height * 0.8), fill="white")
    draw.rectangle((left + width * 0.2, top + height / 2 - third, left + width * 0.8, top + height / 2 + third), fill="white")


def linear(image, darkest=0.05, lightest=0.9):
    """The reflectance of a printed grey image: ink is not quite black, and paper not quite white."""
    tones = darkest + (lightest - darkest) * (np.arange(256) / 255) ** 2.2
    return tones.astype(np.float32)[np.asarray(image.convert("L"))]


def page(array, scale, rng, quiet=4, width=None, height=None, at=None):
    """An A4 letter in grey with a code of `scale` pixels a module. Returns the image and the code's centre.

    The page is 330 modules wide, so a code of version 22 is 7 cm wide. Pages may be smaller to save time."""
    width, height = width or round(330 * scale), height or round(400 * scale)
    side = (array.shape[0] + 2 * quiet) * scale
    at = at or ((width - side) * rng.uniform(0.35, 0.65), (height - side) * rng.uniform(0.4, 0.6))
    left, top = round(at[0]), round(at[1])
    image = Image.new("L", (width, height), 255)
    draw = ImageDraw.Draw(image)
    margin, size = 22 * scale, 6.5 * scale
    logo(draw, (margin, margin * 0.8, margin + 30 * scale, margin * 0.8 + 30 * scale), 90)
    draw.text((margin + 38 * scale, margin), "Immunization record", 20, font(12 * scale, "Sans-Bold"))
    draw.text((margin + 38 * scale, margin + 16 * scale), "Example Hospital, Department of Examples", 60, font(6 * scale))
    paragraph(draw, (margin, margin + 42 * scale, width - margin, top - 6 * scale), size, 30, rng)
    if left > 90 * scale:
        paragraph(draw, (margin, top + 8 * scale, left - 8 * scale, top + side - 6 * scale), size * 0.8, 40, rng)
    if width - left - side > 90 * scale:
        paragraph(draw, (left + side + 8 * scale, top + 8 * scale, width - margin, top + side), size * 0.8, 40, rng, "Serif")
    paragraph(draw, (margin, top + side + 8 * scale, width - margin, height - margin), size, 30, rng, "Serif")
    image.paste(drawn(array, scale, quiet), (left, top))
    return image, (left + side / 2, top + side / 2)


def printed(array, scale, rng, quiet=4, ink=0.05, paper=0.9, spread=0.0, **place):
    """The page as a sheet. `spread` makes dark modules wider (ink) or narrower (if negative), in modules."""
    image, centre = page(array, scale, rng, quiet, **place)
    reflectance = linear(image, ink, paper)
    if spread:
        radius = max(0.2, 1.5 * abs(spread))
        blurred = image.filter(ImageFilter.BoxBlur(radius * scale))
        tones = np.clip((np.arange(256) / 255 - 0.5 - 0.5 * spread / radius) * 3 + 0.5, 0, 1)
        reflectance = (ink + (paper - ink) * tones).astype(np.float32)[np.asarray(blurred)]
    reflectance *= 1 + np.float32(0.02) * smooth_noise(rng, reflectance.shape, 60)
    tint = [(1.0, 1.0, 1.0), (1.0, 0.99, 0.96), (0.97, 0.99, 1.0)][int(rng.integers(3))]
    return Sheet(reflectance.astype(np.float32), float(scale), centre, tint)


def low_ink(sheet, rng, stripes, width, fading, scratches):
    """Takes ink away, as an old printer does: missing stripes (every so many modules), fading, and scratches."""
    reflectance, scale = sheet.reflectance.copy(), sheet.scale
    height, columns = reflectance.shape
    paper = 0.9
    missing = np.zeros((height, columns), np.float32)
    if stripes:
        y = np.arange(height) / scale + rng.uniform(0, stripes)
        missing += np.clip(1 - np.abs((y % stripes) - stripes / 2) / (width / 2), 0, 1)[:, None]
    missing += fading * np.clip(smooth_noise(rng, (height, columns), 5) + 0.4, 0, 1)
    marks = Image.new("L", (columns, height), 0)
    draw = ImageDraw.Draw(marks)
    for _ in range(scratches):
        reach = 110 * scale
        x, y = (middle + rng.uniform(-0.5, 0.5) * reach for middle in sheet.centre)
        angle, length = rng.uniform(0, np.pi), rng.uniform(10, 50) * scale
        draw.line((x, y, x + length * np.cos(angle), y + length * np.sin(angle)), 255, max(1, round(scale * rng.uniform(0.3, 0.7))))
    missing = np.clip(np.maximum(missing, np.asarray(marks, dtype=np.float32) / 255), 0, 1)
    sheet.reflectance = reflectance + (paper - reflectance) * missing
    return sheet


def table(rng, size, kind=None):
    """What lies around a sheet: (reflectance, tint)."""
    width, height = size
    kind = kind or ["wood", "cloth", "stone", "plain", "keyboard"][int(rng.integers(5))]
    if kind == "wood":
        grain = smooth_noise(rng, (height, width // 8), 60)
        rows = np.repeat(grain, 8, 1)
        rows = np.pad(rows, ((0, 0), (0, width - rows.shape[1])), mode="edge")
        waves = np.sin(np.arange(height)[:, None] / height * 90 + 4 * smooth_noise(rng, (height, width), 3))
        return (0.22 * (1 + 0.25 * rows + 0.15 * waves)).astype(np.float32), (1.25, 0.95, 0.65)
    if kind == "cloth":
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        cell = float(rng.uniform(18, 60))
        checks = (((x // cell) + (y // cell)) % 2)
        return (0.15 + 0.4 * checks + 0.03 * np.sin(x * 1.3) * np.sin(y * 1.3)).astype(np.float32), (1.1, 0.8, 0.8)
    if kind == "stone":
        return (0.3 + 0.1 * smooth_noise(rng, (height, width), 40) + 0.06 * smooth_noise(rng, (height, width), 250)).astype(
            np.float32), (1.0, 1.0, 1.0)
    if kind == "keyboard":
        image = Image.new("L", size, 40)
        draw = ImageDraw.Draw(image)
        key = width // 14
        for row in range(height // key + 1):
            for column in range(-1, 15):
                left = (column + row % 2 * 0.4) * key
                draw.rounded_rectangle((left + 4, row * key + 4, left + key - 4, row * key + key - 4), key // 8, fill=75)
                draw.text((left + key * 0.3, row * key + key * 0.25), chr(65 + (row * 5 + column * 3) % 26), 220, font(key * 0.3))
        return linear(image), (1.0, 1.0, 1.05)
    level = float(rng.uniform(0.05, 0.6))
    return np.full((height, width), level, np.float32) * (1 + 0.1 * smooth_noise(rng, (height, width), 4)), tuple(rng.uniform(0.8, 1.15, 3))


# Screens

def phone(array, rng, pitch, dark=False, quiet=4, code_colours=(0, 255), size=(1170, 2532), resample=Image.BICUBIC):
    """A screenshot of a wallet app. Returns the image and the code's centre."""
    width, height = size
    background, panel, text, faint = ((12, 12, 14), (38, 38, 42), (240, 240, 240), (150, 150, 155)) if dark else (
        (242, 242, 247), (255, 255, 255), (20, 20, 22), (120, 120, 125))
    image = Image.new("RGB", size, background)
    draw = ImageDraw.Draw(image)
    draw.text((90, 54), f"{int(rng.integers(8, 20))}:{int(rng.integers(10, 60))}", text, font(48, "Sans-Bold"))
    draw.rounded_rectangle((width - 160, 62, width - 80, 100), 10, outline=text, width=4)
    draw.rectangle((width - 154, 68, width - 154 + int(rng.integers(20, 66)), 94), fill=text)
    for bar in range(4):
        draw.rectangle((width - 320 + bar * 22, 96 - bar * 10, width - 306 + bar * 22, 100), fill=text)
    draw.text((60, 190), "‹ Wallet", (0, 122, 255), font(50))
    draw.text((width // 2 - 170, 186), "Health card", text, font(54, "Sans-Bold"))
    top, bottom, accent = 320, height - 420, tuple(int(each) for each in rng.integers(20, 170, 3))
    draw.rounded_rectangle((40, top, width - 40, bottom), 48, fill=panel)
    draw.rounded_rectangle((40, top, width - 40, top + 300), 48, fill=accent)
    draw.rectangle((40, top + 200, width - 40, top + 300), fill=accent)
    logo(draw, (90, top + 60, 210, top + 180), (255, 255, 255) if sum(accent) < 200 else (40, 40, 90))
    draw.text((250, top + 60), "Immunization", "white", font(56, "Sans-Bold"))
    draw.text((250, top + 140), "Example Hospital", "white", font(40))
    code = drawn(array, pitch, quiet, *code_colours) if pitch == int(pitch) else drawn(
        array, int(np.ceil(pitch)), quiet, *code_colours).resize([round((array.shape[0] + 2 * quiet) * pitch)] * 2, resample)
    left, code_top = (width - code.width) // 2, top + 340 + (max(0, 1010 - code.width)) // 2
    if dark and code_colours[1] > 128:
        draw.rounded_rectangle((left - 16, code_top - 16, left + code.width + 16, code_top + code.height + 16), 40,
                               fill=(code_colours[1],) * 3)
    image.paste(code.convert("RGB"), (left, code_top))
    row = code_top + code.height + 50
    for label, value in (("Name", "Jana T. Anyperson"), ("Date of birth", "20 January 1951"), ("Last dose", "29 January 2025"),
                         ("Issuer", "issuer-a.example")):
        if row < bottom - 70:
            draw.text((100, row), label, faint, font(40))
            draw.text((460, row), value, text, font(42))
            draw.line((100, row + 70, width - 100, row + 70), faint, 2)
        row += 92
    for tab, name in enumerate(("Cards", "Scan", "History", "Settings")):
        x = width * (tab + 0.5) / 4
        draw.rounded_rectangle((x - 34, height - 300, x + 34, height - 232), 16, outline=faint, width=6)
        draw.text((x - 70, height - 214), name, faint, font(34))
    draw.rounded_rectangle((width // 2 - 200, height - 40, width // 2 + 200, height - 26), 7, fill=text)
    return image, (left + code.width / 2, code_top + code.height / 2)


def web_page(array, rng, pitch, size=(1920, 1080), resample=Image.BICUBIC, quiet=4):
    """A screenshot of a desktop's browser with a portal that shows the code."""
    width, height = size
    image = Image.new("RGB", size, (250, 250, 252))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, width, 84), fill=(222, 225, 230))
    draw.rounded_rectangle((160, 46, width - 300, 78), 16, fill="white")
    draw.text((180, 51), "https://portal.example/records/immunizations?view=code", (60, 60, 60), font(17))
    draw.rectangle((0, 84, width, 150), fill=(13, 71, 120))
    draw.text((60, 100), "Patient portal", "white", font(28, "Sans-Bold"))
    draw.rectangle((0, 150, 300, height), fill=(236, 240, 245))
    for i, name in enumerate(("Overview", "Appointments", "Medication", "Immunizations", "Results", "Messages", "Settings")):
        draw.text((50, 190 + i * 52), name, (13, 71, 120), font(20))
    side = round((array.shape[0] + 2 * quiet) * pitch)
    left, top = int(rng.integers(380, width - side - 60)), int(rng.integers(260, max(261, height - side - 60)))
    draw.text((360, 180), "Your immunizations", (20, 20, 20), font(34, "Sans-Bold"))
    paragraph(draw, (360, 236, width - 80, top - 12), 18, (60, 60, 60), rng)
    paragraph(draw, (360, top + 6, left - 24, height - 60), 18, (60, 60, 60), rng)
    if left + side < width - 260:
        paragraph(draw, (left + side + 24, top + 6, width - 80, height - 60), 18, (60, 60, 60), rng)
    code = drawn(array, int(np.ceil(pitch)), quiet)
    image.paste(code.resize((side, side), resample).convert("RGB"), (left, top))
    return image, (left + side / 2, top + side / 2)


def poster(codes_and_labels, rng, size, columns, background=255):
    """A page with several codes (images) in rows, each with a label below."""
    width, height = size
    image = Image.new("L", size, background)
    draw = ImageDraw.Draw(image)
    draw.text((width * 0.06, height * 0.03), "Health cards", 20, font(height * 0.03, "Sans-Bold"))
    rows = -(-len(codes_and_labels) // columns)
    for i, (code, label) in enumerate(codes_and_labels):
        row, column = divmod(i, columns)
        cell_width, cell_height = width / columns, height * 0.86 / rows
        x = cell_width * (column + 0.5) - code.width / 2 + rng.uniform(-0.02, 0.02) * cell_width
        y = height * 0.1 + cell_height * (row + 0.45) - code.height / 2
        image.paste(code, (round(x), round(y)))
        draw.text((x + code.width * 0.08, y + code.height + 2), label, 30, font(min(24, height * 0.014)))
    return image
