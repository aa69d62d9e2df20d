import JSON
import SMARTHealthCards

/// `--format fhir`: the FHIR Bundles of the cards that verified, a line each, and nothing else.
struct FHIRReport {
    let escapesUnprintable: Bool

    func render(_ verdicts: [Verdict]) -> [UInt8] {
        verdicts.compactMap(\.verified).flatMap { verified in
            var writer = JSONWriter(escapesUnprintable: escapesUnprintable)
            writer.value(verified.card.fhirBundle)
            return writer.bytes + [UInt8(ascii: "\n")]
        }
    }
}
