import SMARTHealthCards

/// Finding out what inputs are, and `inspect`. A byte that no text has parts one input from the next.
enum ArtifactTarget: FuzzTarget {
    static let name = "artifact"

    static func run(_ bytes: [UInt8]) {
        var reader = ArtifactReader()
        for input in bytes.split(separator: 0xFF, maxSplits: 7, omittingEmptySubsequences: false) {
            reader.add(Array(input), source: "fuzz")
        }
        let cards = reader.cards()
        require(!cards.isEmpty, "an input has a card, or a failure")
        require(Set(cards.map(\.source)).count == cards.count, "each card has a name of its own")
        guard var examiner = try? CardExaminer() else { return }
        let palette = Palette(isOn: false)
        var text = InspectionReport(isJSON: false, palette: palette, escapesUnprintable: true)
        var json = InspectionReport(isJSON: true, palette: palette, escapesUnprintable: true)
        var document: [UInt8] = []
        for card in cards {
            let inspection = examiner.inspect(card)
            ReportOracle.isInert(text.add(inspection))
            document += json.add(inspection)
        }
        document += json.finish()
        ReportOracle.isInert(document)
        _ = ReportOracle.json(document)
    }
}
