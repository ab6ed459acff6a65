import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cpuMs } from '../../../test/cpu-ms.ts';
import { type ImageKind, sniffImage } from './sniff-image.ts';

const bmp = Buffer.concat([Buffer.from('BM'), Buffer.alloc(12), Buffer.from([40, 0, 0, 0])]);
const icon = Buffer.from([0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 0, 4, 0, 0, 22, 0, 0, 0]);
const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';

describe('sniffImage', () => {
  const known: readonly (readonly [kind: ImageKind, ...openings: (string | Buffer)[]])[] = [
    ['PNG', '\x89PNG\r\n\x1a\n', '\x89PNG\r\n\x1a\n<svg>'],
    ['JPEG', '\xff\xd8\xff\xe0', '\xff\xd8\xff\xdb'],
    ['WebP', 'RIFF\0\0\0\0WEBPVP8 ', 'RIFF<svgWEBP<svg>'],
    ['GIF', 'GIF87a', 'GIF89a/*'],
    ['AVIF', '\0\0\0\x1cftypavif', '\0\0\0\x1cftypavis'],
    ['HEIF', '\0\0\0\x18ftypheic', '\0\0\0\x18ftypmif1', '\0\0\0\x18ftyphevc'],
    ['TIFF', 'II*\0', 'MM\0*', 'II+\0', 'MM\0+'],
    ['BMP', bmp],
    ['ICO', icon, Buffer.from(icon).fill(2, 2, 3)],
    ['JPEG XL', '\xff\x0a', '\0\0\0\x0cJXL \r\n\x87\n'],
    ['JPEG 2000', '\0\0\0\x0cjP  \r\n\x87\n', '\xff\x4f\xff\x51'],
    ['PSD', '8BPS\0\x01'],
    ['PDF', '%PDF-1.4'],
    [
      'SVG',
      svg,
      '<svg>',
      '<SVG/>',
      ` \r\n\t${svg}`,
      `\u00ef\u00bb\u00bf${svg}`,
      `<?xml version="1.0" encoding="UTF-8"?>\n<!-- drawn > by hand -->\n${svg}`,
      `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg}`,
      `<!DOCTYPE svg [ <!ENTITY a "<b>"> <!ENTITY c "d"> ]>${svg}`,
      '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(svg, 'utf16le')]),
      Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(svg, 'utf16le').swap16()]),
    ],
  ];
  for (const [kind, ...openings] of known) {
    it(`knows ${kind}`, () => {
      for (const opening of openings) assert.equal(sniffImage(bytesOf(opening)), kind, String(opening));
    });
  }

  it('takes nothing else for an image', () => {
    const others = [
      '',
      '\x89PNG',
      '\x89PNG\r\n\x1a',
      '\xff\xd8',
      'RIFF',
      'RIFF\0\0\0\0WAVE',
      'RIFF\0\0\0\0WEB',
      '\0\0\0\x18ftypisom',
      '\0\0\0\x18ftypqt  ',
      'BM is short for bitmap, and this is a text.',
      'BM',
      '\0\0\x01\0',
      'II*',
      ' %PDF-1.4',
      '{"svg":"<svg>"}',
      '<!doctype html><html><body><svg></svg></body></html>',
      '<html><svg></svg></html>',
      '<?xml version="1.0"?><rss/>',
      '<svgs>',
      '<!-- <svg>',
      '<?xml <svg>',
      '<!DOCTYPE svg [ <svg>',
      'text <svg>',
      Buffer.from([0xff, 0xfe]),
      Buffer.from([0xfe, 0xff, 0]),
      Buffer.alloc(64),
    ];
    for (const other of others) assert.equal(sniffImage(bytesOf(other)), null, String(other));
  });

  it('is quick about what goes on and on', () => {
    for (const part of [' ', '<?x?>', '<!---->', '<!doctype a>', '<!doctype [', '<']) {
      const before = cpuMs();
      assert.equal(sniffImage(Buffer.from(part.repeat(4_000_000 / part.length))), null);
      assert.ok(cpuMs() - before < 200, part);
    }
  });
});

function bytesOf(opening: string | Buffer): Buffer {
  return typeof opening === 'string' ? Buffer.from(opening, 'latin1') : opening;
}
