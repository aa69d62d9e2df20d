/// Why a host or an address is not contacted.
public struct AddressRefusal: Sendable, Equatable, CustomStringConvertible {
    /// The host or address.
    public let subject: String
    /// What it is for.
    public let use: AddressUse
    /// The address that the subject is another notation of, or leads to.
    public let embedded: String?
    private let isName: Bool

    init(_ subject: String, _ use: AddressUse, embedded: String? = nil, isName: Bool = false) {
        self.subject = subject
        self.use = use
        self.embedded = embedded
        self.isName = isName
    }

    /// The reason in plain words: `127.0.0.1 is a loopback address`.
    public var description: String {
        if let embedded { return "\(subject) stands for \(embedded), \(use.rawValue)" }
        return isName ? "\(subject) is a name for \(use.rawValue)" : "\(subject) is \(use.rawValue)"
    }
}
