import ArgumentParser
import CredentialReports
import SystemPackage

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

    @Option(
        name: .customLong("handover"),
        help: ArgumentHelp(
            "Also write the FHIR transaction of --format handover to this file, as a whole and readable for its owner alone. If there is "
                + "nothing to hand over, a file of this name is removed.", valueName: "file"), completion: .file())
    var handover: String?

    @Flag(
        name: .customLong("include-unsigned"),
        help:
            "Also hand over FHIR content of links and check-ins that nobody signed, marked so. Only with --handover or --format handover."
    )
    var includeUnsigned = false

    func validate() throws {
        guard !includeUnsigned || format == .handover || handover != nil else {
            throw ValidationError("--include-unsigned has an effect only with --handover or --format handover.")
        }
        guard let handover else { return }
        guard format != .handover else {
            throw ValidationError(
                "--handover writes to a file what --format handover prints, so only one of them can be given.")
        }
        guard handover != "-" else {
            throw ValidationError("--handover needs a file. --format handover writes to standard output.")
        }
    }

    /// The file of the hand-over; nil if none is asked for. It has the rights of its owner alone, since it is a health record.
    ///
    /// - Throws: `ExitCode` 1, after a line on standard error, if it cannot be written.
    func handoverFile() throws -> OutputFile? {
        try handover.map { try OutputFile($0, option: "--handover", permissions: [.ownerReadWrite]) }
    }
}
