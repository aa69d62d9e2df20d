import Encodings
import HealthCertificates

extension Rule {
    /// The rules of the content: the EU's JSON schema, and the identifier of the certificate.
    static let dccSchemaRules: [Rule] = [
        schema("version", .version), schema("record", .recordCount), schema("required", .missing),
        schema("type", .otherType), schema("name", .name), schema("date", .date), schema("value", .value),
        identifierCheck,
    ]

    /// The rule that the content does not violate the schema in one way.
    private static func schema(_ name: String, _ kind: DCCSchemaProblem.Kind) -> Rule {
        Rule("dcc-schema-error/\(name)", RuleCheck.dcc) { content in
            content.schema.problems.filter { $0.kind == kind }.map { Problem($0.message, path: $0.path) }
        }
    }

    /// A warning: verifiers do not look at it, and half of the real identifiers are wrong.
    static let identifierCheck = Rule("uvci-check-character/luhn", RuleCheck.dcc) { content in
        content.schema.records.compactMap { group, record in
            guard let identifier = record["ci"]?.text,
                let message = IdentifierCheck.problem(with: identifier)
            else { return nil }
            return Problem(message, path: "\(group.rawValue)[0].ci")
        }
    }
}

/// The check character of certificates' identifiers (UVCI): the Luhn algorithm modulo 38.
enum IdentifierCheck {
    private static let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/:".utf8)

    /// What is wrong with the check character of an identifier; nil if it is right, or if there is none.
    static func problem(with identifier: ArraySlice<UInt8>) -> String? {
        // Longer identifiers violate the schema.
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
