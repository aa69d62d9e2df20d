import Credentials

/// What the cache had for a document when a run first needed it. It is for people who ask why a run did what it did.
package struct CacheLookup: Sendable {
    /// The state of a copy.
    package enum Copy: Sendable {
        /// There is none that can be used.
        case missing
        /// It is used without asking the issuer.
        case fresh
        /// The issuer is asked first. It was fresh until this long ago; nil if the copy is from the future, by this machine's clock.
        case stale(by: Duration?)
    }

    /// The URL of the document.
    package let url: String
    /// The state of the copy.
    package let copy: Copy
    /// How long ago the copy was retrieved or confirmed; nil if there is none.
    package let age: Duration?
    /// The size of the copy in bytes; nil if there is none.
    package let size: Int?

    init(_ document: PublishedDocument, _ copy: CachedDocument?, at now: NumericDate) {
        url = document.url
        age = copy.map { now.sinceEpoch - $0.retrieved.sinceEpoch }
        size = copy?.body.count
        guard let copy else {
            self.copy = .missing
            return
        }
        self.copy = copy.isFresh(at: now) ? .fresh : .stale(by: copy.timePastFreshness(at: now))
    }
}
