import JOSE

/// Parts of cards that many have alike, and what was made of them when they were first met: headers, issuers' URLs and arrays
/// of types.
///
/// Only what was in order is kept, and found again only by the same bytes.
final class RecentForms {
    private var headers = ByteCache<JOSEHeader>()
    private var issuers = ByteCache<Issuer>()
    private var types = ByteCache<Void>()

    /// The header of this text in base64url.
    func header(_ text: ArraySlice<UInt8>) -> JOSEHeader? { headers.value(for: text) }

    func keep(_ header: JOSEHeader, of jws: CompactJWS) {
        headers.keep(header, for: jws.headerText)
    }

    /// The issuer of this URL.
    func issuer(_ url: ArraySlice<UInt8>) -> Issuer? { issuers.value(for: url) }

    func keep(_ issuer: Issuer, of url: ArraySlice<UInt8>) { issuers.keep(issuer, for: url) }

    /// Whether these types, an array as it is written, are a card's, and all of them known.
    func areKnown(_ types: ArraySlice<UInt8>) -> Bool { self.types.value(for: types) != nil }

    func keepKnown(_ types: ArraySlice<UInt8>) { self.types.keep((), for: types) }
}
