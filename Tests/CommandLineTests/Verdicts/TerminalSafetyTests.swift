import Foundation
import TestSupport
import Testing

/// Text from strangers (cards, file names, servers, directories) never controls the terminal, and never hides or
/// reorders output.
@Suite(.timeLimit(.minutes(30))) struct TerminalSafetyTests {
    /// Escape sequences in both forms, a bell, overstrikes, bidirectional overrides and isolates, line separators,
    /// invisible characters, and the commands of build servers.
    static let hostile =
        "x\u{1B}[31m\u{1B}]0;t\u{7}\u{9B}2J\u{8}\u{7F}\u{85}\u{202E}\u{2066}\u{200B}\u{2028}\u{2029}\u{FEFF}\u{E0041}"
        + "\r\n::error::y\n##[error]z"

    /// The hostile text as a JSON string.
    private static let string = #""\#(escaped)""#
    private static let escaped = escaped(hostile)
    private static let bundle = bundle(saying: string)

    /// A text in JSON, with every character escaped.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }.joined()
    }

    /// A Bundle with the hostile text in every string except those that make it a readable Bundle.
    static func bundle(saying string: String) -> String {
        #"""
        {"resourceType":"Bundle","type":"collection",\#(string):\#(string),"entry":[
          {"fullUrl":"resource:0","resource":{"resourceType":"Patient","birthDate":\#(string),
            "name":[{"text":\#(string),"family":\#(string),"given":[\#(string)]}]}},
          {"fullUrl":\#(string),"resource":{"resourceType":"Immunization","status":\#(string),"id":\#(string),
            "vaccineCode":{"text":\#(string),"coding":[{"system":\#(string),"code":\#(string),"display":\#(string)}]},
            "patient":{"reference":"resource:0","display":\#(string)},"occurrenceDateTime":\#(string),
            "lotNumber":\#(string),"performer":[{"actor":{"display":\#(string)}}],
            "meta":{"security":[{"system":\#(string),"code":\#(string)}]}}},
          {"fullUrl":"resource:2","resource":{"resourceType":"Observation","status":"final",
            "code":{"text":\#(string),"coding":[{"system":"http://loinc.org","code":\#(string)}]},
            "subject":{"reference":\#(string)},"effectiveDateTime":"2021-01-01","valueString":\#(string),
            "valueQuantity":{"value":1,"unit":\#(string),"code":\#(string)}}},
          {"fullUrl":"resource:3","resource":{"resourceType":\#(string),\#(string):\#(string)}}]}
        """#
    }

    /// Whether a text is safe to show. Line ends and the kept character are allowed.
    private static func isSafe(_ text: String, keeping kept: String = "\n") -> Bool {
        !text.unicodeScalars.contains { scalar in
            guard !kept.unicodeScalars.contains(scalar) else { return false }
            switch scalar.properties.generalCategory {
            case .control, .format, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return true
            default: return false
            }
        } && !text.split(separator: "\n").contains { $0.hasPrefix("::error::y") || $0.hasPrefix("##[error]") }
    }

    /// Runs a command on a pipe or a terminal, and checks everything that it prints.
    private func check(
        _ arguments: [String], stdin: [UInt8] = [], keeping kept: String = "\n", onTerminal: Bool = false
    ) async throws {
        let terminal =
            "import os,pty,sys\nr=pty.spawn(sys.argv[1:])\nsys.exit(os.waitstatus_to_exitcode(r))"
        let result = try await Shcverify.run(
            onTerminal ? ["-c", terminal, Shcverify.path] + arguments : arguments, stdin: stdin,
            environment: ["NO_COLOR": "1", "SWIFT_BACKTRACE": "enable=no"],
            executable: onTerminal ? "/usr/bin/python3" : Shcverify.path)
        let kept = onTerminal ? kept + "\r" : kept
        #expect(!(result.stdout + result.stderr).isEmpty, "\(arguments) printed nothing")
        for text in [result.stdout, result.stderr] {
            #expect(Self.isSafe(text, keeping: kept), "\(arguments): \(text.debugDescription)")
        }
    }

    @Test func noTextOfACardControlsTheTerminal() async throws {
        let folder = try TemporaryDirectory()
        let signed = try SignedCards.sign([.init(issuer: "https://hostile.example", bundle: Self.bundle)])
        let card = try folder.write(signed.cards[0], to: "card.jws")
        let keys = ["--offline", "--jwks", try folder.write(signed.keySet(), to: "keys.json")]
        let header =
            #"{"alg":"ES256","zip":"DEF","kid":\#(Self.string),"typ":\#(Self.string),\#(Self.string):\#(Self.string)}"#
        let payload = #"""
            {"iss":\#(Self.string),"nbf":1600000000,\#(Self.string):1,"vc":{"type":[\#(Self.string)],"rid":\#(Self.string),
              "credentialSubject":{"fhirVersion":\#(Self.string),"fhirBundle":\#(Self.bundle)}}}
            """#
        let forged = folder.url.appendingPathComponent("forged \(Self.hostile.replacing("/", with: "")).jws").path
        try Data(UnsignedCard.jws(header: header, payload: Array(payload.utf8))).write(to: URL(fileURLWithPath: forged))
        for file in [card, forged] {
            async let text: Void = check(["verify", file, "--format", "text"] + keys)
            async let inspected: Void = check(["inspect", file])
            // JSON in a file keeps the signed characters; on a terminal they are escaped.
            for format in ["json", "fhir"] where format == "json" || file == card {
                try await check(["verify", file, "--format", format] + keys, onTerminal: true)
            }
            try await check(["verify", file, "--format", "html"] + keys)
            for format in file == card ? ["text", "html"] : ["github", "junit", "html"] {
                try await check(["lint", file, "--format", format] + keys)
            }
            try await check(["lint", file, "--format", "sarif"] + keys, onTerminal: true)
            _ = try await (text, inspected)
        }
        try await check(["verify", card] + keys, onTerminal: true)
        try await check(["records", card, "--format", "text"] + keys)
        try await check(["records", card, "--format", "html"] + keys)
        try await check(["records", card, "--format", "csv"] + keys, onTerminal: true)
        try await check(["records", card, "--format", "ndjson"] + keys, onTerminal: true)
        try await check(["batch", card, "--bundle"] + keys, onTerminal: true)
        try await check(["inspect", forged, "--format", "json"], onTerminal: true)
    }

    @Test func noArgumentControlsTheTerminal() async throws {
        let text = Self.hostile
        let folder = try TemporaryDirectory()
        let list = try folder.write(
            #"{"participating_issuers":[{"iss":"https://a.example/\#(Self.escaped)","name":\#(Self.string),"#
                + #""website":\#(Self.string),"canonical_iss":\#(Self.string)}]}"#, to: "list.json")
        let keys = try folder.write(
            #"{"keys":[{"kty":"EC","kid":\#(Self.string),"crv":\#(Self.string),\#(Self.string):1,"#
                + #""x5c":[\#(Self.string)]}]}"#,
            to: "keys.json")
        let revoked = try folder.write(
            #"{"kid":\#(Self.string),"method":\#(Self.string),"ctr":\#(Self.string),"rids":[\#(Self.string)]}"#,
            to: "crl.json")
        let card = OutputTests.card
        let commands = [
            [text], ["--qr", text], ["--\(text)"], ["explain", text], ["lint", text], ["batch", text],
            [card, "--at", text], [card, "--record-type", text], [card, "--format", text],
            [card, "--jwks", "https://\(text)"], [card, "--jwks", "https://\(text)=\(text)"],
            [card, "--directory", text], [card, "--trust", text, "--offline"], [card, "--timeout", text],
            ["records", card, "--resource-type", text], ["lint", "--issuer", text, "--offline"],
            ["lint", card, "--exclude", text], ["directory", "verify", text, "--signature", text],
            ["directory", "update", "--from", text], ["directory", "show", "none \(text)", "--directory", list],
            ["batch", card, "--resume", text + "/x"], ["lint", keys, "--as", "jwks"], ["lint", list],
            ["lint", revoked, "--as", "crl"], [card, "--crl", revoked], [card, "--offline", "--jwks", keys],
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, arguments) in commands.enumerated() {
                if index >= 4 { try await group.next() }
                group.addTask { try await check(arguments) }
            }
            try await group.waitForAll()
        }
        try await check(["directory", "show", "--directory", list], keeping: "\n\t")
        try await check(["directory", "show", "--directory", list, "--format", "json"], onTerminal: true)
    }

    @Test func noNameInACertificateControlsTheTerminal() async throws {
        let folder = try TemporaryDirectory()
        // A card whose key has a certificate and an anchor with hostile names, and a card with a hostile issuer URL.
        let script = """
            import json, sys
            sys.path.insert(0, sys.argv[1])
            import blocks as b
            folder, hostile, iss = sys.argv[2:]
            key, root = b.Key("issuer-a"), b.Key("root")
            anchor = b.certificate(hostile, root, authority=True, years=(2020, 2040))
            open(folder + "/anchor.pem", "wb").write(b.pem(anchor))
            for name, uri in (("good", iss), ("other", "https://other.example/" + "\\x1b[31m")):
                leaf = b.certificate(hostile, key, hostile, root, uri=uri)
                open(folder + "/" + name, "w").write(json.dumps({"keys": [key.jwk(x5c=b.x5c(leaf))]}))
            """
        let name = String(Self.hostile.unicodeScalars.prefix(24))
        let made = try await Shcverify.run(
            ["-B", "-c", script, Paths.vectors.path, folder.url.path, name, OutputTests.issuer],
            executable: "/usr/bin/python3")
        #expect(made.exitCode == 0, "\(made.stderr)")
        for keys in ["good", "other"] {
            let path = folder.url.appendingPathComponent(keys).path
            let options = [
                "--offline", "--jwks", path, "--anchor", folder.url.appendingPathComponent("anchor.pem").path,
            ]
            try await check(["verify", OutputTests.card] + options)
            try await check(["verify", OutputTests.card, "--format", "json"] + options, onTerminal: true)
            try await check(["verify", OutputTests.card, "--offline", "--jwks", path])
            try await check(["lint", path, "--as", "jwks"])
        }
    }

    @Test func noAnswerOfAServerControlsTheTerminal() async throws {
        let server = try TestIssuer()
        let sequence = "\u{1B}[31m\u{9B}2J\u{8}"
        try server.serve(
            #"{"keys":[{"kid":\#(Self.string)}],"\#(Self.escaped)":[}"#, at: "/json/.well-known/jwks.json",
            headers: ["ETag": sequence])
        try server.serve("<\(Self.hostile)>", at: "/html/.well-known/jwks.json", headers: ["Content-Type": sequence])
        try server.serve(
            #"{"keys":[{"kty":"EC","kid":\#(Self.string),"x5c":[\#(Self.string)]}]}"#,
            at: "/keys/.well-known/jwks.json",
            headers: ["Access-Control-Allow-Origin": sequence, "Cache-Control": sequence])
        let network = ["--allow-private-network", "--ca-file", server.authorityFile]
        for path in ["/json", "/html", "/keys", "/redirect-hostile/keys"] {
            let issuer = server.url(path)
            let card = try SignedCards.sign([.init(issuer: issuer)]).cards[0]
            try await check(["-"] + network, stdin: Array(card.utf8))
            try await check(["lint", "--issuer", issuer] + network)
        }
        try await check(["directory", "update", "--url", server.url("/html/\(Self.hostile)")] + network)
    }
}
