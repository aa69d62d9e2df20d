/// What texts of codes are that are no credential here, by their prefix.
enum KnownPrefixes {
    /// Prefixes that resemble that of EU certificates (`InputForm.certificatePrefix`), in words with an article.
    static let certificates = [
        "HC2:": "a later version of EU certificates", "NO1:": "a domestic certificate of Norway",
        "DK3:": "a domestic certificate of Denmark", "AT1:": "a domestic certificate of Austria",
        "LT1:": "a light certificate of Switzerland",
    ]

    /// Prefixes in lower case that are none of a credential, in words with an article. The first that fits counts.
    static let others = [
        ("http:", "a web address"), ("https:", "a web address"), ("wifi:", "a Wi-Fi network"),
        ("begin:vcard", "a contact"), ("mecard:", "a contact"), ("begin:v", "a calendar entry"),
        ("mailto:", "an e-mail address"), ("matmsg:", "an e-mail"), ("tel:", "a telephone number"),
        ("sms:", "a text message"), ("smsto:", "a text message"), ("geo:", "a place on a map"),
        ("otpauth:", "a login code"), ("bcd\n", "a payment"), ("bcd\r", "a payment"),
    ]

    /// How texts of codes and card files begin in percent-encoding, in lower case. The text of a link that has kept its colon is a link.
    static let percentEncoded = ["shc%3a", "shc:%2f", "hc1%3a", "shlink%3a", "%7b"]
}
