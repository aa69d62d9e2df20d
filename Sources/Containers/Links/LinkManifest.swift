package import Credentials
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
