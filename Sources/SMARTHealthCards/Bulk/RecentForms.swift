import JOSE

/// Parts of cards that many have alike, and what was made of them when they were first met: headers and issuers' URLs.
///
/// Only what was in order is kept, and found again only by the same bytes.
final class RecentForms {
    private var headers = ByteCache<(bytes: [UInt8], header: JOSEHeader)>()
    private var issuers = ByteCache<Issuer>()

    /// The header of this text in base64url, and its bytes.
    func header(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], header: JOSEHeader)? { headers.value(for: text) }

    func keep(_ header: JOSEHeader, of jws: CompactJWS) {
        headers.keep((jws.headerBytes, header), for: jws.headerText)
    }

    /// The issuer of this URL.
    func issuer(_ url: ArraySlice<UInt8>) -> Issuer? { issuers.value(for: url) }

    func keep(_ issuer: Issuer, of url: ArraySlice<UInt8>) { issuers.keep(issuer, for: url) }
}
