package import Credentials
package import Encodings
package import FHIR
import Inputs

/// What a health certificate (HCERT) holds, such as an EU Digital COVID Certificate, after it was read.
///
/// The envelope is opened first. Then the content decides the kind of the certificate, and everything that follows from it. A new
/// content is a type that conforms to this, in a file or folder of its own, and a line in `HealthContentKind.all`.
package protocol HealthContent: Sendable {
    /// What the envelope has to know of contents of this kind.
    static var kind: HealthContentKind { get }

    /// The content in words, such as "a certificate of a vaccination".
    var words: String { get }
    /// The harmless deviations from what is specified.
    var warnings: [CredentialWarning] { get }
    /// The group of records that a signer's certificate must not exclude; nil if usages in certificates do not concern this kind.
    var group: RecordGroup? { get }
    /// The record with the identifier (`ci`) and the country (`co`) by which a batch may revoke it; nil if only the signature names it.
    var revocableRecord: CBORValue? { get }
    /// The name of the organisation that issued the certificate.
    var issuerName: UTF8Text? { get }
    /// The link that the certificate vouches for, which has to be opened; nil if the content is in the certificate itself.
    var link: WrappedLink? { get }

    /// The person and the records as a FHIR Bundle that another system can store; nil if the content has none of its own.
    var storableBundle: JSONValue? { get }
    /// All members about the person, to compare them; nil if they do not identify one.
    var holderIdentity: [UInt8]? { get }

    /// The warnings that depend on when the certificate is verified.
    func warnings(at now: NumericDate) -> [CredentialWarning]
    /// The person and the records, as of a moment; nil if the content has none of its own.
    func contents(names: CodeNames, at moment: NumericDate) -> CardContents?
}

extension HealthContent {
    package var kind: HealthContentKind { Self.kind }
    package var group: RecordGroup? { nil }
    package var revocableRecord: CBORValue? { nil }
    package var issuerName: UTF8Text? { nil }
    package var link: WrappedLink? { nil }
    package var storableBundle: JSONValue? { nil }
    package var holderIdentity: [UInt8]? { nil }

    package func warnings(at now: NumericDate) -> [CredentialWarning] { [] }
}

/// A kind of content in health certificates.
package struct HealthContentKind: Sendable {
    /// Its key in the claim `hcert` (-260).
    package let number: Int64
    /// The kind, as reports name it (`sourceType`).
    package let sourceType: String
    /// The kind in words that follow "signers of": "EU certificates".
    package let plural: String
    /// The trust domains whose signers sign it. An entry of another domain does not count.
    package let domains: [UTF8Text]
    /// Whether lists that state no domains vouch for it.
    package let isOfListsWithoutDomains: Bool
    /// Whether the claim `exp` is required. It always counts if it is there.
    package let requiresExpiry: Bool
    /// Whether the claim `iss` is the country of the signer.
    package let isIssuedByCountry: Bool
    /// Whether texts may stand for the keys of claims and for the key ID, and milliseconds for seconds, with a warning.
    package let isLenient: Bool
    /// Whether reports show the content as it was signed.
    package let isShown: Bool
    /// Reads the content, strictly.
    ///
    /// It throws `VerificationFailure` with `malformed-payload`.
    package let read: @Sendable (CBORValue) throws(VerificationFailure) -> any HealthContent

    /// All kinds that are verified. If a certificate has several, the first of them counts.
    package static let all = [DCC.kind, ICVP.kind, WrappedLink.kind]
}

/// The content that a certificate turned out to have, before it is read.
package struct FoundContent: Sendable {
    /// The kind.
    package let kind: HealthContentKind
    /// The content.
    package let value: CBORValue
    /// Whether there is other content beside it.
    package let hasOthers: Bool

    /// A warning if there is other content beside it.
    var warnings: [CredentialWarning] {
        guard hasOthers else { return [] }
        return [
            CredentialWarning(
                .otherHealthContent,
                "beside the content that was read (key \(kind.number)), there is other content, which was not read")
        ]
    }
}

extension FoundContent {
    /// Finds the content, before members and headers are judged, since each kind has rules of its own.
    ///
    /// - Parameter payload: all claims.
    /// - Returns: nil if there is none of a kind that is verified.
    package init?(in payload: CBORValue) {
        if let found = Self.find(in: payload[CWTClaims.Claim.healthCertificate], lenient: false) {
            self = found
            return
        }
        let containers = [payload[CWTClaims.Claim.healthCertificate], payload["\(CWTClaims.Claim.healthCertificate)"]]
        guard let found = containers.lazy.compactMap({ Self.find(in: $0, lenient: true) }).first else { return nil }
        self = found
    }

    /// - Parameter lenient: whether to look for contents under texts as well.
    private static func find(in claim: CBORValue?, lenient: Bool) -> FoundContent? {
        guard let claim else { return nil }
        for kind in HealthContentKind.all {
            let value = claim[kind.number] ?? (lenient && kind.isLenient ? claim["\(kind.number)"] : nil)
            // A text, and the number that it stands for, are no two contents: that is refused when the claim is read.
            if let value { return FoundContent(kind: kind, value: value, hasOthers: claim.count > 1) }
        }
        return nil
    }
}

