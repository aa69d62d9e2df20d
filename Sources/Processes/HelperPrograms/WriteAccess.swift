internal import CProcess
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
    package static func objection(to descriptor: Int32) -> String? { objection(toOpen: descriptor, owners: trusted) }

    /// Says why an open folder does not belong to this user, or why others may write to it. Nil if neither is so.
    package static func objection(toPrivateFolder descriptor: Int32) -> String? {
        objection(toOpen: descriptor, owners: [geteuid()])
    }

    private static func objection(toOpen descriptor: Int32, owners: [uid_t]) -> String? {
        var status = stat()
        // Unsafe: the call writes into the structure and keeps no pointer to it.
        guard unsafe fstat(descriptor, &status) == 0 else { return "it is not known who may write to it" }
        return objection(to: status, owners: owners)
    }

    /// Says the same of the folder at a path. Nil if there is none.
    ///
    /// - Parameter name: the folder in words.
    package static func objection(toPrivateFolderAt path: String, named name: String) -> String? {
        status(of: path).flatMap { objection(to: $0, owners: [geteuid()], name: name) }
    }

    /// Says why the file at a path may have been written by a user other than this one and root. Nil if no other user
    /// can write to it, if there is no such file, and for a device.
    package static func objection(toFileAt path: String) -> String? {
        guard let status = status(of: path), status.st_mode & S_IFMT == S_IFREG else { return nil }
        return objection(to: status, allowsPrivateGroup: true)
    }

    /// Says why no file can be made in a folder whose permissions allow it. Nil if its file system does not say so.
    package static func objection(toNewFilesIn folder: String) -> String? {
        guard unsafe !files_are_of_system(folder) else { return "the system keeps its own files there" }
        var space = statvfs()
        // Unsafe, here and above: the C library reads the path and writes the structure, which live for the call.
        guard unsafe statvfs(folder, &space) == 0 else { return nil }
        let isRoot = geteuid() == 0
        let (blocks, files) = (isRoot ? space.f_bfree : space.f_bavail, isRoot ? space.f_ffree : space.f_favail)
        // File systems without a limit give none.
        return space.f_blocks > 0 && blocks == 0 || space.f_files > 0 && files == 0 ? "the disk is full" : nil
    }

    /// Says why a user other than this one and root may decide what is at a path. Nil if no other user can, if there is no such
    /// file, and if the path leads to a pipe, a device or a stream that is open already.
    ///
    /// The file is looked at, and on the way to it each folder and link. A folder to which others may write is none of theirs if
    /// they cannot replace what is in it (the sticky bit). A file system that is mounted read-only, as into a container, is
    /// written by nobody: who mounted it decides.
    package static func objection(toWayTo path: String) -> String? {
        guard let file = status(of: path), file.st_mode & S_IFMT == S_IFREG || file.st_mode & S_IFMT == S_IFDIR else {
            return nil
        }
        let start = FilePath(path)
        var place = FilePath("/")
        var rest = Array(start.components.reversed())
        if start.isRelative {
            // Unsafe: the C library allocates the result, which is copied and then freed here.
            guard let current = unsafe getcwd(nil, 0) else { return "it is not known who may write to its folder" }
            defer { unsafe free(current) }
            rest += FilePath(unsafe String(cString: current)).components.reversed()
        }
        var links = 0
        while true {
            if let objection = objection(toEntryAt: place) {
                return rest.isEmpty ? objection : "\(place): \(objection)"
            }
            guard let next = rest.popLast() else { return nil }
            switch next.kind {
            case .currentDirectory: continue
            case .parentDirectory:
                place.removeLastComponent()
                continue
            case .regular: place.append(next)
            }
            // What a process has opened is its own: /dev/stdin leads there too.
            if rest.isEmpty, isOpenStream(place) { return nil }
            guard let target = link(at: place) else { continue }
            if let objection = objection(toOwnerOfLinkAt: place) { return "\(place): \(objection)" }
            links += 1
            let folder: FilePath = target.isAbsolute ? "/" : place.removingLastComponent()
            // The kernel follows 40. Some links below /proc lead elsewhere than their text says, as into a container.
            guard links <= 40, isSame(place, folder.appending(target.components)) else {
                return "\(place): it is not known where this link leads"
            }
            place = folder
            rest += target.components.reversed()
        }
    }

    /// Whether a path is that of a file which a process has opened: `/proc/PID/fd/N` or `/proc/PID/task/TID/fd/N`. Links to the
    /// folder of a process, such as `/proc/self`, have been followed.
    private static func isOpenStream(_ place: FilePath) -> Bool {
        var names = place.components.map(\.string)
        if names.count == 6, names[2] == "task", isNumber(names[3]) { names.removeSubrange(2..<4) }
        return names.count == 4 && names[0] == "proc" && isNumber(names[1]) && names[2] == "fd" && isNumber(names[3])
    }

    private static func isNumber(_ name: String) -> Bool { name.utf8.allSatisfy { (0x30...0x39).contains($0) } }

    /// Whether two paths lead to the same file or folder.
    private static func isSame(_ one: FilePath, _ other: FilePath) -> Bool {
        guard let one = status(of: one.string), let other = status(of: other.string) else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    /// Says why others may write to a file, or replace what is in a folder.
    private static func objection(toEntryAt place: FilePath) -> String? {
        guard let entry = status(of: place.string, following: false), entry.st_mode & S_IFMT != S_IFLNK else {
            return nil
        }
        let objection = objection(toReplacingIn: entry)
        return objection == nil || isReadOnly(place) ? nil : objection
    }

    private static func objection(toOwnerOfLinkAt place: FilePath) -> String? {
        let objection = status(of: place.string, following: false).flatMap { Self.objection(toOwnerOf: $0) }
        return objection == nil || isReadOnly(place.removingLastComponent()) ? nil : objection
    }

    /// Whether the file system of a file is mounted read-only.
    private static func isReadOnly(_ place: FilePath) -> Bool {
        var system = statvfs()
        // Unsafe: the C library reads the path and writes the structure, both of which live for the call.
        return unsafe statvfs(place.string, &system) == 0 && system.f_flag & UInt(ST_RDONLY) != 0
    }

    /// The target of a symbolic link; nil if there is none at the path.
    private static func link(at place: FilePath) -> FilePath? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Unsafe: the call writes at most as many bytes as the array has, and reads the path, which lives for the call.
        let length = unsafe readlink(place.string, &target, target.count)
        guard length > 0, length < target.count else { return nil }
        return FilePath(String(decoding: target[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// Whether a path leads to a regular file, perhaps by links.
    static func isRegularFile(_ path: String) -> Bool {
        status(of: path).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
    }

    /// Says why a folder may have been put at a path by a user other than this one and root. Nil if no other user can.
    ///
    /// Others may be able to write to the folder above only if they cannot replace what is in it (the sticky bit).
    package static func objection(toFolderOf path: String) -> String? {
        if let objection = status(of: path, following: false).flatMap({ objection(toOwnerOf: $0) }) { return objection }
        let above = FilePath(path).removingLastComponent().string
        return status(of: above).flatMap { objection(toReplacingIn: $0) }.map { "\(above): \($0)" }
    }

    /// Says why a program may have been installed by a user whose programs this user does not run anyway. Nil if there
    /// is no such risk, or no such program.
    ///
    /// - Parameters:
    ///   - program: the path of the program to start.
    ///   - running: the path of the running program. Its owner is already trusted.
    static func objection(toProgram program: String, startedBy running: String?) -> String? {
        var owners = trusted
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

    /// - Parameter isFollowing: whether the file is meant to which a link leads, and not the link.
    private static func status(of path: String, following isFollowing: Bool = true) -> stat? {
        var status = stat()
        // Unsafe: the C library reads the path and writes the structure, both of which live for the call.
        return unsafe (isFollowing ? stat(path, &status) : lstat(path, &status)) == 0 ? status : nil
    }

    /// The users whose files are as good as this user's own.
    private static var trusted: [uid_t] { [geteuid(), 0] }

    /// Says why others may write to a file, or replace what is in a folder.
    private static func objection(toReplacingIn entry: stat) -> String? {
        var entry = entry
        // In a folder with the sticky bit, others can replace nothing but their own.
        if entry.st_mode & S_IFMT == S_IFDIR, entry.st_mode & S_ISVTX != 0 { entry.st_mode &= ~(S_IWGRP | S_IWOTH) }
        return objection(to: entry, allowsPrivateGroup: true)
    }

    private static func objection(toOwnerOf status: stat, owners: [uid_t] = trusted, name: String = "it") -> String? {
        owners.contains(status.st_uid) ? nil : "\(name) belongs to another user (uid \(status.st_uid))"
    }

    /// - Parameters:
    ///   - allowsPrivateGroup: whether the group may write if its number is the owner's number, and no user is listed as its
    ///     member. Distributions give each user such a group, and files that a user builds are often writable to it.
    ///   - name: the file in words.
    private static func objection(
        to status: stat, owners: [uid_t] = trusted, allowsPrivateGroup: Bool = false, name: String = "it"
    ) -> String? {
        if let objection = objection(toOwnerOf: status, owners: owners, name: name) { return objection }
        let isPrivate = allowsPrivateGroup && status.st_uid != 0 && status.st_gid == status.st_uid
        let group = isPrivate && !files_group_has_members(status.st_gid) ? 0 : S_IWGRP
        return status.st_mode & (group | S_IWOTH) == 0
            ? nil : "other users may write to \(name) (mode \(String(status.st_mode & 0o7777, radix: 8)))"
    }
}
