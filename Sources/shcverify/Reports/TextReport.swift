import FHIR
import JSON
import SMARTHealthCards

/// The report for people: the verdict, who issued the card to whom, what it records, the checks, the Bundle.
struct TextReport: VerificationReport {
    private let palette: Palette
    private let names: CodeNames
    private let width: Int?
    private let repeatsReasons: Bool
    private var tally = Tally()
    /// The line that ends the report, if it ended here.
    private var lastLine = ""

    /// What has been reported, for the last line.
    private struct Tally {
        var cards = 0
        var verified = 0
        /// Those among the verified whose issuer nobody checked.
        var unchecked = 0

        mutating func add(_ verdict: Verdict) {
            cards += 1
            guard verdict.verified != nil else { return }
            verified += 1
            if verdict.issuerTrust == .unchecked { unchecked += 1 }
        }
    }

    /// - Parameters:
    ///   - palette: the colours.
    ///   - names: names for codes.
    ///   - width: how many columns the terminal has; nil if the report does not go to one.
    ///   - repeatsReasons: whether the report says why a card failed. On a terminal that shows standard error too, the reason
    ///     is right above the report already.
    init(palette: Palette, names: CodeNames, width: Int?, repeatsReasons: Bool = true) {
        self.palette = palette
        self.names = names
        self.width = width
        self.repeatsReasons = repeatsReasons
    }

    mutating func add(_ verdict: Verdict) -> [UInt8] {
        let begin = tally.cards == 0 ? "" : "\n"
        tally.add(verdict)
        lastLine = tally.cards == 1 ? summary(verdict) : summary(tally)
        return TerminalText.log(begin + lines(verdict).joined(separator: "\n") + "\n")
    }

    /// The last line: what stays on the screen when a long report has gone by.
    func finish() -> [UInt8] {
        tally.cards > 1 || width != nil && tally.cards == 1 ? TerminalText.log("\n\(lastLine)\n") : []
    }

    private func summary(_ verdict: Verdict) -> String {
        let source = verdict.examined.presented.source
        // The one card of its input needs no number. An input that could not be read has none.
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
        lines.append(field("Card", TerminalText.printable(verdict.examined.presented.source)))
        if let reason = verdict.reason {
            if repeatsReasons {
                lines.append(field("Reason", "\(reason.code.rawValue): \(TerminalText.printable(reason.words()))"))
            }
            lines.append(field("", palette(.faint, "\"shcverify explain \(reason.code.rawValue)\" says more")))
        }
        let contents = verdict.claims.flatMap { CardContents($0, names: names) }
        if let claims = verdict.claims {
            lines.append("")
            if verdict.verified == nil {
                lines.append(palette(.bad, "NOT VERIFIED. What follows is only what the card claims:"))
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
        }
        return lines
    }

    /// The first line. Anyone can publish keys at an address of their own, so where no one was asked whether the issuer
    /// is to be trusted, the line says that.
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

    /// A sign for people, where there is colour; scripts look for the word that follows.
    private func symbol(_ sign: String) -> String { palette.isOn ? "\(sign) " : "" }

    private func claims(_ claims: CardClaims, _ contents: CardContents?, _ verdict: Verdict) -> [String] {
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
        // What a card that failed says of its issuer may not be so, whatever is known of that issuer.
        guard verdict.verified != nil else { return verdict.issuerTrust == .untrusted ? "NOT TRUSTED" : "claimed" }
        return switch verdict.issuerTrust {
        case .directory: "trusted: listed in a directory"
        case .allowList: "trusted: named with --trust"
        case .certificate: "trusted: vouched for by a certificate"
        case .jwks: "trusted: its keys were given with --jwks"
        case .unchecked: "not checked: give --trust to say whom you trust"
        case .untrusted: "NOT TRUSTED"
        }
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
