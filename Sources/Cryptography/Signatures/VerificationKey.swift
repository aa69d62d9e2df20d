package import Encodings

// All that depends on the algorithm of a signature is here and in a folder for the key of each algorithm. A further algorithm is a
// case of the first two types and a file with its key. The compiler names the places where it must be said what holds for it.

/// The algorithms of signatures that are supported. Each is used only with a key of its kind.
package enum SignatureAlgorithm: String, Sendable, CaseIterable {
    /// ECDSA on P-256 with SHA-256 (RFC 7518 §3.4, RFC 9053 §2.1).
    case es256 = "ES256"
    /// RSASSA-PSS with SHA-256 and a salt of 32 bytes (RFC 7518 §3.5, RFC 8230 §2).
    case ps256 = "PS256"

    /// All algorithms. Other than `allCases`, this allocates nothing.
    package static let supported = allCases

    /// The registered name.
    package var name: String { rawValue }

    private var registered: (coseNumber: Int64, keyType: String, curve: String?) {
        switch self {
        case .es256: (-7, "EC", "P-256")
        case .ps256: (-37, "RSA", nil)
        }
    }

    /// The number in COSE (RFC 9053 §2.1, RFC 8230 §2).
    package var coseNumber: Int64 { registered.coseNumber }

    /// The algorithm with a number in COSE; nil if it is not supported.
    package init?(coseNumber: Int64) {
        guard let algorithm = Self.supported.first(where: { $0.coseNumber == coseNumber }) else { return nil }
        self = algorithm
    }

    /// All algorithms with their numbers in COSE, in words: `ES256 (-7) or PS256 (-37)`.
    package static let choices = supported.map { "\($0.name) (\($0.coseNumber))" }.joined(separator: " or ")

    /// The type of its keys in a JSON Web Key (`kty`, RFC 7518 §6.1).
    package var keyType: String { registered.keyType }

    /// Its keys in words.
    package var keyWords: String { "an \(keyType) key" }

    /// The curve of its keys in a JSON Web Key (`crv`); nil if they have none.
    package var curve: String? { registered.curve }

    /// The curves of all algorithms, in words: `P-256`.
    static let curves = supported.compactMap(\.curve).joined(separator: " or ")

    /// The part of a signature that nobody can change without the key. For ECDSA it is r: anybody can turn (r, s) into (r, n − s),
    /// which also verifies.
    package func fixedPart(of signature: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        switch self {
        case .es256: signature.prefix(ES256Signature.numberLength)
        case .ps256: signature
        }
    }
}

/// A key that verifies the signatures of one algorithm, and of no other.
package enum VerificationKey: Sendable, Hashable {
    case es256(P256PublicKey)
    case ps256(PS256PublicKey)

    /// The algorithm of the key.
    package var algorithm: SignatureAlgorithm {
        switch self {
        case .es256: .es256
        case .ps256: .ps256
        }
    }

    /// What identifies the key, also if only its private half is known: the first coordinate of the point, or the modulus.
    package var number: KeyNumber {
        switch self {
        case .es256(let key): KeyNumber(.es256, key.x)
        case .ps256(let key): KeyNumber(.ps256, key.modulus)
        }
    }

    /// The numbers of the key by the members of a JSON Web Key that state them (RFC 7518 §6), big-endian.
    package var members: [(name: String, number: [UInt8])] {
        switch self {
        case .es256(let key): [("x", key.x), ("y", key.y)]
        case .ps256(let key): [("n", key.modulus)]
        }
    }

    /// Whether this key made the signature over the message. A signature of another algorithm is never made by it.
    ///
    /// - Parameters:
    ///   - signature: the signature.
    ///   - message: the bytes that were signed.
    ///   - context: OpenSSL's state that is kept; nil to use none.
    ///   - claim: a claim that was answered in advance. It counts only if it is about this signature, this message and this key.
    /// - Returns: true only if OpenSSL verified the signature, or if the claim is confirmed. False for all failures.
    package func isValid(
        _ signature: MessageSignature, for message: ArraySlice<UInt8>, in context: VerificationContext? = nil,
        claim: SignatureClaim? = nil
    ) -> Bool {
        switch (self, signature) {
        case (.es256(let key), .es256(let signature)):
            return key.isValid(signature, for: message, in: context, claim: claim)
        case (.ps256(let key), .ps256(let signature)):
            return key.isValid(signature, for: message, in: context)
        case (.es256, _), (.ps256, _): return false
        }
    }

    /// The claim that this key made the signature over the message; nil if nobody can answer such claims in advance.
    package func claim(_ signature: MessageSignature, over message: ArraySlice<UInt8>) -> SignatureClaim? {
        switch (self, signature) {
        case (.es256(let key), .es256(let signature)):
            SignatureClaim(signature: signature, key: key, message: message)
        case (.es256, _), (.ps256, _): nil
        }
    }
}

