extension Rule {
    static let jwsParts = Rule(
        "json-parse-error", "jws-parts", .rfc(7515, "7.1"),
        requirement: "A compact JWS has three parts with dots between them: header, payload and signature.",
        remedy: "Use the compact serialization, not the JSON serialization or a JWE.",
        check: .jws { jws in
            guard jws.partCount != 3, !jws.isCut || jws.partCount > 3 else { return [] }
            let guess = jws.partCount == 5 ? " (a JWE?)" : ""
            return [Problem("there are \(jws.partCount) parts\(guess)")]
        })
}
