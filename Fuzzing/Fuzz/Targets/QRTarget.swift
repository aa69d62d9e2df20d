import Credentials
import Inputs
import SMARTHealthCards

/// Texts of QR codes, one per line. An input without the prefix gets it.
enum QRTarget: FuzzTarget {
    static let name = "qr"

    static func run(_ bytes: [UInt8]) {
        let text = bytes.starts(with: "shc:".utf8) ? bytes : Array("shc:/".utf8) + bytes
        var reader = CredentialReader()
        reader.add(text, source: "fuzz")
        let cards = reader.cards()
        require(!cards.isEmpty, "an input has a card or a failure")
        // Beside the text of a certificate, each line is read as what it is.
        let hasCertificate = holdsCertificatePrefix(text)
        for card in cards {
            require(
                card.form == .qr || (try? card.text.get()) == nil || hasCertificate,
                "a card that is read is a QR code's, unless a certificate is among the lines")
            if case .failure(let failure) = card.text { require(!failure.message.isEmpty, "a failure has a message") }
        }
        if let plain = characters(text) {
            require(cards.count == 1 && (try? cards[0].text.get()) == plain, "each pair of digits is one character")
        }
    }

    /// Whether `HC1:` is anywhere in a text, in any case.
    private static func holdsCertificatePrefix(_ text: [UInt8]) -> Bool {
        text.indices.dropLast(3).contains { place in
            zip(text[place...], "hc1:".utf8).allSatisfy { $0 == $1 || $0 | 0x20 == $1 }
        }
    }

    /// The characters of a single code without parts; nil for any other text.
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
