internal import CProcess

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A process that starts the helper programs of this one, which can then give up the right to start programs (`Sandbox`).
package enum ForkServer {
    /// Makes the process. From now on only these programs can be started, each with its own environment. If no process can be made, they
    /// fail to start, and say so.
    ///
    /// To be called once, before there are other threads.
    ///
    /// - Parameter programs: the programs. There need not be one at each path yet.
    package static func begin(_ programs: [HelperProcess]) {
        for program in programs {
            // Unsafe: the call copies the strings.
            let error = unsafe program.withEnvironment { unsafe fork_server_add(program.executable, $0) }
            precondition(error == 0, "there is room for all programs")
        }
        fork_server_begin()
    }
}
