package import Encodings

/// A media type with its parameters (RFC 9110 §8.3.1), read leniently.
package struct MediaType {
    /// The type without parameters, in lower case. One without a slash is below `application/` (RFC 7515 §4.1.10).
    package let essence: [UInt8]
    private let parameters: [ArraySlice<UInt8>]

    package init(_ text: UTF8Text) {
        let parts = Array(text.utf8).split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let essence = (parts.first ?? []).filter { $0 > 0x20 }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        self.essence = essence.contains(UInt8(ascii: "/")) ? essence : Array("application/".utf8) + essence
        parameters = Array(parts.dropFirst())
    }

    /// That of files with SMART Health Cards.
    package static let healthCard = "application/smart-health-card"
    /// The same type as ``init(_:)`` takes it too.
    static let shortHealthCard = "smart-health-card"

    /// Whether it is that of a file with SMART Health Cards.
    package var isHealthCard: Bool { essence.elementsEqual(Self.healthCard.utf8) }

    /// The value of a parameter, without quotation marks; nil if there is none.
    ///
    /// - Parameter name: the name, in lower case.
    package func parameter(_ name: String) -> UTF8Text? {
        for parameter in parameters {
            guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let found = parameter[..<equals].filter { $0 > 0x20 }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            guard found.elementsEqual(name.utf8) else { continue }
            return UTF8Text(decoding: parameter[(equals + 1)...].filter { $0 > 0x20 && $0 != UInt8(ascii: "\"") })
        }
        return nil
    }
}
