import Credentials
import Cryptography
import Encodings
import Testing

@testable import HealthCertificates

/// The cases of TestVectors/hcert about whom to trust, and when, that need nothing but a certificate, lists, revocations and anchors. Here
/// they run without the program.
@Suite struct CaseTests {
    @Test func thereAreCases() {
        #expect(CertificateCase.all.count > 500)
    }

    @Test(arguments: CertificateCase.all) func agrees(with one: CertificateCase) throws {
        let verdict = try one.verdict()
        #expect(one.reasons.contains(verdict.reason?.code.rawValue), "\(verdict.reason?.message ?? "it passed")")
        guard let warnings = one.warnings else { return }
        let found = verdict.warnings.map(\.code.rawValue)
        #expect(warnings.isEmpty ? found.isEmpty : warnings.allSatisfy(found.contains), "\(found)")
    }
}

/// A certificate with options, and what its verdict must be.
struct CertificateCase: Sendable, CustomTestStringConvertible {
    let id: String
    /// The codes that the reason may have; nil for a certificate that passes.
    let reasons: [String?]
    /// Warnings that it must have, or none at all; nil if the case is not about them.
    let warnings: [String]?
    private let file: String
    /// The options, each with its value, or with its own name if it has none.
    private var options: [(name: String, value: String)] = []

    var testDescription: String { id }

    static let all: [CertificateCase] = {
        let index = (try? HealthCertificateVectors.bytes("cases.json")).flatMap { try? JSONDocument.parse($0) }
        return index?["cases"]?.elements?.compactMap { CertificateCase($0) } ?? []
    }()

    /// The first parts of the IDs of these cases.
    private static let groups: Set<Substring> = [
        "anchor", "burnt", "country", "domain", "icvp", "key", "list", "order", "revocation", "time", "usage",
    ]
    /// The exit codes of a list that the program refuses, and of one that it cannot read.
    private static let refusals: [Int64] = [64, 66]

    /// nil for a case that is about something else, or needs more than this library.
    private init?(_ entry: JSONValue) {
        let words = { (value: JSONValue) in value.string?.description }
        guard entry["mode"]?.isString("verify") == true, let id = entry["id"].flatMap(words),
            Self.groups.contains(id.prefix { $0 != "/" }),
            let files = entry["files"]?.elements?.compactMap(words), files.count == 1, files[0].hasSuffix(".hc1"),
            let arguments = entry["args"]?.elements?.compactMap(words), let reason = entry["expect"]?["reason"],
            entry["expect"]?["exit"]?.number?.integer.map(Self.refusals.contains) != true
        else { return nil }
        self.id = id
        file = files[0]
        warnings = entry["expect"]?["warnings"]?.elements?.compactMap(words)
        reasons = reason.elements.map { $0.map(words) } ?? [words(reason)]
        var rest = arguments[...]
        while let name = rest.popFirst() {
            switch name {
            case "--offline": break
            case "--require-revocation": options.append((name, name))
            case "--at", "--directory", "--jwks", "--crl", "--anchor":
                // Keys for one issuer are those of an issuer of cards, and certificates are read by the program.
                guard let value = rest.popFirst(), !value.contains("="), name != "--jwks" || value.hasSuffix(".json}")
                else { return nil }
                options.append((name, value.filter { !"{}".contains($0) }))
            default: return nil
            }
        }
    }

    func verdict() throws -> Verdict {
        let moment = try #require(options.first { $0.name == "--at" }?.value)
        var policy = HCERTPolicy(now: try #require(NumericDate(text: moment)))
        for (name, value) in options {
            switch name {
            case "--directory": policy.signers.add(try TrustListRules().admit(try SignerList(bytes(value))))
            case "--jwks": policy.signers.add(try TrustListRules().admit(try SignerList(keySet: bytes(value))))
            case "--crl": policy.revocations.append(try RevocationBatch(bytes(value)))
            case "--anchor": policy.anchors = try CertificateAnchors(pem: bytes(value))
            case "--require-revocation": policy.requiresRevocation = true
            default: break
            }
        }
        let verifier = try HCERTVerifier(policy: policy)
        let text = Array(try bytes(file)[...].trimmingWhiteSpace())
        return verifier.verify(
            verifier.examine(PresentedCredential(text: text, kind: .healthCertificate, form: .hc1, source: id)))
    }

    private func bytes(_ path: String) throws -> [UInt8] { try HealthCertificateVectors.bytes(path) }
}
