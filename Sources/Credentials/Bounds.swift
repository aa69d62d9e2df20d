/// The largest sizes and counts that are accepted.
///
/// Real cards stay far below these bounds, and input at a bound still fits in memory.
public enum Bounds {
    /// Bytes in one input: a file, standard input or the text of a QR code.
    public static let inputSize = 16 << 20
    /// Bytes in one picture or PDF.
    public static let pictureSize = 32 << 20
    /// QR codes in one picture or PDF.
    public static let codes = 256
    /// Pages in one PDF.
    public static let pages = 50
    /// Attachments of one PDF.
    public static let attachments = 16
    /// Bytes in one attachment of a PDF.
    public static let attachmentSize = 1 << 20
    /// Cards in one input.
    public static let cards = 5000
    /// Lines in one input of QR code texts.
    public static let lines = 10_000
    /// SMART Health Links in one input.
    public static let links = 100
    /// The time for all links of one input together, unless the time for one link is longer.
    public static let linksTime = Duration.seconds(60)
    /// Pictures and PDFs that are searched at the same time, and processes that do so. There are never more than processors.
    public static let scanners = 16
    /// The time for all pictures and PDFs of one run together, to which each adds `pictureTime`.
    public static let picturesTime = Duration.seconds(60)
    /// The time that a picture or PDF may always take, whatever those before it took.
    public static let pictureTime = Duration.seconds(2)
    /// JSON values and member names in one input.
    public static let inputValues = 100_000
    /// Characters in a JWS.
    public static let jwsSize = 8 << 20
    /// Bytes in a decoded JWS header.
    public static let headerSize = 64 << 10
    /// Bytes in an inflated payload.
    public static let payloadSize = 4 << 20
    /// Bytes in the inflated payloads of all cards of one input together.
    public static let inputPayloadSize = 64 << 20
    /// Bytes in the inflated payloads that lint keeps until it knows the issuers. Others are inflated again.
    public static let keptPayloadSize = 16 << 20
    /// Levels of nested arrays and objects in JSON.
    public static let nesting = 128
    /// Parts of a card that is split over several QR codes.
    public static let chunks = 1000
    /// Characters in a JWS that fits in a single QR code (SHC "Chunking").
    public static let singleQRLength = 1195
    /// Bytes in a key set.
    public static let keySetSize = 1 << 20
    /// Entries with the same key ID whose certificates are checked.
    public static let certifiedEntries = 16
    /// Issuers that are contacted in one run, or in each hour of a long run, if no list of trusted issuers was given.
    public static let unknownIssuers = 20
    /// Cards of one run for which the verifier tries the issuer's other keys, to give a hint, when the named key is missing.
    public static let keyHints = 20
    /// Bytes in a card revocation list.
    public static let revocationListSize = 64 << 20
    /// Bytes in a directory of issuers.
    public static let directorySize = 64 << 20
    /// JSON values and member names in a revocation list or a directory.
    public static let listValues = 2_500_000
    /// Artifacts of a check-in, and rows about its items.
    public static let checkInEntries = 1000
    /// Items that the artifacts of a check-in fulfill together, each counted for each of its artifacts.
    public static let checkInReferences = 10_000
    /// Octets in the id of an artifact or item of a check-in. Reports repeat ids, so longer ones are not read.
    public static let checkInIDLength = 200
    /// Characters in a revocation identifier (SHC "Revocation").
    public static let revocationIDLength = 24
}
