import Credentials
import Encodings
import Inputs

extension Rule {
    /// The rules of any input.
    static let inputRules: [Rule] = [
        inputBounds, unknownInput, unsupportedInput, inputJSON, afterJSON, surroundingWhiteSpace, inputByteOrderMark,
        fileExtension,
    ]

    /// `Linter` itself finds what is too large while it reads, and adds the findings.
    static let inputBounds = Rule("input-too-large/bounds", RuleCheck.input)

    private static let emptyRemedy = "Give the file with the card. Was it copied or downloaded whole?"

    static let unknownInput = Rule("unknown-file-data/unrecognised", RuleCheck.input) { input in
        // QR codes are checked line by line: without this, an input without lines would have no finding.
        guard !input.content.isEmpty || input.kind != .qr else {
            return .found("the input is empty", remedy: emptyRemedy)
        }
        guard input.kind == nil else { return [] }
        if let count = input.cardLines {
            return .found(
                "the input has \(count) lines, each an object with a card, as --lines takes them",
                remedy: "Lint each line as an input of its own: lint --lines FILE.")
        }
        guard input.jsonError == nil else { return [] }
        guard !input.content.isEmpty else { return .found("the input is empty", remedy: emptyRemedy) }
        let scanned = input.scanned
        let content = scanned[...].trimmingByteOrderMarks()
        if InputForm.certificatePrefix(content) != nil { return .found(InputContent.describe(content)) }
        guard input.unsupported == nil else { return [] }
        if let ambiguity = input.ambiguity { return .found("\(ambiguity); say which it is") }
        // What is said to those who verify it: another keyboard layout, or names of files.
        let found =
            InputForm.unread(content)?.advice ?? InputContent.remedy(for: content)
            ?? (FileName.areAll(in: content) ? FileName.words : nil)
            ?? input.json.flatMap { DecodedCredential.describe($0) }
        return .found(found ?? "the input is of no form that lint knows")
    }

    static let unsupportedInput = Rule("unsupported-credential/kind", RuleCheck.input) { input in
        guard !input.content.isEmpty, input.kind == nil, input.cardLines == nil, input.jsonError == nil else {
            return []
        }
        return input.unsupported.map { [Problem($0.message)] } ?? []
    }

    static let inputJSON = Rule("json-parse-error/input", RuleCheck.input) { input in
        guard let error = input.jsonError, error.reason != .trailingBytes else { return [] }
        return .found("the input is not acceptable JSON: \(error)", offset: input.content.lowerBound + error.offset)
    }

    static let afterJSON = Rule("trailing-characters/after-json", RuleCheck.input) { input in
        guard let error = input.jsonError, error.reason == .trailingBytes else { return [] }
        return .found("\(error)", offset: input.content.lowerBound + error.offset)
    }

    static let surroundingWhiteSpace = Rule("trailing-characters/white-space", RuleCheck.input) { input in
        guard let name = input.kind?.disturbedBySpace(isNamed: input.isNamed) else { return [] }
        let isWhiteSpace = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        let text = input.document.text
        guard !input.content.isEmpty else { return [] }
        if text[input.content.upperBound...].contains(where: isWhiteSpace) {
            return .found("white space follows \(name)", offset: input.content.upperBound)
        }
        guard text[..<input.content.lowerBound].contains(where: isWhiteSpace) else { return [] }
        return .found("white space precedes \(name)", offset: 0)
    }

    static let inputByteOrderMark = Rule("byte-order-mark/input", RuleCheck.input) { input in
        // Only white space and byte-order marks are outside the content. 0xEF is the first byte of a mark.
        let text = input.document.text
        let around = [text.startIndex..<input.content.lowerBound, input.content.upperBound..<text.endIndex]
            .lazy.joined().first { text[$0] == 0xEF }
        guard let around, !input.content.isEmpty else { return [] }
        return .found("the input has a byte-order mark before or after its content", offset: around)
    }

    /// Only a warning: the file may be served under another name than it has here.
    static let fileExtension = Rule("invalid-file-extension/file", RuleCheck.input) { input in
        let name = input.document.source
        // For a file on a server there is another rule.
        guard input.kind == .file, name != "stdin", !input.isInside, !name.utf8.starts(with: "https://".utf8),
            !InputSubject.isCardFile(name)
        else { return [] }
        return .found("the name of the card file does not end in .smart-health-card")
    }
}

extension InputSubject {
    /// Whether a file's name is that of a card file (SHC-C1).
    static func isCardFile(_ name: String) -> Bool { name.utf8.suffix(18).elementsEqual(".smart-health-card".utf8) }

    /// The content as verify reads it: without the characters of a scanner.
    fileprivate var scanned: [UInt8] {
        let whole = document.text[content]
        return whole.count <= Bounds.inputSize ? ScannedText(Array(whole)).content : Array(whole)
    }

    /// What is said of a credential of a kind that is known by name and not verified; nil for all other inputs.
    fileprivate var unsupported: VerificationFailure? {
        let scanned = scanned
        let content = scanned[...].trimmingByteOrderMarks()
        if InputForm.certificatePrefix(content) != nil { return nil }
        if let other = OtherCredential(content) ?? json.flatMap({ OtherCredential($0) }) { return other.failure }
        return json == nil ? OtherCredential(inWordsOf: content)?.failureInText : nil
    }
}
