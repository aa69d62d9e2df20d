import Credentials
import Cryptography
import Encodings
import HealthCertificates

/// The text of a health certificate, or the octets of the CBOR Web Token.
struct HCERTSubject: Sendable {
    let document: Document
    /// Whether the text was wrapped over several lines.
    let isWrapped: Bool
    let text: HCERTText
    /// The COSE message; nil if the certificate cannot be decoded up to it.
    let message: COSESubject?

    /// The inflaters of a run.
    struct Inflaters {
        let zlib: Inflater
        let raw: Inflater
    }

    /// - Parameters:
    ///   - document: the text of one certificate without white space around it, or the octets.
    ///   - isWrapped: whether the text was wrapped over several lines, which were joined.
    init(_ document: Document, isWrapped: Bool = false, policy: LintPolicy, inflaters: Inflaters) {
        self.document = document
        self.isWrapped = isWrapped
        text = HCERTText(
            document.text, inflater: inflaters.zlib, despiteErrors: inflaters.raw, maximumSize: Bounds.payloadSize,
            isText: document.layer == .hc1)
        message = text.message.map { COSESubject($0, of: document, policy: policy) }
    }
}

/// The COSE message of a certificate.
struct COSESubject: Sendable {
    /// The message in CBOR.
    let document: Document
    let reading: COSEReading
    /// The key ID, or what is wrong with it; nil if there are no parts.
    var keyID: Result<[UInt8], COSEError>? { reading.namedKey.map { $0.map(\.0) } }
    /// The payload; nil if there are no parts.
    let payload: HCERTPayloadSubject?

    init(_ reading: COSEReading, of certificate: Document, policy: LintPolicy) {
        self.reading = reading
        document = Document(source: certificate.source, card: certificate.card, layer: .cwt, text: reading.octets)
        payload = (try? reading.parts.get()).flatMap { parts in
            reading.claims.map {
                HCERTPayloadSubject($0, in: Array(parts.payload), of: certificate, policy: policy)
            }
        }
    }

    /// The value of a label in the protected header.
    func protected(_ label: Int64) -> CBORValue? { (try? reading.parts.get())?.protected?[label] }

    /// The value of a label in the unprotected header.
    func unprotected(_ label: Int64) -> CBORValue? { (try? reading.parts.get())?.unprotected[label] }
}

/// The payload of a certificate: the claims of a CBOR Web Token.
struct HCERTPayloadSubject: Sendable {
    /// The payload in CBOR.
    let document: Document
    let policy: LintPolicy
    /// The claims, or why the payload cannot have any.
    let claims: Result<CWTReading, VerificationFailure>
    /// The content; nil if there is none with rules of its own.
    let content: (any LintedContent)?
    /// The EU's content; nil if there is none.
    var dcc: DCCSubject? { content as? DCCSubject }
    /// The health link, or why it is none; nil if there is other content.
    let link: Result<WrappedLink, VerificationFailure>?

    /// The contents that have rules of their own, in the order of their rules.
    static let contents: [any LintedContent.Type] = [DCCSubject.self, ICVPSubject.self]

    init(
        _ claims: Result<CWTReading, VerificationFailure>, in bytes: [UInt8], of certificate: Document,
        policy: LintPolicy
    ) {
        document = Document(source: certificate.source, card: certificate.card, layer: .payload, text: bytes)
        self.policy = policy
        self.claims = claims
        let claims = try? claims.get()
        let value = claims?.content.flatMap { try? $0.get() }
        let number = claims?.found?.kind.number
        let type = Self.contents.first { $0.kind.number == number }
        content = if let type, let value { type.init(value, of: certificate) } else { nil }
        link =
            number == WrappedLink.kind.number
            ? value.map { value in Result { () throws(VerificationFailure) in try WrappedLink(value) } } : nil
    }

    /// The claims, if there are any.
    var read: CWTReading? { try? claims.get() }
    /// When the certificate was issued and expires, as far as that can be read.
    var issued: NumericDate? { try? read?.issued.get() }
    var expires: NumericDate? { (try? read?.expires.get()) ?? nil }
    /// The country that the certificate names as its issuer.
    var issuer: UTF8Text? { (try? read?.issuer.get()) ?? nil }
}

extension RuleCheck {
    /// The content of an EU certificate.
    static let dcc = RuleSubject<DCCSubject>("EU certificate's content")
    /// The content of a vaccination certificate of WHO's (ICVP).
    static let icvp = RuleSubject<ICVPSubject>("ICVP's content")
}

/// The content of a vaccination certificate of WHO's (ICVP): the person and the vaccinations.
struct ICVPSubject: LintedContent {
    static let kind = ICVP.kind
    static let subject = RuleCheck.icvp
    static let rules = Rule.icvpRules

    /// The content, whose paths begin here. It has no bytes of its own, since it is a part of the payload.
    let document: Document
    let model: ICVPCheck

    init(_ value: CBORValue, of certificate: Document) {
        document = Document(source: certificate.source, card: certificate.card, layer: .dcc, text: [])
        model = ICVPCheck(value)
    }
}

/// The content of a certificate: the person and the record.
struct DCCSubject: LintedContent {
    static let kind = DCC.kind
    static let subject = RuleCheck.dcc
    static let rules = Rule.dccSchemaRules

