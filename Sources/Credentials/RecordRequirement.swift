package import Encodings
package import FHIR

extension CredentialChecks {
    /// The result of the check `records`: whether the credential has the records that the policy requires.
    ///
    /// - Parameters:
    ///   - query: the required records.
    ///   - contents: the records of the credential.
    ///   - signedTypes: the types that a card states (`vc.type`).
    ///   - names: the names with which the contents were read.
    ///   - what: the credential in words, such as "the card".
    package mutating func result(
        of query: RecordQuery, in contents: CardContents, signedTypes: [UTF8Text] = [], names: CodeNames,
        of what: String
    ) -> CheckResult {
        let answer = query.answer(about: contents, signedTypes: signedTypes, names: names)
        if let failure = Self.failure(answer) { return .fail(failure, only: Shortcoming(recordsFailure: failure)) }
        if case .match(let assumed) = answer {
            warnings += assumed.map { unknown in
                CredentialWarning(
                    .codeUnknown,
                    "the code \(unknown.code.code.quoted(upTo: 40)) of \(Self.words(for: unknown.code.system)) \(unknown.problem); "
                        + "the card's type says that it is about COVID-19",
                    path: unknown.path)
            }
        }
        return .pass(.text("\(what) contains the required records"))
    }

    /// What the check of the records would object to in a credential for which it is not reached.
    package static func objection(
        of query: RecordQuery, to contents: CardContents, signedTypes: [UTF8Text] = [], names: CodeNames
    ) -> Objection? {
        failure(query.answer(about: contents, signedTypes: signedTypes, names: names))
            .flatMap(Objection.init(recordsFailure:))
    }

    private static func failure(_ answer: RecordAnswer) -> VerificationFailure? {
        switch answer {
        case .match: nil
        case .mismatch(let mismatch):
            VerificationFailure(
                .recordsNotMatching, mismatch.description, impersonalMessage: mismatch.impersonalDescription)
        case .unknown(let unknown):
            VerificationFailure(.codesUnknown, unknown.description, codesHelp: unknown.help)
        }
    }

    private static func words(for system: UTF8Text?) -> String {
        system?.quoted(upTo: 80) ?? "no code system"
    }
}
