import FHIR
import JSON

extension Record {
    /// Writes the record's members, as every JSON output has them.
    func write(to writer: inout JSONWriter) {
        writer.member("resourceType", resourceType)
        writer.member("type", type?.rawValue)
        writer.member("display", display)
        writer.member("displaySource", displaySource?.rawValue)
        writer.name("codes")
        writer.array { writer in
            for code in codes {
                writer.object { writer in
                    writer.member("system", code.system)
                    writer.member("code", code.code)
                }
            }
        }
        writer.member("date", date)
        writer.member("status", status)
        if let verificationStatus { writer.member("verificationStatus", verificationStatus) }
        if isNotDone {
            writer.name("notDone")
            writer.value(true)
        }
        if let isSubpotent {
            writer.name("isSubpotent")
            writer.value(isSubpotent)
        }
        if let words = RecordText.otherWords(self) { writer.member("issuerDisplay", words) }
        writer.member("performer", performer)
        writer.member("lotNumber", lotNumber)
        if let manufacturer { writer.member("manufacturer", manufacturer) }
        writer.member("result", RecordText.result(self))
        writer.member("orderOnCard", orderOnCard?.description)
    }
}
