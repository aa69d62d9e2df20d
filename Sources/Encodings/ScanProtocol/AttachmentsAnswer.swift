/// The answer of `shcverify-scan` to the task to get the attachments of a PDF.
///
/// Each attachment is a line with its length and then its bytes. Lines about what is missing come after them. The last line is
/// `end`.
package struct AttachmentsAnswer: Sendable, Equatable {
    /// The contents of the attachments.
    package var attachments: [[UInt8]] = []
    /// The number of attachments that were seen, but could not be read.
    package var unread = 0
    /// Whether a part of the document is damaged, so that there may be attachments that were not found.
    package var mayBeMore = false
    /// Why attachments are missing; nil if none but the unread ones is.
    package var problem: Problem?

    /// Why attachments are missing.
    package enum Problem: String, Sendable {
        /// The document is damaged, or needs a password.
        case damaged
        /// There are more attachments than the limit.
        case tooMany = "too-many"
        /// An attachment is larger than the limit.
        case tooLarge = "too-large"
    }

    package init() {}

    /// Whether nothing is known to be missing.
    private var isComplete: Bool { unread == 0 && !mayBeMore && problem == nil }

    /// The bytes of the answer.
    package var wireForm: [UInt8] {
        var bytes: [UInt8] = []
        for attachment in attachments { bytes += Array("\(attachment.count)\n".utf8) + attachment }
        if unread > 0 { bytes += Array("unread \(unread)\n".utf8) }
        if mayBeMore { bytes += Array("may-be-more\n".utf8) }
        if let problem { bytes += Array("\(problem.rawValue)\n".utf8) }
        return bytes + Array("end\n".utf8)
    }

    /// Reads an answer; nil if it is not complete and correct. The program that wrote it is not trusted.
    package init?(wireForm: [UInt8]) {
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
                guard length >= 0, length <= rest.count, isComplete else { return nil }
                attachments.append(Array(rest.prefix(length)))
                rest = rest.dropFirst(length)
            } else if line.utf8.starts(with: "unread ".utf8) {
                guard isComplete, let count = Int(line.dropFirst(7)), count > 0 else {
                    return nil
                }
                unread = count
            } else if line.utf8.elementsEqual("may-be-more".utf8) {
                guard !mayBeMore, problem == nil else { return nil }
                mayBeMore = true
            } else {
                guard problem == nil, let read = Problem(rawValue: line) else { return nil }
                problem = read
            }
        }
        return nil
    }
}
