// Changed copies of pictures in grey.

#include "pictures.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace {

grey_picture made(int64_t width, int64_t height) {
    grey_picture picture = {nullptr, 0, 0};
    if (width < 1 || height < 1 || width > 1 << 20 || height > 1 << 20) return picture;
    picture.pixels = static_cast<uint8_t *>(malloc(static_cast<size_t>(width) * static_cast<size_t>(height)));
    if (picture.pixels == nullptr) return picture;
    picture.width = static_cast<int32_t>(width);
    picture.height = static_cast<int32_t>(height);
    return picture;
}

size_t area(const grey_picture &picture) { return static_cast<size_t>(picture.width) * picture.height; }

const uint8_t *line(const grey_picture &picture, int64_t y) {
    return picture.pixels + static_cast<size_t>(y) * picture.width;
}

uint8_t *line(grey_picture &picture, int64_t y) { return picture.pixels + static_cast<size_t>(y) * picture.width; }

uint8_t clamped(double value) {
    return value <= 0 ? 0 : value >= 255 ? 255 : static_cast<uint8_t>(value + 0.5);
}

/// Runs `body`. If there is not enough memory for it, the picture has no pixels.
template <typename Body> grey_picture guarded(Body body) noexcept {
    grey_picture result = {nullptr, 0, 0};
    try {
        body(result);
    } catch (const std::bad_alloc &) {
        grey_release(&result);
    }
    return result;
}

/// The pixels of the source that each pixel of the result is made of, with their weights in 1/2048. All have the same number of them;
/// those that are not needed have the weight 0.
struct Taps {
    int count;
    std::vector<int> first;
    std::vector<int16_t> weights;

    const int16_t *of(int index) const { return &weights[static_cast<size_t>(index) * count]; }
};

/// Keys's cubic convolution with a = -1/2.
double cubic(double x) {
    x = std::fabs(x);
    if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
    if (x < 2) return ((-0.5 * x + 2.5) * x - 4) * x + 2;
    return 0;
}

/// - Parameter least: the number of taps at least, if the source has so many pixels.
Taps taps(int from, int to, int least) {
    Taps all = {std::min(least, from), {}, {}};
    // The weights of one result after the other, and where those of each begin.
    std::vector<int16_t> list;
    std::vector<size_t> begins;
    std::vector<double> weights;
    const double scale = static_cast<double>(from) / to;
    for (int index = 0; index < to; index++) {
        int first;
        weights.clear();
        if (scale > 1) {
            // Averages: each pixel counts as much as it covers.
            const double begin = index * scale, end = begin + scale;
            first = static_cast<int>(begin);
            for (int at = first; at < end && at < from; at++)
                weights.push_back(std::min<double>(end, at + 1) - std::max<double>(begin, at));
        } else {
            const double centre = (index + 0.5) * scale - 0.5;
            const int middle = static_cast<int>(std::floor(centre));
            first = std::max(0, middle - 1);
            const int last = std::min(from - 1, middle + 2);
            for (int at = first; at <= last; at++) weights.push_back(cubic(centre - at));
        }
        double sum = 0;
        for (double weight : weights) sum += weight;
        begins.push_back(list.size());
        for (double weight : weights) list.push_back(static_cast<int16_t>(std::lround(2048 * weight / sum)));
        all.first.push_back(first);
        all.count = std::max(all.count, static_cast<int>(weights.size()));
    }
    begins.push_back(list.size());
    all.weights.assign(static_cast<size_t>(to) * all.count, 0);
    for (int index = 0; index < to; index++) {
        // At the end of the source, the weights that are not needed come first.
        const int before = std::max(0, all.first[index] + all.count - from);
        all.first[index] -= before;
        std::copy(
            list.begin() + static_cast<ptrdiff_t>(begins[index]), list.begin() + static_cast<ptrdiff_t>(begins[index + 1]),
            all.weights.begin() + static_cast<ptrdiff_t>(index) * all.count + before);
    }
    return all;
}

