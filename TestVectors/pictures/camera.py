"""A simulated camera: it takes a picture of a flat, bent or crumpled sheet, with lens blur, light, noise and JPEG.

The steps follow a real phone. Lens and light work on linear light. Then come the sensor's noise, the sharpening and the tone
curve of the phone, and the JPEG file.
"""

from dataclasses import dataclass, field

import numpy as np
from PIL import Image

STEP = 8  # The map from the picture to the sheet is computed for every eighth pixel, and interpolated between them.


@dataclass
class Sheet:
    """Something flat with a code on it. Reflectance is 0 to 1, `scale` is in pixels a module."""

    reflectance: np.ndarray
    scale: float
    centre: tuple  # of the code, in pixels
    tint: tuple = (1.0, 1.0, 1.0)
    emits: bool = False  # a screen


@dataclass
class View:
    """How the camera stands: the code's centre is at `at` (as part of the picture), and a module is `pitch` pixels there."""

    pitch: float
    tilt: float = 0.0  # degrees by which the sheet leans away
    direction: float = 0.0  # degrees, the direction in which it leans
    roll: float = 0.0  # degrees
    at: tuple = (0.5, 0.5)
    focal: float = 0.8  # focal length as part of the picture's width


@dataclass
class Light:
    """Light on the sheet, and everything after the lens."""

    defocus: float = 0.0  # radius of the disc, in pixels
    motion: tuple = (0.0, 0.0)  # length in pixels, and degrees
    gradient: tuple = (0.0, 0.0)  # how much the light falls off across the picture, and its direction in degrees
    shadows: list = field(default_factory=list)  # (offset from the code's centre, direction, softness, darkness), parts of the width
    glare: list = field(default_factory=list)  # (x, y, radius, strength), parts of the width, around the code's centre
    noise: float = 0.004
    chroma: float = 0.5  # noise of colour, as part of the noise of light
    exposure: float = 0.9  # the brightness of white paper after the exposure
    veil: float = 0.0  # stray light, which takes away contrast
    warmth: float = 0.0  # above 0 for lamp light, below for shade
    sharpening: float = 0.5
    smoothing: float = 0.0  # the phone's noise reduction, as a radius in pixels
    pixels: tuple = None  # of a screen: (pixels a module, depth of the grid)


def smooth_noise(rng, shape, cells):
    """A smooth random field of about -1 to 1, with this many hills along the longer side."""
    height, width = shape
    rows, columns = max(2, round(cells * height / max(shape))) + 1, max(2, round(cells * width / max(shape))) + 1
    coarse = Image.fromarray(rng.uniform(-1, 1, (rows, columns)).astype(np.float32), "F")
    return np.asarray(coarse.resize((width, height), Image.BICUBIC))


def rotation(tilt, direction, roll):
    tilt, direction, roll = np.radians([tilt, direction, roll])
    about = lambda angle: np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    return about(direction) @ lean @ about(-direction) @ about(roll)


def grown(coarse, size):
    """A field on the grid of `sheet_map` for every pixel."""
    width, height = size
    image = Image.fromarray(coarse.astype(np.float32), "F")
    full = image.resize((image.width * STEP, image.height * STEP), Image.BILINEAR)
    return np.asarray(full)[STEP:STEP + height, STEP:STEP + width]


