import Bytes
import CBOR
import COSE
import Credentials
import Cryptography
import Deflate
import HealthCertificates
import Inputs
import SMARTHealthCards
import StrictJSON

/// An EU Digital COVID Certificate, decoded as far as possible: a broken layer does not hide the next one.
struct HCERTSubject: Sendable {
    /// How the text begins.
    enum Prefix: Sendable {
        /// With `HC1:`, as it should.
        case right
        /// With `HC1:` in another case.
        case otherCase
        case missing
    }

    /// The text, or the octets of the CBOR Web Token.
    let document: Document
    /// How the text begins; nil if the certificate is given as octets.
    let prefix: Prefix?
    /// Whether the text was wrapped over several lines.
    let isWrapped: Bool
    /// Why the text is not base45; nil if it is.
    let encodingError: Base45Error?
    /// Where the base45 begins in the text.
    let encodingStart: Int
    /// Why the certificate is not in zlib's format; nil if it is, or need not be.
    let compressionError: InflateError?
    /// The number of bytes to subtract from the run's budget for inflated payloads.
    let spentSize: Int
    /// The COSE message; nil if the certificate cannot be decoded up to it.
    let message: COSESubject?

    /// The inflaters of a run.
    struct Inflaters {
        let zlib: Inflater
        let raw: Inflater
    }

    /// Decodes a certificate.
    ///
    /// - Parameters:
    ///   - document: the text of one certificate without white space around it, or the octets.
    ///   - isWrapped: whether the text was wrapped over several lines, which were joined.
    ///   - maximumSize: the most bytes that the message may have.
    init(_ document: Document, isWrapped: Bool = false, policy: LintPolicy, inflaters: Inflaters, maximumSize: Int) {
        self.document = document
        self.isWrapped = isWrapped
        let text = document.text
        var spent = 0
        var octets: [UInt8]?
        if document.layer == .hc1 {
            let hasPrefix = InputForm.begins(text[...], with: "hc1:")
            prefix = !hasPrefix ? .missing : text.starts(with: HCERTText.prefix.utf8) ? .right : .otherCase
            encodingStart = hasPrefix ? HCERTText.prefix.utf8.count : 0
            let (compressed, error) = Self.decoded(text[encodingStart...])
            encodingError = error
            if let compressed {
                let inflated: InflateError?
                (octets, inflated) = Self.inflated(compressed, inflaters, limit: maximumSize, spent: &spent)
                // Text that had to be repaired need not be what the issuer wrote.
                compressionError = error == nil ? inflated : nil
            } else {
                compressionError = nil
            }
        } else {
            prefix = nil
            encodingStart = 0
            encodingError = nil
            if HCERTText.isZlib(text[...]) {
                (octets, compressionError) = Self.inflated(text, inflaters, limit: maximumSize, spent: &spent)
            } else {
                octets = text
                spent = text.count
                compressionError = nil
            }
        }
        spentSize = spent
        message = octets.map { COSESubject($0, of: document, policy: policy) }
    }

    /// Decodes base45. If letters are in lower case, decodes it as if they were not, and returns the error as well.
    private static func decoded(_ text: ArraySlice<UInt8>) -> ([UInt8]?, Base45Error?) {
        do throws(Base45Error) {
            return (try Base45.decode(text), nil)
        } catch {
            guard case .character(0x61...0x7A) = error.reason else { return (nil, error) }
            return (try? Base45.decode(text.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }), error)
        }
    }

    /// Inflates the message. If it is not in zlib's format, tries what it seems to be instead, and returns the error as well.
    private static func inflated(
        _ bytes: [UInt8], _ inflaters: Inflaters, limit: Int, spent: inout Int
    ) -> ([UInt8]?, InflateError?) {
        do throws(InflateError) {
            let message = try inflaters.zlib.inflate(bytes, maximumSize: limit)
            spent = message.count
            return (message, nil)
        } catch {
            spent = HCERTText.spentSize(ofBroken: bytes, maximumSize: limit)
            let inside: [UInt8]? =
                switch error.reason {
                case .rawDeflate: try? inflaters.raw.inflate(bytes, maximumSize: limit)
                // Ten bytes before it if there is no file name, and eight after it (RFC 1952 §2.3).
                case .gzipWrapper:
                    try? inflaters.raw.inflate(Array(bytes.dropFirst(10).dropLast(8)), maximumSize: limit)
                case .notCompressed: bytes.count <= limit ? bytes : nil
                case .trailingBytes(let count): try? inflaters.zlib.inflate(bytes.dropLast(count), maximumSize: limit)
                default: nil
                }
            spent = max(spent, inside?.count ?? 0)
            return (inside, error)
        }
    }
}

