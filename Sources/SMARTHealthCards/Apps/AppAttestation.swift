package import Credentials
import Cryptography
package import Encodings

/// The attestation of a patient's app in a FHIR Bundle (Kill the Clipboard, "App Attestation"): a compact JWS in an extension of
/// `Bundle.meta`.
package struct AppAttestation: Sendable {
    /// What is wrong with an attestation, in words that need no context.
    package typealias Defect = Rejected<Part>

    /// The part of an attestation that is wrong.
    package enum Part: Sendable {
        /// It is no compact JWS with ES256 and a key ID.
        case form
        /// Its claims are not exactly `iss`, an https URL, `iat`, a plausible time, and `jti`.
        case claims
    }

    /// The result of checking the signature.
    package enum Finding: Sendable {
        /// It verifies with a key of the app.
        case verified
        /// It does not, in words that need no context.
        case wrong(String)
        /// The app is not listed.
        case unknownApp
        /// The keys of the app could not be fetched.
        case unchecked(VerificationFailure)

        /// The word of the report.
        package var status: AttestationReport.Status {
            switch self {
            case .verified: .verified
            case .wrong: .invalid
            case .unknownApp: .unknownApp
            case .unchecked: .unchecked
            }
        }
    }

    /// The extension in the Bundle.
    package let element: JSONValue
    /// What is wrong with its form; nil if nothing is.
    package let defect: Defect?
    private let reading: Reading
    /// What is needed to check the signature; nil if the form is wrong.
    private var signed: Signed?

    private typealias Signed = (issuer: Issuer, keyID: KeyID, signature: ES256Signature, input: ArraySlice<UInt8>)

    /// The address of the extension.
    package static let address = "https://cms.gov/fhir/StructureDefinition/app-attestation"
    /// The largest attestation, in bytes. A real one has some 300.
    private static let maximumSize = 16_384
    /// The beginning of 2020. No app has attested anything before.
    private static let earliest = NumericDate(sinceEpoch: .seconds(1_577_836_800))
    /// How far clocks may differ.
    private static let tolerance = Duration.seconds(86_400)

    /// Reads the attestation of a Bundle.
    ///
    /// - Parameter now: the time of the check.
    /// - Returns: nil if it has none.
    package init?(ofBundle bundle: JSONValue, at now: NumericDate) {
        guard bundle["resourceType"]?.isString("Bundle") == true,
            let element = bundle["meta"]?["extension"]?.elements?.first(where: {
                $0["url"]?.isString(Self.address) == true
            })
        else { return nil }
        self.element = element
        var reading = Reading(latest: NumericDate(sinceEpoch: now.sinceEpoch + Self.tolerance))
        do throws(Defect) {
            signed = try reading.read(element["valueString"]?.stringBytes)
            defect = nil
        } catch {
            defect = error
        }
        self.reading = reading
    }

    /// Checks the signature.
    ///
    /// - Parameters:
    ///   - policy: the listed apps, the given keys, and what is known against keys. Nothing is requested of another app.
    ///   - evidence: the answers so far.
    /// - Returns: nil if the form is wrong (`defect`).
    /// - Throws: `EvidenceNeeded` if keys must be fetched first.
    package func finding(by policy: CardPolicy, evidence: EvidenceAnswers) throws(EvidenceNeeded) -> Finding? {
        guard let signed else { return nil }
        guard policy.apps.contains(signed.issuer) else { return .unknownApp }
        let app = signed.issuer.withoutSlash
        let keys: JWKSet
        // Keys that are for nobody in particular do not count: any of their owners could attest as any app.
        if let given = policy.givenKeys.keys(onlyFor: signed.issuer) ?? policy.givenKeys.keys(onlyFor: app) {
            keys = given
        } else {
            switch try evidence.publishedKeys(of: app, with: signed.keyID) {
            case .failure(let failure): return .unchecked(failure)
            case .success(let published): keys = published.set
            }
        }
        switch policy.counterEvidence.applied(to: keys, of: app).resolve(signed.keyID) {
        case .absent: return .wrong("the app has no key with the key ID of its attestation")
        case .unusable(let error): return .wrong("the app's key cannot be used: \(error)")
        case .found(let candidates, let areAll):
            if candidates.contains(where: { $0.isValid(signed.signature, for: signed.input) }) { return .verified }
            guard areAll else {
                let words = "the app has too many keys with the key ID of its attestation"
                return .unchecked(VerificationFailure(.keysUnavailable, words))
            }
            return .wrong("the signature of the app's attestation does not verify with the key of the app")
        }
    }

    /// What reports say of the attestation.
    ///
    /// - Parameter finding: the result of checking the signature; nil if the form is wrong.
    package func report(_ finding: Finding?) -> AttestationReport {
        AttestationReport(
            app: reading.app, keyID: reading.keyID, issued: reading.issued, id: reading.id,
            status: finding?.status ?? .invalid)
    }

    /// What was read of an attestation, as far as it could be read.
    private struct Reading {
        /// The latest time of a plausible attestation.
        let latest: NumericDate
        var app: UTF8Text?
        var keyID: UTF8Text?
        var issued: NumericDate?
        var id: UTF8Text?

        mutating func read(_ text: [UInt8]?) throws(Defect) -> Signed {
            guard let text, text.count <= AppAttestation.maximumSize, let jws = try? CompactJWS(text) else {
                throw Defect(.form, "the app's attestation is no compact JWS")
            }
            guard let header = try? JSONDocument.parse(jws.headerBytes, maximumDepth: 8), header.kind == .object else {
                throw Defect(.form, "the header of the app's attestation is no JSON object")
            }
            keyID = header["kid"]?.string
            guard header["alg"]?.isString("ES256") == true else {
                throw Defect(.form, "the app's attestation is not signed with ES256")
            }
            guard header["crit"] == nil, header["b64"] == nil else {
                throw Defect(.form, "the header of the app's attestation has an extension that is not understood")
            }
            guard let keyID, !keyID.isEmpty, let name = header["kid"].flatMap({ KeyID($0) }) else {
                throw Defect(.form, "the header of the app's attestation has no key ID (kid)")
            }
            guard let signature = try? ES256Signature(jws.signature) else {
                throw Defect(.form, "the signature of the app's attestation does not have 64 bytes")
            }
            let issuer = try readClaims(jws.payload)
            return (issuer, name, signature, jws.signingInput)
        }

        /// - Returns: the app.
        private mutating func readClaims(_ payload: [UInt8]) throws(Defect) -> Issuer {
            guard let claims = try? JSONDocument.parse(payload, maximumDepth: 8), let members = claims.members else {
                throw Defect(.claims, "the payload of the app's attestation is no JSON object")
            }
            app = claims["iss"]?.string
            issued = claims["iat"].flatMap { NumericDate($0) }.flatMap { NumericDate.range.contains($0) ? $0 : nil }
            id = claims["jti"]?.string
            guard members.count == 3 else {
                throw Defect(.claims, "the claims of the app's attestation are not exactly iss, iat and jti")
            }
            // With a slash at its end it is no issuer of cards, but the name of an app all the same.
            guard let app, case let issuer = Issuer(unchecked: app), (try? Issuer(issuer.withoutSlash.url)) != nil
            else {
                throw Defect(
                    .claims, "iss of the app's attestation is not an https URL to which a path can be appended")
            }
            guard let issued else {
                throw Defect(.claims, "iat of the app's attestation is no time in seconds since 1970")
            }
            guard issued >= AppAttestation.earliest else {
                throw Defect(.claims, "iat of the app's attestation is a time before 2020")
            }
            guard issued <= latest else {
                throw Defect(.claims, "iat of the app's attestation is a time in the future")
            }
            guard let id, !id.isEmpty else { throw Defect(.claims, "jti of the app's attestation is no text") }
            return issuer
        }
    }
}