/// Makes lines of the new width. Their values are 64 times those of the pixels.
class LineResizer {
public:
    LineResizer(int from, int to) : taps_(taps(from, to, few)) {
        if (taps_.count != few) return;
        near_.resize(to);
        for (int x = 0; x < to; x++) {
            const int16_t *weights = taps_.of(x);
            even_.insert(even_.end(), {weights[0], weights[2]});
            odd_.insert(odd_.end(), {weights[1], weights[3]});
        }
    }

    void resize(const uint8_t *pixels, int16_t *values) {
        const int *first = taps_.first.data();
        const size_t width = taps_.first.size();
        if (taps_.count != few) {
            for (size_t x = 0; x < width; x++) {
                const int16_t *weights = taps_.of(static_cast<int>(x));
                int sum = 0;
                for (int at = 0; at < taps_.count; at++) sum += pixels[first[x] + at] * weights[at];
                values[x] = static_cast<int16_t>(sum >> 5);
            }
            return;
        }
        // First the pixels of each sum are put together. Then processors make several sums at once.
        for (size_t x = 0; x < width; x++) {
            const uint8_t *from = pixels + first[x];
            near_[x] = from[0] | from[1] << 8 | from[2] << 16 | static_cast<uint32_t>(from[3]) << 24;
        }
        size_t x = 0;
#ifdef __SSE2__
        const auto sums = [&](size_t x) {
            const __m128i near = _mm_loadu_si128(reinterpret_cast<const __m128i *>(&near_[x]));
            const __m128i even = _mm_loadu_si128(reinterpret_cast<const __m128i *>(&even_[2 * x]));
            const __m128i odd = _mm_loadu_si128(reinterpret_cast<const __m128i *>(&odd_[2 * x]));
            const __m128i evenSums = _mm_madd_epi16(_mm_and_si128(near, _mm_set1_epi16(255)), even);
            return _mm_srai_epi32(_mm_add_epi32(evenSums, _mm_madd_epi16(_mm_srli_epi16(near, 8), odd)), 5);
        };
        for (; x + 8 <= width; x += 8)
            _mm_storeu_si128(reinterpret_cast<__m128i *>(values + x), _mm_packs_epi32(sums(x), sums(x + 4)));
#endif
        for (; x < width; x++) {
            const auto pixel = [&](int at) { return static_cast<int>(near_[x] >> 8 * at & 255); };
            const int sum = pixel(0) * even_[2 * x] + pixel(2) * even_[2 * x + 1] + pixel(1) * odd_[2 * x]
                + pixel(3) * odd_[2 * x + 1];
            values[x] = static_cast<int16_t>(sum >> 5);
        }
    }

private:
    /// Enough to make a picture larger, or smaller down to half.
    static constexpr int few = 4;

    Taps taps_;
    /// For `few` taps: the pixels of each sum, and the weights of the first and the third, and of the second and the fourth.
    std::vector<uint32_t> near_;
    std::vector<int16_t> even_, odd_;
};

/// Makes a line of the result of lines of the new width.
///
/// - Parameter known: the number of lines, if the compiler is to know it; otherwise 0.
template <int known>
void combine_lines(
    const std::vector<const int16_t *> &lines, const int16_t *weights, int width, uint8_t *__restrict pixels) {
    if (known == 0) {
        for (int x = 0; x < width; x++) {
            int total = 1 << 16;
            for (size_t at = 0; at < lines.size(); at++) total += lines[at][x] * weights[at];
            pixels[x] = static_cast<uint8_t>(std::clamp(total >> 17, 0, 255));
        }
        return;
    }
    // With copies, the compiler knows that they do not change.
    const int16_t *from[known + 1];
    int16_t by[known + 1];
    for (int at = 0; at < known; at++) {
        from[at] = lines[at];
        by[at] = weights[at];
    }
    for (int x = 0; x < width; x++) {
        int total = 1 << 16;
        for (int at = 0; at < known; at++) total += from[at][x] * by[at];
        pixels[x] = static_cast<uint8_t>(std::clamp(total >> 17, 0, 255));
    }
}

