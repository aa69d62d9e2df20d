import Foundation
import JSON
import SMARTHealthCards
import Testing

@testable import Conformance

/// Bundles for tests, and what the walk finds in them.
enum Bundles {
    /// A Bundle of a Patient and one more resource, which nothing is wrong with where nothing is wrong with that.
    static func text(_ resource: String) -> String {
        """
        {"resourceType":"Bundle","type":"collection","entry":[{"fullUrl":"resource:0","resource":{"resourceType":"Patient",\
        "name":[{"family":"Anyperson","given":["Jana"]}],"birthDate":"1951-01-20"}},{"fullUrl":"resource:1","resource":\
        \(resource)}]}
        """
    }

    static func walk(_ text: String, fhirVersion: UTF8Text? = "4.0.1") throws -> [StructureProblem] {
        BundleWalk(try JSONDocument.parse(Array(text.utf8)), fhirVersion: fhirVersion).problems
    }

    /// A resource of a type of its own for every primitive: Basic with an extension that has it as its value.
    static func holding(_ value: String, as type: Primitive) -> String {
        let name = type.rawValue.prefix(1).uppercased() + type.rawValue.dropFirst()
        return text(
            #"{"resourceType":"Basic","code":{"coding":[{"code":"test"}]},"extension":[{"url":"https://a.example/","value\#(name)":\#(value)}]}"#
        )
    }

    static func quoted(_ text: String) -> String { JSONWriter.quoted(text) }

    static func findings(
        _ bytes: [UInt8], as kind: LintKind?, profile: LintPolicy.Profile? = nil
    ) throws -> [Finding] {
        var policy = LintPolicy(now: NumericDate(sinceEpoch: .seconds(1_780_272_000)))
        policy.profile = profile
        var linter = try Linter(policy: policy)
        linter.add(bytes, source: "test", as: kind)
        linter.finishReading()
        return linter.findings
    }
}

/// SplitMix64: the same seed gives the same numbers on every machine, so a failing case comes again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// The data of others that these tests run against where it is there: `../shared/conformance` beside the package, or in
/// the folder that SHCVERIFY_SHARED names.
enum SharedExamples {
    static let folder: URL = {
        if let shared = ProcessInfo.processInfo.environment["SHCVERIFY_SHARED"] {
            return URL(filePath: shared).appending(path: "conformance")
        }
        return RuleVector.folder.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "shared/conformance")
    }()

    static let absence = "no ../shared/conformance beside the package"

    static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.path) }

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: path)))
    }
}
