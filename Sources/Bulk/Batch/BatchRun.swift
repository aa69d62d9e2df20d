package import Evidence
package import SMARTHealthCards
package import Verification

/// A batch: one card per line in, one verdict per line out; or the path of a file per line in, one verdict per card out.
package struct BatchRun: Sendable {
    private let lines: LineRun<BatchVerifier>
    /// The most lines that are the work of a thread together; nil for as many as there are. A file takes long, so each is a work of its own,
    /// and its verdicts are written as soon as there are those before it.
    private let linesTogether: Int?

    /// - Parameters:
    ///   - policy: what decides about verdicts.
    ///   - store: what issuers publish.
    ///   - form: the form of the output.
    ///   - jobs: the number of threads that verify.
    ///   - precomputation: what confirms signatures faster than OpenSSL's usual verification; nil for that alone.
    ///   - output: where the verdicts go.
    ///   - files: what reads the files whose paths are the lines; nil if the lines are cards.
    ///   - progress: is told of the counts so far, each time that verdicts were written.
    package init(
        policy: VerificationPolicy, store: EvidenceStore, form: BatchForm, jobs: Int,
        precomputation: Precomputation?, files: (any FileReader)? = nil, output: LineOutput = LineOutput(),
        progress: @escaping @Sendable (BatchTally) -> Void
    ) {
        linesTogether = files == nil ? nil : 1
        lines = LineRun(store: store, jobs: jobs, output: output, progress: progress) {
            try? BatchVerifier(policy: policy, precomputation: precomputation, form: form, files: files)
        }
    }

    /// Stops the start of further lines. Cards that wait for an issuer are left to the next run.
    package func interrupt() { lines.interrupt() }

    /// Verifies the lines of the input.
    ///
    /// - Parameters:
    ///   - reader: the input, at the position in the journal's state, or at its beginning.
    ///   - firstLine: the number of the first line to verify.
    ///   - journal: keeps how far the run came; nil if nothing does.
    package func run(_ reader: LineReader, from firstLine: Int, journal: BatchJournal?) async -> LineResult<BatchTally>
    {
        var reader = reader
        if let linesTogether { reader.linesTogether = linesTogether }
        return await lines.run(reader, from: firstLine, after: journal?.tally ?? BatchTally(), journal: journal)
    }
}