std::vector<float> gaussian(double sigma) {
    const int radius = std::max(1, static_cast<int>(std::ceil(2.5 * sigma)));
    std::vector<float> weights(2 * radius + 1);
    float sum = 0;
    for (int at = -radius; at <= radius; at++)
        sum += weights[at + radius] = static_cast<float>(std::exp(-at * at / (2 * sigma * sigma)));
    for (float &weight : weights) weight /= sum;
    return weights;
}

}  // namespace

void grey_release(grey_picture *picture) {
    free(picture->pixels);
    *picture = {nullptr, 0, 0};
}

grey_picture grey_inverted(const grey_picture *picture) {
    grey_picture result = made(picture->width, picture->height);
    if (result.pixels == nullptr) return result;
    const size_t count = area(*picture);
    for (size_t index = 0; index < count; index++) result.pixels[index] = 255 - picture->pixels[index];
    return result;
}

grey_picture grey_mirrored(const grey_picture *picture) {
    grey_picture result = made(picture->width, picture->height);
    if (result.pixels == nullptr) return result;
    for (int y = 0; y < picture->height; y++)
        std::reverse_copy(line(*picture, y), line(*picture, y) + picture->width, line(result, y));
    return result;
}

grey_picture grey_resized(const grey_picture *picture, int32_t width, int32_t height) {
    return guarded([&](grey_picture &result) {
        result = made(width, height);
        if (result.pixels == nullptr) return;
        LineResizer across(picture->width, width);
        const auto down = taps(picture->height, height, 1);
        // The lines of the source, already of the new width. Only those that the current line needs are kept.
        const int kept = down.count;
        const auto combine = kept == 2 ? combine_lines<2> : kept == 3 ? combine_lines<3> : combine_lines<0>;
        std::vector<std::vector<int16_t>> lines(kept, std::vector<int16_t>(width));
        std::vector<int> numbers(kept, -1);
        std::vector<const int16_t *> needed(kept);
        for (int y = 0; y < height; y++) {
            for (int index = 0; index < kept; index++) {
                const int number = down.first[y] + index;
                std::vector<int16_t> &values = lines[number % kept];
                if (numbers[number % kept] != number) {
                    numbers[number % kept] = number;
                    across.resize(line(*picture, number), values.data());
                }
                needed[index] = values.data();
            }
            combine(needed, down.of(y), width, line(result, y));
        }
    });
}

grey_picture grey_blurred(const grey_picture *picture, double sigma) {
    return guarded([&](grey_picture &result) {
        result = made(picture->width, picture->height);
        if (result.pixels == nullptr) return;
        const auto weights = gaussian(sigma);
        const int radius = static_cast<int>(weights.size() / 2), width = picture->width, height = picture->height;
        std::vector<float> sum(width), padded(width + 2 * static_cast<size_t>(radius));
        for (int y = 0; y < height; y++) {
            std::fill(sum.begin(), sum.end(), 0.0f);
            for (int at = -radius; at <= radius; at++) {
                const uint8_t *pixels = line(*picture, std::clamp(y + at, 0, height - 1));
                const float weight = weights[at + radius];
                for (int x = 0; x < width; x++) sum[x] += weight * pixels[x];
            }
            for (int x = -radius; x < width + radius; x++) padded[x + radius] = sum[std::clamp(x, 0, width - 1)];
            std::fill(sum.begin(), sum.end(), 0.5f);
            for (int at = 0; at <= 2 * radius; at++) {
                const float weight = weights[at];
                for (int x = 0; x < width; x++) sum[x] += weight * padded[x + at];
            }
            uint8_t *pixels = line(result, y);
            for (int x = 0; x < width; x++) pixels[x] = static_cast<uint8_t>(std::min(sum[x], 255.0f));
        }
    });
}

grey_picture grey_sharpened(const grey_picture *picture, double sigma, double amount) {
    grey_picture result = grey_blurred(picture, sigma);
    if (result.pixels == nullptr) return result;
    const size_t count = area(*picture);
    for (size_t index = 0; index < count; index++) {
        const double original = picture->pixels[index];
        result.pixels[index] = clamped(original + amount * (original - result.pixels[index]));
    }
    return result;
}

