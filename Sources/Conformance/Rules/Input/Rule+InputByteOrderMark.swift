extension Rule {
    static let inputByteOrderMark = Rule(
        "byte-order-mark", "input", .rfc(8259, "8.1"), severity: .warning,
        requirement: "No byte-order mark stands before a text.",
        remedy: "Save the file as UTF-8 without a byte-order mark.",
        check: .input { input in
            // The first byte of the mark; white space and marks are all there is around the content.
            let text = input.document.text
            let around = text.indices.first { !input.content.contains($0) && text[$0] == 0xEF }
            guard let around, !input.content.isEmpty else { return [] }
            return [Problem("there is a byte-order mark around the content", offset: around)]
        })
}
