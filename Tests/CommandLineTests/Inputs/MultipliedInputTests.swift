import Foundation
import TestSupport
import Testing

/// Two things that an input can repeat never multiply: what is printed, and the memory for it, stay below bounds that only the product of
/// the two would pass.
@Suite(.timeLimit(.minutes(30)), .disabled(if: BuiltProduct.hasShadowMemory, "a sanitizer needs more memory"))
struct MultipliedInputTests {
    /// The most that is printed on both streams together, in bytes.
    private static let outputBound = 16 << 20
    /// The address space of the program, in KiB.
    private static let memoryBound = 600_000

    /// Two things that are repeated.
    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let input: @Sendable () throws -> String

        init(_ description: String, _ input: @escaping @Sendable () throws -> String) {
            testDescription = description
            self.input = input
        }
    }

    static let pairs = [
        Pair("cards of a check-in and rows") {
            checkIn([artifact("a", cards(500), fulfills: ["0"])], rows: (0..<999).map { ("\($0)", text(190)) })
        },
        Pair("cards of a check-in and letters of an id") {
            checkIn([artifact(text(200_000), parameters(500), type: fhir, fulfills: ["0"])], rows: [("0", "")])
        },
        Pair("cards of a check-in and artifacts that are disregarded") {
            let others = (0..<900).map { artifact("o\($0)", #"{"resourceType":"Patient"}"#, type: fhir, fulfills: []) }
            return checkIn(others + [artifact("a", cards(500), fulfills: ["0"])], rows: [("0", "")])
        },
        Pair("rows and artifacts") {
            let items = (0..<1000).map { "\($0)" }
            let patient = #"{"resourceType":"Patient"}"#
            // Each character of an id takes six in JSON.
            let artifacts = (0..<90).map {
                artifact(
                    String(repeating: #"\u0001"#, count: 197) + "\(100 + $0)", patient, type: fhir, fulfills: items)
            }
            return checkIn(artifacts, rows: items.map { ($0, "") })
        },
        Pair("rows and letters of an item") { checkIn([], rows: (0..<900).map { ("\($0)" + text(9000), "") }) },
        Pair("attached card files and their cards") {
            let file = Data(cards(100).utf8).base64EncodedString()
            let attachment = #"{"attachment":{"contentType":"application/smart-health-card","data":"\#(file)"}}"#
            let content = list(Array(repeating: attachment, count: 100))
            let document = #"{"resourceType":"DocumentReference","content":\#(content)}"#
            return checkIn([artifact("a", document, type: fhir, fulfills: ["0"])], rows: [("0", "")])
        },
        Pair("cards and letters of a text in each") { cards(2000, text: text(2000)) },
        Pair("parameters and letters of a name beside them") {
            #"{"resourceType":"Parameters","\#(text(200_000))":1,"parameter":"#
                + list(Array(repeating: #"{"name":"verifiableCredential","valueString":"x"}"#, count: 1000)) + "}"
        },
        Pair("records and letters of a person's name") {
            try card([patient(name: text(200_000))] + (0..<600).map { _ in immunization(of: 0) })
        },
        Pair("records and persons") {
            try card(
                (0..<200).map { patient(name: text(2000) + "\($0)") } + (0..<600).map { immunization(of: $0 % 200) })
        },
        Pair("persons and names") {
            let names = list(Array(repeating: #"{"family":"\#(text(100))","given":["\#(text(20))"]}"#, count: 60))
            return try card((0..<100).map { _ in #"{"resourceType":"Patient","name":\#(names)}"# })
        },
        Pair("records and codes") {
            let codes = (0..<60).map {
                #"{"system":"https://c.example/\#(text(40))","code":"\#($0)","display":"\#(text(40))"}"#
            }
            return try card(
                [patient(name: "A")] + (0..<150).map { _ in immunization(of: 0, codes: list(codes)) })
        },
        Pair("records and letters of an organization's name") {
            let performer = #","performer":[{"actor":{"reference":"resource:1"}}]"#
            return try card(
                [patient(name: "A"), #"{"resourceType":"Organization","name":"\#(text(200_000))"}"#]
                    + (0..<600).map { _ in immunization(of: 0, more: performer) })
        },
        Pair("records of nobody and letters of their reference") {
            let record = immunization(of: 0).replacing("resource:0", with: "resource:" + text(500))
            return try card([patient(name: "A")] + Array(repeating: record, count: 600))
        },
        Pair("findings and letters of a member's name") {
            let wrong = list(Array(repeating: #"{"x":"","y":[],"id":"z"}"#, count: 1000))
            return try card([#"{"resourceType":"Patient","\#(text(20_000))":\#(wrong)}"#])
        },
        Pair("codes and parts") {
            (0..<8000).map { "shc:/\($0 % 900 + 1)/\(900 + $0 / 900)/567629095210" }.joined(separator: "\n")
        },
        Pair("links and letters of a label") {
            let payload = #"{"url":"https://a.example/","key":"\#(text(43))","label":"\#(text(9000))","flag":"L"}"#
            let link = "shlink:/" + base64URL(payload)
            return Array(repeating: link, count: 99).joined(separator: "\n")
        },
        Pair("certificates and lines") { Array(repeating: "HC1:NCFOXN%TSMAHN-H", count: 2000).joined(separator: "\n") },
    ]

    @Test(arguments: pairs) func noTwoThingsMultiply(_ pair: Pair) async throws {
        let folder = try TemporaryDirectory()
        let file = folder.url.appendingPathComponent("input")
        try Data(pair.input().utf8).write(to: file)
        let keys = ["--offline", "--at", "2026-06-01T00:00:00Z"]
        let jwks = ["--jwks", Paths.vector("keys/issuer-a.jwks.json")]
        let commands =
            ["text", "json", "html", "fhir"].map { ["verify", "--format", $0] + jwks + keys }
            + [["verify", "--format", "handover", "--include-unsigned"] + jwks + keys]
            + ["text", "json", "csv", "ndjson"].map { ["records", "--format", $0] + jwks + keys }
            + ["text", "json", "html", "sarif"].map { ["lint", "--format", $0] + jwks + keys }
            + ["text", "json"].map { ["inspect", "--format", $0] }
        for command in commands {
            let (exitCode, size) = try await Self.run(command + [file.path])
            #expect(exitCode != 1 && exitCode < 128, "\(command.prefix(3)) ended with \(exitCode)")
            #expect(size < Self.outputBound, "\(command.prefix(3)) prints \(size) bytes")
        }
    }

    // MARK: Running

    /// Runs the program with little memory.
    ///
    /// - Returns: its exit code, and how many bytes it printed.
    private static func run(_ arguments: [String]) async throws -> (exitCode: Int32, size: Int) {
        try await blocking {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/bash")
            let script = #"ulimit -v \#(memoryBound); "$0" "$@" 2>&1 | wc -c; exit ${PIPESTATUS[0]}"#
            process.arguments = ["-c", script, Shcverify.path] + arguments
            var environment = ProcessInfo.processInfo.environment
            for name in ["XDG_CACHE_HOME", "XDG_DATA_HOME", "SHCVERIFY_SYSTEM_DIR"] { environment[name] = "/dev/null" }
            process.environment = environment
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let count = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, Int(count.filter(\.isNumber)) ?? .max)
        }
    }

    // MARK: Making inputs

    private static let fhir = "application/fhir+json"

    private static func text(_ length: Int) -> String { String(repeating: "N", count: length) }

    private static func list(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }

    private static func base64URL(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=", with: "")
    }

    private static func cards(_ count: Int, text: String = "a.b.c") -> String {
        #"{"verifiableCredential":\#(list(Array(repeating: "\"\(text)\"", count: count)))}"#
    }

    private static func parameters(_ count: Int) -> String {
        let parameter = #"{"name":"verifiableCredential","valueString":"a.b.c"}"#
        return #"{"resourceType":"Parameters","parameter":\#(list(Array(repeating: parameter, count: count)))}"#
    }

    private static func artifact(
        _ id: String, _ value: String, type: String = "application/smart-health-card", fulfills: [String]
    ) -> String {
        let version = type == fhir ? #""fhirVersion":"4.0.1","# : ""
        return
            #"{"id":"\#(id)","mediaType":"\#(type)",\#(version)"fulfills":\#(list(fulfills.map { "\"\($0)\"" })),"value":\#(value)}"#
    }

    private static func checkIn(_ artifacts: [String], rows: [(item: String, message: String)]) -> String {
        let rows = rows.map { #"{"item":"\#($0.item)","status":"fulfilled","message":"\#($0.message)"}"# }
        return
            #"{"type":"smart-health-checkin-response","version":"1","requestId":"r","artifacts":\#(list(artifacts)),"#
            + #""requestStatus":\#(list(rows))}"#
    }

    private static func patient(name: String) -> String {
        #"{"resourceType":"Patient","name":[{"family":"\#(name)"}],"birthDate":"1951-01-20"}"#
    }

    private static func immunization(
        of person: Int, codes: String = #"[{"system":"http://hl7.org/fhir/sid/cvx","code":"207"}]"#, more: String = ""
    ) -> String {
        #"{"resourceType":"Immunization","status":"completed","vaccineCode":{"coding":\#(codes)},"#
            + #""patient":{"reference":"resource:\#(person)"},"occurrenceDateTime":"2025-01-29"\#(more)}"#
    }

    /// A card that is signed, with these resources.
    private static func card(_ resources: [String]) throws -> String {
        let entries = resources.enumerated().map { #"{"fullUrl":"resource:\#($0)","resource":\#($1)}"# }
        let bundle = #"{"resourceType":"Bundle","type":"collection","entry":\#(list(entries))}"#
        let signed = try SignedCards.sign([.init(issuer: "https://issuer-a.example/cards", bundle: bundle)])
        return signed.cards[0]
    }
}
