import Testing

@testable import Bulk

@Suite
struct ProcessorQuotaTests {
    @Test(
        arguments: [
            ("max 100000\n", nil), ("200000 100000\n", 2), ("150000 100000\n", 2), ("1000 100000\n", 1),
            ("100000 100000", 1),
            ("9223372036854775807 1\n", Int.max), ("0 100000\n", nil), ("-1 100000\n", nil), ("100000 0\n", nil),
            ("100000\n", nil), ("", nil),
            ("99999999999999999999 100000\n", nil),
        ] as [(String, Int?)])
    func processorsAreTheQuotaRoundedUp(text: String, processors: Int?) {
        #expect(ProcessorQuota.processors(grantedBy: Array(text.utf8)) == processors)
    }

    @Test
    func groupsAroundAGroupCountToo() {
        let text = "4:memory:/other\n0::/system.slice/docker-1.scope\n"
        #expect(
            ProcessorQuota.folders(of: Array(text.utf8)) == [
                "/sys/fs/cgroup", "/sys/fs/cgroup/system.slice", "/sys/fs/cgroup/system.slice/docker-1.scope",
            ])
        #expect(ProcessorQuota.folders(of: Array("0::/\n".utf8)) == ["/sys/fs/cgroup"])
        #expect(ProcessorQuota.folders(of: Array("1:cpu:/a\n".utf8)).isEmpty)
    }
}
