import CBOR
import COSE
package import Credentials
import Cryptography
import FHIR

/// What a wallet answers (ISO/IEC 18013-5 §8.3.2.1.2.2), with the one document of a check-in.
///
/// Its signatures are the wallet's own, perhaps by keys that are new each time. They show that the answer is whole and meant for this
/// session. They give no trust.
package struct DeviceResponse {
    static let documentType = "org.smarthealthit.checkin.1"
    private static let nameSpace = "org.smarthealthit.checkin"
    private static let element = "smart_health_checkin_response"
    /// How far clocks may differ, in seconds.
    private static let grace = 300

    private let issuerAuth: DocumentSignature
    private let certificate: Certificate
    private let mobileSecurityObject: CBORValue
    private let deviceKey: CBORValue
    /// The items of all name spaces.
    private let items: [Item]
    private let deviceNameSpaces: CBORValue
    /// The device's signature; nil if it is a MAC.
    private let deviceSignature: DocumentSignature?
    private let validFrom: NumericDate
    /// Until when it is valid.
    let validUntil: NumericDate
    /// The response of the wallet, as JSON.
    package let response: [UInt8]

    /// Reads an answer.
    ///
    /// - Throws: `VerificationFailure` with `malformed-check-in`.
    package init(_ bytes: [UInt8]) throws(VerificationFailure) {
        let answer = try Self.parse(bytes, "the answer")
        guard answer["version"]?.isText("1.0") ?? false, answer["status"]?.integer == 0 else {
            throw CheckInResponse.malformed("the answer is not of version 1.0 with the status 0")
        }
        guard let documents = answer["documents"]?.elements, documents.count == 1, let document = documents.first,
            document["docType"]?.isText(Self.documentType) ?? false
        else { throw CheckInResponse.malformed("the answer does not hold exactly one document of a check-in") }
        guard let signed = document["issuerSigned"], let auth = DocumentSignature(signed["issuerAuth"]),
            let payload = auth.payload
        else { throw CheckInResponse.malformed("the document has no issuerAuth") }
        issuerAuth = auth
        mobileSecurityObject = try Self.embedded(in: try Self.parse(Array(payload), "issuerAuth"), "issuerAuth")
        let object = mobileSecurityObject
        guard object["version"]?.text != nil, object["digestAlgorithm"]?.text != nil,
            object["valueDigests"]?.kind == .map, let key = object["deviceKeyInfo"]?["deviceKey"], key.kind == .map,
            object["docType"]?.isText(Self.documentType) ?? false, let validity = object["validityInfo"],
            let from = Self.date(validity["validFrom"]), let until = Self.date(validity["validUntil"]),
            Self.date(validity["signed"]) != nil
        else { throw CheckInResponse.malformed("the mobile security object lacks a member, or is of another document") }
        (deviceKey, validFrom, validUntil) = (key, from, until)
        certificate = try Self.certificate(in: auth)
        items = try Self.items(in: signed, digests: object["valueDigests"])
        let elements = items.filter {
            $0.isOfCheckIns && $0.value["elementIdentifier"]?.isText(Self.element) ?? false
        }
        guard elements.count == 1, let text = elements[0].value["elementValue"]?.text else {
            throw CheckInResponse.malformed("the document does not have one text \(Self.element)")
        }
        response = Array(text)
        guard let device = document["deviceSigned"], let nameSpaces = device["nameSpaces"],
            try Self.embedded(in: nameSpaces, "deviceSigned").kind == .map, let deviceAuth = device["deviceAuth"],
            deviceAuth.kind == .map
        else { throw CheckInResponse.malformed("the document is not signed by the device") }
        deviceNameSpaces = nameSpaces
        // One of the two is allowed (ISO/IEC 18013-5 §8.3.2.1.2.2), and a MAC is not known here.
        if deviceAuth["deviceMac"] == nil, let signature = deviceAuth["deviceSignature"] {
            guard let message = DocumentSignature(signature) else {
                throw CheckInResponse.malformed("the signature of the device cannot be read")
            }
            deviceSignature = message
        } else {
            guard deviceAuth["deviceMac"] != nil else {
                throw CheckInResponse.malformed("the document is not signed by the device")
            }
            deviceSignature = nil
        }
    }

    /// Checks the algorithms, then the signatures, then the dates.
    ///
    /// - Parameters:
    ///   - transcript: what both sides know of the session.
    ///   - now: the moment at which the answer must be valid.
    /// - Throws: `VerificationFailure` with `unsupported-algorithm`, `signature-invalid`, `not-yet-valid` or `expired`.
    package func verify(_ transcript: [UInt8], at now: NumericDate) throws(VerificationFailure) {
        let (signer, device, signature) = try keys()
        guard issuerAuth.isValid(by: signer, over: issuerAuth.payload ?? []) else {
            throw Self.invalid("the signature of the wallet over its answer does not verify")
        }
        for item in items {
            guard let digest = item.digests?[item.digestID]?.byteString,
                digest.elementsEqual(SHA256.digest(item.encoded))
            else { throw Self.invalid("a part of the answer was changed: its digest is another one") }
        }
        let authentication = deviceAuthentication(transcript)
        if let attached = signature.payload, !attached.elementsEqual(authentication) {
            throw Self.invalid("the device has signed another session")
        }
        guard signature.isValid(by: device, over: authentication[...]) else {
            throw Self.invalid("the signature of the device does not verify for this session")
        }
        let seconds = { (date: NumericDate, offset: Int) in
            NumericDate(sinceEpoch: date.sinceEpoch + .seconds(offset))
        }
        guard seconds(validFrom, -Self.grace) <= now else {
            throw VerificationFailure(.notYetValid, "the answer of the wallet is valid only from \(validFrom)")
        }
        guard now <= seconds(validUntil, Self.grace) else {
            throw VerificationFailure(.expired, "the answer of the wallet was valid until \(validUntil)")
        }
    }

    /// The keys of the wallet and of the device, and the device's signature, if their algorithms are the ones that are known.
    private func keys() throws(VerificationFailure) -> (P256PublicKey, P256PublicKey, DocumentSignature) {
        guard let signature = deviceSignature else {
            throw Self.unsupported("the device has made a MAC and no signature")
        }
        guard issuerAuth.isES256, signature.isES256 else {
            throw Self.unsupported("a signature is not of the algorithm ES256")
        }
        guard case .success(.es256(let signer)) = certificate.publicKey else {
            throw Self.unsupported("the certificate of the wallet has no key on P-256")
        }
        let device: P256PublicKey
        switch COSEKey.p256(deviceKey) {
        case .success(let key): device = key
        case .failure(.malformed): throw CheckInResponse.malformed("the key of the device cannot be read")
        case .failure(.unsupported): throw Self.unsupported("the key of the device is not on P-256")
        }
        guard mobileSecurityObject["digestAlgorithm"]?.isText("SHA-256") ?? false else {
            throw Self.unsupported("the digests are not of the algorithm SHA-256")
        }
        return (signer, device, signature)
    }

    // MARK: Parts

    /// What the device signs: DeviceAuthenticationBytes (ISO/IEC 18013-5 §9.1.3.4).
    private func deviceAuthentication(_ transcript: [UInt8]) -> [UInt8] {
        var content: [UInt8] = []
        CBORHead.append(4, 4, to: &content)
        CheckInSession.append(text: "DeviceAuthentication", to: &content)
        content += transcript
        CheckInSession.append(text: Self.documentType, to: &content)
        content += deviceNameSpaces.encoded
        var bytes: [UInt8] = []
        CBORHead.append(6, 24, to: &bytes)
        CBORHead.append(2, UInt64(content.count), to: &bytes)
        return bytes + content
    }

    /// The certificate that comes first in `x5chain` (RFC 9360 §2).
    private static func certificate(in auth: DocumentSignature) throws(VerificationFailure) -> Certificate {
        let chain = auth.unprotected[33]
        guard let der = chain?.byteString ?? chain?.elements?.first?.byteString,
            let certificate = try? Certificate(der: Array(der))
        else { throw CheckInResponse.malformed("issuerAuth has no certificate") }
        return certificate
    }

    /// An item that the wallet has signed by its digest.
    private struct Item {
        /// The number of its digest.
        let digestID: Int64
        /// The digests of its name space; nil if the signed object has none.
        let digests: CBORValue?
        /// Whether it is of the name space of check-ins.
        let isOfCheckIns: Bool
        /// The item as received, tag and all.
        let encoded: ArraySlice<UInt8>
        let value: CBORValue
    }

    private static func items(
        in signed: CBORValue, digests: CBORValue?
    ) throws(VerificationFailure) -> [Item] {
        guard let spaces = signed["nameSpaces"] else { return [] }
        guard let members = spaces.members else {
            throw CheckInResponse.malformed("the name spaces of the document are no map")
        }
        var items: [Item] = []
        for (name, list) in members {
            guard let text = name.text, let elements = list.elements else {
                throw CheckInResponse.malformed("a name space of the document has no items")
            }
            let own = digests?.members?.first { $0.key.text.map { $0.elementsEqual(text) } ?? false }?.value
            for encoded in elements {
                let item = try embedded(in: encoded, "an item")
                guard let digestID = item["digestID"]?.integer else {
                    throw CheckInResponse.malformed("an item has no digestID")
                }
                items.append(
                    Item(
                        digestID: digestID, digests: own, isOfCheckIns: text.elementsEqual(nameSpace.utf8),
                        encoded: encoded.encoded, value: item))
            }
        }
        return items
    }

    private static func parse(_ bytes: [UInt8], _ name: String) throws(VerificationFailure) -> CBORValue {
        do throws(CBORError) {
            return try CBORDocument.parse(bytes)
        } catch {
            throw CheckInResponse.malformed("\(name) is not acceptable CBOR: \(error)")
        }
    }

    /// The item in a byte string that is tagged as CBOR (24, RFC 8949 §3.4.5.1).
    private static func embedded(in value: CBORValue, _ name: String) throws(VerificationFailure) -> CBORValue {
        guard let tagged = value.tagged, tagged.number == 24, let bytes = tagged.value.byteString else {
            throw CheckInResponse.malformed("\(name) holds no encoded CBOR")
        }
        return try parse(Array(bytes), name)
    }

    /// A date and time (tag 0, RFC 8949 §3.4.1); nil if it is none.
    private static func date(_ value: CBORValue?) -> NumericDate? {
        guard let tagged = value?.tagged, tagged.number == 0, let text = tagged.value.text,
            let date = FHIRDate(String(decoding: text, as: UTF8.self)), date.zoneOffset != nil,
            date.precision == .second || date.precision == .fraction
        else { return nil }
        return NumericDate(sinceEpoch: .seconds(date.start.rounded(.down)))
    }

    private static func invalid(_ words: String) -> VerificationFailure {
        VerificationFailure(.signatureInvalid, words)
    }

    private static func unsupported(_ words: String) -> VerificationFailure {
        VerificationFailure(.unsupportedAlgorithm, words)
    }
}

extension CBORValue {
    /// Whether the item is this text, byte by byte.
    fileprivate func isText(_ wanted: String) -> Bool { text.map { $0.elementsEqual(wanted.utf8) } ?? false }
}
