// QR codes by a mesh through their alignment patterns, for codes on paper that is not flat.
//
// ZXing and ZBar map a code with one projective transform. On a folded or crumpled page it is some modules off. Here the
// finder patterns give a first map, and each alignment pattern that is found corrects the map around it. ZXing then reads a
// clean drawing of the modules.
//
// The numbers of finder patterns, of their combinations and of steps have limits, as the pictures are untrusted.
//
// What it alone reads, of 34 pictures of each class of photographs (TestVectors/pictures, seed 47), measured on 2026-11-28 with two builds of
// which one never calls it (Benchmarks/photographs.py): 17 % of all. Of the other 449, the build without it reads 427, and none that
// this one misses. It took 219 s of processor time, and this one about 130, as a picture that is read ends the search.
//
//     class               without  alone      class          without  alone      class         without  alone
//     perspective              34      0      dark                33      1      fold               11     20
//     perspective-strong       22     12      shadow              33      1      screen             21     10
//     rotated                  33      1      glare               34      0      bad-print          23      7
//     defocus                  29      2      crumpled            13     18      12mp               34      0
//     motion                   31      3      curved              25      4      far                31      2
//                                                                                everything         20     14

#include "codes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <new>

namespace {

/// The most places where the outline of a finder pattern is traced.
constexpr int mostOutlines = 3000;
/// The most finder patterns that are combined.
constexpr size_t mostFinders = 64;
/// The most combinations whose version is read, and the most that are sampled.
constexpr int mostTriples = 400, mostMeshes = 40;
/// The most combinations of two finder patterns that are sampled.
constexpr int mostDuoMeshes = 10;
/// Samples of a rectified code, along a module.
constexpr int density = 5;

struct Point {
    double x, y;
};

Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
Point operator*(double a, Point b) { return {a * b.x, a * b.y}; }
double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
double length(Point a) { return std::sqrt(dot(a, a)); }
bool isFinite(Point a) { return std::isfinite(a.x) && std::isfinite(a.y); }

/// The value between four pixels. A point outside counts as the nearest pixel, and one that is not a number as the first. The picture has
/// at least two pixels each way.
inline float grey(const grey_picture &picture, Point point) {
    const float x = static_cast<float>(point.x) - 0.5f, y = static_cast<float>(point.y) - 0.5f;
    const float right = static_cast<float>(picture.width - 1), bottom = static_cast<float>(picture.height - 1);
    const float inX = x > 0 ? (x < right ? x : right) : 0, inY = y > 0 ? (y < bottom ? y : bottom) : 0;
    const int left = std::min(static_cast<int>(inX), picture.width - 2), top = std::min(static_cast<int>(inY), picture.height - 2);
    const float fx = inX - static_cast<float>(left), fy = inY - static_cast<float>(top);
    const uint8_t *upper = picture.pixels + static_cast<size_t>(top) * picture.width + left;
    const uint8_t *lower = upper + picture.width;
    const float above = upper[0] + fx * (upper[1] - upper[0]);
    const float below = lower[0] + fx * (lower[1] - lower[0]);
    return above + fy * (below - above);
}

/// A picture that is released at the end.
struct Kept {
    grey_picture picture;

    explicit Kept(grey_picture picture) : picture(picture) {
        if (picture.pixels == nullptr) throw std::bad_alloc();
    }
    Kept(const Kept &) = delete;
    ~Kept() { grey_release(&picture); }
};

// MARK: Maps

/// Solves linear equations with Gauss's method. False if there is no single solution.
template <int size, int sides> bool solve(std::array<std::array<double, size + sides>, size> &rows) {
    for (int at = 0; at < size; at++) {
        int best = at;
        for (int row = at + 1; row < size; row++)
            if (std::fabs(rows[row][at]) > std::fabs(rows[best][at])) best = row;
        if (!(std::fabs(rows[best][at]) > 1e-12)) return false;
        std::swap(rows[at], rows[best]);
        for (int row = 0; row < size; row++) {
            if (row == at) continue;
            const double factor = rows[row][at] / rows[at][at];
            for (int column = at; column < size + sides; column++) rows[row][column] -= factor * rows[at][column];
        }
    }
    for (int at = 0; at < size; at++)
        for (int side = 0; side < sides; side++) rows[at][size + side] /= rows[at][at];
    return true;
}

struct Match {
    /// In modules.
    Point module;
    /// In pixels.
    Point pixel;
};

/// A projective map of modules to pixels.
struct Projection {
    double scale = 1;
    Point origin = {0, 0};
    double size = 1;
    std::array<double, 8> terms = {1, 0, 0, 0, 1, 0, 0, 0};

    Point at(Point module) const {
        const double x = module.x / scale, y = module.y / scale;
        const double w = terms[6] * x + terms[7] * y + 1;
        return {origin.x + size * (terms[0] * x + terms[1] * y + terms[2]) / w,
                origin.y + size * (terms[3] * x + terms[4] * y + terms[5]) / w};
    }

    /// How much nearer a module is than the origin.
    double depth(Point module) const { return terms[6] * module.x / scale + terms[7] * module.y / scale + 1; }
};

/// The map with the least squares of errors.
///
/// - Parameter stiffness: how much the map is drawn to an affine one.
bool fitted(const std::vector<Match> &matches, double stiffness, Projection &projection) {
    projection = Projection();
    Point sum = {0, 0};
    for (const Match &match : matches) {
        sum = sum + match.pixel;
        projection.scale = std::max({projection.scale, match.module.x, match.module.y});
    }
    projection.origin = (1.0 / static_cast<double>(matches.size())) * sum;
    for (const Match &match : matches) projection.size = std::max(projection.size, length(match.pixel - projection.origin));
    std::array<std::array<double, 9>, 8> normal = {};
    for (const Match &match : matches) {
        const double x = match.module.x / projection.scale, y = match.module.y / projection.scale;
        const Point to = (1 / projection.size) * (match.pixel - projection.origin);
        const double lines[2][9] = {{x, y, 1, 0, 0, 0, -x * to.x, -y * to.x, to.x},
                                    {0, 0, 0, x, y, 1, -x * to.y, -y * to.y, to.y}};
        for (const auto &line : lines)
            for (int row = 0; row < 8; row++)
                for (int column = 0; column < 9; column++) normal[row][column] += line[row] * line[column];
    }
    normal[6][6] += stiffness;
    normal[7][7] += stiffness;
    if (!solve<8, 1>(normal)) return false;
    for (int at = 0; at < 8; at++) projection.terms[at] = normal[at][8];
    return true;
}

// MARK: Finder patterns

/// A finder pattern: seven by seven modules.
struct Finder {
    Point centre;
    /// Corners of the middle of the dark ring, a square of six by six modules, in the order of the angle.
    std::array<Point, 4> corners;
    /// The value between dark and bright.
    float threshold;

