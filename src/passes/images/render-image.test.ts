import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { validateImages } from '../../../tools/validator/validate-images.ts';
import { type ImageSlot, imageSlots } from '../pass-row.ts';
import {
  animatedPng,
  animatedWebp,
  fields,
  photo,
  plain,
  png,
  pngChunk,
  pngHeader,
  pngSignature,
} from './pictures.fixture.ts';
import { ImageRefused, type RenderedImage, renderImage } from './render-image.ts';

const least: Readonly<Record<ImageSlot, readonly [width: number, height: number]>> = {
  iconUrl: [87, 87],
  logoUrl: [50, 50],
  stripUrl: [375, 98],
  thumbnailUrl: [90, 90],
  backgroundUrl: [180, 220],
  heroUrl: [1032, 336],
  posterUrl: [358, 448],
};

describe('renderImage: sizes', () => {
  it('takes the least that a slot takes, and not one pixel less in either direction', async () => {
    for (const slot of imageSlots) {
      const [width, height] = least[slot];
      checkFiles(slot, await renderImage(slot, png({ width, height })));
      for (const [w, h] of [
        [width - 1, height],
        [width, height - 1],
        [width - 1, height + 500],
        [1, 1],
      ] as const) {
        const error = await refused(slot, png({ width: w, height: h }));
        assert.equal(error.reason, 'too_small', `${slot} ${w}×${h}`);
        assert.match(error.message, new RegExp(`${w}×${h} .*${width}×${height}`));
      }
    }
  });

  it('makes the files of each slot from a large image', async () => {
    const bytes = await photo(2400, 1600).jpeg().toBuffer();
    const files = async (slot: ImageSlot) => sizes(await renderImage(slot, bytes));
    assert.deepEqual(await files('iconUrl'), {
      shown: '512×512',
      'icon.png': '29×29',
      'icon@2x.png': '58×58',
      'icon@3x.png': '87×87',
    });
    assert.deepEqual(await files('logoUrl'), {
      shown: '225×150',
      'logo.png': '75×50',
      'logo@2x.png': '150×100',
      'logo@3x.png': '225×150',
      'primaryLogo.png': '45×30',
      'primaryLogo@2x.png': '90×60',
      'primaryLogo@3x.png': '135×90',
      'google-logo.png': '660×660',
    });
    assert.deepEqual(await files('stripUrl'), {
      shown: '1125×432',
      'strip.png': '375×144',
      'strip@2x.png': '750×288',
      'strip@3x.png': '1125×432',
      'google-hero.png': '1032×336',
    });
    assert.deepEqual(await files('thumbnailUrl'), {
      shown: '270×180',
      'thumbnail.png': '90×60',
      'thumbnail@2x.png': '180×120',
      'thumbnail@3x.png': '270×180',
    });
    assert.deepEqual(await files('backgroundUrl'), {
      shown: '540×660',
      'background.png': '180×220',
      'background@2x.png': '360×440',
      'background@3x.png': '540×660',
    });
    assert.deepEqual(await files('posterUrl'), {
      shown: '1074×1344',
      'artwork.png': '358×448',
      'artwork@2x.png': '716×896',
      'artwork@3x.png': '1074×1344',
    });
    assert.deepEqual(await files('heroUrl'), { shown: '1032×336', 'google-hero.png': '1032×336' });
  });

  it('leaves out what would have to be enlarged', async () => {
    const files = async (slot: ImageSlot, width: number, height: number) =>
      Object.keys((await renderImage(slot, png({ width, height }))).files);
    assert.deepEqual(await files('stripUrl', 749, 400), ['strip.png', 'google-hero.png']);
    assert.deepEqual(await files('stripUrl', 750, 400), ['strip.png', 'strip@2x.png', 'google-hero.png']);
    assert.deepEqual(await files('thumbnailUrl', 269, 269), ['thumbnail.png', 'thumbnail@2x.png']);
    assert.deepEqual(await files('backgroundUrl', 5000, 300), ['background.png']);
    assert.deepEqual(await files('logoUrl', 50, 50), ['logo.png', 'primaryLogo.png', 'google-logo.png']);
    assert.deepEqual(await files('posterUrl', 1_073, 4_000), ['artwork.png', 'artwork@2x.png']);
    assert.deepEqual(sizes(await renderImage('stripUrl', png({ width: 375, height: 98 }))), {
      shown: '375×98',
      'strip.png': '375×98',
      'google-hero.png': '301×98',
    });
  });

  it('fits whatever shape comes, and Wallet has nothing to say about it', async () => {
    const shapes = [
      [5000, 98],
      [375, 16_384],
      [1125, 294],
      [400, 98],
      [4000, 4000],
      [1500, 520],
      [50, 16_384],
      [16_384, 90],
      [91, 137],
      [137, 91],
      [160, 50],
      [487, 163],
    ] as const;
    for (const [width, height] of shapes) {
      for (const slot of imageSlots) {
        if (width < least[slot][0] || height < least[slot][1]) continue;
        checkFiles(slot, await renderImage(slot, png({ width, height, depth: 1, colour: 0 })));
      }
    }
  });

  it('takes the middle', async () => {
    const thirds = (width: number, height: number, isWide: boolean) =>
      plain(width, height, '#ff0000').composite([
        {
          input: {
            create: {
              width: isWide ? width / 3 : width,
              height: isWide ? height : height / 3,
              channels: 3 as const,
              background: '#0000ff',
            },
          },
        },
      ]);
    const icon = await renderImage('iconUrl', await thirds(900, 300, true).png().toBuffer());
    assert.deepEqual(await meanOf(icon, 'icon@3x.png'), [0, 0, 255]);
    const strip = await renderImage('stripUrl', await thirds(1125, 2100, false).png().toBuffer());
    for (const name of ['strip.png', 'strip@3x.png', 'google-hero.png']) {
      assert.deepEqual(await meanOf(strip, name), [0, 0, 255]);
    }
  });

  it("puts a logo into the middle of Google's circle, with 15 % left free, and cuts nothing off", async () => {
    const rendered = await renderImage('logoUrl', await plain(90, 60, '#336699').png().toBuffer());
    const { data, info } = await sharp(rendered.files['google-logo.png']?.bytes)
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.equal(info.channels, 4);
    const pixel = (x: number, y: number) => [...data.subarray((y * 660 + x) * 4, (y * 660 + x) * 4 + 4)];
    assert.deepEqual(pixel(330, 330), [0x33, 0x66, 0x99, 255]);
    // 462 by 308 in the middle.
    assert.deepEqual([pixel(98, 330)[3], pixel(99, 330)[3]], [0, 255]);
    assert.deepEqual([pixel(560, 330)[3], pixel(561, 330)[3]], [255, 0]);
    assert.deepEqual([pixel(330, 175)[3], pixel(330, 176)[3]], [0, 255]);
    assert.deepEqual([pixel(330, 483)[3], pixel(330, 484)[3]], [255, 0]);
  });

  it('keeps photos small, and flat art exact', async () => {
    const strip = await renderImage('stripUrl', await photo(1500, 600).jpeg({ quality: 95 }).toBuffer());
    const total = ['strip.png', 'strip@2x.png', 'strip@3x.png'].reduce(
      (sum, name) => sum + (strip.files[name]?.bytes.length ?? Number.NaN),
      0,
    );
    assert.ok(total < 900_000, `${total} bytes`);
    const poster = await renderImage('posterUrl', await photo(1_200, 1_500).jpeg({ quality: 95 }).toBuffer());
    const posters = Object.values(poster.files).reduce((sum, { bytes }) => sum + bytes.length, 0);
    assert.ok(posters < 1_400_000, `${posters} bytes`);
    const flat = await fields(1125, 432).png().toBuffer();
    const { shown } = await renderImage('stripUrl', flat);
    assert.ok(shown.bytes.length < 10_000, `${shown.bytes.length} bytes`);
    const [before, after] = [await pixelsOf(flat), await pixelsOf(shown.bytes)];
    assert.ok(before.equals(after));
  });
});

