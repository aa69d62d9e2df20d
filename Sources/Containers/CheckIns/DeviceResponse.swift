package import Credentials
import Cryptography
import Encodings
import FHIR

/// What a wallet answers (ISO/IEC 18013-5 §8.3.2.1.2.2), with the document of a check-in.
///
/// Its signatures are the wallet's own, perhaps by keys that are new each time. They give no trust, so what is wrong with them is found and
/// said, and the response in it is read all the same.
package struct DeviceResponse {
    static let documentType = "org.smarthealthit.checkin.1"
    private static let nameSpace = "org.smarthealthit.checkin"
    private static let element = "smart_health_checkin_response"
    /// How far clocks may differ, in seconds.
    private static let grace = 300

    /// The response of the wallet, as JSON.
    package let response: [UInt8]
    /// What is wrong with the answer.
    private(set) var findings = EnvelopeFindings()
    /// Whether nothing is wrong with the answer.
    package var isWhole: Bool { findings.warnings.isEmpty }
    /// Until when it is valid; nil if it does not say.
    private(set) var validUntil: NumericDate?

    /// Reads an answer, and checks it.
    ///
    /// - Parameters:
    ///   - bytes: the answer after decryption.
    ///   - transcript: what both sides know of the session.
    ///   - now: the moment at which the answer must be valid.
    /// - Throws: `VerificationFailure` with `malformed-check-in` if the response cannot be found.
    package init(_ bytes: [UInt8], transcript: [UInt8], at now: NumericDate) throws(VerificationFailure) {
        var findings = EnvelopeFindings()
        let answer = try Self.parse(bytes, &findings)
        guard answer.kind == .map else { throw CheckInResponse.malformed("the answer is not a CBOR map") }
        if !(answer["version"]?.isText("1.0") ?? false) { findings.note(.envelopeForm, "the version is not 1.0") }
        if answer["status"]?.integer != 0 { findings.note(.envelopeForm, "the status is not 0") }
        let documents = answer["documents"]?.elements.map(Array.init) ?? []
        guard let document = documents.first(where: { $0["docType"]?.isText(Self.documentType) ?? false }) else {
            throw CheckInResponse.malformed("the answer holds no document of a check-in")
        }
        if documents.count > 1 { findings.note(.envelopeForm, "there is more than one document") }
        let signed = document["issuerSigned"]
        let items = Self.items(in: signed, &findings)
        let texts = items.filter { $0.isOfCheckIns && $0.value["elementIdentifier"]?.isText(Self.element) ?? false }
        guard let text = texts.lazy.compactMap({ $0.value["elementValue"]?.text }).first else {
            throw CheckInResponse.malformed("the document has no text \(Self.element)")
        }
        if texts.count > 1 { findings.note(.envelopeForm, "there is more than one response") }
        response = Array(text)
        self.findings = findings
        check(document, signed, items, transcript, at: now)
    }

    /// Checks everything that does not decide whether there is a response.
    private mutating func check(
        _ document: CBORValue, _ signed: CBORValue?, _ items: [Item], _ transcript: [UInt8], at now: NumericDate
    ) {
        let auth = DocumentSignature(signed?["issuerAuth"])
        if let auth, let payload = auth.payload {
            checkSignature(of: auth, over: payload)
        } else {
            findings.note(.envelopeForm, "there is no issuerAuth")
        }
        let payload = auth?.payload.flatMap { try? CBORDocument.parse(Array($0)) }
        let security = payload.flatMap(Self.embedded)
        if let security {
            check(security)
            checkDigests(of: items, by: security)
        } else if auth?.payload != nil {
            findings.note(.envelopeForm, "the mobile security object cannot be read")
        }
        checkDevice(document["deviceSigned"], security?["deviceKeyInfo"]?["deviceKey"], transcript)
        checkValidity(security?["validityInfo"], at: now)
    }

    /// Checks the members of the mobile security object (ISO/IEC 18013-5 §9.1.2.4).
    private mutating func check(_ security: CBORValue) {
        let isWhole =
            (security["version"]?.isText("1.0") ?? false) && security["digestAlgorithm"]?.text != nil
            && security["valueDigests"]?.kind == .map && security["deviceKeyInfo"]?["deviceKey"]?.kind == .map
        if !isWhole {
            findings.note(.envelopeForm, "the mobile security object lacks a member, or has another version")
        }
        if !(security["docType"]?.isText(Self.documentType) ?? false) {
            findings.note(.envelopeForm, "the mobile security object belongs to another document")
        }
    }

    /// Checks the wallet's signature by the first certificate of `x5chain`.
    private mutating func checkSignature(of auth: DocumentSignature, over payload: ArraySlice<UInt8>) {
        guard let certificate = Self.certificate(in: auth) else {
            return findings.note(.envelopeForm, "issuerAuth has no certificate")
        }
        guard auth.isES256 else {
            return findings.note(
                .envelopeAlgorithm,
                "the wallet signed with another algorithm than ES256, so its signature was not checked")
        }
        guard case .success(.es256(let signer)) = certificate.publicKey else {
            return findings.note(.envelopeAlgorithm, "the certificate of the wallet has no key on P-256")
        }
        guard auth.isValid(by: signer, over: payload) else {
            return findings.note(.envelopeSignature, "the signature of the wallet over its answer does not verify")
        }
    }

    private mutating func checkDigests(of items: [Item], by security: CBORValue) {
        guard let algorithm = security["digestAlgorithm"]?.text else { return }
        guard algorithm.elementsEqual("SHA-256".utf8) else {
            return findings.note(
                .envelopeAlgorithm,
                "the digests were made with another algorithm than SHA-256, so they were not checked")
        }
        guard let spaces = security["valueDigests"], spaces.kind == .map else { return }
        let isRight = items.allSatisfy { item in
            let digests = spaces.members?.first { $0.key.text?.elementsEqual(item.nameSpace) ?? false }?.value
            return digests?[item.digestID]?.byteString?.elementsEqual(SHA256.digest(item.encoded)) ?? false
        }
        if !isRight {
            findings.note(
                .envelopeDigest,
                "a part of the answer has another digest than the one that the wallet signed: it may have been changed")
        }
    }

    /// Checks the signature of the device over this session.
    private mutating func checkDevice(_ signed: CBORValue?, _ key: CBORValue?, _ transcript: [UInt8]) {
        guard let signed, let nameSpaces = signed["nameSpaces"], Self.embedded(in: nameSpaces)?.kind == .map,
            let auth = signed["deviceAuth"], auth.kind == .map
        else { return findings.note(.envelopeForm, "the document is not signed by the device") }
        // One of the two is allowed (ISO/IEC 18013-5 §8.3.2.1.2.2), and a MAC is not known here.
        guard auth["deviceMac"] == nil else {
            return findings.note(
                .envelopeAlgorithm, "the device used a MAC instead of a signature, so it was not checked")
        }
        guard let signature = DocumentSignature(auth["deviceSignature"]) else {
            return findings.note(.envelopeForm, "the document is not signed by the device")
        }
        guard signature.isES256 else {
            return findings.note(
                .envelopeAlgorithm,
                "the device signed with another algorithm than ES256, so its signature was not checked")
        }
        guard let key else { return }
        let device: P256PublicKey
        switch COSEKey(key) {
        case .p256(let point): device = point
        case .malformed: return findings.note(.envelopeForm, "the key of the device cannot be read")
        case .unsupported:
            return findings.note(.envelopeAlgorithm, "the key of the device is not on P-256")
        }
        let authentication = Self.deviceAuthentication(transcript, nameSpaces)
        guard signature.payload?.elementsEqual(authentication) ?? true,
            signature.isValid(by: device, over: authentication[...])
        else {
            return findings.note(.envelopeSignature, "the signature of the device does not verify for this session")
        }
    }

    private mutating func checkValidity(_ validity: CBORValue?, at now: NumericDate) {
        validUntil = Self.date(validity?["validUntil"])
        if validity != nil, Self.date(validity?["signed"]) == nil {
            findings.note(.envelopeForm, "the mobile security object does not say when it was signed")
        }
        guard let from = Self.date(validity?["validFrom"]), let until = validUntil else {
            return findings.note(.envelopeValidity, "the answer of the wallet does not say when it is valid")
        }
        let seconds = { (date: NumericDate, offset: Int) in
            NumericDate(sinceEpoch: date.sinceEpoch + .seconds(offset))
        }
        if now < seconds(from, -Self.grace) {
            findings.note(
                .envelopeValidity, "the answer of the wallet is valid only from \(from)", failingWith: .notYetValid)
        } else if seconds(until, Self.grace) < now {
            findings.note(
                .envelopeValidity, "the answer of the wallet was valid until \(until)", failingWith: .expired)
        }
    }

    // MARK: Parts

    /// What the device signs: DeviceAuthenticationBytes (ISO/IEC 18013-5 §9.1.3.4).
    private static func deviceAuthentication(_ transcript: [UInt8], _ nameSpaces: CBORValue) -> [UInt8] {
        var content: [UInt8] = []
        CBORHead.append(4, 4, to: &content)
        CheckInSession.append(text: "DeviceAuthentication", to: &content)
        content += transcript
        CheckInSession.append(text: documentType, to: &content)
        content += nameSpaces.encoded
        var bytes: [UInt8] = []
        CBORHead.append(6, 24, to: &bytes)
        CBORHead.append(2, UInt64(content.count), to: &bytes)
        return bytes + content
    }

    /// The certificate that comes first in `x5chain` (RFC 9360 §2).
    private static func certificate(in auth: DocumentSignature) -> Certificate? {
        let chain = auth.unprotected[33]
        guard let der = chain?.byteString ?? chain?.elements?.first?.byteString else { return nil }
        return try? Certificate(der: Array(der))
    }

    /// An item that the wallet has signed by its digest.
    private struct Item {
        /// The number of its digest.
        let digestID: Int64
        /// Its name space.
        let nameSpace: ArraySlice<UInt8>
        /// The item as received, tag and all.
        let encoded: ArraySlice<UInt8>
        let value: CBORValue

        /// Whether it is of the name space of check-ins.
        var isOfCheckIns: Bool { nameSpace.elementsEqual(DeviceResponse.nameSpace.utf8) }
    }

    /// The items of all name spaces that can be read.
    private static func items(in signed: CBORValue?, _ findings: inout EnvelopeFindings) -> [Item] {
        var items: [Item] = []
        for (name, list) in signed?["nameSpaces"]?.members.map(Array.init) ?? [] {
            guard let name = name.text, let elements = list.elements else {
                findings.note(.envelopeForm, "a name space of the document has no items")
                continue
            }
            for encoded in elements {
                guard let item = embedded(in: encoded), let digestID = item["digestID"]?.integer else {
                    findings.note(.envelopeForm, "an item of the document cannot be read")
                    continue
                }
                items.append(Item(digestID: digestID, nameSpace: name, encoded: encoded.encoded, value: item))
            }
        }
        return items
    }

    /// Parses the answer. A member that is there twice in the same way can be read in one way only.
    private static func parse(
        _ bytes: [UInt8], _ findings: inout EnvelopeFindings
    ) throws(VerificationFailure) -> CBORValue {
        do throws(CBORError) {
            return try CBORDocument.parse(bytes)
        } catch {
            if error.reason == .duplicateKey, let answer = try? CBORDocument.parse(withRepetitions: bytes) {
                findings.note(.envelopeForm, "a map has a member twice")
                return answer
            }
            throw CheckInResponse.malformed("the answer is not acceptable CBOR: \(error)")
        }
    }

    /// The item in a byte string that is tagged as CBOR (24, RFC 8949 §3.4.5.1); nil if there is none.
    private static func embedded(in value: CBORValue) -> CBORValue? {
        guard let tagged = value.tagged, tagged.number == 24, let bytes = tagged.value.byteString else { return nil }
        return try? CBORDocument.parse(Array(bytes))
    }

    /// A date and time (tag 0, RFC 8949 §3.4.1); nil if it is none.
    private static func date(_ value: CBORValue?) -> NumericDate? {
        guard let tagged = value?.tagged, tagged.number == 0, let text = tagged.value.text,
            let date = FHIRDate(String(decoding: text, as: UTF8.self)), date.zoneOffset != nil,
            date.precision == .second || date.precision == .fraction
        else { return nil }
        return NumericDate(sinceEpoch: .seconds(date.start.rounded(.down)))
    }
}