    /// The content, whose paths begin here. It has no bytes of its own, since it is a part of the payload.
    let document: Document
    let schema: DCCSchemaCheck

    init(_ value: CBORValue, of certificate: Document) {
        document = Document(source: certificate.source, card: certificate.card, layer: .dcc, text: [])
        schema = DCCSchemaCheck(value)
    }

    /// The only record with its group; nil if there is not exactly one.
    var record: (group: RecordGroup, record: CBORValue)? { schema.records.count == 1 ? schema.records.first : nil }
}

/// A certificate together with the given signers of its key ID.
struct SignedHCERTSubject: Sendable {
    /// Whether the signature verifies.
    enum SignatureCheck: Sendable {
        /// There is no signer, or nothing that could be a signature.
        case notPossible
        /// The signature has not the form of its algorithm, with the reason in words.
        case malformed(String)
        case invalid
        /// The signature does not verify with any of the keys that were tried, and there are more with the key ID.
        case tooManySigners
        /// The signature verifies with the key of this signer. If the key is listed for several countries, these are named.
        case valid(Signer, countries: [UTF8Text])
    }

    let document: Document
    let policy: LintPolicy
    let message: COSESubject
    /// The key ID that the message names; nil if it names none.
    let keyID: [UInt8]?
    /// The signers with the key ID that sign such content.
    let signers: [Signer]
    /// What entries with the key ID sign instead, in words.
    let otherScopes: [String]
    let signature: SignatureCheck
    /// The key ID of a signer that the certificate does not name, and whose key made the signature; nil if there is none, or if there
    /// are too many signers to try.
    let otherKeyID: [UInt8]?

    /// - Parameters:
    ///   - mayTryOthers: whether signers that the certificate does not name are tried too.
    ///   - cache: the signers that were read so far.
    init(
        _ message: COSESubject, document: Document, policy: LintPolicy, mayTryOthers: Bool, _ cache: inout SignerCache
    ) {
        self.message = message
        self.document = document
        self.policy = policy
        let named = message.keyID.flatMap { try? $0.get() }
        keyID = named
        let kind = message.payload?.read?.found?.kind ?? DCC.kind
        let hcertPolicy = policy.hcertPolicy
        let known = named.map { cache.signers(of: $0, for: kind, by: hcertPolicy) }
        otherScopes = known?.otherScopes ?? []
        signers = known?.signers ?? []
        let signature = Self.check(message, by: signers, at: policy.now)
        var others: [[UInt8]] = []
        switch signature {
        case .valid, .malformed, .tooManySigners: break
        case .notPossible, .invalid: if mayTryOthers { others = policy.signers.keyIDs.filter { $0 != named } }
        }
        otherKeyID = (others.count > Bounds.triedKeys ? [] : others).first { other in
            let signers = cache.signers(of: other, for: kind, by: hcertPolicy).signers
            return if case .valid = Self.check(message, by: signers, at: policy.now) { true } else { false }
        }
        if case .invalid = signature, known?.areAll == false {
            self.signature = .tooManySigners
        } else {
            self.signature = signature
        }
    }

    private static func check(_ message: COSESubject, by signers: [Signer], at now: NumericDate) -> SignatureCheck {
        guard let parts = try? message.reading.parts.get(),
            case .success(let (algorithm, _))? = message.reading.algorithm
        else { return .notPossible }
        let text = parts.signedBytes[...]
        let signature: MessageSignature
        do throws(Malformed) {
            signature = try MessageSignature(parts.signature, by: algorithm)
        } catch {
            return .malformed(error.description)
        }
        let candidates = signers.filter { $0.key.objection(to: algorithm) == nil }
        guard !candidates.isEmpty else { return .notPossible }
        let makers = candidates.filter { (try? $0.key.get())?.isValid(signature, for: text) == true }
        let group = message.payload?.dcc?.record?.group
        let chosen = Signer.chosen(among: makers, at: now, claim: message.payload?.issuer) { signer in
            group.map(signer.usages.contains) ?? true
        }
        guard let chosen else { return .invalid }
        return .valid(makers[chosen.place], countries: Signer.differentCountries(of: makers))
    }

    /// The signer that made the signature; nil if none did.
    var maker: Signer? { if case .valid(let signer, _) = signature { signer } else { nil } }

    /// The countries for which the key of the signer is listed, if these are several; else empty.
    var countries: [UTF8Text] { if case .valid(_, let countries) = signature { countries } else { [] } }
}

/// A content of health certificates that has rules of its own. A new one is a type that conforms to this, and a line in
/// `HCERTPayloadSubject.contents`.
protocol LintedContent: Sendable {
    /// The kind of the content.
    static var kind: HealthContentKind { get }
    /// What the rules are about. It is one value, which does not change.
    static var subject: RuleSubject<Self> { get }
    /// The rules.
    static var rules: [Rule] { get }

    /// The content, whose paths begin here. It has no bytes of its own, since it is a part of the payload.
    var document: Document { get }

    /// - Parameters:
    ///   - value: the content.
    ///   - certificate: the certificate that contains it.
    init(_ value: CBORValue, of certificate: Document)
}

extension Linter {
    /// Applies the rules of a content.
    mutating func lint(_ content: some LintedContent, in section: Int) {
        apply(type(of: content).subject, to: content, in: content.document, section: section)
    }
}
