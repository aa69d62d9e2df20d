import JSON

/// What the ID of an entry in WHO's list says about it: `did:web:HOST:v2:trustlist:DOMAIN:PARTICIPANT:USAGE#KID`. Version 1 has
/// neither domain nor usage: `did:web:HOST:trustlist:PARTICIPANT#KID`.
struct DIDPath {
    /// The trust domain in capital letters; nil if the ID does not state one.
    private(set) var domain: UTF8Text?
    /// The usage in capital letters; nil if the ID does not state one.
    private(set) var usage: UTF8Text?
    /// Whether the ID is of version 2, so that it has to say what the entry is for.
    private(set) var isOfSecondVersion = false
    /// Whether one of the parts is a usage that signs no certificates of persons, or whether the ID is of a form in which it could
    /// state another purpose unnoticed.
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
        // Only an ID that is a DID says something. Other addresses could say it in their own way.
        guard segments.first == "DID" else {
            namesOtherUsage = segments.count > 1 || Self.otherUsages.contains(segments.first ?? "") || !Self.isWord(id)
            return
        }
        // A host may have a port, which is escaped. Nothing else needs escapes.
        guard segments.enumerated().allSatisfy({ $0 == 2 || $1.utf8.allSatisfy(Self.isOfName) }) else {
            namesOtherUsage = true
            return
        }
        if document.first == "DID" { isOfOtherDocument = segments.prefix(3) != document.prefix(3) }
        guard let place = segments.firstIndex(of: "TRUSTLIST") else {
            namesOtherUsage = segments.contains { Self.otherUsages.contains($0) }
            return
        }
        let rest = Array(segments[(place + 1)...])
        isOfSecondVersion = segments[..<place].contains("V2") && !rest.isEmpty || rest.count > 1
        // The second part is a country: TLS is Timor-Leste there.
        namesOtherUsage = rest.dropFirst(2).contains { Self.otherUsages.contains($0) }
        guard let first = rest.first, isOfSecondVersion else { return }
        // A list of all domains has a hyphen in its place.
        if first != "-" { domain = first }
        if rest.count > 2 { usage = rest.last }
    }

    /// Whether a byte may stand in a part of a DID (DID Core §3.1), without escapes.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Whether what stands before the fragment of an ID is one word, such as a name that is local to the document.
    private static func isWord(_ id: UTF8Text?) -> Bool {
        guard let id else { return true }
        return id.utf8.prefix { $0 != UInt8(ascii: "#") }.allSatisfy(isOfName)
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
