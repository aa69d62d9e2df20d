import JSON

/// A primitive type of FHIR R4.
enum Primitive: String, Sendable, CaseIterable {
    case base64Binary, boolean, canonical, code, date, dateTime, decimal, id, instant, integer, markdown, oid
    case positiveInt, string, time, unsignedInt, uri, url, uuid, xhtml
    case sampledDataDataType = "SampledDataDataType"

    /// What kind of JSON value it is written as.
    var jsonKind: JSONValue.Kind {
        switch self {
        case .boolean: .boolean
        case .decimal, .integer, .positiveInt, .unsignedInt: .number
        default: .string
        }
    }

    /// Its name with an article.
    var described: String {
        switch self {
        case .integer, .instant, .id, .oid, .unsignedInt: "an \(rawValue)"
        case .sampledDataDataType: "sampled data"
        case .xhtml: "XHTML"
        default: "a \(rawValue)"
        }
    }
}
