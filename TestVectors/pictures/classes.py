"""The classes of pictures. Each is a function that makes one picture of a given degree, from 0 (easy) to 1 (hard)."""

import shutil
import subprocess
import tempfile
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageOps

import camera
import documents
import sheets
from camera import Light, View, crumpled, cylinder, folded, shoot, smooth_noise
from codes import WEBSITE, WIFI, cards, drawn, health_card_file, jws, modules, parts
from sheets import Sheet

CLASSES = {}
SIZE = (1600, 1200)
HEIF = shutil.which("heif-enc")


def picture(name):
    def register(function):
        CLASSES[name] = function
        return function
    return register


class Job:
    """One picture that is being made: its random numbers, its degree, its files, and the entry in the manifest."""

    def __init__(self, name, index, count, seed, folder):
        self.name, self.index, self.folder = name, index, folder
        self.degree = index / (count - 1) if count > 1 else 0.5
        self.rng = np.random.default_rng([seed, zlib.crc32(name.encode()), index])
        self.files, self.texts, self.others, self.attached, self.settings, self.pages = [], [], [], [], {}, 1

    def ramp(self, easy, hard, name=None):
        """A number between the values for the easiest and the hardest picture."""
        value = easy + (hard - easy) * self.degree
        if name:
            self.settings[name] = round(float(value), 3)
        return value

    def pick(self, *choices):
        return choices[int(self.rng.integers(len(choices)))]

    def turn(self, *choices):
        """The choices in turn, so that each occurs."""
        return choices[self.index % len(choices)]

    def any(self, low, high):
        return float(self.rng.uniform(low, high))

    def text(self):
        """The text of a card that is not in the picture yet."""
        text = self.pick(*(each for each in cards() if each not in self.texts))
        self.texts.append(text)
        return text

    def code(self, levels="LLLLM"):
        level = self.pick(*levels)
        array = modules(self.text(), level)
        self.settings["code"] = f"{(array.shape[0] - 17) // 4}-{level}"
        return array

    def path(self, suffix):
        number = f"-{len(self.files) + 1}" if self.files else ""
        file = f"{self.name}-{self.index:02}{number}{suffix}"
        self.files.append(file)
        return self.folder / file

    def save(self, image, suffix, **options):
        image.save(self.path(suffix), **options)

    def write(self, content, suffix):
        self.path(suffix).write_bytes(content)

    def entry(self):
        entry = {"class": self.name, "degree": round(self.degree, 3)}
        entry |= {"file": self.files[0]} if len(self.files) == 1 else {"files": self.files}
        entry |= {"texts": sorted(self.texts), "others": sorted(self.others)}
        entry |= {"attached": self.attached} if self.attached else {}
        return entry | {"pages": self.pages, "settings": self.settings}


# Digital pictures

def page_of(job, array, pitch, quiet=4, width=None):
    """A piece of a page with the code, as a grey image."""
    whole = max(1, int(np.ceil(pitch)))
    side = array.shape[0] + 2 * quiet
    image, _ = sheets.page(array, whole, job.rng, quiet, width=round((side + 130) * whole), height=round((side + 150) * whole))
    return image if whole == pitch else image.resize([round(each * pitch / whole) for each in image.size], Image.BICUBIC)


@picture("png-1bit")
def png_1bit(job):
    job.save(drawn(job.code(), round(job.ramp(6, 2, "pitch")), job.turn(4, 4, 2)).convert("1"), ".png")


@picture("png-palette")
def png_palette(job):
    image = page_of(job, job.code(), job.ramp(5, 1.6, "pitch"))
    job.save(image.quantize(job.turn(2, 4, 16)), ".png")


@picture("png-16bit")
def png_16bit(job):
    image = np.asarray(page_of(job, job.code(), job.ramp(5, 1.6, "pitch")), dtype=np.uint16)
    job.save(Image.fromarray((12000 + image * job.turn(200, 120, 60)).astype(np.uint16)), ".png")