/// The COSE message of a certificate.
struct COSESubject: Sendable {
    /// The message in CBOR.
    let document: Document
    /// The four parts of the message, or why it has not even these.
    let parts: Result<COSEParts, COSEError>
    /// The algorithm and whether only the unprotected header names it, or what is wrong with it; nil if there are no parts.
    let algorithm: Result<(SignatureAlgorithm, isUnprotected: Bool), COSEError>?
    /// The key ID and whether it is a text, or what is wrong with it; nil if there are no parts.
    let namedKey: Result<([UInt8], isText: Bool), COSEError>?
    /// The key ID, or what is wrong with it; nil if there are no parts.
    var keyID: Result<[UInt8], COSEError>? { namedKey.map { $0.map(\.0) } }
    /// The payload; nil if there are no parts.
    let payload: HCERTPayloadSubject?

    init(_ bytes: [UInt8], of certificate: Document, policy: LintPolicy) {
        document = Document(source: certificate.source, card: certificate.card, layer: .cwt, text: bytes)
        parts = Result { () throws(COSEError) in try COSEParts(bytes) }
        guard let parts = try? parts.get() else {
            algorithm = nil
            namedKey = nil
            payload = nil
            return
        }
        algorithm = Result { () throws(COSEError) in try parts.algorithm() }
        let payload = HCERTPayloadSubject(Array(parts.payload), of: certificate, policy: policy)
        let isLenient = (try? payload.claims.get())?.found?.kind.isLenient == true
        namedKey = Result { () throws(COSEError) in try parts.keyID(allowingText: isLenient) }
        self.payload = payload
    }

    /// The value of a label in the protected header.
    func protected(_ label: Int64) -> CBORValue? { (try? parts.get())?.protected?[label] }

    /// The value of a label in the unprotected header.
    func unprotected(_ label: Int64) -> CBORValue? { (try? parts.get())?.unprotected[label] }
}

/// The payload of a certificate: the claims of a CBOR Web Token.
struct HCERTPayloadSubject: Sendable {
    /// A claim, or what is wrong with it.
    typealias Claim<T> = Result<T, VerificationFailure>

    /// The claims, once the payload is known to be a map.
    struct Claims: Sendable {
        let map: CBORValue
        let payload: CWTPayload
        /// The content that the claims have; nil if it is of no kind that is verified.
        let found: FoundContent?
        /// What a certificate of a known kind that is not verified says of itself; nil if it is none.
        let unsupported: String?
        /// The country of the issuer; nil if there is none.
        let issuer: Claim<UTF8Text?>
        let issued: Claim<NumericDate>
        /// Nil inside if it is not there, and need not be.
        let expires: Claim<NumericDate?>
        let notBefore: Claim<NumericDate?>
        /// The value of `hcert`.
        let container: Claim<CBORValue>
        /// The content in `hcert`; nil if there is no `hcert`, or if it is of a kind that is not verified.
        let content: Claim<CBORValue>?
    }

    /// The payload in CBOR.
    let document: Document
    let policy: LintPolicy
    /// The claims, or why the payload cannot have any.
    let claims: Result<Claims, VerificationFailure>
    /// The content; nil if there is none with rules of its own.
    let content: (any LintedContent)?
    /// The EU's content; nil if there is none.
    var dcc: DCCSubject? { content as? DCCSubject }
    /// The health link, or why it is none; nil if there is other content.
    let link: Claim<WrappedLink>?

    /// The contents that have rules of their own, in the order of their rules.
    static let contents: [any LintedContent.Type] = [DCCSubject.self, ICVPSubject.self]

    init(_ bytes: [UInt8], of certificate: Document, policy: LintPolicy) {
        document = Document(source: certificate.source, card: certificate.card, layer: .payload, text: bytes)
        self.policy = policy
        claims = Result { () throws(VerificationFailure) in try Claims(bytes) }
        let claims = try? claims.get()
        let value = claims?.content.flatMap { try? $0.get() }
        let number = claims?.found?.kind.number
        let type = Self.contents.first { $0.kind.number == number }
        content = if let type, let value { type.init(value, of: certificate) } else { nil }
        link =
            number == WrappedLink.kind.number
            ? value.map { value in Result { () throws(VerificationFailure) in try WrappedLink(value) } } : nil
    }

