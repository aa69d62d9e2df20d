/// The members of a card's JSON object that are printed. By default, they are all.
package struct CardMembers: Sendable, Equatable {
    /// The members of a line of a batch, in the order in which they are printed.
    package enum Name: UInt8, Sendable, CaseIterable {
        case line, id, source, inputKind, verdict, reason, checks, claimsVerified, issuer, key, verifiedAt, issued,
            expires
        case relevantDate, sourceType, types, subject, subjects, records, warnings, fhirVersion, fhirBundle, certificate
        case schemaVersion

        /// The name of the member in JSON.
        package var word: String { "\(self)" }
    }

    private var bits: UInt32

    /// All members.
    package static let all = CardMembers(bits: .max)

    /// Only these members.
    package init(_ names: some Sequence<Name>) { bits = names.reduce(0) { $0 | 1 << $1.rawValue } }

    private init(bits: UInt32) { self.bits = bits }

    /// Whether a member is printed.
    package func contains(_ name: Name) -> Bool { bits & (1 << name.rawValue) != 0 }
}
