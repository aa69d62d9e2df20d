import Foundation
import StrictJSON
import TestSupport
import Testing

/// `codes update`, `codes show`, and what installed lists change.
@Suite(.timeLimit(.minutes(10))) struct CodesTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private var data: String { folder.url.appendingPathComponent("data").path }
    private var system: String { folder.url.appendingPathComponent("system").path }

    private func run(_ arguments: [String], stdin: [UInt8] = []) async throws -> Shcverify.Result {
        try await Shcverify.run(
            arguments, stdin: stdin, environment: ["XDG_DATA_HOME": data, "SHCVERIFY_SYSTEM_DIR": system])
    }

    private func file(_ text: String, _ name: String = UUID().uuidString) throws -> String {
        try folder.write(text, to: name)
        return folder.url.appendingPathComponent(name).path
    }

    private func update(_ text: String, _ options: String...) async throws -> Shcverify.Result {
        try await run(["codes", "update", "--from", file(text)] + options)
    }

    /// Rows of CDC's cvx.txt.
    private static func cvx(_ rows: (Int, String)..., date: String = "2026/10/01") -> String {
        rows.map { code, name in "\(code)       |\(name)|\(name)||Active|False|\(date)\r\n" }.joined()
    }

    private static let newShot = cvx((399, "COVID-19, mRNA, of next year"))
    private static let card = Paths.root.appendingPathComponent("TestVectors/cards/records/code-newer.jws").path
    private static let options = [
        "--jwks", Paths.root.appendingPathComponent("TestVectors/keys/issuer-a.jwks.json").path, "--offline", "--at",
        "2026-06-01T00:00:00Z",
    ]
    private static let unknown =
        #"its code "399" of "http://hl7.org/fhir/sid/cvx" is in no list that is known here, and the newest list of that code system is of 2025-09-03"#
    private static let verify = [card] + options + ["--record-type", "covid19"]

    private func display(_ code: String) async throws -> String? {
        let result = try await run(["codes", "show", code, "--format", "json"])
        return try JSONDocument.parse(Array(result.stdout.utf8)).at("/codes/0/display")?.words
    }

    // MARK: What they are for

    @Test func aCardOfNextYearPassesAfterAnUpdate() async throws {
        let before = try await run(Self.verify)
        #expect(before.exitCode == 26)
        let quiet = try await run(Self.verify + ["--quiet"])
        #expect(quiet.exitCode == 26 && quiet.stdout.isEmpty)
        // Whoever updates the lists has to know which code is new. A code names no person.
        for result in [before, quiet] {
            #expect(result.stderr.contains("codes-unknown"))
            #expect(result.stderr.contains(Self.unknown) && result.stderr.contains("shcverify codes update"))
        }

        let updated = try await update(Self.newShot)
        #expect(updated.exitCode == 0, "\(updated.stderr)")
        #expect(updated.stdout.contains("CVX, 1 code, as of 2026-10-01"))

        let after = try await run(Self.verify + ["--format", "json"])
        #expect(after.exitCode == 0, "\(after.stderr)")
        let document = try JSONDocument.parse(Array(after.stdout.utf8))
        #expect(document.at("/cards/0/records/0/display")?.words == "COVID-19, mRNA, of next year")
        #expect(document.at("/cards/0/records/0/displaySource")?.words == "cvx")
        let lists = try #require(document.at("/codeLists")?.elements)
        #expect(
            lists.contains {
                $0["name"]?.words == "CVX" && $0["date"]?.words == "2026-10-01" && $0["source"]?.words == "installed"
            })
        #expect(
            lists.contains {
                $0["name"]?.words == "CVX" && $0["date"]?.words == "2025-09-03" && $0["source"]?.words == "built-in"
            })
        #expect(try await run(["--version"]).stdout.contains("CVX of 2026-10-01, installed"))
        let page = try await run(Self.verify + ["--format", "html"])
        #expect(page.stdout.contains("CVX of 2026-10-01 (installed)"))
    }

    @Test func batchAnswersAsVerify() async throws {
        let line = try Paths.bytes(Self.card)
        let before = try await run(["batch", "-", "--record-type", "covid19"] + Self.options, stdin: line)
        #expect(before.exitCode == 26)
        #expect(before.stdout.contains(#""reason":{"code":"codes-unknown""#))
        #expect(before.stdout.contains(#""verdict":"undetermined""#))
        let document = try JSONDocument.parse(Array(before.stdout.utf8))
        let message = try #require(document.at("/reason/message")?.words)
        #expect(message.contains(Self.unknown) && message.contains("shcverify codes update"), "\(message)")
        let quiet = try await run(["batch", "-", "--record-type", "covid19", "--quiet"] + Self.options, stdin: line)
        #expect(quiet.exitCode == 26 && !quiet.stderr.contains("Anyperson"), "\(quiet.stderr)")
        _ = try await update(Self.newShot)
        #expect(try await run(["batch", "-", "--record-type", "covid19"] + Self.options, stdin: line).exitCode == 0)
    }

    @Test func recordsLeavesOutWhatIsNotKnown() async throws {
        let before = try await run(
            ["records", Self.card, "--record-type", "covid19", "--format", "json"] + Self.options)
        #expect(before.exitCode == 0)
        #expect(before.stdout.contains(#""records": []"#))
        #expect(before.errorLines.count == 1)
        #expect(before.stderr.contains("1 record was left out, because no list has its codes"))
        let signed = Self.card.replacing("code-newer", with: "code-newer-with-type")
        let typed = try await run(["records", signed, "--record-type", "covid19", "--format", "json"] + Self.options)
        #expect(typed.stdout.contains(#""code": "399""#))
        #expect(typed.stderr.isEmpty)
        _ = try await update(Self.newShot)
        let after = try await run(
            ["records", Self.card, "--record-type", "covid19", "--format", "json"] + Self.options)
        #expect(after.stdout.contains(#""code": "399""#))
        #expect(after.stderr.isEmpty)
    }

    /// A known record about COVID-19 explains the card's type, so it says nothing of an unknown one.
    @Test func allCommandsAskWhetherTheTypeIsExplained() async throws {
        let cards = Paths.root.appendingPathComponent("TestVectors/cards/records").path
        let options = Self.options + ["--record-type", "covid19", "--since", "2025"]
        let explained = cards + "/code-explained-since.jws"
        for format in ["text", "json", "html"] {
            let result = try await run([explained, "--format", format] + options)
            #expect(result.exitCode == 26)
            #expect(result.stdout.contains("codes-unknown"))
        }
        let local = try await run([explained, "--quiet"] + options)
        // CDC's lists do not have the issuer's own codes.
        #expect(local.stderr.contains("there is no list of that code system"))
        #expect(local.stderr.contains("\"shcverify codes update --from FILE\""))
        #expect(!local.stderr.contains("update the lists"))
        #expect(try await run(["batch", "-"] + options, stdin: Paths.bytes(explained)).exitCode == 26)
        let records = try await run(["records", explained, "--format", "json"] + options)
        #expect(records.stdout.contains(#""records": []"#))
        #expect(records.stderr.contains("1 record was left out"))
        let unexplained = try await run(["records", cards + "/code-type-since.jws", "--format", "json"] + options)
        #expect(unexplained.stdout.contains(#""code": "399""#))
        #expect(unexplained.stderr.isEmpty)
    }

    @Test func aListThatIsNotUnderstoodAsAWholeIsRefused() async throws {
        let exclude =
            #"{"system":"http://hl7.org/fhir/sid/cvx","filter":[{"property":"group","op":"=","value":"FLU"}]}"#
        let concepts = #"[{"code":"399","display":"COVID-19"},{"code":"140","display":"flu"}]"#
        for json in [
            #"{"resourceType":"ValueSet","url":"u","compose":{"include":[{"system":"http://hl7.org/fhir/sid/cvx","concept":\#(concepts)}],"exclude":[\#(exclude)]}}"#,
            #"{"resourceType":"ValueSet","url":"u","expansion":{"total":5000,"contains":[{"system":"http://hl7.org/fhir/sid/cvx","code":"399","display":"COVID-19"}]}}"#,
            #"{"resourceType":"CodeSystem","url":"http://hl7.org/fhir/sid/cvx","concept":[{"code":"399","display":"COVID-19"},{"code":5}]}"#,
        ] {
            let updated = try await update(json)
            #expect(updated.exitCode == 66)
            #expect(updated.stderr.contains("it is not understood as a whole"))
            #expect(try await run(Self.verify + ["--codes", file(json)]).exitCode == 64)
        }
        #expect(try await update("").stderr.contains("the file is empty"))
        #expect(try await run(Self.verify).exitCode == 26)
    }

    /// Lists that cannot tell leave it open, and lists that can are asked for every name.
    @Test(arguments: [
        (
            #"{"resourceType":"ValueSet","url":"u","compose":{"include":[{"system":"http://hl7.org/fhir/sid/cvx","concept":[{"code":"399"}]}]}}"#,
            26
        ),
        (#"{"valueSetId":"u","valueSetValues":{"399":{"display":"x","system":"http://hl7.org/fhir/sid/cvx"}}}"#, 26),
        (
            #"{"resourceType":"CodeSystem","title":"COVID-19","url":"http://hl7.org/fhir/sid/cvx","concept":[{"code":"399","display":"flu"}]}"#,
            17
        ),
        (
            #"{"resourceType":"CodeSystem","url":"http://hl7.org/fhir/sid/cvx","concept":[{"code":"399","display":"x","designation":[{"value":"COVID-19"}]}]}"#,
            0
        ),
        ("Newvax|COVID-19, mRNA|399       |Maker|MKR       |Active|Active|2026/10/01|", 0),
        ("Newvax|influenza|399       |Maker|MKR       |Active|Active|2026/10/01|", 17),
    ])
    func givenAndInstalledListsSayTheSame(_ list: String, _ exitCode: Int32) async throws {
        #expect(try await run(Self.verify + ["--codes", file(list)]).exitCode == exitCode)
        #expect(try await update(list).exitCode == 0)
        #expect(try await run(Self.verify).exitCode == exitCode)
    }

    /// Codes of other systems than CDC's are looked for only where a record is judged by them. If only the part that is built in is in use,
    /// a code that is not in it may be right.
    @Test func lintLooksForCodesOfOtherSystems() async throws {
        func entry(_ resource: String) -> String { #"{"fullUrl":"resource:0","resource":{\#(resource)}}"# }
        let code = #"{"system":"http://snomed.info/sct","code":"10871000172106"}"#
        let shot = #""resourceType":"Immunization","status":"completed","vaccineCode":{"coding":[CODES]}"#
        let cases = [
            (shot.replacing("CODES", with: #"{"system":"http://snomed.info/sct","code":"999"}"#), true),
            (shot.replacing("CODES", with: code), false),
            (shot.replacing("CODES", with: #"{"system":"http://snomed.info/sct","code":"999"},\#(code)"#), false),
            (
                #""resourceType":"Condition","code":{"coding":[{"system":"http://snomed.info/sct","code":"999"}]}"#,
                false
            ),
            (
                #""resourceType":"Observation","status":"final","code":{"coding":[{"system":"http://snomed.info/sct","code":"999"}]}"#,
                true
            ),
        ]
        for isInstalled in [false, true] {
            if isInstalled {
                let list =
                    #"{"resourceType":"CodeSystem","url":"http://snomed.info/sct","date":"2026-09-01","concept":[{"code":"1","display":"x"}]}"#
                #expect(try await update(list).exitCode == 0)
            }
            for (resource, isUnknown) in cases {
                let bundle = #"{"resourceType":"Bundle","type":"collection","entry":[\#(entry(resource))]}"#
                let result = try await run(["lint", "--as", "bundle", file(bundle), "--format", "json"])
                let found = result.stdout.contains(#""code-unknown""#)
                #expect(found == isUnknown, "\(resource)")
                guard found else { continue }
                let finding = try #require(
                    JSONDocument.parse(Array(result.stdout.utf8))["findings"]?.elements?
                        .first { $0["code"]?.words == "code-unknown" })
                #expect(finding["severity"]?.words == (isInstalled ? "warning" : "unchecked"))
                let message = try #require(finding["message"]?.words)
                #expect(
                    message.contains(
                        isInstalled ? "2026-09-01" : "only a part of that code system is built in, of 2023-02-03"))
            }
        }
    }

    /// A code of next year is no error in any profile. What it is, the lists in use decide.
    @Test func noProfileCallsANewCodeWrong() async throws {
        let lint = ["lint", Self.card, "--offline", "--jwks", Self.options[1], "--format", "json"]
        func findings(_ profile: String) async throws -> (errors: Int64?, rules: [String?], severities: [String?]) {
            let result = try await run(lint + ["--profile", profile])
            let document = try JSONDocument.parse(Array(result.stdout.utf8))
            let found = document["findings"]?.elements?.filter {
                $0["path"]?.words?.contains("vaccineCode") == true && $0["code"]?.words == "profile-error"
            }
            #expect(document["errors"]?.number?.integer == (result.exitCode == 0 ? 0 : 1), "\(result.stdout)")
            return (
                document["errors"]?.number?.integer, found?.map { $0["rule"]?.words } ?? [],
                found?.map { $0["severity"]?.words } ?? []
            )
        }
        let profiles = ["shc-vaccination-dm", "shc-vaccination-ad", "usa-covid19-immunization"]
        for profile in profiles {
            let unknown = try await findings(profile)
            #expect(unknown.errors == 0 && unknown.severities == ["unchecked"], "\(profile) \(unknown)")
        }
        _ = try await update(Self.newShot)
        for profile in profiles {
            let known = try await findings(profile)
            #expect(known.errors == 0 && known.rules.isEmpty, "\(profile) \(known)")
        }
        // Another vaccine is one of CVX, and none against COVID-19.
        _ = try await update(Self.cvx((399, "Influenza, of next year"), date: "2026/11/01"))
        #expect(try await findings(profiles[0]).errors == 0)
        #expect(try await findings(profiles[2]).rules == ["profile-error/vaccine-code"])
    }

    @Test func noControlCharacterIsInstalled() async throws {
        let json =
            #"""
            {"resourceType":"ValueSet","url":"u\u0009v","title":"T\u0009x\u009by",
             "compose":{"include":[{"system":"urn:x","concept":[{"code":"1","display":"a\u0009b\u007fc"}]}]}}
            """#
        let path = try file(json, "na\u{09}me.json")
        #expect(try await run(["codes", "update", "--from", path]).exitCode == 0)
        let shown = try await run(["codes", "show", "--format", "json"])
        #expect(shown.stdout.contains("T x y"))
        #expect(!shown.stdout.contains(#"\t"#))
        #expect(try await display("urn:x|1") == "a b c")
    }

    // MARK: Installing

    @Test func allFormsAreInstalledTogether() async throws {
        let trade = try file("NEWVAX|new|399       |New Maker|NWM       |Active|Active|2026/10/02|\r\n")
        let makers = try file("NWM       |New Maker, Inc||Active    |2026/10/03\r\n")
        let groups = try file("new|399       |Active|COVID-19|213\r\n")
        let fhir = try file(
            #"{"resourceType":"CodeSystem","url":"https://x.example/cs","title":"Own","date":"2026-01-02","concept":[{"code":"1","display":"One"}]}"#
        )
        let eu = try file(
            #"{"valueSetId":"vaccines-covid-19-names","valueSetDate":"2026-01-02","valueSetValues":{"EU/1/26/1":{"display":"New","lang":"en","active":true,"version":"","system":"https://ec.europa.eu/health/documents/community-register/html/"}}}"#
        )
        let updated = try await run([
            "codes", "update", "--from", file(Self.newShot), trade, makers, "--from", groups, fhir, eu,
        ])
        #expect(updated.exitCode == 0, "\(updated.stderr)")
        #expect(updated.stdout.split(separator: "\n").count == 6)
        #expect(updated.stdout.contains("CVX groups, 1 code, without a date of its own"))
        let shown = try await run(["codes", "show"])
        for words in [
            "CVX trade names\tof 2026-10-02", "MVX\tof 2026-10-03", "Own\tof 2026-01-02",
            "vaccines-covid-19-names\tof 2026-01-02",
        ] {
            #expect(shown.stdout.contains(words), "\(words)")
        }
        #expect(shown.stdout.contains("installed on "))
        #expect(!shown.stdout.contains(folder.url.path), "no folders of this machine")
        let found = try await run(["codes", "show", "newvax"])
        #expect(found.stdout.contains("\t399\tCOVID-19, mRNA, of next year\tgroup COVID-19\t"))
        #expect(found.stdout.hasSuffix("\tNEWVAX\n"))
        #expect(try await run(["codes", "show", "NWM"]).stdout.contains("New Maker, Inc"))
        #expect(try await run(["codes", "show", "EU/1/26/1"]).exitCode == 0)
        let missing = try await run(["codes", "show", "no such code"])
        #expect(missing.exitCode == 26)
        #expect(missing.stdout.isEmpty)
    }

    @Test func oneBadListKeepsAllOut() async throws {
        let good = try file(Self.newShot)
        for bad in [
            "<html>", "", "399|x", #"{"resourceType":"Bundle"}"#,
            #"{"resourceType":"ValueSet","url":"x","compose":{"include":[{"system":"s","filter":[{"property":"p","op":"=","value":"v"}]}]}}"#,
            #"{"resourceType":"ValueSet","compose":{"include":[{"system":"s","concept":[{"code":"1"}]}]}}"#,
        ] {
            let result = try await run(["codes", "update", "--from", good, file(bad)])
            #expect(result.exitCode == 66, "\(bad)")
            #expect(result.errorLines.count == 1)
            #expect(result.stderr.contains("nothing was installed"))
            #expect(try await run(Self.verify).exitCode == 26)
        }
        #expect(try await run(["codes", "update", "--from", good, "/no/such/file"]).exitCode == 66)
    }

    @Test func aListOfHalfTheSizeOrAnOlderDateIsRefused() async throws {
        let list = { (count: Int, date: String) in
            (0..<count).map { Self.cvx((400 + $0, "vaccine \($0)"), date: date) }.joined()
        }
        #expect(try await update(list(10, "2026/05/01")).exitCode == 0)
        let small = try await update(list(4, "2026/06/01"))
        #expect(small.exitCode == 66)
        #expect(small.stderr.contains("it has 4 codes, and the installed list has 10"))
        #expect(try await update(list(5, "2026/06/01")).exitCode == 0)
        let old = try await update(list(5, "2026/05/31"))
        #expect(old.exitCode == 66)
        #expect(old.stderr.contains("it is of 2026-05-31, and the installed list is of 2026-06-01"))
        #expect(try await run(["codes", "show", "vaccine 4"]).exitCode == 0)
        let future = try await update(list(5, "2999/01/01"))
        #expect(future.exitCode == 66)
        #expect(try await update(list(1, "2020/01/01"), "--force").exitCode == 0)
        #expect(try await run(["codes", "show", "vaccine 4"]).exitCode == 26)
        #expect(try await run(["codes", "show", "vaccine 0"]).exitCode == 0)
    }

    @Test func aListOfTheFutureDoesNotBlockLaterOnes() async throws {
        #expect(try await update(Self.cvx((399, "x"), date: "2999/01/01"), "--force").exitCode == 0)
        #expect(try await update(Self.newShot).exitCode == 0)
    }

    @Test func theSystemsListsAreForAllUsers() async throws {
        #expect(
            try await update(Self.cvx((399, "COVID-19, of the system"), date: "2026/05/01"), "--system").exitCode == 0)
        #expect(try await display("399") == "COVID-19, of the system")
        #expect(try await run(Self.verify).exitCode == 0)
        #expect(try await update(Self.cvx((399, "COVID-19, older"), date: "2026/04/01")).exitCode == 0)
        #expect(try await display("399") == "COVID-19, of the system")
        #expect(try await update(Self.cvx((399, "COVID-19, newer"), date: "2026/06/01")).exitCode == 0)
        #expect(try await display("399") == "COVID-19, newer")
    }

    @Test func whatOthersCouldHaveWrittenIsNotUsed() async throws {
        #expect(try await update(Self.newShot, "--system").exitCode == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: system)
        let result = try await run(Self.verify)
        #expect(result.exitCode == 26)
        #expect(result.stderr.contains("cannot be relied on"))
        #expect(try await update(Self.newShot, "--system").exitCode == 1)
    }

    private var installed: String { data + "/shcverify/codes" }
    private static let groups = "spike|399|Active|COVID-19|213\n"

    /// What can be wrong with an installation.
    enum Damage: String, CaseIterable {
        case cut, changed, empty, tooLarge, otherVersion, noFile, danglingLink, loop, plainFile, writable
    }

    private func damage(_ kind: Damage) throws {
        let (manager, file) = (FileManager.default, installed + "/code-lists")
        switch kind {
        case .cut: try Data(Paths.bytes(file).dropLast(100)).write(to: URL(fileURLWithPath: file))
        case .empty: try Data().write(to: URL(fileURLWithPath: file))
        case .tooLarge: #expect(truncate(file, 65 << 20) == 0)
        case .changed, .otherVersion:
            let text = String(decoding: try Paths.bytes(file), as: UTF8.self)
            let changed =
                kind == .changed
                ? text.replacing("of next", with: "of last") : text.replacing("lists 1", with: "lists 2")
            #expect(changed != text)
            try Data(changed.utf8).write(to: URL(fileURLWithPath: file))
        case .noFile: try manager.removeItem(atPath: file)
        case .danglingLink, .loop, .plainFile:
            try manager.removeItem(atPath: installed)
            if kind == .plainFile { return try Data().write(to: URL(fileURLWithPath: installed)) }
            try manager.createSymbolicLink(
                atPath: installed, withDestinationPath: kind == .loop ? "codes" : "codes-1-nothing")
        case .writable: try manager.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)
        }
    }

    /// A damaged installation must not be in use, nor be silent, nor block the updates of a timer.
    @Test(arguments: Damage.allCases) func aDamagedInstallationIsLeftOutAndReplaced(_ kind: Damage) async throws {
        #expect(try await run(["codes", "update", "--from", file(Self.newShot), file(Self.groups)]).exitCode == 0)
        try damage(kind)
        let result = try await run(Self.verify + ["--quiet"])
        #expect(result.exitCode == 26)
        #expect(result.errorLines.count { $0.contains("is left out") } == 1, "\(result.stderr)")
        let words = kind == .writable ? "cannot be relied on, and is left out" : "cannot be used, and is left out"
        #expect(result.stderr.contains(words))
        let status = try await run(["status", "--require", "codes"])
        #expect(status.exitCode == 20 && status.stdout.contains("codes     unusable  user: "), "\(status.stdout)")
        // It is not known whether this list is older than the lost one.
        let updated = try await update(Self.cvx((399, "COVID-19, again"), date: "2026/01/01"))
        #expect(updated.exitCode == 0, "\(updated.stderr)")
        #expect(updated.errorLines.count == 1, "\(updated.stderr)")
        #expect(updated.stderr.contains("They are replaced, and cannot be compared with the new ones."))
        let isNamed = [.cut, .changed, .otherVersion, .tooLarge].contains(kind)
        #expect(updated.stderr.contains("They were: CVX, CVX groups") == isNamed, "\(updated.stderr)")
        let after = try await run(Self.verify)
        #expect(after.exitCode == 0 && after.stderr.isEmpty, "\(after.stderr)")
        #expect(try await display("399") == "COVID-19, again")
    }

    /// Restored from a backup that follows links, for example.
    @Test func aRealFolderIsUsedAndReplaced() async throws {
        #expect(try await update(Self.newShot).exitCode == 0)
        let manager = FileManager.default
        let real = data + "/shcverify/" + (try target())
        try manager.removeItem(atPath: installed)
        try manager.moveItem(atPath: real, toPath: installed)
        #expect(try await run(Self.verify).exitCode == 0)
        let older = try await update(Self.cvx((399, "older"), date: "2026/01/01"))
        #expect(older.exitCode == 66, "its lists are compared")
        for _ in 0..<2 {
            let updated = try await update(Self.newShot)
            #expect(updated.exitCode == 0 && updated.stderr.isEmpty, "\(updated.stderr)")
            #expect(try await run(Self.verify).exitCode == 0)
        }
        #expect(
            try manager.contentsOfDirectory(atPath: data + "/shcverify").filter { $0.hasPrefix("codes") }.count == 3)
        #expect(try target().hasPrefix("codes-"))
    }

    private func target() throws -> String { try FileManager.default.destinationOfSymbolicLink(atPath: installed) }

    @Test func theSystemsFolderThatCannotBeReadIsNamed() async throws {
        try Data().write(to: URL(fileURLWithPath: system))
        #expect(try await !run(Self.verify).stderr.contains("left out"), "there is certainly no list in a file")
        try FileManager.default.removeItem(atPath: system)
        try FileManager.default.createSymbolicLink(atPath: system, withDestinationPath: "system")
        let result = try await run(Self.verify)
        #expect(result.exitCode == 26)
        let warnings = result.errorLines.filter { $0.contains("left out") }
        #expect(warnings.count == 1 && result.stderr.contains("\(system) cannot be used"), "\(result.stderr)")
    }

    /// Commands that use no lists do not read them, and the others read them once.
    @Test func warningsAppearOnce() async throws {
        #expect(try await update(Self.newShot).exitCode == 0)
        try damage(.cut)
        for arguments in [
            ["explain", "20"], ["schema"], ["inspect", Self.card], ["--help"], ["directory", "--help"],
        ] {
            let result = try await run(arguments)
            #expect(result.exitCode == 0 && result.stderr.isEmpty, "\(arguments) \(result.stderr)")
        }
        for arguments in [["codes", "show"], ["--version"], ["verify", "--version"]] {
            let result = try await run(arguments)
            #expect(result.exitCode == 0 && result.errorLines.count == 1, "\(arguments) \(result.stderr)")
        }
    }

    /// What is installed can be read again.
    @Test func moreListsThanCanBeReadAreRefused() async throws {
        let name = String(repeating: "\u{1F489}", count: 300)
        let list = { (id: Int) in
            let codes = (0..<12_800).map { #"{"code":"\#(id)-\#($0)","display":"\#(name)"}"# }
            return
                #"{"resourceType":"CodeSystem","url":"https://x.example/\#(id)","concept":[\#(codes.joined(separator: ","))]}"#
        }
        let files = try (0..<5).map { try file(list($0), "\($0).json") }
        let all = try await run(["codes", "update", "--from"] + files)
        #expect(all.exitCode == 66)
        #expect(
            all.stderr.contains("4.json: with it, the installed lists would have more than 64 MiB"), "\(all.stderr)")
        #expect(!FileManager.default.fileExists(atPath: installed))
        #expect(try await run(["codes", "update", "--from"] + files.dropLast()).exitCode == 0)
        #expect(try await run(["codes", "update", "--from", files[4]]).exitCode == 66)
        let server = try TestIssuer()
        defer { server.stop() }
        try server.serve(list(4), at: "/list")
        let fetched = try await run([
            "codes", "update", "--url", server.url("/list"), "--ca-file", server.authorityFile,
            "--allow-private-network",
        ])
        #expect(fetched.exitCode == 20 && fetched.stderr.contains("64 MiB"), "\(fetched.stderr)")
        let status = try await run(["status"])
        let lines = status.stdout.split(separator: "\n").filter { $0.contains("ok        user: https://x.example/") }
        #expect(lines.count == 4 && lines.allSatisfy { $0.contains(" MiB, which are not read here") }, "\(lines)")
        #expect(try await update(Self.newShot).exitCode == 0, "there is room for a small list")
    }

    @Test func aFileThatIsTooLargeIs66() async throws {
        let large = try file("", "large")
        #expect(truncate(large, 17 << 20) == 0)
        for path in [large, "/dev/zero"] {
            let result = try await run(["codes", "update", "--from", path])
            #expect(result.exitCode == 66)
            #expect(result.stderr.contains("it is larger than 16 MiB; nothing was installed"))
        }
    }

    @Test func aListWithoutADateIsNotReplacedByAnOlderOne() async throws {
        let list = { (name: String, date: String) in
            #"{"resourceType":"CodeSystem","url":"https://x.example/\#(date)","concept":[{"code":"1","display":"\#(name)"}]}"#
                .replacing("/\(date)\"", with: date.isEmpty ? "\"" : "\",\"date\":\"\(date)\"")
        }
        #expect(try await update(list("first", "")).exitCode == 0)
        let old = try await update(list("old", "2020-01-01"))
        #expect(old.exitCode == 66)
        #expect(old.stderr.contains("the installed list, which has no date, was installed on "), "\(old.stderr)")
        #expect(try await update(list("second", "")).exitCode == 0)
        #expect(try await display("1") == "second")
        #expect(try await update(list("old", "2020-01-01"), "--force").exitCode == 0)
        #expect(try await display("1") == "old")
        #expect(try await update(list("third", "")).exitCode == 0)
    }

    @Test func aListOfFHIRDoesNotReplaceATableOfCDC() async throws {
        #expect(try await update(Self.newShot).exitCode == 0)
        let other = try await update(
            #"{"resourceType":"CodeSystem","url":"cvx","date":"2026-11-01","concept":[{"code":"399","display":"x"}]}"#)
        #expect(other.exitCode == 0)
        #expect(other.stdout == "installed: cvx, 1 code, as of 2026-11-01\n")
        #expect(try await run(Self.verify).exitCode == 0)
    }

    /// Lists come from strangers.
    @Test func namesMakeNoColumns() async throws {
        let list = try file(
            #"{"resourceType":"CodeSystem","url":"urn:x","title":"a\tb\nc","concept":[{"code":"1","display":"One\t\u001b[1m\ngroup COVID-19"}]}"#
        )
        for options in [["--codes", list], []] {
            if options.isEmpty { #expect(try await run(["codes", "update", "--from", list]).exitCode == 0) }
            for line in try await run(["codes", "show", "urn:x|1"] + options).stdout.split(separator: "\n") {
                #expect(line.split(separator: "\t", omittingEmptySubsequences: false).count == 6, "\(line)")
            }
            let lists = try await run(["codes", "show"] + options).stdout.split(separator: "\n")
            for line in lists { #expect(line.split(separator: "\t").count == 4, "\(line)") }
        }
    }

    /// A list that has changed may judge the rest of the lines otherwise.
    @Test func batchDoesNotResumeWithOtherLists() async throws {
        let input = try file("x\ny\n")
        let arguments = ["batch", input, "--quiet", "--resume", folder.url.path + "/state"] + Self.options
        let list = { (name: String) in
            #"{"resourceType":"CodeSystem","url":"urn:x","concept":[{"code":"1","display":"\#(name)"}]}"#
        }
        #expect(try await update(Self.newShot).exitCode == 0)
        #expect(try await update(list("a")).exitCode == 0)
        #expect(try await run(arguments).exitCode == 10)
        // A timer installs the same again. The first list has moved to the end of the file.
        #expect(try await update(Self.newShot).exitCode == 0)
        #expect(try await run(arguments).exitCode == 10)
        #expect(try await update(list("b")).exitCode == 0)
        let changed = try await run(arguments)
        #expect(changed.exitCode == 64)
        #expect(changed.stderr.contains("installed lists (codes)"), "\(changed.stderr)")
        #expect(try await update(list("a")).exitCode == 0)
        #expect(try await run(arguments).exitCode == 10)
        try FileManager.default.removeItem(atPath: data)
        #expect(try await run(arguments).exitCode == 64)
    }

    @Test func eightAtATimeTakeTurns() async throws {
        let texts = (0..<8).map {
            #"{"resourceType":"CodeSystem","url":"https://x.example/\#($0)","concept":[{"code":"1","display":"list \#($0)"}]}"#
        }
        let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
            for text in texts { group.addTask { try await update(text).exitCode } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: 0, count: 8))
        let shown = try await run(["codes", "show", "list"])
        #expect(shown.stdout.split(separator: "\n").count == 8, "no update has undone another")
    }

    @Test func aKilledUpdateLeavesTheOldListsOrTheNew() async throws {
        let list = { (mark: String) in (0..<5000).map { Self.cvx(($0 + 1000, "\(mark) \($0)")) }.joined() }
        #expect(try await update(list("old")).exitCode == 0)
        let new = try file(list("new"))
        for delay in stride(from: 0, through: 60, by: 6) {
            let script =
                #""$@" >/dev/null 2>&1 & p=$!; sleep 0.0\#(delay < 10 ? "0" : "")\#(delay); kill -9 $p 2>/dev/null; wait $p; exit 0"#
            _ = try await Shcverify.run(
                ["-c", script, "sh", Shcverify.path, "codes", "update", "--from", new],
                environment: ["XDG_DATA_HOME": data, "SHCVERIFY_SYSTEM_DIR": system], executable: "/bin/bash")
            let names = try await [display("1000"), display("5999")]
            #expect(names == ["old 0", "old 4999"] || names == ["new 0", "new 4999"])
        }
        #expect(try await run(["codes", "update", "--from", new]).exitCode == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: data + "/shcverify").filter {
            $0.hasPrefix("codes-")
        }
        #expect(left.count <= 2)
    }

    // MARK: The network

    @Test func updatesOverHTTPS() async throws {
        let server = try TestIssuer()
        defer { server.stop() }
        try server.serve(Self.newShot, at: "/lists/cvx.txt")
        try server.serve("<!DOCTYPE html><html></html>", at: "/lists/page.txt")
        let options = ["--ca-file", server.authorityFile, "--allow-private-network"]
        #expect(
            try await run(["codes", "update", "--url", server.url("/lists/cvx.txt")]).exitCode == 20,
            "private addresses are refused")
        let page = try await run(["codes", "update", "--url", server.url("/lists/page.txt")] + options)
        #expect(page.exitCode == 20)
        #expect(page.stderr.contains("HTML"))
        let missing = try await run(["codes", "update", "--url", server.url("/lists/none.txt")] + options)
        #expect(missing.exitCode == 20)
        #expect(missing.stderr.contains("404"))
        let both = try await run(
            ["codes", "update", "--url", server.url("/lists/cvx.txt"), server.url("/lists/none.txt")] + options)
        #expect(both.exitCode == 20)
        #expect(try await run(Self.verify).exitCode == 26)
        // Nobody can tell whether this is the whole list.
        let unmeasured = try await run(["codes", "update", "--url", server.url("/unmeasured/lists/cvx.txt")] + options)
        #expect(unmeasured.exitCode == 0 && unmeasured.errorLines.count == 1)
        #expect(unmeasured.stderr.contains("it cannot be told whether its end is missing"), "\(unmeasured.stderr)")
        #expect(
            try server.requests(for: "/lists/").allSatisfy {
                $0.headers["Accept"] == "text/plain, application/json;q=0.9, */*;q=0.8"
            })
        let updated = try await run(["codes", "update", "--url", server.url("/lists/cvx.txt")] + options)
        #expect(updated.exitCode == 0 && updated.stderr.isEmpty, "\(updated.stderr)")
        #expect(try await run(Self.verify).exitCode == 0)
    }

    // MARK: Usage

    @Test(arguments: [
        ["codes"], ["codes", "update", "--offline"], ["codes", "update", "--url", "http://x.example/cvx.txt"],
        ["codes", "update", "--from", ""], ["codes", "show", ""], ["codes", "show", " \t"],
        ["codes", "update", "cvx.txt"],
    ])
    func wrongUseIsRefused(_ arguments: [String]) async throws {
        #expect(try await run(arguments).exitCode == 64)
    }

    @Test func listsOfTheCommandLineAreRead() async throws {
        let list = try file(Self.newShot)
        #expect(try await run(Self.verify + ["--codes", list]).exitCode == 0)
        #expect(try await run(["codes", "show", "--codes", list]).stdout.contains("codes-file"))
        #expect(try await run(Self.verify + ["--codes", file("399|x")]).exitCode == 64)
    }
}

/// The age of the lists in a release.
struct ListAgeTests {
    /// Lists of which there will be no newer edition, with the reason.
    private static let final: [String: String] = [
        "EU value sets": "the EU's network for certificates has ended; its last release is in",
        "CVX trade names": "only names; the newest public copy is in, and \"codes update\" gets CDC's own",
        "MVX": "only names; the newest public copy is in, and \"codes update\" gets CDC's own",
        "COVID-19 vaccines and tests":
            "SNOMED CT, ICD-11 and LOINC; the project that lists their codes has published nothing newer",
    ]

    @Test func noBuiltInListIsMuchOlderThanTheRelease() async throws {
        let changes = String(
            decoding: try Paths.bytes(Paths.root.appendingPathComponent("CHANGELOG.md").path), as: UTF8.self)
        let release = try #require(changes.firstMatch(of: /(?m)^## .*?(\d{4})-(\d\d)-(\d\d)/))
        let released = try #require(Int(release.1)) * 12 + #require(Int(release.2))
        let result = try await Shcverify.run(["codes", "show", "--format", "json"])
        for list in try #require(JSONDocument.parse(Array(result.stdout.utf8))["lists"]?.elements) {
            let name = try #require(list["name"]?.words)
            guard Self.final[name] == nil else { continue }
            let date = try #require(list["date"]?.words).split(separator: "-").compactMap { Int($0) }
            #expect(
                released - (date[0] * 12 + date[1]) <= 18, "\(name) is too old: get a newer one, and run make codes")
        }
    }
}
