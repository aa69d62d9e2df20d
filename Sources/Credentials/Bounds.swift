/// The largest sizes and counts that are accepted.
///
/// Real cards stay far below these bounds, and input at a bound still fits in memory.
package enum Bounds {
    /// Bytes in one input: a file, standard input or the text of a QR code.
    package static let inputSize = 16 << 20
    /// Bytes in one picture or PDF.
    package static let pictureSize = 32 << 20
    /// QR codes in one picture or PDF.
    package static let codes = 256
    /// Pages in one PDF.
    package static let pages = 50
    /// Attachments of one PDF.
    package static let attachments = 16
    /// Bytes in one attachment of a PDF.
    package static let attachmentSize = 1 << 20
    /// Cards in one input.
    package static let cards = 5000
    /// Lines in one input of QR code texts.
    package static let lines = 10_000
    /// SMART Health Links in one input.
    package static let links = 100
    /// Requests for all links of one input together. Redirects do not count.
    package static let containerRequests = 1000
    /// Bytes of the files of all links of one input together after decryption, of the texts about them, and of the codes and attachments of
    /// documents.
    package static let containerSize = 64 << 20
    /// The time for all links of one input together, unless the time for one link is longer.
    package static let linksTime = Duration.seconds(60)
    /// Pictures and PDFs that are searched at the same time, and processes that do so. There are never more than processors.
    package static let scanners = 16
    /// The time for all pictures and PDFs of one run together, to which each adds `pictureTime`.
    package static let picturesTime = Duration.seconds(60)
    /// The time that a picture or PDF may always take, whatever those before it took.
    package static let pictureTime = Duration.seconds(2)
    /// JSON values and member names in one input.
    package static let inputValues = 100_000
    /// Characters in a JWS.
    package static let jwsSize = 8 << 20
    /// Bytes in a decoded JWS header.
    package static let headerSize = 64 << 10
    /// Bytes in an inflated payload.
    package static let payloadSize = 4 << 20
    /// Bytes in the inflated payloads of all cards of one input together.
    package static let inputPayloadSize = 64 << 20
    /// Bytes in the inflated payloads that lint keeps until it knows the issuers. Others are inflated again.
    package static let keptPayloadSize = 16 << 20
    /// Levels of nested arrays and objects in JSON.
    package static let nesting = 128
    /// Parts of a card that is split over several QR codes.
    package static let chunks = 1000
    /// Characters in a JWS that fits in a single QR code (SHC "Chunking").
    package static let singleQRLength = 1195
    /// Bytes in a key set.
    package static let keySetSize = 1 << 20
    /// Entries with the same key ID whose certificates are checked.
    package static let certifiedEntries = 16
    /// Issuers that are contacted in one run, or in each hour of a long run, if no list of trusted issuers was given.
    package static let unknownIssuers = 20
    /// Cards of one run for which the verifier tries the issuer's other keys, to give a hint, when the named key is missing.
    package static let keyHints = 20
    /// Bytes in a card revocation list.
    package static let revocationListSize = 64 << 20
    /// Bytes in a directory of issuers.
    package static let directorySize = 64 << 20
    /// JSON values and member names in a revocation list or a directory.
    package static let listValues = 2_500_000
    /// Artifacts of a check-in, and rows about its items.
    package static let checkInEntries = 1000
    /// Items that the artifacts of a check-in fulfill together, each counted for each of its artifacts.
    package static let checkInReferences = 10_000
    /// Octets in the id of an artifact or item of a check-in. Reports repeat ids, so longer ones are not read.
    package static let checkInIDLength = 200
    /// Characters in a revocation identifier (SHC "Revocation").
    package static let revocationIDLength = 24
}
