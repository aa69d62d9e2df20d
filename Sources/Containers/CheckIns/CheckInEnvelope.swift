package import Credentials
package import Cryptography
package import Encodings

/// What the clinic knows of a check-in: the request, and how the answer is opened.
package struct CheckInSession: Sendable {
    /// The request; nil if it was not given.
    package var request: CheckInRequest?
    /// The key to which the answer is encrypted; nil if it was not given.
    package var recipientKey: P256AgreementKey?
    /// Who called the wallet; nil if it was not given.
    package var origin: String?
    /// Whether each finding of the envelope fails the check-in.
    package var isStrict: Bool

    package init(
        request: CheckInRequest? = nil, recipientKey: P256AgreementKey? = nil, origin: String? = nil,
        isStrict: Bool = false
    ) {
        self.request = request
        self.recipientKey = recipientKey
        self.origin = origin
        self.isStrict = isStrict
    }

    /// What both sides know of the session (ISO/IEC TS 18013-7, annex C; SMART Health Check-in TR-1, TR-2).
    package static func transcript(_ information: [UInt8], origin: String) -> [UInt8] {
        var handover: [UInt8] = []
        CBORHead.append(4, 2, to: &handover)
        CBORHead.append(3, UInt64(information.count), to: &handover)
        handover += information
        append(text: origin, to: &handover)
        var transcript: [UInt8] = []
        CBORHead.append(4, 3, to: &transcript)
        transcript += [0xF6, 0xF6]
        CBORHead.append(4, 2, to: &transcript)
        append(text: "dcapi", to: &transcript)
        CBORHead.append(2, 32, to: &transcript)
        return transcript + SHA256.digest(handover)
    }

    static func append(text: String, to bytes: inout [UInt8]) {
        CBORHead.append(3, UInt64(text.utf8.count), to: &bytes)
        bytes += text.utf8
    }
}

/// The encrypted answer of a wallet, as the Digital Credentials API hands it on.
struct CheckInEnvelope {
    private let encapsulated: [UInt8]
    private let ciphertext: [UInt8]
    /// What is wrong around the encryption.
    private var findings = EnvelopeFindings()

    /// Reads an answer.
    ///
    /// - Throws: `VerificationFailure` with `malformed-check-in`.
    init(_ object: JSONValue) throws(VerificationFailure) {
        if !(object["protocol"]?.isString("org-iso-mdoc") ?? false) {
            findings.note(.envelopeForm, "the protocol is not org-iso-mdoc")
        }
        let text = object["data"]?["response"]?.stringBytes
        let padding = text?.reversed().prefix { $0 == UInt8(ascii: "=") }.count ?? 0
        guard let text, let bytes = try? Base64URL.decode(text.dropLast(padding)) else {
            throw CheckInResponse.malformed("data.response is not base64url")
        }
        if padding > 0 { findings.note(.envelopeForm, "data.response has padding, as base64url has not") }
        let parts = try Result { () throws(CBORError) in try CBORDocument.parse(bytes) }
            .mapError { CheckInResponse.malformed("data.response is not acceptable CBOR: \($0)") }.get()
        guard let elements = parts.elements, elements.count == 2,
            elements[0].text.map({ $0.elementsEqual("dcapi".utf8) }) ?? false,
            let encapsulated = elements[1]["enc"]?.byteString, encapsulated.count == HPKE.encapsulatedKeyLength,
            let ciphertext = elements[1]["cipherText"]?.byteString
        else { throw CheckInResponse.malformed("data.response holds no encrypted answer") }
        self.encapsulated = Array(encapsulated)
        self.ciphertext = Array(ciphertext)
    }

