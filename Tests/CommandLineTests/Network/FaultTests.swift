import Foundation
import TestSupport
import Testing

/// Faults of streams, files, limits and the environment. Each gives a documented exit code and one line, and never a
/// crash, a hang or a card that passes wrongly.
@Suite(.timeLimit(.minutes(10))) struct FaultTests {
    private static let commands = [
        #"verify "$C" "$@""#, #"verify "$C" "$@" --format fhir"#,
        #"inspect "$C""#, #"records "$C" "$@" --format csv"#, #"lint "$J" --offline"#, "explain",
        #"directory show --directory "$V/directories/directory-snapshot.json""#, #"batch "$J" "$@""#,
    ]

    @Test func unwritableOutputIsAnInternalError() async throws {
        let full = Self.commands.map { Fault("full disk: \($0)", #""$S" \#($0) > /dev/full"#, 1, "No space left") }
        try await Fault.check(
            full + [
                Fault("closed stdout", #""$S" "$C" "$@" >&-"#, 1, "shcverify: cannot write to standard output"),
                Fault("a file that must not grow", #"ulimit -f 0; "$S" "$C" "$@" > report"#, 1, "File too large"),
                Fault("closed stdout, nothing to write", #""$S" "$C" "$@" -q >&-"#, 0),
                Fault("closed stderr", #""$S" "$V/cards/signature/der.jws" "$@" 2>&-"#, 11),
                Fault("stderr on a full disk", #""$S" "$V/cards/signature/der.jws" "$@" 2>/dev/full"#, 11),
                Fault("closed stdin", #""$S" - "$@" <&-"#, 66, "unreadable-input"),
                Fault("closed stdin of batch", #""$S" batch "$@" <&-"#, 66, "unreadable-input"),
                Fault("all are closed", #""$S" "$C" "$@" <&- >&- 2>&-"#, 1),
                Fault(
                    "a file takes no stream's number",
                    #""$S" batch "$J" "$@" --resume state <&- >&- 2>&-; code=$?; "#
                        + #"grep -l -e verdict -e "cannot write" state* >&2; exit $code"#, 1),
            ])
    }

    @Test func missingReaderIsNoError() async throws {
        // More than fits into a pipe, so that the program still writes after the reader has gone.
        let cards = String(repeating: #"$C" ""#, count: 60).dropLast(2)
        let gone = { (command: String, code: Int32, words: String?) in
            Fault(
                "reader gone: \(command.suffix(40))",
                #"{ "$S" \#(command); echo $? > code; } | head -c 10 > head; exit "$(cat code)""#, code, words)
        }
        try await Fault.check([
            gone(#""\#(cards) "$@" --format json"#, 0, nil),
            gone(#"inspect "\#(cards)"#, 0, nil), gone(#"records "\#(cards) "$@" --format ndjson"#, 0, nil),
            gone(#""$V/cards/signature/der.jws" "\#(cards) "$@""#, 11, "signature-invalid"),
        ])
    }

    @Test func refusesUnusableOptionFiles() async throws {
        let options = ["--jwks", "--crl", "--directory", "--ca-file"]
        try await Fault.check(
            options.map { option in
                Fault("endless \(option)", #""$S" "$C" --offline \#(option) /dev/zero"#, 64, "it is larger than")
            } + [
                Fault("a directory", #""$S" "$C" --offline --jwks /proc"#, 66, "--jwks /proc: cannot be read"),
                Fault(
                    "endless state", #""$S" batch "$J" "$@" --resume /dev/zero"#, 64, "--resume /dev/zero: it is not"),
                Fault("state is a directory", #""$S" batch "$J" "$@" --resume /proc"#, 66, "/proc: cannot be read"),
                Fault("state cannot be made", #""$S" batch "$J" "$@" --resume /proc/state"#, 1, "cannot be written"),
                Fault(
                    "state must not grow",
                    #"ulimit -f 0; "$S" batch "$J" "$@" --resume state; code=$?; ls; exit $code"#,
                    1, "File too large"),
                Fault("endless signature", #""$S" lint "$J" --offline --signature /dev/zero"#, 64, "bytes"),
                Fault("endless lint", #""$S" lint /dev/zero --offline > report"#, 10),
                Fault("directory to lint", #""$S" lint /proc --offline > report"#, 66, "unreadable-input"),
                Fault("endless line", #"timeout --preserve-status 0.5 "$S" batch /dev/zero "$@""#, 143, ""),
                Fault("endless lines", #"timeout --preserve-status 0.5 "$S" batch /dev/urandom "$@" -q"#, 143, ""),
                Fault("no such type", #""$S" records "$C" "$@" --resource-type Imunization"#, 64, "Imunization"),
            ])
    }

    @Test func refusesPipesForFilesThatAreReadTwice() async throws {
        let fetch = #""$S" "$C" -q --ca-file"#
        try await Fault.check(
            [
                #"mkfifo f; \#(fetch) f"#, #"\#(fetch) /proc"#, #"\#(fetch) /nowhere"#, #"cat /dev/null | \#(fetch) -"#,
                #"cat /dev/null | \#(fetch) /dev/stdin"#, #"mkfifo f; "$S" lint "$J" --ca-file f"#,
                #"mkfifo f; "$S" lint --issuer https://issuer.example --ca-file f"#,
                #"mkfifo f; "$S" batch "$J" --ca-file f --offline"#,
                #"mkfifo f; "$S" directory update --url https://issuer.example --ca-file f"#,
            ].map { Fault($0, "timeout 20 sh -c '\($0)'", 66, "--ca-file") }
                + [
                    Fault(
                        "state is a pipe", #"mkfifo f; timeout 20 "$S" batch "$J" "$@" --resume f"#, 66, "it is a pipe"),
                    Fault("no certificate", #"\#(fetch) /dev/null"#, 64, "--ca-file /dev/null"),
                    Fault(
                        "file as stdin",
                        #""$S" "$C" "$@" -q --ca-file - < "$V/certificates/certificates-anchored.pem""#, 0),
                ])
    }

    @Test func brokenOpenSSLConfigurationIsAnInternalError() async throws {
        let broken = [
            "no providers": "openssl_conf=i\n[i]\nproviders=p\n[p]\nx=n\n[n]\nactivate=1\nmodule=/nowhere.so\n",
            "no FIPS": "openssl_conf=i\n[i]\nalg_section=a\n[a]\ndefault_properties=fips=yes\n",
            "no configuration": "this is [ none\n",
        ]
        let commands = [
            #""$C" "$@""#, #"records "$C" "$@""#, #"batch "$J" "$@""#, #"lint "$J" --offline"#,
            #"directory verify "$V/directories/directory-snapshot-shared-kid.json" --signature "$J""#,
        ]
        try await Fault.check(
            broken.flatMap { name, text in
                commands.map { command in
                    Fault(
                        "\(name): \(command)",
                        #"printf '%s' "\#(text)" > c; OPENSSL_CONF=$PWD/c "$S" \#(command) > out; "#
                            + "code=$?; cat out >&2; exit $code", 1, "OpenSSL")
                }
            } + [
                Fault("nothing there", #"OPENSSL_CONF=/nowhere "$S" "$C" "$@" -q"#, 0),
                Fault("a directory", #"OPENSSL_CONF=/etc "$S" "$C" "$@" -q"#, 0),
                Fault("a pipe", #"mkfifo c; : > c & OPENSSL_CONF=$PWD/c timeout 20 "$S" "$C" "$@" -q"#, 0),
            ])
    }

    @Test func waitsForPipesAndReadsChangingFilesOnce() async throws {
        let slowly = #"{ sleep 0.1; head -c 99 "$J"; sleep 0.1; tail -c +100 "$J"; }"#
        try await Fault.check([
            Fault("slow pipe", #"mkfifo f; \#(slowly) > f & "$S" f "$@" -q"#, 0),
            Fault(
                "slow keys",
                #"mkfifo f; { sleep 0.1; cat "$V/keys/issuer-a.jwks.json"; } > f & "#
                    + #""$S" "$C" --offline --jwks f -q"#, 0),
            // The program waits, and a signal ends it.
            Fault("silent pipe, SIGINT", #"mkfifo f; timeout --preserve-status -s INT 0.4 "$S" f "$@""#, 130),
            Fault("silent pipe, SIGTERM", #"mkfifo f; timeout --preserve-status 0.4 "$S" lint f --offline"#, 143),
            Fault(
                "silent stdin, SIGHUP",
                #"mkfifo f; sleep 600 > f & timeout --preserve-status -s HUP 0.4 "$S" - "$@" < f; code=$?; "#
                    + #"kill $!; exit $code"#, 129),
            Fault(
                "a file that shrinks",
                #"i=0; while [ $i -lt 400 ]; do cat "$J"; echo; i=$((i+1)); done > cards; "#
                    + #"{ "$S" batch cards "$@" --bundle 2> error; echo $? > code; } | { head -c 1; : > cards; cat; } > out; "#
                    + #"cat error; case $(cat code) in 0|10) exit 0;; *) exit 1;; esac"#, 0),
        ])
    }

    @Test func reportsTooLowLimits() async throws {
        try await Fault.check([
            Fault("files", #"ulimit -n 16; "$S" "$J" --no-cache"#, 1, "32 open files"),
            Fault("few files", #"ulimit -n 32; "$S" "$C" "$@" -q"#, 0),
            Fault("stack", #"ulimit -s 256; "$S" "$C" "$@" -q && "$S" batch "$J" "$@" -q 2> summary"#, 0),
            // On Linux, a limit of 1 means that a program that collects cores gets none either.
            Fault(
                "core",
                #"ulimit -c unlimited; mkfifo f; "$S" f "$@" -q & i=0; "#
                    + #"until grep "core file size  *1  *1 " /proc/$!/limits || [ $i = 100 ]; do sleep 0.1; i=$((i+1)); done; "#
                    + #"kill $!; test $i -lt 100"#, 0),
        ])
    }

    @Test(.disabled(if: BuiltProduct.hasShadowMemory, "a sanitizer needs more memory than the limits allow"))
    func reportsTooLowMemoryLimits() async throws {
        try await Fault.check([
            Fault("memory", #"ulimit -v 200000; "$S" "$C" "$@" -q"#, 1, "256 MiB"),
            Fault("data", #"ulimit -d 40000; "$S" "$C" "$@" -q"#, 1, "128 MiB"),
            Fault("threads", #"ulimit -v 500000; timeout -k 1 120 "$S" batch "$J" "$@" -q --jobs 64 2> summary"#, 0),
        ])
    }

    @Test func environmentDoesNotChangeTheReport() async throws {
        let report = try await Fault("as it is", #""$S" "$C" "$@""#, 0).check()
        for setting in ["LANG=C LC_ALL=C", "LANG=de_DE.UTF-8 LC_ALL= ", "LC_ALL=tr_TR.UTF-8 TZ=Asia/Tokyo"] {
            let other = try await Fault(setting, #"export \#(setting); "$S" "$C" "$@""#, 0).check()
            #expect(other.stdout == report.stdout)
        }
        let named = try await Fault("é", #": > é; LC_ALL=C "$S" inspect é"#, 27, "é").check()
        #expect(named.stdout.contains("é"))
        try await Fault.check([
            Fault(
                "no home", #"unset HOME XDG_DATA_HOME; "$S" "$C" "$@" -q && "$S" "$C" --offline --directory vci"#, 64,
                "HOME is not set"),
            Fault("empty home", #"unset XDG_DATA_HOME; HOME= "$S" directory show"#, 64, "HOME is not set"),
            Fault(
                "relative home",
                #"HOME=. XDG_DATA_HOME=x "$S" directory show; code=$?; ls >&2; exit $code"#, 64, "HOME"),
            Fault("before 2021", #""$S" "$C" "$@" --at 1970-01-01T00:00:00Z -q"#, 14, "not-yet-valid"),
            Fault("after 2038", #""$S" "$C" "$@" --at 2106-02-08T00:00:00Z -q"#, 0),
        ])
    }
}
