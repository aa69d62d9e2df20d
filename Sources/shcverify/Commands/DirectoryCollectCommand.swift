import ArgumentParser
import Credentials
import Directories
import Encodings
import Evidence
import SMARTHealthCards

/// `shcverify directory collect`: fetches what issuers publish, and writes it as a snapshot.
struct DirectoryCollectCommand: WaitingCommand {
    static let configuration = CommandConfiguration.of("directory collect")

    @Argument(help: .of("issuers.directorycollect"), completion: KnownWords.issuers) var issuers: [GivenValues] = []

    @Option(help: .of("directory.directorycollect"), completion: .file()) var directory: [GivenValues] = []

    @Option(help: .of("output"), completion: .file()) var output: String

    @OptionGroup var round: SweepOptions

    /// The size of the revocation lists of one issuer, in bytes. All issuers together must fit into a directory.
    private static let listSize = Bounds.directorySize / 16

    func validate() throws {
        guard !issuers.isEmpty || !directory.isEmpty else {
            throw ValidationError("Name the issuers, or a directory of issuers with --directory.")
        }
        for url in issuers.all { _ = try Issuer(url, option: "directory collect") }
    }

    nonisolated(nonsending) func perform() async throws -> RunOutcome {
        ProcessSetup.requireThreads()
        try ProcessSetup.checkOpenSSL()
        try MachineClock.requireRight(takesTime: false)
        var directories = TrustedIssuers()
        for name in directory.all { directories.add(try OptionFile.issuers(name)) }
        let file = output == "-" ? nil : try OutputFile(output, option: "--output")
        var outcome = RunOutcome()
        let fail = { (issuer: Issuer, problem: String, reason: RunReason) in
            StandardStreams.warn("shcverify: \(issuer.url): \(problem)")
            outcome.add(reason)
        }
        var wanted: [Issuer] = []
        var seen: Set<Issuer> = []
        for issuer in issuers.isEmpty ? directories.entries.map(\.issuer) : issuers.all.map({ Issuer(unchecked: $0) })
        where seen.insert(issuer).inserted {
            guard directory.isEmpty || directories.entry(for: issuer) != nil else {
                fail(issuer, "not collected: it is not in the given directories", .notListed)
                continue
            }
            wanted.append(issuer)
        }
        let room = SnapshotBudget()
        let collected = try await IssuerSweep(round, triesTLS: false, listSize: Self.listSize).results(
            of: wanted, showing: SweepProgressLine(count: wanted.count)
        ) { [directories] _, answers in
            let result = Result { () throws(VerificationFailure) in
                let entry = try CollectedSnapshot.entry(
                    answers, named: directories.entry(for: answers.issuer), at: .now)
                try room.take(entry)
                return entry
            }
            return (result, lacksKeySet: answers.lacksKeySet)
        }
        var entries: [CollectedSnapshot.Entry] = []
        var missing = 0
        let miss = { (issuer: Issuer, problem: String, lacksKeySet: Bool) in
            fail(issuer, "not collected: \(problem)", .unavailable)
            let entry = CollectedSnapshot.entry(
                missing: issuer, named: directories.entry(for: issuer), because: problem, lacksKeySet: lacksKeySet)
            missing += 1
            // If there is no room for its name either, the line on standard error has to do.
            if (try? room.take(entry)) != nil { entries.append(entry) }
        }
        for (issuer, answer) in zip(wanted, collected) {
            switch answer?.0 {
            case nil: miss(issuer, "the time (--time-limit) was used up", false)
            case .failure(let failure): miss(issuer, failure.message, answer?.lacksKeySet == true)
            case .success(let entry):
                entries.append(entry)
                for problem in entry.problems { fail(issuer, problem, .listUnavailable) }
            }
        }
        let snapshot = CollectedSnapshot.document(entries, at: .now)
        if let file {
            try file.write(snapshot)
            let keyCount = entries.reduce(0) { $0 + $1.keyCount }
            let count = wanted.count - missing
            let issuers = count.counted("issuer")
            let keys = keyCount.counted("key")
            let rest = missing > 0 ? "; \(missing) could not be collected" : ""
            try StandardStreams.write(line: "collected: \(issuers), \(keys)\(rest)")
        } else {
            try StandardStreams.write(snapshot)
        }
        return outcome
    }
}
