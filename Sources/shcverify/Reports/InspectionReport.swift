import JSON
import SMARTHealthCards

/// What `inspect` prints. Every output says that nothing was verified.
struct InspectionReport {
    let cards: [CardInspection]

    private static let notice = "NOT VERIFIED"

    func text(palette: Palette) -> [UInt8] {
        let cards = self.cards.map { card in
            var lines = [
                palette(.bad, "\(Self.notice): what this card claims may be forged"),
                "Card: \(TerminalText.printable(card.presented.source)) (\(card.presented.kind?.rawValue ?? "unknown form"))",
            ]
            if let failure = card.failure {
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
        return Array(cards.joined(separator: "\n").utf8)
    }

    func json(escapesUnprintable: Bool) -> [UInt8] {
        var writer = JSONWriter(layout: .indented, escapesUnprintable: escapesUnprintable)
        writer.object { writer in
            writer.member("schemaVersion", 1)
            writer.member("notice", Self.notice)
            writer.name("cards")
            writer.array { writer in
                for card in cards { self.card(card, to: &writer) }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
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
