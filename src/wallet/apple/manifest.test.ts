import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { manifestJson, passFile, prepareImage } from './manifest.ts';

const png = Buffer.from('89504e470d0a1a0a00', 'hex');

describe('passFile', () => {
  it('carries SHA-1 and CRC-32 of the bytes', () => {
    const { sha1, crc32 } = passFile('pass.json', Buffer.from('abc'));
    assert.equal(sha1, 'a9993e364706816aba3e25717850c26c9cd0d89d');
    assert.equal(crc32, 0x352441c2);
  });
});

describe('prepareImage', () => {
  it('takes the image names of Wallet, localised too', () => {
    const names = [
      'icon.png',
      'logo@2x.png',
      'strip@3x.png',
      'zh-Hans.lproj/logo.png',
      'es-419.lproj/logo.png',
    ];
    for (const name of names) assert.equal(prepareImage(name, png).name, name);
  });

  it('refuses other names', () => {
    const names = [
      'icon',
      'icon.jpg',
      'icon@4x.png',
      '../icon.png',
      '/icon.png',
      'a/icon.png',
      'Xicon.png\n',
      '.png',
    ];
    for (const name of names) assert.throws(() => prepareImage(name, png), /no image name of a pass/);
  });

  it('refuses bytes that are no PNG', () => {
    assert.throws(() => prepareImage('icon.png', Buffer.from('GIF89a')), /icon\.png is not a PNG/);
  });
});

describe('manifestJson', () => {
  it('maps each path to its hash, in the order of the files', () => {
    const files = [passFile('pass.json', Buffer.from('abc')), passFile('icon.png', Buffer.alloc(0))];
    assert.equal(
      manifestJson(files).toString(),
      '{"pass.json":"a9993e364706816aba3e25717850c26c9cd0d89d",' +
        '"icon.png":"da39a3ee5e6b4b0d3255bfef95601890afd80709"}',
    );
  });
});
