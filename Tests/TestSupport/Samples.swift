package import Cryptography
package import Encodings

/// Keys and signatures from the RFCs, and some that were made for these tests with Python's `cryptography`.
package enum Samples {
    package static func json(_ text: String) throws -> JSONValue { try JSONDocument.parse(Array(text.utf8)) }

    package static func jwk(_ text: String) throws -> JWK { JWK(try json(text)) }

    package static func set(_ keys: String...) throws -> JWKSet {
        try JWKSet(Array(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8))
    }

    // MARK: RFC 7515 appendix A.3

    package static let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
    package static let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
    /// −y, the other y of a point with this `x`.
    package static let negativeY = "OA67MeRCZIJ40yASRhFGC0yWopJW9NtSdbnc13p3GlI"
    /// The key's private half, as the RFC prints it.
    package static let d = "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"
    package static let thumbprint = "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U"
    package static let jws =
        "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        + ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
    /// The same r with n − s, which is also valid.
    package static let otherS = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmU69fgrc8OPGycO0lD3tat_FoFp57SETepkeks4eL_QfA"
    package static let signatureInDER =
        "MEUCIA7RIVN5Y2xIPC9_FVgH1AKjsigDOvl8fheBmsMWnqZlAiEAxQoH04w8cOXY8S2vCEpUgKZlkMXyk1Cajz9_ioOjVNU"

    package static func key() throws -> P256PublicKey {
        try P256PublicKey(x: Base64URL.decode(x.utf8), y: Base64URL.decode(y.utf8))
    }

    package static func signature() throws -> ES256Signature {
        try ES256Signature(CompactJWS(Array(jws.utf8)).signature)
    }

    /// A JWK of the key. Additional members come first, and replace the key's own.
    package static func jwkText(_ members: String = "", kid: String? = "A3", x: String = x, y: String = y) -> String {
        var text = members.isEmpty ? "{" : "{\(members),"
        if let kid { text += #""kid":"\#(kid)","# }
        for (name, value) in [("kty", "EC"), ("use", "sig"), ("alg", "ES256"), ("crv", "P-256"), ("x", x), ("y", y)]
        where !members.contains(#""\#(name)":"#) {
            text += #""\#(name)":"\#(value)","#
        }
        return text.dropLast() + "}"
    }

    // MARK: Others

    /// A key set with an elliptic-curve key for encryption and an RSA key (RFC 7517 appendix A.1).
    package static let rfc7517KeySet = """
        {"keys":
          [
            {"kty":"EC",
             "crv":"P-256",
             "x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
             "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
             "use":"enc",
             "kid":"1"},

            {"kty":"RSA",
             "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
             "e":"AQAB",
             "alg":"RS256",
             "kid":"2011-04-29"}
          ]
        }
        """

    /// Another P-256 key (the first of RFC 7517 appendix A.1, without its `use`).
    package static let otherKey = """
        {"kty":"EC","crv":"P-256","kid":"other","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",\
        "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}
        """

    /// A key whose x begins with a zero byte, which is left out here.
    package static let strippedX = "DKLolmfPy4JmTi-xnooeTmwLn9APhXeUCNL4hkb1aQ"
    package static let strippedXFull = "AAyi6JZnz8uCZk4vsZ6KHk5sC5_QD4V3lAjS-IZG9Wk"
    package static let strippedY = "b_nJ8SLErWtEvjBH73f3-DSavbcvo1p5YPZVG5H5-8s"
    package static let strippedThumbprint = "wI7p5sCEY-Z1_b7JN15tH5ZqdUzlpXlMYSyNewIrISc"

    // MARK: Certificates: expired, most of them self-signed

    package static let certificate =
        "MIIBHzCBxaADAgECAgEBMAoGCCqGSM49BAMCMBkxFzAVBgNVBAMMDnNoY3ZlcmlmeSB0ZXN0MB4XDTIxMDEwMTAwMDAwMFoXDTIyMDEwMTAwMDAwMFowGTEXMBUGA1UEAwwOc2hjdmVyaWZ5IHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR/zc4ncPbEXUGDy+5v20t7WAczNXvp7xO6z248e9FURcfxRM0bvZt+hyzf7bnuufSzaV1uqQskrYpGIyiFiOWtMAoGCCqGSM49BAMCA0kAMEYCIQC7Q4cCm/KR/JsWA8H5Q1nawyfX3yeH6dTYC6ldm0AcMwIhAO1S3XoD5QCWBBq1NnIyKQhr8lgOD3aRwNNv2j78St5A"
    package static let certificateOfOtherKey =
        "MIIBHTCBxaADAgECAgEBMAoGCCqGSM49BAMCMBkxFzAVBgNVBAMMDnNoY3ZlcmlmeSB0ZXN0MB4XDTIxMDEwMTAwMDAwMFoXDTIyMDEwMTAwMDAwMFowGTEXMBUGA1UEAwwOc2hjdmVyaWZ5IHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARZYBu50byze88z1UtYoebxhxrNhE6FczsqmKTIboYiP7cDV1bAIwFnbYniY3OtmWyfZO/sHdOlWYPhRg+6jTFZMAoGCCqGSM49BAMCA0cAMEQCIAEDEx5km0qzZU9pgtRzHCdQPfXQzU5wa0qbQZ9H5w5tAiA7TaTenao2wr0V0Ow1FSe+eQ5rOP43WMDuZtblUCwh6A=="
    package static let certificateOnP384 =
        "MIIBOzCB4qADAgECAgEBMAoGCCqGSM49BAMCMBkxFzAVBgNVBAMMDnNoY3ZlcmlmeSB0ZXN0MB4XDTIxMDEwMTAwMDAwMFoXDTIyMDEwMTAwMDAwMFowGTEXMBUGA1UEAwwOc2hjdmVyaWZ5IHRlc3QwdjAQBgcqhkjOPQIBBgUrgQQAIgNiAAQrFz6xmlv5jVN9o/pfBjGT5HLeDijuYdRfrVZsimVV9l93fmoaHN4oy2OMe8MP8psTomMtXeq33HnlAhO62Ipkia3mEE1lsXTGPB2lmbtNwkz8WBFauxlL/a9QnTcqZGkwCgYIKoZIzj0EAwIDSAAwRQIgZPebRjuQjNvsW9+O0ZuR65HKYS6bAin88o+6Kxxxor0CIQD0EUk67SpdRiaR8u9q1FMT8VaEV2UovQJJsXsun7NrMA=="
    package static let certificateOfRSAKey =
        "MIIB6TCCAZCgAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5zaGN2ZXJpZnkgdGVzdDAeFw0yMTAxMDEwMDAwMDBaFw0yMjAxMDEwMDAwMDBaMBkxFzAVBgNVBAMMDnNoY3ZlcmlmeSB0ZXN0MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAsmM+xoerx3Xo53h/bEkU7WfNdUhou6iphIKkpCScp6qqUC7u1a//86zeQs1QTIhiGAgEXBaYs1/vtIOFdUIMpiVJRTaLkIKysmMZ4CluEjWLG9RHJVCaHBDXODXJIEGymTiI+nrn1+AordxZ5bIoCnfbztjvagN8t4ccFeZAiKEI8uWmQd+gNXGovZc6zTHyG2vQ/u8blgkNt19ZSQ7sbs1tY2YVlSqYC5tb3YIBraPMM1pQKVic5sM6s4BkoOoJm1qaDxy5vYRR1ymHrrAt0+saqk4EykmXETC0xdLhPyggC3QjNve8uUuOE7XGesXf50uA4cHmb9Uvg9xeBwazAQIDAQABMAoGCCqGSM49BAMCA0cAMEQCIHmpPDEcsoAs4awtXR8RdL4EL+wcjGROe94yOGNtDFduAiAZc2AqcTV8v14dX4AiVkvWF/JNRAYCR9etxjHuThWB6A=="
}
