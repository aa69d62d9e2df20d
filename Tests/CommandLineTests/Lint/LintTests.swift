import Foundation
import StrictJSON
import TestSupport
import Testing

/// `lint`: its inputs, its exclusions and its exit codes.
@Suite struct LintTests {
    /// A genuine card without departures, and a card with a signature in DER.
    static let card = Paths.vector("cards/inputs/file.smart-health-card")
    static let broken = Paths.vector("cards/signature/der.jws")
    static let options = [
        "--offline", "--at", "2026-06-01T00:00:00Z", "--jwks", Paths.vector("keys/issuer-a.jwks.json"),
    ]
    /// A payload with one warning, because of an unknown type.
    static let payload = Array(
        (#"{"iss":"https://issuer-a.example/cards","nbf":1700000000,"vc":{"type":["https://smarthealth.cards#health-card","#
            + #""https://smarthealth.cards#nonsense"],"credentialSubject":{"fhirVersion":"4.0.1","fhirBundle":"#
            + #"{"resourceType":"Bundle","type":"collection","entry":[{"fullUrl":"resource:0","resource":"#
            + #"{"resourceType":"Patient","name":[{"family":"Anyperson"}],"birthDate":"1951-01-20"}}]}}}}"#).utf8)

    static func lint(_ arguments: [String], stdin: [UInt8] = []) async throws -> Shcverify.Result {
        try await Shcverify.run(["lint"] + arguments, stdin: stdin)
    }

    static func json(_ arguments: [String], stdin: [UInt8] = []) async throws -> (JSONValue, Int32) {
        let result = try await lint(arguments + ["--format", "json"], stdin: stdin)
        return (try JSONDocument.parse(Array(result.stdout.utf8)), result.exitCode)
    }

    static func codes(_ document: JSONValue) -> [String] {
        document["findings"]?.elements?.compactMap { $0["code"]?.words } ?? []
    }

    @Test func cardWithoutDeparturesIsClean() async throws {
        let result = try await Self.lint([Self.card] + Self.options)
        #expect(result.exitCode == 0, "\(result.stdout)")
        #expect(
            result.stdout == "No departures found in 1 input (profile chosen by the contents: shc-vaccination-ad)\n")
        #expect(result.stderr.isEmpty)
    }

    /// Without a profile, the card's contents choose one. With several, a finding names those that it is of.
    @Test func reportsSayWhichProfileWasApplied() async throws {
        let (chosen, _) = try await Self.json([Self.card] + Self.options)
        #expect(chosen["chosenProfiles"]?.elements?.compactMap(\.words) == ["shc-vaccination-ad"])
        let names = ["shc-vaccination-dm", "shc-covid19-laboratory-ad", "shc-vaccination-dm"]
        let (asked, code) = try await Self.json([Self.card] + Self.options + names.flatMap { ["--profile", $0] })
        #expect(code == 10)
        #expect(asked["chosenProfiles"]?.elements?.count == 0)
        let findings = asked["findings"]?.elements.map { Array($0) } ?? []
        // The card has vaccinations, which do not belong on a card of laboratory results.
        #expect(!findings.isEmpty)
        for finding in findings {
            #expect(finding["rule"]?.words == "profile-error/bundle-entries")
            #expect(finding["message"]?.words?.hasSuffix("(shc-covid19-laboratory-ad)") == true)
        }
    }

    @Test func departureIsNamedWithItsPlaceRequirementAndRemedy() async throws {
        let result = try await Self.lint([Self.broken] + Self.options)
        #expect(result.exitCode == 10)
        for words in ["signature-format-error/length", "line 1, column ", "SHC-J3: ", "https://", "To do: "] {
            #expect(result.stdout.contains(words), "\(words)")
        }
        #expect(result.stdout.hasSuffix(" warnings (profile chosen by the contents: shc-vaccination-ad)\n"))
    }

    @Test func jsonHasEveryMemberOfTheContract() async throws {
        let (document, exitCode) = try await Self.json([Self.broken] + Self.options)
        #expect(exitCode == 10)
        for member in ["schemaVersion", "errors", "warnings", "findings"] { #expect(document[member] != nil) }
        let finding = try #require(document.at("/findings/0"))
        for member in [
            "code", "severity", "message", "source", "path", "spec", "rule", "citation", "card", "layer", "offset",
            "line", "column", "remedy",
        ] {
            #expect(finding[member] != nil, "\(member)")
        }
        #expect(finding["source"]?.words == Self.broken, "the path as it was given")
    }

    @Test func standardInputIsCalledStdin() async throws {
        let (document, _) = try await Self.json(["-"] + Self.options, stdin: Paths.bytes(Self.broken))
        #expect(document.at("/findings/0/source")?.words == "stdin")
    }

    @Test func warningsFailOnlyWithFailOn() async throws {
        let (document, exitCode) = try await Self.json(["-"] + Self.options, stdin: Self.payload)
        #expect(document["errors"]?.number?.integer == 0, "\(Self.codes(document))")
        #expect(document["warnings"]?.number?.integer == 1)
        #expect(exitCode == 0)
        let (_, strict) = try await Self.json(["-", "--fail-on", "warning"] + Self.options, stdin: Self.payload)
        #expect(strict == 10)
        let clean = try await Self.json([Self.card, "--fail-on", "warning"] + Self.options)
        #expect(clean.1 == 0)
    }

    static let unasked = [card, "--offline", "--no-cache", "--at", "2026-06-01T00:00:00Z"]

    /// Rules that could not be checked fail the run only with `--fail-on unchecked`.
    @Test(arguments: [("error", 0), ("warning", 0), ("unchecked", 10)] as [(String, Int32)])
    func uncheckedRulesAreNotDepartures(_ severity: String, _ expected: Int32) async throws {
        let text = try await Self.lint(Self.unasked + ["--fail-on", severity])
        #expect(text.exitCode == expected && text.stderr.isEmpty)
        #expect(text.stdout.contains("\n  not checked issuer-key-download-error/keys "))
        #expect(
            text.stdout.hasSuffix(
                "\nNo departures found in 1 input; 1 not checked (profile chosen by the contents: shc-vaccination-ad)\n"
            ))
        let (document, exitCode) = try await Self.json(Self.unasked + ["--fail-on", severity])
        #expect(exitCode == expected && document["exitCode"]?.number?.integer == Int64(expected))
        #expect(["errors", "warnings", "unchecked"].map { document[$0]?.number?.integer } == [0, 0, 1])
        #expect(document.at("/findings/0/severity")?.words == "unchecked")

        let sarif = try JSONDocument.parse(
            Array(try await Self.lint(Self.unasked + ["--fail-on", severity, "--format", "sarif"]).stdout.utf8))
        #expect(SARIFLog(sarif).problems.isEmpty)
        #expect(sarif.at("/runs/0/results/0/kind")?.words == "open")
        let github = try await Self.lint(Self.unasked + ["--fail-on", severity, "--format", "github"])
        #expect(github.stdout.hasPrefix("::notice file="))
        let junit = try await Self.lint(Self.unasked + ["--fail-on", severity, "--format", "junit"]).stdout
        #expect(junit.contains(expected == 0 ? "<skipped message=" : "<failure message="))
        #expect(
            junit.contains(
                expected == 0 ? #"failures="0" errors="0" skipped="1""# : #"failures="1" errors="0" skipped="0""#))
    }

    /// A user who gives keys expects one of them to verify the card.
    @Test func keysOfOtherIssuersAloneAreAnError() async throws {
        let keys = "https://other.example=" + Paths.vector("keys/issuer-a.jwks.json")
        let (document, exitCode) = try await Self.json(Self.unasked + ["--jwks", keys])
        #expect(exitCode == 10)
        #expect(Self.codes(document) == ["issuer-key-download-error", "issuer-kid-mismatch"])
    }

    /// Files of options are linted too. Each finding appears once, with its place in the file.
    /// What stands around a card, or is missing before it, is named.
    @Test(arguments: [
        ("digits.txt", "without its beginning, shc:/"), ("array-of-jws.json", "JSON array of JWS"),
        ("quoted-jws.txt", "between quotation marks"), ("lines-of-cards.txt", "as --lines takes them"),
    ])
    func namesWhatIsAroundACard(file: String, words: String) async throws {
        let path = Paths.vector("lint/unknown-file-data/unrecognised/\(file)")
        let (document, exitCode) = try await Self.json([path])
        #expect(exitCode == 10)
        let messages = document["findings"]?.elements?.compactMap { $0["message"]?.words } ?? []
        #expect(messages.contains { $0.contains(words) }, "\(messages)")
        let verdict = try await Shcverify.run([path, "-q", "--offline"])
        #expect(verdict.exitCode != 0)
    }

    /// What a scanner, a mail program or an editor puts around a card is named, and the card is linted too.
    @Test(arguments: [
        ("]Q1", "", "utf8", "]Q1"), ("Dear user,\n\n", "\n\nBest wishes\n", "utf8", "other text"),
        ("", "", "utf16", "UTF-16"),
    ])
    func lintsACardInOtherText(before: String, after: String, encoding: String, words: String) async throws {
        let card = before + "shc:/56762909" + after
        var bytes = Array(card.utf8)
        if encoding == "utf16" { bytes = [0xFF, 0xFE] + bytes.flatMap { [$0, 0] } }
        let (document, exitCode) = try await Self.json(["-"], stdin: bytes)
        #expect(exitCode == 10)
        let findings = document["findings"]?.elements.map { Array($0) } ?? []
        #expect(findings.first?["message"]?.words?.contains("a card was found in the input, but") == true)
        #expect(findings.first?["message"]?.words?.contains(words) == true)
        #expect(findings.count > 1)
    }

    @Test func manyLinesOfJWSAreForLines() async throws {
        let card = try String(decoding: Paths.bytes(Paths.vector("cards/valid/birth-year.jws")), as: UTF8.self)
        let (document, _) = try await Self.json(
            ["-"], stdin: Array(String(repeating: card + "\n", count: 200).utf8))
        let remedies = document["findings"]?.elements?.compactMap { $0["remedy"]?.words } ?? []
        // No other rule can judge such a text.
        #expect(remedies.count == 2, "the other finding is the white space at the end: \(remedies)")
    }

    @Test func lintsFilesOfOptions() async throws {
        let folder = try TemporaryDirectory()
        let signed = try SignedCards.sign([.init(issuer: "https://issuer.example", rid: "someone")])
        let card = try folder.write(signed.cards[0], to: "card.jws")
        let keys = try folder.write(
            signed.keySet(adding: ["crlVersion": 1]).replacing("\"ES256\"", with: "\"ES384\""), to: "keys.json")
        let list = try folder.write(
            #"{"kid":"\#(signed.keyID())","method":"rid","ctr":2,"rids":["a","a"]}"#, to: "list.json")
        let other = try folder.write(#"{"kid":"other","method":"rid","ctr":1,"rids":["a","a"]}"#, to: "other.json")
        let directory = try folder.write(
            #"{"participating_issuers":[{"iss":"https://issuer.example","name":"A"},{"iss":"http://b.example","name":"A"}]}"#,
            to: "list-of-issuers.json")
        let (document, exitCode) = try await Self.json([
            card, "--offline", "--jwks", "https://issuer.example=\(keys)", "--crl", list, "--crl", other, "--directory",
            directory,
        ])
        #expect(exitCode == 10)
        let findings = try #require(document["findings"]?.elements).map { finding in
            let source = finding["source"]?.words?.split(separator: "/").last ?? ""
            return "\(source) \(finding["rule"]?.words ?? "") \(finding["line"]?.number?.integer ?? 0)"
        }
        #expect(
            findings.sorted() == [
                "card.jws jws-verification-error/key-missing 0", "card.jws revocation-error/list-ahead 0",
                "keys.json invalid-key-wrong-alg/alg 1",
                "list-of-issuers.json directory-error/entry 1", "list-of-issuers.json directory-error/name-twice 1",
                "list.json revocation-error/repeats 1", "other.json revocation-error/repeats 1",
            ])
        let text = try await Self.lint([Self.card] + Self.options)
        #expect(
            text.stdout == "No departures found in 1 input (profile chosen by the contents: shc-vaccination-ad)\n",
            "files of options do not count as inputs")
    }

    /// Lint takes the files of options for what verification takes them for.
    @Test func filesOfOptionsAreWhatVerificationReadsThemAs() async throws {
        let folder = try TemporaryDirectory()
        let signed = try SignedCards.sign([.init(issuer: "https://issuer.example", rid: "someone")])
        let card = try folder.write(signed.cards[0], to: "card.jws")
        let keys = try folder.write(signed.keySet(), to: "keys.json")
        let list = #"{"kid":"\#(signed.keyID())","method":"rid","ctr":1,"rids":["entries","hashType","entries"]}"#
        let directory =
            #"{"participating_issuers":[{"iss":"https://issuer.example","name":"certificates"},{"iss":"http://b.example","name":"kty"}]}"#
        let batch = #"{"kid":"AQIDBAUGBwg=","hash\u0054ype":"UCI","entri\u0065s":[]}"#
        let options = [
            card, "--offline", "--jwks", "https://issuer.example=\(keys)",
            "--crl", try folder.write(list, to: "list.json"),
            "--crl", try folder.write("\u{FEFF}" + list + "\n", to: "marked.json"),
            "--crl", try folder.write(batch, to: "batch.json"),
            "--directory", try folder.write(directory, to: "directory.json"),
        ]
        #expect(try await Shcverify.run(options + ["-q"]).exitCode == 0)
        let (document, _) = try await Self.json(options)
        let findings = try #require(document["findings"]?.elements).map { finding in
            let source = finding["source"]?.words?.split(separator: "/").last ?? ""
            return "\(source) \(finding["rule"]?.words ?? "") \(finding["column"]?.number?.integer ?? 0)"
        }
        let place = list.utf8.count - "\"entries\"]}".utf8.count + 1
        #expect(
            findings.sorted() == [
                "directory.json directory-error/entry 89", "list.json revocation-error/repeats \(place)",
                "marked.json byte-order-mark/input 1", "marked.json revocation-error/repeats \(place + 1)",
            ])
    }

    @Test(arguments: [["--qr", ""], ["--qr", "", "--qr", " "], ["-", "--as", "qr"]])
    func emptyCodesAreUnknownData(arguments: [String]) async throws {
        let (document, exitCode) = try await Self.json(arguments + ["--offline"], stdin: Array("\n \n".utf8))
        #expect(exitCode == 10)
        #expect(Self.codes(document) == ["unknown-file-data"])
    }

    @Test func reportsAnOddNumberOfDigits() async throws {
        let text = String(decoding: try Paths.bytes(Paths.vector("cards/inputs/qr.qr.txt")), as: UTF8.self)
        for place in [5, 6, 40, 201, text.utf8.count - 1] {
            var digits = Array(text.utf8)
            digits.remove(at: place)
            let (document, exitCode) = try await Self.json(["-", "--offline", "--as", "qr"], stdin: digits)
            #expect(exitCode == 10)
            let messages = document["findings"]?.elements?.compactMap { $0["message"]?.words } ?? []
            #expect(
                messages.contains { $0.contains("an odd number of digits: \(digits.count - 5)") }, "\(messages)")
            #expect(!messages.contains { $0.contains("stand for no character") })
        }
    }

    /// An "alg" of ES256 would not help: a key on another curve cannot sign cards.
    @Test(arguments: ["P-384", "P-521"]) func doesNotAdviseAnAlgorithmForAnotherCurve(_ curve: String) async throws {
        let key = #"{"keys":[{"kty":"EC","kid":"x","use":"sig","crv":"\#(curve)","x":"AA","y":"AA"}]}"#
        let result = try await Self.lint(["-", "--as", "jwks"], stdin: Array(key.utf8))
        #expect(result.exitCode == 10)
        #expect(result.stdout.contains("invalid-key-wrong-crv") && !result.stdout.contains("wrong-alg"))
        let other = key.replacing(#""use""#, with: #""alg":"ES384","use""#)
        let wrong = try await Self.lint(["-", "--as", "jwks"], stdin: Array(other.utf8))
        #expect(wrong.stdout.contains("wrong-alg") && !wrong.stdout.contains("To do: Add `alg`"))
    }

    @Test func countsDeparturesAndUncheckedRules() async throws {
        let arguments = [Self.broken, "--offline", "--no-cache", "--at", "2026-06-01T00:00:00Z"]
        let result = try await Self.lint(arguments)
        #expect(result.exitCode == 10)
        #expect(
            result.stdout.hasSuffix(
                "\n1 error, 0 warnings; 1 not checked (profile chosen by the contents: shc-vaccination-ad)\n"),
            "\(result.stdout)")
        let (document, _) = try await Self.json([Self.card] + arguments)
        #expect(["errors", "warnings", "unchecked"].map { document[$0]?.number?.integer } == [1, 0, 2])
        let (excluded, exitCode) = try await Self.json(
            Self.unasked + ["--exclude", "issuer-key-download-error", "--fail-on", "unchecked"])
        #expect(exitCode == 0 && excluded["unchecked"]?.number?.integer == 0)
    }

    @Test(arguments: [
        "signature-format-error", "signature-format-error/length", "signature-*", "*/length", "signature-format-erro?",
        "*", "s*t*e*r",
    ]) func excludedRuleFindsNothing(_ pattern: String) async throws {
        let (document, _) = try await Self.json([Self.broken, "--exclude", pattern] + Self.options)
        #expect(!Self.codes(document).contains("signature-format-error"))
        let errors = document["findings"]?.elements?.filter { $0["severity"]?.words == "error" }.count
        #expect(document["errors"]?.number?.integer == errors.map { Int64($0) })
    }

    @Test(arguments: ["payload*", "signature-format-error/range", "?"]) func otherRulesAreNotExcluded(_ pattern: String)
        async throws
    {
        let result = try await Self.lint([Self.broken, "--format", "json", "--exclude", pattern] + Self.options)
        #expect(result.exitCode == (pattern == "?" ? 64 : 10))
    }

    @Test(arguments: [
        [], ["--exclude", "no-such-rule", "x"], ["--exclude", "", "x"], ["--as", "picture", "x"],
        ["--format", "fhir", "x"],
        ["--fail-on", "nothing", "x"], ["--list", "x"], ["--list", "--format", "sarif"], ["--profile", "none", "x"],
        ["-", "-"], ["--certificate", "x", "x"], ["--signature", "x", "x", "y"], ["--signature", "x", "--qr", "x"],
        ["--signature", "x", "--as", "jwks", "x"],
    ]) func wrongUseIs64(_ arguments: [String]) async throws {
        let result = try await Self.lint(arguments)
        #expect(result.exitCode == 64)
        #expect(result.stdout.isEmpty)
        #expect(!result.stderr.isEmpty)
    }

    @Test func unreadableInputDoesNotHideTheOthers() async throws {
        let clean = try await Self.lint(["no-such-file", Self.card] + Self.options)
        #expect(clean.exitCode == 66)
        #expect(clean.stderr == "no-such-file: unreadable-input: cannot be read: No such file or directory\n")
        #expect(
            clean.stdout
                == "No departures found in 1 input; 1 input could not be read (profile chosen by the contents: shc-vaccination-ad)\n"
        )
        let broken = try await Self.lint(["no-such-file", Self.broken, Paths.vectors.path] + Self.options)
        #expect(broken.exitCode == 10, "errors take precedence")
        #expect(broken.errorLines.count == 2)
        #expect(broken.stdout.contains("signature-format-error"))
        let nothing = try await Self.lint(["no-such-file"] + Self.options)
        #expect(nothing.exitCode == 66)
        #expect(!nothing.stdout.contains("No departures"))
    }

    @Test func asDecidesHowContentIsRead() async throws {
        let text = Array(#"{"iss":"https://issuer-a.example/cards"}"#.utf8)
        let (payload, _) = try await Self.json(["-", "--as", "payload"] + Self.options, stdin: text)
        #expect(payload.at("/findings/0/layer")?.words == "payload")
        let (qr, exitCode) = try await Self.json(["-", "--as", "qr"] + Self.options, stdin: text)
        #expect(exitCode == 10)
        #expect(qr.at("/findings/0/layer")?.words == "qr")
    }

    @Test func joinsPartsFromOptions() async throws {
        let parts = try (1...3).map { number in
            String(
                decoding: try Paths.bytes(Paths.vector("cards/qr/bad-signature-in-chunks-\(number).qr.txt")),
                as: UTF8.self)
        }
        let (document, _) = try await Self.json(parts.flatMap { ["--qr", $0] } + Self.options)
        #expect(Self.codes(document).contains("qr-chunking-deprecated"))
        #expect(!Self.codes(document).contains("missing-qr-chunk"))
        let (missing, exitCode) = try await Self.json(["--qr", parts[0]] + Self.options)
        #expect(Self.codes(missing).contains("missing-qr-chunk"))
        #expect(exitCode == 10)
    }

    @Test func quietPrintsNothing() async throws {
        let result = try await Self.lint([Self.broken, "-q", "--format", "sarif"] + Self.options)
        #expect(result.exitCode == 10)
        #expect(result.stdout.isEmpty && result.stderr.isEmpty)
    }

    @Test func listHasEveryRuleAndExplainKnowsEachOfThem() async throws {
        let text = try await Self.lint(["--list"])
        #expect(text.exitCode == 0)
        let result = try await Self.lint(["--list", "--format", "json"])
        let rules = try #require(try JSONDocument.parse(Array(result.stdout.utf8))["rules"]?.elements)
        #expect(rules.count > 50)
        for rule in rules {
            for member in ["rule", "code", "severity", "citation", "spec", "subject", "requirement", "remedy"] {
                #expect(rule[member]?.words?.isEmpty == false, "\(member)")
            }
            #expect(text.stdout.contains(try #require(rule["rule"]?.words)))
        }
        let first = try #require(rules.first { $0["code"]?.words == "signature-format-error" }?["rule"]?.words)
        let explained = try await Shcverify.run(["explain", first])
        #expect(explained.headline == first)
        #expect(explained.stdout.contains("SHC-J3"))
    }

    @Test func explainCoversVerifyAndLintForASharedCode() async throws {
        let result = try await Shcverify.run(["explain", "jws-too-long"])
        #expect(result.stdout.contains("Causes:"))
        #expect(result.stdout.contains("jws-too-long/single-code (warning"))
        let list = try await Shcverify.run(["explain"])
        #expect(list.stdout.split(separator: "\n").count { $0.hasPrefix("jws-too-long ") } == 1)
        #expect(list.stdout.contains("jws-too-long (warning; lint)"))
    }

    @Test func omittedFindingsAreAnError() async throws {
        // Each line is a card of its own, with findings of its own.
        let lines = Array(repeating: "SHC:/56", count: 9_990).joined(separator: "\n")
        let (document, exitCode) = try await Self.json(["-", "--as", "qr"] + Self.options, stdin: Array(lines.utf8))
        #expect(exitCode == 10)
        let findings = try #require(document["findings"]?.elements)
        #expect(findings.count == 10_001)
        #expect(findings.contains { $0["message"]?.words?.contains("the rest is left out") == true })
    }
}

