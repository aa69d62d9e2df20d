package import Credentials
import Encodings
import FHIR

extension Verdict {
    /// A line about a card, the same in all reports for people. Its name is empty if it continues the previous line.
    typealias Line = (name: String, value: Words)

    /// Whether the verdict represents an input that could not be read, such as a missing file.
    package var isOfUnreadInput: Bool {
        let presented = examined.presented
        return reason?.code == .unreadableInput && presented.form == nil && presented.place == nil
    }

    /// Who issued the card, and why the issuer is trusted.
    func issuerLines(_ claims: any Claims, by tool: Tool) -> [Line] {
        var lines: [Line] = []
        let issuer = NamedIssuer(of: self)
        if let issuer {
            let after = " (\(trustWords(by: tool)))\(issuer.afterTrust)"
            lines.append(("Issuer", "\(issuer.before)\(from: issuer.name)\(after, .note)"))
        }
        if let entry = directoryEntry {
            lines += [entry.name, entry.website].compactMap(\.self).map { ("", "\($0, upTo: 200)") }
            if let alias = entry.canonicalIssuer { lines.append(("", "an alias of \(from: alias.url, upTo: 200)")) }
        }
        if let name = claims.issuerName { lines.append(("", "the record says \(name, upTo: 200)")) }
        if let signer = signerCertificate, issuer?.isNamedBySubject != true {
            lines.append(("Signer", "\(from: signer.subject, upTo: 200)"))
        }
        return lines
    }

    /// Whose card it is.
    static func personLines(_ contents: CardContents?) -> [Line] {
        (contents?.subjects ?? []).flatMap { lines(about: $0) }
    }

    /// The days on which the card was issued and expires. The check of its validity has the times.
    static func timeLines(_ claims: any Claims) -> [Line] {
        [("Issued", claims.issued), ("Expires", claims.expires)].compactMap { name, time in
            time.map { (name, "\(Headline.day(of: $0))") }
        }
    }

    private static func lines(about subject: Subject) -> [Line] {
        var lines: [Line] = [("Name", subject.name.map { "\($0, upTo: 200)" } ?? "\("not given", .note)")]
        if let text = subject.otherLetters { lines.append(("", "transliterated: \(text, upTo: 200)")) }
        lines += subject.namesInOtherScripts.map { ("", "also: \($0, upTo: 200)") }
        let document = subject.document.map { document in
            TerminalText.beginning(of: document.number.description, upTo: 80)
                + (document.type.map { " (\(TerminalText.beginning(of: $0.description, upTo: 40)))" } ?? "")
        }
        let details: [(String, Words?)] = [
            ("Born", subject.birthDate.map { "\($0, upTo: 40)" }), ("Sex", subject.sex.map { "\($0, upTo: 80)" }),
            ("Nationality", subject.nationality.map { "\($0, upTo: 80)" }),
            ("Document", document.map { "\(from: $0)" }), ("Guardian", subject.guardian.map { "\($0, upTo: 200)" }),
            ("Identity", subject.identityAssurance.map { "assured to level \($0, upTo: 40)" }),
        ]
        return lines + details.compactMap { name, words in words.map { (name, $0) } }
    }

    private func trustWords(by tool: Tool) -> String {
        // A card that failed may name any issuer, so what the directory says about that issuer does not apply.
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

    /// What follows the title of the signed content.
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
    /// The transliterated name, to compare with that of a passport; nil if it differs only in case from the name that is shown.
    var otherLetters: UTF8Text? { transliterated.flatMap { $0.asciiLowercased == name?.asciiLowercased ? nil : $0 } }
}

extension Check {
    /// Whether the result is good or bad news.
    var style: Palette.Style {
        switch status {
        case .pass: .good
        case .fail: .bad
        case .undetermined: .unsure
        // A check that was not asked for limits what a pass means, unless it is a filter.
        case .skipped: why == .notAsked && name != .records ? .unsure : .faint
        }
    }

    /// The result in words for people.
    var resultWords: String { why?.words ?? status.rawValue }

    /// The details, for a report that has already given the reason of a failure.
    var words: String {
        if status == .fail || status == .undetermined { return "see the reason above" }
        // The result already says it.
        return detail == why?.words ? "" : detail
    }
}

/// How many of the verified cards have something that their pass does not mean.
package struct PassNotes: Sendable, Equatable {
    /// The number of verified cards whose issuer was not checked.
    package private(set) var uncheckedIssuers: Int
    /// The number of verified cards that could have been revoked and were not looked up in any list.
    package private(set) var openRevocations: Int
    /// The number of verified cards whose signer is only on a list for tests.
    package private(set) var testSigners: Int
    /// The number of verified cards that are no longer valid according to their link.
    package private(set) var outdatedByLink: Int

    package init(
        uncheckedIssuers: Int = 0, openRevocations: Int = 0, testSigners: Int = 0, outdatedByLink: Int = 0
    ) {
        self.outdatedByLink = outdatedByLink
        self.uncheckedIssuers = uncheckedIssuers
        self.openRevocations = openRevocations
        self.testSigners = testSigners
    }

    /// The notes on one card. A card that did not verify has none.
    package init(on verdict: Verdict) {
        let isVerified = verdict.verified != nil
        self.init(
            uncheckedIssuers: isVerified && verdict.issuerTrust == .unchecked ? 1 : 0,
            openRevocations: verdict.leavesRevocationOpen ? 1 : 0,
            testSigners: verdict.isOfTestList ? 1 : 0,
            outdatedByLink: isVerified && verdict.examined.presented.place?.isNoLongerValid == true ? 1 : 0)
    }

    package var isEmpty: Bool { self == PassNotes() }

    package mutating func add(_ other: PassNotes) {
        uncheckedIssuers += other.uncheckedIssuers
        openRevocations += other.openRevocations
        testSigners += other.testSigners
        outdatedByLink += other.outdatedByLink
    }
}

/// The totals of a report on several cards.
package struct VerdictTally {
    /// The number of cards.
    private(set) var cards = 0
    private var verified = 0
    private var pass = PassNotes()
    /// The time for which the cards were verified, if it is not the current time.
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

    /// Whether there are cards and all verified. As with a single card, green means that there is nothing else to say.
    var style: Palette.Style { cards == 0 || verified < cards ? .bad : notes.isEmpty ? .good : .unsure }

    /// How many cards verified.
    var counts: String { "\(cards.counted("card")): \(verified) verified, \(cards - verified) not" }

    /// The totals in one line, if there is something that they do not mean; otherwise nil. It is for outputs whose format does not say so.
    package var caution: String? { pass.isEmpty ? nil : counts + notes }

    /// What the totals do not mean; empty if there is nothing to say.
    var notes: String {
        (pass.uncheckedIssuers == 0 ? "" : "; \(pass.uncheckedIssuers) by an issuer that was not checked")
            + (pass.openRevocations == 0 ? "" : "; \(pass.openRevocations) without a check of revocation")
            + (pass.testSigners == 0 ? "" : "; TEST: \(pass.testSigners) by a signer that is only on a list for tests")
            + (pass.outdatedByLink == 0 ? "" : "; \(pass.outdatedByLink) no longer valid, as the link says")
            + (verified == 0 ? "" : asOf)
    }
}
