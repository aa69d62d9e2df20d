import Credentials
import FHIR
import Foundation
import StrictJSON
import TestSupport
import Testing

/// What reports say first, and in which words: what a pass does not mean, and that a genuine card is over.
@Suite struct FirstLineTests {
    private static let at = "2026-06-01T00:00:00Z"
    private static let asOf = " (as of \(at), not now)"
    private static let keys = ["--offline", "--jwks", Paths.vector("keys/issuer-a.jwks.json")]
    private static let card = Paths.vector("cards/inputs/jws.jws")
    private static let expired = Paths.vector("cards/time/exp-past.jws")
    private static let certificate = Paths.vector("hcert/cards/valid-vaccination.hc1")
    private static let list = ["--directory", Paths.vector("hcert/trust/signers.pem"), "--offline"]
    private static let unrelated = ["--crl", Paths.vector("hcert/revocation/signature-unrelated.json")]

    private func page(_ arguments: [String]) async throws -> String {
        try await Shcverify.run(arguments + ["--format", "html"]).stdout
    }

    /// The lines of the table of checks, by their names.
    private func checks(_ text: String) -> [String: String] {
        var rows: [String: String] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("  ") {
            let words = line.drop { $0 == " " }
            let name = String(words.prefix { $0 != " " })
            if Check.Name(rawValue: name) != nil {
                rows[name] = words.dropFirst(name.count).trimmingCharacters(in: .whitespaces)
            }
        }
        return rows
    }

    @Test func plainPassIsGreenWithATick() async throws {
        let result = try await Shcverify.run([Self.card, "--color", "always"] + Self.keys)
        #expect(result.headline == "\u{1B}[1;32m✓ PASS\u{1B}[0m")
        let page = try await page([Self.card] + Self.keys)
        #expect(page.contains(#"<header class="good">"#) && page.contains("✓"))
    }

    @Test func passOfAnotherTimeSaysSoEverywhere() async throws {
        let arguments = [Self.card, "--at", Self.at] + Self.keys
        let result = try await Shcverify.run(arguments + ["--color", "always"])
        #expect(result.headline == "\u{1B}[1;33m? PASS\(Self.asOf)\u{1B}[0m")
        #expect(result.stdout.contains("\"shcverify explain as-of\" says more"))
        let page = try await page(arguments)
        #expect(page.contains("<h1>PASS\(Self.asOf)</h1>") && page.contains(#"<header class="unsure">"#))
        #expect(!page.contains("✓"))
        let several = try await Shcverify.run([Self.card] + arguments)
        #expect(several.stdout.hasSuffix("2 cards: 2 verified, 0 not; as of \(Self.at), not now\n"))
        let records = try await self.page(["records"] + arguments)
        #expect(
            records.contains("valid as of \(Self.at), which is not now")
                && records.contains(#"<header class="unsure">"#))
    }

    @Test func jsonSaysWhenItWasMade() async throws {
        let before = Date().timeIntervalSince1970 - 1
        let result = try await Shcverify.run([Self.card, "--at", Self.at, "--format", "json"] + Self.keys)
        let document = try JSONDocument.parse(Array(result.stdout.utf8))
        #expect(document["verifiedAt"]?.words == Self.at)
        let made = try #require(document["madeAt"]?.words.flatMap { NumericDate(text: $0) })
        #expect(made.sinceEpoch >= .seconds(Int64(before)))
        let now = try await Shcverify.run([Self.card, "--format", "json"] + Self.keys)
        let other = try JSONDocument.parse(Array(now.stdout.utf8))
        #expect(other["verifiedAt"]?.words == other["madeAt"]?.words)
    }

    // MARK: Revocation

    @Test func certificateThatWasLookedUpNowhereSaysSo() async throws {
        let at = "2022-06-01T00:00:00Z"
        let arguments = [Self.certificate, "--at", at] + Self.list
        let open = try await Shcverify.run(arguments)
        #expect(open.exitCode == 0)
        #expect(open.headline == "PASS (revocation not checked) (as of \(at), not now)")
        #expect(checks(open.stdout)["revocation"] == "not asked for   no list of revoked certificates was given")
        #expect(open.stdout.contains("\"shcverify explain revocation-not-checked\" says more"))
        #expect(try await Shcverify.run(arguments + Self.unrelated).headline == "PASS (as of \(at), not now)")
        let several = try await Shcverify.run([Self.certificate] + arguments)
        #expect(
            several.stdout.contains("2 cards: 2 verified, 0 not; 2 without a check of revocation; as of \(at), not now")
        )
        #expect(try await page(["records"] + arguments).contains("It was not checked whether the cards were revoked."))
    }

