/** A certificate, key or chain cannot be used for signing; the message says what is wrong and what to do. */
export class CertificateProblem extends Error {
  override readonly name = 'CertificateProblem';
}
