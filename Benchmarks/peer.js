// Verifies cards as a developer would with node's own modules, and prints how many, and the seconds that it took.
//
//     node Benchmarks/peer.js CARDS DIRECTORY COUNT

const { createPublicKey, verify } = require("node:crypto");
const { readFileSync } = require("node:fs");
const { inflateRawSync } = require("node:zlib");

const [cards, directory, count] = process.argv.slice(2);
const keys = new Map();
for (const info of JSON.parse(readFileSync(directory)).issuerInfo) {
  for (const key of info.keys) {
    keys.set(`${info.issuer.iss} ${key.kid}`, createPublicKey({ key, format: "jwk" }));
  }
}
const lines = readFileSync(cards, "utf8").split("\n").slice(0, Number(count));
const start = performance.now();
let passed = 0;
for (const line of lines) {
  try {
    const [head, body, signature] = line.split(".");
    const payload = JSON.parse(inflateRawSync(Buffer.from(body, "base64url")));
    const key = keys.get(`${payload.iss} ${JSON.parse(Buffer.from(head, "base64url")).kid}`);
    const isValid = verify(
      "sha256", Buffer.from(`${head}.${body}`), { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
    if (isValid) passed += 1;
  } catch {
    continue;
  }
}
console.log(passed, (performance.now() - start) / 1000);