/// Every input ends soon, with a documented exit code.
@Suite(.timeLimit(.minutes(15))) struct LintBadInputTests {
    @Test(arguments: ExpensiveInputTests.inputs) func endsSoon(_ name: String, start: String, repeated: String)
        async throws
    {
        let count = ((4 << 20) - start.utf8.count) / repeated.utf8.count
        let input = Array((start + String(repeating: repeated, count: count)).utf8)
        let result = try await LintTests.lint(["-", "--offline", "--format", "json"], stdin: input)
        #expect([0, 10].contains(result.exitCode))
        #expect(result.stderr.isEmpty)
        #expect(try JSONDocument.parse(Array(result.stdout.utf8))["findings"] != nil)
    }

    @Test func stopsReadingEndlessInput() async throws {
        let (document, exitCode) = try await LintTests.json(["/dev/zero", "--offline"])
        #expect(exitCode == 10)
        #expect(LintTests.codes(document) == ["input-too-large"])
    }

    @Test(arguments: ["text", "json", "sarif", "junit", "github", "html"]) func everyVectorIsLinted(_ format: String)
        async throws
    {
        let folder = Paths.vectors.appendingPathComponent("cards")
        let files = try #require(
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey]))
        let paths = files.compactMap { $0 as? URL }
            .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true }.map(\.path)
            .sorted()
        #expect(paths.count > 500)
        // JSON gets all files. The other formats get some of them, to save time.
        let some = format == "json" ? paths : stride(from: 0, to: paths.count, by: 10).map { paths[$0] }
        let result = try await LintTests.lint(["--format", format] + LintTests.options + some)
        #expect(result.exitCode == 10)
        #expect(result.stderr.isEmpty)
    }
}
