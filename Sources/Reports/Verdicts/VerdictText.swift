import Credentials
import FHIR
import JSON

/// Verdicts as text for people: the verdict, the issuer and the holder, the records, the checks and the Bundle.
struct VerdictText: Report {
    private let palette: Palette
    private let names: CodeNames
    private let width: Int?
    private let repeatsReasons: Bool
    private let tool: Tool
    private var tally = Tally()
    /// The line that ends the report if no other card follows.
    private var lastLine = ""

    /// The totals so far, for the last line.
    private struct Tally {
        var cards = 0
        var verified = 0
        /// The verified cards whose issuer was not checked.
        var unchecked = 0

        mutating func add(_ verdict: Verdict) {
            cards += 1
            guard verdict.verified != nil else { return }
            verified += 1
            if verdict.issuerTrust == .unchecked { unchecked += 1 }
        }
    }

    init(names: CodeNames, to destination: Destination, by tool: Tool) {
        palette = destination.palette
        width = destination.width
        repeatsReasons = !destination.showsMessages
        self.names = names
        self.tool = tool
    }

    mutating func add(_ verdict: Verdict, to sink: ReportSink) throws {
        let begin = tally.cards == 0 ? "" : "\n"
        tally.add(verdict)
        lastLine = tally.cards == 1 ? summary(verdict) : summary(tally)
        try sink(TerminalText.log(begin + lines(verdict).joined(separator: "\n") + "\n"))
    }

    /// Writes the verdict again as the last line, which stays on the screen after a long report.
    func finish(to sink: ReportSink) throws {
        guard tally.cards > 1 || width != nil && tally.cards == 1 else { return }
        try sink(TerminalText.log("\n\(lastLine)\n"))
    }

    private func summary(_ verdict: Verdict) -> String {
        let source = verdict.examined.presented.source
        // A single card needs no number, and an input that could not be read has none.
        let isNumbered = verdict.reason?.code != .unreadableInput && source.utf8.suffix(2).elementsEqual("#0".utf8)
        return headline(verdict) + " " + TerminalText.printable(isNumbered ? String(source.dropLast(2)) : source)
    }

    private func summary(_ tally: Tally) -> String {
        let failed = tally.cards - tally.verified
        let counts = "\(tally.cards) cards: \(tally.verified) verified, \(failed) not"
        let unchecked = tally.unchecked == 0 ? "" : "; \(tally.unchecked) by an issuer that was not checked"
        return palette(failed == 0 ? .good : .bad, counts) + unchecked
    }

    private func lines(_ verdict: Verdict) -> [String] {
        var lines = [headline(verdict)]
        if let link = verdict.examined.presented.link?.link { lines.append(field("Link", link.words)) }
        lines.append(field("Card", TerminalText.printable(verdict.examined.presented.source)))
        if let reason = verdict.reason {
            if repeatsReasons {
                lines.append(
                    field("Reason", "\(reason.code.rawValue): \(TerminalText.printable(tool.message(of: reason)))"))
            }
            if let more = tool.explanation(of: reason.code) { lines.append(field("", palette(.faint, more))) }
        }
        let contents = verdict.claims.flatMap { CardContents($0, names: names) }
        if let claims = verdict.claims {
            lines.append("")
            if verdict.verified == nil {
                lines.append(palette(.bad, "NOT VERIFIED. The card only claims the following:"))
            }
            lines += self.claims(claims, contents, verdict)
        }
        lines += ["", palette(.heading, "Checks")]
        lines += verdict.checks.map(check)
        let warnings = verdict.warnings + (contents?.warnings ?? [])
        if !warnings.isEmpty {
            lines += ["", palette(.heading, "Warnings")]
            lines += warnings.map { "  \($0.code.rawValue): \(TerminalText.printable($0.message))" }
        }
        if let bundle = verdict.claims?.fhirBundle {
            let title = verdict.verified == nil ? "FHIR Bundle (claimed by the card, NOT VERIFIED)" : "FHIR Bundle"
            lines += ["", palette(.heading, title), Self.indented(bundle)]
        } else if let certificate = verdict.claims?.certificate {
            let title = verdict.verified == nil ? "Certificate (as claimed, NOT VERIFIED)" : "Certificate"
            lines += ["", palette(.heading, title), Self.indented(certificate)]
        }
        return lines
    }

