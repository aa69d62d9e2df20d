import Credentials
import Encodings

/// What a report for people says first about a verdict, and in which colour. All such reports take it from here.
///
/// A pass has a note in parentheses for everything that it does not mean: that the issuer was not checked, that revocation was not checked,
/// that its link calls it no longer valid, that it is for another time. Each note has its own parentheses and always the same words, so
/// that a script finds it. Only a pass without a note is green and has a tick.
struct Headline {
    /// The verdict with its notes.
    let words: String
    /// Whether it is good or bad news.
    let style: Palette.Style
    /// The notice above the claims; nil if the card verified.
    let notice: String?
    /// The most important note, as a word that the program can explain; nil if there is no note.
    let topic: String?

    /// The line that says it.
    var line: Words { Words(words, .verdict(style)) }

    /// - Parameters:
    ///   - verdict: the verdict.
    ///   - time: the time for which credentials are verified.
    init(_ verdict: Verdict, _ time: VerificationTime) {
        // `moment(for:)` is the time for which the card was judged.
        let asOf = time.statedMoment(for: verdict.claims).map { " (as of \($0.toTheSecond), not now)" } ?? ""
        let isUnchecked = verdict.issuerTrust == .unchecked
        switch verdict.outcome {
        case .pass:
            let notes = PassNotes(on: verdict)
            words = Self.pass(notes) + asOf
            style = notes.isEmpty && asOf.isEmpty ? .good : .unsure
            notice = nil
            topic =
                notes.testSigners > 0
                ? "test-list"
                : notes.uncheckedIssuers > 0
                    ? "issuer-not-checked"
                    : notes.openRevocations > 0
                        ? "revocation-not-checked"
                        : notes.outdatedByLink > 0 ? "link-status" : asOf.isEmpty ? nil : "as-of"
        case .fail(let reason):
            style = .bad
            topic = nil
            guard let lapse = verdict.lapse else {
                // Other failures do not depend on the time.
                words = "FAIL (\(reason.code.rawValue))" + (reason.code == .notYetValid ? asOf : "")
                notice = Self.notice(of: verdict)
                return
            }
            let issuer = isUnchecked ? ", but the issuer was not checked" : ""
            let notes = (isUnchecked ? " (issuer not checked)" : "") + asOf
            switch lapse {
            case .expired(let end):
                words = "EXPIRED (the signature is valid)" + notes
                notice = "EXPIRED. The signature is valid\(issuer); until \(Self.day(of: end)) it said:"
            case .revoked:
                words = "REVOKED (the signature is valid)" + notes
                notice = "REVOKED. The signature is valid\(issuer); until the issuer revoked it, it said:"
            }
        case .undetermined(let reason):
            words = "UNDETERMINED (\(reason.code.rawValue))"
            style = .unsure
            topic = nil
            notice = Self.notice(of: verdict)
        }
    }

    /// The word for a pass, with the notes that do not depend on the time.
    static func pass(_ notes: PassNotes) -> String {
        "PASS" + (notes.testSigners > 0 ? " (TEST, the signer is on a list for tests)" : "")
            + (notes.uncheckedIssuers > 0 ? " (signature valid, issuer not checked)" : "")
            + (notes.openRevocations > 0 ? " (revocation not checked)" : "")
            + (notes.outdatedByLink > 0 ? " (the link says: no longer valid)" : "")
    }

    /// The words before the claims of a card that did not verify, and not only because its time is over.
    private static func notice(of verdict: Verdict) -> String {
        guard let shortcoming = verdict.shortcoming else { return "NOT VERIFIED. The card only claims the following:" }
        let isSigned = verdict.isSigned
        var problems = isSigned && verdict.issuerTrust == .unchecked ? ["the issuer was not checked"] : []
        problems += [problem(shortcoming)].compactMap(\.self) + verdict.objections.map { problem($0) }
        // What is not known is not a problem yet.
        let unknown =
            switch shortcoming {
            case .hasUnknownCodes: " Whether the card has what was asked for is not known."
            case .unknownRevocation: " Whether the card was revoked is not known."
            case .lapse, .notYetValid, .lacksRecords: ""
            }
        let words =
            switch shortcoming {
            case _ where !isSigned: "It only claims the following:"
            case .lapse: "It said:"
            case .notYetValid: "It will say:"
            case .lacksRecords, .hasUnknownCodes, .unknownRevocation: "It says:"
            }
        return (isSigned ? "" : "NOT VERIFIED. ") + "The signature is valid"
            + (problems.isEmpty ? "" : ", but \(problems.joined(separator: ", and "))") + ".\(unknown) \(words)"
    }

