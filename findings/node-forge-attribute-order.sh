#!/usr/bin/env bash
# Software:  node-forge 1.4.3 (npm), pkcs7.createSignedData, by which several pass generators for Node.js sign
# Expected:  the signed attributes stand in DER order (RFC 5652 §5.3: SignedAttributes MUST be DER encoded, and X.690 §11.6 sorts a SET OF).
# Seen:      they stand in the order in which the caller gave them, in the file and in the bytes that are signed. A verifier that sorts
#            them, as DER demands, computes other bytes and finds the signature wrong; OpenSSL keeps the order and accepts it.
# So here:   the validator warns (signature-attribute-order) and verifies in the order of the file.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit --prefix . node-forge@1.4.3 >/dev/null
cat > run.cjs <<'JS'
const forge = require('node-forge');
const { writeFileSync } = require('node:fs');
const keys = forge.pki.rsa.generateKeyPair(2048);
const cert = forge.pki.createCertificate();
cert.publicKey = keys.publicKey;
cert.serialNumber = '01';
cert.validity.notBefore = new Date(Date.now() - 86400000);
cert.validity.notAfter = new Date(Date.now() + 86400000);
const name = [{ name: 'commonName', value: 'Example' }];
cert.setSubject(name);
cert.setIssuer(name);
cert.sign(keys.privateKey, forge.md.sha256.create());
const p7 = forge.pkcs7.createSignedData();
p7.content = forge.util.createBuffer('{}');
p7.addCertificate(cert);
p7.addSigner({ key: keys.privateKey, certificate: cert, digestAlgorithm: forge.pki.oids.sha256, authenticatedAttributes: [
  { type: forge.pki.oids.contentType, value: forge.pki.oids.data },
  { type: forge.pki.oids.messageDigest },
  { type: forge.pki.oids.signingTime, value: new Date() },
] });
p7.sign({ detached: true });
const asn1 = p7.toAsn1();
writeFileSync('signature', Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'latin1'));
writeFileSync('manifest.json', '{}');
writeFileSync('cert.pem', forge.pki.certificateToPem(cert));
const signerInfo = asn1.value[1].value[0].value.at(-1).value[0];
const attributes = signerInfo.value.find((part) => part.tagClass === 128).value;
const encoded = attributes.map((one) => Buffer.from(forge.asn1.toDer(one).getBytes(), 'latin1'));
const sorted = encoded.every((one, at) => at === 0 || Buffer.compare(encoded[at - 1], one) <= 0);
console.log(`attributes: ${attributes.map((one) => forge.asn1.derToOid(one.value[0].value)).join(' ')}`);
console.log(`in DER order: ${sorted}`);
JS
seen=$(node run.cjs)
printf '%s\n' "$seen"
openssl cms -verify -binary -inform DER -in signature -content manifest.json -CAfile cert.pem -purpose any -out /dev/null 2>&1 | tee verified
grep -qx 'in DER order: false' <<<"$seen"
grep -qi 'verification successful' verified
