package import Credentials
package import Cryptography
import Encodings

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
