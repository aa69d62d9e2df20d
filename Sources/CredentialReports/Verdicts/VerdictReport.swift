public import Credentials
public import FHIR
import StrictJSON

/// The JSON report on verdicts as a value: what `VerdictFormat.json` writes, with the same members
/// (Schemas/verify.schema.json).
///
///     let report = try VerdictReport(on: verdicts, now: .now, by: Tool(name: "gate", version: "1"))
///     let body = try JSONEncoder().encode(report)
///
/// **A report is a record of verdicts, and no verdict.** Whoever can write JSON can write one that says `pass`. So nothing
/// makes a `Verdict` or a `Verified` of it: decide by the verdict, and keep the report. A report that comes back from a client
/// proves nothing.
///
/// Members that the schema allows to be null are there and null. Codes are texts, since a new version may have more. Times are
/// in RFC 3339, which `NumericDate(text:)` reads. The exact bytes of a Bundle are only in the output of `VerdictFormat.json`:
/// see `JSONContent`.
public struct VerdictReport: Codable, Sendable {
    /// The version of this form: 1. Reports of another version are refused.
    public private(set) var schemaVersion: Version
    /// The verdict on all cards together: that of the first one that did not pass.
    public private(set) var verdict: Outcome
    /// The exit code that the program would end with: 0, or that of the first reason.
    public private(set) var exitCode: Int
    /// As of when the cards were verified; nil if each has its own time.
    @Nullable public private(set) var verifiedAt: String?
    /// When they were verified, by the clock.
    @Nullable public private(set) var madeAt: String?
    /// The lists of codes that were in use.
    public private(set) var codeLists: [CodeList]
    /// The cards and certificates, in their order.
    public private(set) var cards: [Card]
    /// The links that were followed; nil if there are none.
    public private(set) var links: [Link]?
    /// The check-ins that were opened; nil if there are none.
    public private(set) var checkIns: [CheckIn]?

    /// A version of the form.
    public enum Version: Int, Codable, Sendable {
        case first = 1
    }

    /// How a verification ended.
    public enum Outcome: String, Codable, Sendable {
        case pass, fail, undetermined
    }

    // MARK: Making and reading

    /// The report on verdicts.
    ///
    /// - Parameters:
    ///   - verdicts: the verdicts, in their order.
    ///   - time: as of when the cards were verified, as their verifier was told.
    ///   - names: names for codes.
    ///   - tool: the program, whose advice follows some messages.
    /// - Throws: `VerdictReportError` if the memory for it ends; no verdict makes it throw.
    public init(
        on verdicts: some Sequence<Verdict>, time: VerificationTime, names: CodeNames = .builtIn, by tool: Tool
    ) throws(VerdictReportError) {
        // The members have one source: the report itself.
        try self.init(
            reading: VerdictFormat.json.report(time: time, names: names, to: Destination(), by: tool).text(of: verdicts)
        )
    }

    /// The report on verdicts that were made now.
    ///
    /// - Parameters:
    ///   - verdicts: the verdicts, in their order.
    ///   - now: the time for which the cards were verified.
    ///   - names: names for codes.
    ///   - tool: the program, whose advice follows some messages.
    public init(
        on verdicts: some Sequence<Verdict>, now: NumericDate, names: CodeNames = .builtIn, by tool: Tool
    ) throws(VerdictReportError) {
        try self.init(on: verdicts, time: VerificationTime(madeAt: now), names: names, by: tool)
    }

    /// Reads the output of `VerdictFormat.json`, or of `shcverify --format json`, without Foundation. Unknown members are
    /// skipped.
    ///
    /// - Throws: `VerdictReportError` if it is no such report, or one of another version.
    public init(reading json: [UInt8]) throws(VerdictReportError) {
        do {
            // A Bundle may be nested as deep as a payload may, and stands inside other values.
            self = try VerdictReport(from: JSONValueDecoder(JSONDocument.parse(json, maximumDepth: Self.maximumDepth)))
        } catch {
            throw VerdictReportError(error)
        }
    }

