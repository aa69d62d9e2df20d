import CBOR
import FHIR
package import StrictJSON

extension ICVP {
    /// The certificate as a FHIR Bundle (R4): a Patient, and an Immunization for each vaccination.
    package var storableBundle: JSONValue? {
        ContentBundle.bundle(
            of: { writer in
                if let name = value["n"]?.plainText {
                    writer.name("name")
                    writer.array { writer in writer.object { $0.member("text", name) } }
                }
                if let birthDate = value["dob"]?.dateText.flatMap(ContentDate.birthDate) {
                    writer.member("birthDate", birthDate)
                }
            },
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
}
