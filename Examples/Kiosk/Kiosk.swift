import Foundation
import Verification

/// A kiosk at a door. A scanner types the text of each QR code as a line on standard input, and the kiosk answers with a line:
/// PASS and whose card it is, FAIL and why, or NEXT if more codes of the same card follow.
///
///     kiosk ISSUER KEYS [SECONDS]
///
/// ISSUER is the issuer that is trusted, and KEYS its key set. SECONDS is how long the next code of a card may take. After
/// that, the codes of a visitor who has left are forgotten. The kiosk makes no requests.
@main struct Kiosk {
    /// The longest line that is read, in bytes. The text of a QR code has at most 7,089 characters.
    static let longestLine = 16 << 10
    /// The seconds that the next code of a card may take, if the command line does not say so.
    static let usualPatience = 15.0

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard [3, 4].contains(arguments.count),
            let patience = arguments.count == 4 ? Double(arguments[3]) : usualPatience, (0...3600).contains(patience)
        else {
            FileHandle.standardError.write(Data("usage: kiosk ISSUER KEYS [SECONDS]\n".utf8))
            exit(64)
        }
        let keys = try JWKSet(Array(Data(contentsOf: URL(fileURLWithPath: arguments[2]))))
        var desk = try Desk(trusting: Issuer(arguments[1]), keys: keys, patience: .seconds(patience))
        while let line = nextLine() {
            FileHandle.standardOutput.write(Data((try await desk.answer(to: line) + "\n").utf8))
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
    /// When the last code was scanned.
    private var lastScan = ContinuousClock.now
    /// How long the codes of a card are kept for the next one.
    private let patience: Duration
    /// The largest number of codes that are kept for one card.
    private static let maximumCodes = 64

    /// - Parameters:
    ///   - issuer: the only issuer that is trusted.
    ///   - keys: its keys.
    ///   - patience: how long the next code of a card may take.
    init(trusting issuer: Issuer, keys: JWKSet, patience: Duration) throws {
        var policy = VerificationPolicy()
        policy.cards.trustedIssuers.allow(issuer)
        policy.cards.givenKeys.add(keys, for: issuer)
        verifier = try Verifier(policy)
        self.patience = patience
    }

    /// The answer to a scanned text.
    mutating func answer(to code: [UInt8]) async throws -> String {
        let time = ContinuousClock.now
        if time - lastScan > patience { codes = [] }
        lastScan = time
        let verdicts = try await verifier.verify(
            Array((codes + [code]).joined(separator: [UInt8(ascii: "\n")])), source: "code")
        guard verdicts.count == 1, let verdict = verdicts.first else {
            return try await answerAlone(to: code) ?? "FAIL one card at a time, please"
        }
        // The parts of two cards do not fit together.
        if verdict.reason?.code == .malformedQR, let answer = try await answerAlone(to: code) {
            return answer
        }
        if verdict.reason?.code == .qrChunkMissing, codes.count < Self.maximumCodes {
            codes.append(code)
            return "NEXT"
        }
        codes = []
        switch verdict.outcome {
        case .pass(let verified): return "PASS \(Self.holders(of: verified))"
        case .fail(let failure), .undetermined(let failure): return "FAIL \(failure.code.rawValue)"
        }
    }

    /// The answer to a code without those before it, because it is of another card; nil if there are none.
    private mutating func answerAlone(to code: [UInt8]) async throws -> String? {
        guard !codes.isEmpty else { return nil }
        codes = []
        return try await answer(to: code)
    }

    /// The names and the dates of birth on a card that passed. A card may be about several persons.
    private static func holders(of verified: Verified) -> String {
        let subjects = verified.claims.contents(names: .builtIn, at: .now)?.subjects ?? []
        guard !subjects.isEmpty else { return "(no name)" }
        let names = subjects.map { subject in
            let words = [subject.name, subject.birthDate].compactMap { $0?.description }
            return words.isEmpty ? "(no name)" : words.joined(separator: ", ")
        }
        let text = names.joined(separator: "; ")
        let count = names.count == 1 ? "" : "\(names.count) persons: "
        // A card may hold any characters, also those that control a terminal or change the direction of text.
        return count + String(String.UnicodeScalarView(text.unicodeScalars.map { isPrinted($0) ? $0 : "\u{FFFD}" }))
    }

    /// Whether a character is shown as it is.
    private static func isPrinted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}
