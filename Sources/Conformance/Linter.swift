import Containers
package import Credentials
package import Cryptography
import Encodings
import HealthCertificates
import Inputs
import SMARTHealthCards

/// Finds violations of the specification in cards, and in the documents that issuers publish.
///
/// `add` reads the inputs in all their layers: a broken layer does not hide the next one. `judge` asks for what has to
/// be known of issuers, because lint does no input or output. The rules are values (`Rule.all`); this type only applies
/// them.
package struct Linter {
    var policy: LintPolicy {
        didSet {
            settings = LintSettings(policy)
            cardKeys = CardKeys()
        }
    }
    /// The policy, and what follows from it. Copies of a linter share it.
    private(set) var settings: LintSettings
    /// The keys that cards named. Copies of a linter share them, since they have the same policy.
    private(set) var cardKeys = CardKeys()
    let inflater: Inflater
    /// Inflates EU certificates.
    let inflaters: HCERTSubject.Inflaters
    /// The findings in input order, those of one input or card together.
    private var sections: [[Finding]] = []
    private var count = 0
    private var isFull = false
    private var positions = TextPositions()
    private var fingerprints = FindingFingerprints()
    /// What the findings are in, for their fingerprints.
    package var subject = FindingSubject.input {
        didSet { fingerprints.forgetSubject() }
    }
    /// The size of the payloads of each input so far, by the number of the input.
    private var spent: [Int: Int] = [:]
    /// The number of the input to which what is being read belongs.
    var currentInput = 0
    /// Cards that were not yet checked together with their issuer.
    private var pending: [PendingCard] = []
    /// Attestations of apps whose signatures were not yet checked.
    private var attestations: [PendingAttestation] = []
    /// The size of the payloads that these cards keep in memory.
    private var keptSize = 0
    /// The profiles that the contents of cards have chosen, since none was asked for.
    package private(set) var chosenProfiles: [LintPolicy.Profile] = []
    /// Whether there was a Bundle, and one that a patient's app shares.
    private var (hasBundle, hasSharedBundle) = (false, false)
    var splitCards: [QRSetSubject] = []
    /// The links in the inputs, which the caller may open. `add(_:contents:)` takes what it finds.
    package internal(set) var links: [PresentedContainer] = []
    /// The number of inputs so far, without the texts of pictures and the files of links.
    var inputCount = 0
    /// The number of links in the input that is being read.
    var linksOfInput = 0
    /// Where what is being read comes from.
    enum Place {
        /// From the user.
        case input
        /// It is a text on a picture or in a PDF.
        case picture
        /// From a file of a link.
        case link
        /// It was given to judge cards by.
        case given
        /// From a live issuer's server.
        case answer
    }

    var place = Place.input
    /// The keys of cards that were already checked, together with their revocation lists.
    var namedKeys: Set<NamedKey> = []
    /// The findings in documents that were given to judge cards by. They are not repeated for each card.
    private var known: Set<[UInt8]> = []
    /// The signers of EU certificates that were read so far.
    var signers = SignerCache()
    /// The number of cards for which the issuer's other keys may still be tried.
    private var hintsLeft = Bounds.keyHints

    /// How many findings of one rule are kept for one text, and how many in all.
    static let findingsOfRule = 20
    static let findingsOfRun = 10_000
    /// Up to how many values a collection keeps its memory for the next input.
    private static let keptCapacity = 16

    /// - Throws: `InflateError` if memory runs out (for zlib's state).
    package init(policy: LintPolicy) throws(InflateError) {
        self.policy = policy
        settings = LintSettings(policy)
        inflater = try Inflater()
        inflaters = HCERTSubject.Inflaters(zlib: try Inflater(.zlib), raw: inflater)
    }

    /// The findings, in input order.
    package var findings: [Finding] { sections.flatMap(\.self) }

    /// The profiles that were asked for, in words of messages.
    package var askedProfiles: [String] { policy.profiles.map(\.rawValue) + policy.ownProfiles.map(\.name) }

    /// Those of them that are about nothing in the inputs.
    package var idleProfiles: [String] {
        askedProfiles.filter { name in
            name == LintPolicy.Profile.patientApp.rawValue ? !hasSharedBundle && links.isEmpty : !hasBundle
        }
    }

    // MARK: Many inputs

    // A linter is large. So what is called for each of many inputs is mutating: a call that does not mutate may be made on a copy, which
    // takes longer than all that it does.

    /// How much is kept of what has been read: the number of findings so far, and the size in bytes of the payloads for `judge`.
    package mutating func kept() -> (findings: Int, bytes: Int) { (count, keptSize) }

    /// The findings, in input order. Begins again.
    package mutating func takeFindings() -> [Finding] {
        let found = sections.count == 1 ? sections[0] : findings
        beginAgain()
        return found
    }

    /// The claim about the signature of the first card for `judge`, so that it is confirmed together with those of other linters; nil if
    /// there is no such card, or if evidence is missing.
    package mutating func claim(with evidence: EvidenceAnswers) -> SignatureClaim? {
        pending.first?.jws.flatMap { probe(of: $0, with: evidence, claim: nil).openClaim() }
    }

    // MARK: Judgement

    private func probe(of jws: JWSSubject, with evidence: EvidenceAnswers, claim: SignatureClaim?) -> CardProbe {
        CardProbe(
            jws: jws, settings: settings, evidence: evidence, mayTryOtherKeys: hintsLeft > 0, known: cardKeys,
            claim: claim)
    }

    /// Applies the rules that need to know the issuers of the cards.
    ///
    /// - Parameters:
    ///   - evidence: what is known of issuers.
    ///   - claim: a claim about a signature, which may have been answered; nil if there is none.
    /// - Returns: the evidence to get before calling this again; empty if all cards are done.
    package mutating func judge(with evidence: EvidenceAnswers, claim: SignatureClaim? = nil) -> [EvidenceRequest] {
        var requests: [EvidenceRequest] = []
        var waiting: [PendingCard] = []
        for card in pending {
            let jws =
                card.jws ?? JWSSubject(card.document, kind: card.kind, settings: settings, inflater: inflater)
            do throws(EvidenceNeeded) {
                let subject = try probe(of: jws, with: evidence, claim: claim).subject()
                if !subject.isSigned, case .success = subject.keys { hintsLeft -= 1 }
                lint(subject, in: card.section)
            } catch {
                waiting.append(card)
                if !requests.contains(error.request) { requests.append(error.request) }
            }
        }
        pending = waiting
        attestations = attestations.filter { waiting in
            do throws(EvidenceNeeded) {
                try lint(waiting, with: evidence)
                return false
            } catch {
                if !requests.contains(error.request) { requests.append(error.request) }
                return true
            }
        }
        return requests
    }

    /// Forgets the inputs and their findings, but not the files that were given to judge cards by. So one linter can lint many inputs
    /// as if each had a run of its own.
    package mutating func beginAgain() {
        sections = []
        count = 0
        isFull = false
        positions = TextPositions()
        fingerprints.beginAgain()
        subject = .input
        spent.removeAll(keepingCapacity: spent.count <= Self.keptCapacity)
        pending = []
        attestations = []
        keptSize = 0
        splitCards = []
        links = []
        namedKeys.removeAll(keepingCapacity: namedKeys.count <= Self.keptCapacity)
        chosenProfiles = []
        (hasBundle, hasSharedBundle) = (false, false)
        hintsLeft = Bounds.keyHints
    }

    /// Checks the signature of an app's attestation.
    ///
    /// - Throws: `EvidenceNeeded` if the app's keys must be fetched first.
    private mutating func lint(_ pending: PendingAttestation, with evidence: EvidenceAnswers) throws(EvidenceNeeded) {
        let (attestation, document) = (pending.attestation, pending.document)
        let unchecked = { (why: String) in
            Problem(
                "the signature of the app's attestation was not checked: \(why)", at: attestation.element,
                severity: .unchecked)
        }
        let problem: Problem? =
            switch try attestation.finding(by: policy.verification, evidence: evidence) {
            case .verified?, nil: nil
            case .wrong(let words)?: Problem(words, at: attestation.element)
            case .unknownApp?: unchecked("the app is not among those that were named")
            case .unchecked(let failure)?: unchecked(failure.message)
            }
        guard let problem else { return }
        add([problem], of: .attestationSignature, in: document, to: pending.section)
    }

    // MARK: Sections

    /// Begins a group of findings that belong together in the report.
    mutating func newSection() -> Int {
        sections.append([])
        return sections.count - 1
    }

    /// Adds the first few of the violations that a rule found in a text.
    ///
    /// If some are left out, this is a finding of its own with the highest severity of them, so that none is hidden.
    ///
    /// - Parameter isGiven: whether the text is from a given document that was already checked as a whole.
    mutating func add(
        _ problems: [Problem], of rule: Rule, in document: Document, to section: Int, isGiven: Bool = false
    ) {
        let problems =
            isGiven ? problems.filter { !known.contains(Self.identity($0, of: rule, in: document)) } : problems
        guard !problems.isEmpty, !policy.waivedRules.contains(rule.id) || rule.id == Rule.inputBounds.id else { return }
        if place == .given { known.formUnion(problems.map { Self.identity($0, of: rule, in: document) }) }
        let shown = problems.prefix(min(Self.findingsOfRule, Self.findingsOfRun - count))
        for problem in shown { add(problem, of: rule, in: document, to: section) }
        count += shown.count
        let rest = problems.dropFirst(shown.count)
        guard !rest.isEmpty else { return }
        if shown.count == Self.findingsOfRule {
            let highest = rest.map { $0.severity ?? rule.severity }.max()
            let words = rest.count.counted("more finding")
            let note = Problem("left out: \(words) of the rule \(rule.id)", severity: highest, standsForOthers: true)
            add(note, of: rule, in: document, to: section)
        } else if !isFull {
            // This finding cannot be excluded, because nobody knows what it hides.
            isFull = true
            let note = Problem(
                "there are more than \(Self.findingsOfRun) findings; the rest is left out", standsForOthers: true)
            add(note, of: .inputBounds, in: document, to: section)
        }
    }

    /// Says that something was not checked, because it is larger than any real one.
    mutating func addBound(_ words: String, in document: Document, to section: Int) {
        add([Problem(words)], of: .inputBounds, in: document, to: section)
    }

    private mutating func add(_ problem: Problem, of rule: Rule, in document: Document, to section: Int) {
        var finding = Finding(rule, problem, in: document, positions: &positions, actor: actor(of: rule))
        finding.fingerprint = fingerprints.next(finding, in: subject)
        sections[section].append(finding)
    }

    /// Who has to correct a violation of a rule: only the profile ktc says so.
    private func actor(of rule: Rule) -> FindingActor? {
        guard policy.profiles.contains(.patientApp) else { return nil }
        return rule.id == Rule.patientAppRecipient.id ? .operator : .sender
    }

    /// Identifies a finding, wherever its document came from.
    private static func identity(_ problem: Problem, of rule: Rule, in document: Document) -> [UInt8] {
        Array([rule.id, Finding.path(of: problem, in: document) ?? "", problem.message].joined(separator: "\n").utf8)
    }

    // MARK: Sizes

    /// Whether the next payload is checked. It may be as large as any, but those before it may have used up the limit of an input.
    var hasRoom: Bool { spent[currentInput, default: 0] < Bounds.inputPayloadSize }

    /// Adds the size of a payload to those of its input.
    mutating func spend(_ size: Int) { spent[currentInput, default: 0] += size }

    // MARK: Cards

    /// Checks a JWS with all of its content, and keeps it for `judge`.
    mutating func lint(_ document: Document, kind: InputForm, isCut: Bool = false, in section: Int) {
        guard document.text.count <= Bounds.jwsSize else {
            return addBound("the card was not checked: it is too large", in: document, to: section)
        }
        guard hasRoom else {
            return addBound(
                "the card was not checked: the size limit of an input was reached", in: document, to: section
            )
        }
        guard kind != .jws || !InputContent.isLinesOfJWS(document.text[...]) else {
            return add([Rule.severalJWS], of: .jwsParts, in: document, to: section)
        }
        let jws = JWSSubject(document, kind: kind, isCut: isCut, settings: settings, inflater: inflater)
        let size = jws.payload?.document.text.count ?? 0
        spend(size)
        if jws.header == nil {
            return addBound(
                "the card was not checked: its JWS header is larger than \(Bounds.headerSize) bytes", in: document,
                to: section)
        }
        apply(RuleCheck.jws, to: jws, in: document, section: section)
        if let header = jws.header { apply(RuleCheck.header, to: header, in: header.document, section: section) }
        apply(RuleCheck.jwsContent, to: jws, in: document, section: section)
        if let payload = jws.payload { lint(payload, in: section) }
        guard !isCut else { return }
        let isKept = keptSize + size <= Bounds.keptPayloadSize
        if isKept { keptSize += size }
        pending.append(PendingCard(section: section, document: document, kind: kind, jws: isKept ? jws : nil))
    }

    /// An attestation whose signature was not yet checked.
    private struct PendingAttestation {
        let section: Int
        let document: Document
        let attestation: AppAttestation
    }

    /// A card that was not yet checked together with its issuer.
    private struct PendingCard {
        let section: Int
        let document: Document
        let kind: InputForm
        /// The parsed card; nil to parse it again.
        let jws: JWSSubject?
    }

    /// Checks a payload and its Bundle.
    mutating func lint(_ payload: PayloadSubject, in section: Int) {
        apply(RuleCheck.payload, to: payload, in: payload.document, section: section)
        if let bundle = payload.bundle { lint(bundle, in: section) }
    }

    /// Checks a Bundle.
    mutating func lint(_ bundle: BundleSubject, in section: Int) {
        (hasBundle, hasSharedBundle) = (true, hasSharedBundle || bundle.isShared)
        for profile in bundle.chosenProfiles where !chosenProfiles.contains(profile) { chosenProfiles.append(profile) }
        apply(settings.rules(of: bundle), to: bundle, in: bundle.document, section: section)
        if let attestation = bundle.attestation, attestation.defect == nil {
            attestations.append(
                PendingAttestation(section: section, document: bundle.document, attestation: attestation))
        }
    }
}

