/// A code of which a part lies outside the picture, as on a screenshot that was cropped.
///
/// Two of its finder patterns (ISO/IEC 18004, 6.3.3) are there, the third would lie outside, and its modules reach the edge. No pass can
/// read such a code, so none needs to try. A code whose upper or left side is cut off has one pattern, which is not enough to tell.
struct CutOffCode {
    private let picture: Picture
    private let threshold: UInt8
    /// Whether columns are taken for rows.
    private let isTurned: Bool

    private struct Finder {
        var x: Double
        var y: Double
        var module: Double
    }

    /// Whether there is such a code, and no other.
    static func isIn(_ picture: Picture) -> Bool {
        [false, true].contains { CutOffCode(picture, isTurned: $0).isThere }
    }

    private init(_ picture: Picture, isTurned: Bool) {
        self.picture = picture
        self.isTurned = isTurned
        var (darkest, brightest) = (UInt8.max, UInt8.min)
        for y in stride(from: 0, to: picture.height, by: 7) {
            for x in stride(from: 0, to: picture.width, by: 7) {
                let brightness = picture.brightness(x: x, y: y) ?? 0
                (darkest, brightest) = (min(darkest, brightness), max(brightest, brightness))
            }
        }
        threshold = darkest / 2 + brightest / 2
    }

    private var width: Int { isTurned ? picture.height : picture.width }
    private var height: Int { isTurned ? picture.width : picture.height }

    private func isDark(_ x: Int, _ y: Int) -> Bool {
        (isTurned ? picture.brightness(x: y, y: x) : picture.brightness(x: x, y: y)).map { $0 < threshold } ?? false
    }

    private var isThere: Bool {
        let finders = finders
        guard finders.count == 2 else { return false }
        let (left, right) = finders[0].x < finders[1].x ? (finders[0], finders[1]) : (finders[1], finders[0])
        let (module, side) = ((left.module + right.module) / 2, right.x - left.x)
        // The smallest code has 21 modules, the largest 177, and the centres of the patterns are 3.5 from its edges.
        guard abs(left.module - right.module) < 0.3 * module, abs(left.y - right.y) < 2 * module,
            (13...175).contains(side / module)
        else { return false }
        return [-1.0, 1].contains { direction in
            // If a part of the third pattern is there, a pass may still read the code.
            let (third, edge) = (left.y + direction * (side - 3.5 * module), direction < 0 ? 0 : height - 1)
            guard third < 0 || third > Double(height) else { return false }
            // About half of the modules differ from the one before.
            let row = (Int(left.x)...Int(right.x)).map { isDark($0, edge) }
            return Double(zip(row, row.dropFirst()).count { $0 != $1 }) > side / module / 5
        }
    }

    /// The finder patterns that lie upright; of more than three, the first.
    private var finders: [Finder] {
        var finders: [Finder] = []
        for y in 0..<height {
            var (runs, start) = ([Int](), 0)
            for x in 1...width where x == width || isDark(x, y) != isDark(x - 1, y) {
                runs.append(x - start)
                start = x
                // The run that has ended is dark.
                guard isDark(x - 1, y), let module = Self.module(runs.suffix(5)) else { continue }
                let centre = Double(x) - 3.5 * module
                guard let column = column(at: Int(centre), y), abs(column.module - module) < 0.5 * module,
                    isFinder(centre, column.middle, module)
                else { continue }
                let isKnown = finders.contains {
                    abs($0.x - centre) < 4 * module && abs($0.y - column.middle) < 4 * module
                }
                if !isKnown { finders.append(Finder(x: centre, y: column.middle, module: module)) }
                guard finders.count < 4 else { return finders }
            }
        }
        return finders
    }

    /// Whether the middles of the modules are dark and light as those of a finder pattern with its light edge, but for a few.
    private func isFinder(_ x: Double, _ y: Double, _ module: Double) -> Bool {
        var wrong = 0
        for row in -4...4 {
            for column in -4...4 {
                let isLight = [2, 4].contains(max(abs(row), abs(column)))
                wrong += isDark(Int(x + Double(column) * module), Int(y + Double(row) * module)) == isLight ? 1 : 0
            }
        }
        return wrong <= 8
    }

    /// The size of a module and the middle, if the column through a dark point shows a finder pattern too.
    private func column(at x: Int, _ y: Int) -> (module: Double, middle: Double)? {
        guard isDark(x, y) else { return nil }
        var (first, last) = (y, y)
        var runs = [0, 0, 0, 0, 0]
        for (place, isDark) in [(2, true), (1, false), (0, true)] {
            while first > 0, self.isDark(x, first - 1) == isDark {
                first -= 1
                runs[place] += 1
            }
        }
        runs[2] += 1
        for (place, isDark) in [(2, true), (3, false), (4, true)] {
            while last < height - 1, self.isDark(x, last + 1) == isDark {
                last += 1
                runs[place] += 1
            }
        }
        return Self.module(runs[...]).map { ($0, Double(first + last) / 2) }
    }

    /// The size of a module, if five runs of pixels are as long as those through a finder pattern: 1, 1, 3, 1 and 1 modules.
    private static func module(_ runs: ArraySlice<Int>) -> Double? {
        guard runs.count == 5 else { return nil }
        let module = Double(runs.reduce(0, +)) / 7
        let isPattern = zip(runs, [1.0, 1, 3, 1, 1]).allSatisfy {
            abs(Double($0) - $1 * module) < max(0.5 * $1, 0.5) * module
        }
        return module >= 1 && isPattern ? module : nil
    }
}
