package import Credentials
package import Cryptography
package import Encodings

/// A card revocation list: the cards of one key that the issuer has revoked (SHC "Revocation").
package struct RevocationList: Sendable {
    /// The ID of the key that signed the listed cards (`kid`).
    package let keyID: KeyID
    /// The list's version (`ctr`), which grows with every change; nil if it has none.
    package let counter: RevocationCounter?
    /// Why the list cannot be used, in words about "it"; nil if it can be used.
    package let defect: String?
    /// The age of the list if it comes from the cache; nil if it was given, or fetched for this run.
    package var copy: Copy?
    /// An object that lives as long as the list, for example its share of the memory for lists.
    package var companion: (any AnyObject & Sendable)?
    /// The kind of the list's identifiers; nil if it is unknown.
    let method: Method?
    private let index: RevocationIndex
    /// The list as it was published.
    package let json: JSONValue

    /// The age of a list in the cache.
    package struct Copy: Sendable {
        /// When the list was retrieved from the issuer.
        package let retrieved: NumericDate
        /// The time since the list stopped being fresh, if it is used only because the issuer cannot be reached; else nil.
        package let staleness: Duration?

        /// Creates the age of a list.
        package init(retrieved: NumericDate, staleness: Duration? = nil) {
            self.retrieved = retrieved
            self.staleness = staleness
        }
    }

    /// The kinds of identifiers in lists (`method`).
    enum Method: String {
        /// The card's `rid` (SHC-R1).
        case identifier = "rid"
        /// A hash of the card's Bundle, for older cards that have no `rid` (RFC 002 of the framework, a draft).
        case bundleHash = "hash-fhir"
    }

    /// Reads a list.
    ///
    /// A list with an error is still read if it names its key. Its `defect` then says what is wrong, and cards of that key that
    /// need the list do not verify.
    ///
    /// - Throws: `Malformed` if the bytes are not a revocation list.
    package init(_ bytes: [UInt8]) throws(Malformed) {
        let value = try PublishedList.parse(bytes, maximumSize: Bounds.revocationListSize)
        try self.init(value)
    }

    /// Reads a list that is part of another JSON document.
    ///
    /// - Throws: `Malformed` if the value is not a revocation list.
    package init(_ value: JSONValue) throws(Malformed) {
        guard value.kind == .object else { throw Malformed("it is not a JSON object") }
        guard let keyID = value["kid"]?.string, !keyID.isEmpty else {
            throw Malformed("it has no \"kid\", so it is not a card revocation list")
        }
        self.keyID = KeyID(keyID.description)
        json = value
        counter = value["ctr"].flatMap { RevocationCounter($0) }
        method = value["method"]?.string.flatMap { Method(rawValue: $0.description) }
        index = RevocationIndex(value["rids"])
        defect = Self.defect(
            in: value, hasMethod: method != nil, hasCounter: counter != nil, firstMalformed: index.firstMalformed)
    }

    /// A list that cannot be read, but may be the list of this key.
    init(of keyID: KeyID, unreadable value: JSONValue, _ defect: String) {
        self.keyID = keyID
        self.defect = defect
        json = value
        counter = nil
        method = nil
        index = RevocationIndex(nil)
    }

    private static func defect(
        in value: JSONValue, hasMethod: Bool, hasCounter: Bool, firstMalformed: Int?
    ) -> String? {
        guard hasMethod else {
            let method = value.optional("method").map { $0.string?.quoted(upTo: 40) ?? "not a string" } ?? "missing"
            return "its \"method\" must be \"rid\" or \"hash-fhir\", but is \(method)"
        }
        if value.optional("ctr") != nil, !hasCounter { return "its \"ctr\" is not a whole number" }
        guard value["rids"]?.elements != nil else { return "its \"rids\" is not an array" }
        return firstMalformed.map { "entry \($0) of its \"rids\" does not have the form rid or rid.timestamp" }
    }

    /// Whether the list revokes a card, looked up in the way that the list's method says.
    package func names(_ card: UnverifiedCard) -> Bool {
        switch method {
        case .identifier: card.revocationID.map { lists($0, issued: card.issued) } ?? false
        case .bundleHash: lists(card.bundleHash, issued: card.issued)
        case nil: false
        }
    }

    /// Whether the list revokes a card (SHC-R3): it contains the card's identifier without a timestamp, or with a timestamp
    /// that is later than the card's date of issue.
    ///
    /// - Parameters:
    ///   - revocationID: the card's `rid`.
    ///   - issued: the card's `nbf`.
    package func lists(_ revocationID: UTF8Text, issued: NumericDate) -> Bool {
        guard let end = index.revokedBefore(Array(revocationID.utf8)) else { return false }
        return end == .max || issued < NumericDate(sinceEpoch: .seconds(end))
    }
}