    private static let maximumDepth = JSONDocument.defaultMaximumDepth + 8

    // MARK: Cards

    /// The verdict on one card or certificate, and what it claims. `claimsVerified` says whether that is verified.
    public struct Card: Codable, Sendable {
        /// The input, and the number of the card in it.
        public private(set) var source: String
        /// Where the QR codes of the card are; nil if it is not from a picture or PDF.
        public private(set) var places: [Place]?
        /// The link that the card is from; nil if it is from none.
        public private(set) var link: PlaceInLink?
        /// The check-in that the card is from; nil if it is from none.
        public private(set) var checkIn: PlaceInCheckIn?
        /// The form of the input.
        @Nullable public private(set) var inputKind: String?
        /// How the verification ended.
        public private(set) var verdict: Outcome
        /// Why the card did not verify; nil if it did.
        @Nullable public private(set) var reason: Reason?
        /// The checks, in the order in which they ran.
        public private(set) var checks: [Check]
        /// Whether the members below are verified. If not, they are only what the card claims.
        public private(set) var claimsVerified: Bool
        /// The issuer.
        public private(set) var issuer: Issuer
        /// The key.
        public private(set) var key: Key
        /// As of when the card was verified; nil if all have the same time.
        public private(set) var verifiedAt: String?
        /// When the card was issued.
        @Nullable public private(set) var issued: String?
        /// When it expires.
        @Nullable public private(set) var expires: String?
        /// The latest date of the records.
        @Nullable public private(set) var relevantDate: String?
        /// The kind of credential, such as `smart-health-card`.
        @Nullable public private(set) var sourceType: String?
        /// The types of the card.
        public private(set) var types: [String]
        /// The first person on the card.
        @Nullable public private(set) var subject: Subject?
        /// All persons on the card.
        @Nullable public private(set) var subjects: [Subject]?
        /// The records.
        @Nullable public private(set) var records: [Record]?
        /// The warnings.
        public private(set) var warnings: [Warning]
        /// The FHIR version.
        @Nullable public private(set) var fhirVersion: String?
        /// The FHIR Bundle.
        @Nullable public private(set) var fhirBundle: JSONContent?
        /// The content of an EU Digital COVID Certificate; nil for other kinds.
        @NullableIfPresent public var certificate: JSONContent?
    }

    /// A reason, with its message.
    public struct Reason: Codable, Sendable {
        /// The reason code. `ReasonCode(rawValue:)` reads those of this version.
        public private(set) var code: String
        /// Plain words, which may change.
        public private(set) var message: String
    }

    /// A check and its result.
    public struct Check: Codable, Sendable {
        /// The name of the check.
        public private(set) var name: String
        /// The result.
        public private(set) var status: Status
        /// Why it was skipped; nil if it was not.
        public private(set) var why: String?
        /// Plain words, which may change.
        public private(set) var detail: String?

        /// The result of a check.
        public enum Status: String, Codable, Sendable {
            case pass, fail, undetermined, skipped
        }
    }

    /// The issuer of a card.
    public struct Issuer: Codable, Sendable {
        /// The issuer as the card names it.
        @Nullable public private(set) var iss: String?
        /// Its name in a directory.
        @Nullable public private(set) var name: String?
        /// The country of the signer; nil for SMART Health Cards, or if it is not known.
        @NullableIfPresent public var country: String?
        /// Its web page in a directory.
        @Nullable public private(set) var website: String?
        /// The issuer of which this is an alias.
        @Nullable public private(set) var canonicalIss: String?
        /// What WHO's trust list says that the signer signs; nil for SMART Health Cards, or if no list says it.
        @NullableIfPresent public var domain: String?
        /// The country or organisation of the signer in WHO's trust list.
        @NullableIfPresent public var participant: String?
        /// The network of the trust list: `production`, `uat` or `dev`.
        @NullableIfPresent public var environment: String?
        /// Why the issuer is trusted, or that it is not.
        public private(set) var trust: String
    }

