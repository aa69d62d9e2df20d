extension Rule {
    static let qrMissingChunk = Rule(
        "missing-qr-chunk", "missing", .c3,
        requirement: "Of a card that was split, every part is there.",
        remedy: "Give the texts of all QR codes of the card, as inputs or as lines of one.",
        check: .qrSet { set in
            let missing = set.missing
            guard !missing.isEmpty else { return [] }
            let shown = missing.prefix(8).map { String($0) }.joined(separator: ", ")
            return [Problem("of \(set.count) parts there lack: \(shown)\(missing.count > 8 ? ", …" : "")")]
        })
}