@picture("png-transparent")
def png_transparent(job):
    code = drawn(job.code(), round(job.ramp(6, 2, "pitch")))
    # The transparent pixels are black in the last two cases. A program that ignores transparency sees only black.
    kind = job.turn("white", "half", "black", "black and grey")
    job.settings["transparent"] = kind
    opaque = code.point(lambda tone: 255 - tone)
    if kind == "white":
        image = Image.merge("RGBA", (code, code, code, opaque))
    elif kind == "half":
        image = Image.merge("LA", (code, code.point(lambda tone: 255 if tone < 128 else 100)))
    else:
        black = Image.new("L", code.size, 0)
        image = Image.merge("RGBA", (black, black, black, opaque)) if kind == "black" else Image.merge("LA", (black, opaque))
    job.save(image, ".png")


@picture("jpeg-quality")
def jpeg_quality(job):
    image = page_of(job, job.code(), job.ramp(6, 3, "pitch")).convert("RGB")
    job.save(image, ".jpg", quality=round(job.ramp(90, 8, "quality")), subsampling=2)


@picture("jpeg-exif-rotated")
def jpeg_exif(job):
    orientation = job.index % 8 + 1
    job.settings["orientation"] = orientation
    upright = page_of(job, job.code(), job.ramp(5, 1.7, "pitch"))
    job.save(stored(upright, orientation), ".jpg", quality=round(job.ramp(92, 70)), exif=exif(orientation))


def exif(orientation):
    tags = Image.Exif()
    tags[0x0112] = orientation
    return tags


def stored(upright, orientation):
    """The image as a camera stores it, if a viewer must apply the orientation to show it upright."""
    back = {2: Image.FLIP_LEFT_RIGHT, 3: Image.ROTATE_180, 4: Image.FLIP_TOP_BOTTOM, 5: Image.TRANSPOSE, 6: Image.ROTATE_90,
            7: Image.TRANSVERSE, 8: Image.ROTATE_270}
    return upright.transpose(back[orientation]) if orientation > 1 else upright


@picture("jpeg-cmyk")
def jpeg_cmyk(job):
    image = page_of(job, job.code(), job.ramp(5, 1.7, "pitch")).convert("CMYK")
    job.save(image, ".jpg", quality=round(job.ramp(90, 50, "quality")))


@picture("jpeg-progressive")
def jpeg_progressive(job):
    image = page_of(job, job.code(), job.ramp(5, 1.7, "pitch"))
    job.save(image if job.index % 2 else image.convert("RGB"), ".jpg", quality=round(job.ramp(90, 35, "quality")), progressive=True)


@picture("webp")
def webp(job):
    image = page_of(job, job.code(), job.ramp(5, 2, "pitch")).convert("RGB")
    lossless = job.index % 3 == 0
    job.save(image, ".webp", lossless=lossless, quality=round(job.ramp(85, 12, "quality")), method=2)


@picture("gif")
def gif(job):
    image = page_of(job, job.code(), job.ramp(5, 1.7, "pitch"))
    if job.index % 2:  # a screen of dots, as old programs reduce colours
        image = ImageOps.autocontrast(image.convert("RGB")).quantize(job.turn(8, 8, 4, 4), dither=Image.FLOYDSTEINBERG)
    job.save(image, ".gif")


@picture("gif-animated")
def gif_animated(job):
    first = page_of(job, job.code(), job.ramp(5, 1.7, "pitch"))
    others = [Image.new("L", first.size, 255) for _ in range(3)]
    for number, frame in enumerate(others):
        ImageDraw.Draw(frame).text((40, 40 + 30 * number), "This code has expired", 0, sheets.font(30))
    job.save(first, ".gif", save_all=True, append_images=others, duration=400, loop=0)


@picture("tiff")
def tiff(job):
    image = page_of(job, job.code(), job.ramp(5, 1.8, "pitch"))
    kind = job.turn("g4", "lzw", "pages", "deflate", "jpeg", "pages-g4")
    job.settings["kind"] = kind
    pages = [image]
    if "pages" in kind:
        page = Image.new("L", image.size, 255)
        sheets.paragraph(ImageDraw.Draw(page), (30, 30, image.width - 30, image.height - 30), 18, 0, job.rng)
        pages = [page] * job.turn(1, 2, 3) + [image]
        job.pages, job.settings["page"] = len(pages), len(pages)
    if "g4" in kind:
        pages = [page.convert("1", dither=Image.NONE) for page in pages]
    compression = {"g4": "group4", "lzw": "tiff_lzw", "pages": "tiff_lzw", "deflate": "tiff_adobe_deflate", "jpeg": "jpeg",
                   "pages-g4": "group4"}[kind]
    pages[0].save(job.path(".tiff"), save_all=True, append_images=pages[1:], compression=compression, dpi=(200, 200))


