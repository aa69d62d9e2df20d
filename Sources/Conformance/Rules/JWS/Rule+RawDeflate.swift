import Deflate

extension Rule {
    static let rawDeflate = Rule(
        "inflation-error", "raw-deflate", .j2,
        requirement:
            "The payload is compressed with raw DEFLATE (RFC 1951), without the wrapper of zlib or gzip and with "
            + "nothing behind it.",
        remedy: "Use raw DEFLATE: zlib's deflateInit2 with -15 window bits, pako.deflateRaw, DeflateStream.",
        check: .jws { jws in
            guard case .other(let error) = jws.compression, !(jws.isCut && jws.parts.count < 3) else { return [] }
            return [Problem("\(error)", offset: jws.parts[1].range.lowerBound)]
        })
}