/// The signature of a message, in the form of its algorithm.
package enum MessageSignature: Sendable {
    case es256(ES256Signature)
    /// As many bytes as the modulus of the key.
    case ps256(ArraySlice<UInt8>)

    /// Reads the signature of a message that names its algorithm.
    ///
    /// - Throws: `Malformed` if the bytes cannot be a signature of the algorithm, whatever the key is.
    package init(_ bytes: ArraySlice<UInt8>, by algorithm: SignatureAlgorithm) throws(Malformed) {
        switch algorithm {
        case .es256:
            let signature = Result { () throws(ES256SignatureError) in try ES256Signature(Array(bytes)) }
            self = .es256(try signature.mapError { Malformed($0.description) }.get())
        case .ps256: self = .ps256(bytes)
        }
    }
}

/// What identifies a key among those of its algorithm.
package struct KeyNumber: Sendable, Hashable {
    /// The algorithm of the key.
    package let algorithm: SignatureAlgorithm
    /// The number, big-endian. A coordinate has 32 bytes, and a modulus no leading zeros.
    package let bytes: [UInt8]

    /// Names a key by its number.
    package init(_ algorithm: SignatureAlgorithm, _ bytes: [UInt8]) {
        self.algorithm = algorithm
        self.bytes = bytes
    }
}

extension Result<VerificationKey, Malformed> {
    /// Why the key cannot verify signatures of an algorithm, in words that follow "it is"; nil if it can.
    package func objection(to algorithm: SignatureAlgorithm) -> String? {
        switch self {
        case .success(let key):
            key.algorithm == algorithm ? nil : "\(key.algorithm.keyWords), which cannot verify \(algorithm.name)"
        case .failure(let error): error.description
        }
    }
}

// MARK: What files say of keys

/// The numbers of a public key as a file states them. They are not checked.
enum PublicKeyNumbers {
    /// A point, of which only the form is known. One that was compressed is on P-256.
    case es256(P256Point)
    /// An RSA key that may be used for PS256. Both numbers are big-endian and without leading zeros.
    case ps256(modulus: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>)
    /// Another key, in plain words with an article, such as "an EC key on P-384, and only P-256 is supported".
    case other(String)

    /// Reads the content of a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
    init(subjectPublicKeyInfo content: ArraySlice<UInt8>) {
        guard let info = SubjectPublicKeyInfo(content) else {
            self = .unreadable
            return
        }
        let numbers = SignatureAlgorithm.supported.lazy.compactMap { algorithm in
            switch algorithm {
            case .es256: P256Point.numbers(in: info)
            case .ps256: PS256PublicKey.numbers(in: info)
            }
        }
        // What is no key for one algorithm may be one for another.
        self = numbers.first(where: \.areOfAKey) ?? numbers.first ?? info.unsupported
    }

    /// Whether these are the numbers of a key of some algorithm.
    private var areOfAKey: Bool { if case .other = self { false } else { true } }

    static let unreadable = PublicKeyNumbers.other("a key that cannot be read")

    /// The key in words, with an article.
    var words: String {
        switch self {
        case .es256: SignatureAlgorithm.es256.keyWords
        case .ps256: SignatureAlgorithm.ps256.keyWords
        case .other(let words): words
        }
    }

    /// The key. It is imported each time, which takes 10 to 150 µs.
    var key: Result<VerificationKey, Malformed> {
        switch self {
        case .es256(let point):
            guard let key = try? P256PublicKey(point) else {
                return .failure(Malformed("an EC key whose point is not on P-256"))
            }
            return .success(.es256(key))
        case .ps256(let modulus, let exponent): return PS256PublicKey.key(modulus: modulus, exponent: exponent)
        case .other(let words): return .failure(Malformed(words))
        }
    }
}

extension SignatureAlgorithm {
    /// Makes the key that a JSON Web Key states (RFC 7518 §6).
    ///
    /// - Parameter number: the number in a member such as `x`, big-endian, with leading zeros or without; nil if there is none.
    package func key(_ number: (String) -> [UInt8]?) -> Result<VerificationKey, Malformed> {
        switch self {
        case .es256: P256PublicKey.key(x: number("x"), y: number("y"))
        case .ps256: PS256PublicKey.key(modulus: number("n"), exponent: number("e"))
        }
    }

    /// Whether the `alg` of a JSON Web Key names the algorithm. Some lists of signers write the type of the key there.
    package func isNamed(_ name: (String) -> Bool) -> Bool {
        switch self {
        case .es256: name("ES256") || name("EC")
        case .ps256: name("PS256")
        }
    }

    /// The number of the public half of a private key; nil if that is no key of this algorithm.
    ///
    /// Unsafe: takes a pointer to a key.
    @unsafe
    func publicHalf(ofPrivateKey key: OpaquePointer) -> KeyNumber? {
        let number =
            switch self {
            case .es256: unsafe P256Point.firstCoordinate(ofPrivateKey: key)
            case .ps256: unsafe PS256PublicKey.modulus(ofPrivateKey: key)
            }
        return number.map { KeyNumber(self, $0) }
    }
}
