import ArgumentParser
import Encodings

/// The passcode of a link: from a file, from the environment, or from the person at the terminal.
struct LinkPasscode {
    /// The longest passcode in bytes.
    private static let longest = 1024

    /// That of `--passcode-file`; nil if the option is not given.
    private let ofFile: SecretBytes?
    private let mayAsk: Bool

    /// Reads the file of `--passcode-file`.
    ///
    /// - Parameter mayAsk: whether standard input is free for a question.
    init(_ options: any LinkChoices, mayAsk: Bool) throws {
        ofFile = try options.passcodeFile.map {
            try Self.input.secret(ofFile: $0, else: Self.noPasscode(in: "the file of --passcode-file"))
        }
        self.mayAsk = mayAsk
    }

    /// The passcode for a link; nil if there is none, or if nothing is typed.
    ///
    /// - Parameter origin: the origin of the link.
    func value(for origin: String) throws -> SecretBytes? {
        if let ofFile { return ofFile }
        if let given = try Self.input.secretOfEnvironment(else: Self.noPasscode(in: "SHCVERIFY_PASSCODE")) {
            return given
        }
        return mayAsk ? Self.ask(for: origin) : nil
    }

    private static var input: SecretInput {
        SecretInput(option: "--passcode-file", variable: "SHCVERIFY_PASSCODE", isRight: isPasscode)
    }

    private static func noPasscode(in place: String) -> ValidationError {
        ValidationError(
            "The passcode in \(place) is not valid: it must have 1 to \(longest) bytes of UTF-8, without control characters."
        )
    }

    private static func isPasscode(_ bytes: ArraySlice<UInt8>) -> Bool {
        (1...longest).contains(bytes.count) && !bytes.contains { $0 < 0x20 || $0 == 0x7F }
            && String(validating: bytes, as: UTF8.self) != nil
    }

    private static func ask(for origin: String) -> SecretBytes? {
        guard StandardStreams.canAsk else { return nil }
        guard
            var bytes = StandardStreams.readSecretLine(
                prompt: "Passcode for the link at \(origin): ", limit: longest),
            isPasscode(bytes[...])
        else { return nil }
        return SecretBytes(&bytes)
    }
}
