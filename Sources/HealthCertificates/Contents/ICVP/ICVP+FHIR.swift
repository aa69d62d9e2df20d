package import Encodings
import FHIR

extension ICVP {
    /// The certificate as a FHIR Bundle (R4): a Patient, and an Immunization for each vaccination.
    package var storableBundle: JSONValue? {
        ContentBundle.bundle(
            of: patient,
            vaccinations.map { vaccination in
                (
                    "Immunization",
                    { writer in
                        writer.member("status", "completed")
                        let product = vaccination["vp"]?.plainText.map { ICVPCode.code($0) }
                        ContentBundle.required("vaccineCode", [product], &writer)
                        ContentBundle.patient("patient", &writer)
                        ContentBundle.occurrence(ContentBundle.date(vaccination["dt"]?.dateText), &writer)
                        if let lot = vaccination["bo"]?.plainText { writer.member("lotNumber", lot) }
                    }
                )
            })
    }

    /// The holder is identified by a document. Of two persons with one name and date of birth, nothing else tells that they are two.
    package var holderIdentity: [UInt8]? {
        value["nid"]?.plainText == nil
            ? nil : ContentBundle.identity(["n", "dob", "s", "ntl", "nid", "ndt", "gn"], of: value)
    }

    private func patient(_ writer: inout JSONWriter) {
        if let number = value["nid"]?.plainText {
            writer.only("identifier") { writer in
                if let type = value["ndt"]?.plainText {
                    writer.object("type") { writer in
                        // Codes such as PPN are those of v2-0203.
                        if (2...6).contains(type.utf8.count), type.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) {
                            ContentBundle.coding([Code(hl7: "v2-0203", type)], &writer)
                        } else {
                            writer.member("text", type)
                        }
                    }
                }
                writer.member("value", number)
            }
        }
        if let name = value["n"]?.plainText { writer.only("name") { $0.member("text", name) } }
        if let gender { writer.member("gender", gender) }
        if let birthDate = value["dob"]?.dateText.flatMap(ContentDate.birthDate) {
            writer.member("birthDate", birthDate)
        }
        if let guardian = value["gn"]?.plainText {
            writer.only("contact") { writer in
                writer.only("relationship") { ContentBundle.coding([Code(hl7: "v3-RoleCode", "GUARD")], &$0) }
                writer.object("name") { $0.member("text", guardian) }
            }
        }
    }

    /// The code of FHIR that the sex begins with, or that begins with it: certificates have `male` and `M`. nil if there is none.
    private var gender: String? {
        guard let sex = value["s"]?.plainText?.asciiLowercased else { return nil }
        return ["male", "female", "other", "unknown"].first { code in
            guard sex.utf8.count > code.utf8.count else { return code.utf8.starts(with: sex.utf8) }
            let rest = sex.utf8.dropFirst(code.utf8.count)
            return sex.utf8.starts(with: code.utf8) && rest.first.map { !(0x61...0x7A).contains($0) } == true
        }
    }
}