@picture("bmp")
def bmp(job):
    image = page_of(job, job.code(), job.ramp(5, 1.7, "pitch"))
    job.save(image.convert(job.turn("1", "L", "RGB", "P")), ".bmp")


@picture("tiny")
def tiny(job):
    pitch = job.ramp(2, 1.25, "pitch")
    array = job.code()
    big = sheets.page(array, 8, job.rng, width=(array.shape[0] + 60) * 8, height=(array.shape[0] + 60) * 8)[0]
    resample = job.turn(Image.BICUBIC, Image.BOX, Image.LANCZOS, Image.BILINEAR)
    job.save(big.resize([round(side * pitch / 8) for side in big.size], resample), ".png")


@picture("large")
def large(job):
    image = drawn(job.code(), round(job.ramp(12, 36, "pitch")), job.turn(4, 10, 2))
    job.save(image.convert("1"), ".png")


@picture("no-quiet-zone")
def no_quiet_zone(job):
    array = job.code()
    pitch = round(job.ramp(6, 3, "pitch"))
    code = drawn(array, pitch, job.turn(0, 0, 1))
    side = code.width + 120
    around = job.turn("none", "grey", "text", "photo", "black")
    job.settings["around"] = around
    if around == "none":
        image = code
    else:
        image = Image.new("L", (side, side), {"grey": 110, "text": 255, "photo": 0, "black": 0}[around])
        if around == "text":
            sheets.paragraph(ImageDraw.Draw(image), (4, 2, side, side), 14, 0, job.rng, spacing=1.2)
        if around == "photo":
            image = Image.fromarray((128 + 100 * smooth_noise(job.rng, (side, side), 30)).clip(0, 255).astype(np.uint8))
        image.paste(code, (60, 60))
    job.save(image, ".png")


@picture("coloured")
def coloured(job):
    array = job.code()
    dark, light = [((16, 24, 110), (255, 226, 80)), ((120, 10, 20), (255, 240, 240)), ((0, 90, 60), (190, 240, 200)),
                   ((70, 70, 160), (200, 230, 255)), ((150, 60, 0), (255, 210, 150)), ((90, 90, 90), (190, 190, 190)),
                   ((180, 40, 60), (250, 190, 200)), ((60, 120, 200), (190, 220, 250)), ((100, 100, 110), (165, 165, 160)),
                   ((0, 130, 130), (150, 200, 190)), ((120, 115, 110), (165, 160, 160)), ((110, 112, 118), (140, 142, 146))][
                       min(11, round(job.degree * 11))]
    job.settings["colours"] = [dark, light]
    mask = np.asarray(page_of(job, array, job.ramp(5, 3, "pitch")), dtype=np.float32)[..., None] / 255
    image = np.asarray(dark) + mask * (np.asarray(light) - np.asarray(dark)) * np.ones(3)
    image = image + job.rng.normal(0, job.ramp(0, 6), image.shape)
    job.save(Image.fromarray(image.clip(0, 255).astype(np.uint8)), job.turn(".png", ".jpg"))


@picture("inverted")
def inverted(job):
    array = job.code()
    pitch = job.ramp(6, 1.8, "pitch")
    kind = job.turn("whole", "box", "grey")
    job.settings["kind"] = kind
    if kind == "whole":
        image = ImageOps.invert(page_of(job, array, pitch))
    else:
        dark = 0 if kind == "box" else 45
        code = drawn(array, pitch, 4, dark=255 if kind == "box" else 215, light=dark)
        image = Image.new("L", (code.width + 160, code.height + 160), 255)
        sheets.paragraph(ImageDraw.Draw(image), (10, 5, image.width, image.height), 16, 0, job.rng)
        image.paste(code, (80, 80))
    job.save(image, ".png")


@picture("mirrored")
def mirrored(job):
    image = page_of(job, job.code(), job.ramp(5, 1.8, "pitch"))
    image = job.turn(ImageOps.mirror, ImageOps.flip)(image)
    job.save(image.rotate(job.turn(0, 0, 7, 90), expand=True, fillcolor=255, resample=Image.BICUBIC), job.turn(".png", ".jpg"))