    /// One module along an axis: 0 and 2 are opposite, and so are 1 and 3.
    Point axis(int number) const {
        const auto at = [&](int index) { return corners[(number + index) & 3]; };
        return (1.0 / 12) * (at(1) - at(0) + at(2) - at(3));
    }
};

/// Follows the pattern 1:1:3:1:1 from a pixel of its centre, forwards and backwards.
bool crosses(const grey_picture &binary, int x, int y, bool isDown, double &middle, double &total) {
    const ptrdiff_t step = isDown ? binary.width : 1;
    const int limit = isDown ? binary.height : binary.width, from = isDown ? y : x;
    const uint8_t *pixel = binary.pixels + static_cast<size_t>(y) * binary.width + x;
    int runs[2][3] = {};
    for (int side = 0; side < 2; side++) {
        const int direction = side == 0 ? -1 : 1;
        int at = from;
        for (int run = 0; run < 3; run++) {
            const uint8_t colour = run == 1 ? 255 : 0;
            while (at >= 0 && at < limit && pixel[(at - from) * step] == colour) {
                at += direction;
                runs[side][run]++;
            }
            if (runs[side][run] == 0) return false;
        }
    }
    const int core = runs[0][0] + runs[1][0] - 1;
    const int lengths[5] = {runs[0][2], runs[0][1], core, runs[1][1], runs[1][2]};
    int sum = 0;
    for (int value : lengths) sum += value;
    const double unit = sum / 7.0;
    for (int run = 0; run < 5; run++) {
        const double least = run == 2 ? 1.7 : 0.35, most = run == 2 ? 4.3 : 1.9;
        if (lengths[run] < least * unit - 0.5 || lengths[run] > most * unit + 0.5) return false;
    }
    middle = from + 0.5 + (runs[1][0] + runs[1][1] + runs[1][2] - runs[0][0] - runs[0][1] - runs[0][2]) / 2.0;
    total = sum;
    return true;
}

/// The line through points with the least squares of distances.
bool fittedLine(const std::vector<Point> &points, Point &through, Point &direction) {
    if (points.size() < 3) return false;
    Point mean = {0, 0};
    for (Point point : points) mean = mean + point;
    mean = (1.0 / static_cast<double>(points.size())) * mean;
    double xx = 0, xy = 0, yy = 0;
    for (Point point : points) {
        const Point d = point - mean;
        xx += d.x * d.x;
        xy += d.x * d.y;
        yy += d.y * d.y;
    }
    const double angle = 0.5 * std::atan2(2 * xy, xx - yy);
    through = mean;
    direction = {std::cos(angle), std::sin(angle)};
    return true;
}

/// Rays from the centre of a finder pattern.
constexpr int rays = 64;

/// Finds the middle of the dark ring on each ray.
///
/// - threshold: the value between the dark centre and what is bright around it.
/// - ringThreshold: the value between the ring, which may be less dark, and what is bright around it.
/// - Returns: the places, fewer than on most rays if it is no finder pattern.
std::vector<Point> ringOf(const grey_picture &picture, Point centre, double across, double down, float dark, float threshold,
                          float ringThreshold) {
    static const std::array<Point, rays> directions = [] {
        std::array<Point, rays> result;
        for (int ray = 0; ray < rays; ray++) {
            const double angle = 2 * M_PI * (ray % 16 * 4 + ray / 16) / rays;
            result[ray] = {std::cos(angle), std::sin(angle)};
        }
        return result;
    }();
    const double reach = 1.1 * std::max(across, down), step = std::max(0.5, reach / 120);
    std::vector<Point> ring;
    // Every fourth direction first: most places are no finder pattern, and a few rays show it.
    for (int ray = 0; ray < rays && ray - static_cast<int>(ring.size()) <= rays / 4; ray++) {
        double edges[3];
        int found = 0;
        bool isBright = false;
        float before = dark;
        // Where the next edge must have been found, so that the lengths can be those of a finder pattern, with some room.
        double latest = 0.65 * reach + step;
        for (double distance = 0; distance < reach && distance < latest && found < 3; distance += step) {
            const float value = grey(picture, centre + distance * directions[ray]);
            const float limit = found == 0 ? threshold : ringThreshold;
            // The first edge may be darker than the limit of the next one.
            isBright = isBright || value > ringThreshold;
            if (found == 1 ? isBright && value < limit : value > limit) {
                const float change = value - before;
                const double back = change != 0 ? std::clamp((value - limit) / change, 0.0f, 1.0f) : 0;
                edges[found++] = distance - back * step;
                latest = std::min(edges[0] / 0.21, found == 1 ? 0.91 * reach : edges[1] / 0.51) + step;
            }
            before = value;
        }
        if (found < 3) continue;
        const double first = edges[0] / edges[2], second = edges[1] / edges[2];
        if (!(first > 0.22 && first < 0.64 && second > 0.52 && second < 0.9)) continue;
        ring.push_back(centre + (edges[1] + edges[2]) / 2 * directions[ray]);
    }
    return ring;
}

/// Traces the ring of a finder pattern with rays from its centre.
bool traced(const grey_picture &picture, Point centre, double across, double down, Finder &finder) {
    const Point right = {across / 7, 0}, below = {0, down / 7};
    const auto at = [&](double x, double y) { return grey(picture, centre + x * right + y * below); };
    const float dark = (2 * at(0, 0) + at(0.6, 0) + at(-0.6, 0) + at(0, 0.6) + at(0, -0.6)) / 6;
    const float bright = (at(2, 0) + at(-2, 0) + at(0, 2) + at(0, -2)) / 4;
    if (!(bright - dark > 10)) return false;
    // Blur makes the ring, which is thin, less dark than the centre.
    float sum = 0;
    for (int side = 0; side < 4; side++) {
        float least = bright;
        for (int part = 0; part < 8; part++) {
            const double away = (side & 1 ? -1 : 1) * (2.5 + 0.15 * part);
            least = std::min(least, side < 2 ? at(away, 0) : at(0, away));
        }
        sum += least;
    }
    const float threshold = (dark + bright) / 2, ringThreshold = (sum / 4 + bright) / 2;
    if (!(bright - ringThreshold > 4)) return false;
    const auto ring = ringOf(picture, centre, across, down, dark, threshold, ringThreshold);
    if (ring.size() < rays * 3 / 4) return false;
    // The two corners of the longest diagonal, then the farthest points on both its sides.
    std::array<Point, 4> corners = {};
    const auto farthest = [&](auto measure) {
        double best = -1;
        Point point = ring[0];
        for (Point candidate : ring)
            if (const double value = measure(candidate); value > best) {
                best = value;
                point = candidate;
            }
        return point;
    };
    corners[0] = farthest([&](Point p) { return length(p - centre); });
    corners[2] = farthest([&](Point p) { return length(p - corners[0]); });
    const Point diagonal = corners[2] - corners[0];
    corners[1] = farthest([&](Point p) { return -cross(diagonal, p - corners[0]); });
    corners[3] = farthest([&](Point p) { return cross(diagonal, p - corners[0]); });
    // Then the sides as lines through the points that are not near the corners.
    for (int round = 0; round < 2; round++) {
        std::array<Point, 4> through, directions;
        for (int side = 0; side < 4; side++) {
            const Point from = corners[side], along = corners[(side + 1) & 3] - from;
            const double squared = dot(along, along);
            if (!(squared > 9)) return false;
            std::vector<Point> points;
            for (Point point : ring) {
                const double part = dot(point - from, along) / squared;
                const double distance = std::fabs(cross(along, point - from)) / squared;
                if (part > 0.12 && part < 0.88 && distance < 0.17) points.push_back(point);
            }
            if (!fittedLine(points, through[side], directions[side])) return false;
        }
        for (int side = 0; side < 4; side++) {
            const int last = (side + 3) & 3;
            const double sine = cross(directions[last], directions[side]);
            if (!(std::fabs(sine) > 0.2)) return false;
            const double part = cross(through[side] - through[last], directions[side]) / sine;
            corners[side] = through[last] + part * directions[last];
        }
    }
    // The order of the angle, and a shape that a square can have.
    for (int side = 0; side < 4; side++) {
        const Point next = corners[(side + 1) & 3], after = corners[(side + 2) & 3], opposite = corners[(side + 3) & 3];
        if (!isFinite(next)) return false;
        if (!(cross(next - corners[side], after - next) > 0)) return false;
        const double ratio = length(next - corners[side]) / length(after - opposite);
        if (!(ratio > 0.5 && ratio < 2)) return false;
    }
    const Point one = corners[2] - corners[0], two = corners[3] - corners[1];
    const double sine = cross(one, two);
    if (!(std::fabs(sine) > 9)) return false;
    finder.centre = corners[0] + cross(corners[1] - corners[0], two) / sine * one;
    finder.corners = corners;
    finder.threshold = threshold;
    return length(finder.centre - centre) < 0.15 * std::min(length(one), length(two)) + 1;
}

/// Adds the finder patterns of a picture.
///
/// - Parameters:
///   - window: the size of the squares within which pixels are compared.
///   - scale: by how much the picture was made smaller.
void findFinders(const grey_picture &picture, int window, double scale, std::vector<Finder> &finders) {
    const Kept thresholded(grey_thresholded(&picture, window, 3));
    const grey_picture &binary = thresholded.picture;
    constexpr int cell = 3;
    const int columns = picture.width / cell + 1, lines = picture.height / cell + 1;
    // The places where an outline was traced.
    std::vector<bool> seen(static_cast<size_t>(columns) * lines);
    const size_t most = finders.size() + mostFinders;
    int outlines = 0;
    const auto tried = [&](int x, int y) {
        if (outlines >= mostOutlines || finders.size() >= most) return;
        double middle, across, down, height;
        if (!crosses(binary, x, y, true, height, down)) return;
        const int centreY = std::clamp(static_cast<int>(height), 0, picture.height - 1);
        if (!crosses(binary, x, centreY, false, middle, across)) return;
        if (across > 4 * down || down > 4 * across) return;
        const int column = static_cast<int>(middle) / cell, line = static_cast<int>(height) / cell;
        for (int row = std::max(0, line - 1); row <= std::min(lines - 1, line + 1); row++)
            for (int at = std::max(0, column - 1); at <= std::min(columns - 1, column + 1); at++)
                if (seen[static_cast<size_t>(row) * columns + at]) return;
        if (column < columns && line < lines) seen[static_cast<size_t>(line) * columns + column] = true;
        outlines++;
        Finder finder;
        if (!traced(picture, {middle, height}, across, down, finder)) return;
        finder.centre = scale * finder.centre;
        for (Point &corner : finder.corners) corner = scale * corner;
        for (const Finder &other : finders)
            if (length(other.centre - finder.centre) < 0.4 * length(other.corners[1] - other.corners[3])) return;
        finders.push_back(finder);
    };
    for (int y = 1; y < picture.height; y += 2) {
        const uint8_t *pixels = binary.pixels + static_cast<size_t>(y) * picture.width;
        // The lengths of the last five runs.
        int runs[5] = {0, 0, 0, 0, 0};
        int start = 0;
        for (int x = 1; x <= picture.width; x++) {
            // All values are 0 or 255, and a run ends where the other one is.
            const void *end = memchr(pixels + x, 255 - pixels[x - 1], static_cast<size_t>(picture.width - x));
            x = end == nullptr ? picture.width : static_cast<int>(static_cast<const uint8_t *>(end) - pixels);
            for (int run = 0; run < 4; run++) runs[run] = runs[run + 1];
            runs[4] = x - start;
            if (pixels[start] == 0 && runs[0] > 0) {
                const int sum = runs[0] + runs[1] + runs[2] + runs[3] + runs[4];
                const double unit = sum / 7.0;
                bool fits = sum >= 9 && runs[2] >= 1.7 * unit - 0.5 && runs[2] <= 4.3 * unit + 0.5;
                for (int run : {0, 1, 3, 4}) fits = fits && runs[run] >= 0.35 * unit - 0.5 && runs[run] <= 1.9 * unit + 0.5;
                if (fits) tried(x - runs[4] - runs[3] - (runs[2] + 1) / 2, y);
            }
            start = x;
        }
    }
}

// MARK: Combinations of finder patterns

struct Triple {
    /// The finder patterns at the top left, top right and bottom left; -1 if it was not found.
    std::array<int, 3> finders;
    /// The number of the axis of each finder pattern that points right.
    std::array<int, 3> axes;
    /// The modules between the centres.
    double distance;
    double error;
};

/// Another place in the coordinates of a finder pattern, in modules.
Point seenFrom(const Finder &finder, Point place) {
    const Point right = finder.axis(0), down = finder.axis(1), way = place - finder.centre;
    const double area = cross(right, down);
    return {cross(way, down) / area, cross(right, way) / area};
}

/// All likely combinations, the likeliest first. Those of two finder patterns come last.
std::vector<Triple> triples(const std::vector<Finder> &finders) {
    struct Pair {
        int to, axis, axisBack;
        double distance, error;
    };
    std::vector<Triple> found, duos;
    const int count = static_cast<int>(finders.size());
    std::vector<std::vector<Pair>> pairs(count);
    for (int from = 0; from < count; from++)
        for (int to = 0; to < count; to++) {
            if (from == to) continue;
            const Point there = seenFrom(finders[from], finders[to].centre), back = seenFrom(finders[to], finders[from].centre);
            // Along a line, the number of modules follows from the length of a module at both ends, also in perspective.
            const double distance = std::sqrt(length(there) * length(back)), ratio = std::log(length(there) / length(back));
            if (!(distance > 11 && distance < 240 && std::fabs(ratio) < 1.2)) continue;
            const auto axis = [](Point way) {
                return std::fabs(way.x) > std::fabs(way.y) ? (way.x > 0 ? 0 : 2) : (way.y > 0 ? 1 : 3);
            };
            const auto slant = [](Point way) {
                const double x = std::fabs(way.x), y = std::fabs(way.y);
                return std::min(x, y) / std::max(x, y);
            };
            const double error = slant(there) + slant(back) + 0.3 * std::fabs(ratio);
            if (slant(there) < 0.5 && slant(back) < 0.5) {
                const Pair pair = {to, axis(there), axis(back), distance, error};
                pairs[from].push_back(pair);
                // The upper side of a code, or the left side upwards.
                duos.push_back({{from, to, -1}, {pair.axis, (pair.axisBack + 2) & 3, 0}, distance, error});
                duos.push_back({{to, -1, from}, {(pair.axisBack + 3) & 3, 0, (pair.axis + 1) & 3}, distance, error});
            } else if (slant(there) > 0.5 && slant(back) > 0.5) {
                // From the top right to the bottom left.
                const auto quadrant = [](Point way) { return way.x > 0 ? (way.y > 0 ? 0 : 3) : (way.y > 0 ? 1 : 2); };
                duos.push_back({{-1, from, to}, {0, (quadrant(there) + 3) & 3, (quadrant(back) + 1) & 3},
                                distance / M_SQRT2, 2.5 - error});
            }
        }
    for (int corner = 0; corner < count; corner++)
        for (const Pair &right : pairs[corner])
            for (const Pair &down : pairs[corner]) {
                if (((right.axis + 1) & 3) != down.axis) continue;
                const double ratio = std::fabs(std::log(right.distance / down.distance));
                if (!(ratio < 0.4)) continue;
                Triple triple;
                triple.finders = {corner, right.to, down.to};
                triple.axes = {right.axis, (right.axisBack + 2) & 3, (down.axisBack + 1) & 3};
                triple.distance = (right.distance + down.distance) / 2;
                // Of equally good combinations, the closest finder patterns are the likeliest.
                triple.error = right.error + down.error + 2 * ratio + 0.002 * triple.distance;
                found.push_back(triple);
            }
    const auto before = [](const Triple &a, const Triple &b) { return a.error != b.error ? a.error < b.error : a.finders < b.finders; };
    std::sort(found.begin(), found.end(), before);
    std::sort(duos.begin(), duos.end(), before);
    if (found.size() > mostTriples) found.resize(mostTriples);
    if (duos.size() > mostTriples) duos.resize(mostTriples);
    found.insert(found.end(), duos.begin(), duos.end());
    return found;
}

// MARK: Versions

/// The centres of the alignment patterns along one side (ISO/IEC 18004, Annex E).
std::vector<int> alignments(int version) {
    if (version < 2) return {6, 14};
    const int count = version / 7 + 2, step = version == 32 ? 26 : (version * 4 + count * 2 + 1) / (count * 2 - 2) * 2;
    std::vector<int> centres(count, 6);
    for (int at = count - 1, centre = version * 4 + 10; at > 0; at--, centre -= step) centres[at] = centre;
    return centres;
}

/// The 18 bits of the version information.
uint32_t versionInformation(int version) {
    uint32_t remainder = static_cast<uint32_t>(version);
    for (int bit = 0; bit < 12; bit++) remainder = remainder << 1 ^ (remainder >> 11) * 0x1F25;
    return static_cast<uint32_t>(version) << 12 | remainder;
}

/// The corners of a finder pattern's ring, from the top left, as they lie in the code.
std::vector<Match> matches(const Finder &finder, int axis, Point corner) {
    std::vector<Match> result;
    const Point places[4] = {{0.5, 0.5}, {6.5, 0.5}, {6.5, 6.5}, {0.5, 6.5}};
    for (int at = 0; at < 4; at++) result.push_back({corner + places[at], finder.corners[(axis + at) & 3]});
    return result;
}

/// The likeliest version; 0 if none is likely.
int versionOf(const grey_picture &picture, const std::vector<Finder> &finders, const Triple &triple) {
    const double guess = (triple.distance - 10) / 4;
    std::pair<double, int> best = {1e9, 0};
    std::array<uint32_t, 2> read = {};
    bool isDuo = false;
    for (int at : triple.finders) isDuo = isDuo || at < 0;
    for (int copy = 0; copy < 2; copy++) {
        if (triple.finders[copy + 1] < 0) continue;
        const Finder &finder = finders[triple.finders[copy + 1]];
        Projection projection;
        if (!fitted(matches(finder, triple.axes[copy + 1], {4, 4}), 0, projection)) continue;
        for (int bit = 0; bit < 18; bit++) {
            const double along = bit % 3 + 0.5, aside = bit / 3 + 4.5;
            const Point module = copy == 0 ? Point{along, aside} : Point{aside, along};
            float value = 0;
            for (int part = 0; part < 4; part++)
                value += grey(picture, projection.at(module + Point{part % 2 * 0.4 - 0.2, part / 2 * 0.4 - 0.2}));
            if (value / 4 < finder.threshold) read[copy] |= 1u << bit;
        }
    }
    for (int version = 1; version <= 40; version++) {
        const double off = std::fabs(version - guess);
        double error = off / (1 + 0.04 * guess);
        if (version >= 7) {
            int wrong = 18;
            for (uint32_t bits : read) wrong = std::min(wrong, __builtin_popcount(bits ^ versionInformation(version)));
            // Each pair of version code words differs in eight bits.
            if (wrong > (isDuo ? 3 : 4) || off > (isDuo ? 1.5 + 0.1 * guess : 3 + 0.25 * guess)) continue;
            error = 0.5 * error + wrong;
        } else if (isDuo || off > 1.6)
            continue;
        best = std::min(best, {error, version});
    }
    return best.second;
}

// MARK: The mesh

/// A place of the code whose pixel is known.
struct Anchor {
    Point module;
    /// The pixel less the one that the projection gives.
    Point correction;
    double weight;
};

/// The correction at a module: the affine function with the least squares of errors, where near anchors count most.
Point corrected(const std::vector<Anchor> &anchors, Point module) {
    std::array<std::array<double, 5>, 3> normal = {};
    double total = 0;
    for (const Anchor &anchor : anchors) {
        const Point d = anchor.module - module;
        const double squared = dot(d, d) + 4, weight = anchor.weight / (squared * squared);
        const double line[5] = {1, d.x, d.y, anchor.correction.x, anchor.correction.y};
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 5; column++) normal[row][column] += weight * line[row] * line[column];
        total += weight;
    }
    if (!(total > 0)) return {0, 0};
    for (auto &row : normal)
        for (double &value : row) value /= total;
    normal[1][1] += 4;
    normal[2][2] += 4;
    if (!solve<3, 2>(normal)) return {0, 0};
    return {normal[0][3], normal[0][4]};
}

