import ArgumentParser
import CredentialReports

/// The options of `verify` for its output.
struct OutputOptions: ParsableArguments {
    @Option(name: .customLong("format"), help: ArgumentHelp(VerdictFormat.help))
    var format = VerdictFormat.text

    @Flag(
        name: [.customShort("q"), .customLong("quiet")],
        help:
            "Print nothing to stdout; only the exit code tells the result. Messages leave out persons, records and dates."
    )
    var quiet = false

    @Option(name: .customLong("color"), help: "Whether to colour the report. NO_COLOR is respected.")
    var color = ColorChoice.auto

    @Flag(
        name: .customLong("include-unsigned"),
        help:
            "Also hand over FHIR content of links and check-ins that nobody signed, marked so. Only with --format handover."
    )
    var includeUnsigned = false

    func validate() throws {
        guard !includeUnsigned || format == .handover else {
            throw ValidationError("--include-unsigned has an effect only with --format handover.")
        }
    }
}
