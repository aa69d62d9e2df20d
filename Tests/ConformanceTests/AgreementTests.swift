import Credentials
import Cryptography
import Encodings
import Foundation
import HealthCertificates
import TestSupport
import Testing

@testable import Conformance
@testable import SMARTHealthCards

/// `lint` and `verify` read the same: what one calls an error in the form of a card that verifiers must refuse, the other refuses.
@Suite struct AgreementTests {
    private static let header = #"{"zip":"DEF","alg":"ES256","kid":"3Kfdg-XwP-7gXyywtUfUADwBumDOPKMQx-iELL11W9s"}"#
    private static let payload =
        #"{"iss":"https://spec.smarthealth.cards/examples/issuer","nbf":1620992383.218,"exp":4000000000,"vc":{"type":["#
        + #""https://smarthealth.cards#health-card","https://smarthealth.cards#immunization"],"rid":"MKyCxh7p6uQ","#
        + #""credentialSubject":{"fhirVersion":"4.0.1","fhirBundle":{"resourceType":"Bundle","type":"collection","entry":["#
        + #"{"fullUrl":"resource:0","resource":{"resourceType":"Patient","name":[{"family":"Anyperson","given":["John"]}]}}]}}}}"#

    /// What takes the place of a value.
    private static let fragments = [
        "null", "[]", "{}", #""""#, #""a""#, "0", "-1.5e3", "1e400", "1620992383218", "true", "[null]", #"["a"]"#,
        #""\u0000""#, "NaN", "01",
        #""https://spec.smarthealth.cards/examples/issuer/""#, #""http://spec.smarthealth.cards""#,
        #""https://a.example?x""#, #""ES384""#, #""none""#,
        #"[1,"https://smarthealth.cards#health-card"]"#, #""\ud800""#, "\u{FEFF}1", " 1 ", #"{"a":1,"a":2}"#,
        #""2021-05-14""#, #""a.b""#, #""4.0.1 ""#,
    ]

    private static func values(_ value: JSONValue) -> [JSONValue] {
        [value] + (value.members?.flatMap { values($0.value) } ?? []) + (value.elements?.flatMap { values($0) } ?? [])
    }

