// The table of exit codes. No other file has a number of one.

extension ReasonCode {
    /// The exit code of a run if this is the reason of the first credential that did not verify.
    public var exitCode: Int32 {
        switch self {
        case .malformedInput, .unsupportedCredential, .malformedQR, .malformedJWS, .malformedCOSE,
            .unsupportedAlgorithm, .unsupportedCompression, .inflateFailed, .payloadTooLarge, .malformedPayload,
            .invalidIssuerURL, .malformedLink, .unsupportedLinkVersion, .malformedManifest, .malformedJWE,
            .unsupportedEncryption, .malformedCheckIn, .decryptionFailed:
            10
        case .signatureInvalid: 11
        case .keyNotFound, .keyInvalid, .certificateInvalid: 12
        case .issuerNotTrusted: 13
        case .notYetValid: 14
        case .expired, .linkExpired: 15
        case .revoked: 16
        case .requestMismatch, .recordsNotMatching: 17
        case .linkInactive: 18
        case .noSignedContent, .noCardsIssued: 19
        case .keysUnavailable: 20
        case .revocationUnavailable: 21
        case .passcodeRequired, .passcodeRejected, .recipientKeyRequired: 22
        case .linkUnavailable, .receiverRequired: 23
        case .providerUnavailable: 24
        case .providerRefused: 25
        case .codesUnknown: 26
        case .emptyInput, .noCodeFound, .pictureUnreadable, .qrChunkMissing: 27
        case .unreadableInput: 66
        }
    }

    /// Whether the verdict is `undetermined`: something could not be read or checked now, and the same credential may verify later.
    public var isUndetermined: Bool { (20...29).contains(exitCode) || self == .unreadableInput }

    /// Whether something is wrong with the form of what was given, with its signature, or with a key.
    package var isOfForm: Bool { (10...12).contains(exitCode) }

    /// The exit codes of all reasons, each once, in ascending order.
    public static var exitCodes: [Int32] { Set(allCases.map(\.exitCode)).sorted() }

    /// What an exit code means, in a few words for a list of them: the name of its reason, unless several share it.
    ///
    /// - Returns: nil if no reason has it.
    public static func words(forExitCode code: Int32) -> String? {
        if let words = sharedExitCodes[code] { return words }
        let names = allCases.filter { $0.exitCode == code }.map { $0.rawValue.replacing("-", with: " ") }
        return names.isEmpty ? nil : names.joined(separator: " or ")
    }

    /// The words for exit codes that many reasons share.
    private static let sharedExitCodes: [Int32: String] = [
        10: "malformed", 12: "no usable key", 13: "issuer not trusted", 15: "expired",
        17: "request mismatch or records not matching", 18: "link not active",
        19: "nothing signed", 21: "revocation list unavailable", 22: "passcode required or rejected",
        27: "nothing that can be judged",
    ]
}

/// Why a run did not end well.
package enum RunReason: Hashable, Sendable {
    /// A credential did not verify, or something else that was given is like such a credential.
    case given(ReasonCode)
    /// Something went wrong that has nothing to do with what was given.
    case internalError
    /// The command line is wrong, or the content of a file that an option names.
    case usage
    /// A signal interrupted the run.
    case signal(Int32)

    package var exitCode: Int32 {
        switch self {
        case .given(let reason): reason.exitCode
        case .internalError: 1
        case .usage: 64
        case .signal(let number): 128 + number
        }
    }
}

/// How a run ended: well, or for the first reason against it.
package struct RunOutcome: Equatable, Sendable {
    package private(set) var reason: RunReason?

    package init(_ reason: RunReason? = nil) { self.reason = reason }

    package var exitCode: Int32 { reason?.exitCode ?? 0 }

    /// Notes a reason. Only the first one decides.
    package mutating func add(_ reason: RunReason?) { self.reason = self.reason ?? reason }

    package mutating func add(_ reason: ReasonCode) { add(.given(reason)) }
}
