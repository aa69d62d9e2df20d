import JSON

/// What the ID of an entry in WHO's list says about it: `did:web:HOST:v2:trustlist:DOMAIN:PARTICIPANT:USAGE#KID`. Version 1 has
/// neither domain nor usage: `did:web:HOST:trustlist:PARTICIPANT#KID`.
struct DIDPath {
    /// The trust domain in capital letters; nil if the ID does not state one.
    private(set) var domain: UTF8Text?
    /// The usage in capital letters; nil if the ID does not state one.
    private(set) var usage: UTF8Text?
    /// Whether one of the parts is a usage that signs no certificates of persons, wherever it stands.
    private(set) var namesOtherUsage = false
    /// Whether the entry has the ID of a document on another host than the one that it stands in.
    private(set) var isOfOtherDocument = false

    /// - Parameters:
    ///   - id: the ID of the entry. If it has only a fragment, it is relative to that of the document.
    ///   - documentID: the ID of the document; nil if it has none.
    init(_ id: UTF8Text?, in documentID: UTF8Text?) {
        let document = Self.segments(of: documentID)
        var segments = Self.segments(of: id)
        if segments.isEmpty { segments = document }
        namesOtherUsage = segments.contains { Self.otherUsages.contains($0) }
        // Only an ID that is a DID says more.
        guard segments.first == "DID" else { return }
        if document.first == "DID" { isOfOtherDocument = segments.prefix(3) != document.prefix(3) }
        guard let place = segments.firstIndex(of: "TRUSTLIST") else { return }
        let rest = segments[(place + 1)...]
        let isSecondVersion = segments[..<place].contains("V2")
        guard let first = rest.first, isSecondVersion || rest.count > 1 else { return }
        // A list of all domains has a hyphen in its place.
        if first != "-" { domain = first }
        if rest.count > 2 { usage = rest.last }
    }

    private static let otherUsages: [UTF8Text] = [
        "CSCA", "SCA", "DECA", "DESC", "TLS", "UP", "UPLOAD", "AUTHENTICATION",
    ]

    /// The parts between colons before the fragment, in capital letters, since DIDs write them in either case.
    private static func segments(of id: UTF8Text?) -> [UTF8Text] {
        guard let id else { return [] }
        let path = id.utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }.prefix { $0 != UInt8(ascii: "#") }
        guard !path.isEmpty else { return [] }
        return path.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            .map { UTF8Text(decoding: $0) }
    }
}
