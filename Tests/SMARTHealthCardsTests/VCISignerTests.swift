import Credentials
import Cryptography
import Encodings
import TestSupport
import Testing

@testable import SMARTHealthCards

/// The pinned key that verifies snapshots of the VCI directory.
@Suite struct VCISignerTests {
    @Test func pinsTheDirectorysKey() throws {
        let fingerprint: [UInt8] = [
            0x33, 0xF7, 0x9A, 0x46, 0x9F, 0x7D, 0x4F, 0xA3, 0xF9, 0x44, 0x09, 0x12, 0xA3, 0x73, 0xC0, 0xDB,
            0xF2, 0xBD, 0x67, 0xF3, 0x30, 0xDB, 0xA2, 0xB8, 0xFA, 0x95, 0x4B, 0xB3, 0x9D, 0x02, 0x01, 0xDB,
        ]
        #expect(try VCISigner.publicKey().fingerprint == fingerprint)
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)")) func verifiesTheSnapshot() throws {
        let snapshot = try SharedData.bytes("vci/vci_snapshot.json")
        let signature = try SharedData.bytes("vci/vci_snapshot.sig")
        let given = try P521PublicKey(certificate: SharedData.bytes("vci/vci_snapshot.crt"))
        let pinned = try VCISigner.publicKey()
        #expect(given.fingerprint == pinned.fingerprint)
        #expect(throws: Never.self) { try given.verify(signature, over: snapshot) }
        #expect(throws: Never.self) { try pinned.verify(signature, over: snapshot) }
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)")) func rejectsSnapshotWithAByteChanged() throws {
        let snapshot = try SharedData.bytes("vci/vci_snapshot.json")
        let signature = try SharedData.bytes("vci/vci_snapshot.sig")
        let key = try VCISigner.publicKey()
        for position in [0, 1, 127, 128, 4096, snapshot.count / 2, snapshot.count - 2, snapshot.count - 1] {
            var changed = snapshot
            changed[position] ^= 0x20
            #expect(throws: P521PublicKey.notVerified) { try key.verify(signature, over: changed) }
        }
        for changed in [[], Array(snapshot.dropLast()), snapshot + [0x0A], Array(snapshot.dropFirst())] {
            #expect(throws: P521PublicKey.notVerified) { try key.verify(signature, over: changed) }
        }
        for position in signature.indices {
            var changed = signature
            changed[position] ^= 1
            #expect(throws: Malformed.self) { try key.verify(changed, over: snapshot) }
        }
    }

    /// All keys can be imported, and all certificates are expired (SHC-D2).
    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)")) func readsEveryKeyAndCertificateOfTheSnapshot()
        throws
    {
        let snapshot = try Samples.json(String(decoding: SharedData.bytes("vci/vci_snapshot.json"), as: UTF8.self))
        var keys = 0
        var certified = 0
        for entry in try #require(snapshot["issuerInfo"]?.elements) {
            let issuer = try #require(entry["issuer"]?["iss"]?.string)
            for value in try #require(entry["keys"]?.elements) {
                let key = JWK(value)
                #expect(throws: Never.self) { try key.publicKey() }
                keys += 1
                guard value["x5c"] != nil else { continue }
                certified += 1
                let problems = key.certificateProblems(for: issuer.description, at: MadeChains.moment)
                #expect(problems.contains { $0.reason == .expired }, "\(issuer): \(problems)")
                #expect(
                    !problems.contains { $0.reason == .otherKey || $0.reason == .malformed }, "\(issuer): \(problems)")
            }
        }
        #expect(keys == 961)
        #expect(certified == 11)
    }
}
