import Cryptography
import Encodings
import Foundation
import TestSupport
import Testing

/// Anchors that are read from files.
struct CertificateAnchorsTests {
    private static let end = "-----END CERTIFICATE-----"

    private func anchor() throws -> String { String(decoding: try MadeChains.chain("intermediate").pem, as: UTF8.self) }

    private func isAnchored(by pem: String) throws -> Bool {
        let chain = try MadeChains.chain("intermediate")
        let anchors = try CertificateAnchors(pem: Array(pem.utf8))
        return (try? anchors.validate(chain.jwk, for: chain.issuer, at: MadeChains.moment)) != nil
    }

    @Test func readsPEMInAnyLayout() throws {
        let pem = try anchor()
        #expect(try isAnchored(by: pem))
        #expect(try isAnchored(by: pem.replacing("\n", with: "\r\n")))
        #expect(try isAnchored(by: pem.replacing("\n", with: " \t\n\n  ")))
        #expect(try isAnchored(by: "\u{FEFF}\(pem)"))
        #expect(try isAnchored(by: String(pem.dropLast())))
        #expect(try isAnchored(by: "subject=CN=Test Root\n\(pem)and more\n"))
        #expect(try isAnchored(by: pem.replacing("CERTIFICATE", with: "X509 CERTIFICATE")))
        #expect(try isAnchored(by: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n\(pem)"))
    }

    /// OpenSSL reads lines in pieces of 254 bytes.
    @Test func ignoresBlocksThatBeginWithinALine() throws {
        let pem = try anchor()
        for text in ["# \(pem)", String(repeating: "#", count: 254) + pem, String(repeating: "#", count: 508) + pem] {
            #expect(throws: Malformed.self) { try CertificateAnchors(pem: Array(text.utf8)) }
        }
        let encrypted = pem.replacing("-----\nM", with: "-----\nProc-Type: 4,ENCRYPTED\n\nM")
        #expect(throws: Malformed.self) { try CertificateAnchors(pem: Array(encrypted.utf8)) }
        let withNull = pem.replacing("BEGIN CERTIFICATE", with: "BEGIN CERTIFICATE\u{0}")
        #expect(throws: Malformed.self) { try CertificateAnchors(pem: Array(withNull.utf8)) }
        // A damaged key does not hide the certificate.
        #expect(try isAnchored(by: "-----BEGIN PRIVATE KEY-----\n!!!\n-----END PRIVATE KEY-----\n\(pem)"))
    }

