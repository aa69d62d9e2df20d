import Credentials
import Encodings
import HealthCertificates

extension Rule {
    /// The rules of the content: the EU's JSON schema, and the identifier of the certificate.
    static let dccSchemaRules: [Rule] = [
        schema(
            "version", .version, "HCERT-P4",
            requirement: "`ver` is the version of the schema: three numbers, of which the first is 1, such as 1.3.0.",
            remedy: "Write the version of the schema that the content follows."),
        schema(
            "record", .recordCount, "HCERT-P4",
            requirement: "A certificate has exactly one record: one vaccination, one test or one recovery.",
            remedy: "Issue a certificate for each record."),
        schema(
            "required", .missing, "HCERT-P6",
            requirement:
                "A certificate has `ver`, `nam` with `fnt` or `gnt`, and `dob`, and its record has all required members.",
            remedy:
                "Add the member. A value that is not known must still be there, unless the schema makes the member optional."
        ),
        schema(
            "type", .otherType, "HCERT-P6",
            requirement:
                "`nam` is a map, `v`, `t` and `r` are arrays of maps, `dn` and `sd` are whole numbers, and all others are "
                + "texts.", remedy: "Write the value with the type of the schema. Verifiers refuse another one."),
        schema(
            "name", .name, "HCERT-P5", requirement: "`fnt` and `gnt` have only the letters A to Z and `<`.",
            remedy: "Transliterate the name by ICAO 9303, part 3, and write `<` for spaces and hyphens."),
        schema(
            "date", .date, "HCERT-P7",
            requirement:
                "`dt`, `fr`, `df` and `du` are written as YYYY-MM-DD, `sc` as a date and time with a zone, and `dob` as a date "
                + "up to the day, the month or the year, or empty.",
            remedy: "Write 2021-12-31, and for `sc` 2021-12-31T12:00:00Z."),
        schema(
            "value", .value, "HCERT-P6",
            requirement:
                "Names, `is`, `ci`, `nm` and `tc` have at most 80 characters, `co` is a code, and doses count from 1.",
            remedy: "Shorten the text, or correct the number or the code."),
        identifierCheck,
    ]

    /// The rule that the content does not depart from the schema in one way.
    private static func schema(
        _ name: String, _ kind: DCCSchemaProblem.Kind, _ citation: Citation, requirement: String, remedy: String
    ) -> Rule {
        Rule(
            "dcc-schema-error", name, citation, requirement: requirement, remedy: remedy,
            check: .dcc { content in
                content.schema.problems.filter { $0.kind == kind }.map { Problem($0.message, path: $0.path) }
            })
    }

    /// A warning: verifiers do not look at it, and half of the real identifiers are wrong.
    static let identifierCheck = Rule(
        "uvci-check-character", "luhn", "HCERT-P8", severity: .warning,
        requirement: "If `ci` has a `#`, exactly one character follows it: the check character of what precedes it.",
        remedy: "Compute the character with the Luhn algorithm modulo 38 over A–Z, 0–9, / and : in this order.",
        check: .dcc { content in
            content.schema.records.compactMap { group, record in
                guard let identifier = record["ci"]?.text,
                    let message = IdentifierCheck.problem(with: identifier)
                else { return nil }
                return Problem(message, path: "\(group.rawValue)[0].ci")
            }
        })
}

/// The check character of certificates' identifiers (UVCI): the Luhn algorithm modulo 38.
enum IdentifierCheck {
    private static let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/:".utf8)

    /// What is wrong with the check character of an identifier; nil if it is right, or if there is none.
    static func problem(with identifier: ArraySlice<UInt8>) -> String? {
        // Longer identifiers depart from the schema.
        guard let sign = identifier.lastIndex(of: UInt8(ascii: "#")), identifier.count <= 1000 else { return nil }
        let check = identifier[(sign + 1)...]
        guard check.count == 1, let found = check.first else {
            return "the identifier has a #, after which there is not one check character but \(check.count) bytes"
        }
        guard let expected = character(for: identifier[..<sign]) else {
            return
                "the identifier has a check character, but also characters before # that have no value for it: only A to Z, 0 "
                + "to 9, / and : have one"
        }
        guard found != expected else { return nil }
        return "the check character of the identifier is wrong: it should be \(UnicodeScalar(expected))"
    }

    /// The check character for a text; nil if a character has no value.
    static func character(for text: ArraySlice<UInt8>) -> UInt8? {
        let count = characters.count
        var sum = 0
        var factor = 2
        for byte in text.reversed() {
            guard let value = characters.firstIndex(of: byte) else { return nil }
            let product = value * factor
            sum += product / count + product % count
            factor = 3 - factor
        }
        return characters[(count - sum % count) % count]
    }
}
