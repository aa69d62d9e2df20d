extension Rule {
    /// The rules of any input.
    static let inputRules: [Rule] = [
        inputBounds, unknownInput, inputJSON, afterJSON, surroundingWhiteSpace, inputByteOrderMark, fileExtension,
    ]
}
