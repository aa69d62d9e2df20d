import Encodings

/// What the ID of an entry in WHO's list says about it: `did:web:HOST:v2:trustlist:DOMAIN:PARTICIPANT:USAGE#KID`. Version 1 has
/// neither domain nor usage: `did:web:HOST:trustlist:PARTICIPANT#KID`. IDs of lists are the beginnings of these.
struct DIDPath {
    /// The trust domain in capital letters; nil if the ID does not state one.
    private(set) var domain: UTF8Text?
    /// The participant in capital letters; nil if the ID does not state one.
    private(set) var participant: UTF8Text?
    /// The usage in capital letters; nil if the ID does not state one.
    private(set) var usage: UTF8Text?
    /// Whether the ID is of version 2, so that the ID or the entry has to say what the entry is for.
    private(set) var isOfSecondVersion = false
    /// Whether the ID has another form than these, in which it could state another purpose unnoticed. Such an entry is for nothing.
    private(set) var isOfUnknownForm = false
    /// Whether the entry has the ID of a document on another host than the one that it stands in.
    private(set) var isOfOtherDocument = false

    /// - Parameters:
    ///   - id: the ID of the entry. If it has only a fragment, it is relative to that of the document.
    ///   - documentID: the ID of the document; nil if it has none.
    init(_ id: UTF8Text?, in documentID: UTF8Text?) {
        let document = Self.segments(of: documentID)
        var segments = Self.segments(of: id)
        if segments.isEmpty { segments = document }
        // Without any ID, only the members say what the entry is for.
        guard !segments.isEmpty else { return }
        // A host may have a port, which is escaped. Nothing else needs escapes.
        let host = 2
        guard segments.count > host + 1, segments[..<host] == ["DID", "WEB"],
            segments.enumerated().allSatisfy({ $0 == host || $1.utf8.allSatisfy(Self.isOfName) })
        else {
            isOfUnknownForm = true
            return
        }
        if document.first == "DID" { isOfOtherDocument = segments.prefix(host + 1) != document.prefix(host + 1) }
        let path = segments[(host + 1)...]
        switch path.first {
        case "TRUSTLIST":
            // After it comes at most a country: TLS is Timor-Leste there, and the other words are no countries.
            let rest = path.dropFirst()
            isOfUnknownForm = rest.count > 1 || !rest.allSatisfy { (2...3).contains($0.utf8.count) && $0 != "SCA" }
            participant = rest.first
        case "V2" where path.dropFirst().first == "TRUSTLIST":
            let rest = Array(path.dropFirst(2))
            isOfUnknownForm = rest.count > 3
            isOfSecondVersion = true
            // A list of all domains has a hyphen in its place.
            if let first = rest.first, first != "-" { domain = first }
            if rest.count > 1, rest[1] != "-" { participant = rest[1] }
            if rest.count > 2 { usage = rest[2] }
        default: isOfUnknownForm = true
        }
    }

    /// Whether a byte may stand in a part of a DID (DID Core §3.1), without escapes.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// The parts between colons before the fragment, in capital letters, since DIDs write them in either case.
    private static func segments(of id: UTF8Text?) -> [UTF8Text] {
        guard let id else { return [] }
        let path = id.utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }.prefix { $0 != UInt8(ascii: "#") }
        guard !path.isEmpty else { return [] }
        return path.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            .map { UTF8Text(decoding: $0) }
    }
}
