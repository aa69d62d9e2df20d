#!/usr/bin/env bash
# Tries the examples: smoke.sh BIN-PATH
#
# The server and the kiosk judge cards of TestVectors/. The server listens on the loopback interface, and is stopped at the end.
set -euo pipefail
bin=$1
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

# ---- The server

# Starts a server: serve [OPTION]...
serve() {
    port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    "$bin/verify-server" "$port" "$issuer" "$@" >"$folder/log" 2>&1 &
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
serve --jwks "$vectors/keys/issuer-a.jwks.json" --signers "$vectors/hcert/trust/gdhcn-v2.did.json"
answer=$(post "$vectors/cards/inputs/file.smart-health-card")
expect '"verdict": "pass"' "$answer" "a valid card"
expect 'Jana T. Anyperson' "$answer" "a valid card"
expect $'\n200' "$answer" "a valid card"
expect signature-invalid "$(post "$vectors/cards/signature/payload-changed.jws")" "a forged card"
expect issuer-not-trusted "$(post "$vectors/cards/trust/longer-host.jws")" "another issuer"
expect malformed-input "$(post /dev/null)" "no body"
expect '"code": "expired"' "$(post "$vectors/hcert/cards/valid-vaccination.hc1")" "an EU certificate"
head -c 300000 /dev/zero >"$folder/large"
expect $'\n413' "$(post "$folder/large")" "a large body"
expect $'\n413' "$(post "$folder/large" --header 'Transfer-Encoding: chunked')" "a large body of unknown size"
# A body that does not end in time.
expect $'\n503' "$(post "$vectors/cards/inputs/jws.jws" --limit-rate 40 --expect100-timeout 1)" "a slow body"
expect '"verdict": "pass"' "$(post "$vectors/cards/inputs/jws.jws")" "a card after the slow body"

if grep Anyperson "$folder/log" >&2; then
    echo "the log names a person" >&2
    problems=$((problems + 1))
fi
stop

# Without keys, and without the program that fetches them, there is no verdict.
serve
expect $'\n503' "$(post "$vectors/cards/inputs/jws.jws")" "a server that cannot fetch"
expect shcverify-fetch "$(cat "$folder/log")" "the log of a server that cannot fetch"
[ "$problems" = 0 ] || exit 1
echo "the server and the kiosk judge as expected"
