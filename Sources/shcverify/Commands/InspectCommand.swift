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

    func validate() throws {
        try inputs.requireInput()
    }

    func run() throws {
        var examiner = try CardExaminer()
        var report = InspectionReport(
            isJSON: format == .json, palette: Palette(isOn: color.isOn), escapesUnprintable: StandardStreams.isTerminal,
            repeatsProblems: !StandardStreams.isSeenWithErrors)
        var exitCode: Int32 = 0
        for card in ArtifactReader(reading: inputs).cards() {
            let inspection = examiner.inspect(card)
            if let failure = inspection.failure {
                StandardStreams.warn("\(card.source): \(failure.code.rawValue): \(failure.message)")
                if exitCode == 0 { exitCode = failure.code.exitCode }
            }
            try StandardStreams.write(report.add(inspection))
        }
        try StandardStreams.write(report.finish())
        if exitCode != 0 { throw ExitCode(exitCode) }
    }
}
