import ArgumentParser
import CredentialReports
import Credentials
import Evidence

/// `shcverify status`: what is installed, and how old it is.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.of("status")

    /// What can be required.
    private static let requirements: [StatusItem.Name] = [.codes, .vci, .gdhcn, .scan, .fetch]

    @Option(help: .of("max-age")) var maxAge: Double?

    @Option(help: .of("require"), completion: .list(StatusCommand.requirements.map(\.rawValue)))
    var require: [GivenValues] = []

    @Option(help: .of("cache.status"), completion: .directory) var cache: String?

    @Option(help: .of("format.status")) var format = StatusFormat.text

    func validate() throws {
        if let maxAge, !(0...36_500).contains(maxAge) {
            throw ValidationError("--max-age must be a number of days from 0 to 36500.")
        }
        _ = try required()
        guard cache?.isEmpty != true else { throw ValidationError("--cache needs a directory.") }
    }

    private func required() throws -> [StatusItem.Name] {
        try require.all.map { word in
            guard let name = Self.requirements.first(where: { $0.rawValue.utf8.elementsEqual(word.utf8) }) else {
                let names = Self.requirements.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--require takes one of these names: \(names).")
            }
            return name
        }
    }

    @MainActor
    func run() async throws {
        ProcessSetup.requireThreads()
        let required = try required()
        let place =
            cache.map { IssuerCache(directory: $0, makesAllParents: true) }
            ?? IssuerCache.standardDirectory.map { IssuerCache(directory: $0) }
        var items = await Inventory.items(cache: place)
        let now = NumericDate.now
        for index in items.indices {
            if let maxAge { items[index].markIfOlder(thanDays: maxAge, at: now) }
            // The built-in lists of codes are always there.
            items[index].isRequired = items[index].source != .builtIn && required.contains(items[index].name)
        }
        let report = StatusReport(items, at: now) { ExplainTopic.of($0)?.remedy }
        let problems = report.lines.filter(\.isProblem)
        // What does not work comes before what is missing or old, since an update may need it.
        let reason: RunReason? =
            problems.isEmpty ? nil : problems.contains(where: \.isFault) ? .internalError : .unavailable
        let exitCode = RunOutcome(reason).exitCode
        let destination = StandardStreams.destination(isColoured: ColorChoice.auto.isOn)
        let output =
            switch format {
            case .text: report.text(to: destination)
            case .json: StatusJSON.text(items, exitCode: exitCode, at: now, to: destination)
            case .prometheus: report.prometheus(exitCode: exitCode)
            }
        try StandardStreams.write(output)
        if let reason {
            let isSeen = format == .text && StandardStreams.isSeenWithErrors
            throw CommandFailure(
                reason, lines: isSeen ? [] : problems.map { "shcverify: \($0.title): \($0.words)" })
        }
    }
}
