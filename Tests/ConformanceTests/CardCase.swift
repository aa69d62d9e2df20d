import Credentials
import Cryptography
import Foundation
import JOSE
import SMARTHealthCards
import StrictJSON
import TestSupport
import Testing

@testable import Conformance

/// A case for lint in `../shared/conformance/cases/cases.json`, if that file is present: the findings of other tools in their own
/// example files.
struct CardCase: Sendable, CustomTestStringConvertible {
    let id: String
    let files: [String]
    let arguments: [String]
    let exitCodes: [String]
    /// Codes that lint must find. If an element has several codes with bars between them, one of these must be found.
    let required: [String]
    let forbidden: [String]

    var testDescription: String { id }

    static let all: [CardCase] = {
        guard let bytes = try? SharedData.bytes("cases/cases.json"), let index = try? JSONDocument.parse(bytes) else {
            return []
        }
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

    private func options() throws -> (policy: LintPolicy, kind: InputForm?) {
        var policy = LintPolicy(now: NumericDate(sinceEpoch: .seconds(1_780_272_000)))
        var kind: InputForm?
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard option != "--offline", let value = rest.popFirst() else { continue }
            let parts = value.split(separator: "{", maxSplits: 1, omittingEmptySubsequences: false)
            let file = parts.count == 2 ? try SharedData.bytes(String(parts[1].dropLast())) : []
            let issuer = parts[0].hasSuffix("=") ? Issuer(unchecked: String(parts[0].dropLast())) : nil
            switch option {
            case "--at": policy.now = try #require(NumericDate(text: value))
            case "--as": kind = InputForm(rawValue: value)
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
        for file in files { linter.add(try SharedData.bytes(file), source: file, as: kind) }
        return try linter.finishOffline()
    }
}

extension Linter {
    /// All findings if nothing can be fetched, so that only the given evidence is known.
    mutating func finishOffline(_ given: Evidence = Evidence()) throws -> [Finding] {
        finishReading()
        var evidence = given
        while true {
            let requests = judge(with: evidence)
            guard !requests.isEmpty else { return findings }
            for request in requests {
                try #require(!evidence.holds(request))
                evidence.refuse(request, because: request.offlineFailure)
            }
        }
    }
}

extension EvidenceRequest {
    /// The failure that answers the request if nothing can be fetched.
    var offlineFailure: VerificationFailure {
        VerificationFailure(query is RevocationListQuery ? .revocationUnavailable : .keysUnavailable, "offline")
    }
}
