extension Rule {
    static let surroundingWhiteSpace = Rule(
        "trailing-characters", "white-space", .c1, severity: .warning,
        requirement: "A card has no white space around it.",
        remedy: "Write the card and nothing else: no line break at the end, no blanks.",
        check: .input { input in
            switch input.kind {
            case .file, .jws, .qr, .payload, .parameters, .deeplink: break
            case .bundle, .jwks, .crl, .directory, nil: return []
            }
            let isWhiteSpace = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
            let text = input.document.text
            guard !input.content.isEmpty else { return [] }
            if text[input.content.upperBound...].contains(where: isWhiteSpace) {
                return [Problem("white space follows the card", offset: input.content.upperBound)]
            }
            guard text[..<input.content.lowerBound].contains(where: isWhiteSpace) else { return [] }
            return [Problem("white space precedes the card", offset: 0)]
        })
}
