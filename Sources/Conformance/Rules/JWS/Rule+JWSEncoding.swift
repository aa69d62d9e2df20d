import JOSE

extension Rule {
    static let jwsEncoding = Rule(
        "json-parse-error", "jws-encoding", .rfc(7515, "2"),
        requirement: "Each part of a JWS is base64url without padding, and there is one text for any bytes.",
        remedy: "Encode with the base64url alphabet (- and _), without \"=\" and without line breaks.",
        check: .jws { jws in
            zip(["header", "payload", "signature"], jws.parts).compactMap { name, part in
                guard let error = part.error, !(jws.isCut && part.range.upperBound == jws.document.text.count) else {
                    return nil
                }
                let place = Base64Error(error.reason, at: part.range.lowerBound + error.offset)
                return Problem("the \(name) is not base64url: \(place)", offset: place.offset)
            }
        })
}
