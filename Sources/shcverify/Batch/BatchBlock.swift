import JSON
import SMARTHealthCards

/// Some lines that follow one another, and what has come of them so far. It is what is handed from thread to thread.
struct BatchBlock: Sendable {
    /// Where a line is.
    struct Line: Sendable {
        /// Its place in the block's bytes, without what ends it; nil if it was too long to be held.
        let range: Range<Int>?
        /// Where the line after it begins, in bytes from where the input begins.
        let end: Int
    }

    /// A line whose card waits for what is not known yet, or for one before it that does.
    struct Pending: Sendable {
        enum Card: Sendable {
            case waiting(ExaminedCard)
            case judged(ReasonCode?, output: [UInt8])
        }

        let number: Int
        let id: BatchID?
        var card: Card
    }

    /// The number of the first line, from 1.
    let firstLine: Int
    /// What its lines are in, maybe beside those of other blocks.
    let bytes: [UInt8]
    /// How many of the bytes are its own.
    let size: Int
    let lines: [Line]

    /// How many lines have been taken up.
    var taken = 0
    /// The lines that were taken up last, where some of them have to wait.
    var pending: [Pending] = []
    /// Answers that are for this block alone: that no further issuer is asked.
    var refusals = Evidence()
    /// The answers that its waiting cards have had. They serve these, though they may serve no others any longer: else an
    /// issuer whose answers are not to be kept could have a card wait for ever.
    var answers = Evidence()
    /// The verdicts that have not been written.
    var output: [UInt8] = []
    /// What came of the lines whose verdicts have not been written.
    var tally = BatchTally()

    init(firstLine: Int, bytes: [UInt8], size: Int, lines: [Line]) {
        self.firstLine = firstLine
        self.bytes = bytes
        self.size = size
        self.lines = lines
    }

    /// How many lines a block has at most. Each block is handed from thread to thread, which costs as much as a line or two.
    static let maximumLines = 128
    /// How many bytes a block has at most, unless a single line is longer.
    static let maximumSize = 256 << 10
    /// From how much output on a block has to be written before more of its lines are taken up.
    static let maximumOutput = 1 << 20

    /// Whether every line has its verdict.
    var isDone: Bool { taken == lines.count && pending.isEmpty }

    /// The number of the line after those whose verdicts are in the output, and where it begins.
    var place: BatchPlace {
        BatchPlace(line: firstLine + taken, offset: taken > 0 ? lines[taken - 1].end : 0)
    }

    /// About how much memory it takes. What hangs on a card is several times its payload.
    var weight: Int {
        pending.reduce(size + output.count + lines.count * 24) { sum, line in
            switch line.card {
            case .waiting(let card): sum + 4 * (card.decoded?.claims.payload.text.count ?? 0)
            case .judged(_, let output): sum + output.count
            }
        }
    }
}
