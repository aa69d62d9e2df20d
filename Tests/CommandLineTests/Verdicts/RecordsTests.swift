import Foundation
import StrictJSON
import TestSupport
import Testing

/// The `records` command.
@Suite struct RecordsTests {
    static let card = OutputTests.card
    static let bad = Paths.vector("cards/signature/der.jws")
    static let options = OutputTests.keys

    @Test func listsRecordsOfVerifiedCardsOnePerLine() async throws {
        let result = try await Shcverify.run(["records", Self.card, Self.bad, "--format", "ndjson"] + Self.options)
        #expect(result.exitCode == 11, "a failing card sets the exit code")
        #expect(result.errorLines.count == 1)
        let lines = result.stdout.split(separator: "\n")
        #expect(lines.count == 1, "it adds no records")
        let record = try JSONDocument.parse(Array(lines[0].utf8))
        #expect(record["display"]?.words == "COVID-19, mRNA (Moderna)")
        #expect(record["displaySource"]?.words == "cvx")
        #expect(record["subject"]?.words == "Jana T. Anyperson")
        #expect(record["lotNumber"]?.words == "TEST-0001")
    }

    @Test(arguments: ["text", "json", "csv", "ndjson", "html"])
    func everyFormatHasTheRecord(_ format: String) async throws {
        let result = try await Shcverify.run(["records", Self.card, "--format", format] + Self.options)
        #expect(result.exitCode == 0)
        for words in ["COVID-19, mRNA (Moderna)", "2025-01-29", "TEST-0001", "Example Hospital"] {
            #expect(result.stdout.contains(words), "\(words)")
        }
        if format == "csv" {
            let lines = result.stdout.components(separatedBy: "\r\n")
            #expect(lines.count == 3 && lines[2].isEmpty)
            #expect(lines[0].hasPrefix("source,iss,subject,birthDate,"))
        }
        if format == "json" {
            let document = try JSONDocument.parse(Array(result.stdout.utf8))
            #expect(document["records"]?.elements?.count == 1)
        }
    }

    @Test func selectsRecordsByTypeAndIdentifier() async throws {
        let count = { (arguments: [String]) in
            let command = ["records", Self.card, "--format", "ndjson"] + Self.options + arguments
            return try await Shcverify.run(command).stdout.split(separator: "\n").count
        }
        #expect(try await count(["--resource-type", "Immunization"]) == 1)
        #expect(try await count(["--resource-type", "Observation"]) == 0)
        #expect(try await count(["--identifier", "resource:1"]) == 1)
        #expect(try await count(["--identifier", "resource:9"]) == 0)
    }

    @Test func emptyListIsADocument() async throws {
        let arguments = ["records", Self.card, "--resource-type", "Observation"] + Self.options
        let json = try await Shcverify.run(arguments + ["--format", "json"])
        #expect(try JSONDocument.parse(Array(json.stdout.utf8))["records"]?.elements?.count == 0)
        let csv = try await Shcverify.run(arguments + ["--format", "csv"])
        #expect(csv.stdout.hasPrefix("source,"))
    }

