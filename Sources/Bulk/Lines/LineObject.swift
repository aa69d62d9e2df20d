import Bytes
import Credentials
import Inputs
import StrictJSON

/// A line that is a JSON object, such as `{"card": TEXT, "id": any value}`. Other members are ignored.
struct LineObject {
    /// Why a line that begins as a JSON object is not read as one.
    enum Problem: Error {
        case tooManyValues
        case notJSON(JSONError)
    }

    let json: JSONValue

    /// - Throws: if the bytes hold no acceptable JSON value.
    init(_ bytes: [UInt8]) throws(Problem) {
        guard !bytes.holdsMoreJSONValues(than: Bounds.inputValues) else { throw .tooManyValues }
        do throws(JSONError) {
            json = try JSONDocument.parse(bytes, maximumDepth: Bounds.nesting)
        } catch {
            throw .notJSON(error)
        }
    }

    /// The sender's ID of the line; nil if it has none.
    var id: LineID? { json["id"].map { LineID($0) } }

    /// The value of the member "card"; nil if there is none.
    var card: JSONValue? { json["card"] }

    /// Whether the object is a line with a card, and also one of the forms in which `verify` reads cards. Nobody could tell which of
    /// the cards a verdict on the line is about.
    var isAlsoFile: Bool {
        guard card != nil else { return false }
        let form = InputForm(json)
        return form == .file || form == .parameters || InputContent.hasListInOtherCase(json)
    }
}

/// The sender's ID of a line: any JSON value, which is echoed.
struct LineID: Sendable {
    private let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    /// Writes the ID exactly as it was given. If it contains carriage returns, its white space is dropped, since some
    /// readers take a carriage return for the end of a line.
    func write(to writer: inout JSONWriter) {
        if value.rawBytes.contains(0x0D) { writer.value(value) } else { writer.asWritten(value) }
    }
}