grey_picture grey_median(const grey_picture *picture) {
    grey_picture result = made(picture->width, picture->height);
    if (result.pixels == nullptr) return result;
    const int width = picture->width, height = picture->height;
    for (int y = 0; y < height; y++) {
        const uint8_t *rows[3];
        for (int at = 0; at < 3; at++) rows[at] = line(*picture, std::clamp(y + at - 1, 0, height - 1));
        uint8_t *pixels = line(result, y);
        for (int x = 0; x < width; x++) {
            const int columns[3] = {std::max(x - 1, 0), x, std::min(x + 1, width - 1)};
            uint8_t values[9];
            for (int at = 0; at < 9; at++) values[at] = rows[at / 3][columns[at % 3]];
            std::nth_element(values, values + 4, values + 9);
            pixels[x] = values[4];
        }
    }
    return result;
}

grey_picture grey_thresholded(const grey_picture *picture, int32_t window, int32_t offset) {
    return guarded([&](grey_picture &result) {
        result = made(picture->width, picture->height);
        if (result.pixels == nullptr) return;
        const int width = picture->width, height = picture->height, radius = window / 2;
        // The sums of the columns within the window, and the sums of these from the left.
        std::vector<uint32_t> columns(width, 0), sums(static_cast<size_t>(width) + 1, 0);
        int top = 0, bottom = 0;
        for (int y = 0; y < height; y++) {
            // Most lines add one and take one away.
            if (bottom == y + radius && bottom < height && top == y - radius - 1 && top >= 0) {
                const uint8_t *added = line(*picture, bottom++), *removed = line(*picture, top++);
                for (int x = 0; x < width; x++) columns[x] += static_cast<uint32_t>(added[x] - removed[x]);
            }
            for (; bottom < std::min(height, y + radius + 1); bottom++) {
                const uint8_t *pixels = line(*picture, bottom);
                for (int x = 0; x < width; x++) columns[x] += pixels[x];
            }
            for (; top < y - radius; top++) {
                const uint8_t *pixels = line(*picture, top);
                for (int x = 0; x < width; x++) columns[x] -= pixels[x];
            }
            uint32_t total = 0;
            for (int x = 0; x < width; x++) sums[x + 1] = total += columns[x];
            const uint8_t *source = line(*picture, y);
            uint8_t *pixels = line(result, y);
            const auto compare = [&](int from, int to, auto left, auto right) {
                for (int x = from; x < to; x++) {
                    const int count = (right(x) - left(x)) * (bottom - top);
                    const int sum = static_cast<int>(sums[right(x)] - sums[left(x)]);
                    pixels[x] = (source[x] + offset) * count < sum ? 0 : 255;
                }
            };
            const auto compareShort = [&](int from, int to) {
                // Processors multiply several numbers of 16 bits at once.
                const auto count = static_cast<int16_t>((2 * radius + 1) * (bottom - top));
                const uint32_t *left = &sums[from - radius], *right = &sums[from + radius + 1];
                for (int x = 0; x < to - from; x++) {
                    const int sum = static_cast<int>(right[x] - left[x]);
                    pixels[from + x] = static_cast<int16_t>(source[from + x] + offset) * count < sum ? 0 : 255;
                }
            };
            const auto first = [](int) { return 0; };
            const auto last = [&](int) { return width; };
            const auto before = [&](int x) { return x - radius; };
            const auto after = [&](int x) { return x + radius + 1; };
            if (width <= 2 * radius) {
                compare(0, width, [&](int x) { return std::max(0, x - radius); }, [&](int x) { return std::min(width, x + radius + 1); });
                continue;
            }
            compare(0, radius, first, after);
            if ((2 * radius + 1) * (bottom - top) <= INT16_MAX && offset <= 1000)
                compareShort(radius, width - radius);
            else
                compare(radius, width - radius, before, after);
            compare(width - radius, width, before, last);
        }
    });
}

