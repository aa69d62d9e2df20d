import CPictures
import Encodings

/// Gets the attachments of a PDF.
enum PDFAttachments {
    /// - Parameters:
    ///   - most: the limit on the number of attachments.
    ///   - mostBytes: the limit on the size of one.
    static func read(_ document: [UInt8], most: Int, mostBytes: Int) -> AttachmentsAnswer {
        var answer = AttachmentsAnswer()
        var leftOut = attachments_left_out()
        // Unsafe: the function calls back only while it runs, with bytes that live for that call. They are copied.
        let result = unsafe document.withUnsafeBufferPointer { buffer in
            unsafe withUnsafeMutablePointer(to: &answer) { context in
                unsafe attachments_each(
                    buffer.baseAddress, buffer.count, Int32(clamping: most), mostBytes,
                    { context, bytes, size in
                        let answer = unsafe context?.assumingMemoryBound(to: AttachmentsAnswer.self)
                        unsafe answer?.pointee.attachments.append(Array(UnsafeBufferPointer(start: bytes, count: size)))
                    }, context, &leftOut)
            }
        }
        switch result {
        case attachments_read:
            answer.unread = Int(leftOut.unread)
            answer.mayBeMore = leftOut.may_be_more
        case attachments_too_many: answer.problem = .tooMany
        case attachments_too_large: answer.problem = .tooLarge
        default: answer.problem = .damaged
        }
        return answer
    }
}
