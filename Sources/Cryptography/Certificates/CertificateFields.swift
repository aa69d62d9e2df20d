/// The fields of an X.509 certificate (RFC 5280 §4.1) as its DER has them, without an opinion about what is in
/// them.
///
/// OpenSSL's parser imports the public key as well, which takes a quarter of a millisecond. This reads a list of
/// hundreds of certificates in less than that, and reads certificates that stricter parsers refuse: of version 1, with
/// a serial number of 0 or less, with the same extension twice.
struct CertificateFields: Sendable {
    /// The issuer's Name, with tag and length.
    let issuer: ArraySlice<UInt8>
    /// The subject's Name, with tag and length.
    let subject: ArraySlice<UInt8>
    /// The tag and the text of both dates.
    let notBefore: (tag: UInt8, text: ArraySlice<UInt8>)
    let notAfter: (tag: UInt8, text: ArraySlice<UInt8>)
    /// The content of the SubjectPublicKeyInfo.
    let publicKey: ArraySlice<UInt8>
    /// The content of the OBJECT IDENTIFIER and of the OCTET STRING of each extension, in the certificate's order.
    let extensions: [(identifier: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]

    /// Reads the fields. Nil if the bytes are not one certificate with lengths that are all definite.
    init?(_ der: [UInt8]) {
        guard let certificate = DERReader.only(DERReader.Tag.sequence, in: der[...]) else { return nil }
        var outer = DERReader(certificate.content)
        guard let signed = outer.next(DERReader.Tag.sequence), outer.next(DERReader.Tag.sequence) != nil,
            outer.next(DERReader.Tag.bitString) != nil, outer.isAtEnd
        else { return nil }
        var inner = DERReader(signed.content)
        // The version, which is given if it is not 1. Which version it is makes no difference here.
        _ = inner.next(DERReader.Tag.context(0))
        // Serial number and signature algorithm.
        guard inner.next(DERReader.Tag.integer) != nil, inner.next(DERReader.Tag.sequence) != nil,
            let issuer = inner.next(DERReader.Tag.sequence), let validity = inner.next(DERReader.Tag.sequence),
            let subject = inner.next(DERReader.Tag.sequence), let publicKey = inner.next(DERReader.Tag.sequence)
        else { return nil }
        var dates = DERReader(validity.content)
        guard let notBefore = dates.next(), let notAfter = dates.next(), dates.isAtEnd else { return nil }
        // The unique identifiers of issuer and subject.
        _ = inner.next(DERReader.Tag.context(1, isConstructed: false))
        _ = inner.next(DERReader.Tag.context(2, isConstructed: false))
        let list = inner.next(DERReader.Tag.context(3))
        guard inner.isAtEnd, let extensions = CertificateFields.extensions(in: list?.content) else { return nil }
        self.issuer = issuer.whole
        self.subject = subject.whole
        self.notBefore = (notBefore.tag, notBefore.content)
        self.notAfter = (notAfter.tag, notAfter.content)
        self.publicKey = publicKey.content
        self.extensions = extensions
    }

    private static func extensions(
        in content: ArraySlice<UInt8>?
    ) -> [(identifier: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]? {
        guard let content else { return [] }
        guard let list = DERReader.only(DERReader.Tag.sequence, in: content) else { return nil }
        var reader = DERReader(list.content)
        var extensions: [(identifier: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []
        while !reader.isAtEnd {
            guard let one = reader.next(DERReader.Tag.sequence) else { return nil }
            var parts = DERReader(one.content)
            guard let identifier = parts.next(DERReader.Tag.objectIdentifier) else { return nil }
            // Whether the extension is critical.
            _ = parts.next(DERReader.Tag.boolean)
            guard let value = parts.next(DERReader.Tag.octetString), parts.isAtEnd else { return nil }
            extensions.append((identifier.content, value.content))
        }
        return extensions
    }
}

extension CertificateFields {
    /// id-ce-extKeyUsage, 2.5.29.37.
    private static let extendedKeyUsage: [UInt8] = [0x55, 0x1D, 0x25]

    /// The purposes in the extension extKeyUsage; see `Certificate.extendedKeyUsages`.
    var extendedKeyUsages: Certificate.ExtendedKeyUsages {
        let values = extensions.filter { $0.identifier.elementsEqual(Self.extendedKeyUsage) }.map(\.value)
        guard !values.isEmpty else { return .any }
        var usages: [String] = []
        for value in values {
            guard let list = DERReader.only(DERReader.Tag.sequence, in: value) else { return .unreadable }
            var reader = DERReader(list.content)
            while !reader.isAtEnd {
                guard let usage = reader.next(DERReader.Tag.objectIdentifier),
                    let dotted = DERReader.dotted(objectIdentifier: usage.content)
                else { return .unreadable }
                usages.append(dotted)
            }
        }
        return .named(usages)
    }

    /// id-at-countryName, 2.5.4.6.
    private static let countryName: [UInt8] = [0x55, 0x04, 0x06]

    /// A country in a Name.
    enum Country: Equatable {
        /// Two upper-case letters, or three.
        case code(String)
        /// Anything else, as it stands.
        case other([UInt8])

        fileprivate init(_ value: ArraySlice<UInt8>) {
            let letters = value.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }
            let isCode = (2...3).contains(letters.count) && letters.allSatisfy { (0x41...0x5A).contains($0) }
            self = isCode ? .code(String(decoding: letters, as: UTF8.self)) : .other(Array(value))
        }
    }

    /// How many countries of a Name are kept. All are looked at.
    private static let mostCountries = 4

    /// The different countries in a Name, in its order, and of more than four the first four. Empty if there is none, or if
    /// the Name cannot be read.
    static func countries(in name: ArraySlice<UInt8>) -> [Country] {
        guard let name = DERReader.only(DERReader.Tag.sequence, in: name) else { return [] }
        var countries: [Country] = []
        var names = DERReader(name.content)
        while !names.isAtEnd {
            guard let set = names.next(DERReader.Tag.set) else { return [] }
            var attributes = DERReader(set.content)
            while !attributes.isAtEnd {
                guard let attribute = attributes.next(DERReader.Tag.sequence) else { return [] }
                var parts = DERReader(attribute.content)
                guard let type = parts.next(DERReader.Tag.objectIdentifier), let value = parts.next(), parts.isAtEnd
                else { return [] }
                guard type.content.elementsEqual(Self.countryName) else { continue }
                let country = Country(value.content)
                guard countries.count < mostCountries, !countries.contains(country) else { continue }
                countries.append(country)
            }
        }
        return countries
    }

    /// The country in a Name, in two upper-case letters. Nil if there is none, if one of them is not two letters, or if
    /// there are several different ones.
    static func country(in name: ArraySlice<UInt8>) -> String? {
        let countries = countries(in: name)
        guard countries.count == 1, case .code(let code)? = countries.first, code.utf8.count == 2 else { return nil }
        return code
    }
}
