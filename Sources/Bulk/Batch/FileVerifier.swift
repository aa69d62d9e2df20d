import Bytes
import CredentialReports
package import Credentials
package import HTTPSFetch
import LocalFiles
import SMARTHealthCards
import Verification

/// Reads the cards of a file.
package protocol FileReader: Sendable {
    /// Reads all cards of a file. It may take long, so no thread that others wait for may call it.
    ///
    /// - Parameters:
    ///   - path: its path.
    ///   - line: the number of the line with the path.
    /// - Returns: the cards, at least one. A file that cannot be read, or has no card, is one card with the failure.
    /// - Throws: `InstallationFault` if no picture can be read at all.
    func cards(of path: String, line: Int) throws(InstallationFault) -> [PresentedCredential]
}

/// Verifies the cards of files whose paths are the lines of one block after the other, on one thread (`batch --pictures`).
final class FileVerifier: LineWorker {
    typealias Tally = BatchTally

    /// A line whose verdicts cannot be written yet: one of its cards waits for evidence, or the line comes after one with such a card.
    struct Pending: PendingLine {
        let number: Int
        var cards: [BatchVerifier.Pending.Card]

        var weight: Int { cards.reduce(0) { $0 + $1.weight } }
    }

    private let verifier: CredentialVerifier
    private let files: any FileReader
    private var writer: BatchWriter

    init(
        policy: VerificationPolicy, precomputation: Precomputation?, form: BatchForm, files: any FileReader
    ) throws(OutOfMemory) {
        verifier = try CredentialVerifier(policy: policy, precomputation: precomputation)
        self.files = files
        writer = BatchWriter(form)
    }

    func advance(
        _ work: inout BlockWork<FileVerifier>, with known: Evidence
    ) throws(InstallationFault) -> [EvidenceRequest] {
        var evidence = known
        evidence.formUnion(work.refusals, replacing: true)
        if !work.pending.isEmpty {
            var completed = evidence
            completed.formUnion(work.answers, replacing: false)
            let requests = settle(&work, with: completed)
            guard requests.isEmpty else { return requests }
            work.answers = Evidence()
        }
        while work.hasRoom {
            let number = work.block.firstLine + work.taken
            let cards = try cards(of: work.block.content(ofLine: work.taken), line: number)
            work.pending.append(Pending(number: number, cards: cards.map { .waiting(verifier.examine($0)) }))
            work.taken += 1
            let requests = settle(&work, with: evidence)
            guard requests.isEmpty else { return requests }
        }
        return []
    }

    /// The cards of the file whose path is a line.
    private func cards(
        of line: ArraySlice<UInt8>?, line number: Int
    ) throws(InstallationFault) -> [PresentedCredential] {
        // Lists from Windows end their lines with a carriage return.
        let path = line.map { $0.last == 0x0D ? $0.dropLast() : $0 }
        guard path?.isEmpty != true else {
            return [failure(.emptyInput, "the line is empty, and each line is the path of a file", number)]
        }
        guard let path, path.count <= InputReader.longestName else {
            return [failure(.unreadableInput, "the line is too long for the path of a file", number)]
        }
        guard !path.contains(0) else {
            return [failure(.unreadableInput, "the line is not the path of a file: it has a NUL byte", number)]
        }
        guard let name = String(validating: path, as: UTF8.self) else {
            return [failure(.unreadableInput, "the line is not the path of a file: it is not text in UTF-8", number)]
        }
        return try files.cards(of: name, line: number)
    }

    private func failure(_ code: ReasonCode, _ message: String, _ number: Int) -> PresentedCredential {
        PresentedCredential(failure: VerificationFailure(code, message), source: "line \(number)")
    }

    /// Verifies the cards that have no verdict, and writes the lines before the first that still waits.
    private func settle(_ work: inout BlockWork<FileVerifier>, with evidence: Evidence) -> [EvidenceRequest] {
        // A run may go on for days, so the time is read again.
        verifier.time = verifier.time.continued
        var requests: [EvidenceRequest] = []
        for line in work.pending.indices {
            for index in work.pending[line].cards.indices {
                guard case .waiting(let card) = work.pending[line].cards[index] else { continue }
                switch verifier.verify([card], with: evidence)[0] {
                case .verdict(let verdict):
                    var output: [UInt8] = []
                    writer.write(
                        verdict, number: work.pending[line].number, id: nil, at: verifier.time, to: &output)
                    work.pending[line].cards[index] = .judged(verdict, output: output)
                case .needs(let request): if !requests.contains(request) { requests.append(request) }
                }
            }
        }
        while let line = work.pending.first, line.cards.allSatisfy(\.isJudged) {
            for case .judged(let reason, let notes, let output) in line.cards {
                work.output += output
                work.tally.add(reason, notes)
            }
            work.pending.removeFirst()
        }
        return requests
    }
}
