import Cryptography
import Encodings
import TestSupport
import Testing

@Suite struct P256PublicKeyTests {
    @Test func verifiesTheExampleOfTheRFC() throws {
        let jws = try CompactJWS(Array(Samples.jws.utf8))
        #expect(try Samples.key().isValid(ES256Signature(jws.signature), for: jws.signingInput))
    }

    @Test func rejectsASignatureWithAnyBitFlipped() throws {
        let jws = try CompactJWS(Array(Samples.jws.utf8))
        let key = try Samples.key()
        for bit in 0..<512 {
            var bytes = jws.signature
            bytes[bit / 8] ^= 1 << (bit % 8)
            guard let signature = try? ES256Signature(bytes) else { continue }
            #expect(!key.isValid(signature, for: jws.signingInput), "bit \(bit)")
        }
    }

    @Test func rejectsAMessageWithAnyBitFlipped() throws {
        let jws = try CompactJWS(Array(Samples.jws.utf8))
        let key = try Samples.key()
        let signature = try ES256Signature(jws.signature)
        for index in jws.signingInput.indices {
            var message = jws.signingInput
            message[index] ^= 1 << (index % 8)
            #expect(!key.isValid(signature, for: message), "byte \(index)")
        }
        #expect(!key.isValid(signature, for: []))
        #expect(!key.isValid(signature, for: jws.signingInput.dropLast()))
        #expect(!key.isValid(signature, for: jws.text[...]))
    }

    @Test func rejectsTheSignatureOfAnotherKey() throws {
        let jws = try CompactJWS(Array(Samples.jws.utf8))
        let other = try Samples.jwk(Samples.otherKey).publicKey()
        #expect(!other.isValid(try ES256Signature(jws.signature), for: jws.signingInput))
    }

    @Test func acceptsHighAndLowS() throws {
        let jws = try CompactJWS(Array(Samples.jws.utf8))
        let low = try ES256Signature(Base64URL.decode(Samples.otherS.utf8))
        #expect(try Samples.key().isValid(low, for: jws.signingInput))
    }

    @Test func verifiesAnyNumberOfTimesInOneContext() throws {
        let jws = try CompactJWS(Array(Samples.jws.utf8))
        let key = try Samples.key()
        let other = try Samples.jwk(Samples.otherKey).publicKey()
        let signature = try ES256Signature(jws.signature)
        let context = try #require(VerificationContext())
        for _ in 0..<3 {
            #expect(key.isValid(signature, for: jws.signingInput, in: context))
            #expect(!other.isValid(signature, for: jws.signingInput, in: context))
            #expect(!key.isValid(signature, for: jws.signingInput.dropFirst(), in: context))
        }
    }

    @Test func oneKeyServesManyThreads() async throws {
        let jws = try CompactJWS(Array(Samples.jws.utf8))
        let key = try Samples.key()
        let signature = try ES256Signature(jws.signature)
        let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<200 {
                let message = index.isMultiple(of: 2) ? jws.signingInput : jws.signingInput.dropLast()
                group.addTask { key.isValid(signature, for: message) == index.isMultiple(of: 2) }
            }
            return try await group.reduce(0) { $0 + ($1 ? 0 : 1) }
        }
        #expect(wrong == 0)
    }

    // MARK: Points

    @Test(arguments: [(0, 0), (31, 32), (32, 31), (33, 32), (32, 33), (64, 0), (32, 0)])
    func rejectsCoordinatesOfAnotherLength(_ x: Int, _ y: Int) {
        #expect(throws: Malformed("a coordinate does not have 32 bytes")) {
            try P256PublicKey(x: [UInt8](repeating: 1, count: x), y: [UInt8](repeating: 1, count: y))
        }
    }

    @Test func rejectsPointsThatAreNotOnTheCurve() throws {
        let x = try Base64URL.decode(Samples.x.utf8)
        let y = try Base64URL.decode(Samples.y.utf8)
        // Coordinates of p, which is 0 modulo p; the point (0, 0); and swapped coordinates.
        let prime: [UInt8] =
            [255, 255, 255, 255, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 12)
            + [UInt8](repeating: 255, count: 12)
        let zero = [UInt8](repeating: 0, count: 32)
        let most = [UInt8](repeating: 255, count: 32)
        for (x, y) in [(y, x), (zero, zero), (prime, y), (x, prime), (most, most), (x, zero), (prime, prime)] {
            #expect(throws: Malformed("the point is not on P-256")) { try P256PublicKey(x: x, y: y) }
        }
    }

    @Test func keysAreEqualIfTheirPointsAre() throws {
        let negative = try Samples.jwk(Samples.jwkText(y: Samples.negativeY)).publicKey()
        #expect(try Samples.key() == Samples.key())
        #expect(try Samples.key() != negative)
        #expect(try Set([Samples.key(), Samples.key(), negative]).count == 2)
    }

    @Test func hasTheThumbprintOfRFC7638() throws {
        #expect(try Samples.key().thumbprint == KeyID(Samples.thumbprint))
        #expect(
            try Samples.jwk(Samples.otherKey).publicKey().thumbprint
                == KeyID("cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s"))
    }

    // MARK: Certificates

    @Test(arguments: [
        (Samples.certificate, CertificateKeyMatch.same), (Samples.certificateOfOtherKey, .different),
        (Samples.certificateOnP384, .different), (Samples.certificateOfRSAKey, .different), ("", .unreadable),
        ("MIIB", .unreadable), ("MAA=", .unreadable),
    ])
    func comparesTheKeyOfACertificate(_ certificate: String, _ match: CertificateKeyMatch) throws {
        #expect(try Samples.key().matches(certificate: Base64.decode(Array(certificate.utf8))) == match)
    }

    @Test func rejectsCertificatesThatAreCutOffOrFollowedByBytes() throws {
        let certificate = try Base64.decode(Array(Samples.certificate.utf8))
        let key = try Samples.key()
        for count in certificate.indices {
            #expect(key.matches(certificate: Array(certificate[..<count])) == .unreadable)
        }
        #expect(key.matches(certificate: certificate + [0]) == .unreadable)
    }
}
