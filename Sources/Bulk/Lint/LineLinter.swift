import Conformance
import CredentialReports
import Credentials
import Cryptography
import Encodings
import LintReports
import SMARTHealthCards

/// Lints the lines of one block after the other, on one thread: each line as `lint` lints an input of its own.
final class LineLinter: LineWorker {
    /// A line whose issuer must be asked is begun again with the answer, so none is kept.
    typealias Pending = Never
    typealias Tally = LineLintTally

    /// One for each line of a group. The signatures of a group are verified together.
    private var linters: [Linter]
    private let confirmer: (any SignatureConfirmer)?
    private let form: LineLintForm
    private var report: LintLineJSON

    /// What the lines of a group have together, but for the last one: bytes with their payloads, and findings that need no issuer.
    private static let groupSize = (bytes: 1 << 20, findings: 1_000)
    /// The number of lines of the next group. The lines after one that waits are read again, so fewer are read after a wait.
    private var nextCount: Int

    /// - Parameters:
    ///   - linter: a linter that has read the files of options. Their findings are not repeated.
    ///   - precomputation: what confirms signatures faster than OpenSSL's usual verification; nil for that alone.
    init(_ linter: Linter, precomputation: Precomputation?, form: LineLintForm) {
        confirmer = precomputation?.confirmer()
        linters = Array(repeating: linter, count: confirmer?.bestCount ?? 1)
        nextCount = linters.count
        self.form = form
        report = LintLineJSON(escapesUnprintable: form.escapesUnprintable)
    }

    func advance(_ work: inout BlockWork<LineLinter>, with known: EvidenceAnswers) -> [EvidenceRequest] {
        var evidence = known
        evidence.formUnion(work.refusals, replacing: true)
        evidence.formUnion(work.answers, replacing: false)
        while work.hasRoom {
            let group = readGroup(of: work.block, from: work.taken)
            let claims = claims(of: group.count, with: evidence)
            for (place, line) in group.enumerated() where work.hasRoom {
                let requests = linters[place].judge(with: evidence, claim: claims[place])
                guard requests.isEmpty else {
                    nextCount = 1
                    return requests
                }
                finish(line, linters[place].takeFindings(), in: &work)
            }
            nextCount = min(2 * nextCount, linters.count)
        }
        return []
    }

    /// Reads the next lines: as many as are best verified together. Those that come after one that waits, or after one with which the
    /// output is full, are read again.
    ///
    /// - Returns: the lines; nil for one that is too long.
    private func readGroup(of block: LineBlock, from first: Int) -> [Line?] {
        var group: [Line?] = []
        var (size, findings) = (0, 0)
        while group.count < nextCount, first + group.count < block.lines.count, size < Self.groupSize.bytes,
            findings < Self.groupSize.findings
        {
            let content = block.content(ofLine: first + group.count)
            let line = content.map { Line($0) }
            read(line, with: &linters[group.count])
            let kept = linters[group.count].kept()
            findings += kept.findings
            size += (content?.count ?? 0) + kept.bytes
            group.append(line)
        }
        return group
    }

    /// The claims about the signatures of a group, with the answers that were found.
    private func claims(of count: Int, with evidence: EvidenceAnswers) -> [SignatureClaim?] {
        guard let confirmer else { return Array(repeating: nil, count: count) }
        var claims: [SignatureClaim?] = []
        for place in 0..<count { claims.append(linters[place].claim(with: evidence)) }
        confirmer.answer(&claims)
        return claims
    }

    /// Begins a line.
    ///
    /// - Parameter line: the line; nil if it is too long.
    private func read(_ line: Line?, with linter: inout Linter) {
        linter.beginAgain()
        linter.subject = line?.subject ?? .text([])
        guard let line else { return linter.add(tooLong: LineReader.maximumLine, source: form.source) }
        for content in line.contents { linter.add(content, source: form.source, as: form.kind) }
        linter.finishReading()
        linter.addUnopenedLinks(because: "lint --lines opens no links")
    }

    /// Counts and writes what was found in the next line.
    private func finish(_ line: Line?, _ found: [Finding], in work: inout BlockWork<LineLinter>) {
        let number = work.block.firstLine + work.taken
        // Nobody knows what is in a line that is too long.
        let new = found.filter { line == nil || $0.standsForOthers || !form.baseline.contains($0.fingerprint) }
        for finding in new where form.prints { report.write(finding, line: number, id: line?.id, to: &work.output) }
        work.tally.add(
            new, known: found.count - new.count, inLine: number,
            hasFailed: new.contains { $0.severity >= form.failsOn }, keeps: form.keeps)
        work.taken += 1
    }

    /// A line that is not too long.
    private struct Line {
        let id: LineID?
        /// The inputs in the line: the text of `card`, if the line is a JSON object with one, as in `batch`; else the line itself,
        /// without the carriage return of its line break. A line that is something else too, which `batch` refuses, is checked as both.
        let contents: [[UInt8]]

        init(_ line: ArraySlice<UInt8>) {
            let bytes = Array(line.last == 0x0D ? line.dropLast() : line)
            guard bytes.first == UInt8(ascii: "{"), bytes.count <= Bounds.inputSize,
                let object = try? LineObject(bytes), let card = object.card?.stringBytes
            else {
                id = nil
                contents = [bytes]
                return
            }
            id = object.id
            contents = object.otherContent != nil ? [bytes, card] : [card]
        }

        /// What identifies the input, whichever line it is in: its ID, or if it has none, its text.
        var subject: FindingSubject {
            guard let id else { return .text(contents[0]) }
            return .id(String(decoding: id.text, as: UTF8.self))
        }
    }
}
