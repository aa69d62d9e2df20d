import Foundation
import JOSE
import JSON
import SMARTHealthCards
import Testing

@testable import Conformance

/// One case of `../shared/conformance/cases/cases.json` that lint is held to, where that is there: what others' tools
/// find in their own example files.
struct CardCase: Sendable, CustomTestStringConvertible {
    let id: String
    let files: [String]
    let arguments: [String]
    let exitCodes: [String]
    /// Codes of which each has to be found; several between bars are one or another.
    let required: [String]
    let forbidden: [String]

    var testDescription: String { id }

    static let folder: URL = {
        if let shared = ProcessInfo.processInfo.environment["SHCVERIFY_SHARED"] {
            return URL(filePath: shared).appending(path: "conformance")
        }
        return RuleVector.folder.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "shared/conformance")
    }()

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: path)))
    }

    /// Why a test is skipped.
    static let absence = "no ../shared/conformance beside the package"

    static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.path) }

    static let all: [CardCase] = {
        guard let bytes = try? bytes("cases/cases.json"), let index = try? JSONDocument.parse(bytes) else { return [] }
        return index["cases"]?.elements?.compactMap { CardCase($0) } ?? []
    }()

    init?(_ entry: JSONValue) {
        guard let id = entry["id"]?.string, entry["mode"]?.string == "lint", let expected = entry["expect"] else {
            return nil
        }
        let strings = { (value: JSONValue?) in value?.elements?.compactMap(\.string?.description) ?? [] }
        self.id = id.description
        files = strings(entry["files"])
        arguments = strings(entry["args"])
        exitCodes = expected["exit"]?.elements?.compactMap { $0.number?.digits } ?? []
        required = strings(expected["findings"]?["must"])
        forbidden = strings(expected["findings"]?["mustNot"])
    }

    private func options() throws -> (policy: LintPolicy, kind: LintKind?) {
        var policy = LintPolicy(now: NumericDate(sinceEpoch: .seconds(1_780_272_000)))
        var kind: LintKind?
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard option != "--offline", let value = rest.popFirst() else { continue }
            let parts = value.split(separator: "{", maxSplits: 1, omittingEmptySubsequences: false)
            let file = parts.count == 2 ? try Self.bytes(String(parts[1].dropLast())) : []
            let issuer = parts[0].hasSuffix("=") ? Issuer(unchecked: String(parts[0].dropLast())) : nil
            switch option {
            case "--at": policy.now = try #require(NumericDate(text: value))
            case "--as": kind = LintKind(rawValue: value)
            case "--jwks": policy.givenKeys.add(try JWKSet(file), for: issuer)
            case "--crl": policy.givenLists.append(try RevocationList(file))
            case "--directory": policy.trustedIssuers.add(try IssuerDirectory(file))
            default: Issue.record("no such option: \(option)")
            }
        }
        return (policy, kind)
    }

    func run() throws -> [Finding] {
        let (policy, kind) = try options()
        var linter = try Linter(policy: policy)
        for file in files { linter.add(try Self.bytes(file), source: file, as: kind) }
        return try linter.finishOffline()
    }
}

extension Linter {
    /// All findings, where nothing is to be had of any issuer but what is given here.
    mutating func finishOffline(_ given: Evidence = Evidence()) throws -> [Finding] {
        finishReading()
        var evidence = given
        while true {
            let requests = judge(with: evidence)
            guard !requests.isEmpty else { return findings }
            for request in requests {
                switch request {
                case .keys(let issuer), .currentKeys(let issuer):
                    try #require(evidence.keys[issuer] == nil)
                    evidence.keys[issuer] = .failure(VerificationFailure(.keysUnavailable, "offline"))
                case .revocationList(let name, _):
                    try #require(evidence.lists[name] == nil)
                    evidence.lists[name] = .failure(VerificationFailure(.revocationUnavailable, "offline"))
                }
            }
        }
    }
}
