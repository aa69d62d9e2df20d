import ArgumentParser
import SMARTHealthCards

extension Issuer {
    /// The issuer that an option names.
    ///
    /// - Throws: if no card's issuer can be called so, since the option would then have no effect. A slash at the end is let
    ///   pass: it is a frequent mistake, and the verdict on a card says which issuer comes near.
    init(_ url: String, option: String) throws(ValidationError) {
        do throws(VerificationFailure) {
            _ = try Issuer(url.utf8.last == UInt8(ascii: "/") ? String(url.dropLast()) : url)
        } catch {
            throw ValidationError("\(option) wants the https URL of an issuer, as its cards have it; \(error.message)")
        }
        self.init(unchecked: url)
    }
}