grey_picture grey_equalized(const grey_picture *picture, int32_t window) {
    return guarded([&](grey_picture &result) {
        result = made(picture->width, picture->height);
        if (result.pixels == nullptr) return;
        const int width = picture->width, height = picture->height;
        const int columns = (width + window - 1) / window, rows = (height + window - 1) / window;
        // The 2nd and the 98th percentile of each square, then the extremes of it and its neighbours.
        std::vector<uint8_t> low(static_cast<size_t>(columns) * rows), high(low.size());
        for (int row = 0; row < rows; row++)
            for (int column = 0; column < columns; column++) {
                int counts[256] = {0}, total = 0;
                for (int y = row * window; y < std::min(height, (row + 1) * window); y++)
                    for (int x = column * window; x < std::min(width, (column + 1) * window); x++, total++)
                        counts[line(*picture, y)[x]]++;
                int seen = 0, value = 0;
                while (value < 255 && (seen += counts[value]) <= total / 50) value++;
                low[static_cast<size_t>(row) * columns + column] = static_cast<uint8_t>(value);
                for (seen = 0, value = 255; value > 0 && (seen += counts[value]) <= total / 50; value--) {}
                high[static_cast<size_t>(row) * columns + column] = static_cast<uint8_t>(value);
            }
        const auto extreme = [&](const std::vector<uint8_t> &values, int row, int column, bool isHigh) {
            int found = isHigh ? 0 : 255;
            for (int y = std::max(0, row - 1); y <= std::min(rows - 1, row + 1); y++)
                for (int x = std::max(0, column - 1); x <= std::min(columns - 1, column + 1); x++) {
                    const int value = values[static_cast<size_t>(y) * columns + x];
                    found = isHigh ? std::max(found, value) : std::min(found, value);
                }
            return static_cast<float>(found);
        };
        std::vector<float> black(low.size()), white(low.size());
        for (int row = 0; row < rows; row++)
            for (int column = 0; column < columns; column++) {
                black[static_cast<size_t>(row) * columns + column] = extreme(low, row, column, false);
                white[static_cast<size_t>(row) * columns + column] = extreme(high, row, column, true);
            }
        for (int y = 0; y < height; y++) {
            const float down = std::clamp((y + 0.5f) / window - 0.5f, 0.0f, rows - 1.0f);
            const int row = static_cast<int>(down), nextRow = std::min(row + 1, rows - 1);
            for (int x = 0; x < width; x++) {
                const float across = std::clamp((x + 0.5f) / window - 0.5f, 0.0f, columns - 1.0f);
                const int column = static_cast<int>(across), next = std::min(column + 1, columns - 1);
                const float fy = down - row, fx = across - column;
                const auto mixed = [&](const std::vector<float> &values) {
                    const float *here = &values[static_cast<size_t>(row) * columns];
                    const float *below = &values[static_cast<size_t>(nextRow) * columns];
                    return (1 - fy) * ((1 - fx) * here[column] + fx * here[next])
                        + fy * ((1 - fx) * below[column] + fx * below[next]);
                };
                const float from = mixed(black), to = mixed(white);
                const float span = std::max(to - from, 16.0f);
                line(result, y)[x] = clamped(255.0 * (line(*picture, y)[x] - from) / span);
            }
        }
    });
}