/// Looks for an alignment pattern.
///
/// - Parameters:
///   - right, down: one module.
///   - offset: the result, in modules.
/// - Returns: how well the pattern fits, at most 1.
double aligned(const grey_picture &picture, Point centre, Point right, Point down, Point &offset) {
    // How far to look is 3.5 modules.
    constexpr int fine = 4, steps = 14;
    constexpr int side = 2 * steps + 5 * fine;
    std::vector<float> patch(static_cast<size_t>(side) * side), blocks(patch.size());
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const double mx = (x - side / 2 + 0.5) / fine, my = (y - side / 2 + 0.5) / fine;
            patch[static_cast<size_t>(y) * side + x] = grey(picture, centre + mx * right + my * down);
        }
    for (int y = 0; y + 1 < side; y++)
        for (int x = 0; x + 1 < side; x++) {
            const size_t at = static_cast<size_t>(y) * side + x;
            blocks[at] = patch[at] + patch[at + 1] + patch[at + side] + patch[at + side + 1];
        }
    constexpr int span = 2 * steps + 1;
    std::vector<double> scores(static_cast<size_t>(span) * span);
    double best = -1;
    int bestX = steps, bestY = steps;
    for (int y = 0; y < span; y++)
        for (int x = 0; x < span; x++) {
            double sum = 0, squares = 0, bright = 0;
            for (int row = 0; row < 5; row++)
                for (int column = 0; column < 5; column++) {
                    const size_t at = static_cast<size_t>(y + row * fine + 1) * side + x + column * fine + 1;
                    const double value = blocks[at];
                    sum += value;
                    squares += value * value;
                    const int ring = std::max(std::abs(row - 2), std::abs(column - 2));
                    if (ring == 1) bright += value;
                }
            // The correlation with a pattern of 8 bright and 17 dark modules.
            const double variance = squares - sum * sum / 25;
            double &score = scores[static_cast<size_t>(y) * span + x];
            score = variance > 100 ? (bright - sum * 8 / 25) / std::sqrt(variance * (8.0 * 17 / 25)) : 0;
            const double dx = static_cast<double>(x - steps) / fine, dy = static_cast<double>(y - steps) / fine;
            const double rated = score - 0.004 * (dx * dx + dy * dy);
            if (rated > best) {
                best = rated;
                bestX = x;
                bestY = y;
            }
        }
    const auto peak = [&](int at, size_t stride, size_t middle) {
        if (at == 0 || at == span - 1) return 0.0;
        const double before = scores[middle - stride], here = scores[middle], after = scores[middle + stride];
        const double bend = before - 2 * here + after;
        return bend < -1e-9 ? std::clamp(0.5 * (before - after) / bend, -0.5, 0.5) : 0.0;
    };
    const size_t middle = static_cast<size_t>(bestY) * span + bestX;
    offset.x = (bestX - steps + peak(bestX, 1, middle)) / fine;
    offset.y = (bestY - steps + peak(bestY, span, middle)) / fine;
    return scores[middle];
}

