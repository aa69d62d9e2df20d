import Cryptography
package import Foundation
import Synchronization

/// Intel's crypto_mb, for tests: the installed one, or that of the unpacked package libcrypto-mb11 in whose folder
/// SHCVERIFY_TEST_LANES leads. Debian 13's package also works with the libcrypto of Debian 12:
///
///     dpkg -x libcrypto-mb11_*.deb FOLDER
///     SHCVERIFY_TEST_LANES=FOLDER/usr/lib/x86_64-linux-gnu make test
package enum LaneLibrary {
    package static let name = "libcrypto_mb.so.11"

    /// The path of the library; nil if it is not there, or if the processor cannot run it.
    package static let path: String? = {
        let given = ProcessInfo.processInfo.environment["SHCVERIFY_TEST_LANES"]
        let path = "\(given ?? "/usr/lib/x86_64-linux-gnu")/\(name)"
        return SignatureLanes.problemOfMachine == nil && FileManager.default.fileExists(atPath: path) ? path : nil
    }()

    /// The reason for which tests of the library are skipped.
    package static let absence =
        SignatureLanes.problemOfMachine == nil
        ? "libcrypto-mb11 is not installed, and SHCVERIFY_TEST_LANES names no folder that has it"
        : "this processor cannot run crypto_mb"

    /// How a library that only looks like crypto_mb answers.
    package enum Lie: Int, CaseIterable, Sendable {
        case nothing, acceptsAll, refusesAll, swapsLanes, isRandom, acceptsAllIfOneIsGood, acceptsEveryTenthCall
    }

    /// The folders of compiled libraries. They stay: a file that gets the number of a deleted one would count as the same library.
    private static let compiled = Mutex<[String: TemporaryDirectory]>([:])
    private static let copies = Mutex<[TemporaryDirectory]>([])

    /// Whether there is a C compiler, and OpenSSL's headers.
    package static let hasCompiler = (try? double(.nothing)).flatMap { $0 } != nil

    /// Makes a library that looks like crypto_mb, needs no AVX-512, and gives wrong answers. Each one counts its calls for itself.
    ///
    /// - Parameters:
    ///   - lie: the kind of wrong answers.
    ///   - honestCalls: how many calls come before the first wrong answer. The first two are those about the example.
    /// - Returns: the folder with the library; nil if there is no C compiler, or if it has no headers of OpenSSL.
    package static func double(_ lie: Lie, after honestCalls: Int = 2) throws -> URL? {
        let known = try compiled.withLock { compiled in
            let name = "\(lie) \(honestCalls)"
            if compiled[name] == nil { compiled[name] = try compile(lie, after: honestCalls) }
            return compiled[name]
        }
        guard let known else { return nil }
        let copy = try TemporaryDirectory()
        copies.withLock { $0.append(copy) }
        try FileManager.default.copyItem(
            at: known.url.appendingPathComponent(name), to: copy.url.appendingPathComponent(name))
        return copy.url
    }

    private static func compile(_ lie: Lie, after honestCalls: Int) throws -> TemporaryDirectory? {
        let folder = try TemporaryDirectory()
        let source = try folder.write(Self.source, to: "double.c")
        for compiler in ["cc", "clang", "gcc"] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [
                compiler, "-shared", "-fPIC", "-O1", "-w", "-DLIE=\(lie.rawValue)", "-DHONEST=\(honestCalls)", "-o",
                folder.url.appendingPathComponent(name).path, source, "-lcrypto",
            ]
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { continue }
            process.waitUntilExit()
            if process.terminationStatus == 0 { return folder }
        }
        return nil
    }

    /// What is honest in it is libcrypto's. It remembers answers, so that a test can ask the same hundred thousand times.
    private static let source = """
        #include <openssl/bn.h>
        #include <openssl/ec.h>
        #include <openssl/ecdsa.h>
        #include <openssl/obj_mac.h>
        #include <stdint.h>
        #include <stdlib.h>
        #include <string.h>

        static struct { int major, minor, revision; const char *name, *date, *text; } version = {0, 0, LIE, "", "", ""};
        void *mbx_getversion(void) { return &version; }
        int mbx_is_crypto_mb_applicable(unsigned long long features) { return 1; }

        static int is_good(const uint8_t *r, const uint8_t *s, const uint8_t *digest, const uint64_t *x, const uint64_t *y) {
            static struct { uint8_t of[160]; int answer; } known[4096];
            uint8_t all[160];
            memcpy(all, r, 32), memcpy(all + 32, s, 32), memcpy(all + 64, digest, 32), memcpy(all + 96, x, 32);
            memcpy(all + 128, y, 32);
            unsigned place = (digest[5] << 8 | digest[9] ^ r[3] ^ s[7]) % 4096;
            if (memcmp(known[place].of, all, 160) == 0) return known[place].answer;
            EC_KEY *key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
            EC_KEY_set_public_key_affine_coordinates(
                key, BN_lebin2bn((uint8_t *)x, 32, NULL), BN_lebin2bn((uint8_t *)y, 32, NULL));
            ECDSA_SIG *signature = ECDSA_SIG_new();
            ECDSA_SIG_set0(signature, BN_bin2bn(r, 32, NULL), BN_bin2bn(s, 32, NULL));
            int answer = ECDSA_do_verify(digest, 32, signature, key) == 1;
            ECDSA_SIG_free(signature);
            EC_KEY_free(key);
            memcpy(known[place].of, all, 160);
            return known[place].answer = answer;
        }

        uint32_t mbx_nistp256_ecdsa_verify_mb8(
            const uint8_t *const r[8], const uint8_t *const s[8], const uint8_t *const digest[8], const uint64_t *const x[8],
            const uint64_t *const y[8], const uint64_t *const z[8], uint8_t *scratch) {
            static int calls;
            uint32_t status = 0;
            calls++;
            for (int lane = 0; lane < 8; lane++)
                if (!is_good(r[lane], s[lane], digest[lane], x[lane], y[lane])) status |= 8u << 4 * lane;
            if (calls <= HONEST) return status;
            switch (LIE) {
            case 1: return 0;
            case 2: return 0x88888888;
            case 3: return status >> 4 | status << 28;
            case 4: return (uint32_t)rand() << 1 & 0x88888888;
            case 5: return status == 0x88888888 ? status : 0;
            case 6: return calls % 10 == 0 ? 0 : status;
            default: return status;
            }
        }
        """
}
