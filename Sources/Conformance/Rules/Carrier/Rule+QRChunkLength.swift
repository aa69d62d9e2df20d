extension Rule {
    static let qrChunkLength = Rule(
        "invalid-numeric-qr", "chunk-length", .c3,
        requirement: "A part of a card that was split has at most 1191 characters of the JWS.",
        remedy: "Split the card into more parts, or make it smaller.",
        check: .qrCode { code in
            guard let part = code.part, part.count > 1, code.characters.count > 1191 else { return [] }
            return [Problem("the part has \(code.characters.count) characters")]
        })
}
