import Bytes
package import Credentials
import FHIR
import StrictJSON

/// A line about a card, as all reports for people have it: a title, and what the card or a directory says.
struct ClaimLine {
    /// The title; empty if the line continues the one before.
    let title: StaticString
    /// Words of this program before the text.
    var before = ""
    /// Text from strangers, fit for a terminal.
    var text = ""
    /// Words of this program after the text.
    var after = ""
}

extension Verdict {
    /// Whether the verdict stands for an input that could not be read, such as a file that is missing.
    var isOfUnreadInput: Bool {
        let presented = examined.presented
        return reason?.code == .unreadableInput && presented.form == nil && presented.link == nil
    }

    /// Who issued the card, whose it is and for when.
    func claimLines(_ claims: any Claims, _ contents: CardContents?, by tool: Tool) -> [ClaimLine] {
        issuerLines(claims, by: tool) + Self.personLines(contents) + Self.timeLines(claims)
    }

    /// Who issued the card, and why the issuer is trusted.
    func issuerLines(_ claims: any Claims, by tool: Tool) -> [ClaimLine] {
        var lines: [ClaimLine] = []
        let issuer = NamedIssuer(of: self)
        if let issuer { lines.append(issuer.line(trust: trustWords(by: tool))) }
        if let entry = directoryEntry {
            for text in [entry.name, entry.website] {
                if let text { lines.append(ClaimLine(title: "", text: TerminalText.printable(text, upTo: 200))) }
            }
            if let alias = entry.canonicalIssuer {
                lines.append(
                    ClaimLine(
                        title: "", before: "an alias of ", text: TerminalText.printable(alias.url, upTo: 200)))
            }
        }
        if let name = claims.issuerName {
            lines.append(
                ClaimLine(title: "", before: "the record says ", text: TerminalText.printable(name, upTo: 200)))
        }
        if let signer = signerCertificate, issuer?.isNamedBySubject != true {
            lines.append(ClaimLine(title: "Signer", text: TerminalText.printable(signer.subject, upTo: 200)))
        }
        return lines
    }

    /// Whose card it is.
    static func personLines(_ contents: CardContents?) -> [ClaimLine] {
        (contents?.subjects ?? []).flatMap { lines(about: $0) }
    }

    /// When the card was issued, and when it expires.
    static func timeLines(_ claims: any Claims) -> [ClaimLine] {
        var lines: [ClaimLine] = []
        if let issued = claims.issued?.calendarText { lines.append(ClaimLine(title: "Issued", text: issued)) }
        if let expires = claims.expires?.calendarText { lines.append(ClaimLine(title: "Expires", text: expires)) }
        return lines
    }

    private static func lines(about subject: Subject) -> [ClaimLine] {
        var lines = [
            subject.name.map { ClaimLine(title: "Name", text: TerminalText.printable($0, upTo: 200)) }
                ?? ClaimLine(title: "Name", after: "not given")
        ]
        if let text = subject.otherLetters {
            let shown = TerminalText.printable(text, upTo: 200)
            lines.append(ClaimLine(title: "", before: "transliterated: ", text: shown))
        }
        for text in subject.namesInOtherScripts {
            lines.append(ClaimLine(title: "", before: "also: ", text: TerminalText.printable(text, upTo: 200)))
        }
        if let born = subject.birthDate {
            lines.append(ClaimLine(title: "Born", text: TerminalText.printable(born, upTo: 40)))
        }
        let details: [(StaticString, UTF8Text?)] = [("Sex", subject.sex), ("Nationality", subject.nationality)]
        for (title, text) in details {
            if let text { lines.append(ClaimLine(title: title, text: TerminalText.printable(text, upTo: 80))) }
        }
        if let document = subject.document {
            let number = TerminalText.printable(document.number, upTo: 80)
            let type = document.type.map { " (\(TerminalText.printable($0, upTo: 40)))" } ?? ""
            lines.append(ClaimLine(title: "Document", text: number + type))
        }
        if let guardian = subject.guardian {
            lines.append(ClaimLine(title: "Guardian", text: TerminalText.printable(guardian, upTo: 200)))
        }
        if let level = subject.identityAssurance {
            lines.append(
                ClaimLine(
                    title: "Identity", before: "assured to level ", text: TerminalText.printable(level, upTo: 40)))
        }
        return lines
    }

    private func trustWords(by tool: Tool) -> String {
        // A card that failed may name any issuer, so the directory's words about that issuer do not apply.
        if lacksTrustLists { return "not checked: no trust list was given" }
        guard isSigned else { return isIssuerRefused ? "NOT TRUSTED" : "claimed" }
        return tool.words(for: issuerTrust)
    }

