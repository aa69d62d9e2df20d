package import Credentials
package import Encodings
package import FHIR
import Inputs

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
