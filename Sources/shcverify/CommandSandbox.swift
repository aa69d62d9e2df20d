import Containers
import Credentials
import Evidence
import HTTPSFetch
import Processes
import SystemPackage

/// What a command needs from the system. It gives up all other rights before it reads anything. If a stranger's card then exploits a bug,
/// it can neither send data anywhere nor change files (`Sandbox`).
struct CommandSandbox {
    /// Whether requests can be made.
    private let mayFetch: Bool
    /// Whether pictures and documents can be looked at.
    private let mayScan: Bool
    /// The cache that is written to; nil if there is none.
    private let cache: IssuerCache?
    /// The folders of the files that are written.
    private let folders: [String]

    /// The needs of a command that uses the cache.
    ///
    /// - Parameters:
    ///   - mayScan: whether there can be a picture among the inputs. What is fetched may always be one.
    ///   - file: a file that is written and replaces an existing one.
    init(_ network: NetworkOptions, mayScan: Bool, writing file: String? = nil) {
        mayFetch = !network.offline
        self.mayScan = mayScan
        // Without requests, there is nothing to store.
        cache = mayFetch ? Requests(network).issuerCache : nil
        folders = [file].compactMap(\.self).map { Draft.folder(of: $0) }
    }

    /// The needs of a command that uses the cache and reads inputs.
    ///
    /// - Parameter file: a file that is written and replaces an existing one.
    init(_ network: NetworkOptions, _ inputs: InputOptions, writing file: String? = nil) {
        self.init(network, mayScan: !inputs.input.isEmpty, writing: file)
    }

    /// The needs of a command that reads inputs and uses no cache.
    init(_ inputs: InputOptions, mayFetch: Bool) {
        self.mayFetch = mayFetch
        mayScan = !inputs.input.isEmpty
        cache = nil
        folders = []
    }

    /// Gives up all other rights.
    ///
    /// Must be called before anything is read and before there are other threads.
    ///
    /// - Throws: `CommandFailure` if the kernel should be able to take the rights away, but does not.
    func enter() throws {
        // In a test, the rest of the process may need other rights.
        guard StandardStreams.replacement == nil else { return }
        // Offline, only pictures need a helper.
        if mayFetch || mayScan {
            ForkServer.begin((mayFetch ? FetchProcess.startable : []) + DocumentScanner.startable)
        }
        var (folders, tidied) = (folders, [String]())
        if let cache {
            // Rights can only be given to folders that exist.
            for created in cache.createDirectory() {
                let parent = FilePath(created).removingLastComponent()
                guard UnfinishedFiles.addFolder(created) else { break }
                tidied.append(parent.isEmpty ? "." : parent.string)
            }
            if case .writable = cache.condition(probing: false) { folders.append(cache.directory) }
        }
        #if DEBUG
            // The measurement of coverage writes a file at the end.
            if let profile = EnvironmentVariable.value(of: "LLVM_PROFILE_FILE") {
                folders.append(Draft.folder(of: profile))
            }
        #endif
        if let problem = Sandbox.enterWorker(writingIn: folders, tidying: tidied) {
            throw CommandFailure(.internalError, problem)
        }
    }
}