    /// The key that a card names.
    public struct Key: Codable, Sendable {
        /// The ID of the key.
        @Nullable public private(set) var kid: String?
        /// Where the key comes from.
        @Nullable public private(set) var source: String?
        /// When it was retrieved.
        @Nullable public private(set) var retrieved: String?
        /// The certificate of the key; nil for SMART Health Cards, or if there is none.
        @NullableIfPresent public var certificate: Certificate?
    }

    /// The certificate (X.509) of a key.
    public struct Certificate: Codable, Sendable {
        /// The subject, in one line.
        public private(set) var subject: String
        /// From when it is valid.
        @Nullable public private(set) var notBefore: String?
        /// Through which moment it is valid.
        @Nullable public private(set) var notAfter: String?
        /// What the key may sign.
        public private(set) var usages: [String]
    }

    /// A person on a card.
    public struct Subject: Codable, Sendable {
        /// The name.
        @Nullable public private(set) var name: String?
        /// The date of birth.
        @Nullable public private(set) var birthDate: String?
        /// How the person was identified.
        @Nullable public private(set) var identityAssurance: String?
        /// The name in the letters A to Z.
        @Nullable public private(set) var transliterated: String?
        /// All names, in the order of the card.
        public private(set) var names: [Name]
        /// The sex, as a vaccination certificate (ICVP) writes it.
        @Nullable public private(set) var sex: String?
        /// The nationality.
        @Nullable public private(set) var nationality: String?
        /// The document by which the person is identified.
        @Nullable public private(set) var document: IdentityDocument?
        /// The parent or guardian.
        @Nullable public private(set) var guardian: String?
    }

    /// A name of a person.
    public struct Name: Codable, Sendable {
        /// What the name is for, such as `official` or `old`.
        @Nullable public private(set) var use: String?
        /// When it is in use.
        @Nullable public private(set) var period: Period?
        /// The whole name.
        public private(set) var text: String

        /// A time from one date to another, as the card writes them.
        public struct Period: Codable, Sendable {
            /// The beginning.
            @Nullable public private(set) var start: String?
            /// The end.
            @Nullable public private(set) var end: String?
        }
    }

    /// A document by which a person is identified, such as a passport.
    public struct IdentityDocument: Codable, Sendable {
        /// The number.
        public private(set) var number: String
        /// The type, such as `PPN`.
        @Nullable public private(set) var type: String?
    }

    /// A record on a card.
    public struct Record: Codable, Sendable {
        /// The index of the person in `subjects`.
        @Nullable public private(set) var subject: Int?
        /// The type of the FHIR resource.
        public private(set) var resourceType: String
        /// The kind of record.
        @Nullable public private(set) var type: String?
        /// What it is about, in words.
        @Nullable public private(set) var display: String?
        /// Where these words come from.
        @Nullable public private(set) var displaySource: String?
        /// What it is about, as codes.
        public private(set) var codes: [Coding]
        /// The date, as the card writes it.
        @Nullable public private(set) var date: String?
        /// The status.
        @Nullable public private(set) var status: String?
        /// The verification status.
        @Nullable public private(set) var verificationStatus: String?
        /// True if it was not done; else nil.
        @Nullable public private(set) var notDone: Bool?
        /// True if it says that there is nothing of its kind, or that nothing is known of it; else nil.
        @Nullable public private(set) var absent: Bool?
        /// Why it does not count although its status does not say so: `ended`, `not-begun`, `unreadable`, `ahead` or `modifier`; else nil.
        @Nullable public private(set) var notCounted: String?
        /// Whether the dose was too small.
        @Nullable public private(set) var isSubpotent: Bool?
        /// The issuer's own words.
        @Nullable public private(set) var issuerDisplay: String?
        /// Who did it.
        @Nullable public private(set) var performer: String?
        /// The lot.
        @Nullable public private(set) var lotNumber: String?
        /// The maker.
        @Nullable public private(set) var manufacturer: String?
        /// The result.
        @Nullable public private(set) var result: String?
        /// The position among the vaccinations on the card, such as 2 of 2.
        @Nullable public private(set) var orderOnCard: String?
        /// The dose.
        @Nullable public private(set) var dose: Dose?
        /// The country.
        @Nullable public private(set) var country: String?
        /// The identifier of the certificate.
        @Nullable public private(set) var identifier: String?
        /// From when it counts.
        @Nullable public private(set) var validFrom: String?
        /// Until when it counts.
        @Nullable public private(set) var validUntil: String?
        /// The disease.
        @Nullable public private(set) var disease: String?
        /// What an insurance card says besides; nil for other records, which do not have the member.
        public private(set) var coverage: Coverage?
    }

