import Encodings

/// A card file (`.smart-health-card`).
package enum CardFileJSON {
    /// The file with these cards, each a JWS.
    package static func text(_ cards: [[UInt8]]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { $0.member("verifiableCredential", cards.map { String(decoding: $0, as: UTF8.self) }) }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
