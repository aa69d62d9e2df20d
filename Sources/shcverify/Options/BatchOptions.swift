import ArgumentParser

/// What `batch` prints, and how it goes about it.
struct BatchOptions: ParsableArguments {
    @Flag(name: .customLong("bundle"), help: "Print each card's FHIR Bundle as well.")
    var bundle = false

    @Flag(
        name: .customLong("records"),
        help: "Print whom each card is about and what it records as well; without it these members are null.")
    var records = false

    @Flag(
        name: [.customShort("q"), .customLong("quiet")],
        help: "Print no verdicts; the exit code and the summary on standard error say it.")
    var quiet = false

    @Option(
        name: .customLong("jobs"),
        help: ArgumentHelp("Verify on this many threads, instead of one for each processor.", valueName: "n"))
    var jobs: Int?

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp("Begin with this line, counted from 1.", valueName: "line"))
    var from: Int?

    @Option(
        name: .customLong("resume"),
        help: ArgumentHelp(
            "Keep in this file how far the run has come, and continue there if it exists; only under the same policy. "
                + "Append the output (>>).",
            valueName: "state"))
    var resume: String?

    @Flag(
        name: .customLong("no-precompute"),
        help: "Do not make tables for keys that are met often; every signature is left to OpenSSL alone.")
    var noPrecompute = false

    func validate() throws {
        guard (1...1024).contains(jobs ?? 1) else {
            throw ValidationError("--jobs is a number of threads, from 1 to 1024.")
        }
        guard (1...1_000_000_000_000).contains(from ?? 1) else {
            throw ValidationError("--from is the number of a line, from 1 to 1000000000000.")
        }
        guard from == nil || resume == nil else {
            throw ValidationError("--from and --resume contradict each other: the state says where to continue.")
        }
        guard resume?.isEmpty != true else { throw ValidationError("--resume wants a file.") }
    }
}
