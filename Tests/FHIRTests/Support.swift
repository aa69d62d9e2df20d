import FHIR
import FoundationEssentials
import JSON

/// The Bundle with this text.
func bundle(_ json: String) throws -> FHIRBundle {
    try FHIRBundle(JSONDocument.parse(Array(json.utf8)))
}

/// A Bundle of these resources, with `resource:0` and so on as addresses.
func bundle(of resources: [String]) throws -> FHIRBundle {
    let entries = resources.enumerated().map { #"{"fullUrl":"resource:\#($0)","resource":\#($1)}"# }
    return try bundle(#"{"resourceType":"Bundle","type":"collection","entry":[\#(entries.joined(separator: ","))]}"#)
}

/// The contents of a card with these resources, and with a Patient after them if none of them is one.
func card(_ resources: [String], names: CodeNames = .builtIn) throws -> CardContents {
    let hasPatient = resources.contains { $0.contains(#""resourceType":"Patient""#) }
    let all = resources + (hasPatient ? [] : [#"{"resourceType":"Patient"}"#])
    return try CardContents(bundle(of: all), fhirVersion: "4.0.1", names: names)
}

/// The contents of a card with these resources.
func contents(
    _ resources: String..., fhirVersion: UTF8Text = "4.0.1", names: CodeNames = CodeNames()
) throws -> CardContents {
    try CardContents(bundle(of: resources), fhirVersion: fhirVersion, names: names)
}

/// The only record of a card of this resource and a Patient, `resource:1`.
func record(_ resource: String, fhirVersion: UTF8Text = "4.0.1", names: CodeNames = CodeNames()) throws -> Record? {
    let contents = try contents(resource, #"{"resourceType":"Patient"}"#, fhirVersion: fhirVersion, names: names)
    return contents.records.count == 1 ? contents.records[0] : nil
}

/// The folder of source data next to the repository. It is not part of the project, so tests that need it may be
/// skipped.
enum Shared {
    static let folder: String = {
        if let folder = ProcessInfo.processInfo.environment["SHCVERIFY_SHARED"] { return folder }
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return root.deletingLastPathComponent().appending(path: "shared").path(percentEncoded: false)
    }()

    static let hasData = FileManager.default.fileExists(atPath: folder + "/data/cvx")

    /// The lines of a list in the source data, without padding.
    static func list(_ path: String) throws -> [String] {
        try String(contentsOf: URL(filePath: folder + "/data/" + path), encoding: .utf8)
            .split(whereSeparator: \.isNewline).map(String.init)
    }

    static let hasExamples = FileManager.default.fileExists(atPath: folder + "/conformance/spec-examples")

    static func bundle(_ path: String) throws -> FHIRBundle {
        let bytes = try Array(Data(contentsOf: URL(filePath: folder + "/conformance/" + path)))
        return try FHIRBundle(JSONDocument.parse(bytes))
    }

    static func example(_ number: String) throws -> FHIRBundle {
        try bundle("spec-examples/example-\(number)-a-fhirBundle.json")
    }
}