grey_picture grey_deconvolved(const grey_picture *picture, double length, double angle, bool is_disc, int32_t steps) {
    return guarded([&](grey_picture &result) {
        const int width = picture->width, height = picture->height;
        // The points of the blur with their weights. Both shapes are symmetric, so the method needs no mirrored copy.
        struct Point {
            int x, y;
            float weight;
        };
        std::vector<Point> points;
        const int radius = static_cast<int>(std::ceil(length / 2)) + 1;
        float sum = 0;
        for (int y = -radius; y <= radius; y++)
            for (int x = -radius; x <= radius; x++) {
                int inside = 0;
                for (int part = 0; part < 64; part++) {
                    const double px = x + (part % 8 - 3.5) / 8, py = y + (part / 8 - 3.5) / 8;
                    const double along = px * std::cos(angle) + py * std::sin(angle);
                    const double aside = py * std::cos(angle) - px * std::sin(angle);
                    inside += is_disc ? px * px + py * py <= length * length / 4
                                      : std::fabs(along) <= length / 2 && std::fabs(aside) <= 0.5;
                }
                if (inside > 0) points.push_back({x, y, static_cast<float>(inside)});
                sum += static_cast<float>(inside);
            }
        for (Point &point : points) point.weight /= sum;
        // With a margin, the loops below need no test for the edges.
        const size_t stride = static_cast<size_t>(width) + 2 * radius, lines = static_cast<size_t>(height) + 2 * radius;
        std::vector<float> observed(stride * lines), estimate, ratio(stride * lines, 1.0f);
        for (int y = -radius; y < height + radius; y++)
            for (int x = -radius; x < width + radius; x++)
                observed[(y + radius) * stride + x + radius] =
                    1.0f + line(*picture, std::clamp(y, 0, height - 1))[std::clamp(x, 0, width - 1)];
        estimate = observed;
        std::vector<float> row(width);
        const auto blurred = [&](const std::vector<float> &values, int y) {
            std::fill(row.begin(), row.end(), 0.0f);
            for (const Point &point : points) {
                const float *from = &values[(y + radius + point.y) * stride + radius + point.x];
                for (int x = 0; x < width; x++) row[x] += point.weight * from[x];
            }
        };
        for (int step = 0; step < steps; step++) {
            for (int y = 0; y < height; y++) {
                blurred(estimate, y);
                const size_t at = (y + radius) * stride + radius;
                for (int x = 0; x < width; x++) ratio[at + x] = observed[at + x] / std::max(row[x], 0.5f);
            }
            for (int y = 0; y < height; y++) {
                blurred(ratio, y);
                const size_t at = (y + radius) * stride + radius;
                for (int x = 0; x < width; x++) estimate[at + x] = std::min(estimate[at + x] * row[x], 512.0f);
            }
        }
        result = made(width, height);
        if (result.pixels == nullptr) return;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                line(result, y)[x] = clamped(estimate[(y + radius) * stride + x + radius] - 1);
    });
}

grey_picture grey_rectified(const grey_picture *picture, const double corners[8], int32_t size) {
    grey_picture result = made(size, size);
    if (result.pixels == nullptr) return result;
    // The projective map of the unit square to the corners (Heckbert 1989, §2.2.3).
    const double *c = corners;
    const double dx1 = c[2] - c[4], dx2 = c[6] - c[4], dx3 = c[0] - c[2] + c[4] - c[6];
    const double dy1 = c[3] - c[5], dy2 = c[7] - c[5], dy3 = c[1] - c[3] + c[5] - c[7];
    const double determinant = dx1 * dy2 - dx2 * dy1;
    if (std::fabs(determinant) < 1e-9) {
        grey_release(&result);
        return result;
    }
    const double g = (dx3 * dy2 - dx2 * dy3) / determinant, h = (dx1 * dy3 - dx3 * dy1) / determinant;
    const double a = c[2] - c[0] + g * c[2], b = c[6] - c[0] + h * c[6];
    const double d = c[3] - c[1] + g * c[3], e = c[7] - c[1] + h * c[7];
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            const double u = (x + 0.5) / size, v = (y + 0.5) / size, w = g * u + h * v + 1;
            const double px = std::clamp((a * u + b * v + c[0]) / w - 0.5, 0.0, picture->width - 1.001);
            const double py = std::clamp((d * u + e * v + c[1]) / w - 0.5, 0.0, picture->height - 1.001);
            const int left = static_cast<int>(px), top = static_cast<int>(py);
            const int right = std::min(left + 1, picture->width - 1), bottom = std::min(top + 1, picture->height - 1);
            const double fx = px - left, fy = py - top;
            const uint8_t *upper = line(*picture, top), *lower = line(*picture, bottom);
            line(result, y)[x] = clamped(
                (1 - fy) * ((1 - fx) * upper[left] + fx * upper[right]) + fy * ((1 - fx) * lower[left] + fx * lower[right]));
        }
    return result;
}
