public import JOSE
public import JSON

/// A card revocation list: the cards of one key that its issuer has withdrawn (SHC "Revocation").
public struct RevocationList: Sendable {
    /// The key whose cards are listed.
    public let keyID: KeyID
    /// The list's counter (`ctr`), which grows with every change; nil if it has none.
    public let counter: RevocationCounter?
    /// Why nothing can be concluded from the list; nil for one that is in order.
    public let defect: String?
    /// Since when it has been kept, if it is a copy of what its issuer published earlier; nil for one that was given, or that
    /// its issuer publishes now.
    public var copy: Copy?
    /// What is kept as long as the list is, such as its share of the memory that lists may take.
    package var companion: (any AnyObject & Sendable)?
    /// What the list names cards by; nil for what is not known.
    let method: Method?
    private let index: RevocationIndex
    /// The list as it was published.
    package let json: JSONValue

    /// The age of a list that was kept.
    public struct Copy: Sendable {
        /// When its issuer published it.
        public let retrieved: NumericDate
        /// How long ago it ceased to be fresh, if it is used although the issuer cannot be reached.
        public let staleness: Duration?

        public init(retrieved: NumericDate, staleness: Duration? = nil) {
            self.retrieved = retrieved
            self.staleness = staleness
        }
    }

    /// What a list names cards by.
    enum Method: String {
        /// The card's `rid` (SHC-R1).
        case identifier = "rid"
        /// A hash of the card's Bundle, for cards from before there were identifiers (RFC 002, a draft).
        case bundleHash = "hash-fhir"
    }

    /// Reads a list.
    ///
    /// A list that is for some key, but cannot be relied on, is not an error: its `defect` says why, and no card of
    /// that key that needs the list verifies.
    ///
    /// - Throws: `RevocationListError` if the bytes are no revocation list at all.
    public init(_ bytes: [UInt8]) throws(RevocationListError) {
        guard bytes.count <= Bounds.revocationListSize else {
            throw RevocationListError("it is larger than \(Bounds.revocationListSize >> 20) MiB")
        }
        guard !bytes.holdsMoreJSONValues(than: Bounds.listValues) else {
            throw RevocationListError("it holds more than \(Bounds.listValues) values")
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONDocument.parse(bytes, maximumDepth: Bounds.nesting)
        } catch {
            throw RevocationListError("it is not acceptable JSON: \(error)")
        }
        try self.init(value)
    }

    /// Reads a list that is part of another document.
    public init(_ value: JSONValue) throws(RevocationListError) {
        guard value.kind == .object else { throw RevocationListError("it is not a JSON object") }
        guard let keyID = value["kid"]?.string, !keyID.isEmpty else {
            throw RevocationListError("it has no \"kid\", so it is not a card revocation list")
        }
        self.keyID = KeyID(keyID.description)
        json = value
        counter = value["ctr"].flatMap { RevocationCounter($0) }
        method = value["method"]?.string.flatMap { Method(rawValue: $0.description) }
        index = RevocationIndex(value["rids"])
        defect = Self.defect(
            in: value, hasMethod: method != nil, hasCounter: counter != nil, firstMalformed: index.firstMalformed)
    }

    /// A list that cannot be read, and may be that of a key.
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
            let method = value["method"]?.string?.quoted(upTo: 40) ?? "none"
            return "its method is neither \"rid\" nor \"hash-fhir\" but \(method)"
        }
        if value.optional("ctr") != nil, !hasCounter { return "its \"ctr\" is not a whole number" }
        guard value["rids"]?.elements != nil else { return "its \"rids\" is not an array" }
        return firstMalformed.map { "entry \($0) of its \"rids\" is not of the form rid or rid.timestamp" }
    }

    /// Whether the list names a card, by what its method says.
    package func names(_ card: UnverifiedCard) -> Bool {
        switch method {
        case .identifier: card.revocationID.map { lists($0, issued: card.issued) } ?? false
        case .bundleHash: lists(card.bundleHash, issued: card.issued)
        case nil: false
        }
    }

    /// Whether the list has an identifier (SHC-R3): by its revocation identifier alone, or with a timestamp that the card
    /// was issued before.
    ///
    /// - Parameters:
    ///   - revocationID: the card's `rid`.
    ///   - issued: the card's `nbf`.
    public func lists(_ revocationID: UTF8Text, issued: NumericDate) -> Bool {
        guard let end = index.revokedBefore(Array(revocationID.utf8)) else { return false }
        return end == .max || issued < NumericDate(sinceEpoch: .seconds(end))
    }
}
