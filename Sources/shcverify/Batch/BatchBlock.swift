import CredentialReports
import Credentials
import SMARTHealthCards
import StrictJSON
import Verification

/// Consecutive lines of the input, and their results so far. Threads hand blocks to one another.
struct BatchBlock: Sendable {
    /// The place of a line.
    struct Line: Sendable {
        /// The range of the line in the block's bytes, without its line break; nil if the line is too long and was
        /// skipped.
        let range: Range<Int>?
        /// The offset of the next line, in bytes from the beginning of the input.
        let end: Int
    }

    /// A line whose verdict cannot be written yet: its card waits for evidence, or comes after one that does.
    struct Pending: Sendable {
        enum Card: Sendable {
            case waiting(CredentialVerifier.Examined)
            case judged(ReasonCode?, PassNotes, output: [UInt8])

            /// A card with its verdict, of which only what is counted is kept.
            static func judged(_ verdict: Verdict, output: [UInt8]) -> Card {
                .judged(verdict.reason?.code, PassNotes(on: verdict), output: output)
            }
        }

        let number: Int
        let id: BatchID?
        var card: Card
    }

    /// The sums of the input before this block and up to its end.
    struct Sums: Sendable {
        let before: BatchInputSum
        let after: BatchInputSum
        /// Where the block begins in its bytes.
        let begin: Int
    }

    /// The number of the first line, from 1.
    let firstLine: Int
    /// The bytes that contain the lines, and perhaps those of other blocks.
    let bytes: [UInt8]
    /// How many of the bytes belong to this block.
    let size: Int
    let lines: [Line]
    /// The sums at both ends; nil if none are kept.
    var sums: Sums?

    /// How many lines have been started.
    var taken = 0
    /// The lines that were started last, from the first one that has to wait.
    var pending: [Pending] = []
    /// Answers for this block only. They say that no further issuer is asked.
    var refusals = Evidence()
    /// The answers that this block's waiting cards caused. They apply to these cards even if they are no longer fresh.
    /// Otherwise a card would wait for ever if its issuer's answers may not be kept.
    var answers = Evidence()
    /// The verdicts that have not been written yet.
    var output: [UInt8] = []
    /// The counts of the lines whose verdicts have not been written yet.
    var tally = BatchTally()

    init(firstLine: Int, bytes: [UInt8], size: Int, lines: [Line]) {
        self.firstLine = firstLine
        self.bytes = bytes
        self.size = size
        self.lines = lines
    }

    /// The maximum number of lines in a block. Handing over a block costs as much time as a line or two.
    static let maximumLines = 128
    /// The maximum number of bytes in a block, unless a single line is longer.
    static let maximumSize = 256 << 10
    /// With this much output, a block is written before more of its lines are started.
    static let maximumOutput = 1 << 20

    /// Whether each line has a verdict.
    var isDone: Bool { taken == lines.count && pending.isEmpty }

    /// The place after the lines whose verdicts are in the output.
    var place: BatchPlace {
        let count = taken - pending.count
        return BatchPlace(line: firstLine + count, offset: count > 0 ? lines[count - 1].end : 0)
    }

    /// The sum of the input before `place`, of the bytes that were judged; nil if none is kept.
    var sum: BatchInputSum? {
        guard let sums else { return nil }
        let length = place.offset - sums.before.offset
        guard place.offset < sums.after.offset else { return sums.after }
        guard length > 0 else { return sums.before }
        var sum = sums.before
        sum.add(bytes[sums.begin..<sums.begin + length])
        return sum
    }

    /// The memory that the block takes, estimated. A card takes several times the size of its payload.
    var weight: Int {
        pending.reduce(size + output.count + lines.count * 24) { sum, line in
            switch line.card {
            case .waiting(let card): sum + 4 * card.payloadSize
            case .judged(_, _, let output): sum + output.count
            }
        }
    }
}

/// A place in the input, between two lines.
struct BatchPlace: Sendable, Equatable {
    /// The number of the next line, from 1.
    var line: Int
    /// The offset of the next line, in bytes from the beginning of the input.
    var offset: Int

    static let beginning = BatchPlace(line: 1, offset: 0)
}