    /// The first line. Anyone can publish keys at an address of their own, so the line says if the issuer was not
    /// checked.
    private func headline(_ verdict: Verdict) -> String {
        switch verdict.outcome {
        case .pass:
            palette(
                .good,
                symbol("✓")
                    + (verdict.issuerTrust == .unchecked ? "PASS (signature valid, issuer not checked)" : "PASS"))
        case .fail(let reason): palette(.bad, symbol("✗") + "FAIL (\(reason.code.rawValue))")
        case .undetermined(let reason): palette(.unsure, symbol("?") + "UNDETERMINED (\(reason.code.rawValue))")
        }
    }

    /// A symbol for people, only together with colour. Scripts look for the word after it.
    private func symbol(_ sign: String) -> String { palette.isOn ? "\(sign) " : "" }

    private func claims(_ claims: any Claims, _ contents: CardContents?, _ verdict: Verdict) -> [String] {
        var lines: [String] = []
        if let issuer = claims.issuer {
            lines.append(
                field("Issuer", "\(TerminalText.printable(issuer, upTo: 300)) (\(words(for: verdict)))"))
        }
        if let entry = verdict.directoryEntry {
            for text in [
                entry.name?.description, entry.website?.description, entry.canonicalIssuer.map { "an alias of \($0)" },
            ] {
                if let text { lines.append(field("", TerminalText.printable(text, upTo: 200))) }
            }
        }
        if claims.issuer == nil, verdict.isOfCertificate {
            lines.append(field("Issuer", "not named (\(words(for: verdict)))"))
        }
        if let name = claims.issuerName { lines.append(field("", TerminalText.printable(name, upTo: 200))) }
        if let signer = verdict.signerCertificate {
            lines.append(field("Signer", TerminalText.printable(signer.subject, upTo: 200)))
        }
        for subject in contents?.subjects ?? [] {
            lines.append(field("Name", subject.name.map { TerminalText.printable($0, upTo: 200) } ?? "not given"))
            if let born = subject.birthDate { lines.append(field("Born", TerminalText.printable(born, upTo: 40))) }
            if let level = subject.identityAssurance {
                lines.append(field("Identity", "assured to level \(TerminalText.printable(level, upTo: 40))"))
            }
        }
        if let issued = claims.issued?.calendarText { lines.append(field("Issued", issued)) }
        if let expires = claims.expires?.calendarText { lines.append(field("Expires", expires)) }
        let records = contents?.records ?? []
        if !records.isEmpty {
            lines += ["", palette(.heading, "Records")]
            lines += RecordTable(records, subjects: contents?.subjects, width: width).lines(palette: palette)
        }
        return lines
    }

    private func words(for verdict: Verdict) -> String {
        // A card that failed may name any issuer, so the directory's words about that issuer do not apply.
        guard verdict.verified != nil else { return verdict.issuerTrust == .untrusted ? "NOT TRUSTED" : "claimed" }
        return tool.words(for: verdict.issuerTrust)
    }

    private func check(_ check: Check) -> String {
        let style: Palette.Style =
            switch check.status {
            case .pass: .good
            case .fail: .bad
            case .undetermined: .unsure
            case .skipped: .faint
            }
        let status = check.status.rawValue
        let detail = check.status == .fail || check.status == .undetermined ? "see the reason above" : check.detail
        return "  " + padded(check.name.rawValue, to: 13) + palette(style, padded(status, to: 14))
            + TerminalText.printable(detail)
    }

    private func field(_ name: String, _ value: String) -> String {
        palette(.heading, padded(name, to: 9)) + value
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func indented(_ value: JSONValue) -> String {
        var writer = JSONWriter(layout: .indented, escapesUnprintable: true)
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