describe('renderImage: colours and turns', () => {
  it('reads every kind of PNG, JPEG and WebP, as the same colours', async () => {
    const source = plain(400, 300, '#336699');
    const inputs: Record<string, Promise<Buffer>> = {
      png: source.clone().png().toBuffer(),
      'interlaced png': source.clone().png({ progressive: true }).toBuffer(),
      'palette png': source.clone().png({ palette: true }).toBuffer(),
      '16-bit png': source.clone().toColourspace('rgb16').png().toBuffer(),
      jpeg: source.clone().jpeg().toBuffer(),
      'progressive jpeg': source.clone().jpeg({ progressive: true }).toBuffer(),
      'jpeg 4:4:4': source.clone().jpeg({ chromaSubsampling: '4:4:4', mozjpeg: true }).toBuffer(),
      'lossy webp': source.clone().webp().toBuffer(),
      'lossless webp': source.clone().webp({ lossless: true }).toBuffer(),
      'Display P3': source.clone().withIccProfile('p3').png().toBuffer(),
      'Display P3 jpeg': source.clone().withIccProfile('p3').jpeg().toBuffer(),
      'Display P3 webp': source.clone().withIccProfile('p3').webp().toBuffer(),
      'CMYK jpeg': source.clone().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer(),
      'CMYK jpeg with its profile': source
        .clone()
        .toColourspace('cmyk')
        .withIccProfile('cmyk')
        .jpeg({ quality: 95 })
        .toBuffer(),
    };
    for (const [name, bytes] of Object.entries(inputs)) {
      const rendered = await renderImage('iconUrl', await bytes);
      checkFiles('iconUrl', rendered);
      assertNear(
        await meanOf(rendered, 'icon@3x.png'),
        [0x33, 0x66, 0x99],
        name.startsWith('CMYK') ? 30 : 4,
        name,
      );
    }
  });

  it('keeps transparency where there is some, and grey as grey', async () => {
    const glass = await plain(200, 200, '#33669980').webp().toBuffer();
    assertNear(await meanOf(await renderImage('iconUrl', glass), 'icon.png'), [0x33, 0x66, 0x99, 0x80], 3);
    const opaque = await plain(200, 200, '#336699ff').png().toBuffer();
    assertNear(await meanOf(await renderImage('iconUrl', opaque), 'icon.png'), [0x33, 0x66, 0x99], 1);
    const grey = await plain(200, 200, '#777777').toColourspace('b-w').png().toBuffer();
    assertNear(await meanOf(await renderImage('iconUrl', grey), 'icon.png'), [0x77], 1);
    const logo = await sharp((await renderImage('logoUrl', grey)).files['google-logo.png']?.bytes).stats();
    assert.deepEqual([logo.isOpaque, logo.channels.at(0)?.max, logo.channels.at(-1)?.min], [false, 0x77, 0]);
    const grey16 = await plain(200, 200, '#777777').toColourspace('grey16').png().toBuffer();
    assertNear(await meanOf(await renderImage('iconUrl', grey16), 'icon.png'), [0x77], 1);
    const bits = png({ width: 200, height: 200, depth: 1, colour: 0 });
    assertNear(await meanOf(await renderImage('iconUrl', bits), 'icon.png'), [0], 0);
    const palette = png({ width: 200, height: 200, depth: 8, colour: 3 }, [
      pngChunk('PLTE', Buffer.from([0x33, 0x66, 0x99])),
      pngChunk('tRNS', Buffer.from([0x80])),
    ]);
    assertNear(await meanOf(await renderImage('iconUrl', palette), 'icon.png'), [0x33, 0x66, 0x99, 0x80], 3);
  });

  it('turns what Exif says is lying, in all eight ways and all three formats', async () => {
    for (let orientation = 1; orientation <= 8; orientation++) {
      for (const format of ['png', 'jpeg', 'webp'] as const) {
        const lying = fields(400, 260).withMetadata({ orientation });
        const bytes = await (format === 'jpeg'
          ? lying.jpeg({ chromaSubsampling: '4:4:4' })
          : lying.toFormat(format)
        ).toBuffer();
        const expected = await corners(sharp(bytes).autoOrient());
        const { shown } = await renderImage('thumbnailUrl', bytes);
        assert.deepEqual(await corners(sharp(shown.bytes)), expected, `${format} ${orientation}`);
        assert.equal(shown.width > shown.height, orientation < 5);
        assert.equal((await sharp(shown.bytes).metadata()).orientation, undefined);
      }
    }
  });

  it('holds a turned image against the slot as it is to be seen', async () => {
    const tall = await plain(98, 375).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    assert.deepEqual(sizes(await renderImage('stripUrl', tall))['strip.png'], '375×98');
    const wide = await plain(375, 98).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    assert.match((await refused('stripUrl', wide)).message, /98×375/);
  });

  it('takes the first frame of what moves', async () => {
    const webp = await renderImage('iconUrl', await animatedWebp(120, 120, 3));
    assertNear(await meanOf(webp, 'icon@3x.png'), [255, 0, 0], 3);
    const apng = await renderImage('iconUrl', animatedPng(120, 120));
    assert.deepEqual(await meanOf(apng, 'icon@3x.png'), [0, 0, 0]);
  });
});