@picture("rotated")
def rotated(job):
    angle = job.any(0, 360)
    job.settings["angle"] = round(angle, 1)
    image = page_of(job, job.code(), job.ramp(6, 1.8, "pitch"))
    job.save(image.rotate(angle, Image.BICUBIC, expand=True, fillcolor=job.turn(255, 128, 0)), ".png")


@picture("svg")
def svg(job):
    style = job.turn("path", "rects", "strokes", "use")
    extent = job.turn("pixels", "none", "mm")
    job.settings |= {"style": style, "extent": extent}
    pitch, unit = {"pixels": (round(job.ramp(8, 2)), ""), "none": (None, ""), "mm": (0.5, "mm")}[extent]
    turn = job.turn(0, 0, 0, 0, 0, 90, 0, 12)
    job.write(documents.svg(job.code(), style, job.turn(4, 4, 2), pitch, unit, job.index % 5 != 4, turn), ".svg")


@picture("logo")
def logo(job):
    level = job.turn("L", "M", "Q")
    array = job.code(level)
    pitch = round(job.ramp(8, 4, "pitch"))
    code = drawn(array, pitch).convert("RGB")
    # As parts of the code's side. The codes must stay within their error correction.
    part = job.ramp(0.05, {"L": 0.17, "M": 0.25, "Q": 0.33}[level], "part")
    half = array.shape[0] * pitch * part / 2
    middle = code.width / 2
    draw = ImageDraw.Draw(code)
    draw.rectangle((middle - half, middle - half, middle + half, middle + half), fill="white")
    sheets.logo(draw, (middle - half * 0.85, middle - half * 0.85, middle + half * 0.85, middle + half * 0.85),
                tuple(int(each) for each in job.rng.integers(0, 180, 3)))
    job.save(code, ".png")


if HEIF:
    @picture("heic")
    def heic(job):
        array = job.code()
        if job.degree < 0.4:
            image = page_of(job, array, job.ramp(5, 3, "pitch")).convert("RGB")
        else:
            image = photograph(job, array, job.ramp(6.5, 4, "pitch"), tilt=job.ramp(10, 25), size=(1280, 960))
        job.write(heif(image, round(job.ramp(70, 35, "quality"))), ".heic")


def heif(image, quality):
    with tempfile.TemporaryDirectory() as folder:
        image.save(Path(folder, "in.png"), compress_level=1)
        subprocess.run([HEIF, "-q", str(quality), "-p", "preset=ultrafast", "-o", Path(folder, "out.heic"), Path(folder, "in.png")],
                       check=True, capture_output=True)
        return Path(folder, "out.heic").read_bytes()


# Screenshots

def resampled(job):
    return job.turn(Image.BICUBIC, Image.LANCZOS, Image.BILINEAR)


@picture("screenshot-phone")
def screenshot_phone(job):
    array = job.code()
    pitch = job.ramp(1010 / (array.shape[0] + 8), 1.9, "pitch")
    job.save(sheets.phone(array, job.rng, pitch, quiet=job.turn(4, 2, 1), resample=resampled(job))[0], ".png", compress_level=2)


@picture("screenshot-dark")
def screenshot_dark(job):
    array = job.code()
    pitch = job.ramp(1000 / (array.shape[0] + 8), 2, "pitch")
    colours = job.turn((0, 255), (20, 215), (235, 38), (0, 170))
    job.settings["colours"] = colours
    image = sheets.phone(array, job.rng, pitch, True, job.turn(3, 2, 1), colours, resample=resampled(job))[0]
    job.save(image, ".png", compress_level=2)


@picture("screenshot-desktop")
def screenshot_desktop(job):
    array = job.code()
    job.save(sheets.web_page(array, job.rng, job.ramp(4, 1.4, "pitch"), resample=resampled(job), quiet=job.turn(4, 2))[0], ".png",
             compress_level=2)


@picture("screenshot-chat")
def screenshot_chat(job):
    array = job.code()
    whole = 1010 / (array.shape[0] + 8)
    width = job.turn(1080, 720)
    screen = sheets.phone(array, job.rng, min(whole, job.ramp(10, 3.6) * 720 / width), job.pick(True, False), 3)[0]
    small = screen.resize((width, round(screen.height * width / screen.width)), Image.BICUBIC)
    job.settings["width"] = width
    job.save(small, ".jpg", quality=round(job.ramp(60, 35, "quality")), subsampling=2)


