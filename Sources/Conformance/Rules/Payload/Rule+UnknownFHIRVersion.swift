import JOSE
import JSON

extension Rule {
    static let unknownFHIRVersion = Rule(
        "unknown-fhir-version", "fhir-version", .p2, severity: .warning,
        requirement: "\"fhirVersion\" is 4.0.x (R4) or 1.0.x (DSTU2), with three numbers.",
        remedy: "Write 4.0.1 for R4.",
        check: .payload { payload in
            guard let value = payload.value?["vc"]?["credentialSubject"]?["fhirVersion"],
                let version = value.stringBytes
            else { return [] }
            let parts = version.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            let isRelease = version.starts(with: "4.0.".utf8) || version.starts(with: "1.0.".utf8)
            let hasNumber = parts.count == 3 && !parts[2].isEmpty && parts[2].allSatisfy { (0x30...0x39).contains($0) }
            return isRelease && hasNumber
                ? [] : [Problem("this is another version, whose structure is not checked: \(value.excerpt)", at: value)]
        })
}