    @Test func holdsAllCertificatesOfAllFiles() throws {
        let other = try CertificateAnchors(pem: MadeChains.chain("other root").pem)
        let both = try CertificateAnchors(merging: [other, CertificateAnchors(pem: Array(anchor().utf8))])
        #expect(both.certificates.map(\.subject) == [#""CN=Other Root""#, #""CN=Test Root""#])
        let chain = try MadeChains.chain("intermediate")
        #expect(throws: Never.self) { try both.validate(chain.jwk, for: chain.issuer, at: MadeChains.moment) }
        #expect(throws: CertificateError.self) {
            try other.validate(chain.jwk, for: chain.issuer, at: MadeChains.moment)
        }
        #expect(try CertificateAnchors(pem: MadeChains.chain("one of several anchors").pem).certificates.count == 2)
    }

    /// Whatever the order of the anchors, and whether or not a certificate says which of their keys has signed it.
    @Test func triesEachAnchorOfTheIssuersName() throws {
        let names =
            (0..<3).flatMap { ["namesake \($0) of three anchors", "intermediate of namesake \($0)"] }
            + ["expired namesake with the same key"]
        for name in names {
            let chain = try MadeChains.chain(name)
            let certificates = try CertificateAnchors(pem: chain.pem).certificates
            for first in certificates.indices {
                for order in [certificates, certificates.reversed()] {
                    let anchors = try CertificateAnchors(Array(order[first...] + order[..<first]))
                    #expect(throws: Never.self, "\(name), from \(first)") {
                        try anchors.validate(chain.jwk, for: chain.issuer, at: MadeChains.moment)
                    }
                }
            }
            let others = try CertificateAnchors(
                pem: MadeChains.chain("other root").pem + MadeChains.chain("intermediate").pem)
            #expect(throws: CertificateError.self) {
                try others.validate(chain.jwk, for: chain.issuer, at: MadeChains.moment)
            }
        }
    }

    /// The time grows with the number of anchors, not with its square.
    @Test func readsManyAnchors() throws {
        let chain = try MadeChains.chain("namesake 2 of three anchors")
        let pem = try String(decoding: MadeChains.chain("other root").pem, as: UTF8.self)
        let block = try #require(pem.range(of: "MII").map { pem[$0.lowerBound...] })
        let der = try #require(
            Data(base64Encoded: String(block.prefix { $0 != "-" }), options: .ignoreUnknownCharacters))
        // The serial number and the end of the signature differ.
        let others = try (0..<10_000).map { number in
            var bytes = Array(der)
            bytes[bytes.count - 1] = UInt8(number & 0xFF)
            bytes[bytes.count - 2] = UInt8(number >> 8)
            return try Certificate(der: bytes)
        }
        let another = try MadeChains.chain("other root")
        let time = try processorTime {
            let anchors = try CertificateAnchors(others + CertificateAnchors(pem: chain.pem).certificates)
            #expect(throws: Never.self) { try anchors.validate(chain.jwk, for: chain.issuer, at: MadeChains.moment) }
            #expect(throws: CertificateError.self) {
                try anchors.validate(another.jwk, for: another.issuer, at: MadeChains.moment)
            }
        }
        #expect(time < .seconds(120), "\(time)")
    }

    @Test(arguments: [
        ("", "is not PEM"), ("not a certificate", "is not PEM"), ("-----BEGIN CERTIFICATE", "is not PEM"),
        ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "a private key in PEM"),
        ("\u{30}\u{0}\u{1}", "looks like DER"),
    ])
    func rejectsAFileWithoutACertificate(_ text: String, words: String) {
        let error = #expect(throws: Malformed.self) { try CertificateAnchors(pem: Array(text.utf8)) }
        #expect(error?.description.contains(words) == true, "\(error as Any)")
    }

    @Test func rejectsAFileWithACertificateThatCannotBeRead() throws {
        let pem = try anchor()
        let begin = "-----BEGIN CERTIFICATE-----\n"
        for (text, words) in [
            ("\(begin)AAAA\n\(Self.end)\n", "not one X.509 certificate"),
            ("\(begin)\(Self.end)\n", "without content"),
            ("\(begin)A-A_\n\(Self.end)\n", "not base64"), ("\(begin)AAA\n\(Self.end)\n", "not base64"),
            (begin, "an -----END of its kind"),
            (pem.replacing(Self.end, with: "-----END PRIVATE KEY-----"), "an -----END of its kind"),
            (pem.replacing(Self.end, with: ""), "an -----END of its kind"),
            (pem.replacing("CERTIFICATE", with: "TRUSTED CERTIFICATE"), "TRUSTED CERTIFICATE"),
        ] {
            for (file, place) in [(text, 1), (pem + text, 2)] {
                let error = #expect(throws: Malformed.self) { try CertificateAnchors(pem: Array(file.utf8)) }
                #expect(error?.description.contains(words) == true, "\(error as Any)")
                let numbered = ["certificate \(place) of the file", "after \(place - 1) whole certificates"]
                #expect(numbered.contains { error?.description.contains($0) == true }, "\(error as Any)")
            }
        }
    }

    @Test func tellsWhetherAPublishedChainIsConsistent() throws {
        for (name, holds) in [("with root", true), ("broken signature", false), ("eleven", false)] {
            let chain = try MadeChains.chain(name)
            let last = try Certificate(der: #require(chain.jwk.certificates.last))
            let path = try? CertificateAnchors([last]).validate(chain.jwk, for: chain.issuer, at: MadeChains.moment)
            #expect((path != nil) == holds, "\(name)")
        }
    }

    @Test func readsTheFieldsOfACertificate() throws {
        let certificates = try CertificateAnchors(pem: MadeChains.chain("anchored leaf").pem).certificates
        let leaf = try #require(certificates.first)
        #expect(leaf.subject == #""CN=Test Clinic""#)
        #expect(leaf.issuer == #""CN=Test Intermediate""#)
        #expect(leaf.notBefore == 1_735_689_600)
        #expect(leaf.notAfter == 2_051_222_400)
        #expect(leaf.names == [.uri(Array("https://clinic.example/issuer".utf8))])
        #expect(leaf.names("https://clinic.example/issuer"))
        #expect(!leaf.names("https://clinic.example/issuer/"))
    }

    private static let systemRoots = "/etc/ssl/certs/ca-certificates.crt"

    /// A system's bundle, with names and keys of all kinds.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: systemRoots), "the system has no bundle of roots there"))
    func readsTheSystemsRoots() throws {
        let pem = try Data(contentsOf: URL(filePath: Self.systemRoots))
        let anchors = try CertificateAnchors(pem: Array(pem))
        #expect(anchors.certificates.count > 50)
        for certificate in anchors.certificates {
            #expect(certificate.notAfter != nil)
            #expect(certificate.subject == certificate.issuer)
        }
    }

    // MARK: Vectors

    @Test(arguments: [
        ("anchored", nil as CertificateError.Reason?), ("anchored-with-intermediate", nil), ("present", nil),
        ("anchored-without-intermediate", .issuerMissing), ("anchored-other-root", .issuerMissing),
        ("anchored-issuer-not-authority", .notAuthority), ("expired", .expired), ("other-name", .otherName),
        ("other-key", .otherKey), ("garbage", .malformed), ("not-base64", .malformed), ("empty", .malformed),
        ("string", .malformed), ("numbers", .malformed), ("other-key-elsewhere", .noCertificate),
    ])
    func judgesTheVectors(_ name: String, reason: CertificateError.Reason?) throws {
        let set = try JWKSet(VectorFiles.bytes("keys/sets/certificates-\(name).jwks.json"))
        let anchors = try CertificateAnchors(pem: VectorFiles.bytes("certificates/certificates-anchored.pem"))
        let key = try #require(set.keys.first)
        let found: CertificateError.Reason?
        do throws(CertificateError) {
            _ = try anchors.validate(key, for: "https://issuer-a.example/cards", at: MadeChains.moment)
            found = nil
        } catch {
            found = error.reason
        }
        #expect(found == reason)
    }
}
