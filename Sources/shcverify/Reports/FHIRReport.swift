import JSON
import SMARTHealthCards

/// `--format fhir`: the FHIR Bundles of the cards that verified, a line each, and nothing else.
struct FHIRReport: VerificationReport {
    let escapesUnprintable: Bool

    func add(_ verdict: Verdict) -> [UInt8] {
        guard let verified = verdict.verified else { return [] }
        var writer = JSONWriter(escapesUnprintable: escapesUnprintable)
        writer.value(verified.card.fhirBundle)
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    func finish() -> [UInt8] { [] }
}
