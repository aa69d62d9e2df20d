import Credentials
package import Encodings

/// What a JSON document is: lists and keys that issuers and authorities publish, and the payload of a card.
///
/// The names of the members at the top decide, as they are parsed, so escapes in them make no difference. Nothing inside the members
/// matters: an issuer chooses its own name, the IDs of its keys and the identifiers on its lists.
package enum DocumentKind: Sendable, CaseIterable {
    /// The payload of a card.
    case payload
    /// A key set, or a single key.
    case keySet
    /// A card revocation list.
    case cardRevocations
    /// A batch of revoked EU certificates.
    case certificateRevocations
    /// Issuers of cards: a list, or a snapshot with their keys.
    case issuers
    /// WHO's list of signers, which is a DID document.
    case didDocument
    /// The German list of signers, without its signature.
    case germanList
    /// A list of signers of the EU gateway, which is an array.
    case gatewayList
    /// The report of an audit of issuers.
    case audit

    /// What a file of `--directory` may be. A key set is none of it, but must not be mistaken for one either.
    package static let directories: [DocumentKind] = [.issuers, .didDocument, .germanList, .gatewayList, .keySet]
    /// What a file of `--crl` may be.
    package static let revocations: [DocumentKind] = [.cardRevocations, .certificateRevocations]
    /// What states of issuers are compared from.
    package static let states = directories + [.audit]

    /// Finds out what a document is.
    ///
    /// If it has members of several kinds, it is the only one that it has all required members of: publishers may add members that
    /// nobody knows.
    ///
    /// - Parameters:
    ///   - document: the whole document.
    ///   - kinds: what it may be.
    /// - Throws: `Malformed` if it is none of them, or could be read as two.
    package init(of document: JSONValue, among kinds: [DocumentKind] = allCases) throws(Malformed) {
        guard let kind = Self.find(document, among: kinds) else {
            let likely = kinds.filter { $0.isLikely(document) }
            throw Malformed(Self.ambiguity(of: document, likely) ?? Self.objection(to: document, expected: kinds))
        }
        self = kind
    }

    /// What a document is, if it does not matter why it is nothing else.
    package static func find(_ document: JSONValue, among kinds: [DocumentKind] = allCases) -> DocumentKind? {
        only(kinds.filter { $0.isLikely(document) }, of: document)
    }

    /// Why a document could be read as one of several kinds, in words which call it "it"; nil if it could not.
    package static func ambiguity(of document: JSONValue) -> String? {
        let likely = allCases.filter { $0.isLikely(document) }
        return only(likely, of: document) == nil ? ambiguity(of: document, likely) : nil
    }

    private static func ambiguity(of document: JSONValue, _ likely: [DocumentKind]) -> String? {
        guard !likely.isEmpty else { return nil }
        let parts = likely.map { "of \($0.words(of: document))" }
        return "it has members \(parts.joined(separator: " and ")), so it is not clear what it is"
    }

    private static func objection(to document: JSONValue, expected: [DocumentKind]) -> String {
        let known = expected.filter { $0 != .keySet }.map { $0.words(of: nil) }
        return advice(on: document) ?? "it is none of these: \(known.joined(separator: "; "))"
    }

    /// The only one of these kinds, or else the only one that a document has all required members of.
    private static func only(_ likely: [DocumentKind], of document: JSONValue) -> DocumentKind? {
        guard likely.count > 1 else { return likely.first }
        let whole = likely.filter { $0.isWhole(document) }
        return whole.count == 1 ? whole[0] : nil
    }

    /// The kind in words, with an article; the form of an input of this kind, or nil if it is none that is read; the option for files of
    /// this kind, or nil if there is none; and the members of which documents of other kinds have none, which are empty for an array.
    private var row: (words: String, form: InputForm?, option: String?, names: [String]) {
        switch self {
        case .payload: ("the payload of a card", .payload, nil, ["vc", "iss"])
        case .keySet: ("a key set", .jwks, "--jwks", ["keys", "kty"])
        case .cardRevocations: ("a card revocation list", .crl, "--crl", ["rids", "method", "ctr"])
        case .certificateRevocations: ("a batch of revoked EU certificates", nil, "--crl", ["hashType", "entries"])
        case .issuers:
            (
                "a list or snapshot of issuers of cards", .directory, "--directory",
                ["participating_issuers", "issuerInfo"]
            )
        case .didDocument: ("WHO's trust list", .trustList, "--directory", ["verificationMethod"])
        case .germanList: ("the German trust list", nil, "--directory", ["certificates"])
        case .gatewayList: ("a trust list of the EU gateway", nil, "--directory", [])
        case .audit: ("the report of an audit", nil, nil, ["notJudged"])
        }
    }

    /// The kind in words, with an article.
    package var words: String { row.words }
    /// The form of an input of this kind; nil if it is none that is read.
    var form: InputForm? { row.form }
    private var names: [String] { row.names }

    private func isLikely(_ document: JSONValue) -> Bool {
        self == .gatewayList ? document.kind == .array : names.contains { document[$0] != nil }
    }

    /// Whether a document has all members that are required.
    private func isWhole(_ document: JSONValue) -> Bool {
        switch self {
        case .payload, .certificateRevocations: names.allSatisfy { document[$0] != nil }
        // A counter is not required, and a key may have one too.
        case .cardRevocations: document["rids"] != nil && document["method"] != nil
        case .audit: document["notJudged"] != nil && document["issuers"] != nil
        case .keySet, .issuers, .didDocument, .germanList, .gatewayList: isLikely(document)
        }
    }

    /// The kind and the members by which it is known: those that a document has, or all for nil.
    fileprivate func words(of document: JSONValue?) -> String {
        let names = names.filter { name in document.map { $0[name] != nil } ?? true }
        return names.isEmpty ? words : "\(words) (\(names.map { "\"\($0)\"" }.joined(separator: ", ")))"
    }

    /// Whether a DID document says that it is WHO's, by its ID. This only chooses the words.
    private static func isOfWHO(_ document: JSONValue) -> Bool {
        let id = document["id"]?.stringBytes ?? []
        return ["who.int", "WorldHealthOrganization"].contains { id.contains(Array($0.utf8)) }
    }

    /// What a document is that is not of the expected kind, and which option it is given with; nil if that is not known.
    package static func advice(on document: JSONValue) -> String? {
        // Any array could be a list of the gateway.
        guard let kind = only(allCases.filter { $0.isLikely(document) }, of: document), kind != .gatewayList else {
            return nil
        }
        guard kind != .didDocument || isOfWHO(document) else {
            return
                "it is a DID document, of which only trust lists are read, with --directory; the keys of an issuer of cards are given as a "
                + "key set (JWKS)"
        }
        return kind.row.option.map { "it is \(kind.words), which is given with \($0)" } ?? "it is \(kind.words)"
    }
}
