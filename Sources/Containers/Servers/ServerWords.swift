import Credentials
import Encodings

/// What a server says about why it refuses a request, in the JSON of its answer. The words are a stranger's, so they are quoted.
struct ServerWords {
    /// What words about a link mean.
    enum Meaning {
        /// The passcode is wrong.
        case wrongPasscode
        /// A passcode is missing.
        case missingPasscode
        /// There is nothing behind the link any more.
        case ended
    }

    private let text: UTF8Text
    /// The words in quotation marks, after what is said of the status; empty if a secret stands in them.
    let quoted: String

    /// - Parameters:
    ///   - body: the answer.
    ///   - secrets: what may be shown to nobody.
    init?(in body: [UInt8], without secrets: [SecretBytes]) {
        guard !body.holdsMoreJSONValues(than: Bounds.inputValues),
            let value = try? JSONDocument.parse(body, maximumDepth: 32)
        else { return nil }
        let issue = value["issue"]?.elements?.first { _ in true }
        // An OperationOutcome, OAuth (RFC 6749 §5.2), problem details (RFC 9457), and what servers make up.
        let members = [
            issue?["diagnostics"], issue?["details"]?["text"], value["error_description"], value["detail"],
            value["message"], value["error"], value["error"]?["message"], value["title"],
        ]
        guard let text = members.lazy.compactMap({ $0?.string }).first(where: { !$0.utf8.isEmpty }) else { return nil }
        self.text = text
        quoted =
            secrets.contains { $0.isPart(of: Array(text.utf8)) } ? "" : "; it says \(text.quoted(upTo: 200))"
    }

    // MARK: Meaning

    /// What the words mean if they are about a link; nil if that is not beyond doubt. Every word must be known, so no denial, condition or
    /// alternative is overlooked.
    var meaning: Meaning? {
        var words = text.asciiLowercased.utf8.split { !(0x61...0x7A).contains($0) && $0 < 0x80 }
            .map { String(decoding: $0, as: UTF8.self) }
        // "no longer valid", "not active"
        for (first, rest) in [("no", Self.goodAfterNoLonger), ("not", ["active"])] {
            guard let place = words.firstIndex(of: first) else { continue }
            let end = first == "no" ? place + 2 : place + 1
            guard words.indices.contains(end), first == "not" || words[place + 1] == "longer", rest.contains(words[end])
            else { return nil }
            words.replaceSubrange(place...end, with: ["inactive"])
        }
        guard words.allSatisfy({ Self.known.contains($0) }) else { return nil }
        let has = { (some: Set<String>) in words.contains(where: some.contains) }
        return switch (has(["passcode"]), has(Self.wrong), has(Self.missing), has(Self.over)) {
        case (true, true, false, false): .wrongPasscode
        case (true, false, true, false): .missingPasscode
        case (false, false, false, true) where has(Self.links): .ended
        default: nil
        }
    }

    private static let goodAfterNoLonger = ["active", "available", "valid"]
    private static let wrong: Set = ["invalid", "incorrect", "wrong", "rejected"]
    private static let missing: Set = ["required", "missing", "needed"]
    private static let over: Set = ["ended", "expired", "revoked", "inactive", "deactivated"]
    private static let links: Set = ["link", "shl", "shlink"]
    private static let known = wrong.union(missing).union(over).union(links).union([
        "passcode", "a", "an", "been", "entered", "error", "for", "given", "has", "health", "is", "provided", "smart",
        "supplied", "the",
        "this", "was", "your",
    ])
}
