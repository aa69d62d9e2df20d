/// A signed card of a test, in the forms in which people hold one.
public struct TestCard: Sendable {
    /// The card as a compact JWS (RFC 7515 §7.1).
    public let jws: String

    init(jws: String) { self.jws = jws }

    /// The content of a file with the name ending `.smart-health-card`.
    public var file: [UInt8] { Self.file(of: [self]) }

    /// The content of a file with several cards.
    public static func file(of cards: [TestCard]) -> [UInt8] {
        // A JWS has no character that JSON escapes.
        Array("{\"verifiableCredential\":[\(cards.map { "\"\($0.jws)\"" }.joined(separator: ","))]}".utf8)
    }

    /// The texts of the QR codes of the card, as a scanner gives them: `shc:/…`, or `shc:/C/N/…` if there are several.
    ///
    /// - Parameter count: the number of codes; nil for as few as the specification allows: one for up to 1195 characters, or
    ///   else codes of up to 1191 (SHC "Chunking larger SHCs").
    /// - Returns: at least one text, in the order of the parts.
    public func qrTexts(count: Int? = nil) -> [String] {
        let characters = Array(jws.utf8)
        let count = max(
            1, min(count ?? (characters.count <= 1195 ? 1 : (characters.count + 1190) / 1191), characters.count))
        return (0..<count).map { place in
            let part = characters[characters.count * place / count..<characters.count * (place + 1) / count]
            let digits = part.map { byte in
                // Two digits for each character: its ASCII code minus 45.
                let number = Int(byte) - 45
                return number < 10 ? "0\(number)" : "\(number)"
            }.joined()
            return count == 1 ? "shc:/\(digits)" : "shc:/\(place + 1)/\(count)/\(digits)"
        }
    }

    /// The same card with another signature, which nobody has made. What the card says can still be read.
    public var forged: TestCard {
        var characters = Array(jws.utf8)
        // One of the middle, since the last character of base64url does not use all of its bits.
        guard let dot = characters.lastIndex(of: UInt8(ascii: ".")), dot + 10 < characters.count else { return self }
        characters[dot + 10] = characters[dot + 10] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return TestCard(jws: String(decoding: characters, as: UTF8.self))
    }

    /// A Bundle with an invented person and one vaccination against COVID-19.
    public static let sampleBundle: [UInt8] = Array(
        #"""
        {"resourceType":"Bundle","type":"collection","entry":[
        {"fullUrl":"resource:0","resource":{"resourceType":"Patient","name":[{"family":"Sample","given":["Jo"]}],"birthDate":"1980-02-29"}},
        {"fullUrl":"resource:1","resource":{"resourceType":"Immunization","status":"completed",
        "vaccineCode":{"coding":[{"system":"http://hl7.org/fhir/sid/cvx","code":"207"}]},
        "patient":{"reference":"resource:0"},"occurrenceDateTime":"2021-03-01","lotNumber":"TEST-1"}}]}
        """#.utf8)
}
