/** One thing wrong with a pass file. `where` is an entry of the file, with a path inside it: `pass.json: nfc`. */
export interface PkpassFinding {
  readonly rule: RuleId;
  readonly level: RuleLevel;
  readonly message: string;
  readonly where?: string;
}

/** error: Wallet refuses the pass or shows it wrong. warning: it opens, but probably not as meant. */
export type RuleLevel = 'error' | 'warning';

/** The files of a pass: entry name → contents. */
export type PassFiles = ReadonlyMap<string, Buffer>;

/** Records one finding; the rule's level comes from the table. */
export type Report = (rule: RuleId, message: string, where?: string) => void;

/** Every rule of the validator. The ids are stable: tests and documentation refer to them. */
export const rules = {
  // The zip container.
  'zip-unreadable': error(
    'The file is a zip archive with an intact directory, with nothing before or after it.',
  ),
  'zip-encrypted': error('No entry is encrypted.'),
  'zip-zip64': error('The archive does without ZIP64.'),
  'zip-duplicate-name': error('No two entries have the same name.'),
  'zip-unsafe-path': error('Names are relative, with forward slashes, and do not leave the archive.'),
  'zip-name-encoding': warning('Names beyond ASCII are UTF-8 and marked as such.'),
  'zip-method': error('Entries are stored (0) or deflated (8).'),
  'zip-corrupt': error("Every entry's contents fit its size and CRC."),
  'zip-headers-disagree': error('Each local header says the same as the directory.'),
  'zip-too-many-entries': error('The archive has no more entries than a pass can need.'),
  'zip-too-large': error('The contents do not inflate beyond what a pass can need.'),
  'zip-directory-entry': warning('There are no entries for directories.'),

  // The files of a pass.
  'pass-json-missing': error('pass.json is at the root, in exactly this spelling.'),
  'manifest-missing': error('manifest.json is at the root.'),
  'signature-missing': error('signature is at the root.'),
  'wrapper-folder': error('The contents of the pass folder are zipped, not the folder.'),
  'stray-file': error('No .DS_Store, __MACOSX or similar files of the operating system.'),
  'unexpected-file': warning('Every file is one that Wallet reads.'),
  'icon-missing': error('There is an icon.png, in some resolution.'),
  'icon-resolution': warning('The icon exists as @2x and @3x.'),

  // manifest.json.
  'manifest-invalid': error('manifest.json is a JSON object without duplicate keys.'),
  'manifest-hash-format': error('Each value is the SHA-1 as 40 lower-case hexadecimal digits.'),
  'manifest-file-unlisted': error('Every file except manifest.json and signature is listed.'),
  'manifest-file-absent': error('Every listed file is in the archive.'),
  'manifest-hash-mismatch': error("Each hash is that of the file's bytes."),

  // Images.
  'image-invalid': error('Every .png is a complete PNG, every .pdf a complete PDF.'),
  'image-fallback': warning('An image as PDF, new in iOS 27, has a PNG next to it.'),
  'image-size': warning('No image is larger than its place on the pass.'),
  'image-poster': warning('A poster has its artwork, in exactly the size of the card.'),
  'image-unused': warning('The style of the pass shows the image.'),
  'image-shadowed': warning('No image exists both at the root and in an .lproj folder.'),
  'image-resolutions-differ': warning('All .lproj folders have an image in the same resolutions.'),

  // The signature: CMS.
  'signature-unreadable': error('signature is a CMS SignedData, in DER or BER.'),
  'signature-not-detached': error('The signature does not contain the manifest.'),
  'signature-version': error(
    'SignedData and SignerInfo have the version that fits how they name the signer.',
  ),
  'signature-key-identifier': warning('The signer is named by issuer and serial number, as Apple names it.'),
  'signature-signer-count': error('There is exactly one signer.'),
  'signature-digest-algorithm': error('The digest is SHA-1 or SHA-256, the same in both places.'),
  'signature-algorithm': error('The signature algorithm is RSA with PKCS #1 v1.5 padding.'),
  'signature-attributes': error('Signed attributes exist and none is repeated.'),
  'signature-content-type': error('The signed content type is id-data.'),
  'signature-digest-mismatch': error('The signed digest is that of manifest.json.'),
  'signature-time-missing': error('The signing time is among the signed attributes.'),
  'signature-time-range': error(
    'The signing time is not in the future and within the validity of the certificate.',
  ),
  'signature-attribute-order': warning('The signed attributes are in DER, and in its order.'),
  'signature-invalid': error("The signature verifies with the certificate's key."),

  // The signature: certificates.
  'certificate-missing': error("The signer's certificate is embedded."),
  'certificate-unreadable': error('Every embedded certificate can be read.'),
  'certificate-validity': error('The certificate is valid now.'),
  'certificate-weak-key': error('Certificate and intermediate have RSA keys of at least 2048 bits.'),
  'certificate-pass-type': error("The certificate is for the pass's type identifier."),
  'certificate-name': error('The common name is "Pass Type ID: " (or "… with NFC: ") and the identifier.'),
  'certificate-team': error("The certificate's organizational unit is the pass's team identifier."),
  'certificate-not-nfc': error('A pass with nfc is signed with an NFC certificate.'),
  'intermediate-missing': error('The WWDR intermediate is embedded.'),
  'intermediate-mismatch': error('The embedded intermediate issued the certificate: the right generation.'),
  'intermediate-not-wwdr': error("The issuer is Apple's Worldwide Developer Relations authority."),
  'intermediate-validity': error('The intermediate is valid now.'),
  'root-mismatch': error('The intermediate was issued by the expected root.'),

  // pass.json: form.
  'json-encoding': error('pass.json is UTF-8.'),
  'json-byte-order-mark': warning('pass.json and its kin begin without a byte order mark.'),
  'json-syntax': error('pass.json is a JSON object.'),
  'json-duplicate-key': error('No object has a key twice.'),
  'format-version': error('formatVersion is the number 1.'),
  'required-key': error('The required keys exist and are not empty.'),
  'key-type': error('Every value has the type that Wallet expects.'),
  'unknown-key': warning('Every key is one that Wallet knows: it ignores misspelt ones silently.'),
  'pass-type-identifier': error('passTypeIdentifier begins with "pass.".'),
  'team-identifier': error('teamIdentifier is 10 capital letters and digits.'),
  'style-count': error('There is one style, or posterGeneric and one other.'),
  'style-fallback': warning('posterGeneric, new in iOS 27, has an older style next to it.'),
  'transit-type': error('A boarding pass has a known transitType, and no other style has one.'),
  color: error('Colours are rgb(r, g, b) or #rrggbb.'),
  'app-launch-url': error('appLaunchURL comes with associatedStoreIdentifiers.'),
  'grouping-identifier': error('groupingIdentifier is only for boarding passes and event tickets.'),
  'web-service-url': error('webServiceURL is an absolute https URL without query and fragment.'),
  'web-service-local': warning('webServiceURL does not lead to the device itself over http.'),
  'authentication-token': error('authenticationToken has at least 16 characters, all safe in a header.'),
  'web-service-pair': error('webServiceURL and authenticationToken come together.'),
  'featured-action': warning('At most two featured actions, each with identifier, a known type and url.'),
  'nfc-message': error('nfc.message has 1 to 64 bytes.'),
  'nfc-key': error('nfc.encryptionPublicKey is a P-256 public key (base64 of its SubjectPublicKeyInfo).'),

  // pass.json: fields.
  'field-incomplete': error('Every field has a key and a value.'),
  'field-key-duplicate': error('Field keys are unique within the style.'),
  'field-option': error('Enumerated options have a value that Wallet knows.'),
  'field-date': error('A field with a date style has an ISO 8601 date with a time zone.'),
  'field-number': error('A field with a number style or currency has a number.'),
  'field-alignment': warning('textAlignment is not used in primary and back fields.'),
  'field-detectors': warning('dataDetectorTypes is used in back fields only.'),
  'field-change-message': warning('changeMessage contains %@, the place of the new value.'),
  'field-markup': warning('attributedValue has no markup but links.'),
  'field-row': error('row is 0 or 1, in auxiliary fields of event tickets only.'),
  'field-count': warning('No group has more fields than the style shows.'),

  // pass.json: barcodes.
  'barcode-format': error('The format is one that Wallet knows.'),
  'barcode-message': error('The message can be shown in the format.'),
  'barcode-encoding': error('The message can be written in messageEncoding.'),
  'barcode-fallback': warning('A format new in iOS 27 is followed by an older one.'),
  'barcode-watch': warning('A Code 128 barcode is followed by one that a watch can show.'),
  'barcode-deprecated': warning('barcodes is used; barcode alone is deprecated.'),

  // pass.json: relevance.
  'date-format': error('Dates are W3C date-times with a time zone.'),
  'date-range': error('A relevant interval has both ends, in order, within 24 hours.'),
  location: error('Latitude and longitude are on the globe.'),
  'location-count': error('There are at most 10 locations.'),
  beacon: error('Beacons have a UUID, and major and minor of 16 bits.'),
  'beacon-count': error('There are at most 10 different beacon UUIDs.'),

  // Further files.
  'personalization-incomplete': error('personalization.json, its logo, nfc and webServiceURL come together.'),
  'personalization-invalid': error('personalization.json has a description and known fields.'),
  'strings-encoding': error('pass.strings is UTF-8, or UTF-16 with a byte order mark.'),
  'strings-syntax': error('pass.strings is a list of "key" = "value"; or a property list of texts.'),
  'strings-keys-differ': warning('All languages translate the same keys.'),
  'strings-unused': warning('Every translated key is a text of pass.json.'),
  'language-folder': warning('Folders are named after a language: fr.lproj, zh-Hans.lproj.'),

  // Bundles (.pkpasses).
  'bundle-count': error('A bundle has at most 10 passes.'),
  'bundle-size': error('A bundle has at most 150 MB.'),
  'bundle-member': error('Every entry of a bundle is a .pkpass file.'),
  'bundle-nested': error('A bundle contains no bundle.'),
  'bundle-duplicate': warning('No two passes of a bundle have the same type and serial number.'),
} as const satisfies Record<string, { level: RuleLevel; about: string }>;

export type RuleId = keyof typeof rules;

function error(about: string): { level: 'error'; about: string } {
  return { level: 'error', about };
}

function warning(about: string): { level: 'warning'; about: string } {
  return { level: 'warning', about };
}
