import ArgumentParser
import Credentials
import Cryptography
import Inputs
import SMARTHealthCheckIns

/// The options of commands that open SMART Health Check-ins.
struct CheckInOptions: ParsableArguments {
    @Option(
        name: .customLong("request"),
        help: ArgumentHelp(
            "The request of a SMART Health Check-in: the SMART request, or what went to navigator.credentials.get, which alone opens an "
                + "encrypted answer.", valueName: "file"), completion: .file())
    var request: String?

    @Option(
        name: .customLong("recipient-key"),
        help: ArgumentHelp(
            "The private key of that request, as a JWK. It is erased after use, and printed nowhere.", valueName: "file"
        ),
        completion: .file())
    var recipientKey: String?

    @Option(
        name: .customLong("origin"),
        help: ArgumentHelp(
            "Who called the wallet, such as https://clinic.example, as the page or platform reports it.",
            valueName: "origin"))
    var origin: String?

    @Flag(
        name: .customLong("strict-envelope"),
        help: ArgumentHelp(
            "Refuse a check-in if anything is wrong with its envelope, as verifiers had to before September 2026. Without this option, that is "
                + "a warning, and the cards are judged."
        ))
    var isStrict = false

    func validate() throws {
        guard let origin, !Self.isOrigin(Array(origin.utf8)) else { return }
        throw ValidationError(
            "--origin needs an origin such as https://clinic.example, without a slash at the end, a path, a query or a user."
        )
    }

    /// Whether a text may be an origin. Those without an authority are as the platform reports them, such as `android:apk-key-hash:…`.
    private static func isOrigin(_ text: [UInt8]) -> Bool {
        guard (1...2048).contains(text.count), text.allSatisfy({ (0x21...0x7E).contains($0) }),
            text.last != UInt8(ascii: "/"), let colon = text.firstIndex(of: UInt8(ascii: ":"))
        else { return false }
        let rest = text[(colon + 1)...]
        guard rest.starts(with: "//".utf8) else {
            return !["http", "https"].contains { InputForm.begins(text[..<colon], with: $0) && colon == $0.utf8.count }
        }
        let authority = rest.dropFirst(2)
        return !authority.isEmpty && !authority.contains { "/?#@\\".utf8.contains($0) }
    }
}
