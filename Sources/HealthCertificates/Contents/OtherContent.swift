package import Credentials
package import Encodings
import Inputs

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

    /// The core data set of WHO's DDCC stands in the payload itself.
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
