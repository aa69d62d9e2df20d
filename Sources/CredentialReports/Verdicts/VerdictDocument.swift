import Credentials
import Encodings
import FHIR

/// What reports for people say about a verdict. A page first answers what a person asks: whose card it is, what it records, who issued it
/// and why that issuer is trusted. What developers ask for is folded away: codes, the checks, the key, the Bundle.
struct VerdictDocument {
    let terms: ReportTerms
    /// The container of the last card. What became of its items is said once, not with each card.
    var container: (any Container)?

    private var tool: Tool { terms.tool }

    /// - Parameter isPage: whether the blocks are for a page, and not for text.
    mutating func blocks(of verdict: Verdict, _ contents: CardContents?, isPage: Bool) -> [Block] {
        defer { container = verdict.examined.presented.place?.container }
        return isPage ? page(verdict, contents) : text(verdict, contents)
    }

    @Blocks private func text(_ verdict: Verdict, _ contents: CardContents?) -> [Block] {
        let headline = Headline(verdict, terms.time)
        let more = (verdict.reason?.code.rawValue ?? headline.topic).flatMap { tool.explanation(of: $0) }
        let explanation = more.map { Words($0, .tone(.faint)) }
        Block.line(headline.line)
        if let reason = verdict.reason {
            let words: Words = "\(reason.code.rawValue): \(message: tool.message(of: reason))"
            Block.labelled("Reason", [words] + [explanation].compactMap(\.self))
        }
        carriers(of: verdict)
        Block.labelled(
            "Card",
            ["\(from: verdict.examined.presented.source)"]
                + (verdict.reason == nil ? [explanation].compactMap(\.self) : []))
        if let claims = verdict.claims {
            Block.section(nil) {
                if let notice = headline.notice { Block.line(Words(notice), isWarning: true) }
                Block.fields(
                    verdict.issuerLines(claims, by: tool) + Verdict.personLines(contents) + Verdict.timeLines(claims))
                records(contents, "Records")
            }
        }
        if !terms.isBrief { checks(verdict) }
        Block.warnings(verdict.warnings + (contents?.warnings ?? []))
        if !terms.isBrief { content(verdict) }
    }

    @Blocks private func page(_ verdict: Verdict, _ contents: CardContents?) -> [Block] {
        let headline = Headline(verdict, terms.time)
        let explanation = verdict.reason?.code.explanation(for: verdict.examined.presented.kind)
        carriers(of: verdict)
        if let reason = verdict.reason, let explanation {
            Block.section("Reason") {
                if !reason.code.isTechnical { Block.line("\(message: reason.message)") }
                Block.line(Words(explanation.meaning))
                Block.line("What to do: \(reason.code.holderAdvice)")
            }
        }
        if let (meaning, _, holder) = headline.topic.flatMap({ tool.topics?($0) }) {
            Block.section("What this means") {
                Block.line(Words(meaning))
                if let holder { Block.line("If you hold the card: \(holder)") }
            }
        }
        if let claims = verdict.claims {
            Block.section(nil, style: verdict.claimsStyle) {
                if let notice = headline.notice { Block.line(Words(notice), isWarning: true) }
                Block.fields(Verdict.personLines(contents))
                records(contents, verdict.isSigned ? "Records" : "Records (NOT VERIFIED)")
                Block.section(nil) {
                    Block.fields(verdict.issuerLines(claims, by: tool.withoutOptions) + Verdict.timeLines(claims))
                }
            }
        }
        Block.warnings(verdict.warnings + (contents?.warnings ?? []))
        if verdict.reason != nil || !verdict.checks.isEmpty || verdict.claims != nil {
            Block.details("Technical details", details(verdict, headline, remedy: explanation?.remedy))
        }
    }

    /// What developers and operators ask for: the reason's code, options of the program, the checks, the key, and the Bundle or
    /// certificate.
    @Blocks private func details(_ verdict: Verdict, _ headline: Headline, remedy: String?) -> [Block] {
        if let reason = verdict.reason, let remedy {
            let code = reason.code.rawValue
            let more = tool.explanation(of: code).map { "; \($0)" } ?? ""
            Block.labelled("Reason", ["\(code, .code): \(message: tool.message(of: reason))\(more)", Words(remedy)])
        } else if let topic = headline.topic {
            let words = [tool.topics?(topic)?.remedy, tool.explanation(of: topic).map { $0 + "." }]
                .compactMap(\.self)
            if !words.isEmpty { Block.labelled("What to do", [Words(words.joined(separator: " "))]) }
        }
        if !verdict.checks.isEmpty { checks(verdict) }
        if let key = verdict.claims?.keyID {
            Block.section(nil) { Block.fields([("Key", "\(key, upTo: 200)\(origin(of: verdict), .note)")]) }
        }
        content(verdict)
    }

    /// The container that the card came in.
    @Blocks private func carriers(of verdict: Verdict) -> [Block] {
        if let container = verdict.examined.presented.place?.container {
            let name = container.inputForm.rawValue
            Block.labelled(
                name.capitalizedFirst,
                [Words(container.words)]
                    + (container === self.container ? [] : container.remarks.map { "\(from: $0)" }))
        }
    }

    /// The persons and records of a card.
    func contents(of verdict: Verdict) -> CardContents? {
        verdict.claims.flatMap { CardContents($0, names: terms.names, at: terms.time.moment(for: $0)) }
    }

    @Blocks private func records(_ contents: CardContents?, _ title: Words) -> [Block] {
        if let contents, !contents.records.isEmpty {
            Block.section(title) { Block.records(contents.records, subjects: contents.subjects) }
        }
    }

    private func checks(_ verdict: Verdict) -> Block {
        let rows = verdict.checks.map { check -> [Words] in
            // A check that passed is no good news if the card failed another one.
            let style = verdict.verified == nil && check.style == .good ? .faint : check.style
            return [Words(check.word), Words(check.resultWords, .tone(style)), "\(message: check.words)"]
        }
        return .section(
            "Checks", [.indented(2, [.rows(rows, titles: ["Check", "Result", "Details"], columns: [13, 16])])])
    }

    @Blocks private func content(_ verdict: Verdict) -> [Block] {
        if let (title, content) = verdict.signedContent {
            Block.section(Words(title), style: verdict.claimsStyle) { Block.json(content) }
        }
    }

    /// Where the key that the card names comes from, if the card verified with it.
    private func origin(of verdict: Verdict) -> String {
        switch verdict.isSigned ? verdict.keyOrigin : nil {
        case .jwksFile: " (from a given key set)"
        case .directory: " (from a directory)"
        case .cache: " (from the cache)"
        case .network: " (from the issuer)"
        case nil: ""
        }
    }
}

extension Verdict {
    /// The class of claims in the style sheet.
    fileprivate var claimsStyle: String { verified != nil ? "claims" : isSigned ? "over" : "unverified" }
}
