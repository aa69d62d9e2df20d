import Encodings
import FHIR

extension PersonDetails {
    /// Writes the members of the person; all are null without one.
    static func write(_ details: PersonDetails?, to writer: inout JSONWriter) {
        writer.member("sex", details?.sex)
        writer.member("nationality", details?.nationality)
        writer.object("document", details?.documentNumber) { number, writer in
            writer.member("number", number)
            writer.member("type", details?.documentType)
        }
        writer.member("guardian", details?.guardian)
    }
}

extension Record {
    /// Writes the record's members, the same in every JSON output. All are always there, so that tables can be made of them.
    func write(to writer: inout JSONWriter) {
        writer.member("resourceType", resourceType)
        writer.member("type", type?.rawValue)
        writer.member("display", display)
        writer.member("displaySource", displaySource?.rawValue)
        writer.objects("codes", codes) { code, writer in
            writer.member("system", code.system)
            writer.member("code", code.code)
        }
        writer.member("date", date)
        writer.member("status", status)
        writer.member("verificationStatus", verificationStatus)
        writer.member("notDone", isNotDone ? true : nil as Bool?)
        writer.member("absent", isAbsent ? true : nil as Bool?)
        writer.member("notCounted", uncounted)
        writer.member("isSubpotent", isSubpotent)
        writer.member("issuerDisplay", RecordText.otherWords(self))
        writer.member("performer", performer)
        writer.member("lotNumber", lotNumber)
        writer.member("manufacturer", manufacturer)
        writer.member("result", RecordText.result(self))
        writer.member("orderOnCard", order)
        writer.object("dose", dose) { dose, writer in
            writer.member("number", Int(clamping: dose.number))
            writer.member("of", Int(clamping: dose.total))
        }
        writer.member("country", country)
        writer.member("identifier", identifier)
        writer.member("validFrom", validFrom)
        writer.member("validUntil", validUntil)
        writer.member("disease", diseaseName)
        guard let coverage else { return }
        writer.name("coverage")
        coverage.write(to: &writer)
    }
}

extension CoverageDetails {
    /// Writes the object `coverage`.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (name, text) in CoverageText.members { writer.member(name, text(self)) }
            writer.objects("costs", costs) { cost, writer in
                writer.member("type", cost.type)
                writer.member("value", cost.value)
            }
            writer.objects("contacts", contacts) { contact, writer in
                writer.member("purpose", contact.purpose)
                writer.member("system", contact.system)
                writer.member("value", contact.value)
            }
        }
    }
}
