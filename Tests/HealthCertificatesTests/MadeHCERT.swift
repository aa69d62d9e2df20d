import Credentials
import Cryptography
import Encodings
import FHIR
import TestSupport
import Testing

@testable import HealthCertificates

/// A certificate that is valid but for what is changed. Its CBOR is written by the tests.
struct MadeHCERT {
    /// A member with this value is left out.
    static let absent = MadeCBOR.raw([])

    typealias Members = KeyValuePairs<String, MadeCBOR>

    var group = "v"
    var record: Members = [:]
    var names: Members = [:]
    /// Members beside the names and the record.
    var content: Members = [:]
    /// Claim -260, if it is not the content under the key 1.
    var claim: MadeCBOR?
    var claims: KeyValuePairs<Int64, MadeCBOR> = [:]
    /// The payload, if it is not made of the claims.
    var payload: [UInt8]?
    var algorithm: Int64 = -7
    var keyID: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    var unprotected: MadeCBOR = [:]
    var style = MadeCBOR.Style.short

    static let issued: Int64 = 1_641_816_000
    static let expires: Int64 = 1_673_352_000
    /// A moment at which certificates are valid.
    static let now = NumericDate(sinceEpoch: .seconds(1_654_041_600))
    static let identifier = "URN:UVCI:01:XA:INVENTED0001#A"

    static func with(_ change: (inout MadeHCERT) -> Void) -> MadeHCERT {
        var certificate = MadeHCERT()
        change(&certificate)
        return certificate
    }

    static let records: [String: Members] = [
        "v": [
            "ci": .text(identifier), "co": "AT", "dn": 2, "dt": "2022-01-05", "is": "Ministerium Muster",
            "ma": "ORG-100030215", "mp": "EU/1/20/1528", "sd": 2, "tg": "840539006", "vp": "1119349007",
        ],
        "t": [
            "tg": "840539006", "co": "AT", "is": "Ministerium Muster", "ci": .text(identifier), "tt": "LP6464-4",
            "nm": "Muster PCR", "sc": "2022-01-09T08:15:00+01:00", "tr": "260415000", "tc": "Teststelle",
        ],
        "r": [
            "tg": "840539006", "co": "AT", "is": "Ministerium Muster", "ci": .text(identifier), "fr": "2021-12-20",
            "df": "2022-01-01", "du": "2022-06-18",
        ],
    ]

    private static func map(_ members: Members, _ changes: Members) -> MadeCBOR {
        let kept = members.filter { member in !changes.contains { $0.key == member.key } } + changes
        return .map(kept.filter { !isAbsent($0.value) }.map { (.text($0.key), $0.value) })
    }

    private static func isAbsent(_ value: MadeCBOR) -> Bool {
        if case .raw(let bytes) = value { bytes.isEmpty } else { false }
    }

    var madeContent: MadeCBOR {
        let names = Self.map(["fn": "Muster", "gn": "Jane", "fnt": "MUSTER", "gnt": "JANE"], names)
        let record = Self.map(Self.records[group] ?? [:], record)
        return Self.map(["ver": "1.3.0", "nam": names, "dob": "1979-04-14", group: [record]], content)
    }

    var madePayload: [UInt8] {
        if let payload { return payload }
        let members: [(Int64, MadeCBOR)] = [
            (1, "XA"), (4, .integer(Self.expires)), (6, .integer(Self.issued)), (-260, claim ?? [1: madeContent]),
        ]
        let kept =
            members.filter { member in !claims.contains { $0.key == member.0 } } + claims.map { ($0.key, $0.value) }
        return MadeCBOR.map(kept.filter { !Self.isAbsent($0.1) }.map { (.integer($0.0), $0.1) }).encoded(style)
    }

    private var protected: [UInt8] {
        MadeCBOR.map([(1, .integer(algorithm)), (4, .bytes(keyID))]).encoded(style)
    }

    /// What is signed (RFC 9052 §4.4).
    var signedText: [UInt8] {
        MadeCBOR.array(["Signature1", .bytes(protected), .bytes([]), .bytes(madePayload)]).encoded()
    }

