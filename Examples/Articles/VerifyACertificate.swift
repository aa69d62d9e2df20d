import Credentials
import HealthCertificates
import SMARTHealthCards

/// The verdict on an EU Digital COVID Certificate, such as the text `HC1:…` of its QR code.
func verdict(on input: [UInt8], by trustList: [UInt8], now: NumericDate) throws -> Verdict? {
    var policy = CertificatePolicy(now: now)
    try policy.signers.add(list: trustList)
    let verifier = try CertificateVerifier(policy: policy)
    var reader = ArtifactReader()
    reader.add(input, source: "certificate")
    guard let credential = reader.cards().first, credential.kind == .healthCertificate else { return nil }
    return verifier.verify(verifier.examine(credential))
}
