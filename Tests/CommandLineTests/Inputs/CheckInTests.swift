import Foundation
import StrictJSON
import TestSupport
import Testing

/// SMART Health Check-in: what a wallet answers gives no trust, and hides no card.
@Suite(.timeLimit(.minutes(5))) struct CheckInTests {
    /// A case: a check-in, and its verdict.
    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let arguments: [String]
        let expect: JSONValue

        var testDescription: String { id }

        static func all(in folder: URL) -> [Case] {
            guard let bytes = try? Paths.bytes(folder.appendingPathComponent("cases.json").path),
                let index = try? JSONDocument.parse(bytes)
            else { return [] }
            return (index.elements ?? index["cases"]?.elements)?.compactMap { Case($0, in: folder) } ?? []
        }

        private init?(_ entry: JSONValue, in folder: URL) {
            guard let id = entry["id"]?.words, let expect = entry["expect"] else { return nil }
            self.id = id
            self.expect = expect
            let files =
                entry["files"]?.elements?.compactMap(\.words).map { folder.appendingPathComponent($0).path } ?? []
            let options = (entry["args"]?.elements?.compactMap(\.words) ?? []).map { option in
                guard let brace = option.firstIndex(of: "{"), option.hasSuffix("}") else { return option }
                let path = option[option.index(after: brace)...].dropLast()
                return option[..<brace] + folder.appendingPathComponent(String(path)).standardized.path
            }
            arguments = files + options + (options.contains("--format") ? [] : ["--format", "json"])
        }

        func check() async throws {
            let result = try await Shcverify.run(arguments)
            let exits = expect["exit"]?.elements.map { $0.compactMap { $0.number?.integer } }
            #expect(
                (exits ?? [expect["exit"]?.number?.integer ?? -1]).contains(Int64(result.exitCode)), "\(result.stderr)")
            guard !arguments.contains("handover") else { return }
            let report = try JSONDocument.parse(Array(result.stdout.utf8))
            let reason = report["cards"]?.elements?.compactMap { $0["reason"]?["code"]?.words }.first
            if let wanted = expect["reason"] { #expect(reason == wanted.words, "\(result.stderr)") }
            if let wanted = expect["reasons"]?.elements?.compactMap(\.words) { #expect(wanted.contains(reason ?? "")) }
            for (pointer, value) in expect["json"]?.members?.map({ ($0.name.description, $0.value) }) ?? [] {
                #expect((report.at(pointer)?.compact ?? "null") == value.compact, "\(pointer)")
            }
            let warnings = report.at("/checkIns/0/warnings")?.elements?.compactMap { $0["code"]?.words } ?? []
            for warning in expect["warnings"]?.elements?.compactMap(\.words) ?? [] {
                #expect(warnings.contains(warning), "\(warning), found: \(warnings)")
            }
            if let wanted = expect["checkInFindings"]?.elements?.compactMap(\.words) {
                let found = report.at("/checkIns/0/findings")?.elements?.compactMap { $0["code"]?.words } ?? []
                #expect(found.count == wanted.count && Set(found) == Set(wanted), "found: \(found)")
            }
            // Nothing of a request, an item or an artifact is in a message.
            for secret in ["visit-1", "vaccines", "a2\"", "Not now"] { #expect(!result.stderr.contains(secret)) }
        }
    }

    static let folder = Paths.vectors.appendingPathComponent("check-in")

    @Test func thereAreCases() { #expect(Case.all(in: Self.folder).count > 70) }

    @Test(arguments: Case.all(in: folder)) func agrees(with one: Case) async throws { try await one.check() }

    @Test(
        .enabled(if: SharedData.isPresent, "\(SharedData.absence)"),
        arguments: Case.all(in: SharedData.conformance.appendingPathComponent("desk"))
            .filter { $0.id.hasPrefix("desk/check-in/") || $0.id.hasPrefix("desk/envelope/") })
    func agreesWithTheDataOfOthers(_ one: Case) async throws { try await one.check() }

    private static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private static let keys = [
        "--jwks",
        "https://issuer-a.example/cards=\(Paths.vectors.appendingPathComponent("keys/issuer-a.jwks.json").path)",
        "--at", "2026-06-01T00:00:00Z", "--offline",
    ]

    @Test(arguments: [
        ["--recipient-key", path("other-key.json"), "--request", path("navigator.json")],
        ["--recipient-key", path("request.json")], ["--request", path("recipient-key.json")],
        ["--recipient-key", Paths.vectors.appendingPathComponent("keys/issuer-a.jwks.json").path],
        ["--origin", "https://clinic.example/"], ["--origin", ""], ["--origin", "https://clinic.example/desk"],
        ["--origin", "https://clinic.example?desk"], ["--origin", "https://desk@clinic.example"],
        ["--origin", "https://clinic.example#desk"], ["--origin", "https:clinic.example"], ["--origin", "https://"],
        ["--origin", "android:apk-key-hash:abc/"], ["--origin", "clinic.example"],
    ])
    func optionsThatAreNoneAreRefused(_ options: [String]) async throws {
        let result = try await Shcverify.run([Self.path("inputs/response.json")] + Self.keys + options)
        #expect(result.exitCode == 64, "\(result.stderr)")
        #expect(result.stdout.isEmpty)
    }

    @Test func aMissingOptionFileIsUnreadable() async throws {
        let result = try await Shcverify.run(
            [Self.path("inputs/response.json")] + Self.keys + ["--request", "/nonexistent/request.json"])
        #expect(result.exitCode == 66)
    }

    @Test func theKeyIsPrintedNowhere() async throws {
        let key = try JSONDocument.parse(Paths.bytes(Self.path("recipient-key.json")))
        let secret = try #require(key["d"]?.words)
        for arguments in [["--format", "json"], ["--format", "text"], ["--format", "html"], ["-v"]] {
            let result = try await Shcverify.run(
                [Self.path("inputs/answer-good.json")] + Self.keys + [
                    "--request", Self.path("navigator.json"), "--recipient-key", Self.path("recipient-key.json"),
                    "--origin", "https://clinic.example",
                ] + arguments)
            #expect(result.exitCode == 0)
            #expect(!(result.stdout + result.stderr).contains(secret))
        }
    }

    @Test func theTextShowsTheItemsWithTheirMessages() async throws {
        let result = try await Shcverify.run(
            [Self.path("inputs/response.json")] + Self.keys + ["--request", Self.path("request.json")])
        #expect(result.stdout.contains("\"form\" declined: says \"Not now\""))
    }

    /// A wallet's app calls itself by a hash, whose characters are not looked at.
    @Test(arguments: ["https://clinic.example:8443", "android:apk-key-hash:sHd_-4-Kq0", "chrome-extension://abcdef"])
    func otherOriginsAreTakenAsTheyAre(_ origin: String) async throws {
        let result = try await Shcverify.run(
            [Self.path("inputs/answer-good.json")] + Self.session + Self.keys + ["--origin", origin])
        #expect(result.exitCode == 10 && result.stderr.contains("decryption-failed"), "\(result.stderr)")
    }

    private static let session = [
        "--request", path("navigator.json"), "--recipient-key", path("recipient-key.json"),
    ]

    /// A finding is a warning of the check-in, once, and no words say that the envelope is as it should be.
    @Test(arguments: ["text", "html"]) func reportsSayWhatIsWrongWithTheEnvelope(_ format: String) async throws {
        for (name, isFound) in [("answer-good", false), ("answer-digest", true), ("two-cards", true)] {
            var arguments = [Self.path("inputs/\(name).json")] + Self.session + Self.keys
            arguments += ["--origin", "https://clinic.example", "--format", format]
            if name == "two-cards" { arguments[0] = Self.path("inputs/answer-two-cards.json") }
            let result = try await Shcverify.run(arguments)
            #expect(result.exitCode == 0, "\(result.stderr)")
            let warnings = result.stdout.components(separatedBy: "it may have been changed").count - 1
            #expect(warnings == (isFound ? 1 : 0))
            #expect(result.stdout.contains("with faults in its envelope") == isFound)
            #expect(result.stdout.components(separatedBy: "Not now").count == 2, "the items are shown once")
            for word in ["intact", "unchanged"] { #expect(!result.stdout.contains(word)) }
        }
    }

    /// What programs read of records has the warnings too, with the first card.
    @Test func findingsAreWarningsOfTheFirstCard() async throws {
        let result = try await Shcverify.run(
            [Self.path("inputs/answer-two-cards.json")] + Self.session + Self.keys
                + ["--origin", "https://clinic.example", "--format", "json"])
        let report = try JSONDocument.parse(Array(result.stdout.utf8))
        let warnings = report["cards"]?.elements?.map {
            $0["warnings"]?.elements?.compactMap { $0["code"]?.words } ?? []
        }
        #expect(warnings?.first?.contains("envelope-digest") == true)
        #expect(warnings?.dropFirst().allSatisfy { !$0.contains("envelope-digest") } == true)
    }

    @Test func batchTakesNoCheckIn() async throws {
        let line = try JSONDocument.parse(Paths.bytes(Self.path("inputs/response.json"))).compact
        let result = try await Shcverify.run(["batch", "-"] + Self.keys, stdin: Array(line.utf8) + [0x0A])
        #expect(result.exitCode == 10)
        #expect(result.stdout.contains("malformed-input"))
    }

    @Test func inspectDecodesAndOpensNothing() async throws {
        for name in ["response", "answer-good"] {
            let result = try await Shcverify.run(["inspect", Self.path("inputs/\(name).json")])
            #expect(result.exitCode == 0)
            #expect(result.stdout.contains("NOT VERIFIED"))
        }
    }

    @Test func aCheckInBesideACardIsJudgedInItsOrder() async throws {
        let card = Paths.vectors.appendingPathComponent("cards/inputs/jws.jws").path
        let result = try await Shcverify.run(
            [card, Self.path("inputs/disregarded-value.json"), card] + Self.keys + ["--format", "json"])
        #expect(result.exitCode == 19)
        let report = try JSONDocument.parse(Array(result.stdout.utf8))
        #expect(report["cards"]?.elements?.compactMap { $0["verdict"]?.words } == ["pass", "fail", "pass"])
    }
}
