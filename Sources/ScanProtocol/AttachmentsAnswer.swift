/// The answer of `shcverify-scan` to the task to get the attachments of a PDF.
///
/// Each attachment is a line with its length and then its bytes. The last line is `end`.
public struct AttachmentsAnswer: Sendable, Equatable {
    /// The contents of the attachments.
    public var attachments: [[UInt8]] = []
    /// Why attachments are missing; nil if none is.
    public var problem: Problem?

    /// Why attachments are missing.
    public enum Problem: String, Sendable {
        /// The document is damaged, or needs a password.
        case damaged
        /// There are more attachments than the limit.
        case tooMany = "too-many"
        /// An attachment is larger than the limit.
        case tooLarge = "too-large"
    }

    public init() {}

    /// The bytes of the answer.
    public var wireForm: [UInt8] {
        var bytes: [UInt8] = []
        for attachment in attachments { bytes += Array("\(attachment.count)\n".utf8) + attachment }
        if let problem { bytes += Array("\(problem.rawValue)\n".utf8) }
        return bytes + Array("end\n".utf8)
    }

    /// Reads an answer; nil if it is not complete and correct. The program that wrote it is not trusted.
    public init?(wireForm: [UInt8]) {
        self.init()
        var rest = wireForm[...]
        while let end = rest.prefix(20).firstIndex(of: 0x0A) {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            if line.utf8.elementsEqual("end".utf8) {
                guard rest.isEmpty else { return nil }
                return
            }
            if let length = Int(line) {
                guard length >= 0, length <= rest.count, problem == nil else { return nil }
                attachments.append(Array(rest.prefix(length)))
                rest = rest.dropFirst(length)
            } else {
                guard problem == nil, let read = Problem(rawValue: line) else { return nil }
                problem = read
            }
        }
        return nil
    }
}
