import JOSE
import JSON

extension UnverifiedCard {
    /// What a revocation list of the method `hash-fhir` names the card by (RFC 002 of the framework, a draft): the first 8
    /// bytes of base64url(SHA-256) over the base64url form of the Bundle in canonical JSON (RFC 8785), as base64url.
    var bundleHash: UTF8Text {
        let canonical = Base64URL.encode(fhirBundle.canonical)
        return UTF8Text(Base64URL.encode(SHA256.digest(Array(canonical.utf8)).prefix(8)))
    }
}
