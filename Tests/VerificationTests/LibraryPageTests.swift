import CredentialReports
import Foundation
import Testing
import Verification

// docs/library.md contains the same code, from here to the end of the function.

/// One verifier for a whole server. It trusts one issuer of cards, whose keys it fetches, and the signers on a trust list.
func makeVerifier(trusting issuer: String, and trustList: [UInt8]) throws -> Verifier {
    var policy = VerificationPolicy()
    policy.cards.trustedIssuers.allow(try Issuer(issuer))
    try policy.hcerts.signers.add(list: trustList)
    return try Verifier(policy, source: IssuerClient(transport: FetchProcess.installed, limits: .init()))
}

/// What a visitor is told about each credential in an upload.
func answers(to upload: [UInt8], by verifier: Verifier) async throws -> [String] {
    try await verifier.verify(upload, source: "upload").map { verdict in
        switch verdict.outcome {
        case .pass(let verified):
            "genuine: \(verified.claims.contents(names: .builtIn, at: .now)?.records.count ?? 0) records"
        case .fail(let failure): "refused: \(failure.code.rawValue)"
        case .undetermined(let failure): "cannot tell now: \(failure.code.rawValue)"
        }
    }
}

// The page shows this function in another place.

/// What is kept of verdicts, for others to read: the JSON report.
func record(of verdicts: [Verdict]) -> [UInt8] {
    VerdictFormat.json.report(
        now: .now, names: .builtIn, to: Destination(), by: Tool(name: "my-server", version: "1")
    ).text(of: verdicts)
}

/// The code for users of the library in docs/library.md compiles, and does what the page says.
@Suite struct LibraryPageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: root.appendingPathComponent(path)))
    }

    @Test func pageShowsTheCodeInThisFile() throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/library.md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
            .filter { !$0.hasPrefix("// swift-tools-version") }
        #expect(blocks.count == 2)
        let file = try String(contentsOfFile: #filePath, encoding: .utf8)
        for shown in blocks {
            let gap = try #require(shown.firstRange(of: "\n\n"))
            let (imports, code) = (shown[..<gap.lowerBound], shown[gap.upperBound...])
            #expect(file.contains("\n\n\(code)\n"))
            for line in imports.split(separator: "\n") { #expect(file.contains("\(line)\n")) }
        }
    }

    /// The manifest on the page names only products that there are.
    @Test func productsOnThePageExist() throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/library.md"), encoding: .utf8)
        let package = try String(contentsOf: Self.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let names = page.matches(of: /\.product\(name: "([\w-]+)"/).map { String($0.1) }
        #expect(names.count == 4)
        for name in names { #expect(package.contains("(name: \"\(name)\", targets:"), "\(name)") }
    }

    @Test func recordOfVerdictsIsTheJSONReport() async throws {
        let list = try Self.bytes("TestVectors/hcert/trust/signers.pem")
        let verifier = try makeVerifier(trusting: "https://other.example", and: list)
        let card = try Self.bytes("TestVectors/cards/inputs/jws.jws")
        let verdicts = try await verifier.verify(card, source: "upload")
        let report = String(decoding: record(of: verdicts), as: UTF8.self)
        #expect(report.contains(#""code": "issuer-not-trusted""#))
    }

    @Test func codeOnThePageVerifies() async throws {
        let list = try Self.bytes("TestVectors/hcert/trust/signers.pem")
        let verifier = try makeVerifier(trusting: "https://other.example", and: list)
        let card = try Self.bytes("TestVectors/cards/inputs/jws.jws")
        #expect(try await answers(to: card, by: verifier) == ["refused: issuer-not-trusted"])
        let certificate = try Self.bytes("TestVectors/hcert/cards/valid-vaccination.hc1")
        #expect(try await answers(to: certificate, by: verifier) == ["refused: expired"])
    }
}