/// A map of modules to pixels: a grid of points, and straight lines between them.
struct Field {
    int cells;
    double spacing;
    std::vector<Point> points;

    Point &point(int column, int row) { return points[static_cast<size_t>(row) * (cells + 1) + column]; }
    const Point &point(int column, int row) const { return points[static_cast<size_t>(row) * (cells + 1) + column]; }

    /// The module must be in the code or near it.
    Point at(Point module) const {
        const double x = module.x / spacing, y = module.y / spacing;
        const int column = std::clamp(static_cast<int>(x), 0, cells - 1), row = std::clamp(static_cast<int>(y), 0, cells - 1);
        const double fx = x - column, fy = y - row;
        const Point above = (1 - fx) * point(column, row) + fx * point(column + 1, row);
        const Point below = (1 - fx) * point(column, row + 1) + fx * point(column + 1, row + 1);
        return (1 - fy) * above + fy * below;
    }
};

/// A map from the finder patterns and the alignment patterns.
///
/// - Parameter isFlat: whether the first map has perspective. On a bent page, an affine one can be better.
bool meshed(const grey_picture &picture, const std::vector<Finder> &finders, const Triple &triple, int version, bool isFlat,
            Field &field) {
    const int size = 17 + 4 * version;
    std::vector<Match> known;
    const Point places[3] = {{0, 0}, {size - 7.0, 0}, {0, size - 7.0}};
    for (int at = 0; at < 3; at++)
        if (triple.finders[at] >= 0)
            for (const Match &match : matches(finders[triple.finders[at]], triple.axes[at], places[at])) known.push_back(match);
    Projection projection;
    if (!fitted(known, isFlat ? 1e-4 : 100, projection)) return false;
    const double depths[3] = {projection.depth({size + 0.0, 0}), projection.depth({0, size + 0.0}),
                              projection.depth({size + 0.0, size + 0.0})};
    if (isFlat && !(*std::min_element(depths, depths + 3) > 0.33 && *std::max_element(depths, depths + 3) < 3)
        && !fitted(known, 100, projection))
        return false;
    std::vector<Anchor> anchors;
    for (const Match &match : known) anchors.push_back({match.module, match.pixel - projection.at(match.module), 0.5});
    const auto place = [&](Point module) { return projection.at(module) + corrected(anchors, module); };

    std::vector<Point> left;
    const auto centres = alignments(version);
    if (version > 1)
        for (int row : centres)
            for (int column : centres) {
                const bool isLeft = column == 6, isTop = row == 6, isRight = column == size - 7, isBottom = row == size - 7;
                if ((isLeft && isTop) || (isLeft && isBottom) || (isRight && isTop)) continue;
                left.push_back({column + 0.5, row + 0.5});
            }
    const size_t patterns = left.size();
    while (!left.empty()) {
        // The pattern with the nearest anchors is the one whose place is known best.
        size_t best = 0;
        double most = -1;
        for (size_t at = 0; at < left.size(); at++) {
            double near = 0;
            for (const Anchor &anchor : anchors) {
                const Point d = anchor.module - left[at];
                near += anchor.weight / ((dot(d, d) + 4) * (dot(d, d) + 4));
            }
            if (near > most) {
                most = near;
                best = at;
            }
        }
        const Point module = left[best];
        left.erase(left.begin() + static_cast<ptrdiff_t>(best));
        const Point centre = place(module);
        const Point right = 0.25 * (place(module + Point{2, 0}) - place(module - Point{2, 0}));
        const Point down = 0.25 * (place(module + Point{0, 2}) - place(module - Point{0, 2}));
        if (!isFinite(centre) || !isFinite(right) || !isFinite(down)) return false;
        Point offset;
        const double score = aligned(picture, centre, right, down, offset);
        if (score < 0.68) continue;
        const Point pixel = centre + offset.x * right + offset.y * down;
        anchors.push_back({module, pixel - projection.at(module), score});
    }
    if (anchors.size() - known.size() < patterns / 4) return false;
    field.cells = std::max(4, size / 4);
    field.spacing = static_cast<double>(size) / field.cells;
    field.points.clear();
    for (int row = 0; row <= field.cells; row++)
        for (int column = 0; column <= field.cells; column++) {
            field.points.push_back(place({column * field.spacing, row * field.spacing}));
            if (!isFinite(field.points.back())) return false;
        }
    return true;
}

