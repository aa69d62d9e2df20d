package import Credentials
import Cryptography
package import Encodings
import HTTPSFetch
import Inputs

/// A SMART Health Link as its text has it, even if it has errors (SHL "SMART Health Links Sharing User").
///
/// Nothing in it is signed. The maker of the link chose the address.
package struct HealthLink: Sendable {
    /// An error in a link.
    package struct Problem: Sendable {
        /// The kinds of error.
        package enum Kind: Sendable {
            /// The text around the payload, or its encoding.
            case text
            /// The payload, or a member of it.
            case payload
            /// The address is no https URL.
            case address
            /// The version is not known.
            case version
        }

        package let kind: Kind
        package let message: String

        /// The failure in a verdict.
        package var failure: VerificationFailure {
            VerificationFailure(kind == .version ? .unsupportedLinkVersion : .malformedLink, message)
        }
    }

    /// What is requested for a link.
    package struct Target: Sendable {
        /// The https address of the manifest, or of the file if the flag is `U`.
        package let url: String
        /// The origin of the address, with its port (RFC 6454 §4).
        package let origin: String
        /// The key of the files, 32 bytes.
        package let key: SecretBytes
    }

    /// Where the link was: `bare`, `viewer`, or `hcert` for one in a health certificate.
    package let form: String
    /// The scheme: `shlink`, or `vhlink` for a verifiable health link.
    package let scheme: String
    /// What is requested; nil if the link has errors.
    package let target: Target?
    /// The errors, the first of which is the reason why the link is refused.
    package let problems: [Problem]
    /// What is unusual, but accepted.
    package let warnings: [CredentialWarning]

    // What can be shown of the payload, even if the link has errors.

    /// The address, as written.
    package let url: UTF8Text?
    /// The origin of the address; nil if it is no https URL.
    package let origin: String?
    /// The length of the key in bytes; nil if there is none that can be decoded.
    package let keyLength: Int?
    /// The flags, as written.
    package let flags: UTF8Text?
    /// The label.
    package let label: UTF8Text?
    /// When the link expires.
    package let expires: NumericDate?
    /// The version; nil if it is no whole number.
    package let version: Int?
    /// The names of members that the specification does not define.
    package let unknownMembers: [UTF8Text]

    /// Whether the link needs a passcode (`P`).
    package var needsPasscode: Bool { has("P") }
    /// Whether the address is that of a single file (`U`).
    package var isDirect: Bool { has("U") }
    /// Whether only a registered receiver can fetch it (`vhlink:/`). It is never requested.
    package var needsReceiver: Bool { scheme == Self.receiverScheme }

    private func has(_ flag: Unicode.Scalar) -> Bool { flags?.utf8.contains(UInt8(ascii: flag)) ?? false }

    /// The version of links that is read.
    package static let version = 1
    /// The largest payload in bytes.
    package static let payloadSize = 16 << 10
    /// The longest address in bytes, and the longest that makers should use.
    package static let urlLength = (most: 2048, recommended: 128)
    /// The longest label that makers should use, in characters.
    package static let labelLength = 80

    /// The scheme of verifiable health links (IHE VHL).
    private static let receiverScheme = "vhlink"

    /// Reads a link.
    ///
    /// - Parameter text: the text, without white space around it.
    package init(_ text: [UInt8]) {
        let link = SMARTHealthLinkText(text[...])
        self.init(
            payload: link?.payload, form: (link?.place ?? .bare).rawValue, scheme: "shlink",
            oddities: link?.oddities ?? [])
    }

    /// Reads the link in a health certificate.
    ///
    /// - Parameters:
    ///   - text: the text, which begins with the scheme and `:/`.
    ///   - scheme: `vhlink` or `shlink`.
    package init(inCertificate text: [UInt8], scheme: String) {
        let head = scheme.utf8.count + 2
        self.init(payload: Array(text.dropFirst(head)), form: "hcert", scheme: scheme, oddities: [])
    }

    /// - Parameters:
    ///   - payload: the payload in base64url; nil if the text is no link.
    ///   - oddities: what is unusual about the text around it.
    private init(payload: [UInt8]?, form: String, scheme: String, oddities: [String]) {
        var notes = Notes()
        self.form = form
        self.scheme = scheme
        notes.warn(.linkForm, oddities)
        let payload = notes.payload(of: payload, scheme)
        let members = Members(payload, &notes)
        url = members.url?.text
        origin = members.url?.parsed.map { Self.displayed($0.origin) }
        keyLength = members.key?.count
        flags = members.flags
        label = members.label
        expires = members.expires
        version = members.version
        unknownMembers = members.unknown
        problems = notes.problems
        warnings = notes.warnings
        target =
            if problems.isEmpty, let url = members.url?.parsed, let key = members.key {
                Target(url: url.text, origin: url.origin, key: key)
            } else { nil }
    }

    /// Identifies what is fetched for the link, whatever is around it; nil if it cannot be read. Links with the same identity may
    /// expire at different times. It is a digest, so that the key is not kept.
    package var identity: [UInt8]? {
        guard let target else { return nil }
        let text = Array(target.url.utf8) + [0] + Array((flags ?? "").utf8) + [0]
        return target.key.withBytes { key in
            SHA256.digest(text + key.indices.map { key[$0] })
        }
    }

    /// An origin as people write it: without the usual port.
    package static func displayed(_ origin: String) -> String {
        origin.utf8.suffix(4).elementsEqual(":443".utf8) ? String(origin.dropLast(4)) : origin
    }
}

