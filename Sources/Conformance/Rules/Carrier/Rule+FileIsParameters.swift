import JSON
import SMARTHealthCards

extension Rule {
    static let fileIsParameters = Rule(
        "schema-error", "file-is-parameters", .c1,
        requirement: "A document is a card file or a FHIR Parameters resource, not both: two readers would see two "
            + "documents.",
        remedy: "Leave out either \"verifiableCredential\" or \"resourceType\".",
        check: .file { file in
            guard let type = file.value["resourceType"], type.isString("Parameters"),
                file.value["verifiableCredential"] != nil
            else { return [] }
            return [Problem("a card file has no resourceType", at: type)]
        })
}
