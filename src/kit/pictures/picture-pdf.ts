/** A sheet of paper, in points. */
interface Paper {
  readonly width: number;
  readonly height: number;
}

/** ISO 216. */
export const A4: Paper = { width: 595.28, height: 841.89 };

/** A JPEG of three colours, and its size in pixels. */
export interface Jpeg {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * A PDF of one page that a picture fills (ISO 32000-1, §7.5 and §8.9.5): what was drawn once looks the same in print, in
 * every script. Equal pictures give equal bytes.
 */
export function picturePdf({ bytes, width, height }: Jpeg, paper: Paper, title: string): Buffer {
  const content = `q ${paper.width} 0 0 ${paper.height} 0 0 cm /Picture Do Q`;
  const utf16 = Buffer.from(`\ufeff${title}`, 'utf16le').swap16().toString('hex');
  const objects: readonly (string | readonly [string, Buffer])[] = [
    '<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /DisplayDocTitle true >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${paper.width} ${paper.height}] /Contents 4 0 R /Resources << /XObject << /Picture 5 0 R >> >> >>`,
    [`<< /Length ${content.length} >>`, Buffer.from(content)],
    [
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${bytes.length} >>`,
      bytes,
    ],
    `<< /Title <${utf16}> >>`,
  ];
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const places: number[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  for (const [at, object] of objects.entries()) {
    places.push(length);
    const [dictionary, stream] = typeof object === 'string' ? [object, null] : object;
    add(Buffer.from(`${at + 1} 0 obj\n${dictionary}\n`));
    if (stream !== null) {
      add(Buffer.from('stream\n'));
      add(stream);
      add(Buffer.from('\nendstream\n'));
    }
    add(Buffer.from('endobj\n'));
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  add(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
