internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Checks whether other users can write to a file. A user who can write to a file, or to its directory, decides what is
/// read or run.
package enum WriteAccess {
    /// Says why an open file or directory may have been written by a user other than this one and root. Nil if no other
    /// user can write to it.
    package static func objection(to descriptor: Int32) -> String? {
        var status = stat()
        // Unsafe: the call writes into the structure and keeps no pointer to it.
        guard unsafe fstat(descriptor, &status) == 0 else { return "it is not known who may write to it" }
        return objection(to: status, owners: [geteuid(), 0])
    }

    /// Says why the file at a path may have been written by a user other than this one and root. Nil if no other user
    /// can write to it, if there is no such file, and for a device.
    package static func objection(toFileAt path: String) -> String? {
        guard let status = status(of: path), status.st_mode & S_IFMT == S_IFREG else { return nil }
        return objection(to: status, owners: [geteuid(), 0], allowsPrivateGroup: true)
    }

    /// Whether a path leads to a regular file, perhaps by links.
    static func isRegularFile(_ path: String) -> Bool {
        status(of: path).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
    }

    /// Says why a folder may have been put at a path by a user other than this one and root. Nil if no other user can.
    ///
    /// Others may be able to write to the folder above only if they cannot replace what is in it (the sticky bit).
    package static func objection(toPlaceOf path: String) -> String? {
        var entry = stat()
        // Unsafe: the C library reads the path and writes the structure, both of which live for the call.
        if unsafe lstat(path, &entry) == 0, ![geteuid(), 0].contains(entry.st_uid) {
            return "it belongs to another user (uid \(entry.st_uid))"
        }
        let above = FilePath(path).removingLastComponent().string
        guard var status = status(of: above) else { return nil }
        if status.st_mode & S_ISVTX != 0 { status.st_mode &= ~(S_IWGRP | S_IWOTH) }
        return objection(to: status, owners: [geteuid(), 0], allowsPrivateGroup: true).map { "\(above): \($0)" }
    }

    /// Says why a program may have been installed by a user whose programs this user does not run anyway. Nil if there
    /// is no such risk, or no such program.
    ///
    /// - Parameters:
    ///   - program: the path of the program to start.
    ///   - running: the path of the running program. Its owner is already trusted.
    static func objection(toProgram program: String, startedBy running: String?) -> String? {
        var owners = [geteuid(), 0]
        if let owner = running.flatMap({ status(of: $0) })?.st_uid { owners.append(owner) }
        let directory = FilePath(program).removingLastComponent()
        for path in [directory.isEmpty ? "." : directory.string, program] {
            guard let status = status(of: path) else { continue }
            if let objection = objection(to: status, owners: owners, allowsPrivateGroup: true) {
                return "\(path): \(objection)"
            }
        }
        return nil
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        // Unsafe: the C library reads the path and writes the structure, both of which live for the call.
        return unsafe stat(path, &status) == 0 ? status : nil
    }

    /// - Parameter allowsPrivateGroup: whether the group may write if its number is the owner's number. Distributions
    ///   give each user such a group, and files that a user builds are often writable to it.
    private static func objection(to status: stat, owners: [uid_t], allowsPrivateGroup: Bool = false) -> String? {
        guard owners.contains(status.st_uid) else { return "it belongs to another user (uid \(status.st_uid))" }
        let isPrivate = allowsPrivateGroup && status.st_uid != 0 && status.st_gid == status.st_uid
        let others = isPrivate ? S_IWOTH : S_IWGRP | S_IWOTH
        guard status.st_mode & others == 0 else {
            return "other users may write to it (mode \(String(status.st_mode & 0o7777, radix: 8)))"
        }
        return nil
    }
}