    /// What an insurance card says besides the members that all records have.
    public struct Coverage: Codable, Sendable {
        /// The name of the payer.
        @Nullable public private(set) var payer: String?
        /// The payer's identifier in claims.
        @Nullable public private(set) var payerId: String?
        /// The number of the insured person.
        @Nullable public private(set) var memberId: String?
        /// The number of the subscriber.
        @Nullable public private(set) var subscriberId: String?
        /// How the insured person is related to the subscriber.
        @Nullable public private(set) var relationship: String?
        /// The number of the group.
        @Nullable public private(set) var group: String?
        /// The name of the group.
        @Nullable public private(set) var groupName: String?
        /// The number of the plan.
        @Nullable public private(set) var plan: String?
        /// The name of the plan.
        @Nullable public private(set) var planName: String?
        /// The network.
        @Nullable public private(set) var network: String?
        /// RxBIN, or else RxIIN.
        @Nullable public private(set) var rxBin: String?
        /// RxPCN.
        @Nullable public private(set) var rxPcn: String?
        /// RxGrp.
        @Nullable public private(set) var rxGroup: String?
        /// RxID.
        @Nullable public private(set) var rxId: String?
        /// The day on which the card was issued.
        @Nullable public private(set) var cardIssued: String?
        /// What the insured person pays.
        public private(set) var costs: [Cost]
        /// How to reach the payer.
        public private(set) var contacts: [Contact]

        /// What the insured person pays for something.
        public struct Cost: Codable, Sendable {
            /// What it is for.
            @Nullable public private(set) var type: String?
            /// An amount and its currency, or words.
            public private(set) var value: String
        }

        /// A way to reach the payer.
        public struct Contact: Codable, Sendable {
            /// Who or what answers.
            @Nullable public private(set) var purpose: String?
            /// The kind of the address.
            @Nullable public private(set) var system: String?
            /// The address.
            public private(set) var value: String
        }
    }

    /// A code of a code system.
    public struct Coding: Codable, Sendable {
        /// The URI of the code system.
        @Nullable public private(set) var system: String?
        /// The code.
        public private(set) var code: String
    }

    /// A dose out of several.
    public struct Dose: Codable, Sendable {
        /// Which dose it is.
        public private(set) var number: Int
        /// How many there are.
        public private(set) var of: Int
    }

    /// Something about a card that its readers should know.
    public struct Warning: Codable, Sendable {
        /// The code.
        public private(set) var code: String
        /// Plain words, which may change.
        public private(set) var message: String
        /// The place in the payload.
        @Nullable public private(set) var path: String?
    }

    /// A QR code on a picture.
    public struct Place: Codable, Sendable {
        /// The file or attachment.
        public private(set) var source: String
        /// The page, from 0.
        @Nullable public private(set) var page: Int?
        /// The width of the page in pixels.
        @Nullable public private(set) var width: Int?
        /// Its height in pixels.
        @Nullable public private(set) var height: Int?
        /// The corners of the code in pixels, each with x and y.
        public private(set) var corners: [[Int]]
    }

