import Credentials
import Cryptography
import Encodings
import HealthCertificates
import Inputs
import SMARTHealthCards

/// The whole verification of certificates. Only what a listed signer has signed passes.
enum HCERTTarget: FuzzTarget {
    static let name = "hcert"
    private static let largestReported = 64 << 10

    static func run(_ bytes: [UInt8]) {
        var reader = CredentialReader()
        reader.add(bytes, source: "fuzz")
        // The octets themselves too, since a fuzzer hardly finds text that can be inflated.
        let presented =
            reader.cards().filter { $0.kind == .healthCertificate }.prefix(16)
            + [PresentedCredential(text: bytes, kind: .healthCertificate, form: .cwt, source: "octets")]
        for policy in [FixedHCERTPolicy.signersGiven, FixedHCERTPolicy.strict] {
            verify(Array(presented), by: policy)
        }
    }

    private static func verify(_ presented: [PresentedCredential], by policy: HCERTPolicy) {
        guard let first = try? HCERTVerifier(policy: policy, totalPayloadSize: Bounds.inputPayloadSize) else {
            return
        }
        let examined = presented.map { first.examine($0) }
        let verdicts = examined.map { certificate in
            // A new verifier for each: it remembers nothing of those before.
            guard let verifier = try? HCERTVerifier(policy: policy) else { fatalError("there is no memory") }
            return verifier.verify(certificate)
        }
        for (certificate, verdict) in zip(examined, verdicts) {
            if verdict.verified != nil { requireSigned(certificate) }
            guard certificate.size <= largestReported else { continue }
            _ = VerdictReports.check(verdict)
            inspect(certificate.presented, with: first)
        }
        for tables in [nil, KeyTables()] {
            guard
                let verifier = try? HCERTVerifier(
                    policy: policy, confirmer: tables.flatMap { TableConfirmer(tables: $0) })
            else { continue }
            // The first round reads the keys. Only the second can check the signatures of all together.
            for _ in 0..<2 {
                for (one, other) in zip(verdicts, verifier.verify(examined)) {
                    let isSame =
                        other.name == one.name && other.reason == one.reason
                        && other.checks.map(\.status) == one.checks.map(\.status)
                    require(isSame, "a certificate gets the same verdict alone and with others")
                }
            }
        }
    }

    /// Anyone can change s of a signature, and everything that is not signed. The bytes that are signed must be known.
    private static func requireSigned(_ certificate: ExaminedHCERT) {
        guard let parts = certificate.decoded?.message.parts else { return require(false, "what passes was decoded") }
        let text = Base64.encode(Array(parts.protectedBytes)) + " " + Base64.encode(Array(parts.payload))
        require(FixedHCERTPolicy.signed.contains(Array(text.utf8)), "only a signed certificate passes")
    }

    private static func inspect(_ presented: PresentedCredential, with verifier: HCERTVerifier) {
        let inspection = verifier.inspect(presented)
        FirstDefectOracle.check(presented, inspection.failure)
        if inspection.failure == nil {
            require(inspection.signatureLength != nil, "inspect finds the signature of a certificate")
        }
    }
}
