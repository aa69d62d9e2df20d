package import Encodings

/// One credential as it was presented, before its content is examined.
package struct PresentedCredential: Sendable {
    /// The name of the input and the number of the credential in it, for example `card.smart-health-card#0`.
    package private(set) var source: String
    /// The form of the input; nil if it was not recognised.
    package private(set) var form: InputForm?
    /// The kind of the credential; nil if it cannot be read and its kind is not known.
    package let kind: CredentialKind?
    /// The text of the credential, or why it cannot be read. For a SMART Health Card this is the compact JWS. For a certificate, it
    /// is the text with its prefix, or the octets of the CBOR Web Token.
    package private(set) var text: Result<[UInt8], VerificationFailure>
    /// Harmless deviations of the input from the specification.
    package private(set) var warnings: [CredentialWarning]
    /// The places of the QR codes from which the credential was read, in their order; empty if it is not from a picture.
    package private(set) var places: [CodePlace]
    /// The container from which the credential was read, and its place there; nil if it is an input itself.
    package private(set) var place: PlaceInContainer?
    /// Whether a credential for the link in this certificate follows it. Without one, a certificate around a link never passes: it would
    /// vouch for what nobody has opened.
    package private(set) var isFollowedByItsLink = false
    /// The number of the input from which the credential was read, in the order of the inputs. Limits hold for an input.
    package var input = 0

    /// A SMART Health Card that is given as a compact JWS.
    package init(jws: [UInt8], source: String) {
        self.init(text: jws, kind: .smartHealthCard, form: .jws, source: source)
    }

    /// A credential with its text.
    package init(
        text: [UInt8], kind: CredentialKind, form: InputForm, source: String, warnings: [CredentialWarning] = [],
        places: [CodePlace] = []
    ) {
        self.init(
            .success(text), kind: kind, form: form, source: source, warnings: warnings, places: places)
    }

    /// A credential that cannot be read, with the reason.
    ///
    /// - Parameter kind: the kind that it was meant to be; nil if that is not known.
    package init(
        failure: VerificationFailure, kind: CredentialKind? = nil, form: InputForm? = nil, source: String,
        warnings: [CredentialWarning] = [], places: [CodePlace] = []
    ) {
        self.init(
            .failure(failure), kind: kind, form: form, source: source, warnings: warnings, places: places)
    }

    /// A credential with its text, or with the reason why it cannot be read.
    package init(
        _ text: Result<[UInt8], VerificationFailure>, kind: CredentialKind?, form: InputForm?, source: String,
        warnings: [CredentialWarning] = [], places: [CodePlace] = []
    ) {
        self.kind = kind
        self.source = source
        self.form = form
        self.text = text
        self.warnings = warnings
        self.places = places
    }

    /// The same credential with a failure instead of its text.
    package func failing(with failure: VerificationFailure) -> PresentedCredential {
        var credential = self
        credential.text = .failure(failure)
        return credential
    }

    /// The same credential, if those before it have used up a verifier's limit. This says nothing about the credential.
    package var notJudged: PresentedCredential {
        guard case .success = text else { return self }
        return failing(
            with: VerificationFailure(
                .unreadableInput,
                "not judged: the cards before it have used up the limit for the inflated payloads of one verifier"))
    }

    /// The same certificate, if a credential for the link in it follows.
    package var followedByItsLink: PresentedCredential {
        var credential = self
        credential.isFollowedByItsLink = true
        return credential
    }

    /// The same credential, read from a container.
    ///
    /// - Parameters:
    ///   - place: the container, and the place in it.
    ///   - source: the name of the container's input and the number of the credential in it.
    ///   - warnings: warnings to add before those of the credential.
    ///   - places: the places of the container's QR code.
    package func from(
        _ place: PlaceInContainer, source: String, warnings: [CredentialWarning] = [], places: [CodePlace] = []
    ) -> PresentedCredential {
        var credential = self
        credential.source = source
        credential.form = place.container.inputForm
        credential.warnings = warnings + self.warnings
        credential.places = places
        credential.place = place
        return credential
    }
}