    /// A list of codes that was in use.
    public struct CodeList: Codable, Sendable {
        /// The name.
        public private(set) var name: String
        /// The date of the list, or of its installation.
        @Nullable public private(set) var date: String?
        /// Where the list comes from.
        public private(set) var source: String
    }

    // MARK: Links

    /// A place in a SMART Health Link.
    public struct PlaceInLink: Codable, Sendable {
        /// The index in `links`.
        public private(set) var index: Int
        /// The index in the files of that link; nil if it could not be opened.
        @Nullable public private(set) var file: Int?
    }

    /// A SMART Health Link.
    public struct Link: Codable, Sendable {
        /// The input.
        public private(set) var source: String
        /// How the link was given.
        public private(set) var form: String
        /// `shlink`, or `vhlink` for a verifiable health link.
        public private(set) var scheme: String
        /// Scheme, host and port.
        @Nullable public private(set) var origin: String?
        /// Its label.
        @Nullable public private(set) var label: String?
        /// Its flags.
        @Nullable public private(set) var flags: String?
        /// Its version.
        @Nullable public private(set) var version: Int?
        /// When it expires.
        @Nullable public private(set) var expires: String?
        /// What the server was told about the recipient.
        public private(set) var recipient: String
        /// The status of its manifest.
        @Nullable public private(set) var status: String?
        /// Why it could not be opened.
        @Nullable public private(set) var reason: Reason?
        /// How many passcodes may still be tried.
        @Nullable public private(set) var remainingAttempts: Int?
        /// Its files.
        public private(set) var files: [LinkFile]
        /// The warnings.
        public private(set) var warnings: [LinkWarning]
    }

    /// A file of a link.
    public struct LinkFile: Codable, Sendable {
        /// How it was delivered.
        @Nullable public private(set) var delivery: String?
        /// Its media type.
        @Nullable public private(set) var contentType: String?
        /// What it is.
        @Nullable public private(set) var kind: String?
        /// Whether it can be verified.
        public private(set) var verifiable: Bool
        /// The type of a FHIR resource.
        @Nullable public private(set) var resourceType: String?
        /// The FHIR version.
        @Nullable public private(set) var fhirVersion: String?
        /// When it was last changed.
        @Nullable public private(set) var lastUpdated: String?
        /// Its status.
        @Nullable public private(set) var status: String?
        /// The address that an access is for.
        @Nullable public private(set) var aud: String?
        /// What an access is for.
        @Nullable public private(set) var scope: String?
        /// What the app that made a FHIR Bundle says of itself, which gives no trust.
        @Nullable public private(set) var attestation: Attestation?
        /// Why it could not be read.
        @Nullable public private(set) var reason: Reason?
    }

    /// What a patient's app says of itself in a FHIR Bundle that nobody signed.
    public struct Attestation: Codable, Sendable {
        /// The app.
        @Nullable public private(set) var iss: String?
        /// The key ID.
        @Nullable public private(set) var kid: String?
        /// When it was made.
        @Nullable public private(set) var issued: String?
        /// Its ID.
        @Nullable public private(set) var jti: String?
        /// `verified`, `invalid`, `unknown-app` or `unchecked`.
        public private(set) var status: String
    }

    /// A warning about a link.
    public struct LinkWarning: Codable, Sendable {
        /// The code.
        public private(set) var code: String
        /// Plain words, which may change.
        public private(set) var message: String
    }
}

extension VerdictReport {
    /// A place in a SMART Health Check-in.
    public struct PlaceInCheckIn: Codable, Sendable {
        /// The index in `checkIns`.
        public private(set) var index: Int
        /// The id of the artifact; nil for the check-in itself.
        @Nullable public private(set) var artifact: String?
    }