describe('renderImage: nothing but pixels comes through', () => {
  const script = '<script>alert(document.domain)</script>';
  const secret = 'GPS 52.5200 13.4050';

  it('drops what is hidden in and behind an image', async () => {
    const clean = png({ width: 200, height: 200 });
    const inputs: Record<string, Buffer> = {
      'PNG, then a page': Buffer.concat([clean, Buffer.from(script)]),
      'PNG with a text': png({ width: 200, height: 200 }, [
        pngChunk('tEXt', Buffer.from(`Comment\0${script}`)),
      ]),
      'PNG with a chunk of its own': png({ width: 200, height: 200 }, [
        pngChunk('scRp', Buffer.from(script)),
      ]),
      'PNG, then a zip': Buffer.concat([clean, Buffer.from(`PK\u0003\u0004${script}`)]),
      JPEG: Buffer.concat([await plain(200, 200).jpeg().toBuffer(), Buffer.from(script)]),
      'JPEG with Exif': await plain(200, 200)
        .withExif({ IFD0: { Copyright: script, Artist: secret } })
        .jpeg()
        .toBuffer(),
      'WebP with Exif': await plain(200, 200)
        .withExif({ IFD0: { Copyright: script, Artist: secret } })
        .webp()
        .toBuffer(),
      'PNG with XMP': await plain(200, 200)
        .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${secret}${script}</x:xmpmeta>`)
        .png()
        .toBuffer(),
    };
    for (const [name, bytes] of Object.entries(inputs)) {
      const rendered = await renderImage('iconUrl', bytes);
      checkFiles('iconUrl', rendered);
      for (const file of [rendered.shown, ...Object.values(rendered.files)]) {
        assert.ok(!file.bytes.includes('script') && !file.bytes.includes('GPS'), name);
        const { exif, icc, xmp, comments } = await sharp(file.bytes).metadata();
        assert.deepEqual([exif, icc, xmp, comments], [undefined, undefined, undefined, undefined], name);
      }
    }
  });

  it('makes equal files of equal bytes', async () => {
    const bytes = await photo(1200, 500).jpeg().toBuffer();
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => renderImage('stripUrl', bytes)));
    for (const other of others) {
      for (const [name, { bytes }] of Object.entries(other.files)) {
        assert.ok(first?.files[name]?.bytes.equals(bytes), name);
      }
    }
  });
});

describe('renderImage: what is refused', () => {
  it('knows other formats by their bytes, and never loads them', async () => {
    const create = plain(400, 400);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400">';
    const inputs: Record<string, string | Buffer> = {
      GIF: await create.clone().gif().toBuffer(),
      'GIF that is a script too': `GIF89a/*${'\0'.repeat(20)}*/=1;alert(1)`,
      AVIF: await create.clone().avif({ effort: 0 }).toBuffer(),
      TIFF: await create.clone().tiff().toBuffer(),
      BMP: Buffer.concat([Buffer.from('BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0'), Buffer.alloc(40)]),
      ICO: Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0, 16, 16, 0, 0]), Buffer.alloc(20)]),
      PDF: '%PDF-1.7\n%âãÏÓ\n',
      'JPEG XL': Buffer.from('ff0a7f80c0', 'hex'),
      SVG: `${svg}<rect width="9" height="9"/></svg>`,
      'SVG that asks for a file': `${svg}<image href="file:///etc/passwd" width="9" height="9"/></svg>`,
      'SVG that asks the network': `${svg}<image href="http://169.254.169.254/latest"/></svg>`,
      'SVG with a script': `<?xml version="1.0"?>${svg}<script>alert(1)</script></svg>`,
      'SVG that laughs': `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>${svg}<text>&b;</text></svg>`,
    };
    for (const [name, bytes] of Object.entries(inputs)) {
      assert.equal((await refused('iconUrl', Buffer.from(bytes))).reason, 'unsupported_type', name);
    }
  });

  it('knows what is no image at all', async () => {
    const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join(
      '',
    );
    const inputs: Record<string, string | Buffer> = {
      nothing: '',
      'one byte': 'x',
      page: '<!doctype html><html><body><svg width="400" height="400"></svg></body></html>',
      JSON: '{"error":"not found"}',
      text: 'BM is short for bitmap.',
      laughs: `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY l0 "lol">${laughs}]><lolz>&l9;</lolz>`,
      'signature of PNG': pngSignature,
      'signature of JPEG': Buffer.from('ffd8ff', 'hex'),
      'signature of WebP': 'RIFF\x10\0\0\0WEBP',
      'WebP that draws':
        'RIFF    WEBP<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"></svg>',
      sound: 'RIFF\x10\0\0\0WAVEfmt ',
      film: '\0\0\0\x20ftypisom',
      'PNG without pixels': Buffer.concat([
        pngSignature,
        pngHeader({ width: 400, height: 400 }),
        pngChunk('IEND'),
      ]),
      'PNG without width': png({ width: 0, height: 400 }),
    };
    for (const [name, bytes] of Object.entries(inputs)) {
      const error = await refused(
        'iconUrl',
        typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes,
      );
      assert.equal(error.reason, 'not_an_image', name);
      assert.ok(error.message.length > 20);
    }
  });

  it('refuses what was cut off, wherever', async () => {
    const whole: Record<string, Buffer> = {
      png: await photo(300, 200).png().toBuffer(),
      'interlaced png': await photo(300, 200).png({ progressive: true }).toBuffer(),
      jpeg: await photo(300, 200).jpeg().toBuffer(),
      'progressive jpeg': await photo(300, 200).jpeg({ progressive: true }).toBuffer(),
      webp: await photo(300, 200).webp().toBuffer(),
      'lossless webp': await photo(300, 200).webp({ lossless: true }).toBuffer(),
    };
    for (const [name, bytes] of Object.entries(whole)) {
      const lengths = Array.from({ length: 25 }, (_, index) => Math.floor((bytes.length * index) / 25));
      for (const length of [...lengths, bytes.length - 13, bytes.length - 2, bytes.length - 1]) {
        const error = await refused('iconUrl', bytes.subarray(0, length));
        assert.equal(error.reason, 'not_an_image', `${name} cut after ${length} of ${bytes.length}`);
      }
    }
  });

  it('believes no header', async () => {
    const lying: Record<string, Buffer> = {
      'more rows than there are': png({ width: 400, height: 400 }, [], Buffer.alloc(300 * 1201)),
      'wrong checksum': flip(png({ width: 400, height: 400 }), 20),
      'broken pixels': flip(png({ width: 400, height: 400 }), 70),
      'depth that does not exist': png({ width: 400, height: 400, depth: 7 }),
      'colours that do not exist': png({ width: 400, height: 400, colour: 5 }),
      'palette without colours': png({ width: 400, height: 400, colour: 3 }),
      'length beyond the end': Buffer.concat([
        pngSignature,
        pngHeader({ width: 400, height: 400 }),
        Buffer.from('7fffffff49444154', 'hex'),
        Buffer.alloc(100),
      ]),
    };
    for (const [name, bytes] of Object.entries(lying)) {
      assert.equal((await refused('iconUrl', bytes)).reason, 'not_an_image', name);
    }
  });

  it('refuses bombs by their header, at once', async () => {
    await renderImage('iconUrl', png({ width: 100, height: 100 }));
    const header = { width: 16_000, height: 16_000, depth: 1, colour: 0 };
    const bomb = png(header);
    assert.ok(bomb.length < 32_000);
    const jpeg = await plain(200, 200).jpeg().toBuffer();
    // Height and width in the frame header.
    const frame = jpeg.indexOf(Buffer.from('ffc0', 'hex'));
    jpeg.writeUInt32BE(0xfde8_fde8, frame + 5);
    for (const bytes of [bomb, jpeg, png({ ...header, width: 5001, height: 5000 })]) {
      const took: number[] = [];
      for (let attempt = 0; attempt < 3; attempt++) {
        const started = performance.now();
        const error = await refused('iconUrl', bytes);
        took.push(performance.now() - started);
        assert.equal(error.reason, 'not_an_image');
        assert.match(error.message, /megapixels/);
      }
      // The process that draws gives way to all others: not every attempt need be quick.
      assert.ok(Math.min(...took) < 500, `${took} ms`);
    }
    checkFiles('iconUrl', await renderImage('iconUrl', png({ ...header, width: 5000, height: 5000 })));
  });

  it('refuses a side that no wallet could use, since lines are held whole', async () => {
    const wide = await refused('logoUrl', png({ width: 16_385, height: 50, depth: 1, colour: 0 }));
    assert.deepEqual([wide.reason, /16385×50.*16384/.test(wide.message)], ['not_an_image', true]);
    const tall = await refused('logoUrl', png({ width: 50, height: 16_385, depth: 1, colour: 0 }));
    assert.equal(tall.reason, 'not_an_image');
  });

  it('refuses what takes more memory than there is, and says how to make it less', async () => {
    const deep = png({ width: 5000, height: 5000, depth: 16, colour: 6 }, [], Buffer.alloc(10));
    assert.match((await refused('iconUrl', deep)).message, /200 MB.*8 bits/);
  });

  it('does not unfold texts that are packed into a PNG', async () => {
    const packed = deflateSync(Buffer.alloc(7_900_000, 65), { level: 9 });
    const texts = Array.from({ length: 300 }, (_, index) =>
      pngChunk('zTXt', Buffer.concat([Buffer.from(`k${index}\0\0`), packed])),
    );
    const started = process.memoryUsage().rss;
    checkFiles('iconUrl', await renderImage('iconUrl', png({ width: 200, height: 200 }, texts)));
    const grown = process.memoryUsage().rss - started;
    assert.ok(grown < 200_000_000, `${grown} bytes`);
  });
});

async function refused(slot: ImageSlot, bytes: Buffer): Promise<ImageRefused> {
  try {
    await renderImage(slot, bytes);
  } catch (error) {
    assert.ok(error instanceof ImageRefused, `${slot}: ${String(error)}`);
    return error;
  }
  return assert.fail(`${slot}: was taken`);
}

function sizes({ shown, files }: RenderedImage): Record<string, string> {
  const all = Object.entries({ shown, ...files });
  return Object.fromEntries(all.map(([name, { width, height }]) => [name, `${width}×${height}`]));
}

/** Styles of pass files that show an image; Google shows the others. */
const styles: Readonly<Record<ImageSlot, string | null>> = {
  iconUrl: 'storeCard',
  logoUrl: 'posterGeneric',
  stripUrl: 'storeCard',
  thumbnailUrl: 'generic',
  backgroundUrl: 'eventTicket',
  heroUrl: null,
  posterUrl: 'posterGeneric',
};

/** Every file is a PNG of the reported size, and Wallet would show it. */
function checkFiles(slot: ImageSlot, { shown, files }: RenderedImage): void {
  for (const { bytes, width, height } of [shown, ...Object.values(files)]) {
    assert.ok(bytes.subarray(0, 8).equals(pngSignature));
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [width, height]);
    assert.equal(bytes[24], 8);
  }
  const style = styles[slot];
  if (style === null) return;
  const resolvePass = Object.entries(files).filter(([name]) => !name.startsWith('google-'));
  assert.ok(resolvePass.length > 0 && resolvePass.length <= (slot === 'logoUrl' ? 6 : 3));
  const findings: string[] = [];
  validateImages(
    new Map(resolvePass.map(([name, { bytes }]) => [name, bytes])),
    { [style]: {} },
    (rule, message, where) => {
      // That a logo has no artwork with it is said of no file.
      if (where !== undefined) findings.push(`${rule} ${where}: ${message}`);
    },
  );
  assert.deepEqual(findings, []);
}

function pixelsOf(bytes: Buffer): Promise<Buffer> {
  return sharp(bytes).removeAlpha().raw().toBuffer();
}

async function meanOf(rendered: RenderedImage, name: string): Promise<number[]> {
  const { channels } = await sharp(rendered.files[name]?.bytes).stats();
  return channels.map(({ mean }) => Math.round(mean));
}

function assertNear(actual: readonly number[], expected: readonly number[], by: number, what = ''): void {
  assert.equal(actual.length, expected.length, `${what}: ${actual}`);
  for (const [index, value] of actual.entries()) {
    assert.ok(Math.abs(value - (expected[index] ?? Number.NaN)) <= by, `${what}: ${actual}, not ${expected}`);
  }
}

/** What colour is in each corner: 1 for each channel that is bright. */
async function corners(picture: Sharp): Promise<string[]> {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) =>
    [0, 1, 2].map((c) => ((data[(y * info.width + x) * info.channels + c] ?? 0) > 127 ? '1' : '0')).join('');
  const [right, bottom] = [info.width - 10, info.height - 10];
  return [at(9, 9), at(right, 9), at(9, bottom), at(right, bottom)];
}

function flip(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 0xff;
  return changed;
}
