/// RSA keys, and signatures over "a message to sign", in base64. Made with Python.
enum PS256Vectors {
    static let rsa2048 =
        """
        nwSDd+s1AAgASpA9BoLxvihJfoKYyaEuOTx0KXWBGsqetplSZ1uGpmCN9RfxB0Jd0BgoJK5BQf2e4fr+b47Z8iYmVon7mcEQ\
        AHGx85k79Kmt5QMfXrmOXEmVUTEgf4SHKUmCLWApIq6JMEvB+YPRLO2/Llxquzh+kC2dS2yo+rB28mOxKZMdyrxc24B+oqKq\
        9Nae0GANh7TV/hDNZUxVb202ZBQTz6J+5lz59ED9+UJtp0UhhPhU3F7u6aQipZqY+GMZc4sQmoHw9RkCsgzL4lMHSWVyWSRp\
        JACP22WUQknrtAbbtICc2nmoLye+o0sS2iuvkbBBsdZK+6BvgeP9YQ==
        """
    static let rsa2049 =
        """
        0Uwj6bU9enZ8aIGOYkYOoC1lCG1VW4ZAk3SIEyMldE0RzJL1/pJbwAqapizSewLP/MFdZZBv2SI2aUjtwx369lAVpiWkFgod\
        3iDRETGKtWDYw7S3NQUuZIt7EaWcQxODtpg/hThyY9hA7CVT/XSVVS+4ZgoodrvTOBHtYCvDk/JPQ7yZlqdWgM+dzOxlc81f\
        m0cpPTIBJgujO3i9IWVZRfA2kMAWzwXlG6nxYHai+8ncQu4xwe7kWnyib6UsaiYRogEaDA7yg2qYI3YxL8GsDqk6lsUE1nC1\
        /Zc0oDiQz57EyKDn7p9hDEOgWR23iObFfuadn40gHXvTidPIO/5gtw==
        """
    static let rsa3072 =
        """
        uh5/Phlttp95OC52UEIFoeD5Wp7Lc9TUVZGamghMYZVPrzp5l3G8Z7mh5yWwn9NZsnUnpalgMu+f3THIpPNpJWoR0yicHcpu\
        IvFxlXdgEkY5PYf0nZ8U4Z/ba77t5giV8ULCWf93UhO1gjQm4Em3mXZ7FtPoHU7h7Bx+kTFt5yVey/3lKNS6BgBJ/Y7stSgZ\
        iZNcgb4sPZPHWnsZ7tIEx9gK68w3vmC04DWiNA5vLhGAQCC6Rlt4cDu6gbzgDldn6dR7I1k24gD3DqXPxZeTCcMtkNrqLJaS\
        qV45UF9MURzTQv51K8XDElz1Gur8qhfRQ/BRssA+YQyyagLciK7HAA+QD0hgYAHgIU/cAdo3aabK2SFyzIyt0mcMyGN6Gsqq\
        gZuNHMKBmzrV/soltT5kzYmjvulQg1RDL6CG4liAW2B/wPZBZtIm+FD5HPnZzY6H5r3vHx25d6B6LKlYV6dE/iIOh77gVDgH\
        xLqzFiJofiQSwf1rHjEeTwePzoRtuc9N
        """
    static let rsa1024 =
        "0mSouFHnQtq+Fi+6bEMQ+uC9rRBjMCtQWtv4tInjVd40QwQQD0cQkP+/oz/0E+fK0SErX2GHOgOz6H/zk6uPmeo1qDbar1Bb"
        + "59f6ckBVV3zCN6Y+oRjpzVVp/FD7pPSM+tlj8ztxPITA6jEQxWhn0ac81ThX31TL5PLZJ8zR8lE="
    static let rsaE3 =
        """
        wmLNYeMT6csUdm7Iz/ZTKW0uqfirq4u2hDYbwf4fSkbe4RdwTsYTpoH814jT9LEpabb3Ezl6frmEoPQoKPOBmFpn/l6vSdW7\
        +1yNfcMHUuo3I6EqUdoMz9JSOB59ttliXGrXfQ4ajWXT5ZB7eLvVJA1q125UK6mcK90nQPAyBfTwyYvgE6bLK3P22zaBKO6L\
        gotWHpDTQkL6kWBx2MlsR4rHtoGfUwEyF1mb/S3bwNrMrVEzfIUnZPNJ+Jzznx0OaI8OB/6t/D0xyhwgo4wclzST496nzFup\
        jOdfQsczDm8/2dhFwHazYUTM8YUOxtSWVkiVEq8C9J1TPEUiCOYHvw==
        """
    static let signedRsa2048 =
        """
        ZrOapR9SbQ6hm9RlBcaAqYpi+epoYrgcD9rRXEckh4DkVzidh9gVVx3prhQtZvP+Z6SGjWtPqT6RmKtamB3Uzz8fM0AfIYdL\
        Xy5Bj7NBrQitDO0kaJwjKS9Ubgyl0PwP1t3vQOPomnpEl6pG7lqcRWp/9lSd6tpgwgOzXkB5Ru4hpxRffiHkwixRGjP0fzNo\
        nYcUGQn5X19F7cv/rpsV7PXLIm1grHV+sT0t+ehnota9GN9Z2zLpvpbG+2Opgaiy2JwMmSUvLwE013TrvdsGd7rpe9MpRAzY\
        nw/MfHDG3d/N5i530SDxkDmPgWMgV2dtiPTX0Kwd71hQjkHhtkOHDg==
        """
    static let signedRsa2049 =
        """
        m7qSH+wx9wzqNjZruDtLO9vT88HGAWJUhCNn/gX1vzb/zn27FwfiiSoQhMbtUODdEKr7tQbg9M5+Zm6ez8vA9f3CpXXL6Aei\
        HXo51RlUKGqhxWYf+0YcjOAIdqbvV0kzgBkEFX+wcFljCwAe3gNR5+ktfj6CxVtPonJJC7cG26PJvUIwm1Zu80t5fovuPOEC\
        VwUau3BBd9UCRc/tg5DcvpHSixI7yXMWPGltbD64PHaOhsnjrj8KUPO+VPNsCLbdLqSlPAxxBUzkDX0TMcDATKhEcZb3FFcX\
        MfOPcBOJKCuVeizfPwz1hyVCXaaJWWVlf60DBatU65tsE1n3wI7ELw==
        """
    static let signedRsa3072 =
        """
        OMAxAE2fG75lTKRCoBmMN0JBXJVkccQ24Jjz1yNE3v4XiRjdczeeMK4EXlxaNWApvccU3vJFnFi1pqnsliazGimKj8dl727U\
        x4Zk+KaKtQba+M2oSdVsYaWUkxRQ7Oe2AWNunyK1w9lP03AUMX433jxPFj43I6sRDnccDwtaYoYLQ4eGmA9V3zQ/oqse9SEi\
        CSi8n/Zc1Wsvwrosg7WKvkOq7Ubng93Pl6AjJoc6TJM1lGiFJSRy8q9PLNHEkxf2dqwXwsI4Ojp/w6+aZ9GjtTKBk4EwtrZa\
        +Qshiay0Y39NAh4y5EQkvcQooNBq04tBF/Zxh/0EmC0xpLQbMbbb07EmseVGKcPxvWzLqg4JnpHcs1EgZEEtubkzb8f5ABz+\
        5CxzM3mOEiz8GzuBEi0s8Ls6o7zZnYO469RC4DTPZPcCxrAD4+CujzJcShqvtZtCiQHknmaqTBPRiEEvfqwF8+PGOdJo4z8c\
        xKzDLO94u0ETQ6E7tGsaYUah49Kuv97P
        """
    static let signedRsaE3 =
        """
        YVS/AFzqXxwelkM3U/xCC3hYKBHaiXdbeKMLXITFcglgZ6snKFPJh7w1OzOw2JC9hd1SXkJu4fI2CCeZ1a6Pb8JFoTfhm4iD\
        fClxEnM6J1UgqTWtccdKctJ0u+1WTybuEj4QnKKeu4oPvVvVmUN7qJKNnoUitfr4dJJjPCfmeM/Q+zbI8ORsX76l1Hg81Len\
        lr4E4/ZR8DPrwkqSzZOL2ZQasLyWSi0EniiXAW1buCIVZvGHwdVXhL9Fhn/9OY5U+EXV8Dy1bi2p1RpMx4sXeGJsqyzruBYx\
        Tjbv7bONayJ1QO5RDFqc4Ipa5doRlyWbx1HA4YSwfA4N7zM8gg0a2w==
        """
    static let salt0 =
        """
        Vg0dRlmgNbyui78r6/I95eoa0pKpUBaHF2aLxF1BzwRZv99onhE+F9WGfyWtUI0c/cB4l0jDHDdZN24vQhPwLOvWLyj6PdMF\
        5VNIFe/gwUTAkoYW427U555y/UzvwF7VZ6zmfdqqD4eAW7SMXVQZi8qB9hYGOFCXLSPynp0ItB14YQ5OVzOAbC/w/EEBpUBr\
        EtGZGtIKOk0kkv3F6XPrfKvJK0/9Xb8YpB+tGCDjppJtlaCqiNpJVyoi33Q3u5qjBdGAYPVtfBNmNL4OZMylt6eD0MdAsKeM\
        B3eERKCx7Qj6gIPVMjILRwRWXdH5iu8W3GEAqzLikE0yb2+VmYo69w==
        """
    static let salt20 =
        """
        RM1GMndlxB7M1ou+BhjPF37PkauhzU3JxtCuBRAY05RpVsC49P93b1Bq3TPLgDM0KTvRlBCVG7GT3cTiWJko5tZb3Q/ekyJ+\
        aHpX2nQXCLOnkSR63zOO5Xc7UzLMsh5k+T/uwdahtnn417f9tuSqcFO+MG71L/jGqumyw/s0B33dlPyCQdi8+mNMNWYoM87f\
        FCJ5EiaLERxkg/CZoo5DdUSgtUcTnE0ulHVAhlNk8LiH/poI3GdfNFMVc2dXP6deuHjuBDf7xXjDOupaR0v5Pd/sOcYnC26i\
        QZr5NeAg97XVtp6dQjseXeZsovF8Lo/qSWVPbh3G2b1b4s5+u7xROA==
        """
    static let salt31 =
        """
        hYP+PRlpu4Xz0gQ7z8mHGG3Xr82nKe7eB+XtejnkuF0Zsjv8Zaj2ErFW3wzGo+9oemT5VZVGzBA2XBZLIVAplpAQ9ndRRI7Q\
        2w8PVkIAF4AgRkRaN9f401YhLEQUMd5lOoawTbQhwt3v0QB57LdD+4tjTqYEC9eaCo7seqYnrvX3cblmzM5R1hY7RqThRrMG\
        t9pWuhKmtzqUNnLemxhsNhiZdLLRH3v2okCgBmXDbYnf5CWmuQSwwYzjd/ND6rF7KD7Ku2qDL7VbvXkpnyAiGcuNn2h+xYnN\
        QkaU8aNVZdxNFcYDeT2CWx1l0Va+y567K3ulkDVQ3lXD9wkgcHainw==
        """
    static let salt33 =
        """
        icimqglWNmtDn1C8hL9Jtq8I7eNyH8TIbRK8LyN0mNFCtQEadFfs5+54dzvz6lWaTSAxV7BvqYi7FdQjW4vRHsriNrGJCMCz\
        1SSzw/ZXDU4Ds+amXCiBl3TQdBS8o1OChmAx5Buvtd8sX/mKPVx8jFm8NXkbG8WHg+jC5AnOB87Rv+7WSGZ0KVXIZF6zTdk7\
        RtaUdw9jQNpynAA1+ohr9cSfPqB1UNIVNA3leoTg1PIZn++43UYpRFDdwO/JPtCuIS9N7vVzzQCVLSDcbWqPK6Et9ktZdgOU\
        mwPnI3gINo+N3R+ZIPzEjSOwPagrEssBk6OWHbcV48joO6xItxrY+Q==
        """
    static let saltMaximal =
        """
        m+z9bvPCXJW1q1RU6q/ywk/csezjfqaq/ejpXsKwHPVjJMYujW/X6OH07B/J6eg9/XQL0QqAQhLPDzLdMW24mWJxBkDdVsa4\
        Rsv7GjMMcRHUQgbpcxTS0fM0tclvljL2oMVV4VbKBSDP8OcZC0CIqDXIpo7EleXs7kXrHcXFL8Bone/V6kJ1tAEkEHuF1KDJ\
        FsjUQU3VsCc6G14XPZo08KrzqF1buWbfBUwpGswzA8Fk2gdn6mTyFpdY0ggD8EOdxF6Oqtc7lRN0e57zR2qaBQlhAb1fDYY8\
        nhqAuFuaHRTangGt04qBYn1FdOCUTF9sod4a4psWbyGYT6Ifq9eOzQ==
        """
    static let pkcs1 =
        """
        Hi8S0jimopso6IMQyYU9ASSPyte0G5ABEs4Oc8wPJU8GOlpiXUX3Gq9K56nqbiHd+vgN9Hm22DSVgSuRok9L3a5SkHCYHIDi\
        wsGJgiZkp+CM6Vm6viDFDp7XURJaDhKLt0kHzFNxcqp6rt5ZXVBpU1visA3ESW+vWogR9GGZTOL7bwemPrneweLC+7zR43gk\
        iuaHhaP4ipMimm6K/AyA402EEo/rdvZ7Qt+ObBcXVZDQpy8A2iDTgJfTpH2IRDoOmuXyBCMWb80TVfLMCYGqKuyYiXxm1N1q\
        B2xPqONKXAppXmETSXe7/em1YnVHii2/f7TvmUJNrDFqD/u3k8aOGA==
        """
    static let sha512 =
        """
        AqdgDfclzvVhodFAklPqLx38BjQaK43NXFJ9Andjmw8bN6FOtm43k//GrLW6J938u9eaaQRpZlpgkPXuNpi35Ak+UKnAqjiX\
        jtb3WWDf3RErabpkIcn66p/gUdlbQRVd8NrQ4N1FXdoKxe4yDP5ssZ72+/AXjavFI9pyLjGCMmT4Ecr1QAa5vFvYhjQHsNSI\
        BdwiwNdoOXUHW/QCMYwyzoIjG43cF9KSj3IMHrqa6QTVKZcnioPfX+bZ2K7JlALCh38bFhob3uCIhNRioAVV32f+IJ4cJUOE\
        oLtVy7iPCYTkRhRUi3ummFM5p5GVkUGiUFMMWt0oD7ee2uFrnVjSOA==
        """
    static let mask1 =
        """
        ii5ZtIaAO1Se2fOlIG4rvoHSaADzSqsx+4LnvxZ3Lg+21S4ccXiYKpegp0uwbcvcsPYW4biNDiJ5yVLfY9OQWCmaI4JAKXCc\
        wYdMUjn4cLXoRge2GQTEg6Ap/Fn5FIISnlfjPx21GAOA8evs3NSgLUFwB3HuKX8YaW7sT0dTMiQxaVgHhnkQiGCh6H6zyFF9\
        81a1o0W9Vthkt8dKpxaeQMjqNVdnoDA9W9k5JGZ0ITLReAsm6KtzMDhNqXxqmRE3uqZksy3gFbKZgCWF1UrV81aDybtdXmUW\
        MpsatEi3ySIim2L7s3KlWzqx9Z1yw2dO/yAdfomUDaGfbkiUCEot/g==
        """
    static let leadingZero =
        """
        AJRJggvsKwyiproFzOIzlEmVTtibbRklV36m18STzui0lCgJdSUl7yDNACbG5GjK9kjAee/ui9JutuUPHF+1AQD+eSlwtvp1\
        vFTPvp5acMU6qukRGW/T9xeLgBpvF3q1TsGuOMJCDFeoUQYrB6l9bFN/G1yzFY82qrCFhKPKFtGFdvSNmJ3z3zkwQ6fuLB2B\
        9ZAftMqxGUE7k1pxp9cg7JfgTsigOaLFYklHx7/h/JNCTAbwqqtl4qLr7+gSCfFWohY8VaRf5d4mcjuTT7gCMzGacVm5R5PT\
        9jtV3pQq40QvJpoz5rEtRi3HUAPOhhN8ilXKzkfMtsSV3rfwx/SRbQ==
        """
}