// MARK: Reading

/// The errors and warnings so far.
private struct Notes {
    var problems: [HealthLink.Problem] = []
    var warnings: [CredentialWarning] = []

    mutating func fail(_ kind: HealthLink.Problem.Kind, _ message: String) {
        problems.append(HealthLink.Problem(kind: kind, message: message))
    }

    mutating func warn(_ code: CredentialWarning.Code, _ oddities: [String]) {
        warnings += oddities.map { CredentialWarning(code, "the link is unusual: \($0)") }
    }

    /// Notes why a link has no payload.
    private mutating func refuse(_ kind: HealthLink.Problem.Kind, _ message: String) -> JSONValue? {
        fail(kind, message)
        return nil
    }

    /// Decodes the payload; nil if there is none.
    mutating func payload(of text: [UInt8]?, _ scheme: String) -> JSONValue? {
        guard let text else {
            return refuse(.text, "the text is not a SMART Health Link (shlink:/…)")
        }
        guard !text.isEmpty else {
            return refuse(.text, "nothing follows \(scheme):/")
        }
        guard text.count <= HealthLink.payloadSize * 4 / 3 + 4 else {
            return refuse(.text, "the link's payload is larger than \(HealthLink.payloadSize >> 10) KiB")
        }
        let bytes: [UInt8]
        do {
            let (decoded, oddities) = try Self.decode(text)
            bytes = decoded
            warn(.linkEncoding, oddities)
        } catch {
            let lacksSlash = InputForm.begins(text[...], with: "\(scheme):")
            return refuse(
                .text,
                lacksSlash
                    ? "the link lacks the slash after \(scheme):, as in \(scheme):/…: scan the code again, or put the slash there"
                    : "what follows \(scheme):/ is not base64url: \(error)")
        }
        guard bytes.count <= HealthLink.payloadSize else {
            return refuse(.text, "the link's payload is larger than \(HealthLink.payloadSize >> 10) KiB")
        }
        let value: JSONValue
        do {
            value = try JSONDocument.parse(bytes, maximumDepth: 32)
        } catch {
            // The error may quote a name, and any text here could be the key.
            return refuse(
                .payload,
                "the link was cut off or changed: its content is not acceptable JSON (at byte \(error.offset))")
        }
        guard value.kind == .object else {
            return refuse(.payload, "the link's payload is not a JSON object")
        }
        if !value.isMinified { warn(.linkEncoding, ["its JSON has white space between the values"]) }
        return value
    }

    /// Decodes base64url, and notes what a strict reader would refuse.
    static func decode(_ text: [UInt8]) throws(Base64Error) -> (bytes: [UInt8], oddities: [String]) {
        var oddities: [String] = []
        var text = text
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        if (1...2).contains(padding) {
            oddities.append("it has padding (=)")
            text.removeLast(padding)
        }
        if text.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) {
            oddities.append("it is in base64, not in base64url")
            text = Base64URL.inItsAlphabet(text)
        }
        do {
            return (try Base64URL.decode(text), oddities)
        } catch {
            guard error.reason == .trailingBits else { throw error }
            return (Base64URL.decodeLeniently(text[...]), oddities + ["it has bits left over at its end"])
        }
    }
}

/// The members of a payload. A member that is null is absent.
private struct Members {
    var url: (text: UTF8Text, parsed: HTTPSURL?)?
    var key: SecretBytes?
    var flags: UTF8Text?
    var label: UTF8Text?
    var expires: NumericDate?
    var version: Int? = HealthLink.version
    var unknown: [UTF8Text] = []

