import ArgumentParser
import Bulk

/// The options of `batch` for its output and its way of working.
struct BatchOptions: ParsableArguments {
    @Flag(
        help:
            "Each line is the path of a picture, a PDF or another file that verify reads. Each of its cards gets a verdict, with the number of the line."
    )
    var pictures = false

    @Flag(help: "Also print the FHIR Bundle of each card.") var bundle = false

    @Flag(help: "Also print the persons and the records of each card. Without this option, these members are null.")
    var records = false

    @Flag(
        name: [.customShort("q"), .customLong("quiet")],
        help: "Print no verdicts, only the summary on standard error. The exit code tells the result.")
    var quiet = false

    @OptionGroup var fields: FieldOptions

    @Option(
        help: ArgumentHelp(
            "Which verdicts set the exit code. any: every verdict but a pass; malformed: only those on lines that cannot be read as a card "
                + "(10, or 27 if nothing could be read); none: no verdict, so that 0 says that the run was completed.",
            valueName: "verdicts"))
    var failOn = BatchFailure.any

    @Option(
        help: ArgumentHelp("The number of threads that verify. By default, there is one per processor.", valueName: "n")
    )
    var jobs: Int?

    @Option(help: ArgumentHelp("Begin with this line. The first line is 1.", valueName: "line")) var from: Int?

    @Option(
        help: ArgumentHelp(
            "Record in this file how far the run has come. If the file exists, continue there; the policy must be the same. "
                + "Append the output (>>).",
            valueName: "state"), completion: .file())
    var resume: String?

    @Flag(
        help: "Do not use crypto_mb, and do not build tables for frequent keys. OpenSSL alone verifies every signature."
    )
    var noPrecompute = false

    func validate() throws {
        guard (1...1024).contains(jobs ?? 1) else {
            throw ValidationError("--jobs must be a number of threads from 1 to 1024.")
        }
        guard (1...1_000_000_000_000).contains(from ?? 1) else {
            throw ValidationError("--from must be the number of a line from 1 to 1000000000000.")
        }
        guard from == nil || resume == nil else {
            throw ValidationError("--from and --resume cannot be combined: the state says where to continue.")
        }
        guard resume?.isEmpty != true else { throw ValidationError("--resume needs a file.") }
        try fields.validate(hasRecords: records, hasBundle: bundle, hasState: resume != nil)
    }
}
