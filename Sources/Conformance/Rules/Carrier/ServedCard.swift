import Credentials
import Directories
import Encodings

extension Rule {
    /// The rules of card files on a server, as a patient downloads them.
    static let servedCardRules: [Rule] = [servedAnswer, servedContentType, servedName]

    static let servedAnswer = Rule("file-download-error/answer", RuleCheck.servedCard) { served in
        switch served.answer.result {
        case .success(let response) where response.status == 200: return []
        case .success(let response):
            return .found(
                "the server answers the request for the card file with status \(response.status)",
                remedy: response.status >= 500
                    ? PublishedAnswer.remedy(forStatus: response.status, of: "the card file") : nil)
        case .failure(let failure):
            return .found(
                "the card file was not downloaded: \(failure.message)",
                severity: failure.kind == .unasked ? .unchecked : nil)
        }
    }

    static let servedContentType = Rule("invalid-file-extension/content-type", RuleCheck.servedCard) { served in
        guard let response = served.answer.published else { return [] }
        guard let field = response.headers["content-type"] else {
            return .found("the server sends the card file without Content-Type")
        }
        let type = Array(field.utf8.prefix { $0 != UInt8(ascii: ";") })[...].trimmingWhiteSpace()
        guard !type.map({ $0 | 0x20 }).elementsEqual("application/smart-health-card".utf8) else { return [] }
        return .found(
            "Content-Type of the card file is \(field.quoted(upTo: 100)), and not application/smart-health-card")
    }

    /// The name under which a browser saves the file: that of Content-Disposition, or else the last part of the URL.
    static let servedName = Rule("invalid-file-extension/served-name", RuleCheck.servedCard) { served in
        guard let response = served.answer.published else { return [] }
        let ending = ".smart-health-card"
        if let field = response.headers["content-disposition"], let name = DownloadName(field) {
            guard !name.bytes.suffix(ending.utf8.count).elementsEqual(ending.utf8) else { return [] }
            let words = String(decoding: name.bytes, as: UTF8.self).quoted(upTo: 100)
            return .found("Content-Disposition names the file \(words), which does not end in \(ending)")
        }
        let path = (response.redirects.last ?? served.answer.url).utf8.prefix { $0 != 0x3F && $0 != 0x23 }
        guard !path.suffix(ending.utf8.count).elementsEqual(ending.utf8) else { return [] }
        return .found(
            "the server sends no file name in Content-Disposition, and the path of the URL does not end in \(ending)"
        )
    }
}

/// The file name in a Content-Disposition field (RFC 6266 §4.3).
struct DownloadName {
    /// The name in UTF-8.
    let bytes: [UInt8]

    /// - Parameter field: the value of the field.
    /// - Returns: nil if it has no file name.
    init?(_ field: String) {
        var plain: [UInt8]?
        for parameter in Self.parameters(Array(field.utf8)) {
            guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = parameter[..<equals].trimmingWhiteSpace().map { $0 | 0x20 }
            let value = parameter[(equals + 1)...].trimmingWhiteSpace()
            // filename* is UTF-8''name with percent-encoding (RFC 8187 §3.2), and counts before filename. The `*` has
            // the bit of lower case already.
            if name.elementsEqual("filename*".utf8) {
                let parts = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
                if parts.count == 3, let decoded = PercentEncoding.decode(parts[2]) {
                    bytes = decoded
                    return
                }
            } else if name.elementsEqual("filename".utf8) {
                plain = plain ?? Self.unquoted(value)
            }
        }
        guard let plain else { return nil }
        bytes = plain
    }

    /// The parameters between semicolons that are not in a quoted string.
    private static func parameters(_ field: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var (start, isQuoted, isEscaped) = (0, false, false)
        for (place, byte) in field.enumerated() {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ";"), !isQuoted {
                parts.append(field[start..<place])
                start = place + 1
            }
        }
        return parts + [field[start...]]
    }

    /// A token, or the content of a quoted string.
    private static func unquoted(_ value: ArraySlice<UInt8>) -> [UInt8] {
        guard value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") else {
            return Array(value)
        }
        var content: [UInt8] = []
        var isEscaped = false
        for byte in value.dropFirst().dropLast() {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
                continue
            }
            isEscaped = false
            content.append(byte)
        }
        return content
    }
}
