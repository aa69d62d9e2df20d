/// The members of a card's JSON object that are printed. By default, they are all.
package struct CardMembers: Sendable, Equatable {
    /// The members of a line of a batch, in the order in which they are printed.
    package enum Name: String, Sendable, CaseIterable {
        case line, id, source, inputKind, verdict, reason, checks, claimsVerified, issuer, key, verifiedAt, issued,
            expires
        case relevantDate, sourceType, types, subject, subjects, records, warnings, fhirVersion, fhirBundle, certificate
        case schemaVersion

        /// The position in the order of the members, from 0.
        fileprivate var place: UInt32 {
            switch self {
            case .line: 0
            case .id: 1
            case .source: 2
            case .inputKind: 3
            case .verdict: 4
            case .reason: 5
            case .checks: 6
            case .claimsVerified: 7
            case .issuer: 8
            case .key: 9
            case .issued: 10
            case .expires: 11
            case .relevantDate: 12
            case .sourceType: 13
            case .types: 14
            case .subject: 15
            case .subjects: 16
            case .records: 17
            case .warnings: 18
            case .fhirVersion: 19
            case .fhirBundle: 20
            case .certificate: 21
            case .schemaVersion: 22
            case .verifiedAt: 23
            }
        }
    }

    private var bits: UInt32

    /// All members.
    package static let all = CardMembers(bits: .max)

    /// Only these members.
    package init(_ names: some Sequence<Name>) {
        bits = names.reduce(0) { $0 | 1 << $1.place }
    }

    private init(bits: UInt32) {
        self.bits = bits
    }

    /// Whether a member is printed.
    package func contains(_ name: Name) -> Bool { bits & (1 << name.place) != 0 }
}
