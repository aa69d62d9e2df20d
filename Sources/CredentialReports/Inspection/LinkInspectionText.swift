import Containers
import Credentials
import Encodings
import FHIR

extension InspectionText {
    private var notice: String { InspectionFormat.notice }

    /// A link, with the content of its files if it was followed.
    @Blocks func blocks(_ link: OpenedLink, _ opening: LinkClient.Opening) -> [Block] {
        let reading = opening.link
        Block.line("\(notice): nothing in a link is signed", isWarning: true)
        Block.line("Link: \(from: link.source) (\(link.form), \(link.scheme):/…)")
        if let failure = link.failure { Self.problem(failure) }
        Block.line("URL: \(Self.words(reading.url, upTo: 2048, else: "none"))")
        Block.line("Flags: \(from: Self.words(forFlags: reading.flags))")
        Block.line("Label: \(Self.words(reading.label, upTo: 300, else: "none"))")
        Block.line("Expires: \(reading.expires.map { $0.calendarText ?? "never" } ?? "not given")")
        Block.line("Version: \(reading.version.map { "\($0)" } ?? "not readable")")
        // The key itself is never shown.
        Block.line("Key: \(reading.keyLength.map { "there, \($0) bytes (not shown)" } ?? "missing")")
        if !reading.unknownMembers.isEmpty {
            let names = reading.unknownMembers.prefix(20).map { TerminalText.beginning(of: $0.description, upTo: 60) }
            Block.line("Unknown members: \(from: names.joined(separator: ", "))")
        }
        Block.warnings(link.warnings)
        if opening.isFollowed, link.reason?.code ?? .noSignedContent == .noSignedContent {
            Block.line("")
            Block.line("Opened as \(from: link.recipient, upTo: 200): \(link.words)")
            for (number, file) in link.files.enumerated() {
                Block.line("")
                heading(of: file, number: number + 1, of: link.files.count)
                if let reason = file.reason { Self.problem(reason) }
                if let bytes = opening.files[number].bytes { blocks(opening.files[number], bytes) }
            }
        }
    }

    private static func words(_ text: UTF8Text?, upTo length: Int, else words: Words) -> Words {
        text.map { "\($0, upTo: length)" } ?? words
    }

    private func heading(of file: OpenedLink.File, number: Int, of count: Int) -> Block {
        let notes = [
            (file.delivery?.rawValue, "", 100), (file.contentType?.description, "", 100),
            (file.status?.description, "", 40), (file.lastUpdated?.description, "last updated ", 40),
        ].compactMap { text, before, length in text.map { before + TerminalText.beginning(of: $0, upTo: length) } }
        let note = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
        return .line("\("File \(number) of \(count)", .tone(.heading))\(from: note)\(" \(notice)", .tone(.bad))")
    }

    @Blocks private func blocks(_ content: LinkClient.Opening.File, _ bytes: [UInt8]) -> [Block] {
        let file = content.summary
        switch file.kind {
        case .healthCard:
            Block.line(
                "Health cards: \(file.cardCount), shown below. \"shcverify verify\" says whether they are genuine.")
        case .apiAccess:
            Block.line("An access token, which is neither used nor shown.")
            Block.line("Audience: \(Self.words(file.audience, upTo: 300, else: "not given"))")
            Block.line("Scope: \(Self.words(file.scope, upTo: 300, else: "not given"))")
        case .fhir, .other, nil:
            if let value = content.json {
                if file.resourceType == UTF8Text("Bundle") { records(in: value, file) }
                Block.line("\("Content (\(notice))", .tone(.heading))")
                Block.json(value)
            } else {
                Block.line("Content: \(bytes.count) bytes, not shown: they are no JSON, or hold a secret")
            }
        }
    }

    @Blocks private func records(in bundle: JSONValue, _ file: OpenedLink.File) -> [Block] {
        let contents = CardContents(FHIRBundle(bundle), fhirVersion: file.fhirVersion, names: .builtIn)
        for subject in contents.subjects {
            Block.line("Name: \(Self.words(subject.name, upTo: 200, else: "not given"))")
        }
        if !contents.records.isEmpty {
            Block.line("\("Records (\(notice))", .tone(.heading))")
            Block.records(contents.records, subjects: contents.subjects)
        }
    }

    /// The flags with their meanings: `LP (long-term, passcode)`.
    private static func words(forFlags flags: UTF8Text?) -> String {
        guard let flags, !flags.isEmpty else { return "none" }
        let known = [
            UInt8(ascii: "L"): "long-term", UInt8(ascii: "P"): "needs a passcode",
            UInt8(ascii: "U"): "one file, fetched directly",
        ]
        let meanings = flags.utf8.prefix(20).compactMap { known[$0] }
        return TerminalText.beginning(of: flags.description, upTo: 40)
            + (meanings.isEmpty ? "" : " (\(meanings.joined(separator: ", ")))")
    }
}
