/** The smaller of the two codings that a client takes; null where it takes none of them. */
export function bestCoding(acceptEncoding: string | undefined): 'br' | 'gzip' | null {
  if (/(?:^|,)\s*br\s*(?:,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|$)/i.test(acceptEncoding ?? '')) return 'br';
  return takesGzip(acceptEncoding) ? 'gzip' : null;
}

/** Whether a client that sends this Accept-Encoding takes gzip (RFC 9110 §12.5.3). */
export function takesGzip(acceptEncoding = ''): boolean {
  const codings = acceptEncoding.split(',').map((coding) => coding.toLowerCase().replaceAll(/\s/g, ''));
  const found =
    codings.find((coding) => /^gzip(?:;|$)/.test(coding)) ?? codings.find((one) => /^\*(?:;|$)/.test(one));
  return found !== undefined && !/;q=0(?:\.0*)?$/.test(found);
}
