import CredentialReports
package import Credentials
import Cryptography
package import Encodings
import Glibc
import Processes
import SystemPackage

/// How far a run came. `--resume` keeps it in a file.
package struct BatchState: Sendable {
    /// The name of the input: its path as it was given, or `stdin`.
    package var input: String
    /// The options by which the lines were judged.
    package var terms: BatchTerms
    /// The position of the first line whose verdict has not been written.
    package var position = LinePosition.beginning
    /// The sum of all of the input before that position, as it was read and judged. The file has its digest; a run that continues makes
    /// the sum again, from the input.
    package var inputSum = InputSum()
    /// The digest in the file; nil if there is no file yet.
    package private(set) var earlierDigest: String?
    /// The end of the output at that time; nil if it is not a file.
    package var output: LineOutput.Mark?
    /// The counts of the lines before that position.
    package var tally = BatchTally()
    /// Whether verdicts on lines before that position may be wrong. No run continues such a state.
    var isInDoubt = false

    package init(input: String, terms: BatchTerms) {
        self.input = input
        self.terms = terms
    }

    /// Why a state file cannot be used.
    package typealias Failure = Rejected<RunReason>

    // MARK: Text

    /// The version of the file format.
    private static let version = 4

    var json: [UInt8] {
        var writer = JSONWriter(layout: .indented)
        writer.object { writer in
            writer.member("schemaVersion", Self.version)
            writer.member("input", input)
            writer.name("terms")
            terms.write(to: &writer)
            writer.member("line", position.line)
            writer.member("offset", position.offset)
            writer.member("inputDigest", inputSum.digest)
            writer.member("exitCode", Int(tally.outcome.exitCode))
            writer.member("lines", tally.lines)
            writer.name("reasons")
            writer.object { writer in
                for reason in ReasonCode.allCases {
                    if let count = tally.reasons[reason] {
                        writer.name(text: reason.rawValue)
                        writer.value(count)
                    }
                }
            }
            writer.member("uncheckedIssuers", tally.notes.uncheckedIssuers)
            writer.member("openRevocations", tally.notes.openRevocations)
            writer.member("testSigners", tally.notes.testSigners)
            if isInDoubt { writer.member("inDoubt", true) }
            writer.name("output")
            guard let output else { return writer.value(nil as String?) }
            writer.object { writer in
                writer.member("device", output.device)
                writer.member("file", output.file)
                writer.member("size", output.size)
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    init(_ text: [UInt8], subjects: [BatchTerms.Subject]) throws(Failure) {
        let state = try? JSONDocument.parse(text, maximumDepth: 8)
        if let version = state?["schemaVersion"]?.number?.integer, (1..<Int64(Self.version)).contains(version) {
            throw Failure(.usage, "an earlier version wrote it; start over with another state file")
        }
        guard let state, state["schemaVersion"]?.number?.integer == Int64(Self.version),
            let input = state["input"]?.string?.description,
            let terms = state["terms"].flatMap({ BatchTerms($0, subjects: subjects) }),
            let line = Self.number(state["line"]), line >= 1,
            let offset = Self.number(state["offset"]), let digest = state["inputDigest"]?.string?.description,
            let lines = Self.number(state["lines"]),
            let exitCode = Self.number(state["exitCode"]),
            let members = state["reasons"]?.members, let output = state["output"],
            let unchecked = Self.number(state["uncheckedIssuers"]), let open = Self.number(state["openRevocations"]),
            let tests = Self.number(state["testSigners"])
        else { throw Failure(.usage, "it is not a state file of batch --resume") }
        guard state["inDoubt"] == nil else {
            throw Failure(
                .usage,
                "crypto_mb was found to be wrong in this run, so its verdicts cannot be relied on; judge all cards again, from the first "
                    + "one, with --no-precompute and another state file")
        }
        self.input = input
        self.terms = terms
        earlierDigest = digest
        position = LinePosition(line: line, offset: offset)
        var reasons: [ReasonCode: Int] = [:]
        for member in members {
            guard let reason = ReasonCode(rawValue: member.name.description), let count = Self.number(member.value)
            else { throw Failure(.usage, "it contains an unknown reason code") }
            reasons[reason] = count
        }
        let failed = reasons.values.reduce(0, +)
        let first = reasons.keys.first { $0.exitCode == exitCode }
        guard failed <= lines, max(unchecked, open, tests) <= lines - failed,
            first != nil || reasons.isEmpty && exitCode == 0
        else { throw Failure(.usage, "its counts contradict each other") }
        tally = BatchTally(
            lines: lines, reasons: reasons, outcome: RunOutcome(first.map { .given($0) }),
            notes: PassNotes(uncheckedIssuers: unchecked, openRevocations: open, testSigners: tests))
        guard !output.isNull else { return }
        guard let device = output["device"]?.number?.integer, let file = output["file"]?.number?.integer,
            let size = Self.number(output["size"])
        else { throw Failure(.usage, "it does not say how far the output was written") }
        self.output = LineOutput.Mark(device: Int(device), file: Int(file), size: size)
    }

    private static func number(_ value: JSONValue?) -> Int? {
        value?.number?.integer.flatMap { (0...(1 << 53)).contains($0) ? Int($0) : nil }
    }

    // MARK: File

    private static let maximumSize = 64 << 10

    /// Reads a state file; nil if there is none yet.
    ///
    /// - Parameter subjects: the options that decide about verdicts.
    package static func read(_ path: String, subjects: [BatchTerms.Subject]) throws(Failure) -> BatchState? {
        let text: [UInt8]
        // The state says which cards have passed, so nobody else may have written it.
        if let objection = WriteAccess.objection(toFileAt: path) {
            throw Failure(.given(.unreadableInput), "it cannot be relied on: \(objection)")
        }
        do throws(InputReader.Failure) {
            text = try InputReader.readReopenable(path, limit: maximumSize)
        } catch {
            // Unsafe: the C library reads the path during the call and does not keep it.
            guard unsafe access(path, F_OK) != 0, errno == ENOENT else {
                throw Failure(.given(.unreadableInput), "cannot be read: \(error.message)")
            }
            return nil
        }
        return try BatchState(text, subjects: subjects)
    }

    /// Replaces the state file in one step: a reader sees either the old state or the new one.
    func write(to path: String) throws(Failure) {
        do throws(Errno) {
            let draft = try Draft(replacing: path, permissions: .ownerReadWrite)
            try draft.file.writeAllWaiting(json)
            guard fsync(draft.file.rawValue) == 0 else { throw Errno(rawValue: errno) }
            try draft.finish()
        } catch {
            throw Failure(.internalError, "\(error)")
        }
        // A power failure must not bring back the old state. Some file systems cannot sync a directory, so errors are
        // ignored.
        let folder = FilePath(path).removingLastComponent()
        let path = folder.isEmpty ? "." : folder
        guard let directory = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec]) else { return }
        _ = fsync(directory.rawValue)
        try? directory.close()
    }
}

/// Keeps in a state file how far a batch came (`--resume`).
package struct BatchJournal: LineJournal {
    private let path: String
    private var state: BatchState
    private let isInDoubt: @Sendable () -> Bool

    /// - Parameters:
    ///   - path: the path of the state file.
    ///   - state: how far earlier runs came, with the sum of the input before that position.
    ///   - isInDoubt: whether verdicts of this run may be wrong. It is asked before each time that the file is written.
    package init(_ path: String, state: BatchState, isInDoubt: @escaping @Sendable () -> Bool) {
        self.path = path
        self.state = state
        self.isInDoubt = isInDoubt
    }

    /// The counts of earlier runs.
    var tally: BatchTally { state.tally }

    mutating func begin(output: LineOutput.Mark?) { state.output = output }

    mutating func record(_ tally: BatchTally, position: LinePosition, sum: InputSum?, output: LineOutput.Mark?) {
        state.tally = tally
        state.position = position
        state.output = output
        if let sum { state.inputSum = sum }
    }

    func save(after output: LineOutput) -> String? {
        do throws(Errno) {
            try output.sync()
        } catch {
            return failure("the output could not be written to the disk: \(error)")
        }
        var state = state
        state.isInDoubt = isInDoubt()
        do throws(BatchState.Failure) {
            try state.write(to: path)
            return nil
        } catch {
            return failure(error.message)
        }
    }

    private func failure(_ problem: String) -> String { "--resume \(path): cannot be written: \(problem)" }
}

/// A lock on a state file. Without it, two runs could use the same state, and both would write the verdicts of the same
/// lines. The lock is a locked file beside the state.
package struct BatchLock: Sendable {
    private let file: LockFile

    /// Locks the state.
    ///
    /// - Parameter state: the path of the state file.
    /// - Throws: if another run holds the lock, or the lock file cannot be made.
    package init(_ state: String) throws(Malformed) {
        // No other program locks or writes a file of this name.
        let state = FilePath(state)
        let name = state.lastComponent?.string ?? ""
        let path = state.removingLastComponent().appending(".\(name).batch-lock")
        do throws(LockFile.Failure) {
            file = try LockFile(path)
        } catch {
            switch error {
            case .held: throw Malformed("another run is using it; try again when it has ended")
            case .unusable(let problem, _):
                throw Malformed("cannot be written: the lock \(path.string.quoted()) cannot be used: \(problem)")
            }
        }
    }

    /// Releases the lock.
    package func release() { file.release() }
}

/// Which verdicts of a batch set its exit code. What goes wrong with the run itself always does.
package enum BatchFailure: String, CaseIterable, Sendable {
    /// No verdict does.
    case none
    /// Only the verdict that a line cannot be read as a card.
    case malformed
    /// Every verdict but a pass.
    case any

    /// How a run ends by its verdicts.
    package func outcome(of tally: BatchTally) -> RunOutcome {
        switch self {
        case .none: RunOutcome()
        case .malformed:
            // A line that is something else than a card, one in which nothing could be read, and the path of a file that could not be read.
            RunOutcome(
                [ReasonCode.malformedInput, .emptyInput, .unreadableInput].first { unread in
                    tally.reasons.keys.contains { $0.exitCode == unread.exitCode }
                }.map { .given($0) })
        case .any: tally.outcome
        }
    }
}

/// The options that decide about verdicts and their form, as digests. A run may only continue a run with the same
/// terms.
///
/// `--fail-on` is not among them: it changes neither a verdict nor its form, and the counts in a state serve every value of it.
///
/// The contents of files count, not their names. So do the installed lists of codes, which can change between two runs. Each option has a digest of its own, so that a message can name the
/// option that differs.
package struct BatchTerms: Sendable {
    /// The options that one word in messages stands for.
    package typealias Subject = (name: String, options: [String])

    /// The options whose values may come in any order.
    private static let unordered: Set = ["--trust", "--list-key", "--record-type"]

    private let subjects: [Subject]
    /// The version of the program.
    private let version: String
    /// The digests of the values of each option, in hexadecimal digits.
    private var digests: [String: [String]] = [:]

    /// - Parameters:
    ///   - subjects: the options that decide about verdicts and their form, in the order in which a state has them.
    ///   - version: the version of the program.
    package init(subjects: [Subject], version: String) {
        self.subjects = subjects
        self.version = version
    }

    /// Adds a value of an option. An option without a value has empty content.
    package mutating func add(_ option: String, _ content: [UInt8] = []) {
        digests[option, default: []].append(SHA256.digest(content).hexadecimal)
    }

    /// The differences from the terms of an earlier run, in words; nil if there are none.
    package func difference(from earlier: BatchTerms) -> String? {
        let others = Set(unlisted + earlier.unlisted).sorted()
        var words = (subjects + [("options", others)]).compactMap { subject -> String? in
            let options = subject.options.filter { digest(of: $0) != earlier.digest(of: $0) }
            return options.isEmpty ? nil : "\(subject.name) (\(options.joined(separator: ", ")))"
        }
        if version != earlier.version {
            words.append("version (\(earlier.version.quoted(upTo: 40)), and this is \"\(version)\")")
        }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// The options that no subject lists. They count all the same.
    private var unlisted: [String] {
        digests.keys.filter { option in !subjects.contains { $0.options.contains(option) } }.sorted()
    }

    /// One digest of all values of an option; nil if the option was not given.
    private func digest(of option: String) -> String? {
        guard var digests = digests[option] else { return nil }
        if Self.unordered.contains(option) { digests.sort() }
        return digests.count == 1 ? digests[0] : SHA256.digest(digests.joined().utf8).hexadecimal
    }

    // MARK: JSON

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("version", version)
            for option in subjects.flatMap(\.options) + unlisted {
                guard let digest = digest(of: option) else { continue }
                writer.name(text: option)
                writer.value(digest)
            }
        }
    }

    /// Reads the value that `write(to:)` wrote; nil if it has another form.
    init?(_ value: JSONValue, subjects: [Subject]) {
        guard let version = value["version"]?.stringBytes, let members = value.members else { return nil }
        self.subjects = subjects
        self.version = String(decoding: version, as: UTF8.self)
        for (name, digest) in members.named {
            guard let text = digest.stringBytes, let option = name.string?.description, !option.isEmpty,
                option.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") })
            else { return nil }
            if option != "version" { digests[option] = [String(decoding: text, as: UTF8.self)] }
        }
    }
}