# Photographs

def photograph(job, array, pitch, size=SIZE, tilt=None, roll=None, light=None, surface=None, sheet=None, at=None, table=None):
    """A photograph of a letter. Whatever is not given is as in a good photograph."""
    rng = job.rng
    job.settings["pitch"] = round(float(pitch), 2)
    if sheet is None:
        sheet = sheets.printed(array, int(np.ceil(pitch)) + 1, rng, spread=job.any(-0.04, 0.1))
    view = View(pitch, job.any(2, 10) if tilt is None else tilt, job.any(0, 360), job.any(-8, 8) if roll is None else roll,
                at or (job.any(0.45, 0.55), job.any(0.45, 0.55)))
    light = light or Light()
    if not light.gradient[0]:
        light.gradient = (job.any(0, 0.12), job.any(0, 360))
    if not light.warmth:
        light.warmth = job.any(-0.2, 0.5)
    return shoot(sheet, size, view, light, table or sheets.table(rng, size), rng, surface)


def fitting(array, part, size=SIZE):
    """The pitch at which the code fills this part of the picture's height."""
    return size[1] * part / (array.shape[0] + 8)


def jpeg(job, image, quality=None):
    job.save(image, ".jpg", quality=round(quality or job.any(80, 93)), subsampling=2)


@picture("photo-perspective")
def photo_perspective(job):
    array = job.code()
    jpeg(job, photograph(job, array, fitting(array, job.ramp(0.75, 0.5)), tilt=job.ramp(8, 38, "tilt")))


@picture("photo-perspective-strong")
def photo_perspective_strong(job):
    array = job.code()
    jpeg(job, photograph(job, array, fitting(array, 0.7), tilt=job.ramp(25, 55, "tilt"), roll=job.any(-30, 30)))


@picture("photo-rotated")
def photo_rotated(job):
    array = job.code()
    jpeg(job, photograph(job, array, fitting(array, job.ramp(0.7, 0.5)), tilt=job.ramp(5, 40, "tilt"), roll=job.any(0, 360)))


@picture("photo-defocus")
def photo_defocus(job):
    array = job.code()
    pitch = fitting(array, job.any(0.55, 0.8))
    jpeg(job, photograph(job, array, pitch, light=Light(defocus=job.ramp(0.25, 0.85, "blur in modules") * pitch)))


@picture("photo-motion")
def photo_motion(job):
    array = job.code()
    pitch = fitting(array, job.any(0.55, 0.8))
    motion = (job.ramp(0.3, 1.9, "motion in modules") * pitch, job.any(0, 180))
    jpeg(job, photograph(job, array, pitch, light=Light(motion=motion)))


@picture("photo-dark")
def photo_dark(job):
    array = job.code()
    light = Light(exposure=job.ramp(0.4, 0.035, "exposure"), noise=job.ramp(0.01, 0.03, "noise"), chroma=1.2, smoothing=job.turn(0, 0.3),
                  warmth=job.any(0.2, 1), veil=job.any(0, 0.08))
    jpeg(job, photograph(job, array, fitting(array, job.any(0.55, 0.75)), light=light), job.ramp(90, 75))


@picture("photo-shadow")
def photo_shadow(job):
    array = job.code()
    edges = [(job.any(-0.15, 0.15), job.any(0, 360), job.ramp(0.05, 0.004), job.ramp(0.4, 0.93, "darkness"))
             for _ in range(job.turn(1, 1, 2))]
    light = Light(gradient=(job.ramp(0.1, 0.5), job.any(0, 360)), shadows=edges, exposure=0.95)
    jpeg(job, photograph(job, array, fitting(array, job.any(0.55, 0.75)), light=light))


@picture("photo-glare")
def photo_glare(job):
    array = job.code("LLM")
    glare = [(job.any(-0.12, 0.12), job.any(-0.12, 0.12), job.ramp(0.04, 0.07), job.ramp(0.5, 1.25, "strength")) for _ in range(2)]
    light = Light(glare=glare, exposure=job.ramp(0.75, 0.9), veil=job.ramp(0, 0.15))
    jpeg(job, photograph(job, array, fitting(array, job.any(0.6, 0.8)), light=light))


