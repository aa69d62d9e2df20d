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