    /// Damages JSON once or twice, so that it may not even be JSON any more.
    private static func damaged(_ text: String, using random: inout SeededGenerator) throws -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            guard let value = (try? JSONDocument.parse(bytes)).flatMap({ values($0).randomElement(using: &random) })
            else { break }
            let range = value.byteRange
            switch Int.random(in: 0..<10, using: &random) {
            case 0: bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: Int.random(in: bytes.indices, using: &random))
            case 2:
                let byte: UInt8 = [0x20, 0x7D, 0x2C, 0x22].randomElement(using: &random) ?? 0x20
                bytes.insert(byte, at: Int.random(in: bytes.indices, using: &random))
            case 3: bytes = Array(bytes.prefix(Int.random(in: bytes.indices, using: &random)))
            case 4 where value.kind == .object && range.count > 2:
                // One member is left out.
                let members = Array((value.members?.named).map { $0.map { ($0.0, $0.1) } } ?? [])
                guard let gone = members.indices.randomElement(using: &random) else { continue }
                let rest = members.enumerated().filter { $0.offset != gone }.map { entry in
                    let name = "\(entry.element.0.string ?? "")"
                    return Array("\(JSONWriter.quoted(name)):".utf8) + Array(entry.element.1.rawBytes)
                }
                bytes.replaceSubrange(
                    range,
                    with: [UInt8(ascii: "{")] + Array(rest.joined(separator: [UInt8(ascii: ",")])) + [UInt8(ascii: "}")]
                )
            default: bytes.replaceSubrange(range, with: Array(fragments.randomElement(using: &random)?.utf8 ?? "".utf8))
            }
        }
        return bytes
    }

    private static func card(_ number: Int, using random: inout SeededGenerator) throws -> [UInt8] {
        switch number % 4 {
        case 1:
            let head = Base64URL.encode(try damaged(header, using: &random))
            // In half of them, the payload is wrong too: not compressed, or not that of a card.
            if number % 16 == 5 { return Array("\(head).\(Base64URL.encode(Array(payload.utf8))).AAAA".utf8) }
            let content = number % 8 == 1 ? Array(payload.utf8) : try damaged(payload, using: &random)
            let jws = UnsignedCard.jws(header: header, payload: content)
            return Array(head.utf8) + jws[(jws.firstIndex(of: UInt8(ascii: ".")) ?? 0)...]
        case 3:
            var jws = UnsignedCard.jws(header: header, payload: Array(payload.utf8))
            let place = Int.random(in: jws.indices, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: jws[place] = UInt8.random(in: 0x21...0x7E, using: &random)
            case 1: jws.remove(at: place)
            case 2: jws = Array(jws.prefix(place))
            default: jws.insert("=.A".utf8.randomElement(using: &random) ?? 0x3D, at: place)
            }
            return jws
        default: return UnsignedCard.jws(header: header, payload: try damaged(payload, using: &random))
        }
    }

    /// Reads cards and certificates as `lint` and as `verify` do.
    private struct Both {
        let inflater: Inflater
        let certificates: HCERTVerifier
        var linter: Linter
        var counts = (refused: 0, accepted: 0)

        init() throws {
            let now = NumericDate(sinceEpoch: .seconds(1_780_272_000))
            inflater = try Inflater()
            certificates = try HCERTVerifier(policy: HCERTPolicy(now: now))
            linter = try Linter(policy: LintPolicy(now: now))
        }

        mutating func compare(_ jws: [UInt8], _ name: String) {
            let presented = PresentedCredential(jws: jws, source: "x")
            let examined = ExaminedCard(presented, inflater: inflater)
            compare(presented, examined.strictFailure, name) { !FirstDefect.accepted.contains($0.rule.id) }
        }

        mutating func compare(certificate: [UInt8], as form: InputForm, _ name: String) {
            let presented = PresentedCredential(text: certificate, kind: .healthCertificate, form: form, source: "x")
            switch certificates.examine(presented).form {
            case .failure(let failure): compare(presented, failure, name) { _ in true }
            case .success(let read):
                compare(presented, nil, name) {
                    read.warnings.isEmpty && !FirstDefect.accepted.contains($0.rule.id)
                }
            }
        }

        /// The first defect is the reason of the verdict. If there is none, there are only defects that verifiers accept.
        private mutating func compare(
            _ presented: PresentedCredential, _ failure: VerificationFailure?, _ name: String,
            isRefused: (Finding) -> Bool
        ) {
            let defects = linter.defects(of: presented)
            guard let failure else {
                counts.accepted += 1
                let others = defects.filter(isRefused)
                #expect(others.isEmpty, "\(name): \(others.map(\.message))")
                return
            }
            counts.refused += 1
            #expect(
                FirstDefect.isReason(defects.map(\.rule.id), failure.code),
                "\(name): \(defects.map { "\($0.rule.id): \($0.message)" }), but \(failure.code): \(failure.message)")
        }
    }

    @Test func cardsWithDamageAreRefusedByBothOrByNeither() throws {
        var random = SeededGenerator(seed: 20_261_128)
        var both = try Both()
        for number in 0..<20_000 { both.compare(try Self.card(number, using: &random), "\(number)") }
        #expect(both.counts.refused > 2_000 && both.counts.accepted > 2_000, "\(both.counts)")
    }

    @Test func vectorsAreRefusedByBothOrByNeither() throws {
        var both = try Both()
        let files = FileManager.default.enumerator(at: VectorFiles.folder, includingPropertiesForKeys: nil)
        for case let file as URL in try #require(files) where file.pathExtension == "jws" {
            both.compare(
                Array(try [UInt8](Data(contentsOf: file))[...].trimmingByteOrderMarks()),
                file.lastPathComponent)
        }
        #expect(both.counts.refused > 50 && both.counts.accepted > 50, "\(both.counts)")
    }

    @Test(arguments: ["4.0.1", "1.0.2", "5.0.0"]) func bundlesWithoutATypeAreRefusedByBoth(_ version: String) throws {
        let payload = Self.payload.replacing(#""resourceType":"Bundle","#, with: "").replacing("4.0.1", with: version)
        var both = try Both()
        both.compare(UnsignedCard.jws(header: Self.header, payload: Array(payload.utf8)), version)
        #expect(both.counts.refused == 1)
    }

    /// `verify` refuses a file with so many values, and finds the same card in it if there are fewer.
    @Test(arguments: [(50_000, false), (Bounds.inputValues, true)])
    func filesWithTooManyValuesAreNotChecked(_ count: Int, _ areTooMany: Bool) throws {
        let card = String(
            decoding: UnsignedCard.jws(header: Self.header, payload: Array(Self.payload.utf8)), as: UTF8.self)
        let zeros = Array(repeating: "0", count: count).joined(separator: ",")
        var linter = try Linter(policy: LintPolicy(now: NumericDate(sinceEpoch: .seconds(1_780_272_000))))
        linter.add(Array(#"{"verifiableCredential":["\#(card)"],"x":[\#(zeros)]}"#.utf8), source: "x")
        linter.finishReading()
        #expect(linter.takeFindings().contains { $0.rule.id == Rule.inputBounds.id } == areTooMany)
    }

    /// Damages octets once or twice.
    private static func damaged(_ octets: [UInt8], _ number: Int, using random: inout SeededGenerator) -> [UInt8] {
        var damaged = octets
        // The signature at the end does not matter here.
        let end = max(octets.count - 64, 2)
        for _ in 0...(number % 2) {
            let place = Int.random(in: 0..<(end - 1), using: &random)
            switch number % 3 {
            case 0: damaged[place] = UInt8.random(in: 0...255, using: &random)
            case 1: damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            default: damaged.swapAt(place, place + 1)
            }
        }
        return damaged
    }

    /// The octets of a certificate, without its compression; nil if there are none.
    private static func octets(_ text: [UInt8]) throws -> [UInt8]? {
        HCERTText(text, inflater: try Inflater(.zlib), maximumSize: Bounds.payloadSize).octets
    }

    @Test func certificatesWithDamageAreRefusedByBothOrByNeither() throws {
        var random = SeededGenerator(seed: 20_261_128)
        var both = try Both()
        for name in ["valid-vaccination", "valid-test", "valid-recovery"] {
            let text = Array(try VectorFiles.bytes("hcert/cards/\(name).hc1")[...].trimmingWhiteSpace())
            let octets = try #require(try Self.octets(text))
            for number in 0..<3_000 {
                both.compare(
                    certificate: Self.damaged(octets, number, using: &random), as: .cwt, "\(name) \(number)")
            }
        }
        #expect(both.counts.refused > 1_000 && both.counts.accepted > 1_000, "\(both.counts)")
    }

    /// Each as it is, and with damage in its text and in its octets.
    @Test func certificatesOfVectorsAreRefusedByBothOrByNeither() throws {
        var random = SeededGenerator(seed: 20_261_129)
        var both = try Both()
        let files = FileManager.default.enumerator(
            at: VectorFiles.folder.appending(path: "hcert"), includingPropertiesForKeys: nil)
        let paths = try #require(files).compactMap { ($0 as? URL)?.path(percentEncoded: false) }.sorted()
        for path in paths where path.hasSuffix(".hc1") || path.hasSuffix(".cwt") {
            let name = URL(filePath: path).lastPathComponent
            let form: InputForm = path.hasSuffix(".hc1") ? .hc1 : .cwt
            let read = [UInt8](try Data(contentsOf: URL(filePath: path)))
            let whole = form == .hc1 ? Array(read[...].trimmingWhiteSpace()) : read
            both.compare(certificate: whole, as: form, name)
            for number in 0..<2 where whole.count > 4 {
                var damaged = whole
                let place = Int.random(in: 4..<whole.count, using: &random)
                if number == 0 {
                    damaged[place] = UInt8.random(in: 0x20...0x7E, using: &random)
                } else {
                    damaged.removeLast(whole.count - place)
                }
                both.compare(certificate: damaged, as: form, "\(name) \(number) of the text")
            }
            guard let octets = try Self.octets(whole), octets.count > 2 else { continue }
            for number in 0..<12 {
                both.compare(
                    certificate: Self.damaged(octets, number, using: &random), as: .cwt, "\(name) \(number)")
            }
        }
        #expect(both.counts.refused > 4_000 && both.counts.accepted > 1_000, "\(both.counts)")
    }
}
