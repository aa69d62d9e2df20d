package import Credentials
package import Cryptography
package import Encodings

/// A key that signs certificates, with what its certificate and its list say about it.
package final class Signer: Sendable {
    /// The key, or why it cannot be used.
    package typealias Key = Result<VerificationKey, Malformed>

    /// The key, or why it cannot be used.
    package let key: Key
    /// The signer's certificate; nil if the list has only a key.
    package let certificate: Certificate?
    /// The groups of records that the key may sign.
    package let usages: Set<RecordGroup>
    /// The country of the certificate's subject, or else that of the list. All of them, with commas between them, if the
    /// certificate names several; nil if nothing names any.
    package let country: String?
    /// The countries that `country` consists of.
    let countries: [UTF8Text]
    /// The country or participant to which the list attributes the key, if it is certainly another country than that of the
    /// certificate; nil if it is not.
    let otherListedCountry: UTF8Text?
    /// Whether the key ID of the list is that of the certificate. True if there is no certificate.
    package let isLabelledByHash: Bool
    /// From when the certificate is valid; nil if there is none, or if the date cannot be read.
    package let notBefore: NumericDate?
    /// Through which moment the certificate is valid; nil if there is none, or if the date cannot be read.
    package let notAfter: NumericDate?

    /// What the list says about the key.
    private let entry: SignerEntry

    init(
        key: Key, certificate: Certificate?, listedUsages: Set<RecordGroup>?, isLabelledByHash: Bool, entry: SignerEntry
    ) {
        self.key = key
        self.certificate = certificate
        self.entry = entry
        let certifiedUsages = certificate.map { CertificateUsage.groups(of: $0) } ?? Set(RecordGroup.allCases)
        usages = certifiedUsages.intersection(listedUsages ?? certifiedUsages)
        let certified = certificate?.subjectCountries ?? []
        let countries = certified.isEmpty ? [entry.listedCountry].compactMap(\.self) : certified
        country = countries.isEmpty ? nil : countries.joined(separator: ", ")
        self.countries = countries.map { UTF8Text($0) }
        otherListedCountry = [entry.listedCountry.map { UTF8Text($0) }, entry.participant].compactMap(\.self).first {
            listed in
            !certified.isEmpty && certified.allSatisfy { CountryCode.areDifferent(listed, UTF8Text($0)) }
        }
        self.isLabelledByHash = isLabelledByHash
        notBefore = certificate?.notBefore.map { NumericDate(sinceEpoch: .seconds($0)) }
        notAfter = certificate?.notAfter.map { NumericDate(sinceEpoch: .seconds($0)) }
    }

    /// Whether the key is on a list that does not say when it was made.
    var isOfUndatedList: Bool { entry.origin == .directory && !entry.isDated }
    /// Where the key comes from.
    package var origin: KeyOrigin { entry.origin }
    /// Why the signer is trusted, if it counts.
    package var trust: IssuerTrust { entry.origin == .jwksFile ? .jwks : .directory }
    /// Whether the certificate has to be signed by one of the anchors, if there are any.
    package var needsAnchor: Bool { entry.needsAnchor }
    /// What the list says that the key signs.
    package var scope: SignerScope { entry.scope }
    /// The participant of the network to which the list attributes the key; nil if it does not say.
    package var participant: UTF8Text? { entry.participant }
    /// The environment of the list; nil if it is not known.
    package var environment: TrustEnvironment? { entry.environment }

    /// Whether there was a moment at which both a certificate and its signer were valid, and the signer may sign such records.
    func couldSign(_ certificate: UnverifiedHCERT) -> Bool {
        guard self.certificate == nil || notBefore != nil && notAfter != nil else { return false }
        let claims = certificate.claims
        let start = max(claims.begin, notBefore ?? claims.begin)
        let end = [claims.expires, notAfter].compactMap(\.self).min()
        return maySign(certificate.content) && end.map { start <= $0 } ?? true
    }

    /// Whether the key may sign such content. Usages in certificates are those of EU certificates only.
    func maySign(_ content: any HealthContent) -> Bool { content.group.map(usages.contains) ?? true }

    /// What its list says about it, besides its country.
    var listing: SignerListing {
        SignerListing(
            domain: scope.domain?.description, participant: participant?.description,
            environment: environment?.rawValue)
    }

    /// What makes a difference between two signers, wherever they are listed.
    struct Identity: Hashable {
        fileprivate let key: VerificationKey
        fileprivate let certificate: [UInt8]?
        fileprivate let usages: Set<RecordGroup>
        fileprivate let countries: [UTF8Text]
        fileprivate let otherListedCountry: UTF8Text?
        fileprivate let isOfUndatedList: Bool
        fileprivate let origin: KeyOrigin
        fileprivate let needsAnchor: Bool
        fileprivate let scope: SignerScope
        fileprivate let environment: TrustEnvironment?
    }

    /// What makes a difference to other signers; nil if the key cannot be used.
    var identity: Identity? {
        guard case .success(let key) = key else { return nil }
        return Identity(
            key: key, certificate: certificate?.der, usages: usages, countries: countries,
            otherListedCountry: otherListedCountry, isOfUndatedList: isOfUndatedList, origin: origin,
            needsAnchor: needsAnchor, scope: scope, environment: environment)
    }

    /// Whether the certificate is valid at a moment. True if there is no certificate.
    package func isValid(at now: NumericDate) -> Bool {
        guard certificate != nil else { return true }
        guard let notBefore, let notAfter else { return false }
        return notBefore <= now && now <= notAfter
    }

    /// Why the signer does not confirm the country that a certificate claims as its issuer, in words that follow "but".
    ///
    /// - Returns: nil if the signer is of that country, or if nothing is known of its country because it has no
    ///   certificate, or because the two codes cannot be compared.
    package func objection(toIssuer claim: UTF8Text) -> String? {
        guard let first = countries.first else {
            return certificate == nil ? nil : "neither the certificate of its signer nor the list names a country"
        }
        guard countries.count == 1 else {
            // Two codes may still be of one country.
            return countries.allSatisfy { CountryCode.isSame($0, claim) == true }
                ? nil : "the certificate of its signer names several countries (\(country ?? ""))"
        }
        return CountryCode.isSame(first, claim) == false ? "its signer is of \(first)" : nil
    }

    /// The place of the signer to which a certificate is attributed, among those that made its signature: the first that is of the
    /// country that the certificate claims. If there is none, the first that does not contradict the claim, or else any, in the
    /// order of their countries. So the order of lists does not decide which country has issued a certificate.
    ///
    /// - Parameters:
    ///   - makers: signers of the same key.
    ///   - claim: the country that the certificate claims as its issuer; nil if it claims none.
    /// - Returns: nil if there are no signers.
    package static func attributed(_ makers: [Signer], claim: UTF8Text?) -> Int? {
        guard makers.count > 1 else { return makers.indices.first }
        let rank = { (signer: Signer) -> Int in
            guard let claim else { return 0 }
            let isConfirmed = signer.countries.count == 1 && CountryCode.isSame(signer.countries[0], claim) == true
            return isConfirmed ? 0 : signer.objection(toIssuer: claim) == nil ? 1 : 2
        }
        let keys = makers.map { (rank: rank($0), country: Array(($0.country ?? "").utf8)) }
        // The first of equals counts. A list for tests says nothing if another list has the signer too.
        return makers.indices.min { left, right in
            if keys[left].rank != keys[right].rank { return keys[left].rank < keys[right].rank }
            guard keys[left].country == keys[right].country else {
                return keys[left].country.lexicographicallyPrecedes(keys[right].country)
            }
            // A list that attributes the key to another country says nothing if another list does not.
            let isContradicted = [left, right].map { makers[$0].otherListedCountry != nil }
            guard isContradicted[0] == isContradicted[1] else { return isContradicted[1] }
            return makers[left].environment?.isForTests != true && makers[right].environment?.isForTests == true
        }
    }

    /// How far a signer vouches for a certificate whose signature it made.
    package enum Standing: Sendable { case outdated, notEntitled, entitled }

    /// The signer that counts among those that made the signature of a certificate: one that may sign such content now; if there is
    /// none, one that is valid now; if there is none, any. Of several, that of the claimed country (`attributed`).
    ///
    /// - Returns: its place and how far it vouches; nil if there are no signers.
    package static func chosen(
        among makers: [Signer], at now: NumericDate, claim: UTF8Text?, maySign: (Signer) -> Bool
    ) -> (place: Int, standing: Standing)? {
        let current = makers.indices.filter { makers[$0].isValid(at: now) }
        let entitled = current.filter { maySign(makers[$0]) }
        for (places, standing) in [
            (entitled, Standing.entitled), (current, .notEntitled), (Array(makers.indices), .outdated),
        ] {
            if let best = attributed(places.map { makers[$0] }, claim: claim) { return (places[best], standing) }
        }
        return nil
    }

    /// The countries of signers of the same key, if at least two of them are certainly different; else empty.
    package static func differentCountries(of makers: [Signer]) -> [UTF8Text] {
        guard makers.count > 1 else { return [] }
        var countries: [UTF8Text] = []
        for country in makers.flatMap(\.countries)
        where !countries.contains(where: { CountryCode.isSame($0, country) == true }) {
            countries.append(country)
        }
        // Signers whose own certificate names several are warned of for themselves.
        let isOfSeveral = makers.contains { one in
            makers.contains { other in
                guard let left = one.countries.first, let right = other.countries.first else { return false }
                return CountryCode.isSame(left, right) == false
            }
        }
        return isOfSeveral ? countries.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } : []
    }

    /// The certificate, as reports show it.
    package var description: SignerCertificate? {
        guard let certificate else { return nil }
        return SignerCertificate(
            subject: certificate.plainSubject, country: country, notBefore: notBefore, notAfter: notAfter,
            usages: RecordGroup.allCases.filter(usages.contains).map(\.name))
    }
}