// MARK: Modules

/// A rectified code, with `density` samples along each module and a margin of one module.
struct Rectified {
    int side;
    std::vector<float> values;

    float at(int x, int y) const { return values[static_cast<size_t>(y) * side + x]; }
};

/// The mean of three by three samples of a rectified code, everywhere.
Rectified rectified(const grey_picture &picture, const Field &field, int size) {
    Rectified result;
    result.side = (size + 2) * density;
    const size_t side = static_cast<size_t>(result.side);
    std::vector<float> raw(side), lines(side * side);
    std::vector<Point> knots(static_cast<size_t>(field.cells) + 1);
    const auto place = [&](size_t at) { return ((static_cast<double>(at) + 0.5) / density - 1) / field.spacing; };
    const auto cell = [&](double place) { return std::clamp(static_cast<int>(place), 0, field.cells - 1); };
    for (size_t y = 0; y < side; y++) {
        // `field.at`, where a line keeps what its points share.
        const int row = cell(place(y));
        const double fy = place(y) - row;
        for (int column = 0; column <= field.cells; column++)
            knots[column] = (1 - fy) * field.point(column, row) + fy * field.point(column, row + 1);
        for (size_t x = 0; x < side; x++) {
            const int column = cell(place(x));
            const double fx = place(x) - column;
            raw[x] = grey(picture, (1 - fx) * knots[column] + fx * knots[column + 1]);
        }
        float *line = &lines[y * side];
        line[0] = raw[0];
        line[side - 1] = raw[side - 1];
        for (size_t x = 1; x + 1 < side; x++) line[x] = (raw[x - 1] + raw[x] + raw[x + 1]) / 3;
    }
    result.values = lines;
    for (size_t y = 1; y + 1 < side; y++)
        for (size_t x = 0; x < side; x++)
            result.values[y * side + x] = (lines[(y - 1) * side + x] + lines[y * side + x] + lines[(y + 1) * side + x]) / 3;
    return result;
}

