public import Deflate
import JSON
public import SMARTHealthCards

/// Finds every departure from the specification in cards and in what they are made of.
///
/// Inputs are read by `add`, as deep as they go: a broken layer does not hide the next. What needs to be known of issuers
/// is asked for by `judge`, as the verifier does, since lint does no input or output. The rules are values (`Rule.all`);
/// this type only brings them before what they look at.
public struct Linter {
    var policy: LintPolicy
    let inflater: Inflater
    /// The findings by what they are about, in input order.
    private var sections: [[Finding]] = []
    private var count = 0
    private var isFull = false
    private var positions = TextPositions()
    private var left = Bounds.totalPayloadSize
    /// Cards whose issuer has not been looked into.
    private var pending: [(section: Int, jws: JWSSubject)] = []
    var splitCards: [SplitCard] = []
    /// The keys that cards of an input name, which have been looked at with their revocation lists.
    var namedKeys: Set<NamedKey> = []
    /// Whether what is read serves to judge cards by.
    var isReadingGiven = false
    /// What was found in documents that serve to judge cards by, so that it is not said of each card again.
    private var known: Set<[UInt8]> = []
    /// Cards for which another key may still be sought that they verify under.
    private var hintsLeft = Bounds.keyHints

    /// How many findings are kept of one rule in one text, and of all together.
    static let findingsOfRule = 20
    static let findingsOfRun = 10_000

    /// - Throws: `InflateError` if there is no memory for zlib's state.
    public init(policy: LintPolicy) throws(InflateError) {
        self.policy = policy
        inflater = try Inflater()
    }

    /// The findings, in input order.
    public var findings: [Finding] { sections.flatMap(\.self) }

    /// Brings the cards before the rules that need to know their issuers.
    ///
    /// - Parameter evidence: what is known of issuers.
    /// - Returns: what to get before calling this again; empty once all is done.
    public mutating func judge(with evidence: Evidence) -> [EvidenceRequest] {
        var requests: [EvidenceRequest] = []
        var waiting: [(section: Int, jws: JWSSubject)] = []
        for card in pending {
            do throws(CardProbe.Needs) {
                let probe = CardProbe(
                    jws: card.jws, policy: policy, evidence: evidence, mayTryOtherKeys: hintsLeft > 0)
                let subject = try probe.subject()
                if !subject.isSigned, case .success = subject.keys { hintsLeft -= 1 }
                lint(subject, in: card.section)
            } catch {
                waiting.append(card)
                if !requests.contains(error.request) { requests.append(error.request) }
            }
        }
        pending = waiting
        return requests
    }

    // MARK: Sections

    /// Begins what belongs together in the report.
    mutating func newSection() -> Int {
        sections.append([])
        return sections.count - 1
    }

    /// Adds what a rule found in a text, the first few of many.
    ///
    /// That there was more is itself a finding, as grave as the gravest that was left out: none may hide behind others.
    ///
    /// - Parameter isGiven: whether the text is of a document that serves to judge cards by, and has been looked at as a whole.
    mutating func add(
        _ problems: [Problem], of rule: Rule, in document: Document, to section: Int, isGiven: Bool = false
    ) {
        let problems =
            isGiven ? problems.filter { !known.contains(Self.identity($0, of: rule, in: document)) } : problems
        guard !problems.isEmpty, !policy.waivedRules.contains(rule.id) || rule.id == Rule.inputBounds.id else { return }
        if isReadingGiven { known.formUnion(problems.map { Self.identity($0, of: rule, in: document) }) }
        let shown = problems.prefix(min(Self.findingsOfRule, Self.findingsOfRun - count))
        for problem in shown { sections[section].append(Finding(rule, problem, in: document, positions: &positions)) }
        count += shown.count
        let rest = problems.dropFirst(shown.count)
        guard !rest.isEmpty else { return }
        if shown.count == Self.findingsOfRule {
            let gravest = rest.map { $0.severity ?? rule.severity }.max()
            let note = Problem("there are \(rest.count) more of these", severity: gravest)
            sections[section].append(Finding(rule, note, in: document, positions: &positions))
        } else if !isFull {
            // Not to be waived: nobody knows what it hides.
            isFull = true
            let note = Problem("there are more than \(Self.findingsOfRun) findings; the rest is left out")
            sections[section].append(Finding(.inputBounds, note, in: document, positions: &positions))
        }
    }

    /// What tells a finding from others, wherever the document was had from.
    private static func identity(_ problem: Problem, of rule: Rule, in document: Document) -> [UInt8] {
        Array([rule.id, Finding.path(of: problem, in: document) ?? "", problem.message].joined(separator: "\n").utf8)
    }

    // MARK: Cards

    /// Looks at a JWS and all that is in it, and keeps it for `judge`.
    mutating func lint(_ document: Document, kind: InputKind, isCut: Bool = false, in section: Int) {
        guard document.text.count <= Bounds.jwsSize, left > 0 else {
            return add(
                [Problem("the card was not looked at: it, or those before it, are larger than any real card")],
                of: .inputBounds, in: document, to: section)
        }
        let limit = min(left, Bounds.payloadSize)
        let jws = JWSSubject(
            document, kind: kind, isCut: isCut, policy: policy, inflater: inflater, maximumPayloadSize: limit)
        left -= min(left, jws.payload?.document.text.count ?? 0)
        if let problem = Self.problem(with: jws, limit: limit) {
            return add([problem], of: .inputBounds, in: document, to: section)
        }
        for rule in Rule.all {
            if case .jws(let check) = rule.check { add(check(jws), of: rule, in: document, to: section) }
        }
        if let header = jws.header {
            for rule in Rule.all {
                if case .header(let check) = rule.check {
                    add(check(header), of: rule, in: header.document, to: section)
                }
            }
        }
        if let payload = jws.payload { lint(payload, in: section) }
        if !isCut { pending.append((section, jws)) }
    }

    /// What keeps a JWS from being looked at: not what is wrong with it, but its size, or that of those before it.
    private static func problem(with jws: JWSSubject, limit: Int) -> Problem? {
        if let header = jws.parts.first, header.bytes.count > Bounds.headerSize {
            return Problem("the header is larger than \(Bounds.headerSize) bytes")
        }
        guard limit < Bounds.payloadSize, case .other(let error) = jws.compression, case .tooLarge = error.reason else {
            return nil
        }
        return Problem("the payloads of the cards before it have used up what one run inflates")
    }

    /// Looks at a payload and the Bundle in it.
    mutating func lint(_ payload: PayloadSubject, in section: Int) {
        for rule in Rule.all {
            if case .payload(let check) = rule.check {
                add(check(payload), of: rule, in: payload.document, to: section)
            }
        }
        if let bundle = payload.bundle { lint(bundle, in: section) }
    }

    /// Looks at a Bundle.
    mutating func lint(_ bundle: BundleSubject, in section: Int) {
        for rule in Rule.all {
            if case .bundle(let check) = rule.check { add(check(bundle), of: rule, in: bundle.document, to: section) }
        }
    }
}
