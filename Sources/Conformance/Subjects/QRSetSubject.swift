/// The QR codes that one card was split over, as many as were given.
struct QRSetSubject: Sendable {
    /// The first of the codes.
    let document: Document
    /// How many parts the codes say there are.
    let count: Int
    /// The characters of each part, by its number; where two texts were given for one, the first.
    let parts: [Int: [UInt8]]
    /// Numbers of parts for which two different texts were given.
    let conflicts: [Int]

    /// Numbers of the parts that were not given.
    var missing: [Int] { (1...count).filter { parts[$0] == nil } }

    /// The JWS, where there is every part.
    var jws: [UInt8]? {
        missing.isEmpty ? (1...count).reduce(into: []) { $0 += parts[$1] ?? [] } : nil
    }
}
