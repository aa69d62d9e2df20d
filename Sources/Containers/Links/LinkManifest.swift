package import Credentials
package import Cryptography
package import Encodings
import HTTPSFetch
import Inputs

extension LinkClient {
    /// The manifest of a SMART Health Link (SHL "SMART Health Links Sharing User Manifest Request").
    ///
    /// Three shapes are in use, which differ in where `status` and `fhirVersion` are. All of them are read.
    package struct Manifest: Sendable {
        /// One entry of the manifest.
        package struct Entry: Sendable {
            /// Where the content of the file is.
            package enum Content: Sendable {
                /// The file itself.
                case embedded([UInt8])
                /// Its https address.
                case location(String)
            }

            /// What the manifest says of the file.
            package var file: OpenedLink.File
            /// Where the content is, or why the entry cannot be used.
            package let content: Result<Content, VerificationFailure>
        }

        /// The status of the whole; nil if it is not given.
        package let status: UTF8Text?
        /// The files, in order.
        package let entries: [Entry]

        /// The largest manifest in bytes.
        package static let size = 16 << 20
        /// The most files.
        package static let mostFiles = 100

        /// The failure of a manifest that is too large.
        static var tooLarge: VerificationFailure {
            VerificationFailure(.malformedManifest, "the link's manifest is larger than \(size >> 20) MiB")
        }

        /// Reads a manifest.
        ///
        /// - Throws: `VerificationFailure` with `malformed-manifest`.
        package init(_ bytes: [UInt8]) throws(VerificationFailure) {
            func malformed(_ words: String) -> VerificationFailure {
                VerificationFailure(.malformedManifest, "the link's manifest \(words)")
            }
            guard bytes.count <= Self.size else { throw Self.tooLarge }
            guard !bytes.holdsMoreJSONValues(than: Bounds.inputValues) else {
                throw malformed("has more than \(Bounds.inputValues) JSON values")
            }
            let value: JSONValue
            do {
                value = try JSONDocument.parse(bytes, maximumDepth: Bounds.nesting)
            } catch {
                let isPage = bytes.first { $0 > 0x20 } == UInt8(ascii: "<")
                throw malformed(
                    isPage
                        ? "is not JSON; it is HTML or XML, such as a page for a browser. Its address may be that at which the owner manages the "
                            + "link: ask the person for the link itself, or for its QR code"
                        : "is not acceptable JSON: \(error)")
            }
            guard value.kind == .object else { throw malformed("is not a JSON object") }
            guard let files = value["files"]?.elements else { throw malformed("has no array \"files\"") }
            guard files.count <= Self.mostFiles else {
                throw malformed("has \(files.count) files; with more than \(Self.mostFiles), none is fetched")
            }
            status = value["status"]?.string
            entries = files.enumerated().map { Self.entry($0.element, number: $0.offset + 1) }
        }

        private static func entry(_ value: JSONValue, number: Int) -> Entry {
            var file = OpenedLink.File()
            func malformed(_ words: String) -> Entry {
                Entry(
                    file: file,
                    content: .failure(
                        VerificationFailure(.malformedManifest, "file \(number) of the link's manifest \(words)")))
            }
            guard value.kind == .object else { return malformed("is not a JSON object") }
            file.contentType = value["contentType"]?.string
            let parameter = { (name: String) in file.contentType.flatMap { MediaType($0).parameter(name) } }
            file.status = value["status"]?.string ?? parameter("status")
            file.lastUpdated = value["lastUpdated"]?.string
            file.fhirVersion = value["fhirVersion"]?.string ?? parameter("fhirversion")
            // A file that is given in both ways is not fetched.
            if let embedded = value["embedded"]?.stringBytes {
                file.delivery = .embedded
                return Entry(file: file, content: .success(.embedded(embedded)))
            }
            guard let location = value["location"]?.string else {
                return malformed("has neither \"embedded\" nor \"location\" as a string")
            }
            file.delivery = .location
            do {
                return Entry(file: file, content: .success(.location(try HTTPSURL(location.description).text)))
            } catch {
                return malformed("has a \"location\" that is no https address: \(error.message)")
            }
        }
    }
}

