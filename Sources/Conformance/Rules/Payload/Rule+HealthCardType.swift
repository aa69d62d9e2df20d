import JSON

extension Rule {
    static let healthCardType = Rule(
        "schema-error", "health-card-type", .p1,
        requirement: "\"vc.type\" has \"https://smarthealth.cards#health-card\".",
        remedy: "Add this type.",
        check: .payload { payload in
            guard let types = payload.value?["vc"]?["type"], types.kind == .array,
                !lists("https://smarthealth.cards#health-card", in: payload)
            else { return [] }
            return [Problem("this type is not among them", at: types)]
        })
}
