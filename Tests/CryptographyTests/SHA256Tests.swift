import Cryptography
import Encodings
import Testing

@Suite struct SHA256Tests {
    /// The examples of FIPS 180-4, and the empty message.
    @Test(arguments: [
        ("", "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"), ("abc", "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "JI1qYdIGOLjlwCaTDD5gOaM85Flk_yFn9uzt1BnbBsE"
        ),
    ])
    func digestsTheExamplesOfTheStandard(_ message: String, _ digest: String) {
        #expect(Base64URL.encode(SHA256.digest(Array(message.utf8))) == digest)
        #expect(Base64URL.encode(SHA256.digest(message.utf8)) == digest)
    }

    /// RFC 7638 §3.1: the hash of an RSA key's members, which this library never computes itself.
    @Test func digestsTheExampleOfRFC7638() throws {
        let members = """
            {"e":"AQAB","kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuh\
            DR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY36\
            8QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINH\
            aQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"}
            """
        #expect(Base64URL.encode(SHA256.digest(members.utf8)) == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }
}