extension CBORValue {
    /// Whether the item is this text, byte by byte.
    fileprivate func isText(_ wanted: String) -> Bool { text.map { $0.elementsEqual(wanted.utf8) } ?? false }
}

/// A public key as a COSE_Key (RFC 9052 §7, RFC 9053 §7.1.1).
enum COSEKey {
    /// A COSE_Key on P-256.
    case p256(P256PublicKey)
    /// No COSE_Key.
    case malformed
    /// A key of another kind, or on another curve, or its point is not on the curve.
    case unsupported

    init(_ value: CBORValue) {
        self =
            if value.kind != .map || value[1] == nil {
                .malformed
            } else if value[1]?.integer != 2 || value[-1]?.integer != 1 {
                .unsupported
            } else if let x = value[-2]?.byteString, let y = value[-3]?.byteString {
                (try? P256PublicKey(x: Array(x), y: Array(y))).map { .p256($0) } ?? .unsupported
            } else { .malformed }
    }
}

/// A COSE_Sign1 message in a mobile document: an array of four items, whose payload may be left out (RFC 9052 §4.2).
struct DocumentSignature {
    let protectedBytes: ArraySlice<UInt8>
    let protected: CBORValue?
    let unprotected: CBORValue
    /// The payload; nil if it is detached.
    let payload: ArraySlice<UInt8>?
    let signature: ArraySlice<UInt8>

