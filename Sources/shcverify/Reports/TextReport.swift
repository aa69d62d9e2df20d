import FHIR
import JSON
import SMARTHealthCards

/// The report for people: the verdict, who issued the card to whom, what it records, the checks, the Bundle.
struct TextReport: VerificationReport {
    private let palette: Palette
    private var isFirst = true

    init(palette: Palette) {
        self.palette = palette
    }

    mutating func add(_ verdict: Verdict) -> [UInt8] {
        defer { isFirst = false }
        return Array(((isFirst ? "" : "\n") + lines(verdict).joined(separator: "\n") + "\n").utf8)
    }

    func finish() -> [UInt8] { [] }

    private func lines(_ verdict: Verdict) -> [String] {
        var lines = [headline(verdict)]
        lines.append(field("Card", TerminalText.printable(verdict.examined.presented.source)))
        if let reason = verdict.reason {
            lines.append(field("Reason", "\(reason.code.rawValue): \(TerminalText.printable(reason.message))"))
            lines.append(field("", palette(.faint, "\"shcverify explain \(reason.code.rawValue)\" says more")))
        }
        if let claims = verdict.claims {
            lines.append("")
            if verdict.verified == nil {
                lines.append(palette(.bad, "NOT VERIFIED. What follows is only what the card claims:"))
            }
            lines += self.claims(claims, verdict)
        }
        lines += ["", palette(.heading, "Checks")]
        lines += verdict.checks.map(check)
        if !verdict.warnings.isEmpty {
            lines += ["", palette(.heading, "Warnings")]
            lines += verdict.warnings.map { "  \($0.code.rawValue): \(TerminalText.printable($0.message))" }
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
                .good, verdict.issuerTrust == .unchecked ? "PASS (signature valid, issuer not checked)" : "PASS")
        case .fail(let reason): palette(.bad, "FAIL (\(reason.code.rawValue))")
        case .undetermined(let reason): palette(.unsure, "UNDETERMINED (\(reason.code.rawValue))")
        }
    }

    private func claims(_ claims: CardClaims, _ verdict: Verdict) -> [String] {
        var lines: [String] = []
        if let issuer = claims.issuer {
            lines.append(
                field("Issuer", "\(TerminalText.printable(issuer, upTo: 300)) (\(words(for: verdict.issuerTrust)))"))
        }
        if let entry = verdict.directoryEntry {
            for text in [entry.name, entry.website, entry.canonicalIssuer.map { "an alias of \($0)" }] {
                if let text { lines.append(field("", TerminalText.printable(text, upTo: 200))) }
            }
        }
        let contents = CardContents(claims)
        for subject in contents?.subjects ?? [] {
            lines.append(field("Name", subject.name.map { TerminalText.printable($0, upTo: 200) } ?? "not given"))
            if let born = subject.birthDate { lines.append(field("Born", TerminalText.printable(born, upTo: 40))) }
        }
        if let issued = claims.issued?.calendarText { lines.append(field("Issued", issued)) }
        if let expires = claims.expires?.calendarText { lines.append(field("Expires", expires)) }
        let records = contents?.records ?? []
        if !records.isEmpty {
            lines += ["", palette(.heading, "Records")]
            lines += records.map { "  \(RecordLine.text(for: $0))" }
        }
        return lines
    }

    private func words(for trust: IssuerTrust) -> String {
        switch trust {
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
