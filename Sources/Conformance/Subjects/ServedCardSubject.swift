import SMARTHealthCards

/// The answer of a server to the request for a card file.
struct ServedCardSubject: Sendable {
    /// The file, named after its URL.
    let document: Document
    let answer: PublishedAnswer

    init(_ answer: PublishedAnswer) {
        self.answer = answer
        document = Document(source: answer.url, layer: .file, text: [])
    }
}