    /// Reads a message; nil if it is none.
    init?(_ value: CBORValue?) {
        guard let value else { return nil }
        let message = value.tagged.flatMap { $0.number == 18 ? $0.value : nil } ?? value
        guard let parts = message.elements, parts.count == 4, let protectedBytes = parts[0].byteString,
            parts[1].kind == .map, let signature = parts[3].byteString
        else { return nil }
        self.protectedBytes = protectedBytes
        if protectedBytes.isEmpty {
            protected = nil
        } else {
            guard let header = try? CBORDocument.parse(Array(protectedBytes)), header.kind == .map else { return nil }
            protected = header
        }
        unprotected = parts[1]
        // Extensions that a reader must understand: none is defined.
        guard protected?[COSESign1.Label.critical] == nil, unprotected[COSESign1.Label.critical] == nil else {
            return nil
        }
        if let payload = parts[2].byteString {
            self.payload = payload
        } else {
            guard parts[2].isNull else { return nil }
            payload = nil
        }
        self.signature = signature
    }

    /// Whether the protected header names ES256, the only algorithm here.
    var isES256: Bool { protected?[COSESign1.Label.algorithm]?.integer == SignatureAlgorithm.es256.coseNumber }

    /// Whether a key made the signature over a payload.
    func isValid(by key: P256PublicKey, over payload: ArraySlice<UInt8>) -> Bool {
        guard let signature = try? ES256Signature(Array(signature)) else { return false }
        return key.isValid(signature, for: COSESign1.signedBytes(protected: protectedBytes, payload: payload)[...])
    }
}
