import Bulk
import Containers
import Credentials
import HTTPSFetch

/// Searches the pictures and PDFs of a run for codes, several at once. What was found is used in the order of the inputs.
struct PictureSearch {
    /// An input in its turn.
    enum Item {
        /// One that is no picture.
        case other(CommandInput)
        /// A picture or PDF, its bytes, and how hard to look.
        case picture(source: String, InputForm, file: [UInt8], DocumentScanner.Depth)

        /// The memory that it takes, estimated.
        var size: Int {
            switch self {
            case .picture(_, _, let file, _): file.count
            case .other(let input): if case .success(.bytes(let bytes)) = input.content { bytes.count } else { 0 }
            }
        }
    }

    private struct Slot {
        let item: Item
        var result: Result<CommandInput, InstallationFault>?
    }

    /// The bytes of inputs that are held at most because one before them is still searched, besides the last one.
    private static let mostHeld = 64 << 20

    private let scanner: KeptScanner
    /// The time that the pictures may still take.
    private var pictures = PictureTime()

    /// Whether the threads that a search needs can be had, as far as is known.
    private var hasThreads: Bool

    /// Creates a search of a run that has no other threads yet.
    init() {
        scanner = KeptScanner { min(LineThreads.count(asked: nil), Bounds.scanners) }
        hasThreads = false
    }

    /// Creates a search of a run that has made sure of its threads.
    ///
    /// - Parameter scanner: what reads pictures.
    init(scanner: KeptScanner) {
        self.scanner = scanner
        hasThreads = true
    }

    /// Searches pictures.
    ///
    /// - Parameters:
    ///   - next: the next input; nil if there are no more. It is called before those before it have been searched.
    ///   - use: is called with each input, in their order. It returns whether to go on.
    /// - Throws: `InstallationFault` if the scanner is installed, but does not work.
    nonisolated(nonsending) mutating func run(
        next: () -> Item?, use: (CommandInput) -> Bool
    ) async throws(InstallationFault) {
        // Up to the first picture, no other thread is needed. Starting one takes longer than verifying a card.
        while let item = next() {
            if case .picture = item { return try await search(from: item, next: next, use: use) }
            guard case .other(let input) = item, use(input) else { return }
        }
    }

    /// Searches pictures from the first one on.
    private nonisolated(nonsending) mutating func search(
        from picture: Item, next: () -> Item?, use: (CommandInput) -> Bool
    ) async throws(InstallationFault) {
        if !hasThreads { ProcessSetup.requireThreads() }
        hasThreads = true
        var picture: Item? = picture
        let fault = await withTaskGroup(of: (Int, PictureScan, PictureScan.Outcome).self) { group in
            var slots: [Slot] = []
            var (first, held, running, goesOn) = (0, 0, 0, true)
            var fault: InstallationFault?
            while true {
                while goesOn, let result = slots.first?.result {
                    held -= slots.removeFirst().item.size
                    first += 1
                    switch result {
                    case .success(let input): goesOn = use(input)
                    case .failure(let failure): (fault, goesOn) = (failure, false)
                    }
                }
                guard goesOn else {
                    group.cancelAll()
                    return fault
                }
                let hasRoom = running == 0 || running < scanner.most && held < Self.mostHeld
                if hasRoom, let item = picture.take() ?? next() {
                    held += item.size
                    switch item {
                    case .other(let input): slots.append(Slot(item: item, result: .success(input)))
                    case .picture(let source, let form, let file, let depth):
                        let scan = pictures.begin(file, as: form, source: source, depth: depth)
                        let number = first + slots.count
                        slots.append(Slot(item: item))
                        running += 1
                        group.addTask { [scanner] in (number, scan, await scan.run(by: .kept(scanner))) }
                    }
                } else if let (number, scan, outcome) = await group.next() {
                    running -= 1
                    slots[number - first].result = finish(slots[number - first].item, scan, outcome)
                } else {
                    return nil
                }
            }
        }
        if let fault { throw fault }
    }

    private mutating func finish(
        _ item: Item, _ scan: PictureScan, _ outcome: PictureScan.Outcome
    ) -> Result<CommandInput, InstallationFault>? {
        guard case .picture(let source, let form, let file, _) = item else { return nil }
        do throws(InstallationFault) {
            let scanned = try pictures.finish(scan, outcome)
            return .success(
                CommandInput(source: source, form: form, content: scanned.map { .document($0, file: file) }))
        } catch {
            return .failure(error)
        }
    }
}
