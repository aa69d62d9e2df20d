package import Credentials
package import Encodings
package import FHIR

/// The kinds of record in a Digital COVID Certificate. A certificate has exactly one record.
package enum RecordGroup: String, Sendable, CaseIterable {
    case vaccination = "v"
    case test = "t"
    case recovery = "r"

    /// The group in a word.
    package var name: String {
        switch self {
        case .vaccination: "vaccination"
        case .test: "test"
        case .recovery: "recovery"
        }
    }

    /// The group in words.
    var words: String { "a \(name)" }
}

/// The content of a Digital COVID Certificate: the person and one record (JSON schema 1.3.3).
package struct DCC: Sendable {
    /// The whole content.
    package let value: CBORValue
    /// The kind of the record.
    package let recordGroup: RecordGroup
    /// The record.
    package let record: CBORValue
    /// The person's names.
    package let names: CBORValue
    /// The deviations from the schema that do not make the certificate invalid.
    package let warnings: [CredentialWarning]

    package static let kind = HealthContentKind(
        number: 1, sourceType: "eu-digital-covid-certificate", plural: "EU certificates", domains: ["DCC", "DDCC"],
        isOfListsWithoutDomains: true, requiresExpiry: true, isIssuedByCountry: true, isLenient: false, isShown: true,
        read: { value throws(VerificationFailure) in try DCC(value) })

    /// Reads the content, strictly.
    ///
    /// - Throws: `VerificationFailure` with `malformed-payload`.
    init(_ value: CBORValue) throws(VerificationFailure) {
        self.value = try Self.map(value)
        let check = DCCSchemaCheck(value)
        if let problem = check.problems.first(where: \.isFatal) { throw CWTClaims.malformed(problem.message) }
        guard let first = check.records.first, let names = check.names else {
            // Cannot happen: both are required.
            throw CWTClaims.malformed("the certificate has no record or no name")
        }
        (recordGroup, record) = first
        self.names = names
        warnings = check.problems.map { CredentialWarning($0.warningCode, $0.message, path: $0.path) }
    }

    /// The content, which has to be a map.
    ///
    /// - Throws: `VerificationFailure` with `malformed-payload`.
    package static func map(_ value: CBORValue) throws(VerificationFailure) -> CBORValue {
        guard value.kind == .map else {
            throw CWTClaims.malformed(
                "the EU's certificate (key 1) must be a map, but its type is \(value.kind.rawValue)")
        }
        return value
    }
}

extension DCC: HealthContent {
    package var words: String { "a certificate of \(recordGroup.words)" }
    package var group: RecordGroup? { recordGroup }
    package var revocableRecord: CBORValue? { record }
    /// `is` of the record.
    package var issuerName: UTF8Text? { record["is"]?.plainText }

    package func contents(names: CodeNames, at moment: NumericDate) -> CardContents? {
        CardContents(self, names: names, at: FHIRDate(moment))
    }
}

extension CBORValue {
    /// The content of a text, or of a date that is tagged as one (RFC 8949 §3.4.1, RFC 8943); nil for other items.
    package var dateText: UTF8Text? {
        if let tagged, tagged.number == 0 || tagged.number == 1004 {
            return tagged.value.text.map { UTF8Text(decoding: $0) }
        }
        return text.map { UTF8Text(decoding: $0) }
    }

    /// The content of a text without white space around it; nil for other items, and if nothing is left.
    package var plainText: UTF8Text? {
        guard let text else { return nil }
        let trimmed = text.trimmingWhiteSpace()
        return trimmed.isEmpty ? nil : UTF8Text(decoding: trimmed)
    }
}
