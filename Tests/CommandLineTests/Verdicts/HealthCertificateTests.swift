import Foundation
import TestSupport
import Testing

/// EU Digital COVID Certificates through the program, beside SMART Health Cards.
@Suite(.timeLimit(.minutes(5))) struct HealthCertificateTests {
    private static let certificate = Paths.vector("hcert/cards/valid-vaccination.hc1")
    private static let list = Paths.vector("hcert/trust/gdhcn-v2.did.json")
    private static let card = Paths.vector("cards/inputs/jws.jws")
    private static let keys = Paths.vector("keys/issuer-a.jwks.json")
    /// A moment at which the certificate is valid.
    private static let at = ["--at", "2022-06-01T00:00:00Z"]

    private func verify(_ arguments: [String]) async throws -> (code: Int32, reason: String) {
        let result = try await Shcverify.run(arguments + ["--quiet"])
        let reason = result.stderr.split(separator: ": ").dropFirst().first.map(String.init) ?? ""
        return (result.exitCode, reason)
    }

    /// Nothing is fetched for a certificate, also without `--offline`.
    @Test func withoutAListThereIsNoVerdict() async throws {
        for options in [[], ["--trust", "https://issuer.example"], ["--offline"], ["--jwks", Self.keys]] {
            let result = try await verify([Self.certificate] + Self.at + options)
            #expect(result.code == 20, "\(options)")
            #expect(result.reason == "keys-unavailable", "\(options)")
        }
        #expect(try await verify([Self.certificate, "--directory", Self.list] + Self.at).code == 0)
    }

    /// Without a list, nobody has said whom to trust. That does not speak against the certificate.
    @Test func withoutAListTheSignerIsNotChecked() async throws {
        let result = try await Shcverify.run([Self.certificate] + Self.at)
        #expect(result.stdout.contains(" (not checked: no trust list was given)"))
        #expect(result.stdout.contains("not checked: no trust list was given\n"))
        #expect(!result.stdout.contains("NOT TRUSTED"))
        let json = try await Shcverify.run([Self.certificate, "--format", "json"] + Self.at)
        #expect(json.stdout.contains(#""trust":"untrusted""#) || json.stdout.contains(#""trust": "untrusted""#))
    }

    @Test func listsOfOneKindDoNotVouchForTheOther() async throws {
        let both = ["--directory", Self.list, "--offline"]
        // The list of signers is a statement of trust, and it does not have the card's issuer.
        #expect(try await verify([Self.card] + both).reason == "issuer-not-trusted")
        #expect(try await verify([Self.card, "--require-trusted"] + both).reason == "issuer-not-trusted")
        #expect(try await verify([Self.card, "--jwks", Self.keys] + both).code == 0)
        // Keys of cards, even if all of them are trusted, sign no certificates.
        let result = try await verify(
            [Self.certificate, "--jwks", Self.keys, "--trust", "https://issuer-a.example/cards", "--offline"] + Self.at)
        #expect(result.reason == "keys-unavailable")
    }

    /// Each octet of a token, which is not compressed here, is changed by one bit.
    @Test func everyChangedOctetIsRefused() async throws {
        let octets = [UInt8](
            try Data(contentsOf: URL(fileURLWithPath: Paths.vector("hcert/cards/valid-cwt-no-tag.cwt"))))
        let options = ["--directory", Self.list] + Self.at
        try await Paths.withTemporaryDirectory { folder in
            let whole = folder.appendingPathComponent("whole.cwt")
            try Data(octets).write(to: whole)
            #expect(try await verify([whole.path] + options).code == 0)
            var paths: [String] = []
            for place in octets.indices {
                var changed = octets
                changed[place] ^= 1
                let path = folder.appendingPathComponent("\(place).cwt")
                try Data(changed).write(to: path)
                paths.append(path.path)
            }
            // JSON has the verdict on each.
            let result = try await Shcverify.run(paths + options + ["--format", "json"])
            #expect(result.stdout.components(separatedBy: "\"verdict\": \"pass\"").count == 1)
            #expect(result.stdout.components(separatedBy: "\"inputKind\": ").count == octets.count + 1)
        }
    }

    @Test func fhirPrintsNothingAndSaysSo() async throws {
        let result = try await Shcverify.run(
            [Self.certificate, "--directory", Self.list, "--format", "fhir"] + Self.at)
        #expect(result.exitCode == 0)
        #expect(result.stdout.isEmpty)
        #expect(result.stderr.contains("no FHIR Bundle"))
    }

    /// Cards and certificates in one batch keep their order, and each line has the verdict that it has alone.
    @Test func aMixedBatchKeepsItsOrder() async throws {
        let card = try String(contentsOfFile: Self.card, encoding: .utf8).trimmingCharacters(
            in: .whitespacesAndNewlines)
        let certificate = try String(contentsOfFile: Self.certificate, encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        var lines: [String] = []
        for number in 0..<2000 {
            switch number % 5 {
            case 0, 3: lines.append(card)
            case 4: lines.append(String(certificate.dropLast()) + "a")
            default: lines.append(certificate)
            }
        }
        // The certificate has expired when the card is issued.
        let result = try await Shcverify.run(
            ["batch", "--jwks", Self.keys, "--directory", Self.list, "--offline", "--at", "2025-12-01T00:00:00Z"],
            stdin: Array(lines.joined(separator: "\n").utf8))
        #expect(result.exitCode == 15)
        let verdicts = result.stdout.split(separator: "\n")
        #expect(verdicts.count == lines.count)
        for (number, verdict) in verdicts.enumerated() {
            #expect(verdict.hasPrefix("{\"line\":\(number + 1),"))
            let wanted =
                switch number % 5 {
                case 0, 3: "\"verdict\":\"pass\""
                case 4: "\"malformed-qr\""
                default: "\"expired\""
                }
            #expect(verdict.contains(wanted), "line \(number + 1)")
        }
    }

    /// The installed list is dated by its installation.
    @Test func anInstalledListAges() async throws {
        try await Paths.withTemporaryDirectory { folder in
            let store = folder.appendingPathComponent("shcverify")
            for (days, code) in [(1, Int32(0)), (10, 20)] {
                let time = Int(Date().timeIntervalSince1970) - days * 86_400
                let name = "gdhcn-\(time)-\(UUID().uuidString)"
                try FileManager.default.createDirectory(
                    at: store.appendingPathComponent(name), withIntermediateDirectories: true)
                try FileManager.default.copyItem(
                    atPath: Self.list, toPath: store.appendingPathComponent("\(name)/did.json").path)
                let link = store.appendingPathComponent("gdhcn")
                try? FileManager.default.removeItem(at: link)
                try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: name)
                let result = try await Shcverify.run(
                    [Self.certificate, "--directory", "gdhcn", "--max-directory-age", "5", "--quiet"],
                    environment: ["XDG_DATA_HOME": folder.path])
                // It has expired, but that is seen only with a key.
                #expect(result.exitCode == (code == 0 ? 15 : code), "\(days) days: \(result.stderr)")
                // The age is counted by the clock, as of whatever time the certificate is verified.
                let earlier = try await Shcverify.run(
                    [Self.certificate, "--directory", "gdhcn", "--max-directory-age", "5", "--quiet"]
                        + ["--at", "2022-06-01T00:00:00Z"],
                    environment: ["XDG_DATA_HOME": folder.path])
                #expect(earlier.exitCode == code, "\(days) days: \(earlier.stderr)")
            }
        }
    }

    /// Runs the program with lists installed in `folder`.
    private static func run(_ arguments: [String], in folder: URL) async throws -> Shcverify.Result {
        try await Shcverify.run(arguments, environment: ["XDG_DATA_HOME": folder.path])
    }

    /// WHO's list is fetched or copied, installed and shown. A list without signers, or of another kind, does not replace it.
    @Test func installsAListOfSigners() async throws {
        let server = try TestIssuer()
        try server.serve(Data(contentsOf: URL(fileURLWithPath: Self.list)), at: "/v2/trustlist/did.json")
        try server.serve(
            Data(contentsOf: URL(fileURLWithPath: Paths.vector("hcert/trust/gdhcn-nothing.did.json"))),
            at: "/nothing/did.json")
        try server.serve(
            Data(contentsOf: URL(fileURLWithPath: Paths.vector("hcert/trust/gateway.json"))), at: "/gateway.json")
        try await Paths.withTemporaryDirectory { folder in
            let network = ["--ca-file", server.authorityFile, "--timeout", "60"]
            let update = { (path: String) in ["directory", "update", "--url", server.url(path)] + network }
            let allowed = ["--allow-private-network"]
            #expect(
                try await Self.run(update("/v2/trustlist/did.json"), in: folder).exitCode == 20, "loopback is refused")
            let installed = try await Self.run(update("/v2/trustlist/did.json") + allowed, in: folder)
            #expect(installed.exitCode == 0, "\(installed.stderr)")
            #expect(
                installed.stdout.hasPrefix(
                    "installed: 5 signers, 1 with an unusable key, 5 entries that are not for signers, as of "))
            #expect(installed.stderr.contains("the proof of the list was not checked"))
            let verify = [Self.certificate, "--directory", "gdhcn", "-q"] + Self.at
            #expect(try await Self.run(verify, in: folder).exitCode == 0)
            for path in ["/nothing/did.json", "/gateway.json", "/missing/did.json"] {
                let refused = try await Self.run(update(path) + allowed, in: folder)
                #expect(refused.exitCode == (path.hasPrefix("/missing") ? 20 : 10), "\(path): \(refused.stderr)")
                #expect(try await Self.run(verify, in: folder).exitCode == 0, "the installed list is still there")
            }
            let shown = try await Self.run(["directory", "show"], in: folder)
            #expect(shown.exitCode == 0)
            #expect(shown.stdout.split(separator: "\n").count == 6)
            #expect(shown.stderr.contains("gdhcn") || shown.stderr.contains("GDHCN"))
        }
        try await Paths.withTemporaryDirectory { (folder: URL) async throws in
            #expect(try await Self.run(["directory", "show"], in: folder).exitCode == 66, "nothing is installed")
            #expect(try await Self.run(["directory", "update", "--from", Self.certificate], in: folder).exitCode == 10)
            #expect(try await Self.run(["directory", "update", "--from", Self.list], in: folder).exitCode == 0)
            #expect(
                try await Self.run([Self.certificate, "--directory", "gdhcn", "-q"] + Self.at, in: folder).exitCode == 0
            )
        }
    }
}
