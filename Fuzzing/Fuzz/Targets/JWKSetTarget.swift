import Cryptography

/// Key sets, and each key in them.
enum JWKSetTarget: FuzzTarget {
    static let name = "jwks"

    static func run(_ bytes: [UInt8]) {
        let set: JWKSet
        do throws(JWKSetError) {
            set = try JWKSet(bytes)
        } catch {
            return require(!"\(error)".isEmpty, "an error has a description")
        }
        require(set.allUsable.count <= set.keys.count, "usable keys are keys of the set")
        for key in set.keys.prefix(64) {
            check(key)
            guard let keyID = key.keyID else { continue }
            switch set.resolve(keyID) {
            case .absent: require(false, "a key of the set is found")
            case .unusable(let error): require(!"\(error)".isEmpty, "an error has a description")
            case .found(let found, _):
                require((1...JWKSet.maximumCandidates).contains(found.count), "there are one to a few candidates")
                require(Set(found).count == found.count, "candidates are all different")
            }
        }
        let merged = JWKSet(merging: [set, set])
        require(merged.keys.count == set.keys.count * 2, "a union has the keys of both")
    }

    /// Anchors of the test vectors.
    private static let anchors: CertificateAnchors = {
        guard let anchors = try? CertificateAnchors(pem: FixedPolicy.vector("certificates/certificates-anchored.pem"))
        else { fatalError("the vectors have anchors") }
        return anchors
    }()

    private static func validate(_ key: JWK) {
        let certificates = (try? key.certificateChain().map(\.der)) ?? []
        require(key.certificateDates.count <= 2 * certificates.count, "a certificate has two dates")
        if let publicKey = try? key.publicKey(), let leaf = certificates.first {
            let isOfKey = publicKey.matches(certificate: leaf) == .same
            let hasOtherKey = key.certificateProblems(for: issuer, at: moment).contains { $0.reason == .otherKey }
            require(!isOfKey || !hasOtherKey, "a certificate is of the key, or not")
        }
        do throws(CertificateError) {
            let path = try anchors.validate(key, for: issuer, at: moment)
            require(key.certificateProblems(for: issuer, at: moment).isEmpty, "a path has a leaf without problems")
            require(path.count > 0 && path.leafNotAfter >= moment, "a path has a leaf that is valid")
        } catch {
            require(!"\(error)".isEmpty, "an error has a description")
        }
    }

    private static let issuer = "https://issuer-a.example/cards"
    private static let moment: Int64 = 1_780_272_000

    private static func check(_ key: JWK) {
        validate(key)
        let problems = key.certificateProblems(for: issuer, at: moment)
        require(problems.allSatisfy { !"\($0)".isEmpty }, "an error has a description")
        do throws(JWKError) {
            let publicKey = try key.publicKey()
            require(!key.hasPrivatePart, "a private key is refused")
            let again = try? P256PublicKey(x: publicKey.x, y: publicKey.y)
            let isSame = again == publicKey && again?.thumbprint == publicKey.thumbprint
            require(isSame, "the point of a key makes the same key")
        } catch {
            require(!"\(error)".isEmpty, "an error has a description")
        }
    }
}
