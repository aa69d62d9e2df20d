extension Rule {
    /// The name at hand need not be the name it is served by, so that this is no more than a warning.
    static let fileExtension = Rule(
        "invalid-file-extension", "file", .c1, severity: .warning,
        requirement: "A card file is served with the extension .smart-health-card and the type "
            + "application/smart-health-card.",
        remedy: "Name the file so that it ends in .smart-health-card.",
        check: .input { input in
            let name = input.document.source
            guard input.kind == .file, name != "stdin", !name.utf8.suffix(18).elementsEqual(".smart-health-card".utf8)
            else { return [] }
            return [Problem("the file's name does not end in .smart-health-card")]
        })
}
