extension Rule {
    static let payloadByteOrderMark = Rule(
        "json-parse-error", "payload-byte-order-mark", .rfc(8259, "8.1"),
        requirement: "The payload does not begin with a byte-order mark, at which JSON parsers stop.",
        remedy: "Serialize to UTF-8 without a byte-order mark before compressing.",
        check: .payload { payload in
            payload.hasByteOrderMark ? [Problem("the payload begins with a byte-order mark", offset: 0)] : []
        })
}