    init(_ payload: JSONValue?, _ notes: inout Notes) {
        guard let payload else {
            version = nil
            return
        }
        // The version comes first, because the other members of another version may be others, or mean something else.
        readVersion(payload, &notes)
        readURL(payload, &notes)
        readKey(payload, &notes)
        readExpiry(payload, &notes)
        readFlags(payload, &notes)
        if let value = payload.optional("label") {
            label = value.string
            if label == nil {
                notes.fail(.payload, "the link's \"label\" is not a string, it is of the kind \(value.kind.rawValue)")
            }
            if let label, label.unicodeScalars.count > HealthLink.labelLength {
                notes.warn(.linkMember, ["its label has more than \(HealthLink.labelLength) characters"])
            }
        }
        let known: [UTF8Text] = ["url", "key", "exp", "flag", "label", "v"]
        unknown = (payload.members.map { members in members.map(\.0) } ?? []).filter { !known.contains($0) }
    }

    private mutating func readURL(_ payload: JSONValue, _ notes: inout Notes) {
        guard let value = payload.optional("url") else {
            return notes.fail(.payload, "the link has no \"url\"")
        }
        guard let text = value.string else {
            return notes.fail(.payload, "the link's \"url\" is not a string, it is of the kind \(value.kind.rawValue)")
        }
        url = (text, nil)
        guard text.utf8.count <= HealthLink.urlLength.most else {
            return notes.fail(.payload, "the link's \"url\" is longer than \(HealthLink.urlLength.most) characters")
        }
        do {
            url = (text, try HTTPSURL(text.description))
        } catch {
            let isOther = text.utf8.starts(with: "http:".utf8)
            return notes.fail(
                .address,
                "the link's \"url\" is no https address: "
                    + (isOther ? "it is http, which anybody on the way can read and change" : error.message))
        }
        if text.utf8.count > HealthLink.urlLength.recommended {
            notes.warn(.linkMember, ["its url has more than \(HealthLink.urlLength.recommended) characters"])
        }
    }

    private mutating func readKey(_ payload: JSONValue, _ notes: inout Notes) {
        guard let value = payload.optional("key") else {
            return notes.fail(.payload, "the link has no \"key\"")
        }
        // The value of the key is never part of a message.
        guard let text = value.stringBytes else {
            return notes.fail(.payload, "the link's \"key\" is not a string")
        }
        guard var decoded = try? Notes.decode(text) else {
            return notes.fail(.payload, "the link's \"key\" is not base64url")
        }
        if !decoded.oddities.isEmpty {
            notes.warn(.linkEncoding, ["its key is not written in base64url without padding"])
        }
        let key = SecretBytes(&decoded.bytes)
        self.key = key
        if key.count != AES256GCM.keyLength {
            notes.fail(
                .payload, "the link's \"key\" has \(key.count) bytes instead of \(AES256GCM.keyLength)")
        }
    }

    private mutating func readExpiry(_ payload: JSONValue, _ notes: inout Notes) {
        guard let value = payload.optional("exp") else { return }
        let digits: String
        if let number = value.number {
            digits = number.digits
        } else if let text = value.stringBytes, !text.isEmpty, text.allSatisfy({ (0x30...0x39).contains($0) }) {
            digits = String(decoding: text, as: UTF8.self)
            notes.warn(.linkMember, ["its exp is a string"])
        } else {
            return notes.fail(.payload, "the link's \"exp\" is not a number, it is of the kind \(value.kind.rawValue)")
        }
        guard let date = NumericDate(decimal: digits) else {
            // A number beyond all dates: it has passed long ago, or will never come.
            if digits.utf8.first == UInt8(ascii: "-") { expires = NumericDate(sinceEpoch: .seconds(-1)) }
            return
        }
        expires = date
        if date.isPlausiblyMilliseconds {
            notes.warn(.linkMember, ["its exp is in milliseconds; it was read as seconds"])
        }
    }

    private mutating func readFlags(_ payload: JSONValue, _ notes: inout Notes) {
        guard let value = payload.optional("flag") else { return }
        guard let text = value.string else {
            return notes.fail(.payload, "the link's \"flag\" is not a string, it is of the kind \(value.kind.rawValue)")
        }
        flags = text
        let letters = Array(text.utf8)
        if letters.contains(UInt8(ascii: "P")), letters.contains(UInt8(ascii: "U")) {
            notes.fail(
                .payload, "the link has the flags P and U together, but a file that is fetched directly has no passcode"
            )
        }
        if zip(letters, letters.dropFirst()).contains(where: { $0 > $1 }) {
            notes.warn(.linkMember, ["its flags are not in alphabetical order"])
        }
    }

    private mutating func readVersion(_ payload: JSONValue, _ notes: inout Notes) {
        guard let value = payload.optional("v") else { return }
        if value.isString("1") {
            notes.warn(.linkMember, ["its version is a string"])
            return
        }
        version = value.number?.wholeNumber.flatMap { Int(exactly: $0) }
        if version != HealthLink.version {
            notes.fail(
                .version,
                "the link's version is \(version.map { "\($0)" } ?? "no whole number"); only version 1 is known")
        }
    }
}
