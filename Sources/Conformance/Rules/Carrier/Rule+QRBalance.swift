extension Rule {
    /// Parts that were cut at equal lengths, rounded up, differ in the last one by less than their number.
    static let qrBalance = Rule(
        "unbalanced-qr-chunks", "balance", .c3, severity: .warning,
        requirement: "The parts of a card that was split are of about the same length.",
        remedy: "Divide the length of the JWS by the number of parts, and cut there.",
        check: .qrSet { set in
            guard set.conflicts.isEmpty, let jws = set.jws else { return [] }
            let average = jws.count / set.count
            let tolerance = max((average + 199) / 200, set.count - 1)
            let lengths = (1...set.count).map { set.parts[$0]?.count ?? 0 }
            guard lengths.contains(where: { abs($0 - average) > tolerance }) else { return [] }
            let shown = lengths.prefix(8).map { String($0) }.joined(separator: ", ")
            return [Problem("the parts have these lengths: \(shown)\(lengths.count > 8 ? ", …" : "")")]
        })
}
