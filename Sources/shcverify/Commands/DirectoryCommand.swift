import ArgumentParser
import CredentialReports
import Credentials
import Directories
import Encodings
import Evidence
import LintReports
import Processes
import SMARTHealthCards

/// `shcverify directory`: directories of trusted issuers, such as the one that VCI publishes.
struct DirectoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.of(
        "directory",
        subcommands: [
            DirectoryUpdateCommand.self, DirectoryShowCommand.self, DirectoryVerifyCommand.self,
            DirectoryRemoveCommand.self, DirectoryAuditCommand.self, DirectoryCollectCommand.self,
            DirectoryDiffCommand.self,
        ])

    func run() throws {
        throw ValidationError(
            "\"shcverify directory\" needs a command: update, show, verify, remove, audit, collect or diff.")
    }
}

/// `shcverify directory diff OLD NEW`: compares two states of a directory.
struct DirectoryDiffCommand: WaitingCommand {
    static let configuration = CommandConfiguration.of("directory diff")

    /// What causes exit code 10.
    enum Failure: String, ExpressibleByArgument, CaseIterable {
        case none, change
    }

    @Argument(help: .of("old.directorydiff"), completion: .file()) var old: String

    @Argument(help: .of("new.directorydiff"), completion: .file()) var new: String

    @Option(help: ArgumentHelp(ChangeFormat.help)) var format = ChangeFormat.text

    @Option(help: "change: exit with 10 if there are differences.") var failOn = Failure.none

    nonisolated(nonsending) func perform() async throws -> RunOutcome {
        let changes = DirectoryChange.all(
            from: try OptionFile.states(old, option: "directory diff"),
            to: try OptionFile.states(new, option: "directory diff"))
        try StandardStreams.write(
            format.report(
                changes, between: (old, new), at: .now, to: StandardStreams.destination(), by: .shcverify))
        return RunOutcome(failOn == .change && !changes.isEmpty ? .malformed : nil)
    }
}

/// `shcverify directory remove NAME`: removes what `directory update` has installed.
struct DirectoryRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration.of("directory remove")

    @Argument(help: .of("name.directoryremove"), completion: .list(ListStore.Name.directories.map(\.rawValue)))
    var name: String

    @Flag(name: .customLong("system"), help: .of("system.directoryremove")) var isSystem = false

    func validate() throws { _ = try list() }

    private func list() throws -> ListStore.Name {
        guard let list = ListStore.Name(option: name) else {
            throw ValidationError("Only what \"directory update\" has installed can be removed: vci or gdhcn.")
        }
        return list
    }

    func run() throws {
        let list = try list()
        try ProcessSetup.checkOpenSSL()
        let places = ListPlaces.standard
        let store = try places.forUpdate(isSystem: isSystem)
        let found = Inventory.directory(list, in: store)
        let isRemoved: Bool
        do throws(InstallationFailure) {
            isRemoved = try store.remove(list)
        } catch {
            throw store.end(for: error, done: "removed")
        }
        guard isRemoved else {
            let other = places.all.first { $0.isSystem != isSystem && $0.mayHave(list) }
            let hint = other.map {
                "; in \($0.parent) there is one, \($0.isSystem ? "which --system removes" : "which is removed without --system")"
            }
            StandardStreams.warn(
                "shcverify: nothing was removed: \(list.rawValue) is not installed in \(store.parent)\(hint ?? "")")
            return
        }
        try StandardStreams.write(line: "removed: \(store.parent)/\(list.rawValue): \(found.message)")
    }
}

/// `shcverify directory collect`: fetches what issuers publish, and writes it as a snapshot.
struct DirectoryCollectCommand: WaitingCommand {
    static let configuration = CommandConfiguration.of("directory collect")

    @Argument(help: .of("issuers.directorycollect"), completion: KnownWords.issuers) var issuers: [GivenValues] = []

    @Option(help: .of("directory.directorycollect"), completion: .file()) var directory: [GivenValues] = []

    @Option(help: .of("output"), completion: .file()) var output: String

    @OptionGroup var round: SweepOptions

    /// The maximum size of the revocation lists of one issuer, in bytes. All issuers together must fit into a directory.
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
            // If there is no room for its name either, the line on standard error must suffice.
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

/// The options of commands that ask all issuers of a directory.
struct SweepOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The number of issuers that are asked at the same time.", valueName: "n")) var jobs = 16

    @Option(help: .of("time-limit")) var timeLimit: Double = 1800

    @OptionGroup(title: "Network") var network: SweepNetworkOptions

    func validate() throws {
        guard (1...64).contains(jobs) else { throw ValidationError("--jobs must be a number of issuers from 1 to 64.") }
        guard (0.001...86_400).contains(timeLimit) else {
            throw ValidationError("--time-limit must be a number of seconds from 0.001 to 86400.")
        }
        guard !network.offline else {
            throw ValidationError(
                "With --offline, no issuer can be asked. \"shcverify lint FILE\" checks the file of a directory alone.")
        }
    }
}
