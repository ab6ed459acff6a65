/** Whether a client that sends this Accept-Encoding takes gzip (RFC 9110 §12.5.3). */
export function takesGzip(acceptEncoding = ''): boolean {
  const codings = acceptEncoding.split(',').map((coding) => coding.toLowerCase().replaceAll(/\s/g, ''));
  const found =
    codings.find((coding) => /^gzip(?:;|$)/.test(coding)) ?? codings.find((one) => /^\*(?:;|$)/.test(one));
  return found !== undefined && !/;q=0(?:\.0*)?$/.test(found);
}
