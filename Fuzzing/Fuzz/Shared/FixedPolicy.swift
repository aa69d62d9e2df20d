import Credentials
import Cryptography
import FHIR
import Foundation
import SMARTHealthCards

/// The policies of the targets: keys of the test vectors, a fixed day, no network.
enum FixedPolicy {
    static let now: NumericDate = {
        guard let now = NumericDate(text: "2026-06-01T00:00:00Z") else { fatalError("the day is a date") }
        return now
    }()

    /// Only the keys, for any issuer.
    static let keysGiven: CardPolicy = {
        var policy = CardPolicy(now: now)
        policy.requiresTrust = false
        policy.isOffline = true
        policy.givenKeys.add(keySet)
        return policy
    }()

    /// The keys, and everything else that a policy can ask for.
    static let strict: CardPolicy = {
        var policy = keysGiven
        policy.requiresTrust = true
        // The directories have the other issuer too, whose cards nobody has listed as signed.
        policy.givenKeys = GivenKeys()
        for issuer in ["https://issuer-a.example/cards", "https://issuer-b.example/cards"] {
            policy.givenKeys.add(keySet, for: Issuer(unchecked: issuer))
        }
        policy.trustedIssuers.allow(Issuer(unchecked: "https://issuer-a.example/cards"))
        for name in ["directory-listed", "directory-snapshot"] {
            if let directory = try? IssuerDirectory(vector("directories/\(name).json")) {
                policy.trustedIssuers.add(directory)
            }
        }
        for name in ["revocation-listed", "revocation-two-timestamps"] {
            if let list = try? RevocationList(vector("crls/\(name).json")) { policy.givenLists.append(list) }
        }
        policy.recordQuery = try? RecordQuery(recordTypes: ["immunization"], since: "2000")
        return policy
    }()

    /// Only the keys of the app that attests what patients share.
    static let appKeysGiven: CardPolicy = {
        var policy = CardPolicy(now: now)
        guard let set = try? JWKSet(vector("lint/profile-error/ktc-attestation-form/good-option-5.jwks.json")) else {
            fatalError("the vectors have the keys of the app")
        }
        policy.givenKeys.add(set, for: Issuer(unchecked: "https://app.example"))
        return policy
    }()

    static let keySet: JWKSet = {
        guard let set = try? JWKSet(vector("keys/issuer-a.jwks.json")) else { fatalError("the keys are a key set") }
        return set
    }()

    private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func vector(_ path: String) -> [UInt8] {
        contents(package.appending(path: "TestVectors/\(path)"))
    }

    /// The JWS texts that one of the keys signed, found by another implementation (seeds.py).
    static let signed = lines(of: "signed.txt")

    /// The lines of a file that seeds.py has written.
    static func lines(of name: String) -> Set<[UInt8]> {
        let lines = contents(package.appending(path: ".build/fuzz/\(name)")).split(separator: UInt8(ascii: "\n"))
        guard !lines.isEmpty else { fatalError("\(name) is empty; run Fuzzing/seeds.py") }
        return Set(lines.map { Array($0) })
    }

    private static func contents(_ file: URL) -> [UInt8] {
        guard let data = try? Data(contentsOf: file) else { fatalError("cannot read \(file.path)") }
        return Array(data)
    }
}
