import FHIR
import JSON
import SMARTHealthCards

/// `--format json`: one document that carries everything.
///
/// Its head has the exit code, which is known from the first card on that does not verify, else at the end. Until then what
/// is to follow waits.
struct JSONReport: VerificationReport {
    private let now: NumericDate
    private let cards: CardJSON
    private let escapesUnprintable: Bool
    private var waiting: [UInt8] = []
    private var isFirst = true
    private var hasHead = false

    init(now: NumericDate, names: CodeNames, escapesUnprintable: Bool) {
        self.now = now
        cards = CardJSON(names: names)
        self.escapesUnprintable = escapesUnprintable
    }

    mutating func add(_ verdict: Verdict) -> [UInt8] {
        var writer = JSONWriter(layout: .indented, escapesUnprintable: escapesUnprintable, depth: 2)
        cards.write(verdict, to: &writer)
        waiting += Array((isFirst ? "\n    " : ",\n    ").utf8) + writer.bytes
        isFirst = false
        if verdict.reason != nil { writeHead(verdict) }
        guard hasHead else { return [] }
        defer { waiting = [] }
        return waiting
    }

    mutating func finish() -> [UInt8] {
        writeHead(nil)
        return waiting + Array("\n  ]\n}\n".utf8)
    }

    /// Puts the head before what waits, once.
    ///
    /// - Parameter verdict: the first that is not a pass; nil if there is none.
    private mutating func writeHead(_ verdict: Verdict?) {
        guard !hasHead else { return }
        hasHead = true
        var writer = JSONWriter(layout: .indented)
        writer.object { writer in
            writer.member("schemaVersion", 1)
            writer.member("verdict", verdict?.name ?? "pass")
            writer.member("exitCode", Int(verdict?.reason?.code.exitCode ?? 0))
            writer.member("verifiedAt", now.toTheSecond.description)
        }
        let head = writer.bytes.prefix { $0 != UInt8(ascii: "}") }.dropLast()
        waiting = head + Array(",\n  \"cards\": [".utf8) + waiting
    }
}
