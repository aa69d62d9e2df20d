import JSON
import Testing

/// Values that are written once, and a writer that is used again.
@Suite struct FragmentTests {
    @Test func fragmentIsWrittenAsItIs() {
        let fragment = JSONFragment { writer in
            writer.object {
                $0.member("a", 1)
                $0.member("b", "x\"")
            }
        }
        var writer = JSONWriter()
        writer.array {
            $0.value(fragment)
            $0.value(2)
            $0.value(fragment)
        }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"[{"a":1,"b":"x\""},2,{"a":1,"b":"x\""}]"#)
    }

    @Test func clearedWriterBeginsAnew() {
        var writer = JSONWriter()
        writer.array { $0.value(1) }
        writer.clear()
        #expect(writer.bytes.isEmpty)
        writer.array { $0.value(2) }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "[2]")
    }
}
