import ArgumentParser
import Credentials
import Reports
import SMARTHealthCards

/// `shcverify inspect INPUT…`: decodes cards and prints them without verifying anything.
struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Decode cards and print them without verifying. Every output says NOT VERIFIED.")

    @OptionGroup(title: "Input") var inputs: InputOptions

    @Option(name: .customLong("format"), help: ArgumentHelp(InspectionFormat.help))
    var format = InspectionFormat.text

    @Option(name: .customLong("color"), help: "Whether to colour the output. NO_COLOR is respected.")
    var color = ColorChoice.auto

    func validate() throws {
        try inputs.requireInput()
    }

    func run() async throws {
        let verifier = try Verifier(
            policy: VerificationPolicy(now: NumericDate(sinceEpoch: .zero)), totalPayloadSize: Bounds.totalPayloadSize)
        var report = format.report(to: StandardStreams.destination(isColoured: color.isOn))
        var exitCode: Int32 = 0
        try report.begin(to: StandardStreams.write)
        for card in await ArtifactReader(reading: inputs).cards() {
            let inspection = verifier.inspect(card)
            if let failure = inspection.failure {
                StandardStreams.warn("\(card.source): \(failure.code.rawValue): \(failure.message)")
                if exitCode == 0 { exitCode = failure.code.exitCode }
            }
            try report.add(inspection, to: StandardStreams.write)
        }
        try report.finish(to: StandardStreams.write)
        if exitCode != 0 { throw ExitCode(exitCode) }
    }
}
