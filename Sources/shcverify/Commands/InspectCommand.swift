import ArgumentParser
import Deflate
import SMARTHealthCards

/// `shcverify inspect INPUT…`: decodes cards and prints them without verifying anything.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Decode cards and print them without verifying. Every output says NOT VERIFIED.")

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @OptionGroup(title: "Input") var inputs: InputOptions

    @Option(name: .customLong("format"), help: "text: for people; json: one JSON document.")
    var format = Format.text

    @Option(name: .customLong("color"), help: "Whether the output is coloured. NO_COLOR is respected.")
    var color = ColorChoice.auto

    func run() throws {
        let inflater = try Inflater()
        let cards = ArtifactReader(reading: inputs).cards().map { CardInspection($0, inflater: inflater) }
        for card in cards {
            guard let failure = card.failure else { continue }
            StandardStreams.warn("\(card.presented.source): \(failure.code.rawValue): \(failure.message)")
        }
        let report = InspectionReport(cards: cards)
        switch format {
        case .text: try StandardStreams.write(report.text(palette: Palette(isOn: color.isOn)))
        case .json: try StandardStreams.write(report.json(escapesUnprintable: StandardStreams.isTerminal))
        }
        if let failure = cards.lazy.compactMap(\.failure).first { throw ExitCode(failure.code.exitCode) }
    }
}
