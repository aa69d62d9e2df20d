import Bytes
import Conformance
import CredentialReports
import Credentials
import StrictJSON

/// Lints the lines of one block after the other, on one thread: each line as `lint` lints an input of its own.
final class LineLinter: LineWorker {
    /// A line whose issuer must be asked is begun again with the answer, so none is kept.
    typealias Pending = Never
    typealias Tally = LineLintTally

    private var linter: Linter
    private let form: LineLintForm
    private var report: LintLineJSON

    /// - Parameter linter: a linter that has read the files of options. Their findings are not repeated.
    init(_ linter: Linter, form: LineLintForm) {
        self.linter = linter
        self.form = form
        report = LintLineJSON(escapesUnprintable: form.escapesUnprintable)
    }

    func advance(_ work: inout BlockWork<LineLinter>, with known: Evidence) -> [EvidenceRequest] {
        var evidence = known
        evidence.formUnion(work.refusals, replacing: true)
        evidence.formUnion(work.answers, replacing: false)
        while work.hasRoom {
            let number = work.block.firstLine + work.taken
            let line = work.block.content(ofLine: work.taken).map { Line($0) }
            read(line)
            let requests = linter.judge(with: evidence)
            guard requests.isEmpty else { return requests }
            let found = linter.findings
            // Nobody knows what is in a line that is too long.
            let new = found.filter { line == nil || $0.standsForOthers || !form.baseline.contains($0.fingerprint) }
            if form.prints { for finding in new { write(finding, number, line?.id, to: &work.output) } }
            work.tally.add(
                new, known: found.count - new.count, inLine: number,
                hasFailed: new.contains { $0.severity >= form.failsOn }, keeps: form.keeps)
            work.taken += 1
        }
        return []
    }

    /// Begins a line.
    ///
    /// - Parameter line: the line; nil if it is too long.
    private func read(_ line: Line?) {
        linter.beginAgain()
        linter.subject = line?.subject ?? .text([])
        guard let line else { return linter.add(tooLong: LineReader.maximumLine, source: form.source) }
        for content in line.contents { linter.add(content, source: form.source, as: form.kind) }
        linter.finishReading()
        linter.addUnopenedLinks(because: "lint --lines opens no links")
    }

    private func write(_ finding: Finding, _ number: Int, _ id: LineID?, to output: inout [UInt8]) {
        report.write(finding, line: number, to: &output) { writer in
            guard let id else { return }
            writer.name("id")
            id.write(to: &writer)
        }
    }

    /// A line that is not too long.
    private struct Line {
        let id: LineID?
        /// The inputs in the line: the text of `card`, if the line is a JSON object with one, as in `batch`; else the line itself,
        /// without the carriage return of its line break. A line that is also a file of cards, which `batch` refuses, is checked as both.
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
            contents = object.isAlsoFile ? [bytes, card] : [card]
        }

        /// What identifies the input, whichever line it is in: its ID, or if it has none, its text.
        var subject: FindingSubject {
            guard let id else { return .text(contents[0]) }
            var writer = JSONWriter()
            id.write(to: &writer)
            return .id(String(decoding: writer.bytes, as: UTF8.self))
        }
    }
}
