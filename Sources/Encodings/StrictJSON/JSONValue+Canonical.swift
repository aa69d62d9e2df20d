extension JSONValue {
    /// The value in the canonical form of the JSON Canonicalization Scheme (RFC 8785): no white space, members in the
    /// order of their names' UTF-16 code units, numbers as ECMAScript writes them.
    public var canonical: [UInt8] {
        var bytes: [UInt8] = []
        writeCanonical(to: &bytes)
        return bytes
    }

    private func writeCanonical(to bytes: inout [UInt8]) {
        if let members {
            let sorted = members.map { (Array($0.name.description.utf16), $0.name, $0.value) }
                .sorted { $0.0.lexicographicallyPrecedes($1.0) }
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in sorted.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.writeCanonical(member.1, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.2.writeCanonical(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        } else if let elements {
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.writeCanonical(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        } else if let string {
            Self.writeCanonical(string, to: &bytes)
        } else if let number {
            bytes.append(contentsOf: number.canonical.utf8)
        } else {
            bytes.append(contentsOf: rawBytes)
        }
    }

    /// Only necessary escapes are written (RFC 8785 §3.2.2.2).
    private static func writeCanonical(_ string: UTF8Text, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x08: bytes += Array("\\b".utf8)
            case 0x09: bytes += Array("\\t".utf8)
            case 0x0A: bytes += Array("\\n".utf8)
            case 0x0C: bytes += Array("\\f".utf8)
            case 0x0D: bytes += Array("\\r".utf8)
            case 0..<0x20: bytes += Array(("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)).utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension JSONNumber {
    /// The number as ECMAScript writes the nearest binary one (RFC 8785 §3.2.2.3, ECMA-262 Number::toString).
    var canonical: String {
        let value = double
        guard value != 0, value.isFinite else { return value == 0 ? "0" : digits }
        // Swift finds the same shortest digits; only the layout differs.
        let text = "\(value.magnitude)".lowercased()
        let parts = text.split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        let fraction = mantissa.count > 1 && mantissa[1] != "0" ? String(mantissa[1]) : ""
        var significant = String(mantissa[0]) + fraction
        // The number of digits before the decimal point.
        var point = mantissa[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        while significant.hasPrefix("0") {
            significant.removeFirst()
            point -= 1
        }
        while significant.hasSuffix("0") { significant.removeLast() }
        return (value < 0 ? "-" : "") + Self.laidOut(significant, point: point)
    }

    private static func laidOut(_ significant: String, point: Int) -> String {
        let count = significant.count
        switch point {
        case count...21: return significant + String(repeating: "0", count: point - count)
        case 1..<max(count, 1): return "\(significant.prefix(point)).\(significant.dropFirst(point))"
        case -5...0: return "0." + String(repeating: "0", count: -point) + significant
        default:
            let exponent = (point > 0 ? "+" : "-") + String(abs(point - 1))
            let rest = significant.dropFirst()
            return "\(significant.prefix(1))" + (rest.isEmpty ? "" : ".\(rest)") + "e\(exponent)"
        }
    }
}
