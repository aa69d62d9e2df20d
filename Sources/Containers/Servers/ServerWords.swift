import Credentials
import Encodings

/// What a server says about why it refuses a request, in the JSON of its answer. The words are a stranger's, so they are quoted.
struct ServerWords {
    /// What words about a link mean.
    enum Meaning {
        /// The passcode is wrong or missing. Which of them it is, the one who asked knows best.
        case noPasscode
        /// There is nothing behind the link any more.
        case ended
    }

    /// All that the answer says: a later text may take back what an earlier one says.
    private let texts: [UTF8Text]
    /// The words in quotation marks, after what is said of the status; empty if a secret stands in them.
    let quoted: String

    /// - Parameters:
    ///   - body: the answer.
    ///   - secrets: what may be shown to nobody.
    init?(in body: [UInt8], without secrets: [SecretBytes]) {
        guard !body.holdsMoreJSONValues(than: Bounds.inputValues),
            let value = try? JSONDocument.parse(body, maximumDepth: 32)
        else { return nil }
        let issues = value["issue"]?.elements.map { Array($0) } ?? []
        // An OperationOutcome, OAuth (RFC 6749 §5.2), problem details (RFC 9457), and what servers make up.
        let members =
            issues.flatMap { [$0["diagnostics"], $0["details"]?["text"]] }
            + [
                value["error_description"], value["detail"], value["message"], value["error"],
                value["error"]?["message"], value["title"],
            ]
        texts = members.compactMap { $0?.string }.filter { !$0.utf8.isEmpty }
        guard let text = texts.first else { return nil }
        quoted = secrets.contains { $0.isPart(of: Array(text.utf8)) } ? "" : "; it says \(text.quoted(upTo: 200))"
    }

    // MARK: Meaning

    /// What the words mean if they are about a link; nil if that is not beyond doubt. Every word must be known, so no denial, condition or
    /// alternative is overlooked. If there are several texts, all mean the same, but for the name of the status.
    var meaning: Meaning? {
        let meanings = texts.filter { !Self.statuses.contains($0.asciiLowercased) }.map(Self.meaning)
        return Set(meanings).count == 1 ? meanings[0] : nil
    }

    private static func meaning(of text: UTF8Text) -> Meaning? {
        let lowercased = text.asciiLowercased.utf8
        let isParting = { (byte: UInt8) in " _-.,:!".utf8.contains(byte) }
        guard lowercased.allSatisfy({ (0x61...0x7A).contains($0) || isParting($0) }) else { return nil }
        var words = lowercased.split(whereSeparator: isParting).map { UTF8Text(decoding: Array($0)) }
        for phrase in phrases {
            let start = words.indices.first { words[$0...].starts(with: phrase) }
            if let start { words.replaceSubrange(start..<start + phrase.count, with: ["inactive"]) }
        }
        guard words.allSatisfy({ known.contains($0) }) else { return nil }
        let has = { (some: Set<UTF8Text>) in words.contains(where: some.contains) }
        return switch (has(["passcode"]), has(wrong), has(over)) {
        case (true, true, false): .noPasscode
        case (false, false, true) where has(links): .ended
        default: nil
        }
    }

    /// Names of statuses, which say nothing of the link.
    private static let statuses: Set<UTF8Text> = [
        "bad request", "unauthorized", "forbidden", "conflict", "unprocessable entity", "unprocessable content",
    ]
    /// What means that something is inactive.
    private static let phrases: [[UTF8Text]] = [
        ["no", "longer", "active"], ["no", "longer", "available"], ["no", "longer", "valid"], ["not", "active"],
    ]
    private static let wrong: Set<UTF8Text> = [
        "invalid", "incorrect", "wrong", "rejected", "required", "missing", "needed",
    ]
    private static let over: Set<UTF8Text> = ["ended", "expired", "revoked", "inactive", "deactivated"]
    private static let links: Set<UTF8Text> = ["link", "shl", "shlink"]
    private static let known: Set<UTF8Text> = wrong.union(over).union(links).union([
        "passcode", "a", "an", "been", "entered", "error", "for", "given", "has", "health", "is", "provided", "smart",
        "supplied", "the", "this", "was", "your",
    ])
}
