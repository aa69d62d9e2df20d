import Foundation
import TestSupport
import Testing

/// What messages say about inputs and files that are something else than was meant. Each names the thing that is there.
@Suite(.timeLimit(.minutes(5))) struct StatementTests {
    private let folder: TemporaryDirectory
    private static let issuer = "https://issuer-a.example/cards"
    private static let card = Paths.vector("cards/valid/birth-year.jws")

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func verify(_ options: [String], _ input: String = card) async throws -> Shcverify.Result {
        try await Shcverify.run([input, "--offline", "--at", "2026-06-01T00:00:00Z"] + options)
    }

    /// A key as WebCrypto exports it. No card can name it, and the card names no wrong key.
    @Test func keyWithoutIDIsNamed() async throws {
        let text = String(decoding: try Paths.bytes(Paths.vector("keys/issuer-a.jwks.json")), as: UTF8.self)
        let keys = try folder.write(
            text.replacing(/"kid"\s*:\s*"[^"]*"\s*,?/, with: "").replacing(/,\s*\}/, with: "}"), to: "keys.json")
        for options in [["--jwks", keys], ["--jwks", "\(Self.issuer)=\(keys)"]] {
            let result = try await verify(options)
            #expect(result.exitCode == 12 && result.stderr.contains("key-not-found"), "\(result.stderr)")
            #expect(result.stderr.contains(#"has no "kid" (key ID)"#), "\(result.stderr)")
            #expect(!result.stderr.contains("names the wrong key"))
        }
        let linted = try await Shcverify.run(["lint", Self.card, "--offline", "--jwks", "\(Self.issuer)=\(keys)"])
        #expect(linted.stdout.contains(#"under a key of the issuer that has no "kid" (key ID)"#), "\(linted.stdout)")
    }

    @Test func documentOfADIDIsNotWHOsList() async throws {
        let document =
            #"{"id":"did:web:issuer-a.example","verificationMethod":[{"id":"key","publicKeyJwk":{"kty":"EC"}}]}"#
        let file = try folder.write(document, to: "did.json")
        for options in [["--jwks", "\(Self.issuer)=\(file)"], ["--jwks", file], ["--crl", file]] {
            let result = try await verify(options)
            #expect(result.exitCode == 64 && result.stderr.contains("it is a DID document"), "\(result.stderr)")
            #expect(!result.stderr.contains("WHO's trust list"))
        }
    }

    @Test(arguments: ["PUBLIC KEY", "PRIVATE KEY"])
    func keyInPEMIsNoCertificate(_ kind: String) async throws {
        let block = "-----BEGIN \(kind)-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END \(kind)-----\n"
        let file = try folder.write(block, to: "key.pem")
        let words = "a \(kind.lowercased()) in PEM"
        for options in [
            ["--jwks", "\(Self.issuer)=\(file)"], ["--jwks", file], ["--directory", file], ["--anchor", file],
        ] {
            let result = try await verify(options)
            #expect(result.exitCode == 64 && result.stderr.contains(words), "\(options) \(result.stderr)")
            #expect(!result.stderr.contains("it is certificates"))
        }
    }

    /// Every command that reads the text says the same.
    @Test(
        arguments: [
            (
                "HC1%3ANCF%2070B90T9WTWGSLKC",
                "percent-encoding, as it stands in the URL of a page (it begins with HC1%3A)"
            ),
            ("LT1:NCF70B90T9WTWGSLKC", "a light certificate of Switzerland"),
            ("d2844da20126044853080000" + String(repeating: "0", count: 100), "in hexadecimal"),
            (#"{"header":{"alg":"ES256"},"payload":{"iss":"https://issuer-a.example/cards","vc":{}}}"#, "was decoded"),
            (#"{"1":{"ver":"1.3.0","nam":{"fnt":"X"},"dob":"1990","v":[{}]}}"#, "was decoded"),
            ("shlink:eyJ1cmwiOiJodHRwczovL3guZXhhbXBsZSJ9", "lacks the slash after shlink:"),
        ])
    func everyCommandNamesWhatIsThere(_ text: String, _ words: String) async throws {
        let file = try folder.write(text, to: "input.txt")
        for command in [["verify", "--offline"], ["inspect"], ["lint", "--offline"], ["batch", "--offline"]] {
            // A link is not opened in a batch.
            guard command[0] != "batch" || !text.hasPrefix("shlink") else { continue }
            let result = try await Shcverify.run(command + [file])
            #expect(result.exitCode == 10, "\(command) \(result.stderr)")
            #expect((result.stdout + result.stderr).contains(words), "\(command) \(result.stdout) \(result.stderr)")
            #expect(!result.stderr.contains("what follows shlink:/"))
        }
    }
}