@picture("photo-crumpled")
def photo_crumpled(job):
    array = job.code()
    surface = crumpled(job.rng, 420, job.ramp(0.8, 9, "height"), job.any(7, 14), job.ramp(0.5, 1.2))
    jpeg(job, photograph(job, array, fitting(array, job.any(0.6, 0.8)), surface=surface))


@picture("photo-curved")
def photo_curved(job):
    array = job.code()
    # A module is about 0.6 mm: from a page that is nearly flat to a bottle of 5 cm radius.
    radius = float(np.exp(job.ramp(np.log(2500), np.log(80))))
    job.settings["radius"] = round(radius)
    surface = cylinder(radius, job.turn(0, 90, job.any(0, 180)))
    jpeg(job, photograph(job, array, fitting(array, job.any(0.55, 0.75)), tilt=job.any(0, 12), surface=surface))


@picture("photo-fold")
def photo_fold(job):
    array = job.code()
    surface = folded(job.any(-30, 30), job.any(0, 180), job.ramp(0.008, 0.35, "slope"), job.any(0.6, 2.5), job.ramp(0.08, 0.25))
    jpeg(job, photograph(job, array, fitting(array, job.any(0.6, 0.8)), surface=surface))


@picture("photo-screen")
def photo_screen(job):
    array = job.code()
    count = job.turn(8, 6, 5, 9)  # screen pixels a module
    screen, centre = sheets.phone(array, job.rng, count, job.pick(True, False), job.turn(4, 2))
    pitch = fitting(array, job.any(0.5, 0.75))
    tone = np.asarray(screen.convert("L"), dtype=np.float32) / 255
    sheet = Sheet((0.02 + 0.85 * tone ** 2.2).astype(np.float32), float(count), centre, (0.95, 1.0, 1.06), True)
    light = Light(pixels=(count, job.ramp(0.1, 0.8, "grid")), veil=job.ramp(0.02, 0.15), glare=[(job.any(-0.2, 0.2), job.any(-0.2, 0.2),
                  0.1, job.ramp(0, 0.3))], noise=job.ramp(0.006, 0.02))
    jpeg(job, photograph(job, array, pitch, tilt=job.ramp(3, 35, "tilt"), roll=job.any(-25, 25), sheet=sheet, light=light))


@picture("photo-bad-print")
def photo_bad_print(job):
    array = job.code("LLM")
    pitch = fitting(array, job.any(0.6, 0.8))
    sheet = sheets.printed(array, int(np.ceil(pitch)) + 1, job.rng, ink=job.ramp(0.06, 0.25), spread=job.turn(-0.15, 0.2) * job.ramp(0.3, 1))
    sheet = sheets.low_ink(sheet, job.rng, job.turn(0, 23, 31), job.ramp(0.3, 0.7, "stripe"), job.ramp(0.2, 0.5, "fading"),
                           round(job.ramp(0, 6, "scratches")))
    jpeg(job, photograph(job, array, pitch, sheet=sheet))


@picture("photo-12mp")
def photo_12mp(job):
    array = job.code()
    size = job.turn((4032, 3024), (3024, 4032))
    image = photograph(job, array, job.ramp(14, 5), size, tilt=job.ramp(5, 30, "tilt"), roll=job.any(-40, 40),
                       light=Light(noise=0.008, defocus=job.ramp(1, 3, "blur")))
    jpeg(job, image, job.ramp(90, 75))


@picture("photo-far")
def photo_far(job):
    array = job.code()
    image = photograph(job, array, job.ramp(3.5, 1.9), (4032, 3024), tilt=job.any(0, 15), roll=job.any(-20, 20),
                       light=Light(noise=0.008), at=(job.any(0.35, 0.65), job.any(0.35, 0.65)))
    jpeg(job, image, job.ramp(92, 80))


@picture("photo-everything")
def photo_everything(job):
    array = job.code("LLM")
    pitch = fitting(array, job.ramp(0.8, 0.6))
    light = Light(defocus=job.ramp(0.1, 0.5) * pitch, motion=(job.ramp(0.1, 0.8) * pitch, job.any(0, 180)), gradient=(job.ramp(0.1, 0.3),
                  job.any(0, 360)), shadows=[(job.any(-0.1, 0.1), job.any(0, 360), 0.02, job.ramp(0.2, 0.75))], noise=job.ramp(0.006, 0.02),
                  exposure=job.ramp(0.8, 0.2), veil=job.ramp(0, 0.1), warmth=job.any(0, 0.8))
    surface = crumpled(job.rng, 420, job.ramp(0.5, 3.5), 8, 0.6)
    jpeg(job, photograph(job, array, pitch, tilt=job.ramp(5, 25, "tilt"), roll=job.any(-35, 35), light=light, surface=surface),
         job.ramp(85, 60))