/// A key that cards of an input name.
struct NamedKey: Hashable {
    let source: String
    let issuer: Issuer
    let keyID: KeyID
}

/// Checking EU Digital COVID Certificates.
extension Linter {
    /// Checks the texts of an input of which at least one is that of a certificate.
    ///
    /// - Parameter input: the whole input.
    mutating func lint(_ lines: CredentialLines, source: String, input: [UInt8], section: Int) {
        let document = { (number: Int, line: ArraySlice<UInt8>, layer: Document.Layer) in
            Document(source: source, card: number, layer: layer, text: Array(line), in: (input, line.startIndex))
        }
        for (number, text) in lines.texts.enumerated() {
            switch text {
            case .certificate(let text, let isWrapped, let start):
                // The places in a text of several lines are not those in the input.
                lintHCERT(
                    Document(
                        source: source, card: number, layer: .hc1, text: Array(text[...].trimmingWhiteSpace()),
                        in: isWrapped ? nil : (input, start)), isWrapped: isWrapped, in: section)
            case .code(let line): lintCode(line, number: number, source: source, input: input, section: section)
            case .jws(let line):
                lint(document(number, line, .jws), kind: .jws, in: section)
            case .link(let line): lintLinks([line], source: source, input: input, section: section)
            case .other(let line):
                let other = OtherCredential(line)
                add(
                    [Problem(other?.failure.message ?? InputContent.describe(line))],
                    of: other == nil ? .unknownInput : .unsupportedInput, in: document(number, line, .input),
                    to: section)
            }
        }
        guard lines.isCut else { return }
        addBound(
            "the input has more than \(Bounds.lines) lines; the rest was not checked",
            in: Document(source: source, layer: .input, text: input, in: (input, 0)), to: section)
    }

