package import Encodings

/// Codes of countries, as certificates, lists and credentials write them: the two or three letters of ISO 3166-1.
package enum CountryCode {
    /// Whether two texts name the same country. They do if they are the same but for case, or if they are the two and the
    /// three letters of one country.
    ///
    /// - Returns: nil if they cannot be compared: one has two letters and the other three, and neither is the code of a
    ///   country. Lists for tests have such codes, such as `XX` and `XXA`.
    package static func isSame(_ one: UTF8Text, _ other: UTF8Text) -> Bool? {
        let (one, other) = (upperCased(one), upperCased(other))
        if one == other { return true }
        guard isCode(one), isCode(other), one.count != other.count else { return false }
        let (two, three) = one.count == 2 ? (one, other) : (other, one)
        var isKnown = false
        var place = table.startIndex
        while place < table.endIndex {
            let row = table[place..<(place + 5)]
            let (hasTwo, hasThree) = (row.prefix(2).elementsEqual(two), row.suffix(3).elementsEqual(three))
            if hasTwo, hasThree { return true }
            isKnown = isKnown || hasTwo || hasThree
            place += 6
        }
        return isKnown ? false : nil
    }

    /// Whether two texts certainly name different countries. Groups of countries, such as `EU` and `UN`, and codes for tests name none.
    package static func areDifferent(_ one: UTF8Text, _ other: UTF8Text) -> Bool {
        isOfCountry(upperCased(one)) && isOfCountry(upperCased(other)) && isSame(one, other) == false
    }

    /// Whether a text is the code of a country, in two letters or in three.
    private static func isOfCountry(_ text: [UInt8]) -> Bool {
        guard isCode(text) else { return false }
        return stride(from: table.startIndex, to: table.endIndex, by: 6).contains { place in
            table[(text.count == 2 ? place : place + 2)..<(text.count == 2 ? place + 2 : place + 5)].elementsEqual(text)
        }
    }

    /// Whether a text is two or three letters A to Z, in either case. Whether there is such a country does not matter.
    package static func isCode(_ text: UTF8Text) -> Bool { isCode(upperCased(text)) }

    private static func isCode(_ text: [UInt8]) -> Bool {
        (2...3).contains(text.count) && text.allSatisfy { (0x41...0x5A).contains($0) }
    }

    private static func upperCased(_ text: UTF8Text) -> [UInt8] {
        text.utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }
    }

    /// The two and the three letters of each country, with a space or a line feed between countries.
    static let table = Array(countries.utf8)

    /// ISO 3166-1 as Debian's package iso-codes has it. A test compares them.
    private static let countries = """
        ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE
        BABIH BBBRB BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS
        BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN
        COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST
        EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF
        GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD
        HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM
        JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA
        LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD
        MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM
        NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG
        PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA
        SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD
        STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON
        TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR
        VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE
        """
}

/// The JSON of a long list that others publish: a revocation list, or a directory of issuers or signers.
package enum PublishedList {
    /// Parses a list within the limits, which are the same for all kinds of list.
    ///
    /// - Parameter maximumSize: the largest size in bytes.
    package static func parse(_ bytes: [UInt8], maximumSize: Int) throws(Malformed) -> JSONValue {
        guard bytes.count <= maximumSize else {
            throw Malformed("it is larger than \(maximumSize >> 20) MiB")
        }
        guard !bytes.holdsMoreJSONValues(than: Bounds.listValues) else {
            throw Malformed("it contains more than \(Bounds.listValues) values")
        }
        return try Result { () throws(JSONError) in try JSONDocument.parse(bytes, maximumDepth: Bounds.nesting) }
            .mapError { Malformed("it is not acceptable JSON: \($0)") }.get()
    }

    /// Parses a list from a file, whose white space and byte-order marks around the content do not count.
    ///
    /// - Parameter maximumSize: the largest size in bytes.
    package static func parse(
        file bytes: [UInt8], maximumSize: Int
    ) throws(Malformed) -> JSONValue {
        let content = bytes[...].trimmingByteOrderMarks()
        return try parse(content.count == bytes.count ? bytes : Array(content), maximumSize: maximumSize)
    }
}
