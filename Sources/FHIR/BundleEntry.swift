public import JSON

/// An entry of a Bundle.
public struct BundleEntry: Sendable {
    /// The entry in the signed bytes.
    public let value: JSONValue

    /// The address that references in this Bundle use, `resource:0`.
    public var fullURL: UTF8Text? { value.text("fullUrl") }

    /// The resource; nil if there is none.
    public var resource: FHIRResource? { value["resource"].flatMap { FHIRResource($0) } }
}
