import Foundation
import StrictJSON
import Testing

/// The other commands besides `verify`, and wrong use of commands.
@Suite struct CommandTests {
    @Test(arguments: [
        [], ["--no-such-option"], ["--at", "yesterday", "x"], ["--at", "2026-06-01T00:00:00", "x"],
        ["--timeout", "0", "x"], ["--timeout", "soon", "x"], ["--format", "xml", "x"], ["--color", "blue", "x"],
        ["--jwks", "https://issuer.example", "x"], ["--require-trusted", "x"], ["-", "-"],
        ["explain", "no-such-code"], ["inspect"],
    ])
    func wrongUseIs64(_ arguments: [String]) async throws {
        let result = try await Shcverify.run(arguments)
        #expect(result.exitCode == 64)
        #expect(result.stdout.isEmpty)
        #expect(!result.stderr.isEmpty)
    }

    @Test(arguments: [
        ["--timeout", "-1"], ["--timeout", "0.0001"], ["--timeout", "1e300"], ["--timeout", "nan"],
        ["--timeout", "inf"],
        ["--max-stale", "-1"], ["--max-stale", "1e300"], ["--max-directory-age", "-0.5"],
        ["--max-directory-age", "36501"],
        ["--at", "-1"], ["--at", "99999999999999"], ["--since", "-1"], ["--until", "0"], ["batch", "--jobs", "-1"],
        ["batch", "--jobs", "100000"], ["batch", "--from", "-1"], ["batch", "--from", "9000000000000000000"],
        ["records", "--timeout=-1"], ["lint", "--timeout", "-1"], ["directory", "update", "--timeout", "-1"],
    ])
    func numberThatMakesNoSenseIs64(_ arguments: [String]) async throws {
        let isUpdate = arguments.first == "directory"
        let result = try await Shcverify.run(arguments + (isUpdate ? [] : [OutputTests.card]))
        #expect(result.exitCode == 64)
        #expect(result.stdout.isEmpty)
        #expect(!result.stderr.isEmpty)
    }

    /// A year or a date is no number of seconds. The message says what to write.
    @Test(arguments: [
        ("2022", "write --at 2022-01-01T00:00:00Z"), ("20220601", "write --at 2022-06-01T00:00:00Z"),
        ("2022-06", "write --at 2022-06-01T00:00:00Z"), ("2022-06-01", "write --at 2022-06-01T00:00:00Z"),
        ("0", "this is no time of a card"), ("99999999", "this is no time of a card"),
    ]) func smallNumberIsNoTime(_ time: String, advice: String) async throws {
        for command in [
            ["verify", OutputTests.card, "--offline"], ["batch", "/dev/null"], ["lint", OutputTests.card, "--offline"],
            ["directory", "show", "--directory", "/nowhere"],
        ] where command[0] != "directory" || time != "2022-06-01" {
            let result = try await Shcverify.run(command + ["--at=\(time)"])
            #expect(result.exitCode == 64 && result.stderr.contains(advice), "\(command) \(result.stderr)")
        }
    }