/// Moves the points of a field to where the modules around them differ most, as at the centres of modules.
void refine(const grey_picture &picture, Field &field, int size) {
    constexpr int reach = 3, span = 2 * reach + 1;
    const Rectified code = rectified(picture, field, size);
    struct Shift {
        double x, y, weight;
    };
    std::vector<Shift> shifts(field.points.size());
    for (int row = 0; row <= field.cells; row++)
        for (int column = 0; column <= field.cells; column++) {
            // The modules around the point.
            const int middleX = static_cast<int>(column * field.spacing), middleY = static_cast<int>(row * field.spacing);
            const int left = std::clamp(middleX - 4, 0, size - 9), top = std::clamp(middleY - 4, 0, size - 9);
            double best = -1, worst = 1e18;
            int bestX = reach, bestY = reach;
            for (int dy = 0; dy < span; dy++)
                for (int dx = 0; dx < span; dx++) {
                    double sum = 0, squares = 0;
                    for (int y = top; y < top + 9; y++)
                        for (int x = left; x < left + 9; x++) {
                            const double value = code.at(
                                (x + 1) * density + density / 2 + dx - reach, (y + 1) * density + density / 2 + dy - reach);
                            sum += value;
                            squares += value * value;
                        }
                    const double distance = std::hypot(dx - reach, dy - reach);
                    const double score = (squares - sum * sum / 81) * (1 - 0.01 * distance * distance);
                    worst = std::min(worst, score);
                    if (score > best) {
                        best = score;
                        bestX = dx;
                        bestY = dy;
                    }
                }
            Shift &shift = shifts[static_cast<size_t>(row) * (field.cells + 1) + column];
            shift.x = bestX - reach;
            shift.y = bestY - reach;
            shift.weight = best > 0 ? (best - worst) / best + 0.01 : 0.01;
        }
    const Field before = field;
    for (int row = 0; row <= field.cells; row++)
        for (int column = 0; column <= field.cells; column++) {
            double x = 0, y = 0, total = 0;
            for (int nextRow = std::max(0, row - 1); nextRow <= std::min(field.cells, row + 1); nextRow++)
                for (int next = std::max(0, column - 1); next <= std::min(field.cells, column + 1); next++) {
                    const Shift &shift = shifts[static_cast<size_t>(nextRow) * (field.cells + 1) + next];
                    const double weight = shift.weight * (nextRow == row ? 2 : 1) * (next == column ? 2 : 1);
                    x += weight * shift.x;
                    y += weight * shift.y;
                    total += weight;
                }
            const Point module = {column * field.spacing, row * field.spacing};
            const Point right = 0.5 * (before.at(module + Point{1, 0}) - before.at(module - Point{1, 0}));
            const Point down = 0.5 * (before.at(module + Point{0, 1}) - before.at(module - Point{0, 1}));
            Point &point = field.point(column, row);
            point = point + (x / total / density) * right + (y / total / density) * down;
        }
}

