import Credentials
import Encodings

/// Is told the values of options, byte for byte.
struct ValueObserver {
    /// A value of an option.
    struct Given {
        let option: String
        /// Makes the content, if somebody wants it: that of an installed list may be large.
        let content: () -> [UInt8]
        /// The path that the user named; nil if the value is not from a named file.
        let path: String?
        /// The only issuer that the value applies to; nil if it applies to all.
        let issuer: Issuer?
        /// Whether the content is that of a file.
        let isFile: Bool
        /// How lint reads the file; nil if it does not.
        let form: InputForm?
        /// The content as it was parsed; nil if it is not JSON, or was parsed elsewhere.
        let json: JSONValue?
    }

    let take: (Given) -> Void

    init(_ take: @escaping (Given) -> Void) { self.take = take }

    static var nobody: ValueObserver { ValueObserver { _ in } }

    func callAsFunction(
        _ option: String, _ content: @escaping @autoclosure () -> [UInt8], path: String? = nil, issuer: Issuer? = nil,
        isFile: Bool = true, as form: InputForm? = nil, _ json: JSONValue? = nil
    ) {
        take(
            Given(
                option: option, content: content, path: path, issuer: issuer, isFile: isFile, form: form, json: json))
    }
}
