#!/usr/bin/env bash
# Tries the examples: smoke.sh KIOSK-FOLDER SERVER-FOLDER
#
# The folders are those with the built programs. The server and the kiosk judge cards of TestVectors/. The server listens on the loopback interface, and is stopped at the end.
set -euo pipefail
bin=$1 server_bin=$2
vectors=$(cd "$(dirname "$0")/../TestVectors" && pwd)
folder=$(mktemp -d)
issuer=https://issuer-a.example/cards
problems=0

# Notes a problem if a text does not hold a word: expect WORD TEXT WHAT
expect() {
    case $2 in
        *"$1"*) ;;
        *)
            echo "$3: expected $1, got: ${2:0:300}" >&2
            problems=$((problems + 1))
            ;;
    esac
}

# Notes a problem if a text is not the expected one: expect_all EXPECTED TEXT WHAT
expect_all() {
    [ "$2" = "$1" ] || expect "$1 and nothing else" "$2" "$3"
}

# ---- The kiosk

# The codes of a card in three parts come one by one, then a card, a forged one, and nonsense with control characters.
answers=$({
    for part in "$vectors"/cards/inputs/chunks-[123].qr.txt; do cat "$part"; echo; done
    cat "$vectors/cards/inputs/jws.jws"; echo
    cat "$vectors/cards/signature/payload-changed.jws"; echo
    printf 'nonsense\033[2J\n'
    cat "$vectors/cards/time/exp-past.jws"
} | "$bin/kiosk" "$issuer" "$vectors/keys/issuer-a.jwks.json")
expect "NEXT
NEXT
PASS Jana T. Anyperson, 1951-01-20
PASS Jana T. Anyperson, 1951-01-20
FAIL signature-invalid
FAIL malformed-input
FAIL expired" "$answers" kiosk

# Writes a code as a line: code NAME
code() { cat "$vectors/cards/$1.qr.txt"; echo; }

# The first visitor leaves after one code of three. The next one has another card of three.
answers=$({ code inputs/chunks-1; for part in 4 5 6; do code "qr/two-cards-mixed-$part"; done; } |
    "$bin/kiosk" "$issuer" "$vectors/keys/issuer-a.jwks.json")
expect_all $'NEXT\nNEXT\nNEXT\nPASS Jana T. Anyperson, 1951-01-20' "$answers" "the next visitor"
# After a pause, the first code is forgotten, so the others are not enough.
answers=$({ code inputs/chunks-1; sleep 2; code inputs/chunks-2; code inputs/chunks-3; } |
    "$bin/kiosk" "$issuer" "$vectors/keys/issuer-a.jwks.json" 1)
expect_all $'NEXT\nNEXT\nNEXT' "$answers" "codes after a pause"

# A card of two persons names both, without the characters of one name that would control a terminal.
/usr/bin/python3 -B - "$vectors" >"$folder/two.jws" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import cases
other = {**cases.PATIENT, "name": [{"given": ["Peter\033[2J"], "family": "Anyperson"}]}
print(cases.signed({cases.BUNDLE: cases.bundle(cases.PATIENT, cases.immunization(), other)}))
END
expect_all "PASS 2 persons: Jana T. Anyperson, 1951-01-20; Peter"$'\357\277\275'"[2J Anyperson, 1951-01-20" \
    "$("$bin/kiosk" "$issuer" "$vectors/keys/issuer-a.jwks.json" <"$folder/two.jws")" "a card of two persons"

# ---- The server

programs=$server_bin

# Starts a server: serve [OPTION]...
serve() {
    port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    "$programs/verify-server" "$port" "$issuer" "$@" >"$folder/log" 2>&1 &
    server=$!
    for _ in $(seq 100); do
        curl --silent --output /dev/null "http://127.0.0.1:$port/" && break
        sleep 0.1
    done
}

# Stops the server.
stop() {
    [ -n "$server" ] || return 0
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=
}

# Sends a file: post FILE [OPTION]... The status follows the answer.
post() {
    curl --silent --show-error --max-time 40 --write-out '\n%{http_code}\n' --data-binary "@$1" "${@:2}" "http://127.0.0.1:$port/verify" || true
}

server=
trap 'stop; rm -rf "$folder"' EXIT
serve --jwks "$vectors/keys/issuer-a.jwks.json" --signers "$vectors/hcert/trust/gdhcn-v2.did.json" --at-once 2
answer=$(post "$vectors/cards/inputs/file.smart-health-card")
expect '"verdict": "pass"' "$answer" "a valid card"
expect 'Jana T. Anyperson' "$answer" "a valid card"
expect $'\n200' "$answer" "a valid card"
expect signature-invalid "$(post "$vectors/cards/signature/payload-changed.jws")" "a forged card"
expect issuer-not-trusted "$(post "$vectors/cards/trust/longer-host.jws")" "another issuer"
expect empty-input "$(post /dev/null)" "no body"
expect '"code": "expired"' "$(post "$vectors/hcert/cards/valid-vaccination.hc1")" "an EU certificate"
head -c 300000 /dev/zero >"$folder/large"
expect $'\n413' "$(post "$folder/large")" "a large body"
expect $'\n413' "$(post "$folder/large" --header 'Transfer-Encoding: chunked')" "a large body of unknown size"
# Bodies that do not end in time take the two places. Besides one of them, a request is served. Besides both, it is refused at once.
slow() { post "$vectors/cards/inputs/jws.jws" --limit-rate 40 --expect100-timeout 1; }
slow >"$folder/slow-1" &
first=$!
sleep 1
expect '"verdict": "pass"' "$(post "$vectors/cards/inputs/jws.jws")" "a card besides a slow body"
slow >"$folder/slow-2" &
second=$!
sleep 1
start=$SECONDS
expect $'\n503' "$(post "$vectors/cards/inputs/jws.jws")" "one request too many"
[ $((SECONDS - start)) -lt 5 ] || expect "an answer at once" "one after $((SECONDS - start)) s" "one request too many"
wait "$first" "$second"
expect $'\n503' "$(cat "$folder/slow-1")" "a slow body"
expect $'\n503' "$(cat "$folder/slow-2")" "another slow body"
expect '"verdict": "pass"' "$(post "$vectors/cards/inputs/jws.jws")" "a card after the slow body"

if grep Anyperson "$folder/log" >&2; then
    echo "the log names a person" >&2
    problems=$((problems + 1))
fi
stop

# Without keys, and without the program that fetches them, there is no verdict.
programs=$folder/alone
mkdir "$programs"
cp "$server_bin/verify-server" "$programs/"
serve
expect $'\n503' "$(post "$vectors/cards/inputs/jws.jws")" "a server that cannot fetch"
expect shcverify-fetch "$(cat "$folder/log")" "the log of a server that cannot fetch"
[ "$problems" = 0 ] || exit 1
echo "the server and the kiosk judge as expected"