    /// When the certificate was issued and expires, as far as that can be read.
    var issued: NumericDate? { (try? claims.get()).flatMap { try? $0.issued.get() } }
    var expires: NumericDate? { (try? claims.get()).flatMap { try? $0.expires.get() } ?? nil }
    /// The country that the certificate names as its issuer.
    var issuer: UTF8Text? { (try? claims.get()).flatMap { try? $0.issuer.get() } ?? nil }
}

extension HCERTPayloadSubject.Claims {
    fileprivate init(_ bytes: [UInt8]) throws(VerificationFailure) {
        let map: CBORValue
        do throws(CBORError) {
            map = try CBORDocument.parse(bytes)
        } catch {
            throw VerificationFailure(.malformedPayload, "the payload is not acceptable CBOR: \(error)")
        }
        let found = FoundContent(in: map)
        let payload = try CWTPayload(map, with: found)
        self.map = map
        self.payload = payload
        self.found = found
        unsupported = OtherContent.failure(in: map)?.message
        issuer = Result { () throws(VerificationFailure) in try payload.issuer() }
        issued = Result { () throws(VerificationFailure) in try payload.issued() }
        expires = Result { () throws(VerificationFailure) in try payload.expires() }
        notBefore = Result { () throws(VerificationFailure) in try payload.notBefore() }
        let container = Result { () throws(VerificationFailure) in try payload.content() }
        self.container = container
        content =
            unsupported != nil
            ? nil
            : (try? container.get()).map { container in
                Result { () throws(VerificationFailure) in
                    guard let found else { throw OtherContent.failure(of: container) }
                    return found.kind.number == DCC.kind.number ? try DCC.map(found.value) : found.value
                }
            }
    }
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
        /// The signature verifies with none of the keys that were tried, and there are more with the key ID.
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

    /// - Parameter cache: the signers that were read so far.
    init(_ message: COSESubject, document: Document, policy: LintPolicy, _ cache: inout SignerCache) {
        self.message = message
        self.document = document
        self.policy = policy
        keyID = message.keyID.flatMap { try? $0.get() }
        let kind = (try? message.payload?.claims.get())?.found?.kind ?? DCC.kind
        let known = keyID.map { cache.signers(of: $0, for: kind, by: policy.hcertPolicy) }
        otherScopes = known?.otherScopes ?? []
        signers = known?.signers ?? []
        let signature = Self.check(message, by: signers, at: policy.now)
        if case .invalid = signature, known?.areAll == false {
            self.signature = .tooManySigners
        } else {
            self.signature = signature
        }
    }

    private static func check(_ message: COSESubject, by signers: [Signer], at now: NumericDate) -> SignatureCheck {
        guard let parts = try? message.parts.get(), case .success(let (algorithm, _))? = message.algorithm else {
            return .notPossible
        }
        let text = parts.signedBytes[...]
        let signature: MessageSignature
        do throws(Malformed) {
            signature = try MessageSignature(parts.signature, by: algorithm)
        } catch {
            return .malformed(error.description)
        }
        let candidates = signers.filter { $0.key.objection(to: algorithm) == nil }
        let makers = candidates.filter { (try? $0.key.get())?.isValid(signature, for: text) == true }
        guard !candidates.isEmpty else { return .notPossible }
        // As when a certificate is verified, the signer that may do most counts, and then that of the claimed country.
        let group = message.payload?.dcc?.record?.group
        let current = makers.filter { $0.isValid(at: now) }
        let entitled = current.filter { signer in group.map(signer.usages.contains) ?? true }
        let best = [entitled, current, makers].first { !$0.isEmpty } ?? []
        guard let place = Signer.attributed(best, claim: message.payload?.issuer) else { return .invalid }
        return .valid(best[place], countries: Signer.differentCountries(of: makers))
    }

    /// The signer that made the signature; nil if none did.
    var maker: Signer? { if case .valid(let signer, _) = signature { signer } else { nil } }

    /// The countries for which the key of the signer is listed, if these are several; else empty.
    var countries: [UTF8Text] { if case .valid(_, let countries) = signature { countries } else { [] } }
}