    /// Opens the answer, and checks it for the session.
    ///
    /// - Returns: the answer, and what is wrong with it and around it.
    /// - Throws: `VerificationFailure` with `decryption-failed`, or with `malformed-check-in` if there is no response in it.
    func open(
        _ encryption: CheckInRequest.Encryption, key: P256AgreementKey, origin: String, at now: NumericDate
    ) throws(VerificationFailure) -> (answer: DeviceResponse, findings: EnvelopeFindings) {
        let transcript = CheckInSession.transcript(encryption.information, origin: origin)
        guard let plaintext = HPKE.open(ciphertext, encapsulated: encapsulated, info: transcript, key: key) else {
            throw VerificationFailure(
                .decryptionFailed,
                "the answer of the wallet cannot be decrypted: it is for another key, origin or request, or was changed"
            )
        }
        let answer = try DeviceResponse(plaintext, transcript: transcript, at: now)
        return (answer, findings.with(answer.findings))
    }
}

/// A check-in after it was opened as far as possible.
package struct OpenedCheckIn: Sendable {
    package let checkIn: CheckIn

    /// Opens a check-in.
    ///
    /// - Parameters:
    ///   - bytes: the input.
    ///   - session: what the clinic knows of it.
    ///   - index: the place in the list of the run's check-ins.
    ///   - source: the name of the input.
    ///   - now: the moment at which it must be valid.
    package init(_ bytes: [UInt8], in session: CheckInSession, index: Int, source: String, at now: NumericDate) {
        let object = try? JSONDocument.parse(bytes, maximumDepth: Bounds.nesting)
        let isResponse = object.map { $0["type"]?.isString("smart-health-checkin-response") ?? false } ?? true
        let form: CheckIn.Form = isResponse ? .response : .envelope
        let origin = isResponse ? nil : session.origin
        var validUntil: NumericDate?
        var findings = EnvelopeFindings()
        do throws(VerificationFailure) {
            var text = bytes
            if let object, !isResponse {
                let (answer, found) = try Self.open(object, in: session, at: now)
                (text, validUntil, findings) = (answer.response, answer.validUntil, found)
                if session.isStrict, let failure = findings.failure { throw failure }
            } else if session.recipientKey != nil || session.origin != nil {
                throw CheckInResponse.malformed(
                    "it was not encrypted, so it belongs to no session, but the key or origin of one was given")
            }
            let response = try CheckInResponse(text, to: session.request, &findings)
            if session.isStrict, let failure = findings.failure { throw failure }
            let reason =
                response.holdsCards
                ? nil
                : VerificationFailure(
                    .noSignedContent, "the check-in holds no health card, so there is nothing to verify")
            checkIn = CheckIn(
                index: index, source: source, form: form, requestID: response.requestID, origin: origin,
                validUntil: validUntil, reason: reason, artifacts: response.artifacts, items: response.items,
                findings: findings.warnings, warnings: response.warnings)
        } catch {
            checkIn = CheckIn(
                index: index, source: source, form: form, origin: origin, validUntil: validUntil, reason: error,
                findings: findings.warnings)
        }
    }

    private static func open(
        _ object: JSONValue, in session: CheckInSession, at now: NumericDate
    ) throws(VerificationFailure) -> (answer: DeviceResponse, findings: EnvelopeFindings) {
        guard let encryption = session.request?.encryption, let key = session.recipientKey, let origin = session.origin
        else {
            throw VerificationFailure(
                .recipientKeyRequired,
                "the answer of a wallet is encrypted: it needs --request with what went to navigator.credentials.get, "
                    + "--recipient-key and --origin")
        }
        return try CheckInEnvelope(object).open(encryption, key: key, origin: origin, at: now)
    }
}

