/// The User-Agent field of each request. It contains only the program's name and version.
package enum UserAgent {
    /// The version of this package.
    package static let version = "1.0.0"
    /// The value of the User-Agent field (RFC 9110 §10.1.5).
    package static let value = "shcverify/\(version)"
}
