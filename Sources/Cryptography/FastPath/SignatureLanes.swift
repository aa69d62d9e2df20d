internal import CLanes
internal import Synchronization

/// Intel's crypto_mb, which verifies eight ES256 signatures with one call, on processors with AVX-512 IFMA. The threads of one run
/// share it.
///
/// It is loaded while the program runs, and nothing depends on it. What it says is believed only in one direction: a signature that
/// it confirms is confirmed, unless one of the samples (`LaneConfirmer`) has shown it to be wrong. After that it is not asked again.
@safe
package final class SignatureLanes: @unchecked Sendable {
    // Sendable: the library is never changed after `init`, and never unloaded. It keeps nothing from one call to the next.
    //
    // Safe: not null, and valid as long as the process runs.
    fileprivate let library: OpaquePointer

    /// The version of the library, such as "1.0.14".
    package let version: String
    /// Where the library was loaded from.
    package let path: String

    private let isTrusted = Atomic(true)
    private let count = Atomic(0)
    private let end: @Sendable (Int) -> Void

    /// Why crypto_mb is not used.
    package enum Problem: Error, Equatable, Sendable {
        /// The processor does not have the instructions.
        case noInstructions
        /// The system does not keep the registers that the instructions need.
        case noRegisters
        /// The library cannot be loaded, in the words of the system.
        case notLoaded(String)
        /// It is another library, or a version of it that is not known here.
        case otherInterface
        /// The library says that it cannot be used on this processor.
        case notApplicable
        /// The library gives wrong answers about an example.
        case wrongAnswers
    }

    /// Why this machine cannot run crypto_mb, whether it is installed or not; nil if it can.
    package static var problemOfMachine: Problem? {
        let outcome = lanes_processor()
        return outcome == LANES_READY ? nil : problem(outcome, "")
    }

    /// Loads the library, and tries it with an example.
    ///
    /// - Parameters:
    ///   - path: the absolute path of the file. Anybody who may write to it decides what this program does, so the caller makes sure who
    ///     that is.
    ///   - runsAnywhere: whether the library needs no AVX-512. Only that of a test does not need it.
    ///   - end: is called at most once: when a sample shows that the library is wrong. It is given how many signatures the library has
    ///     confirmed in this run.
    package init(path: String, runsAnywhere: Bool = false, end: @escaping @Sendable (Int) -> Void) throws(Problem) {
        var outcome: Int32 = 0
        var words = [CChar](repeating: 0, count: 512)
        // Unsafe: the path and the array live for the call, which writes at most as many bytes as the array has.
        guard let library = unsafe lanes_open(path, runsAnywhere, &outcome, &words, words.count) else {
            let text = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw Self.problem(outcome, String(decoding: text, as: UTF8.self))
        }
        var version: [Int32] = [0, 0, 0]
        // Unsafe: the call writes three numbers.
        unsafe lanes_version(library, &version)
        unsafe self.library = library
        self.version = version.map(String.init).joined(separator: ".")
        self.path = path
        self.end = end
        guard knowsExample else { throw .wrongAnswers }
    }

    private static func problem(_ outcome: Int32, _ words: String) -> Problem {
        switch outcome {
        case LANES_NO_INSTRUCTIONS: .noInstructions
        case LANES_NO_REGISTERS: .noRegisters
        case LANES_OTHER_INTERFACE: .otherInterface
        case LANES_NOT_APPLICABLE: .notApplicable
        default: .notLoaded(words)
        }
    }

    /// Whether the library is right about an example in some of the lanes, with another digest in the others.
    private var knowsExample: Bool {
        guard let group = LaneGroup(self), let example = SignatureClaim.example else { return false }
        let digest = SHA256.digest(example.message)
        let patterns = [true, false, true, true, false, false, false, true]
        return [patterns, patterns.map(!)].allSatisfy { pattern in
            let claims = pattern.enumerated().map { lane, isGood in
                var digest = digest
                if !isGood { digest[4 * lane] ^= 1 }
                return LaneClaim(signature: example.signature, key: example.key, digest: digest)
            }
            return group.confirmed(claims) == pattern
        }
    }

    // MARK: Trust

    /// Whether the library may confirm signatures: no sample has shown it to be wrong.
    package var isInUse: Bool { isTrusted.load(ordering: .sequentiallyConsistent) }

    /// Whether signatures that the library has confirmed may be false: a sample has shown it to be wrong, and it had confirmed some before.
    ///
    /// - Parameter isContinued: whether there was an earlier run, of which nobody knows whether the library has confirmed signatures.
    package func isInDoubt(isContinued: Bool) -> Bool {
        !isInUse && (isContinued || count.load(ordering: .sequentiallyConsistent) > 0)
    }

    /// Counts signatures that the library has confirmed. What was counted and not believed is counted again as negative.
    func add(_ confirmed: Int) { count.add(confirmed, ordering: .sequentiallyConsistent) }

    /// Ends the use of the library in this run.
    func endUse() {
        guard isTrusted.exchange(false, ordering: .sequentiallyConsistent) else { return }
        end(count.load(ordering: .sequentiallyConsistent))
    }
}

/// A claim in the form that lanes take. That the numbers of the signature are in range, and that the point of the key is on the curve,
/// was checked when these values were made.
struct LaneClaim {
    let signature: ES256Signature
    let key: P256PublicKey
    /// SHA-256 of the message.
    let digest: [UInt8]
}

/// Verifies up to eight signatures with one call of the library. It belongs to one thread.
@safe
final class LaneGroup {
    /// The most signatures.
    static let size = Int(LANES_COUNT)

    // Safe: not null, belongs to this object alone, and passed to C only while the object lives.
    private let group: OpaquePointer
    private let lanes: SignatureLanes
    /// Fills lanes for which there is no signature. The digest is not that of the message, so it must never be confirmed.
    private let filler: LaneClaim

    /// Nil if there is no memory.
    init?(_ lanes: SignatureLanes) {
        guard let example = SignatureClaim.example, let group = unsafe lanes_group_new() else { return nil }
        var digest = SHA256.digest(example.message)
        digest[0] ^= 1
        filler = LaneClaim(signature: example.signature, key: example.key, digest: digest)
        unsafe self.group = group
        self.lanes = lanes
    }

    deinit {
        // Unsafe: the only free.
        unsafe lanes_group_free(group)
    }

    /// Asks the library.
    ///
    /// - Parameter claims: at most eight.
    /// - Returns: whether each is confirmed; nil if the library confirms what fills an empty lane, which shows it to be wrong.
    func confirmed(_ claims: [LaneClaim]) -> [Bool]? {
        for lane in 0..<Self.size {
            let claim = lane < claims.count ? claims[lane] : filler
            // With other lengths, no lane is filled, so nothing is confirmed.
            guard claim.digest.count == SHA256.digestLength, claim.key.x.count == 32, claim.key.y.count == 32 else {
                return claims.map { _ in false }
            }
            // Unsafe: the arrays have 64, 32, 32 and 32 bytes, and live for the call, which copies them.
            unsafe lanes_group_put(
                group, UInt32(lane), claim.signature.bytes, claim.digest, claim.key.x, claim.key.y)
        }
        // Unsafe: both are live objects of C.
        let answers = unsafe lanes_group_verify(group, lanes.library)
        // One bit for each lane.
        guard claims.count <= Self.size, answers >> claims.count == 0 else { return nil }
        return claims.indices.map { answers & 1 << $0 != 0 }
    }
}
