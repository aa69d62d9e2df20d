/// How much of anything is accepted. Generous for any real card; reached before the memory is spent.
public enum Bounds {
    /// Bytes of one input: a file, standard input or the text of a QR code.
    public static let inputSize = 16 << 20
    /// Cards of one input.
    public static let cards = 5000
    /// Lines of one input that holds the texts of QR codes.
    public static let lines = 10_000
    /// Values, and names of members, in the JSON of one input.
    public static let inputValues = 100_000
    /// Characters of a JWS.
    public static let jwsSize = 8 << 20
    /// Bytes of a JWS header, decoded.
    public static let headerSize = 64 << 10
    /// Bytes of an inflated payload.
    public static let payloadSize = 4 << 20
    /// Bytes of the inflated payloads of all cards of one run.
    public static let totalPayloadSize = 16 << 20
    /// Levels of arrays and objects within one another.
    public static let nesting = 128
    /// Parts of a card that was split over several QR codes.
    public static let chunks = 1000
    /// Characters of a JWS that still fits a single QR code (SHC "Chunking").
    public static let singleQRLength = 1195
    /// Bytes of a key set.
    public static let keySetSize = 1 << 20
    /// Entries of one key id whose certificates are looked at.
    public static let certifiedEntries = 16
    /// Issuers that are asked in one run, or within an hour of it, if there is no list of trusted ones.
    public static let unknownIssuers = 20
    /// Cards of one run for which a key is sought that they verify under in place of the one they name.
    public static let keyHints = 20
    /// Bytes of a card revocation list.
    public static let revocationListSize = 64 << 20
    /// Bytes of a directory of issuers.
    public static let directorySize = 64 << 20
    /// Values, and names of members, in the JSON of a revocation list or a directory.
    public static let listValues = 2_500_000
    /// Characters of a revocation identifier (SHC "Revocation").
    public static let revocationIDLength = 24
}
