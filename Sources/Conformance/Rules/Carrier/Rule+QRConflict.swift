extension Rule {
    static let qrConflict = Rule(
        "invalid-qr", "conflict", .c3,
        requirement: "The parts of a card belong together: no two texts are given for one part.",
        remedy: "Give the parts of one card at a time.",
        check: .qrSet { set in
            set.conflicts.prefix(8).map { Problem("two different texts were given for part \($0) of \(set.count)") }
        })
}
