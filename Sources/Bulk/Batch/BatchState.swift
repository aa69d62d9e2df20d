import CredentialReports
package import Credentials
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
