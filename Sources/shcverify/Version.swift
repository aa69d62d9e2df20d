import IssuerNetwork

/// Which `shcverify` this is.
enum Version {
    static let number = UserAgent.version
}
