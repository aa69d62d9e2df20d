import Credentials
import FHIR
import Foundation
import JOSE
import JSON
import SMARTHealthCards

/// A kiosk at a door. A scanner types the text of each QR code as a line on standard input, and the kiosk answers with a line:
/// PASS and whose card it is, FAIL and why, or NEXT if more codes of the same card follow.
///
///     kiosk ISSUER KEYS
///
/// ISSUER is the issuer that is trusted, and KEYS its key set. The kiosk makes no requests.
@main struct Kiosk {
    /// The longest line that is read, in bytes. The text of a QR code has at most 7,089 characters.
    static let longestLine = 16 << 10

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            FileHandle.standardError.write(Data("usage: kiosk ISSUER KEYS\n".utf8))
            exit(64)
        }
        let keys = try JWKSet(Array(Data(contentsOf: URL(fileURLWithPath: arguments[2]))))
        var desk = try Desk(trusting: Issuer(arguments[1]), keys: keys)
        while let line = nextLine() {
            FileHandle.standardOutput.write(Data((desk.answer(to: line) + "\n").utf8))
        }
    }

    /// The next line on standard input without its end, cut to `longestLine`; nil at the end of the input.
    private static func nextLine() -> [UInt8]? {
        var line: [UInt8] = []
        while let byte = getchar().asByte {
            if byte == UInt8(ascii: "\n") { return line }
            if line.count < longestLine { line.append(byte) }
        }
        return line.isEmpty ? nil : line
    }
}

extension Int32 {
    /// The byte that `getchar` returns; nil at the end.
    fileprivate var asByte: UInt8? { UInt8(exactly: self) }
}

/// Verifies one scanned text after the other.
struct Desk {
    private let verifier: Verifier
    /// The scanned codes of a card that has more of them.
    private var codes: [[UInt8]] = []
    /// The largest number of codes that are kept for one card.
    private static let maximumCodes = 64

    /// - Parameters:
    ///   - issuer: the only issuer that is trusted.
    ///   - keys: its keys.
    init(trusting issuer: Issuer, keys: JWKSet) throws {
        var policy = VerificationPolicy(now: NumericDate(sinceEpoch: .zero))
        policy.trustedIssuers.allow(issuer)
        policy.givenKeys.add(keys, for: issuer)
        policy.isOffline = true
        verifier = try Verifier(policy: policy)
    }

    /// The answer to a scanned text.
    mutating func answer(to code: [UInt8]) -> String {
        verifier.now = NumericDate(sinceEpoch: .seconds(Date().timeIntervalSince1970))
        var reader = ArtifactReader()
        for code in codes + [code] { reader.add(code, source: "code") }
        let steps = reader.cards().map { verifier.verify(verifier.examine($0), with: Evidence()) }
        // A code of another card begins anew: it is judged alone.
        guard steps.count == 1, case .verdict(let verdict) = steps[0] else {
            let wasWaiting = !codes.isEmpty
            codes = []
            return wasWaiting ? answer(to: code) : "FAIL one card at a time, please"
        }
        if verdict.reason?.code == .qrChunkMissing, codes.count < Self.maximumCodes {
            codes.append(code)
            return "NEXT"
        }
        codes = []
        switch verdict.outcome {
        case .pass: return "PASS \(Self.holder(of: verdict))"
        case .fail(let failure), .undetermined(let failure): return "FAIL \(failure.code.rawValue)"
        }
    }

    /// The name and the date of birth on a card that passed.
    private static func holder(of verdict: Verdict) -> String {
        guard let contents = verdict.claims?.contents(names: .builtIn), let subject = contents.subjects.first else {
            return "(no name)"
        }
        let words = [subject.name, subject.birthDate].compactMap { $0?.description }.joined(separator: ", ")
        // A card may hold any characters, also those that control a terminal or change the direction of text.
        return String(String.UnicodeScalarView(words.unicodeScalars.map { isPrinted($0) ? $0 : "\u{FFFD}" }))
    }

    /// Whether a character is shown as it is.
    private static func isPrinted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}
