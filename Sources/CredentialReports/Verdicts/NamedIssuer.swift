import Credentials
import Encodings

/// The issuer of a card, as reports for people name it.
///
/// A SMART Health Card names an issuer, whose keys are looked for. So what is known of the trust is said of that name.
/// An EU Digital COVID Certificate may claim any country. What is trusted is its signer, so a verified certificate is
/// issued by the country of the signer, and another claim is shown as one.
struct NamedIssuer: Sendable {
    /// Words of this program before the name.
    let before: String
    /// The name, fit for a terminal.
    let name: String
    /// What the certificate claims, in words that follow; nil if that is the name itself, or if it claims nothing.
    let claim: String?
    /// Whether the name is the subject of the signer's certificate.
    let isNamedBySubject: Bool

    private init(before: String = "", name: String, claim: UTF8Text? = nil, isNamedBySubject: Bool = false) {
        self.before = before
        self.name = TerminalText.printable(TerminalText.beginning(of: name, upTo: 300))
        // A claim of several words could read as if this program said them.
        self.claim = claim.map { CountryCode.isCode($0) ? "says \($0)" : "says \($0.quoted(upTo: 80))" }
        self.isNamedBySubject = isNamedBySubject
    }

    /// The issuer of a SMART Health Card, or what a certificate that did not verify claims.
    init(name: UTF8Text) { self.init(name: name.description) }

    /// The issuer of a card; nil if it names none. A verified certificate always has one.
    init?(of verdict: Verdict) {
        let claim = verdict.claims?.issuer
        guard verdict.isHCERT, verdict.isSigned else {
            guard let claim else {
                guard verdict.isHCERT, verdict.claims != nil else { return nil }
                self.init(name: "not named")
                return
            }
            self.init(name: claim)
            return
        }
        if let country = verdict.signerCountry {
            let isConfirmed = claim.map { CountryCode.isSame(UTF8Text(country), $0) == true } ?? true
            self.init(name: country, claim: isConfirmed ? nil : claim)
        } else if let certificate = verdict.signerCertificate {
            self.init(before: "the signer ", name: certificate.subject, claim: claim, isNamedBySubject: true)
        } else {
            let keyID = verdict.claims?.keyID?.description ?? ""
            self.init(before: "the signer with the key ID ", name: keyID, claim: claim)
        }
    }

    /// The words after those about the trust.
    var afterTrust: String { claim.map { ", \($0)" } ?? "" }
}
