import SMARTHealthCards

extension Rule {
    /// A withdrawn key is not kept for long.
    static let keySetFreshness = Rule(
        "issuer-response-error", "freshness", .r6, severity: .warning,
        requirement: "A key that is withdrawn is soon used no more: the key set may be kept for 24 hours at most.",
        remedy: "Lower max-age (or Expires) to 86400 seconds or less.",
        check: .issuer { subject in
            guard let seconds = subject.published?.statedFreshness, seconds > 86_400 else { return [] }
            return [
                Problem(
                    "the key set may be kept for \(seconds) seconds (about \(seconds / 3600) hours), and so may a key that was "
                        + "withdrawn since"
                )
            ]
        })
}