    @Test func recordsAndBatchesSayThatRevocationWasNotChecked() async throws {
        let arguments = ["--at", "2022-06-01T00:00:00Z"] + Self.list
        let text = try await Shcverify.run(["records", Self.certificate] + arguments)
        #expect(text.stdout.hasPrefix("PASS (revocation not checked)\nCard "), "\(text.stdout)")
        let looked = try await Shcverify.run(["records", Self.certificate] + arguments + Self.unrelated)
        #expect(looked.stdout.hasPrefix("Card "))
        let csv = try await Shcverify.run(["records", Self.certificate, "--format", "csv"] + arguments)
        #expect(
            csv.stderr
                == "shcverify: 1 card: 1 verified, 0 not; 1 without a check of revocation; as of 2022-06-01T00:00:00Z, not now\n"
        )
        let folder = try TemporaryDirectory()
        let line = try Paths.bytes(Self.certificate) + [0x0A]
        let file = try folder.write(String(decoding: line, as: UTF8.self), to: "cards")
        let state = folder.url.appendingPathComponent("state").path
        let note = "shcverify: 1 of the verified: revocation was not checked"
        let batch = ["batch", file, "--resume", state] + arguments
        #expect(try await Shcverify.run(batch).errorLines.dropFirst() == [note[...]])
        // A run that continues counts what was judged before.
        #expect(try await Shcverify.run(batch).errorLines.dropFirst() == [note[...]])
    }

    @Test(arguments: [["verify"], ["records"]]) func requiredRevocationIsRequiredByAllCommands(_ command: [String])
        async throws
    {
        let arguments = command + [Self.certificate, "--at", "issued"] + Self.list
        #expect(try await Shcverify.run(arguments).exitCode == 0)
        for required in [["--require-revocation"], []] {
            let environment = required.isEmpty ? ["SHCVERIFY_REQUIRE_REVOCATION": "1"] : [:]
            let result = try await Shcverify.run(arguments + required, environment: environment)
            #expect(result.exitCode == 21, "\(command)")
            #expect(result.stderr.contains("revocation-unavailable: ") && result.stderr.contains("--crl"))
            let looked = try await Shcverify.run(arguments + required + Self.unrelated, environment: environment)
            #expect(looked.exitCode == 0)
        }
    }

    @Test func requiredRevocationIsRequiredOfEachLine() async throws {
        let line = try Paths.bytes(Self.certificate)
        let arguments = ["batch", "--at", "issued"] + Self.list
        let open = try await Shcverify.run(arguments, stdin: line)
        #expect(open.exitCode == 0)
        #expect(open.stdout.contains(#"{"name":"revocation","status":"skipped","why":"not-asked"}"#))
        #expect(open.stdout.contains(#""verifiedAt":"2022-01-10T12:00:00Z","issued":"#))
        let required = try await Shcverify.run(arguments + ["--require-revocation"], stdin: line)
        #expect(required.exitCode == 21 && required.stdout.contains("revocation-unavailable"))
    }

    /// A batch for another signer of another country says nothing about a certificate.
    @Test func batchForAnotherSignerIsNoLookUp() async throws {
        let at = "2022-06-01T00:00:00Z"
        let other = ["--crl", Paths.vector("hcert/revocation/required-other-signer.json")]
        let arguments = [Self.certificate, "--at", at] + Self.list + other
        let open = try await Shcverify.run(arguments)
        #expect(open.exitCode == 0)
        #expect(open.headline == "PASS (revocation not checked) (as of \(at), not now)")
        #expect(
            checks(open.stdout)["revocation"]
                == "not asked for   no given list of revoked certificates is for this signer")
        let required = try await Shcverify.run(arguments + ["--require-revocation"])
        #expect(required.exitCode == 21 && required.stderr.contains("--crl"))
        #expect(try await Shcverify.run(arguments + Self.unrelated + ["--require-revocation"]).exitCode == 0)
    }

    // MARK: Genuine, and not what was asked for

    /// Something is wrong, but what the card says is signed.
    @Test(arguments: [
        (
            "cards/inputs/jws.jws", ["--record-type", "laboratory"], "FAIL (records-not-matching)",
            ", but the card does not have what was asked for. It says:", " (signed)"
        ),
        (
            "cards/time/nbf-in-future.jws", ["--at", "2026-06-01T00:00:00Z"],
            "FAIL (not-yet-valid) (as of 2026-06-01T00:00:00Z, not now)",
            ", but the card is not valid yet. It will say:",
            " (signed, but not valid yet)"
        ),
    ])
    func whatIsSignedIsNotCalledAClaim(
        _ card: String, options: [String], headline: String, notice: String, note: String
    ) async throws {
        let arguments = [Paths.vector(card)] + options
        for (trust, words) in [
            (Self.keys, "trusted: its keys were given"),
            (Self.keys + ["--trust", "https://issuer-a.example/cards"], "trusted: "),
        ] {
            let result = try await Shcverify.run(arguments + trust)
            #expect(result.headline == headline)
            #expect(result.stdout.contains("\nThe signature is valid\(notice)\nIssuer "), "\(result.stdout)")
            #expect(result.stdout.contains(words) && result.stdout.contains("\nFHIR Bundle\(note)\n"))
            #expect(!result.stdout.contains("NOT VERIFIED") && !result.stdout.contains("claim"))
            let page = try await page(arguments + trust)
            #expect(page.contains("The signature is valid\(notice)") && !page.contains("NOT VERIFIED"))
            #expect(page.contains(#"<section class="over">"#) && page.contains(#"<header class="bad">"#))
            let json = try await Shcverify.run(arguments + trust + ["--format", "json"])
            let card = try #require(try JSONDocument.parse(Array(json.stdout.utf8)).at("/cards/0"))
            #expect(card["verdict"]?.words == "fail" && card["claimsVerified"]?.compact == "false")
        }
        let stranger = try await Shcverify.run(arguments + Self.keys + ["--trust", "https://other.example"])
        #expect(stranger.headline == "FAIL (issuer-not-trusted)" && stranger.stdout.contains("NOT VERIFIED"))
    }

    @Test func unknownCodesAreSigned() async throws {
        let result = try await Shcverify.run(
            [Paths.vector("cards/records/code-newer.jws"), "--record-type", "covid19", "--at", Self.at] + Self.keys)
        #expect(result.exitCode == 26 && result.headline == "UNDETERMINED (codes-unknown)", "\(result.stderr)")
        #expect(
            result.stdout.contains(
                "\nThe signature is valid. Whether the card has what was asked for is not known. It says:\nIssuer "))
    }

    @Test func certificateWithoutTheRecordIsSigned() async throws {
        let early = try await Shcverify.run([Self.certificate, "--at", "2022-01-10T11:59:59Z"] + Self.list)
        #expect(early.headline == "FAIL (not-yet-valid) (as of 2022-01-10T11:59:59Z, not now)")
        #expect(early.stdout.contains("\nCertificate (signed, but not valid yet)\n"))
        let other = try await Shcverify.run(
            [Self.certificate, "--at", "2022-06-01T00:00:00Z", "--record-type", "recovery"] + Self.list)
        #expect(other.headline == "FAIL (records-not-matching)")
        let notice = "The signature is valid, but the card does not have what was asked for. It says:"
        #expect(other.stdout.contains("\n\(notice)\n"))
        #expect(other.stdout.contains("\nCertificate (signed)\n") && !other.stdout.contains("NOT VERIFIED"))
    }

    // MARK: Genuine, and over

    @Test func expiredCardIsCalledGenuine() async throws {
        let result = try await Shcverify.run([Self.expired] + Self.keys)
        #expect(result.exitCode == 15)
        #expect(result.headline == "EXPIRED (the signature is valid)")
        #expect(result.stdout.contains("\nEXPIRED. The signature is valid; until 2025-06-15 it said:\nIssuer "))
        #expect(
            result.stdout.contains("trusted: its keys were given")
                && result.stdout.contains("FHIR Bundle (signed, but no longer valid)"))
        #expect(!result.stdout.contains("NOT VERIFIED"))
        #expect(checks(result.stdout)["records"] == "not reached")
        let dated = try await Shcverify.run([Self.expired, "--at", Self.at] + Self.keys)
        #expect(dated.headline == "EXPIRED (the signature is valid)\(Self.asOf)")
        let json = try await Shcverify.run([Self.expired, "--format", "json"] + Self.keys)
        let card = try #require(try JSONDocument.parse(Array(json.stdout.utf8)).at("/cards/0"))
        #expect(card["verdict"]?.words == "fail" && card["claimsVerified"]?.compact == "false")
        let page = try await page([Self.expired] + Self.keys)
        #expect(page.contains("<h1>EXPIRED (the signature is valid)</h1>") && page.contains(#"<header class="bad">"#))
        #expect(page.contains(#"<section class="over">"#) && !page.contains("NOT VERIFIED"))
    }

    @Test func revokedCardIsCalledGenuine() async throws {
        let set = ["--jwks", Paths.vector("keys/issuer-a.jwks.json"), "--offline"]
        let list = ["--crl", Paths.vector("crls/revocation-listed.json")]
        let result = try await Shcverify.run([Paths.vector("cards/directory/snapshot-revoked.jws")] + set + list)
        #expect(result.exitCode == 16)
        #expect(result.headline == "REVOKED (the signature is valid)")
        #expect(result.stdout.contains("\nREVOKED. The signature is valid; until the issuer revoked it, it said:\n"))
    }

    /// Where something else is wrong, the report says what, and that the signature is valid.
    @Test(arguments: [
        (
            "time-exp-before-iat.hc1",
            "The signature is valid, but the card has expired, and it ends before it begins. It said:"
        ),
        (
            "order-validity-before-usage.hc1",
            "NOT VERIFIED. The signature is valid, but the card has expired, and its signer may not sign such records. It only claims the following:"
        ),
    ]) func whatWasNeverValidIsNotCalledGenuine(_ name: String, notice: String) async throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Paths.vector("hcert/cards"))
        let path = try #require(
            paths.first { $0.hasSuffix(name) || $0.contains(name.dropLast(4)) },
            "\(paths.filter { $0.contains("exp-before") || $0.contains("validity") })")
        let result = try await Shcverify.run([Paths.vector("hcert/cards/\(path)")] + Self.list)
        #expect(result.exitCode == 15)
        #expect(result.headline == "FAIL (expired)")
        #expect(result.stdout.contains("\n\(notice)\n"), "\(result.stdout)")
        let isClaim = notice.hasPrefix("NOT VERIFIED")
        #expect(result.stdout.contains("\nCertificate (as claimed, NOT VERIFIED)\n") == isClaim)
        #expect(result.stdout.contains(" (claimed)") == isClaim)
        let page = try await page([Paths.vector("hcert/cards/\(path)")] + Self.list)
        #expect(PageMarkup.text(of: page).contains(notice))
    }

    /// A card that has expired and that a given list names was not valid until it expired.
    @Test func expiredAndRevokedIsNotCalledOnlyExpired() async throws {
        let card = Paths.vector("cards/revocation/listed-and-expired.jws")
        let set = ["--offline", "--jwks", Paths.vector("keys/sets/revocation-listed.jwks.json")]
        #expect(try await Shcverify.run([card] + set).headline == "EXPIRED (the signature is valid)")
        let listed = try await Shcverify.run([card, "--crl", Paths.vector("crls/revocation-listed.json")] + set)
        #expect(listed.exitCode == 15 && listed.headline == "FAIL (expired)")
        let notice = "The signature is valid, but the card has expired, and a list of revoked cards names it. It said:"
        #expect(listed.stdout.contains("\n\(notice)\n") && !listed.stdout.contains("NOT VERIFIED"))
        let page = try await page([card, "--crl", Paths.vector("crls/revocation-listed.json")] + set)
        #expect(PageMarkup.text(of: page).contains(notice))
        let other = try await Shcverify.run([card, "--crl", Paths.vector("crls/revocation-not-listed.json")] + set)
        #expect(other.headline == "EXPIRED (the signature is valid)")

        let certificate = [Self.certificate, "--at", "2024-01-01T00:00:00Z"] + Self.list
        let words = "EXPIRED (the signature is valid) (as of 2024-01-01T00:00:00Z, not now)"
        #expect(try await Shcverify.run(certificate + Self.unrelated).headline == words)
        let revoked = try await Shcverify.run(certificate + ["--crl", Paths.vector("hcert/revocation/uci.json")])
        #expect(revoked.exitCode == 15 && revoked.headline == "FAIL (expired)")
    }

    /// "EXPIRED" and "REVOKED" mean that nothing else is wrong, also not with what was asked for.
    @Test(arguments: [["--record-type", "laboratory"], ["--since", "2025-02"]])
    func whatWasAskedForIsJudgedOfACardThatIsOver(_ options: [String]) async throws {
        let words = "and it does not have what was asked for. It said:"
        let expired = try await Shcverify.run([Self.expired] + Self.keys + options)
        #expect(expired.exitCode == 15 && expired.headline == "FAIL (expired)", "\(expired.stdout)")
        #expect(expired.stdout.contains("\nThe signature is valid, but the card has expired, \(words)\n"))
        #expect(expired.stdout.contains("FHIR Bundle (signed, but no longer valid)"))
        let met = try await Shcverify.run([Self.expired, "--record-type", "immunization"] + Self.keys)
        #expect(met.headline == "EXPIRED (the signature is valid)")
        let revoked = try await Shcverify.run(
            [
                Paths.vector("cards/directory/snapshot-revoked.jws"), "--crl",
                Paths.vector("crls/revocation-listed.json"),
            ]
                + Self.keys + options)
        #expect(revoked.exitCode == 16 && revoked.headline == "FAIL (revoked)")
        #expect(revoked.stdout.contains("\nThe signature is valid, but the issuer has revoked the card, \(words)\n"))
        let certificate = try await Shcverify.run(
            [Self.certificate, "--record-type", "recovery", "--at", "2024-01-01T00:00:00Z"] + Self.list)
        #expect(certificate.exitCode == 15 && certificate.headline == "FAIL (expired)")
        #expect(certificate.stdout.contains("\nThe signature is valid, but the card has expired, \(words)\n"))
        let unknown = try await Shcverify.run(
            [Paths.vector("cards/records/code-test.jws"), "--record-type", "covid19", "--at", "2025-06-14T00:00:00Z"]
                + Self.keys)
        #expect(
            unknown.stdout.contains(
                "the card is not valid yet, and whether it has what was asked for is not known. It will say:"),
            "\(unknown.stdout)")
    }

    /// A card whose revocation is not known has a valid signature all the same.
    @Test func signatureOfACardWithoutAListIsValid() async throws {
        let result = try await Shcverify.run(
            [Self.certificate, "--at", "2022-06-01T00:00:00Z", "--require-revocation"] + Self.list)
        #expect(result.exitCode == 21 && result.headline == "UNDETERMINED (revocation-unavailable)")
        #expect(
            result.stdout.contains(
                "\nThe signature is valid. Whether the card was revoked is not known. It says:\nIssuer "))
        #expect(result.stdout.contains("\nCertificate (signed)\n"))
    }

    /// An issuer is not trusted only if that was judged.
    @Test func whatWasNotJudgedIsNoDistrust() async throws {
        let set = ["--jwks", "https://other.example=" + Paths.vector("keys/issuer-a.jwks.json"), "--offline"]
        let card = try await Shcverify.run([Self.card] + set)
        #expect(card.exitCode == 20 && checks(card.stdout)["issuer-trust"]?.hasPrefix("not reached") == true)
        #expect(card.stdout.contains(" (claimed)\n") && !card.stdout.contains("NOT TRUSTED"), "\(card.stdout)")
        let json = try await Shcverify.run([Self.card, "--format", "json"] + set)
        let document = try JSONDocument.parse(Array(json.stdout.utf8))
        #expect(document.at("/cards/0/issuer/trust")?.words == "unchecked")
        let refused = try await Shcverify.run([Self.card, "--require-trusted"] + set)
        #expect(refused.exitCode == 13 && refused.stdout.contains(" (NOT TRUSTED)\n"))
        let stranger = try await Shcverify.run(
            [Self.certificate, "--directory", Paths.vector("hcert/trust/dsc-stranger.pem"), "--offline"])
        #expect(stranger.exitCode == 12 && checks(stranger.stdout)["issuer-trust"]?.hasPrefix("not reached") == true)
        #expect(stranger.stdout.contains(" (claimed)\n") && !stranger.stdout.contains("NOT TRUSTED"))
    }

    @Test func forgedCardIsNotCalledExpired() async throws {
        let result = try await Shcverify.run([Paths.vector("cards/order/signature-before-validity.jws")] + Self.keys)
        #expect(result.headline == "FAIL (signature-invalid)" && result.stdout.contains("NOT VERIFIED"))
        let never = try await Shcverify.run([Paths.vector("cards/time/at-issued-exp-before-nbf.jws")] + Self.keys)
        #expect(never.headline == "FAIL (expired)")
        let other = try await Shcverify.run([Self.expired, "--trust", "https://other.example"] + Self.keys)
        #expect(other.headline == "FAIL (issuer-not-trusted)")
    }

    // MARK: Each as of its own issue

    @Test func issuedJudgesEachAsOfItsOwnIssue() async throws {
        let both = try await Shcverify.run(
            [Self.expired, Self.certificate, "--at", "issued"] + Self.keys + Self.list)
        #expect(both.exitCode == 0, "\(both.stderr)")
        #expect(both.headline == "PASS (as of 2025-06-15T15:06:40Z, not now)")
        #expect(both.stdout.contains("\nPASS (revocation not checked) (as of 2022-01-10T12:00:00Z, not now)\n"))
        #expect(both.stdout.contains("; as of the issue of each, not now"))
    }

    @Test(arguments: ["lint", "inspect"]) func issuedIsOnlyForVerification(_ command: String) async throws {
        let result = try await Shcverify.run([command, Self.card, "--at", "issued"])
        #expect(result.exitCode == 64 && result.stderr.contains("only for commands that verify cards"))
    }

    @Test func timeOfALineIsAMemberOfItsOwn() async throws {
        let line = try Paths.bytes(Self.expired)
        let fields = ["batch", "--fields", "verdict,verifiedAt"] + Self.keys
        let result = try await Shcverify.run(fields + ["--at", "issued"], stdin: line)
        #expect(result.stdout == #"{"verdict":"pass","verifiedAt":"2025-06-15T15:06:40Z"}"# + "\n")
        #expect(try await Shcverify.run(fields, stdin: line).exitCode == 64)
    }

    // MARK: Words

    /// "skipped" means three things, which have words of their own.
    @Test func skippedChecksSayWhy() async throws {
        let result = try await Shcverify.run([Self.card] + Self.keys)
        let rows = checks(result.stdout)
        #expect(rows["revocation"] == "does not apply  the key has no revocation list")
        #expect(rows["records"] == "not asked for   no records were required")
        #expect(!result.stdout.contains("skipped"))
        #expect(try await !page([Self.card] + Self.keys).contains("skipped"))
    }

    /// Every word that a report prints for people or in JSON has an explanation.
    @Test func everyWordOfAReportIsExplained() async throws {
        var words =
            Check.Status.allCases.map(\.rawValue) + Check.SkipReason.allCases.flatMap { [$0.rawValue, $0.words] }
        words += (Check.Name.allCases + [.link, .checkIn]).map(\.rawValue) + IssuerTrust.allCases.map(\.rawValue)
        words += KeyOrigin.allCases.map(\.rawValue) + InputForm.allCases.map(\.rawValue)
        words += DisplaySource.allCases.map(\.rawValue) + ["immunization", "laboratory", "recovery", "covid19"]
        words += ["smart-health-card", "eu-digital-covid-certificate", "pass", "fail", "undetermined"]
        words += [
            "issuer-not-checked", "issuer not checked", "revocation-not-checked", "as-of", "As of", "not checked",
            "claimed",
        ]
        words += [
            "NOT VERIFIED", "NOT TRUSTED", "PASS", "FAIL", "UNDETERMINED", "EXPIRED", "REVOKED", "verified-at",
            "made-at",
        ]
        words += ReasonCode.allCases.map(\.rawValue) + CredentialWarning.Code.allCases.map(\.rawValue)
        for word in Set(words) {
            let result = try await Shcverify.run(["explain", word])
            #expect(result.exitCode == 0, "\(word)")
            #expect(result.stdout.split(separator: "\n").count >= 2, "\(word)")
        }
    }

    @Test(arguments: [
        ("issuer-not-chekced", "issuer-not-checked"), ("isuer-not-checked", "issuer-not-checked"),
        ("unchekced", "unchecked"),
        ("not-reachd", "not-reached"),
    ]) func nearWordsOfReportsAreSuggested(_ word: String, meant: String) async throws {
        let result = try await Shcverify.run(["explain", word])
        #expect(result.exitCode == 64 && result.stderr.contains("Did you mean \"\(meant)\"?"), "\(result.stderr)")
    }

    /// What a given key set lacks says nothing about what the issuer publishes.
    @Test func missingKeyIsSoughtWhereItWasLookedFor() async throws {
        let set = try TemporaryDirectory()
        let keys = try set.write(#"{"keys":[]}"#, to: "none.json")
        let result = try await Shcverify.run([Self.card, "--offline", "--jwks", "\(OutputTests.issuer)=\(keys)"])
        #expect(result.exitCode == 12)
        #expect(result.stderr.contains("no given key has the key ID") && !result.stderr.contains("publishes"))
    }

    /// The page on a card says nothing about certificates.
    @Test func explanationIsForTheKindOfCredential() async throws {
        #expect(try await !page([Self.card, "--offline"]).contains("EU certificate"))
        let page = try await page([Self.certificate, "--offline"])
        #expect(page.contains("No trust list of signers was given") && !page.contains("issuer&#39;s keys could not"))
    }
}
