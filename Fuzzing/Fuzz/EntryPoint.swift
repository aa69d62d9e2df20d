import Foundation

/// The targets, and the one to run.
enum EntryPoint {
    static let targets: [any FuzzTarget.Type] = [
        JSONTarget.self, Base64URLTarget.self, JWSTarget.self, InflateTarget.self, QRTarget.self, ArtifactTarget.self,
        JWKSetTarget.self, RevocationListTarget.self, DirectoryTarget.self, FHIRTarget.self, LintTarget.self,
        VerifyTarget.self, LinkTarget.self, Base45Target.self, CBORTarget.self, COSETarget.self, HCERTTarget.self,
        SignersTarget.self, ListProofTarget.self, CodesTarget.self, CheckInTarget.self,
        ScanTarget.self, FetchTarget.self,
    ]

    /// The target that the environment variable names.
    static let chosen: any FuzzTarget.Type = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let target = targets.first(where: { $0.name == name }) else {
            fatalError("set FUZZ_TARGET to one of \(targets.map { $0.name }.joined(separator: ", "))")
        }
        return target
    }()
}
