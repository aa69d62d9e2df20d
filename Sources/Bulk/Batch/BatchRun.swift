package import IssuerNetwork
package import SMARTHealthCards
package import Verification

/// A batch: one card per line in, one verdict per line out.
package struct BatchRun: Sendable {
    private let lines: LineRun<BatchVerifier>

    /// - Parameters:
    ///   - policy: what decides about verdicts.
    ///   - source: what gets the evidence.
    ///   - form: the form of the output.
    ///   - jobs: the number of threads that verify.
    ///   - precomputation: what confirms signatures faster than OpenSSL's usual verification; nil for that alone.
    ///   - output: where the verdicts go.
    ///   - progress: is told of the counts so far, each time that verdicts were written.
    package init(
        policy: VerificationPolicy, source: any EvidenceSource, form: BatchForm, jobs: Int,
        precomputation: Precomputation?, output: LineOutput = LineOutput(),
        progress: @escaping @Sendable (BatchTally) -> Void
    ) {
        lines = LineRun(
            scheduler: LineScheduler(
                source: source, bound: RequestLimiter(for: policy.cards.trustedIssuers), jobs: jobs),
            jobs: jobs, output: output, progress: progress
        ) {
            try? BatchVerifier(policy: policy, precomputation: precomputation, form: form)
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
        await lines.run(reader, from: firstLine, after: journal?.tally ?? BatchTally(), journal: journal)
    }
}
