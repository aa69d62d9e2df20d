import Conformance
import Deflate
import IssuerNetwork
import SMARTHealthCards

/// Brings inputs before the linter, and gets it what it lacks.
struct LintRun {
    /// A file that an option names, which is linted beside the inputs.
    struct GivenFile {
        let source: String
        let bytes: [UInt8]
        let kind: LintKind
        /// Whose it is; nil if nobody says.
        let issuer: Issuer?
    }

    private var linter: Linter
    private let source: any EvidenceSource
    private var bound: RequestBound
    private var evidence = Evidence()
    private var inputs: [LintOutcome.Input] = []
    private let start = ContinuousClock.now
    /// How many rules were excluded.
    private let waived: Int

    init(policy: LintPolicy, source: any EvidenceSource) throws(InflateError) {
        linter = try Linter(policy: policy)
        waived = policy.waivedRules.count
        self.source = source
        // A certificate says whom to trust only after the issuer was asked.
        bound = RequestBound(limit: policy.trustedIssuers.hasLists ? nil : Bounds.unknownIssuers)
    }

    /// Reads the inputs that a command line names: files and standard input first, then the texts of QR codes.
    mutating func read(_ options: InputOptions, as kind: LintKind?) {
        for (number, path) in options.input.enumerated() {
            do throws(InputReader.Failure) {
                let source = InputReader.name(of: path)
                linter.add(try InputReader.read(path, limit: Bounds.listSize(kind)), source: source, as: kind)
                inputs.append(LintOutcome.Input(source: source))
            } catch {
                let (source, message) = InputReader.explain(path, number: number + 1, failure: error)
                inputs.append(LintOutcome.Input(source: source, failure: message))
            }
        }
        if !options.qr.isEmpty {
            // A line each, so that the line of a finding is the number of the option.
            linter.add(Array(options.qr.joined(separator: "\n").utf8), source: "qr", as: .qr)
            inputs.append(LintOutcome.Input(source: "qr"))
        }
        linter.finishReading()
    }

    /// Takes the files that options name, but for those that are inputs too.
    mutating func add(_ files: [GivenFile]) {
        let read = Set(inputs.map { Array($0.source.utf8) })
        for file in files where !read.contains(Array(file.source.utf8)) {
            linter.add(given: file.bytes, source: file.source, as: file.kind, of: file.issuer)
        }
    }

    /// Asks live issuers, one after the other. That one cannot be reached is a finding.
    mutating func ask(_ issuers: [Issuer], by network: NetworkOptions) async throws {
        for issuer in issuers {
            linter.add(try await network.answers(of: issuer))
            inputs.append(LintOutcome.Input(source: issuer.url))
        }
    }

    /// What comes of it, once issuers have been asked for what has to be known of them.
    ///
    /// - Parameter severity: from which on findings make the run fail.
    /// - Throws: `InstallationFault` if something has to be fetched and nothing can be.
    mutating func finish(failingOn severity: Severity) async throws(InstallationFault) -> LintOutcome {
        while true {
            let requests = linter.judge(with: evidence)
            guard !requests.isEmpty else { break }
            let admitted = requests.filter { bound.admits($0, at: .now, in: &evidence) }
            try await source.answer(admitted, in: &evidence)
        }
        return LintOutcome(
            inputs: inputs, findings: linter.findings, waived: waived, failsOn: severity,
            duration: start.duration(to: .now))
    }
}