# Several codes

def together(job, labelled, easy, hard, columns, paper=(210, 297)):
    """Several codes on a page: a digital page if easy, and a photograph of it if hard."""
    widest = max(array.shape[0] + 8 for array, _ in labelled)
    pitch = job.ramp(easy, hard, "pitch")
    rows = -(-len(labelled) // columns)
    whole = int(np.ceil(pitch))
    size = (round(widest * columns * 1.18 * whole), round(widest * rows * 1.35 * whole))
    image = sheets.poster([(drawn(array, whole), label) for array, label in labelled], job.rng, size, columns)
    if job.degree < 0.5:
        scaled = image.resize([round(side * pitch / whole) for side in size], Image.BICUBIC)
        return job.save(scaled, job.turn(".png", ".jpg"))
    sheet = Sheet(sheets.linear(image), float(whole), (size[0] / 2, size[1] / 2))
    shape = [round(side * pitch / whole * 1.15 / 8) * 8 for side in size]
    view = View(pitch, job.ramp(0, 16), job.any(0, 360), job.any(-8, 8))
    light = Light(gradient=(0.15, job.any(0, 360)), defocus=0.6, noise=0.008, warmth=0.2)
    jpeg(job, shoot(sheet, shape, view, light, sheets.table(job.rng, shape), job.rng))


@picture("two-cards")
def two_cards(job):
    together(job, [(job.code(), "Card 1"), (job.code(), "Card 2")], 5, 2.8, job.turn(2, 1))


@picture("card-and-others")
def card_and_others(job):
    job.others = [WEBSITE, WIFI] if job.index % 3 == 0 else [job.turn(WEBSITE, WIFI)]
    codes = [(modules(other, job.pick(*"LMQH")), "Our website" if other == WEBSITE else "Guest network") for other in job.others]
    codes.insert(int(job.rng.integers(len(codes) + 1)), (job.code(), "Your health card"))
    together(job, codes, 5, 2.8, len(codes))


@picture("chunks-one-picture")
def chunks_one_picture(job):
    job.texts = list(parts())
    order = [parts()[i] for i in job.rng.permutation(3)]
    together(job, [(modules(text), f"Code {parts().index(text) + 1} of 3") for text in order], 5, 2.6, job.turn(3, 1, 2))


@picture("chunks-three-pictures")
def chunks_three_pictures(job):
    job.texts = list(parts())
    for text in parts():
        array = modules(text)
        if job.degree < 0.5:
            job.save(page_of(job, array, job.ramp(5, 1.7)), ".png")
        else:
            jpeg(job, photograph(job, array, fitting(array, 0.6), tilt=job.ramp(0, 40, "tilt")))


@picture("nine-cards")
def nine_cards(job):
    together(job, [(job.code("L"), f"Person {i + 1}") for i in range(9)], 4, 2.6, 3)


# Documents

@picture("pdf-drawn")
def pdf_drawn(job):
    array = job.code()
    job.write(documents.drawn_pdf(array, job.ramp(90, 40, "mm"), single=job.index % 2 == 1), ".pdf")


@picture("pdf-image")
def pdf_image(job):
    array = job.code()
    pdf = documents.PDF()
    pitch = job.turn(1, 3, 4, 2)
    code = drawn(array, pitch, 4)
    kind = job.turn("1", "L", "RGB", "jpeg")
    job.settings |= {"kind": kind, "pitch": pitch}
    code = code.convert("RGB" if kind in ("RGB", "jpeg") else kind)
    name, side = pdf.image(code, round(job.ramp(90, 50)) if kind == "jpeg" and pitch > 1 else None), job.ramp(90, 40, "mm") * documents.MM
    pdf.page(documents.text_in_pdf(60, 770, documents.LETTER) + f"q {side:.2f} 0 0 {side:.2f} 90 300 cm /Code Do Q\n", {"Code": name})
    job.write(pdf.bytes(), ".pdf")


def scan(job, array, dpi, code_mm):
    """A page as a flatbed scanner makes it: slightly turned and noisy, on paper that is not quite white."""
    scale = code_mm / 25.4 * dpi / array.shape[0]
    whole = int(np.ceil(scale)) + 1
    size = (round(8.27 * dpi), round(11.69 * dpi))
    sheet = sheets.printed(array, whole, job.rng, spread=job.any(-0.05, 0.15), width=round(size[0] * whole / scale),
                           height=round(size[1] * whole / scale))
    centre = tuple(place / (side * whole / scale) for place, side in zip(sheet.centre, size))
    view = View(scale, 0, 0, job.any(0.8, 2) * job.pick(-1, 1), centre, focal=50)
    light = Light(defocus=job.ramp(0.2, 0.8), noise=job.ramp(0.01, 0.025), sharpening=0.3, exposure=0.97)
    return shoot(sheet, size, view, light, sheets.table(job.rng, size, "plain"), job.rng)


@picture("pdf-scan")
def pdf_scan(job):
    dpi = job.turn(200, 150)
    image = scan(job, job.code(), dpi, job.ramp(80, 44 if dpi == 150 else 34, "mm"))
    image = image.convert("L") if job.index % 3 == 0 else image
    job.settings["dpi"] = dpi
    pdf = documents.PDF()
    pdf.page("q %.2f 0 0 %.2f 0 0 cm /Scan Do Q\n" % documents.A4, {"Scan": pdf.image(image, round(job.ramp(80, 45, "quality")))})
    job.write(pdf.bytes(), ".pdf")


@picture("pdf-many-pages")
def pdf_many_pages(job):
    job.pages, job.settings["page"] = 20, int(job.rng.integers(1, 21))
    job.write(documents.drawn_pdf(job.code(), job.ramp(80, 45, "mm"), 20, job.settings["page"]), ".pdf")


@picture("pdf-attachment")
def pdf_attachment(job):
    pdf = documents.PDF()
    pdf.page(documents.text_in_pdf(60, 770, documents.LETTER + ["", "The card is attached to this document."]))
    texts = [job.pick(*cards()) for _ in range(job.turn(1, 1, 2))]
    job.attached = sorted({jws(text) for text in texts})
    if job.index % 2:
        pdf.attach("readme.txt", b"The card is in the other file.\n")
    pdf.attach("card.smart-health-card", health_card_file(*sorted(set(texts))))
    job.write(pdf.bytes(), ".pdf")


@picture("pdf-empty-password")
def pdf_empty_password(job):
    job.write(documents.drawn_pdf(job.code(), job.ramp(90, 45, "mm"), password=""), ".pdf")


@picture("pdf-small")
def pdf_small(job):
    job.write(documents.drawn_pdf(job.code("L"), job.ramp(40, 16, "mm"), single=job.index % 2 == 1), ".pdf")


# Pictures without a card

@picture("nothing")
def nothing(job):
    kind = job.turn("photo", "text", "cloth", "keyboard", "screen", "noise")
    job.settings["kind"] = kind
    empty = np.zeros((97, 97), bool)
    if kind == "noise":
        image = Image.fromarray(job.rng.integers(0, 256, (900, 1200, 3), dtype=np.uint8))
    elif kind == "screen":
        image = sheets.phone(empty, job.rng, 8)[0]
    elif kind == "text":
        image = photograph(job, empty, 6, tilt=job.ramp(0, 25))
    else:
        table = sheets.table(job.rng, SIZE, {"photo": "stone", "cloth": "cloth", "keyboard": "keyboard"}[kind])
        blank = Sheet(np.full((40, 40), 0.4, np.float32), 1.0, (1e6, 1e6))
        image = shoot(blank, SIZE, View(5), Light(noise=0.02, gradient=(0.3, job.any(0, 360))), table, job.rng)
    job.save(image, job.turn(".jpg", ".png", ".jpg"), **({} if job.index % 3 == 1 else {"quality": 85}))


@picture("others-only")
def others_only(job):
    job.others = [job.turn(WEBSITE, WIFI)]
    array = modules(job.others[0], job.pick(*"LMQH"))
    pitch = job.ramp(10, 6)
    jpeg(job, photograph(job, array, pitch, tilt=job.ramp(0, 25), size=(1200, 900)))
