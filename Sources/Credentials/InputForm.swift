/// The kinds of credential that are verified.
package enum CredentialKind: Sendable {
    /// A SMART Health Card: a JWS with a FHIR Bundle.
    case smartHealthCard
    /// An EU Digital COVID Certificate: a COSE message.
    case healthCertificate
}

/// The form of an input. The content of the input decides it, never the file's name.
///
/// Verification and lint both recognise forms with this type, so that they treat an input in the same way.
package enum InputForm: String, Sendable, CaseIterable {
    // Forms that carry cards.

    /// A `.smart-health-card` file (SHC "Every Health Card can be embedded in a file").
    case file
    /// One compact JWS.
    case jws
    /// The text of one or several QR codes.
    case qr
    /// The FHIR `Parameters` that `$health-cards-issue` returns.
    case parameters
    /// A URL whose fragment is the file's JSON.
    case deeplink

    // Content of a card without a signature, and documents that issuers publish. Only lint reads these.

    /// The payload of a card.
    case payload
    /// A FHIR Bundle.
    case bundle
    /// A key set, or a single key.
    case jwks
    /// A revocation list.
    case crl
    /// A directory of issuers, or a snapshot of one.
    case directory
    /// WHO's list of signers of health certificates.
    case trustList = "trust-list"

    /// A SMART Health Link, or a viewer's URL with one.
    case link

    /// A SMART Health Check-in: the response of a wallet, or its encrypted answer.
    case checkIn = "check-in"

    /// The text of an EU Digital COVID Certificate, as in its QR code (`HC1:`).
    case hc1
    /// The octets of an EU Digital COVID Certificate: a CBOR Web Token, which may be compressed.
    case cwt

    // Forms that hold texts which are inputs themselves.

    /// A picture of QR codes.
    case picture
    /// A PDF with QR codes or attached cards.
    case pdf

    // MARK: Properties

    /// What is to be known of a form. A new form gets a row, and nothing else has to be said of it.
    private struct Row {
        /// In words, with an article.
        let words: String
        /// Whether an input of this form is a JSON text.
        var isJSON = false
        /// The kind of the credentials in it, if each is a text of its own.
        var kind = CredentialKind.smartHealthCard
        /// Whether lint reads it.
        var isLinted = true
        /// Whether it is a container whose items are in it, so that nothing is fetched to open it.
        var isContainer = false
        /// The largest size in bytes.
        var size = Bounds.inputSize
        /// What white space around it disturbs, in words; nil if it disturbs nobody.
        var disturbed: String?
        /// Whether white space disturbs only in a file that is named, and not around what a server or an option gives.
        var isDisturbedOnlyIfNamed = false
    }

    private var row: Row {
        switch self {
        case .file: Row(words: "a card file", isJSON: true, disturbed: "the card")
        case .jws: Row(words: "a JWS", disturbed: "the card")
        case .qr: Row(words: "the text of QR codes", disturbed: "the card")
        case .parameters: Row(words: "a Parameters resource", isJSON: true, disturbed: "the card")
        case .deeplink: Row(words: "a deep link", disturbed: "the card")
        case .payload: Row(words: "a payload", isJSON: true, size: Bounds.payloadSize, disturbed: "the card")
        case .bundle: Row(words: "a FHIR Bundle", isJSON: true, disturbed: "the Bundle", isDisturbedOnlyIfNamed: true)
        case .jwks:
            Row(
                words: "a key set", isJSON: true, size: Bounds.keySetSize, disturbed: "the key set",
                isDisturbedOnlyIfNamed: true)
        case .crl:
            Row(
                words: "a revocation list", isJSON: true, size: max(Bounds.revocationListSize, Bounds.directorySize),
                disturbed: "the revocation list", isDisturbedOnlyIfNamed: true)
        case .directory:
            Row(
                words: "a directory", isJSON: true, size: max(Bounds.revocationListSize, Bounds.directorySize),
                disturbed: "the directory", isDisturbedOnlyIfNamed: true)
        case .trustList:
            Row(
                words: "WHO's trust list", isJSON: true, size: Bounds.directorySize, disturbed: "the list",
                isDisturbedOnlyIfNamed: true)
        case .link: Row(words: "a SMART Health Link", disturbed: "the card")
        case .checkIn: Row(words: "a SMART Health Check-in", isJSON: true, isLinted: false, isContainer: true)
        case .hc1: Row(words: "an EU Digital COVID Certificate", kind: .healthCertificate)
        case .cwt: Row(words: "a CBOR Web Token", kind: .healthCertificate)
        case .picture: Row(words: "a picture", isLinted: false)
        case .pdf: Row(words: "a PDF", isLinted: false)
        }
    }

    /// The form in words, with an article.
    package var words: String { row.words }

    /// Whether an input of this form is a JSON text.
    package var isJSON: Bool { row.isJSON }

    /// Whether an input of this form is a container whose items are in it, so that nothing is fetched to open it.
    package var isContainer: Bool { row.isContainer }

    /// How texts begin whose form their first characters say, in lower case.
    package static let beginnings: [(form: InputForm, text: String)] = [(.qr, "shc:"), (.hc1, "hc1:")]

    /// The kind of the credentials in an input of this form, if each is a text of its own.
    package var kind: CredentialKind { row.kind }

    /// The largest size of an input of this form in bytes. Pictures and PDF documents have limits of their own.
    package var largestSize: Int { row.size }

    /// What white space around an input of this form disturbs, in words; nil if it disturbs nobody.
    ///
    /// - Parameter isNamed: whether the input is a file that was named, and not what a server or an option gives.
    package func disturbedBySpace(isNamed: Bool) -> String? {
        isNamed || !row.isDisturbedOnlyIfNamed ? row.disturbed : nil
    }

    /// The forms that lint reads (`--as`).
    package static let linted: [InputForm] = allCases.filter(\.row.isLinted)

    /// What to do with an input of a form that is not read; nil for the other forms.
    package var advice: String? {
        switch self {
        case .link:
            "this is a SMART Health Link, which is not followed here: give it as an input of its own"
        case _ where isContainer: "this is \(words), which is not opened here: give it as an input of its own"
        case .picture, .pdf:
            "this is \(words), which is not read here: scan its QR code first, and give the text"
        default: nil
        }
    }
}
