import Credentials
import HealthCertificates
import Inputs
import SMARTHealthCards

/// The verdicts on the EU Digital COVID Certificates in an input, such as the text `HC1:…` of a QR code.
///
/// - Returns: one for each credential in the input, in order; nil for a credential that is no such certificate. At least one.
func verdicts(on input: [UInt8], by trustList: [UInt8], now: NumericDate) throws -> [Verdict?] {
    var policy = HCERTPolicy(now: now)
    try policy.signers.add(list: trustList)
    let verifier = try HCERTVerifier(policy: policy)
    var reader = CredentialReader()
    reader.add(input, source: "certificate")
    return reader.cards().map { credential in
        guard credential.kind == .healthCertificate else { return nil }
        return verifier.verify(verifier.examine(credential))
    }
}
