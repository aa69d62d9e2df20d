package import Encodings

/// What is known of an input that holds further inputs, such as a link, after it was opened as far as possible. Nothing in it is signed but
/// its credentials, so it gives trust to none of them.
package protocol Container: AnyObject, Sendable {
    /// The form of the input, which is the kind of the container. Its raw value is the name of the check.
    var inputForm: InputForm { get }
    /// The place in the list of the run's containers of this kind, from 0.
    var index: Int { get }
    /// The name of the input.
    var source: String { get }
    /// Why it could not be opened, or holds nothing that can be verified; nil if neither is so.
    var reason: VerificationFailure? { get }
    /// What is wrong with what is around the items. It gives their cards no trust, and takes none from them.
    var findings: [CredentialWarning] { get }
    /// What is unusual about it.
    var warnings: [CredentialWarning] { get }
    /// What it held, in words.
    var words: String { get }
    /// What else is said of it to people, once.
    var remarks: [String] { get }
    /// What one of its items is called.
    static var itemName: String { get }
    /// The FHIR content that nobody signed.
    var unsigned: [UnsignedItem] { get }

    /// Whether the item could be opened.
    func isOpened(_ item: Int) -> Bool
    /// The place of an item in words, for the check `container`.
    func words(for item: Int) -> String
    /// Whether the container says that an item, or all of it, is no longer valid.
    func isNoLongerValid(_ item: Int?) -> Bool
}

extension Container {
    package var findings: [CredentialWarning] { [] }
    package var remarks: [String] { [] }
    package var unsigned: [UnsignedItem] { [] }
    package func isOpened(_ item: Int) -> Bool { true }
    package func words(for item: Int) -> String { words }
    package func isNoLongerValid(_ item: Int?) -> Bool { false }
}

/// FHIR content of a container that nobody signed.
package struct UnsignedItem: Sendable {
    /// The place in the container, from 0.
    package let item: Int
    /// The content; nil if it was not asked for.
    package let content: [UInt8]?
    /// The FHIR version that the container names; nil if it names none.
    package let version: UTF8Text?
    /// The app whose attestation of the content is verified; nil if there is none.
    package let app: UTF8Text?
}

/// The container from which a credential was read, and its place there.
package struct PlaceInContainer: Sendable {
    /// The container.
    package let container: any Container
    /// The item, from 0; nil for the container itself.
    package let item: Int?

    /// Creates a place.
    package init(_ container: any Container, item: Int?) {
        self.container = container
        self.item = item
    }

    /// Whether the container, and the item, could be opened.
    var isOpened: Bool { item.map { container.isOpened($0) } ?? false }

    /// The place in words.
    var words: String { item.map { container.words(for: $0) } ?? container.words }

    /// Whether the container says that what it holds there is no longer valid.
    package var isNoLongerValid: Bool { container.isNoLongerValid(item) }
}

/// A container that was found in an input, and is not opened yet.
package struct PresentedContainer: Sendable {
    /// The health certificate in which a link stood, which has passed every check.
    package struct Wrapper: Sendable {
        /// What has passed.
        package let certificate: Verified
        /// The scheme of the link.
        package let scheme: String

        package init(_ certificate: Verified, scheme: String) {
            self.certificate = certificate
            self.scheme = scheme
        }
    }

    /// The form, which is the kind.
    package let form: InputForm
    /// The certificate in which the link stood; nil if its text was given.
    package let wrapper: Wrapper?
    /// The name of the input.
    package let source: String
    /// The text.
    package let text: [UInt8]
    /// Warnings about the input.
    package let warnings: [CredentialWarning]
    /// The places of the QR code with the text; empty if it is not from a picture.
    package let places: [CodePlace]
    /// The number of the input, in the order of the inputs.
    package let input: Int

    package init(
        _ form: InputForm, source: String, text: [UInt8], wrapper: Wrapper? = nil, warnings: [CredentialWarning] = [],
        places: [CodePlace] = [], input: Int = 0
    ) {
        self.form = form
        self.wrapper = wrapper
        self.source = source
        self.text = text
        self.warnings = warnings
        self.places = places
        self.input = input
    }
}

/// How many bytes the payloads of several credentials may still inflate to together.
///
/// The limit never makes a payload too large: what is begun may be as large as any, and what is not begun is not judged.
package struct PayloadBudget: Sendable {
    /// What is left of it, in bytes; nil for any number.
    private var left: Int?

    /// - Parameter size: the size of all inflated payloads together, in bytes; nil for any size.
    package init(_ size: Int?) { left = size }

    /// Whether no further credential may be inflated.
    package var isUsedUp: Bool { left.map { $0 <= 0 } ?? false }

    /// If the credentials before this one have used up the budget, the same one, saying so; nil if it may be inflated.
    package func refused(_ credential: PresentedCredential) -> PresentedCredential? {
        isUsedUp ? credential.notJudged : nil
    }

    /// Subtracts the size of a payload that was inflated, in bytes.
    package mutating func spend(_ size: Int) { left = left.map { max(0, $0 - size) } }
}

/// There is no memory for a verifier.
public struct OutOfMemory: Error, Sendable, CustomStringConvertible {
    /// The error in plain words.
    public var description: String { "there is no memory to inflate payloads" }

    /// Makes the error.
    package init() {}
}