/// Opens the encrypted files of a link.
package struct FileOpener {
    private let key: SecretBytes
    private let inflater: Inflater

    /// The largest file in bytes, encrypted or decrypted.
    package static let fileSize = 16 << 20

    package init(key: SecretBytes, inflater: Inflater) {
        self.key = key
        self.inflater = inflater
    }

    /// Decrypts and inflates a file.
    ///
    /// - Parameters:
    ///   - text: a compact JWE, with or without white space around it.
    ///   - budget: what the links of the input may still use. The bytes of the plaintext are subtracted.
    /// - Returns: the plaintext, and the content type in the header.
    /// - Throws: `VerificationFailure` with the first thing that is wrong.
    package func open(
        _ text: [UInt8], within budget: inout ContainerBudget
    ) throws(VerificationFailure) -> (plaintext: [UInt8], contentType: UTF8Text?) {
        let text = text[...].trimmingWhiteSpace()
        guard text.count <= Self.fileSize else { throw Self.tooLong }
        if let words = Self.unencrypted(text) { throw VerificationFailure(.malformedJWE, words) }
        let jwe = try Result { () throws(JWEError) in try CompactJWE(text) }.mapError { VerificationFailure($0) }.get()
        guard var plaintext = jwe.open(with: key) else {
            throw VerificationFailure(
                .decryptionFailed, "the link's key does not open the file, or the file was altered")
        }
        if jwe.isCompressed { plaintext = try inflated(plaintext, upTo: min(Self.fileSize, budget.size)) }
        try budget.spend(plaintext.count)
        return (plaintext, jwe.contentType)
    }

    /// The failure of a file that is too large.
    package static var tooLong: VerificationFailure {
        VerificationFailure(.malformedJWE, "the file is larger than \(fileSize >> 20) MiB")
    }

    /// What a file is that cannot be an encrypted one, in words; nil if it may be one.
    private static func unencrypted(_ text: ArraySlice<UInt8>) -> String? {
        if text.first == UInt8(ascii: "<") {
            return
                "there is a page for a browser and no encrypted file: its address may be that at which the owner manages the link. Ask the "
                + "person for the link itself, or for its QR code"
        }
        guard text.first == UInt8(ascii: "{"), !Array(text).holdsMoreJSONValues(than: Bounds.inputValues),
            let value = try? JSONDocument.parse(Array(text), maximumDepth: Bounds.nesting)
        else { return nil }
        if value["files"]?.elements != nil {
            return
                "there is a manifest and no encrypted file. The link says by its flag U that its address is that of a single file: its maker "
                + "leaves out the flag, or puts the file there"
        }
        let what = value["resourceType"]?.string.map { "a FHIR \($0.quoted(upTo: 64)) resource" } ?? "JSON"
        return "the file is \(what) that is not encrypted. Files of a link must be encrypted, so it was not read"
    }

    private func inflated(_ bytes: [UInt8], upTo size: Int) throws(VerificationFailure) -> [UInt8] {
        do {
            return try inflater.inflate(bytes, maximumSize: size)
        } catch {
            switch error.reason {
            case .tooLarge:
                throw VerificationFailure(
                    .payloadTooLarge,
                    "the file inflates to more than \(Self.fileSize >> 20) MiB, or the files of the links of this input to more "
                        + "than \(Bounds.containerSize >> 20) MiB together")
            default: throw VerificationFailure(.inflateFailed, "the file cannot be inflated: \(error)")
            }
        }
    }
}

extension VerificationFailure {
    /// The failure of a file that cannot be read as a JWE.
    package init(_ error: JWEError) {
        switch error.reason {
        case .malformed: self.init(.malformedJWE, error.message)
        case .unsupportedEncryption: self.init(.unsupportedEncryption, error.message)
        case .unsupportedCompression: self.init(.unsupportedCompression, error.message)
        }
    }
}
