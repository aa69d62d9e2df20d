import ArgumentParser
import IssuerNetwork

/// The options for SMART Health Links.
struct LinkOptions: ParsableArguments {
    @Option(
        name: .customLong("passcode-file"),
        help: ArgumentHelp(
            "The passcode of a link that needs one: the first line of this file. Otherwise SHCVERIFY_PASSCODE is used, and on a "
                + "terminal the passcode is asked for.", valueName: "file"), completion: .file())
    var passcodeFile: String?

    @Option(
        name: .customLong("recipient"),
        help: ArgumentHelp(
            "The name of the recipient, which is shown to the person who shared the link. (default: SHCVERIFY_RECIPIENT, or shcverify)",
            valueName: "text"))
    var recipientName: String?

    @Option(
        name: .customLong("link-origin"),
        help: ArgumentHelp(
            "Contact only this origin (https://host[:port]) for links and their files. Repeatable.", valueName: "origin"
        ))
    var linkOrigin: [GivenValues] = []

    @Flag(name: .customLong("no-links"), help: "Make no request for a link.")
    var noLinks = false

    /// The longest recipient in characters.
    private static let longestRecipient = 200
    private static let mostOrigins = 100

    func validate() throws {
        if let recipientName { try Self.check(recipient: recipientName) }
        for origin in linkOrigin.all where LinkClient.origin(of: origin) == nil {
            throw ValidationError(
                "--link-origin needs an origin, such as https://shl.example.org or https://host:8443.")
        }
        guard linkOrigin.all.count <= Self.mostOrigins else {
            throw ValidationError("--link-origin can be given \(Self.mostOrigins) times.")
        }
    }

    /// The name of an option that was given and has an effect only if a link is opened; nil if there is none.
    var optionOfRequests: String? {
        if passcodeFile != nil { return "--passcode-file" }
        if recipientName != nil { return "--recipient" }
        return linkOrigin.isEmpty ? nil : "--link-origin"
    }

    /// Throws if a recipient cannot be sent.
    static func check(recipient: String) throws(ValidationError) {
        guard recipient.unicodeScalars.count <= longestRecipient,
            recipient.unicodeScalars.contains(where: { !$0.properties.isWhitespace }),
            !recipient.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw ValidationError(
                "--recipient (or SHCVERIFY_RECIPIENT) needs 1 to \(longestRecipient) characters that are not all white space, without "
                    + "control characters.")
        }
    }

    /// Whether somebody said who asks for the content of links.
    var namesRecipient: Bool {
        recipientName != nil || EnvironmentVariable.value(of: "SHCVERIFY_RECIPIENT")?.isEmpty == false
    }

    /// Who asks for the content of links.
    var recipient: String {
        if let recipientName { return recipientName }
        guard let text = EnvironmentVariable.value(of: "SHCVERIFY_RECIPIENT"), !text.isEmpty else { return "shcverify" }
        return text
    }

    /// The origins that may be contacted; nil for any.
    var allowedOrigins: [String]? {
        linkOrigin.isEmpty ? nil : linkOrigin.all.compactMap { LinkClient.origin(of: $0) }
    }
}