    /// The octets with a signature, which is of no key if none is given.
    func octets(signature: [UInt8] = [UInt8](repeating: 7, count: 64)) -> [UInt8] {
        MadeCBOR.tag(18, [.bytes(protected), unprotected, .bytes(madePayload), .bytes(signature)]).encoded(style)
    }

    func octets(signedBy key: TestSupport.Signer) throws -> [UInt8] {
        octets(signature: try key.sign(signedText).bytes)
    }

    // MARK: Examining

    func examined() throws -> ExaminedHCERT { try ExaminedHCERT(octets: octets()) }

    /// Why the form of the certificate is refused; nil if it is correct.
    func failure() throws -> VerificationFailure? { try examined().failure }

    /// The codes of the warnings about the content, with their paths.
    func warnings() throws -> [String] {
        try examined().form.get().warnings.map { $0.code.rawValue + ($0.path.map { " " + $0 } ?? "") }
    }

    /// The person and the record, as reports read them.
    func contents(
        at moment: NumericDate = NumericDate(sinceEpoch: .seconds(1_641_000_000))
    ) throws -> CardContents {
        try #require(try examined().contents(names: .builtIn, at: moment))
    }
}

extension ExaminedHCERT {
    convenience init(octets: [UInt8]) throws {
        self.init(
            PresentedCredential(text: octets, kind: .healthCertificate, form: .cwt, source: "test"),
            inflater: try Inflater(.zlib))
    }

    var failure: VerificationFailure? {
        guard case .failure(let failure) = form else { return nil }
        return failure
    }
}

/// The files in TestVectors/hcert, which a script makes without code of this package.
enum HealthCertificateVectors {
    static func bytes(_ path: String) throws -> [UInt8] { try VectorFiles.bytes("hcert/\(path)") }

    static func list(_ name: String) throws -> SignerList { try SignerList(bytes("trust/\(name)")) }

    /// The text of a certificate, without white space around it.
    static func text(_ name: String) throws -> [UInt8] {
        Array(try bytes("cards/\(name).hc1")[...].trimmingWhiteSpace())
    }
}

/// Keys that sign certificates, and a policy that trusts them.
struct TestKeys {
    let keys: [TestSupport.Signer]
    var policy = HCERTPolicy(now: MadeHCERT.now)

    /// - Parameter members: further members of each key in the set.
    init(count: Int = 1, keyID: [UInt8] = MadeHCERT().keyID, _ members: String...) throws {
        keys = try (0..<count).map { _ in try TestSupport.Signer() }
        let entries = keys.enumerated().map { place, key in
            let more = members.indices.contains(place) ? members[place] : ""
            return """
                {"kty":"EC","crv":"P-256","kid":"\(Base64.encode(keyID))","x":"\(Base64URL.encode(key.key.x))",\
                "y":"\(Base64URL.encode(key.key.y))"\(more)}
                """
        }
        policy.signers.add(
            try TrustListRules().admit(
                try SignerList(keySet: Array("{\"keys\":[\(entries.joined(separator: ","))]}".utf8))))
    }

    func verdict(on octets: [UInt8], at now: NumericDate? = nil) throws -> Verdict {
        let verifier = try HCERTVerifier(policy: policy)
        if let now { verifier.now = now }
        return verifier.verify(
            verifier.examine(PresentedCredential(text: octets, kind: .healthCertificate, form: .cwt, source: "test")))
    }

    /// The verdict on a certificate that the first key signs.
    func verdict(on certificate: MadeHCERT, at now: NumericDate? = nil) throws -> Verdict {
        try verdict(on: certificate.octets(signedBy: keys[0]), at: now)
    }

    func code(of certificate: MadeHCERT, at now: NumericDate? = nil) throws -> ReasonCode? {
        try verdict(on: certificate, at: now).reason?.code
    }
}

/// A zlib stream without compression (RFC 1950, RFC 1951 §3.2.4).
func storedZlib(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
        let block = rest.prefix(0xFFFF)
        rest = rest.dropFirst(block.count)
        let count = UInt16(block.count)
        stream.append(rest.isEmpty ? 1 : 0)
        for number in [count, ~count] { stream += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)] }
        stream += block
    } while !rest.isEmpty
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
        low = (low + UInt32(byte)) % 65_521
        high = (high + low) % 65_521
    }
    let sum = high << 16 | low
    return stream + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
}