/// The values of the modules less those of their neighbourhood, in units of the neighbourhood's contrast.
std::vector<double> contrasts(const Rectified &code, int size) {
    const auto valueAt = [&](int x, int y) { return code.at((x + 1) * density + density / 2, (y + 1) * density + density / 2); };
    const size_t stride = static_cast<size_t>(size) + 1;
    std::vector<double> sums(stride * stride), squares(stride * stride);
    for (int y = 0; y < size; y++) {
        double line = 0, lineOfSquares = 0;
        for (int x = 0; x < size; x++) {
            const double value = valueAt(x, y);
            line += value;
            lineOfSquares += value * value;
            sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] + line;
            squares[(y + 1) * stride + x + 1] = squares[y * stride + x + 1] + lineOfSquares;
        }
    }
    std::vector<double> result;
    constexpr int radius = 5;
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            const int left = std::max(0, x - radius), right = std::min(size, x + radius + 1);
            const int top = std::max(0, y - radius), bottom = std::min(size, y + radius + 1);
            const int count = (right - left) * (bottom - top);
            const auto mean = [&](const std::vector<double> &of) {
                return (of[bottom * stride + right] - of[bottom * stride + left] - of[top * stride + right]
                        + of[top * stride + left])
                    / count;
            };
            const double limit = mean(sums), deviation = std::sqrt(std::max(mean(squares) - limit * limit, 1.0));
            result.push_back((valueAt(x, y) - limit) / deviation);
        }
    return result;
}

/// Sharpens blurred modules with the linear filter that gives the most decided values. The filter is the one that fits best to
/// the modules as they seem to be.
void equalize(std::vector<double> &values, int size) {
    constexpr int reach = 2, across = 2 * reach + 1, taps = across * across + 1;
    static_assert(taps == 26, "the taps and a constant");
    std::array<std::array<double, taps + 1>, taps> normal = {};
    const auto line = [&](int x, int y) {
        std::array<double, taps> result;
        for (int at = 0; at < taps - 1; at++)
            result[at] = values[static_cast<size_t>(y + at / across - reach) * size + x + at % across - reach];
        result[taps - 1] = 1;
        return result;
    };
    for (int y = reach; y < size - reach; y++)
        for (int x = reach; x < size - reach; x++) {
            const auto here = line(x, y);
            const double target = values[static_cast<size_t>(y) * size + x] < 0 ? -1 : 1;
            for (int row = 0; row < taps; row++) {
                for (int column = row; column < taps; column++) normal[row][column] += here[row] * here[column];
                normal[row][taps] += here[row] * target;
            }
        }
    for (int row = 0; row < taps; row++) {
        for (int column = 0; column < row; column++) normal[row][column] = normal[column][row];
        normal[row][row] += 1e-3 * size;
    }
    if (!solve<taps, 1>(normal)) return;
    std::vector<double> filtered = values;
    for (int y = reach; y < size - reach; y++)
        for (int x = reach; x < size - reach; x++) {
            const auto here = line(x, y);
            double sum = 0;
            for (int at = 0; at < taps; at++) sum += normal[at][taps] * here[at];
            filtered[static_cast<size_t>(y) * size + x] = sum;
        }
    values.swap(filtered);
}

