/// The rules of one kind of subject, with their checks, in the order of `Rule.all`.
struct RuleChecks<Subject>: Sendable {
    let all: [(rule: Rule, check: @Sendable (Subject) -> [Problem])]

    /// - Parameter check: the check of a rule; nil if the rule is for another kind of subject.
    fileprivate init(_ check: (RuleCheck) -> (@Sendable (Subject) -> [Problem])?) {
        all = Rule.all.compactMap { rule in check(rule.check).map { (rule, $0) } }
    }
}

/// All rules, by what they check. They are sorted out once: to go through all rules for each layer of a card takes longer than most
/// checks.
enum Checks {
    static let input = RuleChecks<InputSubject> { if case .input(let check) = $0 { check } else { nil } }
    static let servedCard = RuleChecks<ServedCardSubject> { if case .servedCard(let check) = $0 { check } else { nil } }
    static let file = RuleChecks<JSONSubject> { if case .file(let check) = $0 { check } else { nil } }
    static let parameters = RuleChecks<JSONSubject> { if case .parameters(let check) = $0 { check } else { nil } }
    static let deepLink = RuleChecks<DeepLinkSubject> { if case .deepLink(let check) = $0 { check } else { nil } }
    static let link = RuleChecks<HealthLinkSubject> { if case .link(let check) = $0 { check } else { nil } }
    static let qrCode = RuleChecks<QRCodeSubject> { if case .qrCode(let check) = $0 { check } else { nil } }
    static let qrSymbol = RuleChecks<QRSymbolSubject> { if case .qrSymbol(let check) = $0 { check } else { nil } }
    static let qrSet = RuleChecks<QRSetSubject> { if case .qrSet(let check) = $0 { check } else { nil } }
    static let jws = RuleChecks<JWSSubject> { if case .jws(let check) = $0 { check } else { nil } }
    static let header = RuleChecks<HeaderSubject> { if case .header(let check) = $0 { check } else { nil } }
    static let payload = RuleChecks<PayloadSubject> { if case .payload(let check) = $0 { check } else { nil } }
    static let bundle = RuleChecks<BundleSubject> { if case .bundle(let check) = $0 { check } else { nil } }
    static let key = RuleChecks<KeySubject> { if case .key(let check) = $0 { check } else { nil } }
    static let revocationList = RuleChecks<RevocationListSubject> {
        if case .revocationList(let check) = $0 { check } else { nil }
    }
    static let directory = RuleChecks<DirectorySubject> { if case .directory(let check) = $0 { check } else { nil } }
    static let card = RuleChecks<CardSubject> { if case .card(let check) = $0 { check } else { nil } }
    static let issuer = RuleChecks<IssuerSubject> { if case .issuer(let check) = $0 { check } else { nil } }
    static let hcertText = RuleChecks<HCERTSubject> {
        if case .hcertText(let check) = $0 { check } else { nil }
    }
    static let cose = RuleChecks<COSESubject> { if case .cose(let check) = $0 { check } else { nil } }
    static let hcertPayload = RuleChecks<HCERTPayloadSubject> {
        if case .hcertPayload(let check) = $0 { check } else { nil }
    }
    static let dcc = RuleChecks<DCCSubject> {
        if case .dcc(let check) = $0 { check } else { nil }
    }
    static let icvp = RuleChecks<ICVPSubject> {
        if case .icvp(let check) = $0 { check } else { nil }
    }
    static let hcert = RuleChecks<SignedHCERTSubject> {
        if case .hcert(let check) = $0 { check } else { nil }
    }
    static let trustList = RuleChecks<TrustListSubject> {
        if case .trustList(let check) = $0 { check } else { nil }
    }

    /// The rules of a key set, and those of each key in it.
    static let keySetWithKeys = RuleChecks<KeySetSubject> { check in
        switch check {
        case .keySet(let check): check
        case .key(let check): { set in set.keys.flatMap { check($0) } }
        default: nil
        }
    }
}

extension Linter {
    /// Applies the rules of a kind of subject.
    ///
    /// - Parameter isGiven: whether the text is from a given document that was already checked as a whole.
    mutating func apply<Subject>(
        _ checks: RuleChecks<Subject>, to subject: Subject, in document: Document, section: Int, isGiven: Bool = false
    ) {
        // What a patient's app shares is no card.
        let isOfPatientApp = policy.profiles.contains(.patientApp)
        for (rule, check) in checks.all where !isOfPatientApp || !rule.citation.isOfHealthCards {
            add(check(subject), of: rule, in: document, to: section, isGiven: isGiven)
        }
    }
}
