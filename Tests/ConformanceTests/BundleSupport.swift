import Credentials
import Encodings
import Foundation
import SMARTHealthCards
import Testing

@testable import Conformance

/// Bundles for tests, and the problems in them.
enum Bundles {
    /// A Bundle with a Patient and one more resource. It is valid if that resource is.
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

    /// A resource for any primitive: Basic with an extension that has the primitive as its value.
    static func holding(_ value: String, as type: Primitive) -> String {
        let name = type.rawValue.prefix(1).uppercased() + type.rawValue.dropFirst()
        return text(
            #"{"resourceType":"Basic","code":{"coding":[{"code":"test"}]},"extension":[{"url":"https://a.example/","value\#(name)":\#(value)}]}"#
        )
    }

    static func quoted(_ text: String) -> String { JSONWriter.quoted(text) }

    static func findings(
        _ bytes: [UInt8], as kind: InputForm?, profile: LintPolicy.Profile? = nil
    ) throws -> [Finding] {
        var policy = LintPolicy(now: NumericDate(sinceEpoch: .seconds(1_780_272_000)))
        policy.profiles = [profile].compactMap(\.self)
        var linter = try Linter(policy: policy)
        linter.add(bytes, source: "test", as: kind)
        linter.finishReading()
        return linter.findings
    }
}
