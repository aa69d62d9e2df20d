import Credentials
package import Cryptography
package import Encodings

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