/// Contents of the envelope of health certificates that are known by name, and not verified.
package enum OtherContent {
    /// The kind of a certificate with content that is not verified; nil if it has content that is, or none that tells its kind (HCERT
    /// 1.1, "hcert").
    ///
    /// It is looked for before members and headers are judged: another kind has rules of its own.
    ///
    /// - Parameter payload: all claims.
    static func find(in payload: CBORValue) -> OtherCredential? {
        guard FoundContent(in: payload) == nil else { return nil }
        guard let claim = payload[CWTClaims.Claim.healthCertificate] else { return coreDataSet(in: payload) }
        let keys = (claim.members ?? []).compactMap(\.key.integer)
        let known: [(key: Int64, words: String)] = [
            (2, "a certificate of RACSEL (key 2)"), (3, "a vaccination status of WHO's DDCC (key 3)"),
            (4, "a test result of WHO's DDCC (key 4)"),
        ]
        if let found = known.first(where: { keys.contains($0.key) }) { return .inEnvelope(found.words) }
        return keys.min().map { .inEnvelope("a health certificate of an unknown kind (key \($0))") }
    }

    /// The failure of a certificate with content that is known by name and not verified; nil for all others.
    package static func failure(in payload: CBORValue) -> VerificationFailure? { find(in: payload)?.failure }

    /// The core data set of WHO's DDCC is in the payload itself.
    private static func coreDataSet(in payload: CBORValue) -> OtherCredential? {
        let has = { (name: String) in payload[name] != nil }
        let isVaccination = has("vaccine") && (has("hcid") || has("name") && has("birthDate"))
        guard isVaccination || has("name") && has("birthDate") && (has("brand") || has("test")) else { return nil }
        return .inEnvelope("a certificate of WHO's DDCC")
    }

    /// The failure of a claim without content of any kind that is known.
    package static func failure(of claim: CBORValue) -> VerificationFailure {
        let found = (claim.members ?? []).map { "content under the key " + name(of: $0.key) }
        let list = found.isEmpty ? "it is empty" : "it has " + found.prefix(3).joined(separator: ", ")
        let numbers = HealthContentKind.all.map { "\($0.number)" }.joined(separator: ", ")
        let message = "the health certificate (claim -260) has no content of a known kind (keys \(numbers))"
        return VerificationFailure(.malformedPayload, "\(message): \(list)", impersonalMessage: message)
    }

    private static func name(of key: CBORValue) -> String {
        if let text = key.text { return UTF8Text(decoding: text).quoted(upTo: 40) }
        return key.decimal ?? "of type \(key.kind.rawValue)"
    }
}

/// A health link in a health certificate (HCERT 1.1, content 5). The certificate is the wrapper: its signature vouches for the link, and
/// for nothing that is behind it.
///
/// The text of the link holds the key of the files, so it is never part of a message or of a report.
package struct WrappedLink: Sendable {
    /// The schemes of links.
    package enum Scheme: String, Sendable, CaseIterable {
        /// A verifiable health link, which only a registered receiver can fetch (IHE VHL).
        case vhlink
        /// A SMART Health Link.
        case shlink
    }

    /// The text of the link, with its scheme in lower case and one slash. It is secret.
    package let text: [UInt8]
    /// The scheme.
    package let scheme: Scheme
    /// Deviations from what is specified.
    package let deviations: Set<Deviation>

    /// A deviation of real links, which is accepted.
    package enum Deviation: Sendable, Hashable, CaseIterable {
        /// The link is in a map with `u`, in an array.
        case array
        /// Two slashes follow the scheme, or it is in upper case.
        case form
    }

    package static let kind = HealthContentKind(
        number: 5, sourceType: "who-health-link", plural: "health links", domains: ["ICVP", "PH4H", "IPS-PILGRIMAGE"],
        isOfListsWithoutDomains: false, requiresExpiry: true, isIssuedByCountry: false, isLenient: true, isShown: false,
        read: { value throws(VerificationFailure) in try WrappedLink(value) })

    /// Reads the content. What is behind the scheme is not looked at.
    ///
    /// - Throws: `VerificationFailure` with `malformed-payload`.
    package init(_ value: CBORValue) throws(VerificationFailure) {
        var deviations: Set<Deviation> = []
        var link = value
        if let elements = value.elements, elements.count == 1, elements[0].kind == .map, elements[0].count == 1,
            let inside = elements[0]["u"]
        {
            deviations.insert(.array)
            link = inside
        }
        guard let text = link.text else {
            throw CWTClaims.malformed(
                "the health link (key 5) must be a text, but its type is \(value.kind.rawValue)")
        }
        // The text is not repeated: it holds a key.
        guard let scheme = Scheme.allCases.first(where: { InputForm.begins(text, with: "\($0.rawValue):/") }) else {
            throw CWTClaims.malformed("the health link (key 5) begins neither with vhlink:/ nor with shlink:/")
        }
        let head = "\(scheme.rawValue):/"
        var rest = text.dropFirst(head.utf8.count)
        if !text.starts(with: head.utf8) { deviations.insert(.form) }
        if rest.first == UInt8(ascii: "/") {
            deviations.insert(.form)
            rest = rest.dropFirst()
        }
        self.text = Array(head.utf8) + rest
        self.scheme = scheme
        self.deviations = deviations
    }
}

extension WrappedLink: HealthContent {
    package var words: String { "a health link (\(scheme.rawValue))" }

    package var warnings: [CredentialWarning] {
        var warnings: [CredentialWarning] = []
        if deviations.contains(.array) {
            warnings.add(.linkArray, "the link is the member \"u\" of a map in an array, instead of a text")
        }
        if deviations.contains(.form) {
            warnings.add(.linkForm, "the link is unusual: its scheme is in upper case, or two slashes follow it")
        }
        return warnings
    }

    package var link: WrappedLink? { self }

    package func contents(names: CodeNames, at moment: NumericDate) -> CardContents? { nil }
}