    private static func problem(_ shortcoming: Shortcoming) -> String? {
        switch shortcoming {
        case .lapse(.expired): "the card has expired"
        case .lapse(.revoked): "the issuer has revoked the card"
        case .notYetValid: "the card is not valid yet"
        case .lacksRecords: "the card does not have what was asked for"
        case .hasUnknownCodes, .unknownRevocation: nil
        }
    }

    private static func problem(_ objection: Objection) -> String {
        switch objection {
        case .revoked: "a list of revoked cards names it"
        case .neverValid: "it ends before it begins"
        case .signerWasNotValid: "its signer was never valid when it was"
        case .signerMayNotSign: "its signer may not sign such records"
        case .lacksRecords: "it does not have what was asked for"
        case .hasUnknownCodes: "whether it has what was asked for is not known"
        }
    }

    static func day(of time: NumericDate) -> String {
        time.calendarText.map { String($0.prefix { $0 != "T" }) } ?? "\(time)"
    }
}

extension Verdict {
    /// Whether the card verified although a list could have revoked it, and no list was consulted.
    package var leavesRevocationOpen: Bool { verified != nil && ownResult(of: .revocation)?.why == .notAsked }

    /// Whether the card verified only because of a list of WHO's test networks.
    package var isOfTestList: Bool { verified != nil && warnings.contains { $0.code == .testList } }

    /// Whether the issuer has signed the card, so that what it says about the issuer is not a mere claim.
    var isSigned: Bool { verified != nil || shortcoming != nil && !objections.contains(where: \.isAboutSigner) }
}

/// What a page says about a card that did not pass, to the person in front of it. What issuers and developers can do is folded away.
extension ReasonCode {
    /// What the holder of the card, or the reader of the page, can do.
    var holderAdvice: String {
        let explanation = explanation
        return explanation.desk ?? explanation.remedy
    }

    /// Whether the message is about the inside of a card or of a key, so that most people would not understand it.
    var isTechnical: Bool {
        switch self {
        case .malformedInput, .unsupportedCredential: false
        // It says how to give lists. The issuer is shown anyway.
        case .issuerNotTrusted: true
        default: isOfForm
        }
    }
}

/// The issuer of a card, as reports for people name it.
///
/// A SMART Health Card names an issuer, whose keys are looked up. So what is known about the trust refers to that name. An EU Digital COVID
/// Certificate may claim any country. What is trusted is its signer. So the country of the signer is given as the issuer of a verified
/// certificate, and any other claim is shown as a claim.
struct NamedIssuer: Sendable {
    /// Words of this program before the name.
    let before: String
    /// The name, safe for a terminal.
    let name: String
    /// What the certificate claims, in words that follow; nil if that is the name itself, or if it claims nothing.
    let claim: String?
    /// Whether the name is the subject of the signer's certificate.
    let isNamedBySubject: Bool

    private init(before: String = "", name: String, claim: UTF8Text? = nil, isNamedBySubject: Bool = false) {
        self.before = before
        self.name = TerminalText.printable(TerminalText.beginning(of: name, upTo: 300))
        // A claim of several words could look like words of this program.
        self.claim = claim.map { CountryCode.isCode($0) ? "says \($0)" : "says \($0.quoted(upTo: 80))" }
        self.isNamedBySubject = isNamedBySubject
    }

    /// The issuer of a SMART Health Card, or the claim of a certificate that did not verify.
    init(name: UTF8Text) { self.init(name: name.description) }

    /// The issuer of a card; nil if it names none. A verified certificate always has one.
    init?(of verdict: Verdict) {
        let claim = verdict.claims?.issuer
        guard verdict.isHCERT, verdict.isSigned else {
            guard let claim else {
                guard verdict.isHCERT, verdict.claims != nil else { return nil }
                self.init(name: "not named")
                return
            }
            self.init(name: claim)
            return
        }
        if let country = verdict.signerCountry {
            let isConfirmed = claim.map { CountryCode.isSame(UTF8Text(country), $0) == true } ?? true
            self.init(name: country, claim: isConfirmed ? nil : claim)
        } else if let certificate = verdict.signerCertificate {
            self.init(before: "the signer ", name: certificate.subject, claim: claim, isNamedBySubject: true)
        } else {
            let keyID = verdict.claims?.keyID?.description ?? ""
            self.init(before: "the signer with the key ID ", name: keyID, claim: claim)
        }
    }

    /// The words after those about the trust.
    var afterTrust: String { claim.map { ", \($0)" } ?? "" }
}
