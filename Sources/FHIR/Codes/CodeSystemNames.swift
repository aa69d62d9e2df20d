import Encodings

extension Code {
    /// Other URIs of code systems, with the one by which lists know each. HL7's registry has an OID for most systems, and records that were
    /// converted from C-CDA name systems by it (RFC 3061).
    private static let otherSystemNames: [UTF8Text: UTF8Text] = [
        "http://id.who.int/icd11/mms": icd11,
        "urn:oid:2.16.840.1.113883.6.347": icd11,
        "urn:oid:2.16.840.1.113883.12.292": cvx,
        "urn:oid:2.16.840.1.113883.12.227": mvx,
        "urn:oid:2.16.840.1.113883.6.1": loinc,
        "urn:oid:2.16.840.1.113883.6.96": snomed,
        "urn:oid:2.16.840.1.113883.6.3": "http://hl7.org/fhir/sid/icd-10",
        "urn:oid:2.16.840.1.113883.6.90": "http://hl7.org/fhir/sid/icd-10-cm",
        "urn:oid:2.16.840.1.113883.6.69": "http://hl7.org/fhir/sid/ndc",
        "urn:oid:2.16.840.1.113883.6.73": "http://www.whocc.no/atc",
        "urn:oid:2.16.840.1.113883.6.88": "http://www.nlm.nih.gov/research/umls/rxnorm",
    ]

    /// The URI by which lists know a code system; the same one if it has no other. `urn:oid` may have upper-case letters (RFC 8141 §3.1).
    static func canonicalSystem(_ system: UTF8Text) -> UTF8Text {
        switch system {
        // Nearly all records have these.
        case cvx, snomed, loinc, icd11: system
        default:
            otherSystemNames[system.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "u") ? system.asciiLowercased : system]
                ?? system
        }
    }
}
