import Verification

/// One verifier for a whole server: VCI's directory of issuers, a trust list for EU certificates, pictures and PDFs.
func makeVerifier(directory: [UInt8], trustList: [UInt8], cache: String) throws -> Verifier {
    var policy = VerificationPolicy()
    policy.cards.trustedIssuers.add(try IssuerDirectory(directory))
    // A directory that nobody has updated for two weeks is refused.
    policy.cards.maximumDirectoryAge = .seconds(14 * 86_400)
    try policy.hcerts.signers.add(list: trustList)
    // A card that could have been revoked and was looked up in no list is not accepted.
    policy.cards.requiresRevocation = true
    policy.recordQuery = try RecordQuery(recordTypes: ["immunization"])
    let client = IssuerClient(
        transport: FetchProcess.installed, limits: IssuerClient.Limits(timeout: .seconds(10)),
        cache: IssuerCache(directory: cache))
    return try Verifier(policy, source: client, scanner: try DocumentScanner.installed)
}

/// Whether an upload, whatever it is, lets somebody in: everything in it has to be genuine.
func letsIn(_ upload: [UInt8], by verifier: Verifier) async throws -> Bool {
    try await verifier.verify(upload, source: "upload").allSatisfy { $0.verified != nil }
}
