import JSON
import SMARTHealthCards

/// An entry of a revocation list, `rid` or `rid.timestamp`, taken apart at the first dot.
struct RevocationEntry {
    let revocationID: ArraySlice<UInt8>
    /// What follows the dot; nil if there is none.
    let timestamp: ArraySlice<UInt8>?

    /// Nil if the value is no string.
    init?(_ value: JSONValue) {
        guard let text = value.stringBytes else { return nil }
        let dot = text.firstIndex(of: UInt8(ascii: ".")) ?? text.endIndex
        revocationID = text[..<dot]
        timestamp = dot < text.endIndex ? text[(dot + 1)...] : nil
    }

    /// The moment; nil if there is none, or none that can be read.
    var moment: NumericDate? {
        guard let timestamp, isTimestamp else { return nil }
        return NumericDate(sinceEpoch: .seconds(timestamp.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }))
    }

    /// Whether what follows the dot is digits, as many as a date may have.
    var isTimestamp: Bool {
        guard let timestamp else { return false }
        return (1...15).contains(timestamp.count) && timestamp.allSatisfy { (0x30...0x39).contains($0) }
    }
}
