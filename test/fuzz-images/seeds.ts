import {
  animatedPng,
  animatedWebp,
  photo,
  plain,
  png,
  pngChunk,
} from '../../src/passes/images/pictures.fixture.ts';

/** Good pictures of every kind that is taken, for a fuzzer to break. */
export function seedPictures(): Promise<Buffer[]> {
  const small = photo(140, 110);
  const glass = plain(160, 120, '#33669980');
  const exif = { IFD0: { Copyright: 'Nobody', Software: 'None' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } };
  return Promise.all([
    small.clone().png().toBuffer(),
    small.clone().png({ progressive: true }).toBuffer(),
    small.clone().png({ palette: true }).toBuffer(),
    small.clone().toColourspace('rgb16').png().toBuffer(),
    small.clone().toColourspace('b-w').png().toBuffer(),
    small.clone().withIccProfile('p3').withExif(exif).png().toBuffer(),
    glass.clone().png().toBuffer(),
    glass.clone().toColourspace('rgb16').png({ progressive: true }).toBuffer(),
    png({ width: 200, height: 150, depth: 1, colour: 0 }),
    png(
      { width: 200, height: 150, depth: 4, colour: 3, interlaced: true },
      [pngChunk('PLTE', Buffer.from([9, 8, 7, 6, 5, 4])), pngChunk('tRNS', Buffer.from([128]))],
      Buffer.alloc(40_000),
    ),
    animatedPng(120, 120),
    png({ width: 1100, height: 400 }),
    small.clone().jpeg().toBuffer(),
    small.clone().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    small.clone().jpeg({ mozjpeg: true }).toBuffer(),
    small.clone().toColourspace('b-w').jpeg().toBuffer(),
    small.clone().toColourspace('cmyk').jpeg().toBuffer(),
    small.clone().toColourspace('cmyk').withIccProfile('cmyk').jpeg({ progressive: true }).toBuffer(),
    small.clone().withIccProfile('p3').withExif(exif).jpeg().toBuffer(),
    ...[3, 6].map((orientation) => small.clone().withMetadata({ orientation }).jpeg().toBuffer()),
    plain(1100, 400).jpeg({ progressive: true }).toBuffer(),
    small.clone().webp().toBuffer(),
    small.clone().webp({ lossless: true, effort: 0 }).toBuffer(),
    small.clone().webp({ nearLossless: true }).toBuffer(),
    small.clone().withIccProfile('p3').withExif(exif).webp().toBuffer(),
    glass.clone().webp().toBuffer(),
    glass.clone().webp({ lossless: true }).toBuffer(),
    animatedWebp(120, 100, 3),
    plain(1100, 400).webp().toBuffer(),
  ]);
}
