package import Containers
package import Credentials
import Encodings

/// What `inspect` shows.
package enum Inspection: Sendable {
    /// A card, decoded as far as possible.
    case card(CredentialInspection)
    /// A SMART Health Link. The cards in it follow as items of their own.
    case link(OpenedLink, LinkClient.Opening)
}

/// The formats of a report on cards that were decoded and not verified. Every format says NOT VERIFIED.
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
            case .card(let card): blocks(card)
            case .link(let link, let opening): blocks(link, opening)
            }
        try sink(TextRenderer.bytes((isFirst ? [] : [.line("")]) + blocks, to: destination))
        isFirst = false
    }

    func finish(to sink: ReportSink) throws {}

    static func problem(_ failure: VerificationFailure) -> Block {
        .line("Problem: \(failure.code.rawValue): \(message: failure.message)")
    }

    @Blocks private func blocks(_ card: CredentialInspection) -> [Block] {
        let notice = InspectionFormat.notice
        Block.line("\(notice): everything on this card may be forged", isWarning: true)
        Block.line("Card: \(from: card.presented.source) (\(card.presented.form?.rawValue ?? "unknown form"))")
        if let failure = card.failure { Self.problem(failure) }
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
    /// The numbered claims of a CBOR Web Token by their names, times as dates (RFC 8392 §4; HCERT "CWT Structure").
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
}
