import ArgumentParser
import CredentialReports

/// `shcverify`: reads SMART Health Cards in any of their forms and says whether they are genuine.
///
/// `InputReader` reads the bytes, `CredentialReader` finds the cards in them, `CardVerifier` judges each card, `IssuerClient`
/// fetches what the verifier lacks, and a report prints the verdicts.
///
/// There is one file for each command in `Commands`. The options that several commands share are in `Options`.
struct ShcverifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shcverify",
        abstract: "Verify SMART Health Cards, EU Digital COVID Certificates and WHO's vaccination certificates.",
        usage: """
            shcverify <input> ... [<options>]
            shcverify --qr <text> [--qr <text> ...] [<options>]
            shcverify <subcommand> ...
            """,
        discussion: """
            Examples:
              Accept a photo of a card only if one issuer has signed it:
                shcverify photo.jpg --trust https://issuer.example
              Install VCI's list of issuers, and verify a card with it:
                shcverify directory update; shcverify card.jws --directory vci
              Say what a reason means:
                shcverify explain signature-invalid

            Reads a card from a .smart-health-card file, a compact JWS, the text of QR codes (shc:/…), a FHIR \
            Parameters resource, a deep link, a SMART Health Link, or a picture or PDF of QR codes; gets the issuer's key, verifies the signature, says pass or fail, and \
            prints the FHIR Bundle. EU Digital COVID Certificates (HC1:…, or the octets of their CBOR Web Token) are verified with \
            the trust lists that --directory names. "shcverify help verify" lists the options.

            Exit codes: \(ExitCodes.list). "shcverify explain CODE" says what a reason means. "shcverify lint" has exit codes of its own.
            """,
        // Only the first line. Main prints the others, which need the installed lists, if somebody asks for the version.
        version: Tool.shcverify.version,
        subcommands: commands,
        defaultSubcommand: VerifyCommand.self)

    /// The commands. `configuration` has them too, but its texts are only made if somebody wants to read them.
    static let commands: [any ParsableCommand.Type] = [
        VerifyCommand.self, BatchCommand.self, LintCommand.self, InspectCommand.self, RecordsCommand.self,
        FetchCardsCommand.self, DirectoryCommand.self, CodesCommand.self,
        StatusCommand.self, ExplainCommand.self, SchemaCommand.self,
    ]
}
