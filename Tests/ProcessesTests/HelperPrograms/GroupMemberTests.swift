import CProcess
import Foundation
import Testing

/// Who is listed in a group, which decides whether a user's own group may write to what is relied on.
@Suite struct GroupMemberTests {
    @Test func membersAreThoseOfTheSystem() throws {
        var groups: [UInt32: Bool] = [:]
        for line in try String(contentsOfFile: "/etc/group", encoding: .utf8).split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count == 4, let number = UInt32(fields[2]), groups[number] == nil else { continue }
            groups[number] = !fields[3].isEmpty
        }
        #expect(groups[0] != nil)
        for (number, hasMembers) in groups { #expect(files_group_has_members(number) == hasMembers) }
    }

    @Test func aGroupThatIsNotListedHasNoMembers() { #expect(!files_group_has_members(4_000_000_000)) }
}