    /// The Bundle or the certificate, with the words above it; nil if it cannot be read.
    var signedContent: (title: String, content: JSONValue)? {
        if let bundle = claims?.fhirBundle {
            return ("FHIR Bundle" + note(ifUnsigned: " (claimed by the card, NOT VERIFIED)"), bundle)
        }
        return claims?.healthContent.map { ("Certificate" + note(ifUnsigned: " (as claimed, NOT VERIFIED)"), $0) }
    }

    /// What stands behind the title of the signed content.
    ///
    /// - Parameter unsigned: the note if nobody is known to have signed it.
    private func note(ifUnsigned unsigned: String) -> String {
        switch shortcoming {
        case _ where !isSigned: unsigned
        case .lapse: " (signed, but no longer valid)"
        case .notYetValid: " (signed, but not valid yet)"
        case .lacksRecords, .hasUnknownCodes, .unknownRevocation: " (signed)"
        case nil: ""
        }
    }
}

extension Subject {
    /// The transliterated name, to compare with that of a passport; nil if it is the name that is shown anyway, but for case.
    var otherLetters: UTF8Text? {
        transliterated.flatMap { $0.asciiLowercased == name?.asciiLowercased ? nil : $0 }
    }
}

extension Check {
    /// Whether the result is good or bad news.
    var style: Palette.Style {
        switch status {
        case .pass: .good
        case .fail: .bad
        case .undetermined: .unsure
        // What nobody asked for is missing in what a pass means, unless it is a filter.
        case .skipped: why == .notAsked && name != .records ? .unsure : .faint
        }
    }

    /// The result in words for people.
    var resultWords: String { why?.words ?? status.rawValue }

    /// The details for a report that has given the reason of a failure.
    var words: String {
        if status == .fail || status == .undetermined { return "see the reason above" }
        // The result has said it.
        return detail == why?.words ? "" : detail
    }
}

/// How many of the verified cards have something that their pass does not mean.
package struct PassNotes: Sendable, Equatable {
    /// The number of verified cards whose issuer was not checked.
    package private(set) var uncheckedIssuers: Int
    /// The number of verified cards that could have been revoked and were looked up in no list.
    package private(set) var openRevocations: Int
    /// The number of verified cards whose signer is only on a list for tests.
    package private(set) var testSigners: Int

    package init(uncheckedIssuers: Int = 0, openRevocations: Int = 0, testSigners: Int = 0) {
        self.uncheckedIssuers = uncheckedIssuers
        self.openRevocations = openRevocations
        self.testSigners = testSigners
    }

    /// The notes on one card. There are none on a card that did not verify.
    package init(on verdict: Verdict) {
        let isVerified = verdict.verified != nil
        self.init(
            uncheckedIssuers: isVerified && verdict.issuerTrust == .unchecked ? 1 : 0,
            openRevocations: verdict.leavesRevocationOpen ? 1 : 0,
            testSigners: verdict.isOfTestList ? 1 : 0)
    }

    package mutating func add(_ other: PassNotes) {
        uncheckedIssuers += other.uncheckedIssuers
        openRevocations += other.openRevocations
        testSigners += other.testSigners
    }
}

/// The totals of a report on several cards.
package struct VerdictTally {
    /// The number of cards.
    private(set) var cards = 0
    private var verified = 0
    private var pass = PassNotes()
    /// As of when the cards were verified, if that is not now.
    private let asOf: String

    package init(_ time: VerificationTime) {
        asOf =
            switch time.moment {
            case .now: ""
            case .given(let moment): "; as of \(moment.toTheSecond), not now"
            case .issue: "; as of the issue of each, not now"
            }
    }

    package mutating func add(_ verdict: Verdict) {
        cards += 1
        guard verdict.verified != nil else { return }
        verified += 1
        pass.add(PassNotes(on: verdict))
    }

    /// Whether there are cards, and all verified. As for a single card, green is for those of which nothing else is to be said.
    var style: Palette.Style {
        cards == 0 || verified < cards ? .bad : notes.isEmpty ? .good : .unsure
    }

    /// How many cards verified.
    var counts: String { "\(cards.counted("card")): \(verified) verified, \(cards - verified) not" }

    /// The totals in one line, if there is something that they do not mean; else nil. It is for outputs in formats that do not say it.
    package var caution: String? { pass == PassNotes() ? nil : counts + notes }

    /// What that does not mean; empty if there is nothing to say.
    var notes: String {
        (pass.uncheckedIssuers == 0 ? "" : "; \(pass.uncheckedIssuers) by an issuer that was not checked")
            + (pass.openRevocations == 0 ? "" : "; \(pass.openRevocations) without a check of revocation")
            + (pass.testSigners == 0 ? "" : "; TEST: \(pass.testSigners) by a signer that is only on a list for tests")
            + (verified == 0 ? "" : asOf)
    }
}
