package import Containers
package import Credentials
import Encodings
import FHIR

/// What `inspect` shows.
package enum Inspection: Sendable {
    /// A card, decoded as far as possible, and all that is wrong in it.
    case card(CredentialInspection, [Defect] = [])
    /// A SMART Health Link. The cards in it follow as separate items.
    case link(OpenedLink, LinkClient.Opening)

    /// A rule of `lint` that a card violates, how, and in which part: the path of a member, or an offset in bytes.
    package typealias Defect = (
        code: String, rule: String, message: String, layer: String, path: String?, offset: Int?
    )
}

/// The formats of a report on cards that were decoded but not verified. Every format says NOT VERIFIED.
package enum InspectionFormat: String, ReportFormat {
    case text, json

    package var summary: String {
        switch self {
        case .text: "for people"
        case .json: "one JSON document"
        }
    }

    /// A report in this format.
    ///
    /// - Parameter destination: the output that the report is written to.
    package func report(to destination: Destination) -> any Report<Inspection> {
        switch self {
        case .text: InspectionText(to: destination)
        case .json: InspectionJSON(to: destination)
        }
    }

    /// The words that every report contains.
    package static let notice = "NOT VERIFIED"
}

/// Decoded cards as text for people.
struct InspectionText: Report {
    let destination: Destination
    private var isFirst = true

    init(to destination: Destination) { self.destination = destination }

    mutating func add(_ item: Inspection, to sink: ReportSink) throws {
        let blocks =
            switch item {
            case .card(let card, let defects): blocks(card, defects)
            case .link(let link, let opening): blocks(link, opening)
            }
        try sink(TextRenderer.bytes((isFirst ? [] : [.line("")]) + blocks, to: destination))
        isFirst = false
    }

    func finish(to sink: ReportSink) throws {}

    static func problem(_ failure: VerificationFailure) -> Block {
        .line("Problem: \(failure.code.rawValue): \(message: failure.message)")
    }

    @Blocks private func blocks(_ card: CredentialInspection, _ defects: [Inspection.Defect]) -> [Block] {
        let notice = InspectionFormat.notice
        Block.line("\(notice): everything on this card may be forged", isWarning: true)
        Block.line("Card: \(from: card.presented.source) (\(card.presented.form?.rawValue ?? "unknown form"))")
        if let failure = card.failure { Self.problem(failure) }
        // Alone, the first defect is the problem.
        if defects.count > (card.failure == nil ? 0 : 1) {
            Block.line("Defects")
            Block.list(
                defects.map {
                    let place = $0.path ?? $0.offset.map { "byte \($0)" } ?? "as a whole"
                    return "\($0.rule) (\($0.layer), \(from: place, upTo: 200)): \(message: $0.message)"
                })
        }
        for (title, value) in [("Header", card.header), ("Payload", card.payload)] {
            if let value {
                Block.line("\("\(title) (\(notice))", .tone(.heading))")
                Block.json(value)
            }
        }
        Self.claims(of: card)
        if let length = card.signatureLength { Block.line("Signature: \(length) bytes, \(notice)") }
    }
}

extension InspectionText {
    /// The numbered claims of a CBOR Web Token by their names, with times as dates (RFC 8392 §4; HCERT "CWT Structure").
    private static func claims(of card: CredentialInspection) -> [Block] {
        guard let payload = card.payload, [.hc1, .cwt].contains(card.presented.form) else { return [] }
        let names = [
            ("1", "iss: issuer"), ("4", "exp: expires"), ("6", "iat: issued"), ("-260", "hcert: the certificate"),
        ]
        let lines = names.compactMap { number, name -> Words? in
            guard let value = payload[number] else { return nil }
            let time =
                ["4", "6"].contains(number) ? value.number.flatMap { NumericDate(text: $0.digits)?.calendarText } : nil
            return Words("\(number) is \(name)" + (time.map { " \($0)" } ?? ""))
        }
        return lines.isEmpty ? [] : [.line("Claims (\(InspectionFormat.notice))"), .list(lines)]
    }

    private var notice: String { InspectionFormat.notice }

    /// A link, with the content of its files if it was opened.
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

/// The text of a QR code on a line of its own, as `inspect --format qr` prints it.
///
/// Strangers make codes. The texts of credentials have only characters that stay unchanged here.
package enum CodeLine {
    /// The line, with its end.
    package static func bytes(_ text: [UInt8]) -> [UInt8] {
        TextRenderer.bytes([.line(Words(String(decoding: text, as: UTF8.self)))])
    }

    /// Why some codes or all are missing; nil if none is known to be missing.
    package static func failure(of document: ScannedDocument) -> VerificationFailure? {
        if !document.problems.isEmpty {
            return VerificationFailure(.pictureUnreadable, document.problems.joined(separator: "; "))
        }
        guard document.codes.isEmpty else { return nil }
        let words =
            document.isCutOff
            ? "the code is cut off" : document.unreadCodes == 0 ? "no QR code was found" : unread(document.unreadCodes)
        return VerificationFailure(.noCodeFound, words)
    }

    /// What else a reader should know about codes in addition to those that were read.
    package static func warning(on document: ScannedDocument) -> CredentialWarning? {
        guard failure(of: document) == nil else { return nil }
        if document.unreadCodes > 0 { return CredentialWarning(.codesNotRead, unread(document.unreadCodes)) }
        guard document.isPartial else { return nil }
        return CredentialWarning(
            .codesNotRead,
            "a part of the file is damaged, or was not searched in the time, so there may be more codes")
    }

    private static func unread(_ count: Int) -> String {
        "\(count == 1 ? "a QR code was" : "\(count) QR codes were") seen, but could not be read"
    }

    /// The failure of an input that is neither a picture nor a PDF.
    package static let noDocument = VerificationFailure(
        .noCodeFound, "this is neither a picture nor a PDF document, so it has no QR code")
}