    /// A SMART Health Check-in.
    public struct CheckIn: Codable, Sendable {
        /// The input.
        public private(set) var source: String
        /// `response` or `envelope`.
        public private(set) var form: String
        /// The request that it says it answers.
        @Nullable public private(set) var requestId: String?
        /// Who called the wallet.
        @Nullable public private(set) var origin: String?
        /// Until when the envelope is valid.
        @Nullable public private(set) var validUntil: String?
        /// Why it could not be opened, or holds nothing that can be verified.
        @Nullable public private(set) var reason: Reason?
        /// Its artifacts.
        public private(set) var artifacts: [CheckInArtifact]
        /// What became of the items of the request.
        public private(set) var items: [CheckInItem]
        /// What is wrong with the envelope.
        public private(set) var findings: [LinkWarning]
        /// The warnings.
        public private(set) var warnings: [LinkWarning]
    }

    /// An artifact of a check-in.
    public struct CheckInArtifact: Codable, Sendable {
        /// Its id.
        @Nullable public private(set) var id: String?
        /// Its media type.
        @Nullable public private(set) var mediaType: String?
        /// What it is.
        public private(set) var kind: String
        /// The items that it is meant for.
        public private(set) var fulfills: [String]
        /// Its FHIR version.
        @Nullable public private(set) var fhirVersion: String?
        /// The type of its FHIR resource.
        @Nullable public private(set) var resourceType: String?
        /// The rule that it breaks; nil if it counts.
        @Nullable public private(set) var disregarded: String?
        /// Always nil.
        @Nullable public private(set) var attestation: String?
    }

    /// What became of an item of a request.
    public struct CheckInItem: Codable, Sendable {
        /// The id of the item.
        public private(set) var item: String
        /// What the wallet says; nil if it does not say exactly one thing that is known.
        @Nullable public private(set) var status: String?
        /// Whether an artifact that counts stands for it.
        public private(set) var met: Bool
        /// The ids of these artifacts.
        public private(set) var artifacts: [String]
    }
}

/// A member of a report that is always there, and null if there is no value.
@propertyWrapper public struct Nullable<Value: Codable & Sendable>: Codable, Sendable {
    /// The value; nil for null.
    public var wrappedValue: Value?

    /// A member with a value, or null.
    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    /// Reads null as nil.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }

    /// Writes nil as null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

/// A member of a report that only some kinds of credential have. If it is there, it may be null.
@propertyWrapper public struct NullableIfPresent<Value: Codable & Sendable>: Codable, Sendable {
    /// The value; nil for null, and if there is no such member.
    public let wrappedValue: Value?
    fileprivate let isPresent: Bool

    fileprivate init(_ wrappedValue: Value?, isPresent: Bool) {
        self.wrappedValue = wrappedValue
        self.isPresent = isPresent
    }

    /// Reads null as nil.
    public init(from decoder: any Decoder) throws {
        self.init(try Nullable(from: decoder).wrappedValue, isPresent: true)
    }

    /// Writes nil as null.
    public func encode(to encoder: any Encoder) throws { try Nullable(wrappedValue: wrappedValue).encode(to: encoder) }
}

// The code that the compiler makes for `Codable` calls these for such members, and not those of the protocols.

extension KeyedDecodingContainer {
    func decode<Value>(_ type: NullableIfPresent<Value>.Type, forKey key: Key) throws -> NullableIfPresent<Value> {
        guard contains(key) else { return NullableIfPresent(nil, isPresent: false) }
        return NullableIfPresent(try decode(Nullable<Value>.self, forKey: key).wrappedValue, isPresent: true)
    }
}

extension KeyedEncodingContainer {
    mutating func encode<Value>(_ member: NullableIfPresent<Value>, forKey key: Key) throws {
        guard member.isPresent else { return }
        try encode(Nullable(wrappedValue: member.wrappedValue), forKey: key)
    }
}

/// Why JSON is no report on verdicts.
public struct VerdictReportError: Error, Sendable, CustomStringConvertible {
    /// What is wrong with it.
    public let description: String

    init(_ error: any Error) {
        switch error {
        case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
            DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            description = (path.isEmpty ? "" : "\(path): ") + context.debugDescription
        default: description = "\(error)"
        }
    }
}
