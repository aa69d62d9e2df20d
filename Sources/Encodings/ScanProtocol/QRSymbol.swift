/// The properties of a QR symbol (ISO/IEC 18004).
package struct QRSymbol: Sendable, Equatable {
    /// The version, 1 to 40, which determines the number of modules.
    package let version: Int
    /// The error correction level: `L`, `M`, `Q` or `H`.
    package let errorCorrection: UInt8
    /// The segments of the data, in their order.
    package let segments: [QRSegment]
    /// Whether the space around the symbol is light for four modules; nil if it was not measured.
    package let hasQuietZone: Bool?

    package init(version: Int, errorCorrection: UInt8, segments: [QRSegment], hasQuietZone: Bool?) {
        self.version = version
        self.errorCorrection = errorCorrection
        self.segments = segments
        self.hasQuietZone = hasQuietZone
    }
}

/// One segment of a QR symbol's data.
package struct QRSegment: Sendable, Equatable {
    /// The mode of a segment.
    package enum Mode: UInt8, Sendable {
        case numeric = 0x6E
        case alphanumeric = 0x61
        case byte = 0x62
        case kanji = 0x6B
    }

    package let mode: Mode
    /// The number of characters.
    package let count: Int

    package init(_ mode: Mode, count: Int) {
        self.mode = mode
        self.count = count
    }
}

/// A point in pixels, from the top left of the page.
package struct PixelPoint: Sendable, Equatable {
    package let x: Int
    package let y: Int

    package init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}

// MARK: Capacity

extension QRSymbol {
    /// The number of data codewords of a symbol; nil if there is no such version or level.
    ///
    /// - Parameter level: the error correction level: `L`, `M`, `Q` or `H`.
    package static func dataCodewords(ofVersion version: Int, level: UInt8) -> Int? {
        guard (1...40).contains(version), let column = levels.firstIndex(of: level) else { return nil }
        return dataCodewords[version - 1][column]
    }

    /// The smallest version that holds a byte segment and a numeric segment; nil if none does.
    ///
    /// - Parameters:
    ///   - bytes: the length of the byte segment.
    ///   - digits: the length of the numeric segment.
    package static func smallestVersion(bytes: Int, digits: Int, level: UInt8) -> Int? {
        (1...40).first { version in
            // Each segment has a mode and a count of characters before its data (ISO/IEC 18004, table 3).
            let counts = version < 10 ? 8 + 10 : version < 27 ? 16 + 12 : 16 + 14
            let bits = 8 + counts + bytes * 8 + digits / 3 * 10 + [0, 4, 7][digits % 3]
            return dataCodewords(ofVersion: version, level: level).map { bits <= $0 * 8 } == true
        }
    }

    private static let levels = Array("LMQH".utf8)

    /// The number of data codewords of each version, for the levels L, M, Q and H (ISO/IEC 18004, table 7).
    private static let dataCodewords: [[Int]] = [
        [19, 16, 13, 9], [34, 28, 22, 16], [55, 44, 34, 26], [80, 64, 48, 36],
        [108, 86, 62, 46], [136, 108, 76, 60], [156, 124, 88, 66], [194, 154, 110, 86],
        [232, 182, 132, 100], [274, 216, 154, 122], [324, 254, 180, 140], [370, 290, 206, 158],
        [428, 334, 244, 180], [461, 365, 261, 197], [523, 415, 295, 223], [589, 453, 325, 253],
        [647, 507, 367, 283], [721, 563, 397, 313], [795, 627, 445, 341], [861, 669, 485, 385],
        [932, 714, 512, 406], [1006, 782, 568, 442], [1094, 860, 614, 464], [1174, 914, 664, 514],
        [1276, 1000, 718, 538], [1370, 1062, 754, 596], [1468, 1128, 808, 628], [1531, 1193, 871, 661],
        [1631, 1267, 911, 701], [1735, 1373, 985, 745], [1843, 1455, 1033, 793], [1955, 1541, 1115, 845],
        [2071, 1631, 1171, 901], [2191, 1725, 1231, 961], [2306, 1812, 1286, 986], [2434, 1914, 1354, 1054],
        [2566, 1992, 1426, 1096], [2702, 2102, 1502, 1142], [2812, 2216, 1582, 1222], [2956, 2334, 1666, 1276],
    ]
}
