import Foundation
import StrictJSON
import TestSupport
import Testing

/// Keys of lists: what speaks against one counts, wherever it stands, before any list is taken. And installed lists that are removed.
@Suite(.timeLimit(.minutes(5))) struct ListKeyTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private static let card = Paths.vector("hcert/cards/valid-vaccination.hc1")
    private static let list = Paths.vector("gdhcn/lists/good.json")
    private static let key = Paths.vector("gdhcn/keys/prod.did.json")
    private static let burnt = Paths.vector("gdhcn/keys/burnt.jwks.json")
    private static let time = ["--at", "2022-06-01T00:00:00Z"]

    private func run(_ arguments: [String], stdin: [UInt8] = []) async throws -> Shcverify.Result {
        try await Shcverify.run(
            arguments, stdin: stdin,
            environment: [
                "XDG_DATA_HOME": folder.url.path, "SHCVERIFY_SYSTEM_DIR": folder.url.path + "/system",
            ])
    }

    private func write(_ name: String, _ parts: [String]) throws -> String {
        let text = try parts.map { String(decoding: try Paths.bytes(Paths.vector($0)), as: UTF8.self) }.joined()
        return try folder.write(text, to: name)
    }

    /// Options that give the private half of the key of lists.
    private func burntOptions() throws -> [[String]] {
        let jwk = String(decoding: try Paths.bytes(Paths.vector("gdhcn/keys/private.jwk.json")), as: UTF8.self)
        let snapshot = try folder.write(
            #"{"time":"2026-05-01T00:00:00Z","issuerInfo":[{"issuer":{"iss":"https://issuer.example/cards"},"keys":[\#(jwk)]}]}"#,
            to: "snapshot.json")
        let did = try folder.write(
            #"{"id":"did:web:list.example","verificationMethod":[{"id":"did:web:list.example#a2V5","publicKeyJwk":\#(jwk)}]}"#,
            to: "did.json")
        return [
            ["--jwks", Self.burnt], ["--jwks", "https://issuer.example/cards=\(Self.burnt)"],
            ["--jwks", try write("signer.pem", ["hcert/trust/dsc-xb.pem", "gdhcn/keys/private.pem"])],
            ["--anchor", try write("anchor.pem", ["hcert/trust/csca-xa.pem", "gdhcn/keys/private.pem"])],
            ["--directory", snapshot], ["--directory", did],
        ]
    }

    @Test func aBurntKeyTakesNoList() async throws {
        let use = [Self.card, "--directory", Self.list, "--list-key", Self.key, "--offline"] + Self.time
        #expect(try await run(use).exitCode == 0)
        // Files without a proof are refused beside --list-key in any case.
        for options in try burntOptions() where options[0] != "--directory" {
            for arguments in [use + options, ["verify"] + options + use] {
                let refused = try await run(arguments)
                #expect(refused.exitCode == 64, "\(options): \(refused.stderr)")
                #expect(
                    refused.stderr.contains("--list-key \(Self.key)") && refused.stderr.contains("private half"),
                    "\(options): \(refused.stderr)")
                #expect(refused.stdout.isEmpty)
            }
        }
    }

    @Test(arguments: ["verify", "records", "lint"]) func everyCommandLooks(_ command: String) async throws {
        let use = [command, Self.card, "--directory", Self.list, "--list-key", Self.key, "--offline"] + Self.time
        #expect(try await run(use).exitCode == 0)
        let refused = try await run(use + ["--jwks", Self.burnt])
        #expect(refused.exitCode == 64 && refused.stderr.contains("--list-key"), "\(refused.stderr)")
    }

    @Test func batchLooksToo() async throws {
        let state = folder.url.path + "/state"
        let input = try folder.write(
            String(decoding: try Paths.bytes(Self.card), as: UTF8.self) + "\n", to: "cards.txt")
        let use = ["batch", input, "--directory", Self.list, "--list-key", Self.key, "--offline"] + Self.time
        #expect(try await run(use).exitCode == 0)
        for options in [[], ["--resume", state, "--output", folder.url.path + "/out"]] as [[String]] {
            let refused = try await run(use + ["--jwks", Self.burnt] + options)
            #expect(refused.exitCode == 64 && refused.stdout.isEmpty, "\(refused.stderr)")
        }
    }

    /// Another key still counts, and the burnt one is named.
    @Test func oneOfTwoKeysIsLeftOut() async throws {
        let other = Paths.vector("gdhcn/keys/other.did.json")
        let options = ["--list-key", Self.key, "--list-key", other, "--jwks", Self.burnt, "--offline"] + Self.time
        let rotated = try await run([Self.card, "--directory", Paths.vector("gdhcn/lists/rotated.json")] + options)
        #expect(rotated.exitCode == 0, "\(rotated.stderr)")
        #expect(rotated.stderr.contains("--list-key \(Self.key): left out"), "\(rotated.stderr)")
        #expect(try await run([Self.card, "--directory", Self.list] + options).exitCode == 64)
    }

    @Test func anInstalledKeyIsLookedAtToo() async throws {
        let install = ["directory", "update", "--from", Self.list, "--list-key", Self.key]
        #expect(try await run(install).exitCode == 0)
        let use = [Self.card, "--directory", "gdhcn", "--offline"] + Self.time
        #expect(try await run(use).exitCode == 0)
        for options in try burntOptions() {
            let refused = try await run(use + options)
            #expect(refused.exitCode == 64, "\(options): \(refused.stderr)")
            #expect(refused.stderr.contains("--directory gdhcn") && refused.stderr.contains("private half"))
        }
    }

    /// A list in which its own key's private half stands says that anybody could have made it.
    @Test func aListThatPublishesItsKeyIsRefusedEverywhere() async throws {
        let text = String(decoding: try Paths.bytes(Self.list), as: UTF8.self)
        let jwk = String(decoding: try Paths.bytes(Paths.vector("gdhcn/keys/private.jwk.json")), as: UTF8.self)
        let list = try folder.write(
            #"{"assertionMethod":[{"publicKeyJwk":\#(jwk)}],"# + text.drop { $0 != "{" }.dropFirst(), to: "list.json")
        for command in [
            ["directory", "verify", list], ["directory", "show", "--directory", list],
            ["directory", "update", "--from", list], [Self.card, "--directory", list, "--offline"],
        ] {
            let refused = try await run(command + ["--list-key", Self.key])
            #expect(refused.exitCode == 64, "\(command): \(refused.stderr)")
            #expect(
                refused.stderr.contains("--list-key \(Self.key)") && refused.stderr.contains("private half"),
                "\(command): \(refused.stderr)")
        }
        let pem = try write("german.pem", ["gdhcn/keys/two.pem", "gdhcn/keys/private.pem"])
        let german = Paths.vector("hcert/trust/german.json")
        #expect(try await run(["directory", "verify", german, "--list-key", pem]).exitCode == 64)
    }

    // MARK: Removal

    @Test func whatIsInstalledIsRemoved() async throws {
        let place = folder.url.appendingPathComponent("shcverify")
        let names = { ((try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []).sorted() }
        let install = ["directory", "update", "--from", Self.list, "--list-key", Self.key]
        // The previous installation stays until then.
        for _ in 0..<2 { #expect(try await run(install).exitCode == 0) }
        #expect(names().count > 2)
        let removed = try await run(["directory", "remove", "gdhcn"])
        #expect(removed.exitCode == 0 && removed.stderr.isEmpty, "\(removed.stderr)")
        #expect(
            removed.stdout.hasPrefix("removed: \(place.path)/gdhcn: 2 signers")
                && removed.stdout.contains("2026-05-20T12:00:01Z"), "\(removed.stdout)")
        #expect(names().allSatisfy { !$0.hasPrefix("gdhcn") }, "\(names())")
        #expect(try await run([Self.card, "--directory", "gdhcn", "--offline"]).exitCode == 66)
        #expect(try await run(["status"]).stdout.contains("missing"))
        let again = try await run(["directory", "remove", "gdhcn"])
        #expect(again.stdout.isEmpty && again.stderr.contains("nothing was removed"), "\(again.stderr)")
        // What is broken is removed all the same, and a list of another signer can be installed then.
        #expect(try await run(install).exitCode == 0)
        try FileManager.default.removeItem(at: place.appendingPathComponent("gdhcn/list-keys.json"))
        #expect(try await run(["directory", "remove", "GDHCN"]).stdout.contains("list-keys.json"))
        #expect(try await run(install).exitCode == 0)
    }

    @Test func eachPlaceIsRemovedByItself() async throws {
        let install = ["directory", "update", "--from", Self.list, "--list-key", Self.key]
        for options in [[], ["--system"]] { #expect(try await run(install + options).exitCode == 0) }
        #expect(try await run(["directory", "remove", "gdhcn"]).exitCode == 0)
        let rest = try await run(["directory", "remove", "gdhcn"])
        #expect(rest.stderr.contains("--system removes"), "\(rest.stderr)")
        #expect(try await run([Self.card, "--directory", "gdhcn", "--offline"] + Self.time).exitCode == 0)
        let system = try await run(["directory", "remove", "gdhcn", "--system"])
        #expect(system.stdout.contains("\(folder.url.path)/system/gdhcn"), "\(system.stdout)")
        #expect(try await run([Self.card, "--directory", "gdhcn", "--offline"] + Self.time).exitCode == 66)
        for name in ["codes", "x", ""] {
            #expect(try await run(["directory", "remove", name]).exitCode == 64, "\(name)")
        }
        #expect(try await run(["directory", "remove"]).exitCode == 64)
    }

    /// A list for practice that was left behind refuses the real one. The message says what is installed, and how to go on.
    @Test func theRefusalOfAListSaysWhichKeyIsInstalled() async throws {
        let practice = [
            "directory", "update", "--allow-test-lists", "--from", Paths.vector("gdhcn/lists/dev.json"), "--list-key",
            Paths.vector("gdhcn/keys/dev.did.json"),
        ]
        #expect(try await run(practice).exitCode == 0)
        let refused = try await run(["directory", "update", "--from", Self.list])
        #expect(refused.exitCode == 12)
        for words in [
            "the key ", "was installed with the list", "dev.who.int", " at 20", "shcverify directory remove gdhcn",
            "--list-key",
        ] { #expect(refused.stderr.contains(words), "\(words): \(refused.stderr)") }
        #expect(try await run(["directory", "remove", "gdhcn"]).exitCode == 0)
        #expect(try await run(["directory", "update", "--from", Self.list, "--list-key", Self.key]).exitCode == 0)
        let changed = try await run(["directory", "update", "--from", Paths.vector("gdhcn/lists/rotated.json")])
        #expect(changed.exitCode == 11, "\(changed.stderr)")
        for words in ["the key ", " at 20", "shcverify directory remove gdhcn\""] {
            #expect(changed.stderr.contains(words), "\(words): \(changed.stderr)")
        }
    }

    // MARK: Lists without a date

    @Test(arguments: ["gateway.json", "german.json", "signers.pem", "dsc-xa.der", "gdhcn-v2.did.json"])
    func aLimitOfAgeThatHasNoEffectIsSaid(_ name: String) async throws {
        let use = [Self.card, "--directory", Paths.vector("hcert/trust/\(name)"), "--offline"] + Self.time
        let limited = try await run(use + ["--max-directory-age", "1", "--format", "json"])
        #expect(limited.exitCode == 0 && limited.stdout.contains("directory-undated"), "\(limited.stdout)")
        #expect(limited.stderr.contains("directory-undated"), "\(limited.stderr)")
        let quiet = try await run(use + ["--max-directory-age", "1", "--quiet"])
        #expect(quiet.exitCode == 0 && quiet.stderr.contains("directory-undated"))
        let unlimited = try await run(use + ["--format", "json"])
        #expect(unlimited.stderr.isEmpty && !unlimited.stdout.contains("directory-undated"))
    }
}