/// The extended key usages that restrict a signer to groups of records (DCC certificate governance §5.2).
package enum CertificateUsage {
    /// The object identifiers of each group. Real certificates use both arcs.
    private static let groups: [String: RecordGroup] = [
        "1.3.6.1.4.1.1847.2021.1.1": .test, "1.3.6.1.4.1.1847.2021.1.2": .vaccination,
        "1.3.6.1.4.1.1847.2021.1.3": .recovery, "1.3.6.1.4.1.0.1847.2021.1.1": .test,
        "1.3.6.1.4.1.0.1847.2021.1.2": .vaccination, "1.3.6.1.4.1.0.1847.2021.1.3": .recovery,
    ]

    /// The groups that a certificate's key may sign. A certificate that names none of them may sign all, and one whose usages
    /// cannot be read none.
    package static func groups(of certificate: Certificate) -> Set<RecordGroup> {
        switch certificate.extendedKeyUsages {
        case .any: return Set(RecordGroup.allCases)
        case .named(let usages):
            let named = Set(usages.compactMap { groups[$0] })
            return named.isEmpty ? Set(RecordGroup.allCases) : named
        case .unreadable: return []
        }
    }
}

/// An entry with a key in WHO's list of signers, as it is written. `SignerList` takes the entries that it can rely on.
package struct ListedKey: Sendable {
    /// The entry.
    package let value: JSONValue
    /// Its key (`publicKeyJwk`).
    package let jwk: JSONValue

    package init(value: JSONValue, jwk: JSONValue) {
        self.value = value
        self.jwk = jwk
    }

    /// The certificate beside the key; nil if there is none, or if it cannot be read.
    package var certificate: Certificate? {
        guard let text = (jwk["x5c"]?.elements?.first { _ in true } ?? jwk["x5c"])?.stringBytes,
            let der = try? Base64.decode(text)
        else { return nil }
        return try? Certificate(listed: der)
    }

    /// A member of the key in base64 of any alphabet, such as a coordinate.
    package func bytes(_ name: String) -> [UInt8]? {
        jwk[name]?.stringBytes.flatMap { SignerList.bytes(ofBase64: $0) }
    }

    /// The key ID after the number sign of the entry's ID.
    package var keyID: [UInt8]? {
        guard let id = value["id"]?.stringBytes, let sign = id.firstIndex(of: UInt8(ascii: "#")),
            let fragment = PercentEncoding.decode(id[(sign + 1)...])
        else { return nil }
        return SignerList.bytes(ofBase64: fragment)
    }

    /// The key ID that the key itself has (`kid`).
    package var ownKeyID: [UInt8]? { bytes("kid") }

    /// The key IDs, each once.
    var keyIDs: [[UInt8]] {
        let labels = [ownKeyID, keyID].compactMap(\.self)
        return labels.count == 2 && labels[0] == labels[1] ? [labels[0]] : labels
    }

    /// Whether the entry is for a key that signs certificates.
    package var isOfSigner: Bool { value["keyusage"].map { $0["code"]?.isString("#DSC") == true } ?? true }
}