    @Test func numberOfTheSeventiesIsATime() async throws {
        for time in ["100000000", "1970-01-01T00:00:01Z"] {
            #expect(
                try await Shcverify.run([OutputTests.card, "-q", "--at", time] + OutputTests.keys.dropLast(2)).exitCode
                    == 14,
                "\(time)")
        }
    }

    /// Commands that fetch everything again say so, and their help does not list the options for the cache.
    @Test(arguments: [
        ["inspect", OutputTests.card], ["directory", "audit"],
        ["directory", "collect", "https://a.example", "--output", "-"], ["directory", "update"],
    ])
    func maximumStalenessNeedsACommandThatUsesTheCache(_ arguments: [String]) async throws {
        let result = try await Shcverify.run(arguments + ["--max-stale", "1"])
        #expect(result.exitCode == 64 && result.stdout.isEmpty)
        #expect(result.stderr.contains("--max-stale has no effect here"), "\(result.stderr)")
        let help = try await Shcverify.run(arguments.prefix(2).filter { $0 != OutputTests.card } + ["--help"]).stdout
        #expect(help.contains("--timeout") && !help.contains("--cache") && !help.contains("--max-stale"))
    }

    @Test(arguments: [
        "", "host", "http://issuer.example", "https://", "https:///", "https://u@issuer.example",
        "https://issuer.example?a",
        "https://issuer.example/#a", "https://issuer example", "HTTPS://issuer.example",
    ])
    func issuerThatNoCardCanNameIs64(_ issuer: String) async throws {
        for arguments in [["--trust", issuer], ["lint", "--trust=\(issuer)"]] {
            let result = try await Shcverify.run(arguments + [OutputTests.card, "--offline"])
            #expect(result.exitCode == 64, "\(arguments)")
            #expect(result.stdout.isEmpty)
            #expect(result.stderr.contains("--trust needs the https URL of an issuer"))
        }
    }

    @Test(arguments: [
        ["--jwks", "https://u@issuer.example=keys.json"], ["--jwks", "https://=keys.json"],
    ])
    func keysForAnIssuerThatNoCardCanNameAre64(_ arguments: [String]) async throws {
        let result = try await Shcverify.run(arguments + [OutputTests.card, "--offline"])
        #expect(result.exitCode == 64)
        #expect(result.stderr.contains("--jwks needs the https URL of an issuer"))
    }

    @Test(arguments: [["--url", ""], ["--url", "host"], ["--url", "http://host.example"], ["--from", ""]])
    func placeThatHoldsNoDirectoryIs64(_ arguments: [String]) async throws {
        let result = try await Shcverify.run(["directory", "update"] + arguments)
        #expect(result.exitCode == 64)
        #expect(result.stderr.contains(arguments[0]))
    }

    @Test func environmentCanRequireTrust() async throws {
        let arguments = [OutputTests.card, "--offline"]
        let environment = ["SHCVERIFY_REQUIRE_TRUSTED": "1"] as [String: String?]
        let refused = try await Shcverify.run(arguments, environment: environment)
        #expect(refused.exitCode == 64)
        let keys = ["--jwks", Paths.vector("keys/issuer-a.jwks.json")]
        let accepted = try await Shcverify.run(arguments + keys, environment: environment)
        #expect(accepted.exitCode == 0)
    }

    @Test(arguments: ["--jwks", "--crl", "--ca-file"])
    func optionFileThatCannotBeReadIs66AndThatCannotBeParsedIs64(_ option: String) async throws {
        let missing = try await Shcverify.run([option, "no-such-file", OutputTests.card])
        #expect(missing.exitCode == 66)
        #expect(missing.errorLines.count == 1)
        #expect(missing.stderr.contains(option))
        let unparsable = try await Shcverify.run([option, OutputTests.card, OutputTests.card])
        #expect(unparsable.exitCode == 64)
        #expect(unparsable.errorLines.count == 1)
        #expect(unparsable.stderr.contains(option))
    }

    @Test func inspectAlwaysSaysNotVerified() async throws {
        let text = try await Shcverify.run(["inspect", OutputTests.card])
        #expect(text.exitCode == 0)
        #expect(text.headline.contains("NOT VERIFIED"))
        #expect(text.stdout.contains("\"alg\": \"ES256\""))
        #expect(text.stdout.contains("Anyperson"))
        let json = try await Shcverify.run(["inspect", "--format", "json", OutputTests.card])
        #expect(json.stdout.contains("NOT VERIFIED"))
        let document = try JSONDocument.parse(Array(json.stdout.utf8))
        #expect(document.at("/cards/0/header/alg")?.words == "ES256")
        #expect(document.at("/cards/0/verified")?.boolean == false)
    }

    /// What was shown is no card that can be judged, and the message says what to do.
    @Test(arguments: [
        ("QR-Code:shc:/567629095243", "begins with shc:/: remove it"), ("otpauth://totp/x?secret=y", "a login code"),
        (
            "From: a\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n",
            "this is a mail: save its attachment"
        ),
        ("shc:/567629shc:/567629", "give each in a line of its own"),
        // The digits of a header and a part of a payload.
        ("shc:/5676290952", "was the text cut off?"),
        (String(repeating: "6BF+70790T9WJ%G ", count: 20), "put HC1: before it"),
        ("s\0h\0c\0:\0/\05\06\07\06\02\09\0", "UTF-16 without a byte-order mark"),
    ])
    func saysWhatToDoWithAnotherText(text: String, words: String) async throws {
        let result = try await Shcverify.run(["-", "--quiet", "--offline"], stdin: Array(text.utf8))
        #expect(result.exitCode == 10)
        #expect(result.stderr.contains(words), "\(result.stderr)")
    }

    /// A list beside the keys decides who is trusted. The message names no other issuer.
    @Test func keysBesideAListDoNotMakeAnIssuerTrusted() async throws {
        let issuer = "https://issuer-a.example/cards"
        let result = try await Shcverify.run([
            OutputTests.card, "--quiet", "--offline", "--trust", "https://another.example", "--jwks",
            "\(issuer)=\(Paths.vector("keys/issuer-a.jwks.json"))",
        ])
        #expect(result.exitCode == 13)
        #expect(result.stderr.contains("do not make it trusted: add --trust \"\(issuer)\""), "\(result.stderr)")
        #expect(!result.stderr.contains("differs only"))
    }

    @Test func inspectShowsTheReadablePartsOfABrokenCard() async throws {
        let result = try await Shcverify.run(["inspect", Paths.vector("cards/header/alg-none.jws")])
        #expect(result.exitCode == 10)
        #expect(result.stdout.contains("unsupported-algorithm"))
        #expect(result.stdout.contains("fhirBundle"))
    }

    @Test(arguments: [
        (["key-invald"], Int32(64), "Did you mean \"key-invalid\"?"), (["12"], 0, "key-invalid: "),
        (["27"], 0, "qr-chunk-missing: "),
        (["schema-error/nfb"], 64, "Did you mean \"schema-error/nbf\"?"), (["99"], 64, "There is no such code. \"shc"),
    ])
    func explainTakesExitCodesAndSuggestsCodes(_ words: [String], exitCode: Int32, text: String) async throws {
        let result = try await Shcverify.run(["explain"] + words)
        #expect(result.exitCode == exitCode)
        #expect((result.stdout + result.stderr).contains(text), "\(result.stdout + result.stderr)")
    }

    @Test(arguments: ["SHC-K7", "shc-k7", "SHC-K7:"])
    func explainPrintsFactsOfTheSpecification(_ number: String) async throws {
        let result = try await Shcverify.run(["explain", number])
        #expect(result.exitCode == 0)
        #expect(result.headline == "SHC-K7")
        #expect(result.stdout.contains("`x5c`"))
        #expect(result.stdout.contains("\nhttps://spec.smarthealth.cards/#"))
        #expect(result.stdout.contains("\n  invalid-key-x5c/"))
    }

    @Test(arguments: ["k7", "SHC-K", "SHC-K77", "SHC-K7 ", "SHC-F1", String(repeating: "SHC-K7", count: 100)])
    func explainKnowsNoOtherFacts(_ number: String) async throws {
        let result = try await Shcverify.run(["explain", number])
        #expect(result.exitCode == 64)
        #expect(result.stdout.isEmpty)
        #expect(result.stderr.contains("There is no such code."))
    }

    @Test func explainKnowsEveryCodeItLists() async throws {
        let list = try await Shcverify.run(["explain"])
        #expect(list.exitCode == 0)
        let codes = list.stdout.split(separator: "\n").compactMap { $0.split(separator: " ").first }
        #expect(codes.count > 25)
        for code in codes {
            let result = try await Shcverify.run(["explain", String(code)])
            #expect(result.exitCode == 0)
            #expect(result.headline == code)
            #expect(result.stdout.contains("What to do:"))
        }
    }

    /// Titles, columns, results and members that stand in reports: each can be asked about, as it stands there.
    @Test func explainKnowsEveryWordOfReports() async throws {
        let certificate = Paths.vector("hcert/cards/valid-vaccination.hc1")
        let at = ["--offline", "--at", "2026-06-01T00:00:00Z"]
        let runs = [
            [OutputTests.card] + OutputTests.keys, [OutputTests.card] + at,
            [OutputTests.card, "--at", "2000-01-01T00:00:00Z"] + OutputTests.keys.dropLast(2),
            [
                certificate, "--directory", Paths.vector("hcert/trust/signers.pem"), "--offline", "--at",
                "2022-06-01T00:00:00Z",
            ], ["records", OutputTests.card] + OutputTests.keys,
        ]
        var words: Set<String> = []
        for run in runs {
            let text = try await Shcverify.run(run)
            for line in text.stdout.split(separator: "\n").prefix(while: { !$0.hasPrefix("  \"") }) {
                // A title stands before two spaces at the beginning of a line, or before a colon at the end of it.
                if let end = line.range(of: "  "), let first = line.first, first.isLetter {
                    words.insert(String(line[..<end.lowerBound]))
                } else if line.last == ":", line.first?.isUppercase == true, line.utf8.count < 20 {
                    words.insert(String(line.dropLast()))
                }
            }
            let page = try await Shcverify.run(run + ["--format", "html"])
            for tag in ["dt", "th", "th scope=\"col\""] {
                for part in page.stdout.components(separatedBy: "<\(tag)>").dropFirst() {
                    words.insert(String(part.prefix { $0 != "<" }))
                }
            }
            let json = try await Shcverify.run(run + ["--format", "json"])
            for part in json.stdout.components(separatedBy: "\n").prefix(200) {
                let pieces = part.components(separatedBy: "\"")
                if pieces.count > 2, pieces[2].hasPrefix(":"), part.hasPrefix("      \"") == part.hasPrefix("      ") {
                    words.insert(pieces[1])
                }
            }
        }
        #expect(words.isSuperset(of: ["Issuer", "Lot", "madeAt", "exitCode", "Born"]), "\(words.sorted())")
        for word in words.union([
            "completed", "final", "not-done", "transliterated", "missing", "old", "unusable", "Person",
        ]) {
            let result = try await Shcverify.run(["explain", word])
            #expect(result.exitCode == 0, "\(word)")
        }
    }

    @Test func verifyIsTheDefaultCommand() async throws {
        let named = try await Shcverify.run(["verify", OutputTests.card] + OutputTests.keys)
        let unnamed = try await Shcverify.run([OutputTests.card] + OutputTests.keys)
        #expect(named.stdout == unnamed.stdout)
        #expect(named.exitCode == 0 && unnamed.exitCode == 0)
    }

    @Test func argumentsAfterTwoHyphensAreFileNames() async throws {
        for name in ["--help", "-h", "--version", "help", "inspect", "--jwks=.k"] {
            let result = try await Shcverify.run(["--quiet", "--offline", "--", name])
            #expect(result.exitCode == 66, "\(name)")
        }
    }

    /// As with `cat`: only a directory's path may end with a slash.
    @Test func fileNameWithASlashAtTheEndIsUnreadable() async throws {
        for command in [[], ["verify"], ["inspect"], ["lint"], ["records"], ["batch"]] {
            let result = try await Shcverify.run(command + [OutputTests.card + "/"])
            #expect(result.exitCode == 66, "\(command)")
            #expect(result.stderr.contains("/: unreadable-input: cannot be read: "), "\(result.stderr)")
        }
        for option in ["--jwks", "--crl", "--anchor", "--codes", "--directory", "--ca-file"] {
            let result = try await Shcverify.run([option, OutputTests.card + "/", OutputTests.card])
            #expect(result.exitCode == 66, "\(option)")
            #expect(result.stderr.contains("/: cannot be read: "), "\(result.stderr)")
        }
    }

    @Test func emptyNameIsShownInQuotationMarks() async throws {
        for (arguments, words) in [
            ([""], "\"\": unreadable-input: "), (["batch", ""], "\"\": unreadable-input: "),
            (["lint", "--offline", ""], "\"\": unreadable-input: "),
            (["--jwks", "", OutputTests.card], "--jwks \"\": cannot be read: "),
            (["--anchor=", OutputTests.card], "--anchor \"\": cannot be read: "),
            (["lint", "--baseline", "", OutputTests.card], "--baseline \"\": cannot be read: "),
        ] {
            let result = try await Shcverify.run(arguments)
            #expect(result.exitCode == 66 && result.stderr.contains(words), "\(arguments): \(result.stderr)")
        }
    }

    /// These commands make requests, and refuse to run without a network.
    @Test(arguments: [
        ["directory", "audit"], ["directory", "collect", "https://a.example", "--output", "x"],
        ["fetch-cards", "https://fhir.example", "--patient", "1"],
    ]) func helpDoesNotListAnOptionThatIsAlwaysRefused(_ arguments: [String]) async throws {
        let command = Array(arguments.prefix { !$0.hasPrefix("https") })
        let help = try await Shcverify.run(command + ["--help"]).stdout
        #expect(!help.contains("\n  --offline") && help.contains("--timeout"))
        let result = try await Shcverify.run(arguments + ["--offline"])
        #expect(result.exitCode == 64 && !result.stderr.contains("Unknown option"), "\(result.stderr)")
    }

    @Test func escapeSequencesInArgumentsDoNotReachTheTerminal() async throws {
        for arguments in [
            ["--x\u{1B}[31m"], ["--at", "\u{1B}[2J", "x"], ["--jwks", "https://\u{1B}[2J", "x"], ["\u{1B}[2J"],
        ] {
            let result = try await Shcverify.run(arguments)
            #expect(result.exitCode != 0)
            #expect(!result.stderr.contains("\u{1B}") && !result.stdout.contains("\u{1B}"))
        }
    }

    @Test(arguments: ["true", "yes", "1", "on", "please"]) func everyValueButAClearNoRequiresTrust(_ value: String)
        async throws
    {
        let arguments = [OutputTests.card, "--offline"]
        #expect(try await Shcverify.run(arguments, environment: ["SHCVERIFY_REQUIRE_TRUSTED": value]).exitCode == 64)
    }

    @Test(arguments: ["", "0", "false", "NO"]) func aClearNoDoesNotRequireTrust(_ value: String) async throws {
        let arguments = [OutputTests.card, "--offline"]
        #expect(try await Shcverify.run(arguments, environment: ["SHCVERIFY_REQUIRE_TRUSTED": value]).exitCode == 20)
    }

    @Test func fileOfTwoKindsIsMalformed() async throws {
        let both = #"{"resourceType":"Parameters","parameter":[],"verifiableCredential":["a.b.c"]}"#
        let result = try await Shcverify.run(["-", "--offline"], stdin: Array(both.utf8))
        #expect(result.exitCode == 10)
        #expect(result.stderr.contains("malformed-input"))
    }
}
