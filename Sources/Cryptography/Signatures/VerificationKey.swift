import CLibraries
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

/// EVP's state for verifying signatures with one key. It is set up once and reused.
///
/// Setting it up takes about 2 µs. `EVP_DigestVerifyInit`, which sets it up for each message, takes about 7 µs, a tenth
/// of the verification itself. OpenSSL also keeps what it derives from the modulus of an RSA key with the key.
@safe
final class KeyVerification {
    // Safe: not null, belongs to this object alone, and passed to OpenSSL only while the object lives. It holds a
    // reference to OpenSSL's key.
    private let context: OpaquePointer
    /// Kept alive, so that no other key can have the same identity.
    private let key: AnyObject

    /// Prepares to verify ES256 signatures with the key. Nil if OpenSSL fails.
    convenience init?(by key: P256PublicKey) {
        // Unsafe: a null pointer or a new context, to which OpenSSL adds a reference to the key. Hash functions of OpenSSL are constants
        // that are never freed. Since the hash function is set, OpenSSL accepts no digest of another length.
        unsafe self.init(owning: key.withKey { unsafe EVP_PKEY_CTX_new_from_pkey(nil, $0, nil) }, of: key) { context in
            unsafe EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1
        }
    }

    /// Prepares to verify PS256 signatures with the key (RFC 8230 §2). Nil if OpenSSL fails.
    ///
    /// A salt length that is a number is required exactly: OpenSSL would accept other lengths only with `RSA_PSS_SALTLEN_AUTO`.
    convenience init?(by key: PS256PublicKey) {
        // Unsafe: as for ES256.
        unsafe self.init(owning: key.withKey { unsafe EVP_PKEY_CTX_new_from_pkey(nil, $0, nil) }, of: key) { context in
            unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1
                && EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, Int32(SHA256.digestLength)) == 1
        }
    }

    /// - Parameters:
    ///   - context: a null pointer, if there is no memory, or a context that this object now owns.
    ///   - configure: sets up the context, which is ready to verify. It fails if this OpenSSL has no such algorithm. No test can provoke
    ///     either.
    ///
    /// Unsafe: takes an owned pointer.
    @unsafe
    private init?(owning context: OpaquePointer?, of key: AnyObject, _ configure: (OpaquePointer) -> Bool) {
        guard let context = unsafe context, unsafe EVP_PKEY_verify_init(context) == 1, unsafe configure(context) else {
            unsafe EVP_PKEY_CTX_free(context)
            ERR_clear_error()
            return nil
        }
        unsafe self.context = context
        self.key = key
    }

    deinit {
        // Unsafe: the only free, of the context that `init` was given.
        unsafe EVP_PKEY_CTX_free(context)
    }

    /// Whether the key made the signature over the message with this digest.
    ///
    /// - Parameters:
    ///   - signature: an ES256 signature in DER, the only form that EVP takes, or the bytes of a PS256 signature.
    ///   - digest: the SHA-256 of the message.
    func isValid(_ signature: ArraySlice<UInt8>, digest: [UInt8]) -> Bool {
        // Unsafe: the arrays live for the call that reads them.
        let status = unsafe signature.withUnsafeBufferPointer { signature in
            unsafe EVP_PKEY_verify(context, signature.baseAddress, signature.count, digest, digest.count)
        }
        // Only 1 means that the signature verifies. 0 means that it does not, and a negative number is a failure.
        if status != 1 { ERR_clear_error() }
        return status == 1
    }
}

/// Confirms signatures, many at a time, faster than OpenSSL's usual verification (EVP). One thread uses it at a time.
///
/// A verifier is given a confirmer, or none. It hands it what is claimed of the credentials that are verified together, and asks EVP
/// about each claim that is not confirmed. So a confirmer decides nothing alone, and this is what it must keep to:
///
/// - It confirms a claim only if EVP would say that exactly this key made exactly this signature over exactly this message.
/// - It cannot refuse a claim. If it is in doubt, has no memory or does not know the key, it leaves the claim out. Then EVP decides.
/// - It keeps nothing of a claim that could confirm another one. The answer to a claim counts only for a credential with this
///   signature, this key and this message, which `SignatureClaim` checks.
package protocol SignatureConfirmer: AnyObject {
    /// How many claims are best confirmed together.
    var bestCount: Int { get }

    /// Finds claims that are true.
    ///
    /// - Parameter claims: the claims; nil if nothing is claimed.
    /// - Returns: the places of claims that are true, each at most once. The others may be true or not.
    func confirmed(_ claims: [SignatureClaim?]) -> [Int]
}

extension SignatureConfirmer {
    /// Answers the claims that are confirmed. The others stay open.
    package func answer(_ claims: inout [SignatureClaim?]) {
        for place in confirmed(claims) { claims[place]?.answer = .confirmed }
    }
}

/// The claim that a key made a signature over a message, with the answer once it is known.
package struct SignatureClaim: Sendable {
    /// The signature.
    package let signature: ES256Signature
    /// The key that is claimed to have made the signature.
    package let key: P256PublicKey
    /// The bytes that are claimed to be signed.
    package let message: ArraySlice<UInt8>
    /// The answer. Only this module can set it.
    package internal(set) var answer = Answer.open

    /// The answer to a claim.
    package enum Answer: Sendable {
        /// Not known yet. The key itself must be asked.
        case open
        /// The claim is true.
        case confirmed
        /// EVP says that the claim is false, and EVP's answer is final.
        case refused
    }

    /// Makes a claim whose answer is still open.
    package init(signature: ES256Signature, key: P256PublicKey, message: ArraySlice<UInt8>) {
        self.signature = signature
        self.key = key
        self.message = message
    }

    /// The answer, if the claim is about this signature, this message and this key; else open.
    package func answer(
        about signature: ES256Signature, over message: ArraySlice<UInt8>, by key: P256PublicKey
    ) -> Answer {
        self.key === key && self.signature == signature && self.message == message ? answer : .open
    }
}
