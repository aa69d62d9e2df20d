import CredentialReports
import Credentials
import Encodings
import Inputs

/// A line that is a JSON object, such as `{"card": TEXT, "id": any value}`. Other members are ignored.
struct LineObject {
    let json: JSONValue

    /// - Throws: if the bytes hold no acceptable JSON value.
    init(_ bytes: [UInt8]) throws(DeepLink.Defect) { json = try DeepLink.parsed(bytes).get() }

    /// The sender's ID of the line; nil if it has none.
    var id: LineID? { json["id"].map { LineID($0) } }

    /// The value of the member "card"; nil if there is none.
    var card: JSONValue? { json["card"] }

    /// What the object is, besides a line with a card, in words that follow "but": one of the forms in which `verify` reads cards, another
    /// credential, or something that is named like cards in any place. Nobody could tell which of the cards a verdict on the line is
    /// about. Nil if it is nothing else.
    var otherContent: String? {
        guard card != nil else { return nil }
        switch InputForm(json) {
        case .file?, .parameters?: return "is a file of cards too, which \"shcverify verify\" reads"
        case .checkIn?: return "is a SMART Health Check-in too, which \"shcverify verify\" reads"
        default:
            if let other = OtherCredential(json) { return "is \(other.words) too" }
            return CardParameters.namesCards(json) ? "has \"verifiableCredential\" in another place too" : nil
        }
    }
}
