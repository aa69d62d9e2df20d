import SMARTHealthCards

/// Texts of QR codes, a line each. What does not begin as one is made to.
enum QRTarget: FuzzTarget {
    static let name = "qr"

    static func run(_ bytes: [UInt8]) {
        let text = bytes.starts(with: "shc:".utf8) ? bytes : Array("shc:/".utf8) + bytes
        var reader = ArtifactReader()
        reader.add(text, source: "fuzz")
        let cards = reader.cards()
        require(!cards.isEmpty, "an input has a card, or a failure")
        for card in cards {
            require(card.kind == .qr || (try? card.jws.get()) == nil, "what is read is a QR code's")
            if case .failure(let failure) = card.jws { require(!failure.message.isEmpty, "a failure has words") }
        }
        if let plain = characters(text) {
            require(cards.count == 1 && (try? cards[0].jws.get()) == plain, "digits are read in pairs")
        }
    }

    /// The characters of one plain code; nil for anything that is more, or less.
    private static func characters(_ text: [UInt8]) -> [UInt8]? {
        let digits = text.dropFirst(5)
        guard text.starts(with: "shc:/".utf8), !digits.isEmpty, digits.count.isMultiple(of: 2),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        var characters: [UInt8] = []
        for place in stride(from: 5, to: text.count, by: 2) {
            let pair = (text[place] - 0x30) * 10 + (text[place + 1] - 0x30)
            guard pair <= 77 else { return nil }
            characters.append(pair + 45)
        }
        return characters
    }
}