    /// Checks one certificate with all of its content.
    ///
    /// - Parameters:
    ///   - document: the text, or the octets of a CBOR Web Token.
    ///   - isWrapped: whether the text was wrapped over several lines.
    mutating func lintHCERT(_ document: Document, isWrapped: Bool = false, in section: Int) {
        guard hasRoom else {
            return addBound(
                "the certificate was not checked: the size limit of an input was reached", in: document,
                to: section)
        }
        guard document.layer == .hc1 || document.text.count <= Bounds.payloadSize else {
            return addBound("the certificate was not checked: it is too large", in: document, to: section)
        }
        let certificate = HCERTSubject(document, isWrapped: isWrapped, policy: policy, inflaters: inflaters)
        spend(certificate.text.spentSize)
        apply(RuleCheck.hcertText, to: certificate, in: document, section: section)
        if let message = certificate.message { lint(message, of: document, in: section) }
    }

    /// Checks the link in a certificate. Nothing is requested, and nothing of its text is repeated: it holds a key.
    private mutating func lint(_ link: WrappedLink, of payload: HCERTPayloadSubject, in section: Int) {
        let document = Document(
            source: payload.document.source, card: payload.document.card, layer: .dcc, text: [], pathPrefix: "hcert.5")
        let subject = HealthLinkSubject(
            document: document, reading: HealthLink(inCertificate: link.text, scheme: link.scheme.rawValue),
            policy: policy, isInCertificate: true)
        apply(RuleCheck.link, to: subject, in: document, section: section)
    }

    private mutating func lint(_ message: COSESubject, of document: Document, in section: Int) {
        if let payload = message.payload, payload.read?.unsupported != nil {
            // Another kind has rules of its own, for its headers too.
            let checks = RuleCheck.hcertPayload.checks.filter { $0.rule === Rule.unsupportedContent }
            return apply(checks, to: payload, in: payload.document, section: section)
        }
        apply(RuleCheck.cose, to: message, in: message.document, section: section)
        guard let payload = message.payload else { return }
        apply(RuleCheck.hcertPayload, to: payload, in: payload.document, section: section)
        if let content = payload.content { lint(content, in: section) }
        if case .success(let link)? = payload.link { lint(link, of: payload, in: section) }
        let signed = SignedHCERTSubject(
            message, document: document, policy: policy, mayTryOthers: hintsLeft > 0, &signers)
        if signed.maker == nil { hintsLeft -= 1 }
        apply(RuleCheck.hcert, to: signed, in: document, section: section)
    }
}
