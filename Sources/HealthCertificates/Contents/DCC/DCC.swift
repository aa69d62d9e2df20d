import Bytes
package import CBOR
package import Credentials
import Inputs
package import StrictJSON

/// The kinds of record in a Digital COVID Certificate. A certificate has exactly one record.
package enum RecordGroup: String, Sendable, CaseIterable {
    case vaccination = "v"
    case test = "t"
    case recovery = "r"

    /// The group in words.
    var words: String {
        switch self {
        case .vaccination: "a vaccination"
        case .test: "a test"
        case .recovery: "a recovery"
        }
    }
}

/// The content of a Digital COVID Certificate: the person and one record (JSON schema 1.3.3).
package struct DCC: Sendable {
    /// The whole content.
    package let value: CBORValue
    /// The kind of the record.
    package let group: RecordGroup
    /// The record.
    package let record: CBORValue
    /// The person's names.
    package let names: CBORValue
    /// The deviations from the schema that do not make the certificate invalid.
    package let warnings: [CredentialWarning]

    /// The number of the EU's content among the kinds of health certificates (HCERT §3.3.3).
    static let number: Int64 = 1

    /// Reads the content of a claim, strictly.
    ///
    /// - Throws: `VerificationFailure` with `malformed-payload`.
    init(in claim: CBORValue) throws(VerificationFailure) {
        value = try Self.value(in: claim)
        let check = DCCSchemaCheck(value)
        if let problem = check.problems.first(where: \.isFatal) { throw CWTClaims.malformed(problem.message) }
        guard let first = check.records.first, let names = check.names else {
            // Cannot happen: both are required.
            throw CWTClaims.malformed("the certificate has no record or no name")
        }
        (group, record) = first
        self.names = names
        let others = claim.count == 1 ? [] : (claim.members ?? []).filter { $0.key.integer != Self.number }
        var warnings = check.problems.map { CredentialWarning($0.warningCode, $0.message, path: $0.path) }
        if !others.isEmpty {
            warnings.append(
                CredentialWarning(
                    .otherHealthContent, "beside the EU's certificate, there is other content, which was not read"))
        }
        self.warnings = warnings
    }

    /// The content of a claim, before it is examined.
    ///
    /// - Throws: `VerificationFailure` with `unsupported-credential` or `malformed-payload` if the claim has no content of the EU.
    package static func value(in claim: CBORValue) throws(VerificationFailure) -> CBORValue {
        guard let value = claim[number] else {
            throw otherContent(of: claim)?.failure ?? unknownContent(claim)
        }
        guard value.kind == .map else {
            throw CWTClaims.malformed(
                "the EU's certificate (key 1) must be a map, but its type is \(value.kind.rawValue)")
        }
        return value
    }

    /// The kind of a credential in the envelope of EU certificates with other content; nil if it has the EU's content, or none that
    /// tells its kind (HCERT 1.1, "hcert").
    ///
    /// It is looked for before members and headers are judged: another kind has rules of its own.
    ///
    /// - Parameter payload: all claims.
    static func otherContent(in payload: CBORValue) -> OtherCredential? {
        guard let claim = payload[CWTClaims.Claim.healthCertificate] else {
            // The core data set of WHO's DDCC stands in the payload itself.
            let has = { (name: String) in payload[name] != nil }
            let isVaccination = has("vaccine") && (has("hcid") || has("name") && has("birthDate"))
            guard isVaccination || has("name") && has("birthDate") && (has("brand") || has("test")) else { return nil }
            return .inEnvelope("a certificate of WHO's DDCC")
        }
        return claim[number] == nil ? otherContent(of: claim) : nil
    }

    private static func otherContent(of claim: CBORValue) -> OtherCredential? {
        let keys = (claim.members ?? []).compactMap(\.key.integer)
        let known: [(key: Int64, words: String)] = [
            (-6, "an International Certificate of Vaccination or Prophylaxis of WHO, ICVP (key -6)"),
            (5, "a verifiable health link (key 5)"), (2, "a certificate of RACSEL (key 2)"),
            (3, "a vaccination status of WHO's DDCC (key 3)"), (4, "a test result of WHO's DDCC (key 4)"),
        ]
        if let found = known.first(where: { keys.contains($0.key) }) { return .inEnvelope(found.words) }
        return keys.min().map { .inEnvelope("a health certificate of an unknown kind (key \($0))") }
    }

    /// The failure of a claim without the EU's certificate and without another kind.
    private static func unknownContent(_ claim: CBORValue) -> VerificationFailure {
        let found = (claim.members ?? []).map { "content under the key " + name(of: $0.key) }
        let list = found.isEmpty ? "it is empty" : "it has " + found.prefix(3).joined(separator: ", ")
        let message = "the health certificate (claim -260) is not one of the EU (key 1)"
        return VerificationFailure(.malformedPayload, "\(message): \(list)", impersonalMessage: message)
    }

    private static func name(of key: CBORValue) -> String {
        if let text = key.text { return UTF8Text(decoding: text).quoted(upTo: 40) }
        return key.decimal ?? "of type \(key.kind.rawValue)"
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
