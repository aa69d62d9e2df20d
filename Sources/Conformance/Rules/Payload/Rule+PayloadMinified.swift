import JSON
import SMARTHealthCards

extension Rule {
    static let payloadMinified = Rule(
        "payload-not-minified", "white-space", .j2,
        requirement: "The payload is minified before it is compressed: no white space outside strings.",
        remedy: "Serialize without indentation and without blanks after \":\" and \",\".",
        check: .payload { payload in
            // An input that is a payload is there for people to read.
            guard payload.isSigned, let value = payload.value, !value.isMinified else { return [] }
            let before = value.byteRange.lowerBound
            let after = value.text.count - value.byteRange.upperBound
            return [
                Problem(
                    before + after > 0
                        ? "there is white space in or around the payload" : "there is white space in the payload",
                    at: value)
            ]
        })
}
