import Cryptography
import Encodings
import TestSupport
import Testing

@Suite struct KeyIDTests {
    @Test func comparesByteForByte() {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        #expect(composed == decomposed)
        #expect(KeyID(composed) != KeyID(decomposed))
        #expect(Set([KeyID(composed), KeyID(decomposed)]).count == 2)
        #expect(KeyID("\u{212A}") != KeyID("K"))
    }

    @Test func isReadFromStringsAlone() throws {
        #expect(KeyID(try Samples.json(#""\u006b1""#)) == KeyID("k1"))
        #expect(KeyID(try Samples.json("1")) == nil)
        #expect(KeyID(try Samples.json("null")) == nil)
    }

    @Test func describesItselfAsWritten() {
        #expect(KeyID("3Kfdg-XwP").description == "3Kfdg-XwP")
    }
}
