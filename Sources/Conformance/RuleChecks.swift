import Synchronization

/// A kind of thing that rules are about, such as the header of a JWS. `RuleCheck` lists all of them.
///
/// It can be called with a check, which makes it the check of a rule: `.header { header in … }`.
final class RuleSubject<Subject>: RuleSubjectWords {
    typealias Check = @Sendable (Subject) -> [Problem]

    let words: String
    private let sorted = Mutex<[(rule: Rule, check: Check)]?>(nil)

    init(_ words: String) { self.words = words }

    /// - Parameter need: what has to be so that the check can find anything.
    func callAsFunction(needing need: RuleNeed = .nothing, _ check: @escaping Check) -> RuleCheck {
        RuleCheck(subject: self, need: need, check: TypedCheck(check: check))
    }

    /// The check of a rule; nil if the rule is about something else.
    func check(of rule: Rule) -> Check? {
        rule.check.subject === self ? (rule.check.check as? TypedCheck<Subject>)?.check : nil
    }

    /// The rules about this subject with their checks, in the order of `Rule.all`. They are sorted out once: to go through all rules for
    /// each layer of a card takes longer than most checks.
    var checks: [(rule: Rule, check: Check)] {
        sorted.withLock { sorted in
            if let sorted { return sorted }
            let found = Rule.all.compactMap { rule in check(of: rule).map { (rule, $0) } }
            sorted = found
            return found
        }
    }
}

/// The kind of thing that a rule is about, in words.
protocol RuleSubjectWords: AnyObject, Sendable {
    var words: String { get }
}

/// A check of one kind of subject.
private struct TypedCheck<Subject>: Sendable {
    let check: @Sendable (Subject) -> [Problem]
}

/// What has to be so that a rule can find anything. If it is not, the rule is left out: there are so many rules of Bundles that to ask
/// each takes a part of the time of a card.
enum RuleNeed: Sendable, Equatable {
    case nothing
    /// The profile was asked for.
    case profile(LintPolicy.Profile)
    /// The walk of the Bundle found a violation of its structure.
    case structure
    /// The Bundle violates rows of profiles.
    case rows
}

/// What a rule is about, and how it finds violations.
struct RuleCheck: Sendable {
    let subject: any RuleSubjectWords
    let need: RuleNeed
    fileprivate let check: any Sendable
}

extension RuleCheck {
    /// An input as a whole, whatever it is.
    static let input = RuleSubject<InputSubject>("any input")
    /// A card file on a server.
    static let servedCard = RuleSubject<ServedCardSubject>("card file on a server")
    /// The JSON of a `.smart-health-card` file, or of a deep link's fragment.
    static let file = RuleSubject<JSONSubject>(".smart-health-card file")
    /// The JSON of a FHIR `Parameters` resource.
    static let parameters = RuleSubject<JSONSubject>("FHIR Parameters")
    /// A deep link.
    static let deepLink = RuleSubject<DeepLinkSubject>("deep link")
    /// A SMART Health Link.
    static let link = RuleSubject<HealthLinkSubject>("SMART Health Link")
    /// The text of one QR code.
    static let qrCode = RuleSubject<QRCodeSubject>("QR code")
    /// The QR symbol that carries a text.
    static let qrSymbol = RuleSubject<QRSymbolSubject>("QR symbol on a picture")
    /// The QR codes of one split card.
    static let qrSet = RuleSubject<QRSetSubject>("QR codes of one card")
    /// A compact JWS.
    static let jws = RuleSubject<JWSSubject>("compact JWS")
    /// The other parts of a JWS, after its header: verifiers look at the header first.
    static let jwsContent = RuleSubject<JWSSubject>("compact JWS")
    /// The header of a JWS.
    static let header = RuleSubject<HeaderSubject>("JWS header")
    /// A payload, from a JWS or as an input of its own.
    static let payload = RuleSubject<PayloadSubject>("payload")
    /// A FHIR Bundle.
    static let bundle = RuleSubject<BundleSubject>("FHIR Bundle")
    /// A key set.
    static let keySet = RuleSubject<KeySetSubject>("key set")
    /// One key of a set.
    static let key = RuleSubject<KeySubject>("key")
    /// A card revocation list.
    static let revocationList = RuleSubject<RevocationListSubject>("revocation list")
    /// A directory of issuers.
    static let directory = RuleSubject<DirectorySubject>("directory")
    /// A card, and what is known of its issuer: keys, trust and revocation lists.
    static let card = RuleSubject<CardSubject>("card and issuer")
    /// The answers of a live issuer's server.
    static let issuer = RuleSubject<IssuerSubject>("live issuer")
    /// The text or the octets of an EU Digital COVID Certificate.
    static let hcertText = RuleSubject<HCERTSubject>("health certificate's text")
    /// The COSE message of a certificate.
    static let cose = RuleSubject<COSESubject>("COSE message")
    /// The claims of a certificate.
    static let hcertPayload = RuleSubject<HCERTPayloadSubject>("health certificate's claims")
    /// A certificate, and what is known of its signer.
    static let hcert = RuleSubject<SignedHCERTSubject>("health certificate and signer")
    /// WHO's list of signers.
    static let trustList = RuleSubject<TrustListSubject>("WHO's trust list")
}

/// The rules of a key set, and those of each key in it.
enum KeySetRules {
    static let all: [(rule: Rule, check: RuleSubject<KeySetSubject>.Check)] = Rule.all.compactMap { rule in
        if let check = RuleCheck.keySet.check(of: rule) { return (rule, check) }
        return RuleCheck.key.check(of: rule).map { check in (rule, { set in set.keys.flatMap { check($0) } }) }
    }
}

extension Linter {
    /// Applies the rules of a kind of subject.
    mutating func apply<Subject>(
        _ kind: RuleSubject<Subject>, to subject: Subject, in document: Document, section: Int
    ) {
        apply(kind.checks, to: subject, in: document, section: section)
    }

    mutating func apply<Subject>(
        _ checks: [(rule: Rule, check: RuleSubject<Subject>.Check)], to subject: Subject, in document: Document,
        section: Int
    ) {
        for (rule, check) in checks where settings.applies(rule) {
            let problems = check(subject)
            // Most rules find nothing.
            if !problems.isEmpty { add(problems, of: rule, in: document, to: section) }
        }
    }

    /// What the rules of a kind of subject find. Most find nothing, and are left out.
    func findings<Subject>(of kind: RuleSubject<Subject>, in subject: Subject) -> [(Rule, [Problem])] {
        kind.checks.compactMap { rule, check in
            guard settings.applies(rule) else { return nil }
            let problems = check(subject)
            return problems.isEmpty ? nil : (rule, problems)
        }
    }
}
