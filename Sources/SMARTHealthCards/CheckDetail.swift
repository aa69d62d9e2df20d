import JOSE
import JSON

/// What a check established, put into words only where somebody reads them: most cards' checks are never printed.
enum CheckDetail: Sendable {
    case text(String)
    case form(fhirVersion: UTF8Text)
    case validity(from: NumericDate, to: NumericDate?)
    case notRevoked(RevocationCounter?, RevocationList.Copy?)

    var text: String {
        switch self {
        case .text(let text): text
        case .form(let version): "a JWS with a FHIR \(version.quoted()) Bundle"
        case .validity(let start, let end): "from \(start) " + (end.map { "to \($0)" } ?? "on, without end")
        case .notRevoked(let version, let copy):
            "not on the issuer's revocation list" + (version.map { ", version \($0)" } ?? "")
                + (copy.map { ", from the cache, retrieved \($0.retrieved)" } ?? "")
        }
    }
}