/// What a clinic asked a wallet for (SMART Health Check-in §5), and how the answer is encrypted (§8).
package struct CheckInRequest: Sendable {
    /// One item of a request.
    package struct Item: Sendable {
        let id: UTF8Text
        let accept: Set<UTF8Text>
        /// The profiles that are asked for with a version. One of them must be in `meta.profile` as it stands (XV-11).
        let exactProfiles: Set<UTF8Text>
        /// The questionnaire that an answer must repeat; nil if none is named.
        let questionnaire: UTF8Text?
    }

    /// How the answer to a request is encrypted.
    package struct Encryption: Sendable {
        /// The text `encryptionInfo`, exactly as it was sent: it is a part of what both sides sign.
        package let information: [UInt8]
        /// The key to which the answer is encrypted.
        package let recipient: P256PublicKey
    }

    let id: UTF8Text
    let items: [Item]
    /// The FHIR versions that are asked for; nil for any.
    let fhirVersions: Set<UTF8Text>?
    /// How the answer is encrypted; nil if the file holds only what was asked for.
    package let encryption: Encryption?

    /// Reads a request.
    ///
    /// - Parameter file: the SMART request, or what went to `navigator.credentials.get`, or one of the requests in that.
    package init(file: [UInt8]) throws(Malformed) {
        let object = try Result { () throws(JSONError) in try JSONDocument.parse(file) }
            .mapError { Malformed("is not acceptable JSON: \($0)") }.get()
        if object["type"]?.isString("smart-health-checkin-request") ?? false {
            try self.init(object, encryption: nil)
            return
        }
        let requests = object["digital"]?["requests"]?.elements.map(Array.init) ?? [object]
        let ours = requests.filter { $0["protocol"]?.isString("org-iso-mdoc") ?? false }
        guard let data = ours.first?["data"] else {
            throw Malformed("is no request of SMART Health Check-in")
        }
        guard ours.count == 1 else { throw Malformed("has several requests of the protocol org-iso-mdoc") }
        guard let information = data["encryptionInfo"]?.stringBytes, let asked = data["deviceRequest"]?.stringBytes
        else {
            throw Malformed("lacks encryptionInfo or deviceRequest")
        }
        try self.init(
            try Self.request(in: asked),
            encryption: Encryption(information: information, recipient: try Self.recipient(in: information)))
    }

    private init(_ object: JSONValue, encryption: Encryption?) throws(Malformed) {
        guard object["type"]?.isString("smart-health-checkin-request") ?? false,
            object["version"]?.isString("1") ?? false
        else { throw Malformed("is no request of SMART Health Check-in, version 1") }
        guard let id = object["id"]?.string, !id.isEmpty else { throw Malformed("has no id") }
        guard let elements = object["items"]?.elements, elements.count > 0, elements.count <= Bounds.checkInEntries
        else {
            throw Malformed("has no items, or more than \(Bounds.checkInEntries)")
        }
        var items: [Item] = []
        for element in elements { items.append(try Item(element)) }
        guard Set(items.map(\.id)).count == items.count else { throw Malformed("has two items with one id") }
        self.id = id
        self.items = items
        self.encryption = encryption
        guard let versions = object["fhirVersions"] else {
            fhirVersions = nil
            return
        }
        guard let texts = versions.elements?.map(\.string), texts.allSatisfy({ $0 != nil }) else {
            throw Malformed("has fhirVersions that are no texts")
        }
        fhirVersions = Set(texts.compactMap(\.self))
    }

    // MARK: The request in the request

    /// The SMART request in a DeviceRequest (ISO/IEC 18013-5 §8.3.2.1.2.1).
    private static func request(in text: [UInt8]) throws(Malformed) -> JSONValue {
        guard let request = cbor(text), let documents = request["docRequests"]?.elements else {
            throw Malformed("has a deviceRequest that cannot be read")
        }
        var found: [JSONValue] = []
        for document in documents {
            guard let tagged = document["itemsRequest"]?.tagged, tagged.number == 24,
                let bytes = tagged.value.byteString, let items = try? CBORDocument.parse(Array(bytes)),
                items["docType"]?.text.map({ $0.elementsEqual(DeviceResponse.documentType.utf8) }) ?? false,
                let json = items["requestInfo"]?["org.smarthealthit.checkin.request"]?.text,
                let object = try? JSONDocument.parse(Array(json))
            else { continue }
            found.append(object)
        }
        guard found.count == 1 else {
            throw Malformed("has a deviceRequest without one request of SMART Health Check-in")
        }
        return found[0]
    }

    /// The key to which the answer is encrypted.
    private static func recipient(in text: [UInt8]) throws(Malformed) -> P256PublicKey {
        guard let parts = cbor(text)?.elements, parts.count == 2,
            parts[0].text.map({ $0.elementsEqual("dcapi".utf8) }) ?? false,
            let key = parts[1]["recipientPublicKey"], case .p256(let recipient) = COSEKey(key)
        else { throw Malformed("has an encryptionInfo without a key on P-256") }
        return recipient
    }

    private static func cbor(_ text: [UInt8]) -> CBORValue? {
        guard let bytes = try? Base64URL.decode(text) else { return nil }
        return try? CBORDocument.parse(bytes)
    }
}

