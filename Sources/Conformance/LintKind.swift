/// What an input is taken for (`--as`).
public enum LintKind: String, Sendable, CaseIterable {
    case bundle, payload, jwks, crl, jws, file, qr, parameters, deeplink, directory

    /// Whether it is JSON.
    var isJSON: Bool {
        switch self {
        case .bundle, .payload, .jwks, .crl, .file, .parameters, .directory: true
        case .jws, .qr, .deeplink: false
        }
    }
}
