import JSON
import SMARTHealthCards

/// What `inspect` prints, card by card. Every output says that nothing was verified.
struct InspectionReport {
    let isJSON: Bool
    let palette: Palette
    let escapesUnprintable: Bool
    /// Whether text says what is wrong with a card; on a terminal that shows standard error too, that is said already.
    let repeatsProblems: Bool
    private var isFirst = true

    init(isJSON: Bool, palette: Palette, escapesUnprintable: Bool, repeatsProblems: Bool = true) {
        self.isJSON = isJSON
        self.palette = palette
        self.escapesUnprintable = escapesUnprintable
        self.repeatsProblems = repeatsProblems
    }

    private static let notice = "NOT VERIFIED"

    /// What the next card adds to the report.
    mutating func add(_ card: CardInspection) -> [UInt8] {
        defer { isFirst = false }
        guard isJSON else { return TerminalText.log((isFirst ? "" : "\n") + text(card)) }
        var writer = JSONWriter(layout: .indented, escapesUnprintable: escapesUnprintable, depth: 2)
        self.card(card, to: &writer)
        let head = "{\n  \"schemaVersion\": 1,\n  \"notice\": \"\(Self.notice)\",\n  \"cards\": [\n    "
        return Array((isFirst ? head : ",\n    ").utf8) + writer.bytes
    }

    /// The end of the report.
    func finish() -> [UInt8] { isJSON ? Array("\n  ]\n}\n".utf8) : [] }

    private func text(_ card: CardInspection) -> String {
        let kind = card.presented.kind?.rawValue ?? "unknown form"
        var lines = [
            palette(.bad, "\(Self.notice): what this card claims may be forged"),
            "Card: \(TerminalText.printable(card.presented.source)) (\(kind))",
        ]
        if let failure = card.failure, repeatsProblems {
            lines.append("Problem: \(failure.code.rawValue): \(TerminalText.printable(failure.message))")
        }
        for (title, value) in [("Header", card.header), ("Payload", card.payload)] {
            guard let value else { continue }
            var writer = JSONWriter(layout: .indented, escapesUnprintable: true)
            writer.value(value)
            lines += [palette(.heading, "\(title) (\(Self.notice))"), String(decoding: writer.bytes, as: UTF8.self)]
        }
        if let length = card.signatureLength { lines.append("Signature: \(length) bytes, \(Self.notice)") }
        return lines.joined(separator: "\n") + "\n"
    }

    private func card(_ card: CardInspection, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("source", card.presented.source)
            writer.member("inputKind", card.presented.kind?.rawValue)
            writer.name("verified")
            writer.value(false)
            writer.name("problem")
            if let failure = card.failure {
                writer.object { writer in
                    writer.member("code", failure.code.rawValue)
                    writer.member("message", failure.message)
                }
            } else {
                writer.value(nil as String?)
            }
            writer.name("header")
            writer.value(card.header)
            writer.name("payload")
            writer.value(card.payload)
            writer.member("signatureLength", card.signatureLength)
        }
    }
}
