import Credentials
import Cryptography
import Foundation
import HealthCertificates
import Inputs
import JOSE
import SMARTHealthCards
import StrictJSON
import Testing

@testable import Conformance

/// A vector in TestVectors/lint.json: the files to lint, and the IDs of the rules that must have findings.
struct RuleVector: Sendable, CustomTestStringConvertible {
    let id: String
    let rule: String
    let departs: Bool
    let files: [String]
    let arguments: [String]
    let findings: [String]

    var testDescription: String { id }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("TestVectors")

    static let all: [RuleVector] = {
        guard let bytes = try? bytes("lint.json"), let index = try? JSONDocument.parse(bytes) else { return [] }
        return index["vectors"]?.elements?.compactMap { RuleVector($0) } ?? []
    }()

    init?(_ entry: JSONValue) {
        guard let id = entry["id"]?.string, let rule = entry["rule"]?.string, let departs = entry["departs"]?.boolean
        else { return nil }
        let strings = { (name: String) in entry[name]?.elements?.compactMap(\.string?.description) ?? [] }
        self.id = id.description
        self.rule = rule.description
        self.departs = departs
        files = strings("files")
        arguments = strings("args")
        findings = strings("findings")
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appendingPathComponent(path)))
    }

    /// The policy, the form of the input and the given files, from the arguments of the lint command.
    func options() throws -> (policy: LintPolicy, kind: InputForm?, given: [(bytes: [UInt8], kind: InputForm)]) {
        var given: [(bytes: [UInt8], kind: InputForm)] = []
        var policy = LintPolicy(now: NumericDate(sinceEpoch: .zero))
        var kind: InputForm?
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard option != "--offline" else { continue }
            guard let value = rest.popFirst() else { continue }
            // A key set may be for one issuer: URL={file}.
            let parts = value.hasSuffix("}") ? value.split(separator: "{", omittingEmptySubsequences: false) : []
            let file = parts.count == 2 ? try Self.bytes(String(parts[1].dropLast())) : []
            let owner = parts.first.flatMap { $0.isEmpty ? nil : Issuer(unchecked: String($0.dropLast())) }
            switch option {
            case "--at": policy.now = try #require(NumericDate(text: value))
            case "--as": kind = InputForm(rawValue: value)
            case "--iss": policy.issuer = Issuer(unchecked: value)
            case "--jwks":
                switch try ListFile(file, maximumSize: Bounds.keySetSize) {
                case .json(let set), .signed(let set, _):
                    policy.givenKeys.add(try JWKSet(set), for: owner)
                    let list = owner == nil ? try? SignerList(keySet: set) : nil
                    if let list { policy.signers.add(try TrustListRules().admit(list)) }
                    if list?.isOfSigners != true, owner.map({ !policy.apps.contains($0) }) ?? true {
                        given.append((file, .jwks))
                    }
                case .certificates: break
                }
            case "--crl":
                let document = try PublishedList.parse(file: file, maximumSize: Bounds.revocationListSize)
                guard try DocumentKind(of: document, among: DocumentKind.revocations) == .cardRevocations else {
                    policy.revocations.append(try RevocationBatch(document))
                    continue
                }
                policy.givenLists.append(try RevocationList(document))
                given.append((file, .crl))
            case "--directory":
                let list = try ListFile(file, maximumSize: Bounds.directorySize)
                guard case .json(let document) = list, try list.kind == .issuers else {
                    policy.signers.add(try TrustListRules().admit(try SignerList(list)))
                    continue
                }
                policy.trustedIssuers.add(try IssuerDirectory(document))
                given.append((file, .directory))
            case "--list-key": policy.listKeys = try ListKeys(file)
            case "--anchor": policy.trustedIssuers.anchors = try CertificateAnchors(pem: file)
            case "--signature": policy.snapshotSignature = file
            case "--certificate": policy.snapshotSigner = try P521PublicKey(certificate: file)
            case "--exclude":
                policy.waivedRules.formUnion(Rule.all.filter { $0.code == value }.map(\.id))
            case "--app": policy.apps.insert(Issuer(unchecked: value))
            case "--recipient": policy.namesRecipient = true
            case "--profile": policy.profiles += [LintPolicy.Profile(rawValue: value)].compactMap(\.self)
            default: Issue.record("no such option: \(option)")
            }
        }
        return (policy, kind, given)
    }

    /// Lints the files. Nothing can be fetched.
    func run() throws -> [Finding] {
        let (policy, kind, given) = try options()
        var linter = try Linter(policy: policy)
        for file in files { linter.add(try Self.bytes(file), source: file, as: kind) }
        linter.finishReading()
        for (bytes, kind) in given { linter.add(given: bytes, source: "option", as: kind) }
        var evidence = Evidence()
        while true {
            let requests = linter.judge(with: evidence)
            guard !requests.isEmpty else { return linter.findings }
            for request in requests {
                evidence.refuse(request, because: request.offlineFailure)
            }
        }
    }
}