    /// A signed card of two people, and the options that verify it. It has records of both, one of nobody, one without
    /// a date, and one of something that was not done.
    private static func cardOfTwo(in folder: TemporaryDirectory) throws -> [String] {
        let shot = { (lot: String, patient: String?, date: String?, more: String) in
            #"{"fullUrl":"resource:\#(lot)","resource":{"resourceType":"Immunization","lotNumber":"\#(lot)","#
                + #""vaccineCode":{"coding":[{"system":"http://hl7.org/fhir/sid/cvx","code":"207"},"#
                + #"{"system":"http://codes.example/a|b","code":"1,2"}]}\#(more)"#
                + (patient.map { #","patient":{"reference":"\#($0)"}"# } ?? "")
                + (date.map { #","occurrenceDateTime":"\#($0)"}}"# } ?? "}}")
        }
        let patient = { (id: String, name: String, born: String) in
            #"{"fullUrl":"\#(id)","resource":{"resourceType":"Patient","name":[{"text":"\#(name)"}],"birthDate":"\#(born)"}}"#
        }
        let done = #","status":"completed""#
        let entries = [
            patient("resource:a", "Ada One", "1951-01-20"), patient("resource:b", "Bo Two", "2011-02-03"),
            shot("A1", "resource:a", "2021-01-01", done), shot("B1", "resource:b", "2021-02-01", done),
            shot("A2", "resource:a", "2022", done), shot("N1", nil, "2023-01-01", done),
            shot("A3", "resource:a", nil, done), shot("A4", "resource:a", "2023-02-01", #","status":"not-done""#),
            #"{"fullUrl":"resource:l","resource":{"resourceType":"Observation","status":"final","subject":"#
                + #"{"reference":"resource:b"},"effectiveDateTime":"2022-05-05","code":{"coding":[{"system":"#
                + #""http://loinc.org","code":"94558-4"}],"text":"L1"}}}"#,
        ]
        let signed = try SignedCards.sign([
            .init(
                issuer: "https://two.example",
                bundle: #"{"resourceType":"Bundle","type":"collection","entry":[\#(entries.joined(separator: ","))]}"#)
        ])
        return [
            try folder.write(signed.cards[0], to: "two.jws"), "--offline", "--jwks",
            try folder.write(signed.keySet(), to: "keys.json"),
        ]
    }

    static let filters: [([String], [String])] = [
        ([], ["A1", "B1", "A2", "N1", "A3", "A4", "L1"]), (["--since", "2022"], ["A2", "A4", "L1"]),
        (["--since", "2022-01-02"], ["A4", "L1"]), (["--until", "2022"], ["A1", "B1", "A2", "L1"]),
        (["--until", "2022-06-01"], ["A1", "B1", "L1"]), (["--since", "2021-02", "--until", "2021-02"], ["B1"]),
        (["--record-type", "laboratory"], ["L1"]),
        (["--record-type", "immunization"], ["A1", "B1", "A2", "A3"]),
        (["--record-type", "immunization", "--record-type", "laboratory"], ["A1", "B1", "A2", "A3", "L1"]),
        (["--record-type", "Immunization", "--since", "2022"], ["A2"]), (["--record-type", "Coverage"], []),
        (["--since", "2024"], []),
    ]

    /// In other commands, these options are requirements on the card. Here they select records, and never one of nobody.
    @Test func selectsRecordsByTypeAndDate() async throws {
        let folder = try TemporaryDirectory()
        let card = try Self.cardOfTwo(in: folder)
        for (options, expected) in Self.filters {
            let result = try await Shcverify.run(["records", "--format", "ndjson"] + card + options)
            #expect(result.exitCode == 0 && result.stderr.isEmpty, "\(options): \(result.stderr)")
            let found = try result.stdout.split(separator: "\n").map { line in
                let record = try JSONDocument.parse(Array(line.utf8))
                return record["lotNumber"]?.words ?? record["display"]?.words
            }
            #expect(found == expected, "\(options)")
        }
        let required = try await Shcverify.run(["verify", "-q", "--since", "2024"] + card)
        #expect(required.exitCode == 17)
    }

    @Test func tableNamesTheCardAndThePersonOfEachRecord() async throws {
        let folder = try TemporaryDirectory()
        let card = try Self.cardOfTwo(in: folder)
        let result = try await Shcverify.run(["records"] + card)
        let tables = result.stdout.components(separatedBy: "\n\n")
        let lots = [["A1", "A2", "A3", "A4"], ["B1", "L1"], ["N1"]]
        let names = [
            "Ada One\nBorn     1951-01-20\n", "Bo Two\nBorn     2011-02-03\n",
            "not known: the record is not linked to a person",
        ]
        #expect(tables.count == 3)
        for (table, (lots, name)) in zip(tables, zip(lots, names)) {
            #expect(table.hasPrefix("Card     \(card[0])#0\nIssuer   https://two.example\n"))
            #expect(table.contains("\nName     \(name)"))
            #expect(table.contains("Warning  record-without-subject") == (lots == ["N1"]))
            let rows = table.split(separator: "\n").filter { $0.hasPrefix("  ") }.dropFirst()
            #expect(rows.count == lots.count)
            for (row, lot) in zip(rows, lots) { #expect(row.contains(lot)) }
        }
    }

    /// All entries of a Bundle count, even after ten thousand others.
    @Test func readsEntryTenThousandAndOne() async throws {
        let folder = try TemporaryDirectory()
        let shot = { (date: String) in
            #"{"resource":{"resourceType":"Immunization","status":"completed","occurrenceDateTime":"\#(date)"}}"#
        }
        let patient = #"{"resource":{"resourceType":"Patient"}}"#
        let entries = ([patient] + Array(repeating: shot("2021"), count: 9_999) + [shot("2030")])
            .joined(separator: ",")
        let signed = try SignedCards.sign([
            .init(
                issuer: "https://many.example",
                bundle: #"{"resourceType":"Bundle","type":"collection","entry":[\#(entries)]}"#)
        ])
        let card = [
            try folder.write(signed.cards[0], to: "many.jws"), "--offline", "--jwks",
            try folder.write(signed.keySet(), to: "keys.json"),
        ]
        for (until, exitCode) in [("2021-12-31", Int32(17)), ("2030", 0)] {
            for command in [["verify", "-q"], ["batch"]] {
                let result = try await Shcverify.run(command + ["--until", until] + card)
                #expect(result.exitCode == exitCode, "\(command): \(result.stderr)")
            }
        }
        let records = try await Shcverify.run(["records", "--since", "2030", "--format", "ndjson"] + card)
        #expect(records.stdout.split(separator: "\n").count == 1)
    }

    /// Each record repeats its person's name, and the name may be as long as the card.
    @Test(arguments: ["text", "json", "csv", "ndjson", "html"])
    func longNameIsNotRepeatedInFull(_ format: String) async throws {
        let folder = try TemporaryDirectory()
        let name = "=" + String(repeating: "#é", count: 300_000)
        let patient = #"{"fullUrl":"resource:0","resource":{"resourceType":"Patient","name":[{"text":"\#(name)"}]}}"#
        let shot = #"{"resource":{"resourceType":"Immunization","patient":{"reference":"resource:0"}}}"#
        let entries = ([patient] + Array(repeating: shot, count: 1000)).joined(separator: ",")
        let signed = try SignedCards.sign([
            .init(
                issuer: "https://long.example",
                bundle: #"{"resourceType":"Bundle","type":"collection","entry":[\#(entries)]}"#)
        ])
        let result = try await Shcverify.run([
            "records", try folder.write(signed.cards[0], to: "long.jws"), "--offline", "--format", format, "--jwks",
            try folder.write(signed.keySet(), to: "keys.json"),
        ])
        #expect(result.exitCode == 0, "\(result.stderr)")
        #expect((1000..<2_000_000).contains(result.stdout.utf8.count), "\(result.stdout.utf8.count) bytes")
        #expect(result.stdout.contains("…"))
    }

    @Test func csvHasTheNamesOfJSONAndAllCodes() async throws {
        let folder = try TemporaryDirectory()
        let card = try Self.cardOfTwo(in: folder)
        let csv = try await Shcverify.run(["records", "--format", "csv"] + card)
        let json = try await Shcverify.run(["records", "--format", "ndjson"] + card)
        let lines = csv.stdout.components(separatedBy: "\r\n")
        let columns = lines[0].components(separatedBy: ",")
        #expect(Set(columns).count == columns.count)
        for (line, object) in zip(lines.dropFirst(), json.stdout.split(separator: "\n")) {
            let cells = Self.cells(line)
            #expect(cells.count == columns.count)
            let record = try JSONDocument.parse(Array(object.utf8))
            for member in try #require(record.members) where member.name.description != "schemaVersion" {
                let cell = cells[
                    try #require(columns.firstIndex(of: member.name.description), "there is no column \(member.name)")]
                switch member.value.kind {
                case .array where member.name == "warnings":
                    #expect(cell == member.value.elements?.compactMap(\.words).joined(separator: ","))
                case .array:
                    #expect(
                        member.value.elements?.allSatisfy {
                            cell.contains($0["system"]?.words?.split(separator: "|")[0] ?? "?")
                        } == true)
                case .null: #expect(cell.isEmpty)
                default: #expect(cell == member.value.words ?? member.value.compact)
                }
            }
        }
        let codes = try #require(columns.firstIndex(of: "codes"))
        #expect(Self.cells(lines[1])[codes] == #"http://hl7.org/fhir/sid/cvx|207,http://codes.example/a\|b|1\,2"#)
    }

    /// Tables are made of the lines, so every line has every member.
    @Test func everyMemberIsInEveryLine() async throws {
        let folder = try TemporaryDirectory()
        let certificates = ["vaccination", "test", "recovery"].map { Paths.vector("hcert/cards/valid-\($0).hc1") }
        let trusted = ["--directory", Paths.vector("hcert/trust/gdhcn-v2.did.json"), "--at", "2022-06-01T00:00:00Z"]
        var names: Set<[String]> = []
        var ofBatch: Set<[String]> = []
        for card in try [Self.cardOfTwo(in: folder), [Self.card] + Self.options, certificates + trusted] {
            let result = try await Shcverify.run(["records", "--format", "ndjson"] + card)
            #expect(result.exitCode == 0)
            for line in result.stdout.split(separator: "\n") {
                let record = try JSONDocument.parse(Array(line.utf8))
                names.insert(try #require(record.members).map(\.name.description))
            }
            let files = card.prefix { !$0.hasPrefix("-") }
            for file in files {
                let batch = try await Shcverify.run(
                    ["batch", "--records"] + card.dropFirst(files.count) + [file])
                let line = try JSONDocument.parse(Array(batch.stdout.utf8))
                for record in try #require(line["records"]?.elements) {
                    ofBatch.insert(try #require(record.members).map(\.name.description))
                }
            }
        }
        #expect(names.count == 1 && ofBatch.count == 1)
        #expect(
            names.first?.suffix(12) == [
                "subjectIndex", "signerCountry", "issuerMismatch", "transliterated", "issuerName", "sex", "nationality",
                "document", "guardian", "trust", "warnings", "schemaVersion",
            ])
        let members = ["verificationStatus", "notDone", "issuerDisplay", "dose", "country", "identifier", "validUntil"]
        #expect(Set(members).isSubset(of: names.first ?? []) && Set(members).isSubset(of: ofBatch.first ?? []))
    }

    /// The cells of a line of CSV.
    private static func cells(_ line: String) -> [String] {
        line.components(separatedBy: "\"").enumerated().reduce(into: [""]) { cells, part in
            if part.offset.isMultiple(of: 2) {
                let parts = part.element.components(separatedBy: ",")
                cells[cells.count - 1] += parts[0]
                cells += parts.dropFirst()
            } else {
                cells[cells.count - 1] += part.element
            }
        }
    }

    static let queries: [([String], Int32)] = [
        (["--record-type", "immunization"], 0), (["--record-type", "#covid19"], 0),
        (["--record-type", "Immunization"], 0),
        (["--record-type", "laboratory"], 17), (["--record-type", "immunization", "--record-type", "laboratory"], 17),
        (["--since", "2025"], 0), (["--since", "2025-01-29"], 0), (["--since", "2025-01-30"], 17),
        (["--until", "2025-01"], 0), (["--until", "2025-01-28"], 17), (["--since", "yesterday"], 64),
        (["--record-type", "vaccines"], 64), (["--codes", "no-such-file"], 66), (["--codes", OutputTests.card], 64),
    ]

    @Test(arguments: queries)
    func recordFiltersAreRequirements(_ arguments: [String], exitCode: Int32) async throws {
        let result = try await Shcverify.run([Self.card, "-q"] + Self.options + arguments)
        #expect(result.exitCode == exitCode, "\(result.stderr)")
        if exitCode == 17 { #expect(result.stderr.contains("records-not-matching")) }
    }

    @Test func codesFileAddsNames() async throws {
        let folder = try TemporaryDirectory()
        let codes = try folder.write(
            #"{"resourceType":"CodeSystem","url":"http://hl7.org/fhir/sid/cvx","concept":[{"code":"207","display":"Our name"}]}"#,
            to: "codes.json")
        let result = try await Shcverify.run([Self.card, "--format", "json", "--codes", codes] + Self.options)
        let record = try #require(try JSONDocument.parse(Array(result.stdout.utf8)).at("/cards/0/records/0"))
        #expect(record["display"]?.words == "Our name")
        #expect(record["displaySource"]?.words == "codes-file")
    }
}