/// What the issuer of a credential signed, and the whole with which others can verify it again.
package struct SignedOctets: Sendable {
    /// The form of the whole, as its media type (RFC 7515 §9.2.1, RFC 9052 §11.3.1).
    package enum Form: String, Sendable {
        /// A compact JWS.
        case jose = "application/jose"
        /// A COSE_Sign1 message.
        case cose = "application/cose"
    }

    /// The octets over which the signature is: of a JWS the text before the second dot (RFC 7515 §5.2), of a COSE_Sign1 message its
    /// `Sig_structure` (RFC 9052 §4.4). Two signatures of one content have the same.
    package let octets: [UInt8]
    /// The compact JWS in ASCII, or the COSE_Sign1 message.
    package let envelope: [UInt8]
    /// The form of the envelope.
    package let form: Form

    /// - Parameters:
    ///   - octets: the octets over which the signature is.
    ///   - envelope: the compact JWS, or the COSE_Sign1 message.
    ///   - form: the form of the envelope.
    package init(octets: [UInt8], envelope: [UInt8], form: Form) {
        self.octets = octets
        self.envelope = envelope
        self.form = form
    }
}

/// The texts that were found in a picture or a PDF. They are not trusted: each is an input itself.
package struct ScannedDocument: Sendable {
    /// `picture` or `pdf`.
    package let form: InputForm
    /// The QR codes that were read, page by page.
    package var codes: [ScannedCode]
    /// The contents of a PDF's attachments.
    package var attachments: [[UInt8]]
    /// The number of QR codes that were seen, but could not be read.
    package var unreadCodes: Int
    /// Whether the picture or PDF stood in a data URL.
    package var isOfDataURL = false
    /// Whether a part was damaged or was not searched, so that there may be more codes.
    package var isPartial = false
    /// Whether a part of a code lies outside a picture or page.
    package var isCutOff = false
    /// The limit of time at which the search was stopped; nil if it was not.
    package private(set) var stoppedAfter: Duration?
    /// What is known about cards that may be missing, in plain words, each once. With a problem the document does not pass.
    package private(set) var problems: [String]

    /// Creates a document.
    package init(
        form: InputForm, codes: [ScannedCode] = [], attachments: [[UInt8]] = [], unreadCodes: Int = 0,
        problem: String? = nil
    ) {
        self.form = form
        self.codes = codes
        self.attachments = attachments
        self.unreadCodes = unreadCodes
        problems = problem.map { [$0] } ?? []
    }

    /// The bytes of its codes and attachments.
    package var size: Int { (codes.map(\.text) + attachments).reduce(0) { $0 + $1.count } }

    /// Notes that the search was stopped at a limit of time, so that there may be more codes.
    package mutating func stop(after limit: Duration) {
        isPartial = true
        stoppedAfter = limit
    }

    /// Adds what was found in a document that is attached to this one.
    package mutating func add(_ attached: ScannedDocument) {
        codes += attached.codes
        attachments += attached.attachments
        unreadCodes += attached.unreadCodes
        isPartial = isPartial || attached.isPartial
        isCutOff = isCutOff || attached.isCutOff
        stoppedAfter = stoppedAfter ?? attached.stoppedAfter
        for problem in attached.problems { note(problem: problem) }
    }

    /// Notes that cards may be missing.
    package mutating func note(problem: String) {
        if !problems.contains(problem) { problems.append(problem) }
    }
}

/// A QR code that was read from a picture.
package struct ScannedCode: Sendable {
    /// The text of the code.
    package let text: [UInt8]
    /// The place of the code.
    package let place: CodePlace
    /// The properties of the QR symbol; nil if the decoder does not tell them.
    package let symbol: QRSymbol?

    /// Creates a code.
    package init(text: [UInt8], place: CodePlace, symbol: QRSymbol? = nil) {
        self.text = text
        self.place = place
        self.symbol = symbol
    }
}

/// The place of a QR code in a picture or a PDF.
package struct CodePlace: Sendable, Equatable {
    /// The name of the picture or PDF.
    package let source: String
    /// The number of the page, from 1. A picture without pages is page 1. A frame of an animation is a page.
    package let page: Int
    /// The width of the page in pixels. A page of a PDF is measured as it was drawn.
    package let width: Int
    /// The height of the page in pixels.
    package let height: Int
    /// The corners of the code in pixels from the top left: top left, top right, bottom right and bottom left, as the code is
    /// read.
    package let corners: [PixelPoint]

    /// Creates a place.
    package init(source: String, page: Int, width: Int, height: Int, corners: [PixelPoint]) {
        self.source = source
        self.page = page
        self.width = width
        self.height = height
        self.corners = corners
    }
}
