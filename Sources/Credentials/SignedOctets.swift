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
