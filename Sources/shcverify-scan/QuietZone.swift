import Encodings

/// The space around a code, which must be light for four modules (ISO/IEC 18004 §9.1).
enum QuietZone {
    /// Whether the space around a code is light; nil if it cannot be measured.
    static func isLight(around code: PageScan.Code, on picture: Picture) -> Bool? {
        guard let version = SymbolReader.version(codewords: code.codewords, level: code.level) else { return nil }
        let modules = Double(17 + 4 * version)
        let corners = code.corners
        guard corners.side > modules else { return nil }
        // The brightness within the symbol says what is dark on this picture.
        let inside = samples(corners.enlarged(by: 0.9), on: picture)
        guard let darkest = inside.min(), let lightest = inside.max(), lightest > darkest + 40 else { return nil }
        let middle = (Int(darkest) + Int(lightest)) / 2
        // Two lines around the symbol, 1.5 and 3.5 modules away.
        for distance in [1.5, 3.5] {
            let ring = samples(corners.enlarged(by: (modules + 2 * distance) / modules), on: picture)
            // A pixel outside the picture counts as dark: there is no space.
            let dark = ring.count { Int($0) < middle }
            if ring.count < sampleCount * 9 / 10 || dark * 20 > ring.count { return false }
        }
        return true
    }

    private static let samplesPerSide = 100
    private static let sampleCount = 4 * samplesPerSide

    /// The brightness along the sides, without points that are outside the picture.
    private static func samples(_ frame: Quadrilateral, on picture: Picture) -> [UInt8] {
        (0..<sampleCount).compactMap { index in
            let from = frame.points[index / samplesPerSide]
            let to = frame.points[(index / samplesPerSide + 1) % 4]
            let part = Double(index % samplesPerSide) / Double(samplesPerSide)
            let x = from.x + (to.x - from.x) * part
            let y = from.y + (to.y - from.y) * part
            guard x.isFinite, y.isFinite, abs(x) < 1e9, abs(y) < 1e9 else { return nil }
            return picture.brightness(x: Int(x.rounded(.down)), y: Int(y.rounded(.down)))
        }
    }
}