/// Writes the patterns that all codes of a version have.
///
/// - Returns: which part of the timing patterns and alignment patterns was already right.
double completed(std::vector<uint8_t> &dark, int version) {
    const int size = 17 + 4 * version;
    int right = 0, total = 0;
    const auto set = [&](int x, int y, bool isDark, bool counts) {
        uint8_t &module = dark[static_cast<size_t>(y) * size + x];
        if (counts) {
            right += module == isDark;
            total++;
        }
        module = isDark;
    };
    for (int at = 8; at < size - 8; at++) {
        set(at, 6, at % 2 == 0, true);
        set(6, at, at % 2 == 0, true);
    }
    if (version > 1)
        for (int row : alignments(version))
            for (int column : alignments(version)) {
                if ((row == 6 && column == 6) || (row == 6 && column == size - 7) || (row == size - 7 && column == 6)) continue;
                for (int y = -2; y <= 2; y++)
                    for (int x = -2; x <= 2; x++) set(column + x, row + y, std::max(std::abs(x), std::abs(y)) != 1, true);
            }
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            const int ring = std::max(std::abs(x - 3), std::abs(y - 3));
            const bool isDark = ring != 2 && ring != 4;
            set(x, y, isDark, false);
            set(size - 1 - x, y, isDark, false);
            set(x, size - 1 - y, isDark, false);
        }
    if (version >= 7)
        for (int bit = 0; bit < 18; bit++) {
            const bool isDark = versionInformation(version) >> bit & 1;
            set(size - 11 + bit % 3, bit / 3, isDark, false);
            set(bit / 3, size - 11 + bit % 3, isDark, false);
        }
    return static_cast<double>(right) / std::max(1, total);
}

/// Draws the modules and lets ZXing read them.
bool read(const std::vector<uint8_t> &dark, int size, bool isMirrored, found_code &code) {
    constexpr int zoom = 2, margin = 4;
    const int side = (size + 2 * margin) * zoom;
    std::vector<uint8_t> pixels(static_cast<size_t>(side) * side, 255);
    for (int y = 0; y < size * zoom; y++)
        for (int x = 0; x < size * zoom; x++) {
            const int row = isMirrored ? x / zoom : y / zoom, column = isMirrored ? y / zoom : x / zoom;
            if (dark[static_cast<size_t>(row) * size + column])
                pixels[static_cast<size_t>(y + margin * zoom) * side + x + margin * zoom] = 0;
        }
    const grey_picture drawing = {pixels.data(), side, side};
    found_codes codes = codes_by_zxing(&drawing, false, true, true, 1);
    const bool isRead = codes.count > 0 && codes.codes[0].text != nullptr;
    if (isRead) {
        code = codes.codes[0];
        codes.codes[0].text = nullptr;
        codes.codes[0].codewords = nullptr;
    }
    codes_release(&codes);
    return isRead;
}

/// Reads the code of three finder patterns.
///
/// - Parameter isLikely: whether they are the finder patterns of a code, even if it cannot be decoded.
bool read(const grey_picture &picture, const std::vector<Finder> &finders, const Triple &triple, int version, bool &isLikely,
          found_code &code) {
    const int size = 17 + 4 * version;
    Field field;
    bool isRead = false, isMirrored = false, isNear = true;
    for (int round = 0; round < 4 && !isRead; round++) {
        // Small corrections do not help if the map is quite wrong.
        if (round % 2 == 1 && !isNear) continue;
        if (round % 2 == 0) {
            if (!meshed(picture, finders, triple, version, round == 0, field)) return false;
        } else
            for (int step = 0; step < 4; step++) refine(picture, field, size);
        auto values = contrasts(rectified(picture, field, size), size);
        for (bool isEqualized : {false, true}) {
            if (isEqualized) equalize(values, size);
            std::vector<uint8_t> dark;
            for (double value : values) dark.push_back(value < 0);
            const double right = completed(dark, version);
            isLikely = isLikely || right > 0.85;
            isNear = right >= 0.65;
            if (!isNear) break;
            if (right < 0.8) continue;
            isMirrored = false;
            isRead = read(dark, size, false, code);
            if (!isRead) isRead = isMirrored = read(dark, size, true, code);
            if (isRead) break;
        }
    }
    if (!isRead) return false;
    const double end = size;
    Point corners[4] = {{0, 0}, {end, 0}, {end, end}, {0, end}};
    if (isMirrored) std::swap(corners[1], corners[3]);
    for (int at = 0; at < 4; at++) {
        const Point point = field.at(corners[at]);
        code.corners[2 * at] = point.x;
        code.corners[2 * at + 1] = point.y;
    }
    return true;
}

}  // namespace

found_codes codes_by_grid(const grey_picture *picture, int32_t most) {
    return collected([&](std::vector<found_code> &found) {
        const int shorter = std::min(picture->width, picture->height);
        if (picture->pixels == nullptr || shorter < 21) return;
        std::vector<Finder> finders;
        findFinders(*picture, std::max(9, shorter / 12), 1, finders);
        // Once more at half the size, without noise and the pattern of a screen's pixels.
        if (shorter >= 200) {
            const Kept half(grey_resized(picture, picture->width / 2, picture->height / 2));
            findFinders(half.picture, std::max(9, shorter / 24), 2, finders);
        }
        // The finder patterns of codes that were read, and of others that seem to be codes.
        std::vector<bool> isUsed(finders.size()), isFailed(finders.size());
        int meshes = 0, duoMeshes = 0, repeated = 0;
        for (const Triple &triple : triples(finders)) {
            if (static_cast<int64_t>(found.size()) >= most || meshes >= mostMeshes) break;
            bool isFree = true;
            for (int at : triple.finders) isFree = isFree && (at < 0 || !isUsed[at]);
            // Two finder patterns seldom give a better map than three.
            int ofFailed = 0;
            for (int at : triple.finders) ofFailed += at >= 0 && isFailed[at];
            const bool isDuo = std::count(triple.finders.begin(), triple.finders.end(), -1) > 0;
            if (isDuo && ofFailed == 2 && repeated++ >= 4) continue;
            if (!isFree) continue;
            const int version = versionOf(*picture, finders, triple);
            if (version == 0) continue;
            // Those of two finder patterns come last.
            if (isDuo && duoMeshes++ >= mostDuoMeshes) break;
            meshes++;
            found_code code = {};
            bool isLikely = false;
            const bool isRead = read(*picture, finders, triple, version, isLikely, code);
            if (isRead) found.push_back(code);
            for (int at : triple.finders) {
                if (at < 0) continue;
                if (isRead)
                    isUsed[at] = true;
                else if (isLikely)
                    isFailed[at] = true;
            }
        }
    });
}