def sheet_map(size, view, surface=None):
    """For every pixel the place on the sheet in modules from the code's centre, and the shade of the bent sheet."""
    width, height = size
    focal = view.focal * max(size)
    turn = rotation(view.tilt, view.direction, view.roll)
    columns = (np.arange(-1, -(-width // STEP) + 1) + 0.5) * STEP - 0.5
    rows = (np.arange(-1, -(-height // STEP) + 1) + 0.5) * STEP - 0.5
    x, y = np.meshgrid(columns - width / 2, rows - height / 2)
    ray = np.stack([x, y, np.full_like(x, focal)], -1) @ turn
    distance = focal / view.pitch
    centre = np.array([(view.at[0] - 0.5) * width / focal, (view.at[1] - 0.5) * height / focal, 1]) * distance @ turn
    depth = np.where(np.abs(ray[..., 2]) < 1e-6, 1e-6, ray[..., 2])
    z, shade = np.zeros_like(x), np.zeros_like(x)
    for _ in range(8 if surface else 1):
        along = (centre[2] + z) / depth
        u, v = along * ray[..., 0] - centre[0], along * ray[..., 1] - centre[1]
        if surface:
            z, shade, *place = surface(u, v)
    if surface:
        u, v = place
    behind = along <= 0
    u, v = np.where(behind, 1e6, u), np.where(behind, 1e6, v)
    return grown(np.clip(u, -1e5, 1e5), size), grown(np.clip(v, -1e5, 1e5), size), grown(shade, size) if surface else None


def sampled(image, x, y):
    """The image at fractional places, and how much of each place is inside of it."""
    height, width = image.shape
    inside = np.clip(np.minimum(np.minimum(x, width - 1 - x), np.minimum(y, height - 1 - y)) + 0.5, 0, 1)
    x, y = np.clip(x, 0, width - 1.001), np.clip(y, 0, height - 1.001)
    column, row = x.astype(np.int32), y.astype(np.int32)
    x, y = x - column.astype(np.float32), y - row.astype(np.float32)
    at, flat = row * width + column, image.ravel()
    top = flat[at] * (1 - x) + flat[at + 1] * x
    bottom = flat[at + width] * (1 - x) + flat[at + width + 1] * x
    return top * (1 - y) + bottom * y, inside


def convolved(image, kernel):
    """The image convolved with a small kernel, whose sides are odd."""
    rows, columns = kernel.shape[0] // 2, kernel.shape[1] // 2
    padded = np.pad(image, ((rows, rows), (columns, columns)), mode="edge")
    shape = [int(np.ceil(side / 32) * 32) for side in padded.shape]
    spectrum = np.fft.rfft2(padded, shape) * np.fft.rfft2(kernel, shape)
    full = np.fft.irfft2(spectrum, shape).astype(np.float32)
    return full[2 * rows:2 * rows + image.shape[0], 2 * columns:2 * columns + image.shape[1]]


def disc(radius):
    reach = int(np.ceil(radius)) + 1
    y, x = np.mgrid[-reach:reach + 1, -reach:reach + 1]
    kernel = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1)
    return kernel / kernel.sum()


def line(length, degrees):
    """The trace of a moved camera, a pixel wide."""
    reach = int(np.ceil(length / 2)) + 1
    y, x = np.mgrid[-reach:reach + 1, -reach:reach + 1]
    angle = np.radians(degrees)
    along, across = x * np.cos(angle) + y * np.sin(angle), -x * np.sin(angle) + y * np.cos(angle)
    kernel = np.clip(length / 2 + 0.5 - np.abs(along), 0, 1) * np.clip(1 - np.abs(across), 0, 1)
    return kernel / kernel.sum()


def box_blurred(image, radius):
    """A fast blur, used for the phone's noise reduction and sharpening."""
    out = image
    for axis in (0, 1):
        before, after = np.roll(out, 1, axis), np.roll(out, -1, axis)
        out = out + radius * (before + after - 2 * out)
    return out


def shoot(sheet, size, view, light, table, rng, surface=None):
    """Takes the picture. `table` is what lies around the sheet: (reflectance, tint). Returns an RGB image."""
    width, height = size
    u, v, shade = sheet_map(size, view, surface)
    # The sheet has more pixels than the picture needs. A blur by a box of the picture's pixels avoids false patterns.
    source = sheet.reflectance
    ratio = int(round(sheet.scale / view.pitch))
    if ratio > 1:
        reach = ratio // 2
        for axis in (0, 1):
            source = sum(np.roll(source, shift, axis) for shift in range(-reach, reach + 1)) / np.float32(2 * reach + 1)
    seen, inside = sampled(source, sheet.centre[0] + u * sheet.scale, sheet.centre[1] + v * sheet.scale)
    if light.pixels:
        count, depth = light.pixels
        seen = seen * (1 + depth * (np.cos(2 * np.pi * u * count) + np.cos(2 * np.pi * v * count))) / (1 + 0.6 * depth)
    if shade is not None:
        seen = seen * np.clip(1 + shade, 0.25, 1.6)
    reflectance, tint = table
    seen = seen * inside + reflectance[:height, :width] * (1 - inside)

    x, y = (np.arange(width, dtype=np.float32) / width - view.at[0])[None, :], (
        (np.arange(height, dtype=np.float32) - view.at[1] * height) / width)[:, None]
    amount, direction = light.gradient
    if amount:
        across = x * np.cos(np.radians(direction)) + y * np.sin(np.radians(direction))
        seen = seen * np.exp(-amount * across * 2.5)
    for offset, direction, softness, darkness in light.shadows:
        across = x * np.cos(np.radians(direction)) + y * np.sin(np.radians(direction)) - offset
        seen = seen * (1 - darkness / (1 + np.exp(-np.clip(across / softness, -30, 30))))
    for glare_x, glare_y, radius, strength in light.glare:
        seen = seen + strength * np.exp(-((x - glare_x) ** 2 + (y - glare_y) ** 2) / radius ** 2)
    if light.defocus > 0.3:
        seen = convolved(seen, disc(light.defocus))
    if light.motion[0] > 0.5:
        seen = convolved(seen, line(*light.motion))
    seen = (seen * (1 - light.veil) + 0.7 * light.veil) * light.exposure

    deviation = light.noise * np.sqrt(0.15 + np.clip(seen, 0, 1))
    grain = rng.standard_normal((height, width), dtype=np.float32)
    seen = seen + deviation * grain
    if light.smoothing:
        seen = box_blurred(seen, min(light.smoothing, 0.33))
    if light.sharpening:
        seen = seen + light.sharpening * (seen - box_blurred(seen, 0.3))
    blobs = light.noise * light.chroma
    colours = np.empty((height, width, 3), np.uint8)
    for channel, warm in enumerate((1 + 0.25 * light.warmth, 1, 1 - 0.3 * light.warmth)):
        tone = seen * ((sheet.tint[channel] - tint[channel]) * inside + tint[channel]) * warm
        if blobs and channel != 1:
            coarse = rng.standard_normal((-(-height // 2), -(-width // 2)), dtype=np.float32)
            tone = tone + blobs * np.repeat(np.repeat(coarse, 2, 0), 2, 1)[:height, :width]
        colours[..., channel] = TONES[(np.clip(tone, 0, 1) * 4095).astype(np.int16)]
    return Image.fromarray(colours)


# The tone curve of a picture: sRGB, with slightly more contrast.
TONES = np.linspace(0, 1, 4096)
TONES = np.where(TONES <= 0.0031308, 12.92 * TONES, 1.055 * TONES ** (1 / 2.4) - 0.055)
TONES = (255 * np.clip(TONES + 0.04 * np.sin(2 * np.pi * (TONES - 0.5)), 0, 1) + 0.5).astype(np.uint8)


# Surfaces: functions from the place above the sheet (in modules) to height, shade, and the place on the sheet.

def cylinder(radius, direction=0.0, shading=0.35):
    """A page that is bent around a cylinder, such as a bottle or an open book. `radius` is in modules."""
    across, along = np.cos(np.radians(direction)), np.sin(np.radians(direction))

    def surface(u, v):
        place = u * across + v * along
        clipped = np.clip(place, -0.95 * radius, 0.95 * radius)
        angle = np.arcsin(clipped / radius)
        # `place` is the chord. On the sheet it is the longer arc.
        longer = radius * angle - clipped
        return radius * (1 - np.cos(angle)), -shading * np.sin(angle), u + longer * across, v + longer * along

    return surface


def crumpled(rng, extent, height, cells, shading):
    """Paper that was crumpled and smoothed again: hills of `height` modules, with creases between them."""
    side = 512
    field = smooth_noise(rng, (side, side), cells) * 0.6 + np.abs(smooth_noise(rng, (side, side), cells * 1.7)) * 0.7
    field = field.astype(np.float32) * height
    slope_y, slope_x = np.gradient(field, extent / side)
    tilted = -(slope_x * 0.8 + slope_y * 0.6) * shading

    def surface(u, v):
        x, y = ((place / extent + 0.5) * side for place in (u, v))
        z, inside = sampled(field, x, y)
        shade, _ = sampled(tilted, x, y)
        return z * inside, shade * inside, u, v

    return surface


def folded(offset, direction, slope, width, shading):
    """A sheet with one fold at `offset` modules from the code's centre. The two halves rise by `slope`."""
    across, along = np.cos(np.radians(direction)), np.sin(np.radians(direction))

    def surface(u, v):
        place = u * across + v * along - offset
        height = slope * (np.sqrt(place ** 2 + width ** 2) - width)
        side = np.tanh(place / width)
        crease = -0.5 * np.exp(-(place / (width * 0.6)) ** 2)
        return height, shading * (side + crease), u, v

    return surface
