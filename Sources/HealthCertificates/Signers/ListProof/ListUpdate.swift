package import Credentials
package import Cryptography
package import Encodings

/// A copy of WHO's list that is to be installed, and whether it may be.
///
/// Nothing here fetches or writes. `step` says what is missing, and `ListToInstall` is the permission.
package struct ListUpdate: Sendable {
    /// Where a list comes from.
    package enum Source: Sendable {
        /// An address, of which the parts of the path say which list it has to be.
        case url(path: [UInt8])
        /// A file.
        case file
    }

    /// What is installed in the place of the list.
    package struct Installed: Sendable {
        /// The keys that were installed with it; nil if its proof was not checked.
        package let keys: ListKeys?
        /// The ID of the list; nil if it cannot be read.
        package let id: UTF8Text?
        /// When the list was made, if its proof was verified; nil if that is not known.
        package let created: NumericDate?

        /// - Parameters:
        ///   - list: the list; nil if it cannot be read any more.
        ///   - statedTime: the time in the name of the installation, which is that of the proof.
        package init(list: SignerList?, keys: ListKeys?, statedTime: NumericDate?) {
            self.keys = keys
            guard let keys else {
                (id, created) = (nil, nil)
                return
            }
            if case .verified(let verified)? = list?.proof?.outcome(by: keys) {
                (id, created) = (list?.id, verified.statement.created)
            } else {
                (id, created) = (nil, statedTime)
            }
        }
    }

    /// What comes next.
    package enum Step: Sendable {
        /// The DID document at this address has the keys.
        case needsKeys(of: UTF8Text)
        /// The list may be installed, if nothing newer is.
        case install(ListToInstall)
    }

    private let bytes: [UInt8]
    private let list: SignerList
    private let source: Source
    /// The keys whose private half is published in the list. None of them can have signed it.
    package var compromisedKeys: CompromisedKeys { list.compromised.provenAlone }

    /// Reads a list.
    ///
    /// - Throws: `ListUpdateRefusal` if the list is unusable, even if its signer is known.
    package init(
        _ bytes: [UInt8], from source: Source, allowsTestLists: Bool, now: NumericDate
    ) throws(ListUpdateRefusal) {
        list = try Result { () throws(Malformed) in try SignerList(bytes) }
            .mapError { ListUpdateRefusal(.malformed, $0.description) }.get()
        self.bytes = bytes
        self.source = source
        guard list.form == .gdhcn else {
            throw ListUpdateRefusal(.malformed, "it is \(list.form.words), and not WHO's trust list")
        }
        _ = try Result { [list] () throws(TrustListRefusal) in
            try TrustListRules(allowsTestLists: allowsTestLists).admit(list)
        }.mapError { ListUpdateRefusal($0.reason == .testList ? .testList : .malformed, $0.description) }.get()
        if case .url(let path) = source, let objection = Self.objection(to: list.id, at: path) {
            throw ListUpdateRefusal(.malformed, objection)
        }
        guard list.hasUsableSigner else {
            throw ListUpdateRefusal(.malformed, "it lists no signers, so nothing could be verified with it")
        }
        if let created = list.proof?.outcome(by: nil).statement?.created, created > Self.latest(now) {
            throw ListUpdateRefusal(
                .malformed, "it was made at \(created.toTheSecond), which this machine's clock has not reached")
        }
    }

    /// The latest time that a list may have: clocks differ a little.
    private static func latest(_ now: NumericDate) -> NumericDate {
        NumericDate(sinceEpoch: now.sinceEpoch + .seconds(86_400))
    }

    // MARK: The address

    /// Why a list is not the one that an address asks for; nil if it is. The host does not count, since a copy may stand elsewhere.
    private static func objection(to id: UTF8Text?, at path: [UInt8]) -> String? {
        let slash = UInt8(ascii: "/")
        let folders = path.split(separator: slash).map(Array.init).dropLast()
        // The document of a whole host is there (WHO-K4).
        let asked = tail(folders.elementsEqual([Array(".well-known".utf8)]) ? [] : folders)
        let parts = (id.map { Array($0.utf8) } ?? []).split(
            separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard id == nil || tail(parts.dropFirst(3).map(Array.init)) != asked else { return nil }
        let words = UTF8Text(decoding: Array(asked.joined(separator: [UInt8(ascii: ":")]))).quoted(upTo: 200)
        return "its id is \(id?.quoted(upTo: 200) ?? "missing"), but the address asks for the list "
            + (asked.isEmpty ? "of its host, which has no further name" : words)
    }

    /// The parts of a path that name a list: those from `v2` or `trustlist` on, or else all.
    private static func tail(_ parts: some BidirectionalCollection<[UInt8]>) -> [[UInt8]] {
        let parts = Array(parts)
        let start =
            parts.firstIndex { $0.elementsEqual("v2".utf8) } ?? parts.firstIndex { $0.starts(with: "trustlist".utf8) }
        return start.map { Array(parts[$0...]) } ?? parts
    }

    // MARK: The proof

    /// What comes next.
    ///
    /// - Parameters:
    ///   - given: the keys of `--list-key`; nil if none were given.
    ///   - installed: what is installed.
    /// - Throws: `ListUpdateRefusal` if the list must not be installed.
    package func step(given: ListKeys?, installed: Installed?) throws(ListUpdateRefusal) -> Step {
        let known = try usable(given ?? installed?.keys)
        guard list.hasContextOfSecondVersion || known != nil else { return .install(unchecked) }
        let outcome = list.proof?.outcome(by: known) ?? .absent
        switch outcome {
        case .verified(let verified): return .install(try signed(verified, known))
        case .absent, .uncheckable: throw Self.refusal(outcome)
        case .unchecked(let statement), .noKey(let statement), .invalid(let statement):
            if given == nil, case .url = source {
                guard let signer = statement.signer else { throw Self.refusal(outcome) }
                return .needsKeys(of: signer)
            }
            if case .unchecked = outcome { return .install(unchecked) }
            throw Self.refusal(outcome)
        }
    }

    /// Takes the keys of the DID document that the proof names.
    ///
    /// - Throws: `ListUpdateRefusal` if the list must not be installed.
    package func install(
        byKeysIn document: [UInt8], of signer: UTF8Text
    ) throws(ListUpdateRefusal) -> ListToInstall {
        let keys = try Result { () throws(Malformed) in try ListKeys(didDocument: document, of: signer) }
            .mapError { ListUpdateRefusal(.noKey, "the DID document that its proof names cannot be used: \($0)") }.get()
        let outcome = list.proof?.outcome(by: try usable(keys)) ?? .absent
        guard case .verified(let verified) = outcome else { throw Self.refusal(outcome) }
        return try signed(verified, keys)
    }

    /// The keys whose private half is not in the list; nil if there are no keys.
    private func usable(_ keys: ListKeys?) throws(ListUpdateRefusal) -> ListKeys? {
        guard let keys else { return nil }
        guard let usable = keys.refusing(compromisedKeys) else {
            throw ListUpdateRefusal(.compromisedKey, ListKeys.allCompromised)
        }
        return usable
    }

    private var unchecked: ListToInstall { ListToInstall(list: list, bytes: bytes, verified: nil, keys: nil) }

    private func signed(_ verified: VerifiedList, _ keys: ListKeys?) throws(ListUpdateRefusal) -> ListToInstall {
        guard let keys, let signer = verified.statement.signer else {
            throw ListUpdateRefusal(.malformed, "its proof names no signer")
        }
        return ListToInstall(list: list, bytes: bytes, verified: verified, keys: keys.didDocument(of: signer))
    }

    private static func refusal(_ outcome: ListProof.Outcome) -> ListUpdateRefusal {
        let kind: ListUpdateProblem =
            switch outcome {
            case .invalid: .invalidProof
            case .noKey: .noKey
            case .absent, .uncheckable, .unchecked, .verified: .malformed
            }
        return ListUpdateRefusal(kind, outcome.words)
    }
}

/// A list that may be installed, with the keys that have signed it.
package struct ListToInstall: Sendable {
    /// The list.
    package let list: SignerList
    /// The list as it was read.
    package let bytes: [UInt8]
    /// Who has signed the list; nil if that was not checked.
    package let verified: VerifiedList?
    /// A DID document with the keys that count for the list; nil if its proof was not checked.
    package let keys: [UInt8]?

    fileprivate init(list: SignerList, bytes: [UInt8], verified: VerifiedList?, keys: [UInt8]?) {
        self.list = list
        self.bytes = bytes
        self.verified = verified
        self.keys = keys
    }

    /// When the list was made, if its proof was verified.
    package var created: NumericDate? { verified?.statement.created }

    /// Checks that the list is no step back from an installed one whose proof was verified. Call it when nobody else can change what is
    /// installed.
    ///
    /// - Parameters:
    ///   - installed: what is installed.
    ///   - place: the folder with the installed list.
    /// - Throws: `ListUpdateRefusal` if it is another list, or an older one.
    package func check(replacing installed: ListUpdate.Installed?, in place: String) throws(ListUpdateRefusal) {
        guard let installed, installed.keys != nil else { return }
        if let id = installed.id, id != list.id {
            throw ListUpdateRefusal(
                .stepBack,
                "it is the list \(list.id?.quoted(upTo: 200) ?? "without an id"), and \(id.quoted(upTo: 200)) is installed; to install another "
                    + "list, remove \(place) first")
        }
        guard let earlier = installed.created else { return }
        guard let created, created >= earlier else {
            throw ListUpdateRefusal(
                .stepBack,
                (created.map { "it was made at \($0.toTheSecond), and" } ?? "its proof was not checked, and")
                    + " the installed list at \(earlier.toTheSecond); to install an older list, remove \(place) first")
        }
    }
}

/// Why a list is not installed, in plain words which call it "it".
package typealias ListUpdateRefusal = Rejected<ListUpdateProblem>

/// The reasons of `ListUpdateRefusal`.
package enum ListUpdateProblem: Sendable {
    /// The list, or its proof, has another form, or is not the one that was asked for.
    case malformed
    /// It is another list than the installed one, or an older one.
    case stepBack
    /// The proof does not verify.
    case invalidProof
    /// No key of the DID is known.
    case noKey
    /// It is a list of a test network.
    case testList
    /// The private half of each key that could have signed it is published.
    case compromisedKey
}
