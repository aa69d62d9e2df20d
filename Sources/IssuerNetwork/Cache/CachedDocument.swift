internal import SMARTHealthCards

/// The copy of a document that was fetched, and all that its further use depends on.
struct CachedDocument: Sendable, Equatable {
    /// What was allowed when the document was fetched, beyond what always is. It serves those who allow the same: others
    /// might have been refused it, or have been given another.
    struct Allowances: Sendable, Hashable {
        var allowsPrivateNetwork = false
        /// The digest of the certificate authorities that were accepted beside the system's.
        var certificateAuthorities: String?
    }

    /// Its exact bytes.
    let body: [UInt8]
    /// When the server last gave these bytes, or confirmed them.
    let retrieved: NumericDate
    /// For how many seconds from then on it is fresh.
    let freshSeconds: Int64
    /// The validators that it was given (RFC 9110 §8.8).
    let entityTag: String?
    let lastModified: String?
    let allowances: Allowances
    /// Whether the issuer has answered with something else since, so that the copy serves no longer than it is fresh.
    private(set) var isOverruled = false

    /// The copy after the issuer has answered with something else, which does not take its place.
    var overruled: CachedDocument {
        var copy = self
        copy.isOverruled = true
        return copy
    }

    /// Whether the server can be asked if it has changed.
    var hasValidators: Bool { entityTag != nil || lastModified != nil }

    /// How long ago it ceased to be fresh: below zero where it still is; nil if it was retrieved in the future, so
    /// that a clock was wrong and nobody knows.
    func timePastFreshness(at now: NumericDate) -> Duration? {
        let age = now.sinceEpoch - retrieved.sinceEpoch
        return age < .zero ? nil : age - .seconds(freshSeconds)
    }

    /// Whether it may be used without asking the server.
    func isFresh(at now: NumericDate) -> Bool {
        timePastFreshness(at: now).map { $0 < .zero } ?? false
    }

    // MARK: From answers

    /// The copy of an answer of status 200; nil if it must not be kept.
    init?(_ response: HTTPResponse, retrieved: NumericDate, allowances: Allowances) {
        guard
            case .lasts(let seconds) = Freshness(response.headers, now: retrieved) ?? Freshness.unstated
        else { return nil }
        self.init(
            body: response.body, retrieved: retrieved, freshSeconds: seconds,
            entityTag: Self.validator(response.headers["etag"]),
            lastModified: Self.validator(response.headers["last-modified"]), allowances: allowances)
    }

    /// Whether an answer of status 304 speaks of this copy. Tags are compared weakly (RFC 9110 §8.8.3.2).
    func isConfirmed(by response: HTTPResponse) -> Bool {
        guard let stated = response.headers["etag"], let entityTag else { return hasValidators }
        return Self.opaque(stated) == Self.opaque(entityTag)
    }

    /// This copy after an answer of status 304 has confirmed it (RFC 9111 §4.3.4); nil if it must not be kept any
    /// longer.
    func confirmed(by response: HTTPResponse, at now: NumericDate) -> CachedDocument? {
        guard
            case .lasts(let seconds) = Freshness(response.headers, now: now) ?? .lasts(seconds: freshSeconds)
        else { return nil }
        return CachedDocument(
            body: body, retrieved: now, freshSeconds: seconds,
            entityTag: Self.validator(response.headers["etag"]) ?? entityTag,
            lastModified: Self.validator(response.headers["last-modified"]) ?? lastModified, allowances: allowances)
    }

    init(
        body: [UInt8], retrieved: NumericDate, freshSeconds: Int64, entityTag: String?, lastModified: String?,
        allowances: Allowances, isOverruled: Bool = false
    ) {
        self.body = body
        // Whole seconds, so that a copy is the same once it was written and read.
        self.retrieved = NumericDate(sinceEpoch: .seconds(retrieved.sinceEpoch.components.seconds))
        self.freshSeconds = freshSeconds
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.allowances = allowances
        self.isOverruled = isOverruled
    }

    /// A validator as it may be sent back.
    private static func validator(_ text: String?) -> String? {
        text.flatMap { !$0.isEmpty && FetchAnswer.isAcceptable($0) ? $0 : nil }
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
