// Pictures in grey, and the decoders of formats and of QR codes. The code is C++, because the libraries are.
//
// All functions take untrusted bytes. They run only in `shcverify-scan`, a process with limits on memory, time, files and
// system calls (scan_sandbox.h).

#ifndef PICTURES_H
#define PICTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A picture in grey, one byte a pixel, without gaps between the lines. Zero is black.
typedef struct grey_picture {
    uint8_t *pixels;
    int32_t width;
    int32_t height;
} grey_picture;

/// How decoding a picture ended.
typedef enum picture_result {
    /// The picture was decoded, perhaps only in part because its data is damaged.
    picture_decoded,
    /// There is no page with this number.
    picture_no_page,
    /// No pixel can be decoded.
    picture_damaged,
    /// The picture has more pixels than the limit, or needs more memory than there is.
    picture_too_large,
    /// The format, or a feature of it, is not read.
    picture_unsupported,
} picture_result;

/// A decoded picture, and facts about its file.
typedef struct decoded_picture {
    grey_picture picture;
    /// The EXIF orientation, 1 to 8, that still has to be applied to the picture.
    int32_t orientation;
    /// By how much the picture was made smaller while it was decoded; 1 if it was not.
    int32_t reduction;
    /// Whether the file ends early or is damaged.
    bool is_damaged;
} decoded_picture;

/// Decodes one page of a picture.
///
/// - Parameters:
///   - page: the number of the page, from 0. Only TIFF files have several. Of an animation, page 0 is the first frame.
///   - most_pixels: the limit on width times height. A larger JPEG is made smaller while it is decoded.
///   - decoded: the result. Its pixels must be released with `grey_release`.
picture_result picture_decode(
    const uint8_t *bytes, size_t size, int32_t page, int64_t most_pixels, decoded_picture *decoded);

/// Passes on what there is in a picture besides its first page: the further frames of an animation (GIF, WebP, APNG) as a viewer
/// shows them one after the other, and the further pictures of a HEIC. A frame that looks like the one before is left out.
///
/// - Parameters:
///   - most_pixels: the limit on width times height of each.
///   - use: is called with each, its number from 1, and `context`. It must release the pixels with `grey_release`. It returns
///     whether to go on.
///   - is_damaged: whether the file ends early or is damaged, so that there may be more.
/// - Returns: `picture_decoded` if all were passed on, or `use` ended it; `picture_no_page` if there is none.
picture_result picture_frames(
    const uint8_t *bytes, size_t size, int64_t most_pixels,
    bool (*use)(void *context, int32_t number, decoded_picture frame), void *context, bool *is_damaged);

/// Loads the decoders of HEIC that are files of their own, as in newer versions of Debian. In the sandbox they could not be loaded.
void picture_prepare_heif(void);

/// Releases the pixels of a picture.
void grey_release(grey_picture *picture);

// MARK: Changed copies
//
// Each of these functions makes a new picture, whose pixels are null if there is not enough memory for it.

/// The negative of a picture.
grey_picture grey_inverted(const grey_picture *picture);

/// The mirror image of a picture.
grey_picture grey_mirrored(const grey_picture *picture);

/// A picture of another size: with bicubic interpolation if it is larger, and with averages if it is smaller.
grey_picture grey_resized(const grey_picture *picture, int32_t width, int32_t height);

/// A picture that is blurred with a Gaussian filter.
grey_picture grey_blurred(const grey_picture *picture, double sigma);

/// A sharper picture: the difference from the blurred picture, `amount` times, is added.
grey_picture grey_sharpened(const grey_picture *picture, double sigma, double amount);

/// A picture without single bright or dark pixels: the median of each square of 3 by 3.
grey_picture grey_median(const grey_picture *picture);

/// A black and white picture. A pixel is black if it is darker than the mean of the square around it less `offset`.
grey_picture grey_thresholded(const grey_picture *picture, int32_t window, int32_t offset);

/// A picture in which the darkest and the brightest pixels of each neighbourhood become black and white.
///
/// - Parameter window: the size of a neighbourhood in pixels.
grey_picture grey_equalized(const grey_picture *picture, int32_t window);

/// A picture that was out of focus or moved, calculated back (Richardson and Lucy's method).
///
/// - Parameters:
///   - length, angle: the size of the blur in pixels, and its direction in radians. If `is_disc`, the blur is a disc of that
///     diameter; otherwise it is a line.
grey_picture grey_deconvolved(const grey_picture *picture, double length, double angle, bool is_disc, int32_t steps);

/// The part of a picture within four corners, drawn as a square. The corners are in the order of the square's: top left, top
/// right, bottom right, bottom left.
grey_picture grey_rectified(const grey_picture *picture, const double corners[8], int32_t size);

// MARK: QR codes

/// A QR code that was found.
typedef struct found_code {
    /// The bytes of its text; null if it could not be decoded.
    uint8_t *text;
    size_t text_size;
    /// The x and y of its corners in pixels: top left, top right, bottom right, bottom left, as the code is read.
    double corners[8];
    /// The data codewords; null if the decoder does not give them.
    uint8_t *codewords;
    size_t codewords_size;
    /// The error correction level, L, M, Q or H; 0 if it is not known.
    char level;
} found_code;

/// The codes of a picture.
typedef struct found_codes {
    found_code *codes;
    size_t count;
} found_codes;

/// Finds QR codes with zxing-cpp.
///
/// - Parameters:
///   - uses_global_threshold: whether to compare all pixels with one threshold, instead of a local one.
///   - is_pure: whether the picture is one code, upright and without anything else.
found_codes codes_by_zxing(const grey_picture *picture, bool tries_harder, bool uses_global_threshold, bool is_pure, int32_t most);

/// Finds QR codes with ZBar.
found_codes codes_by_zbar(const grey_picture *picture, int32_t most);

/// Finds QR codes by fitting a mesh to their alignment patterns, and reads each by zxing from a clean drawing of its modules.
/// So it reads codes on paper that is bent, folded or seen at an angle.
found_codes codes_by_grid(const grey_picture *picture, int32_t most);

/// Releases the codes that the functions above return.
void codes_release(found_codes *codes);

#ifdef __cplusplus
}
#endif
#endif
