import SMARTHealthCards

extension Rule {
    static let unknownInput = Rule(
        "unknown-file-data", "unrecognised", .c1,
        requirement: "An input is a card or a part of one: a .smart-health-card file, a JWS, the text of a QR code, a "
            + "deep link, Parameters, a payload, a FHIR Bundle, a key set, a revocation list or a directory.",
        remedy: "Check that the right file was given, or say with --as what it is.",
        check: .input { input in
            // Of what is given as QR codes, the lines are looked at one by one, so of none nothing would be said.
            guard !input.content.isEmpty || input.kind != .qr else { return [Problem("the input is empty")] }
            guard input.kind == nil, input.jsonError == nil else { return [] }
            guard !input.content.isEmpty else { return [Problem("the input is empty")] }
            let form = OtherForm(input.document.text[input.content])
            return [Problem(form?.words ?? "the input is nothing that lint knows")]
        })
}
