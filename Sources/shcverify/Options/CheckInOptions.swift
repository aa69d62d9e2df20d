import ArgumentParser
import Cryptography
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

    func validate() throws {
        guard let origin else { return }
        let characters = origin.utf8
        guard (1...2048).contains(characters.count), characters.allSatisfy({ (0x21...0x7E).contains($0) }),
            characters.contains(UInt8(ascii: ":")), characters.last != UInt8(ascii: "/")
        else {
            throw ValidationError(
                "--origin needs an origin such as https://clinic.example, without a slash at the end.")
        }
    }
}
