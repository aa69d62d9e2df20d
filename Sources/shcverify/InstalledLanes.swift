import Cryptography
import Processes
import SMARTHealthCards

/// Intel's crypto_mb, if this machine has it: it verifies eight signatures at once.
enum InstalledLanes {
    /// The name of the library, with the version of the interface that is known here. Debian's package is libcrypto-mb11.
    static let name = "libcrypto_mb.so.11"

    /// What speeds up signatures in a run; nil if OpenSSL is to verify each of them in its usual way.
    ///
    /// - Parameters:
    ///   - isWanted: whether anything is to be used beside OpenSSL's usual verification.
    ///   - trace: says what is used.
    static func precomputation(isWanted: Bool, _ trace: Trace) -> Precomputation? {
        guard isWanted else {
            trace.noteSignatures("OpenSSL alone, because of --no-precompute")
            return nil
        }
        let (lanes, words) = load()
        trace.noteSignatures("crypto_mb \(words)")
        return Precomputation(lanes: lanes)
    }

    /// Loads the library.
    ///
    /// - Returns: the library, or nil if it is not used; and its version and path, or why it is not used.
    static func load() -> (lanes: SignatureLanes?, words: String) {
        if let problem = SignatureLanes.problemOfMachine { return (nil, "is not used: \(words(for: problem))") }
        do throws(SystemLibrary.Problem) {
            let path = try SystemLibrary.path(of: name, in: testFolders)
            do throws(SignatureLanes.Problem) {
                let lanes = try SignatureLanes(path: path) { warn(of: path, confirmed: $0) }
                return (lanes, "\(lanes.version), \(path)")
            } catch {
                return (nil, "is not used: \(path): \(words(for: error))")
            }
        } catch .unsafe(let path, let objection) {
            return (nil, "is not used: \(path): \(objection)")
        } catch .cut(let path) {
            return (nil, "is not used: \(path): the end of the file is missing")
        } catch {
            return (nil, "is not used: \(name) is not installed (Debian: libcrypto-mb11)")
        }
    }

    /// Says that the library was found to be wrong.
    private static func warn(of path: String, confirmed count: Int) {
        let earlier =
            count == 0
            ? ""
            : " It had confirmed \(count) before: judge all cards of this run again, from the first one, with --no-precompute."
        StandardStreams.warn(
            "shcverify: crypto_mb (\(path)) and OpenSSL disagree on a signature. It is not used any more in this run.\(earlier)"
        )
    }

    private static func words(for problem: SignatureLanes.Problem) -> String {
        switch problem {
        case .noInstructions: "this processor lacks the instructions for it"
        case .noRegisters: "this system does not keep the registers for it"
        case .notLoaded(let words): words.isEmpty ? "it cannot be loaded" : "it cannot be loaded: \(words)"
        case .otherInterface: "it lacks a function"
        case .notApplicable: "it says that it cannot be used on this processor"
        case .wrongAnswers: "its answers about an example are wrong"
        }
    }

    /// The only folder in which the library is looked for; nil for those of the system. A build for debugging takes it from the
    /// environment, so that tests can use an unpacked package, or a library that gives wrong answers.
    private static var testFolders: [String]? {
        #if DEBUG
            return EnvironmentVariable.value(of: "SHCVERIFY_TEST_LANES").map { [$0] }
        #else
            return nil
        #endif
    }
}