extension CheckInRequest.Item {
    init(_ object: JSONValue) throws(Malformed) {
        guard let id = object["id"]?.string, !id.isEmpty else {
            throw Malformed("has an item without an id")
        }
        guard let accept = object["accept"]?.elements?.map(\.string), !accept.isEmpty,
            accept.allSatisfy({ $0 != nil }), let content = object["content"], content["kind"]?.string != nil
        else { throw Malformed("has an item without content or without accept") }
        self.id = id
        self.accept = Set(accept.compactMap(\.self))
        let profiles = (content["profiles"]?.elements.map(Array.init) ?? []).compactMap(\.string)
        exactProfiles = Set(profiles.filter { $0.utf8.contains(UInt8(ascii: "|")) })
        questionnaire = content["questionnaireCanonical"]?.string
    }
}

/// What is wrong with the envelope of a check-in, and does not keep its cards from being judged.
struct EnvelopeFindings: Sendable {
    private struct Finding {
        let code: CredentialWarning.Code
        var words: [String]
        /// What the first of the words fails with if findings fail.
        let reason: ReasonCode
    }

    /// The codes, in the order in which they count, and what each fails with if findings fail, as in the draft before September 2026.
    private static let codes: [(code: CredentialWarning.Code, reason: ReasonCode)] = [
        (.envelopeForm, .malformedCheckIn), (.envelopeAlgorithm, .unsupportedAlgorithm),
        (.envelopeSignature, .signatureInvalid), (.envelopeDigest, .signatureInvalid),
        (.envelopeValidity, .malformedCheckIn), (.rowMissing, .requestMismatch), (.rowTwice, .malformedCheckIn),
        (.rowCode, .malformedCheckIn), (.rowUnknown, .requestMismatch),
    ]

    private var findings: [Finding] = []

    /// Notes a finding. What is noted again is kept once.
    ///
    /// - Parameters:
    ///   - words: what was found. They hold nothing of the answer.
    ///   - reason: what it fails with if findings fail; nil for what its code says.
    mutating func note(_ code: CredentialWarning.Code, _ words: String, failingWith reason: ReasonCode? = nil) {
        if let index = findings.firstIndex(where: { $0.code == code }) {
            if !findings[index].words.contains(words) { findings[index].words.append(words) }
        } else if let usual = Self.codes.first(where: { $0.code == code })?.reason {
            findings.append(Finding(code: code, words: [words], reason: reason ?? usual))
        }
    }

    /// These findings and others behind them.
    func with(_ others: EnvelopeFindings) -> EnvelopeFindings {
        var all = self
        for other in others.findings {
            for words in other.words { all.note(other.code, words, failingWith: other.reason) }
        }
        return all
    }

    private var inOrder: [Finding] {
        Self.codes.compactMap { entry in findings.first { $0.code == entry.code } }
    }

    /// The findings, each code once, in the order in which they count.
    var warnings: [CredentialWarning] {
        inOrder.map { CredentialWarning($0.code, $0.words.joined(separator: "; ")) }
    }

    /// What the check-in fails with if findings fail; nil if there is none.
    var failure: VerificationFailure? {
        inOrder.first.map { VerificationFailure($0.reason, "\($0.words[0]) (\($0.code.rawValue))") }
    }
}
