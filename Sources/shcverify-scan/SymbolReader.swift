import Encodings

/// Reads the segments of a QR symbol from its data codewords (ISO/IEC 18004 §7.4).
struct SymbolReader {
    private let codewords: [UInt8]
    private var at = 0

    /// The properties of a symbol; nil if the codewords cannot be understood.
    ///
    /// - Parameters:
    ///   - codewords: the data codewords.
    ///   - level: the error correction level, as a letter.
    static func symbol(codewords: [UInt8], level: UInt8, hasQuietZone: Bool?) -> QRSymbol? {
        guard let version = version(codewords: codewords, level: level) else { return nil }
        var reader = SymbolReader(codewords: codewords)
        guard let segments = reader.segments(version: version) else { return nil }
        return QRSymbol(
            version: version, errorCorrection: level, segments: segments, hasQuietZone: hasQuietZone)
    }

    /// The version. The number of data codewords and the level determine it.
    static func version(codewords: [UInt8], level: UInt8) -> Int? {
        (1...40).first { QRSymbol.dataCodewords(ofVersion: $0, level: level) == codewords.count }
    }

    private init(codewords: [UInt8]) { self.codewords = codewords }

    private mutating func bits(_ count: Int) -> Int? {
        guard at + count <= codewords.count * 8 else { return nil }
        defer { at += count }
        return (at..<at + count).reduce(0) { $0 << 1 | Int(codewords[$1 / 8] >> UInt8(7 - $1 % 8) & 1) }
    }

    private mutating func segments(version: Int) -> [QRSegment]? {
        let size = version < 10 ? 0 : version < 27 ? 1 : 2
        var segments: [QRSegment] = []
        while segments.count < 256 {
            // The end may be cut off if the symbol is full.
            guard let mode = bits(4), mode != 0 else { return segments }
            switch mode {
            case 1:
                guard let count = bits([10, 12, 14][size]), bits(count / 3 * 10 + [0, 4, 7][count % 3]) != nil else {
                    return nil
                }
                segments.append(QRSegment(.numeric, count: count))
            case 2:
                guard let count = bits([9, 11, 13][size]), bits(count / 2 * 11 + count % 2 * 6) != nil else {
                    return nil
                }
                segments.append(QRSegment(.alphanumeric, count: count))
            case 4:
                guard let count = bits([8, 16, 16][size]), bits(count * 8) != nil else { return nil }
                segments.append(QRSegment(.byte, count: count))
            case 8:
                guard let count = bits([8, 10, 12][size]), bits(count * 13) != nil else { return nil }
                segments.append(QRSegment(.kanji, count: count))
            case 3: guard bits(16) != nil else { return nil }
            case 5, 9: break
            case 7:
                // The designator of an encoding has one to three bytes.
                guard let first = bits(8), bits(first & 0x80 == 0 ? 0 : first & 0x40 == 0 ? 8 : 16) != nil else {
                    return nil
                }
            default: return nil
            }
        }
        return nil
    }
}
