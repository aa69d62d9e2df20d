public import Encodings
public import FHIR

/// The content of a credential of any kind, as reports show it.
///
/// Claims are not verified facts. Reports also show the claims of a credential that failed, so that its holder learns why.
///
/// A claim is nil if the credential does not have it, or if it cannot be read.
public protocol Claims: Sendable {
    /// The issuer, as the credential writes it.
    var issuer: UTF8Text? { get }
    /// The key ID, as the credential writes it.
    var keyID: UTF8Text? { get }
    /// When the credential was issued.
    var issued: NumericDate? { get }
    /// When the credential expires.
    var expires: NumericDate? { get }
    /// The types of the credential.
    var types: [UTF8Text] { get }
    /// The FHIR version of the records.
    var fhirVersion: UTF8Text? { get }
    /// The records, as a FHIR Bundle.
    var fhirBundle: JSONValue? { get }
    /// The name of the organisation that issued the credential.
    var issuerName: UTF8Text? { get }
    /// The content of a credential that has no Bundle, as JSON.
    var healthContent: JSONValue? { get }
    /// The persons and records as a FHIR Bundle that another system can store: the credential's own, or one that is made from its
    /// content. nil if there are none that can be read.
    var storableBundle: JSONValue? { get }
    /// All that a credential without a Bundle of its own says of its holder, to compare it; nil if that does not identify a person.
    var holderIdentity: [UInt8]? { get }

    /// The persons and records, verified or not; nil if there are none that can be read.
    ///
    /// - Parameters:
    ///   - names: the names for codes.
    ///   - moment: the moment for which they are read: at which records have to be in force, and names in use.
    func contents(names: CodeNames, at moment: NumericDate) -> CardContents?
}

/// A credential with a Bundle has its records there, and nothing else.
extension Claims {
    package var issuerName: UTF8Text? { nil }
    package var healthContent: JSONValue? { nil }
    package var storableBundle: JSONValue? { fhirBundle }
    package var holderIdentity: [UInt8]? { nil }

    package func contents(names: CodeNames, at moment: NumericDate) -> CardContents? {
        fhirBundle.map {
            CardContents(FHIRBundle($0), fhirVersion: fhirVersion, names: names, at: FHIRDate(moment))
        }
    }
}

extension CardContents {
    /// Reads the records of a credential, verified or not; nil if it has no Bundle.
    ///
    /// - Parameters:
    ///   - claims: the claims of the credential.
    ///   - names: the names for codes.
    ///   - moment: the moment for which they are read.
    public init?(_ claims: any Claims, names: CodeNames, at moment: NumericDate) {
        guard let contents = claims.contents(names: names, at: moment) else { return nil }
        self = contents
    }

    /// A warning if some records name no person. The warnings of a verdict do not include it.
    public var warnings: [CredentialWarning] { Self.warnings(of: records) }

    /// A warning if some of these records name no person.
    package static func warnings(of records: [Record]) -> [CredentialWarning] {
        let unattributed = records.filter { $0.subjectIndex == nil }
        guard let first = unattributed.first else { return [] }
        let which =
            records.count == 1
            ? "the record names" : "\(unattributed.count) of \(records.count) records name"
        return [
            CredentialWarning(
                .recordWithoutSubject,
                "\(which) no Patient of the Bundle, so nothing says whose \(unattributed.count == 1 ? "it is" : "they are")",
                path: "vc.credentialSubject.fhirBundle.entry[\(first.entryIndex)].resource")
        ]
    }
}

extension FHIRDate {
    /// A moment, to the second.
    package init(_ moment: NumericDate) { self.init(secondsSince1970: moment.sinceEpoch.components.seconds) }
}

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
