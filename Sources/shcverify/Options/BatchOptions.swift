import ArgumentParser
import Bulk

/// The options of `batch` for its output and its way of working.
struct BatchOptions: ParsableArguments {
    @Flag(help: .of("pictures")) var pictures = false

    @Flag(help: "Also print the FHIR Bundle of each card.") var bundle = false

    @Flag(help: .of("records")) var records = false

    @Flag(name: [.customShort("q"), .customLong("quiet")], help: .of("quiet.batch")) var quiet = false

    @OptionGroup var fields: FieldOptions

    @Option(help: .of("fail-on")) var failOn = BatchFailure.any

    @Option(help: .of("jobs")) var jobs: Int?

    @Option(help: ArgumentHelp("Begin with this line. The first line is 1.", valueName: "line")) var from: Int?

    @Option(help: .of("resume"), completion: .file()) var resume: String?

    @Flag(help: .of("no-precompute")) var noPrecompute = false

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
