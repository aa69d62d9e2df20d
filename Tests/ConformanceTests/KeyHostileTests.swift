import Credentials
import SMARTHealthCards
import Testing

@testable import Conformance

/// Key sets and revocation lists that were made to be expensive to check.
@Suite struct KeyHostileTests {
    private func lint(_ text: String, as kind: InputForm) throws -> [Finding] {
        var linter = try Linter(policy: LintPolicy(now: NumericDate(sinceEpoch: .seconds(1_780_272_000))))
        linter.add(Array(text.utf8), source: "hostile", as: kind)
        return try linter.finishOffline()
    }

    private func isBounded(_ findings: [Finding]) -> Bool {
        findings.count < 1000
            && findings.allSatisfy { finding in
                finding.message.unicodeScalars.count < 1000
                    && finding.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            }
    }

    @Test func limitsFindingsInManyKeys() throws {
        let key = #"{"kty":"EC","crv":"P-256","x":"AA","y":"AA","d":"x","x5c":["AAAA","-"]}"#
        let text = #"{"keys":["# + Array(repeating: key, count: 10_000).joined(separator: ",") + "]}"
        #expect(isBounded(try lint(text, as: .jwks)))
        let numbers = #"{"keys":["# + Array(repeating: "1", count: 100_000).joined(separator: ",") + "]}"
        #expect(isBounded(try lint(numbers, as: .jwks)))
    }

    @Test func limitsFindingsInManyEntries() throws {
        for entry in [#""a""#, #""a+""#, "1", #""a.1""#, #""a.x""#] {
            let entries = Array(repeating: entry, count: 30_000).joined(separator: ",")
            let text = #"{"kid":"k","method":"rid","ctr":1,"rids":["# + entries + "]}"
            let findings = try lint(text, as: .crl)
            #expect(!findings.isEmpty)
            #expect(isBounded(findings))
        }
    }

    @Test func escapesControlCharactersInMessages() throws {
        let evil = #"\u001b[2J\u0007\u202e\n"# + String(repeating: "x", count: 5000)
        let members = ["kty", "kid", "use", "alg", "crv", "x", "y", "crlVersion", "ctr", "x5t"]
            .map { "\"\($0)\":\"\(evil)\"" }.joined(separator: ",")
        let texts: [(String, InputForm)] = [
            ("{\"keys\":[{\(members),\"x5c\":[\"\(evil)\"],\"key_ops\":[\"\(evil)\"]},\"\(evil)\"]}", .jwks),
            ("{\"keys\":\"\(evil)\"}", .jwks), ("\"\(evil)\"", .jwks), ("\"\(evil)\"", .crl),
            ("\"\(evil)\"", .directory),
            ("{\"kid\":1,\"method\":\"\(evil)\",\"ctr\":\"\(evil)\",\"rids\":[\"\(evil)\",\"a.\(evil)\"]}", .crl),
            (
                "{\"participating_issuers\":[{\"iss\":\"\(evil)\",\"name\":\"\(evil)\",\"canonical_iss\":\"\(evil)1\"},"
                    + "{\"iss\":\"\(evil)\",\"name\":\"\(evil)\"}]}",
                .directory
            ),
            (
                "{\"time\":\"\(evil)\",\"issuerInfo\":[{\"issuer\":{\"iss\":\"\(evil)\"},\"keys\":[{\(members)}],"
                    + "\"crls\":[{\"kid\":\"\(evil)\",\"method\":\"\(evil)\"}],\"lastRetrieved\":\"\(evil)\"}]}",
                .directory
            ),
        ]
        for (text, kind) in texts {
            let findings = try lint(text, as: kind)
            #expect(!findings.isEmpty)
            #expect(isBounded(findings), "\(kind)")
        }
    }
}
