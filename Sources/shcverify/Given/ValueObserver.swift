import Credentials
import StrictJSON

/// Is told the values of options, byte for byte.
struct ValueObserver {
    /// A value of an option.
    struct Given {
        let option: String
        let content: [UInt8]
        /// The path that the user named; nil if the value is not from a named file.
        var path: String?
        /// The only issuer that the value applies to; nil if it applies to all.
        var issuer: Issuer?
        /// Whether the content is that of a file.
        var isFile = true
        /// How lint reads the file; nil if it does not.
        var form: InputForm?
        /// The content as it was parsed; nil if it is not JSON, or was parsed elsewhere.
        var json: JSONValue?
    }

    private let take: ((Given) -> Void)?
    /// Is called with the option and the path of each named file.
    private let takeName: ((_ option: String, _ path: String) -> Void)?

    init(_ take: @escaping (Given) -> Void) { self.init(take: take, takeName: nil) }

    private init(take: ((Given) -> Void)?, takeName: ((String, String) -> Void)?) {
        self.take = take
        self.takeName = takeName
    }

    static var nobody: ValueObserver { ValueObserver(take: nil, takeName: nil) }

    /// The same, and somebody who is told the names of files.
    func and(name: @escaping (_ option: String, _ path: String) -> Void) -> ValueObserver {
        ValueObserver(take: take, takeName: name)
    }

    /// The content is made only if somebody wants it: that of an installed list may be large.
    func callAsFunction(
        _ option: String, _ content: @autoclosure () -> [UInt8], path: String? = nil, issuer: Issuer? = nil,
        isFile: Bool = true, as form: InputForm? = nil, _ json: JSONValue? = nil
    ) {
        if let path { takeName?(option, path) }
        take?(
            Given(
                option: option, content: content(), path: path, issuer: issuer, isFile: isFile, form: form,
                json: json))
    }
}
