#!/bin/sh
# Copies the files of the examples in README.md and docs/ to a folder: examples.sh FOLDER
#
# The packages and `make install` have them in share/shcverify/examples.
set -eu
[ $# = 1 ] || { echo "usage: examples.sh FOLDER" >&2; exit 64; }
vectors=$(dirname "$0")/../TestVectors
mkdir -p "$1"

add() {
    install -m 644 "$vectors/$1" "$folder/$2"
}

folder=$1
add keys/issuer-a.jwks.json keys.json
add cards/inputs/recent-file.smart-health-card card.smart-health-card
add cards/inputs/recent-qr.qr.txt card.txt
add cards/inputs/recent.jws card.jws
add cards/records/coverage-no-period.jws insurance.jws
add cards/signature/payload-changed.jws changed.jws
add cards/signature/der.jws der.jws
add pictures/photo.jpg photo.jpg
add hcert/cards/valid-vaccination.hc1 vaccination.hc1
add hcert/cards/icvp-valid.hc1 icvp.hc1
add hcert/trust/gdhcn-v2.did.json did.json
add hcert/trust/who-domains.did.json icvp.did.json
# It names a test network, so that nobody is let in by it.
add gdhcn/lists/dev.json who.did.json
add gdhcn/keys/dev.did.json who-key.did.json
add check-in/inputs/answer-good.json answer.json
add check-in/navigator.json request.json
add check-in/recipient-key.json key.json
add links/card.jwe link-card.jwe
add links/fhir.jwe link-fhir.jwe
add ../Packaging/serve-link.py serve-link.py
