import ArgumentParser
import CredentialReports
import Credentials
import Evidence

/// `shcverify status`: what is installed, and how old it is.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what is installed, whether it works, and how old it is.",
        discussion: """
            For monitoring: it makes no request, and takes less than a second, so it does not read all of very large files. It has a line for the program, for this machine's clock, for OpenSSL, for what the kernel has to limit the program, for each helper \
            program, which is started once, for each built-in and installed list of codes, for the directories and trust lists that \
            "directory update" has installed for this user and for the system, and for the cache.

            Exit codes: 1 if OpenSSL or a helper program does not work, or the clock is wrong, 20 if an installed list is older than --max-age, or if something is \
            missing that --require names, else 0. A list that is damaged, or that other users can write to, counts as missing.
            """)

    /// What can be required.
    enum Requirement: String, CaseIterable {
        case codes, vci, gdhcn, scan, fetch

        /// Whether an item is what is required. The built-in lists of codes are not meant.
        func isMet(by item: StatusItem) -> Bool { item.name.rawValue == rawValue && item.source != .builtIn }

        var words: String {
            switch self {
            case .codes: "no list of codes is installed that can be used; \"shcverify codes update\" installs some"
            case .vci: "VCI's directory is not installed, or cannot be used; \"shcverify directory update\" installs it"
            case .gdhcn:
                "WHO's trust list is not installed, or cannot be used; \"shcverify directory update --url \(DirectoryUpdateCommand.publishedSigners)\" "
                    + "installs it"
            case .scan: "shcverify-scan is not installed; it is a package of its own"
            case .fetch: "shcverify-fetch is not installed"
            }
        }
    }

    @Option(help: .of("max-age")) var maxAge: Double?

    @Option(help: .of("require"), completion: .list(Requirement.allCases.map(\.rawValue)))
    var require: [GivenValues] = []

    @Option(help: .of("cache.status"), completion: .directory) var cache: String?

    @Option(help: "text: one line for each item; json: one JSON document.") var format = ListFormat.text

    func validate() throws {
        if let maxAge, !(0...36_500).contains(maxAge) {
            throw ValidationError("--max-age must be a number of days from 0 to 36500.")
        }
        _ = try requirements()
        guard cache?.isEmpty != true else { throw ValidationError("--cache needs a directory.") }
    }

    private func requirements() throws -> [Requirement] {
        let named = try require.all.map { word in
            guard let requirement = Requirement.allCases.first(where: { $0.rawValue.utf8.elementsEqual(word.utf8) })
            else {
                let names = Requirement.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--require takes one of these names: \(names).")
            }
            return requirement
        }
        return Requirement.allCases.filter(named.contains)
    }

    @MainActor
    func run() async throws {
        ProcessSetup.requireThreads()
        let required = try requirements()
        let place =
            cache.map { IssuerCache(directory: $0, makesAllParents: true) }
            ?? IssuerCache.standardDirectory.map { IssuerCache(directory: $0) }
        var items = await Inventory.items(cache: place)
        let now = NumericDate.now
        for index in items.indices {
            if let maxAge { items[index].markIfOlder(thanDays: maxAge, at: now) }
            items[index].isRequired = required.contains { $0.isMet(by: items[index]) }
        }
        let failure = failure(items, required: required, at: now)
        try StandardStreams.write(
            format == .text
                ? TextRenderer.bytes([.rows(items.map { $0.row(at: now) }, columns: [10, 10])])
                : StatusJSON.text(
                    items, exitCode: RunOutcome(failure?.reason).exitCode, at: now,
                    to: Destination(isTerminal: StandardStreams.isTerminal)))
        if let failure { throw failure }
    }

    /// What is not as it should be; nil if all is. What does not work comes before what is missing or old, since an update may need it.
    private func failure(
        _ items: [StatusItem], required: [Requirement], at now: NumericDate
    ) -> CommandFailure? {
        // The scanner is a package of its own. The program that fetches is not, so a fault if it is missing; but what is required and
        // missing has one exit code, whatever it is.
        let faults = items.filter { item in
            item.condition == .fault
                || item.name == .fetch && item.condition == .missing && !required.contains(.fetch)
        }
        let old = items.filter { $0.condition == .old }
        let missing = required.filter { requirement in
            !items.contains { requirement.isMet(by: $0) && ($0.isUsable || $0.condition == .fault) }
        }
        let limit = maxAge.map { "\($0)".hasSuffix(".0") ? "\(Int($0))" : "\($0)" } ?? ""
        let problems =
            faults.map { "\($0.name.rawValue): \($0.message)" }
            + missing.map { "--require \($0.rawValue): \($0.words)" }
            + old.map {
                "\($0.name.rawValue): \($0.words(at: now)): older than \(limit == "1" ? "1 day" : "\(limit) days")"
            }
        guard !problems.isEmpty else { return nil }
        return CommandFailure(
            faults.isEmpty ? .unavailable : .internalError, lines: problems.map { "shcverify: \($0)" })
    }
}
