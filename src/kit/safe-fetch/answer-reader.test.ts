import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AnswerReader } from './answer-reader.ts';

/** What is told of bytes that come in pieces: `status body`, with `+` where the connection can be used again, `?` where there is no end. */
function read(...pieces: readonly string[]): string[] {
  const told: string[] = [];
  let current: string | null = null;
  const reader = new AnswerReader({
    onHead(status, retryAfter) {
      current = `${status}${retryAfter === undefined ? '' : ` after ${retryAfter}`} `;
    },
    onBody(bytes) {
      current += bytes.toString();
    },
    onEnd(isReusable) {
      told.push(`${current}${isReusable ? '+' : ''}`);
      current = null;
    },
  });
  for (const piece of pieces) reader.read(Buffer.from(piece, 'latin1'));
  return current === null ? told : [...told, `${current}?`];
}

const answers: Readonly<Record<string, string>> = {
  'HTTP/1.1 204 No Content\r\n\r\n': '204 +',
  'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n': '200 +',
  'HTTP/1.1 200 OK\r\ncontent-length:5\r\n\r\nfive!': '200 five!+',
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nfive!': '200 five!+',
  'HTTP/1.1 503 Busy\r\nRetry-After:  7 \r\nContent-Length: 1\r\n\r\nx': '503 after 7 x+',
  'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx': '200 x',
  'HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 1\r\n\r\nx': '200 x',
  'HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx': '200 x',
  'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n': '304 +',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx':
    '200 x+',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nfiv\r\n2;a="b"\r\ne!\r\n0\r\n\r\n': '200 five!+',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n00A\r\n0123456789\r\n0\r\nDigest: x\r\n\r\n':
    '200 0123456789+',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n1\r\nx\r\n0\r\n\r\n': '200 x',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nContent-Length: 3\r\n\r\nuntil it closes':
    '200 until it closes?',
  'HTTP/1.1 200 OK\r\n\r\nuntil it closes': '200 until it closes?',
  'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf': '200 half?',
  'HTTP/1.1 200 OK\r\nX-Odd: caf\xe9\t!\r\nContent-Length: 1\r\n\r\nx': '200 x+',
};

const broken: readonly string[] = [
  'secret words\r\n\r\n',
  'HTTP/2 200 OK\r\n\r\n',
  'HTTP/1.1 2000 OK\r\n\r\n',
  'HTTP/1.1 099 OK\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n',
  'HTTP/1.1 200 OK\nContent-Length: 1\r\n\r\nx',
  'HTTP/1.1 200 OK\r\nContent-Length: 1\rX: y\r\n\r\nx',
  'HTTP/1.1 200 OK\r\nX: \0\r\n\r\n',
  'HTTP/1.1 200 OK\r\n folded: 1\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\nx',
  'HTTP/1.1 200 OK\r\nno field\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
  'HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\nx',
  'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx',
  'HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\nx',
  'HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999\r\n\r\nx',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\nx\r\n0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100000001\r\nx',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxyz0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\xa0\r\n\r\n1\r\nx\r\n0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 1\xa0\r\n\r\nx',
  `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}`,
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}`,
];

describe('AnswerReader', () => {
  it('tells status and body, and whether the connection can be used again', () => {
    for (const [text, told] of Object.entries(answers)) assert.deepEqual(read(text), [told], text);
  });

  it('does so wherever the bytes are cut', () => {
    for (const [text, told] of Object.entries(answers)) {
      for (let at = 1; at < text.length; at++)
        assert.deepEqual(read(text.slice(0, at), text.slice(at)), [told], `${text} at ${at}`);
      assert.deepEqual(read(...text), [told], text);
    }
  });

  it('reads the answers of a connection one after the other', () => {
    const all = Object.entries(answers).filter(([, told]) => told.endsWith('+'));
    assert.deepEqual(
      read(...all.map(([text]) => text)),
      all.map(([, told]) => told),
    );
  });

  it('does not have a connection used again on which more comes than was asked for', () => {
    const one = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx';
    assert.deepEqual(read(`${one}${one}`), ['200 x']);
    assert.deepEqual(read('HTTP/1.1 204 No Content\r\n\r\n\r\n'), ['204 ']);
  });

  it('refuses what is no answer, or can be read in two ways', () => {
    for (const text of broken) {
      assert.throws(() => read(text), /is not HTTP/, text.slice(0, 100));
      assert.throws(() => read(...text), /is not HTTP/, text.slice(0, 100));
    }
  });

  it('reads no more of what frames an answer than that could be in earnest', () => {
    const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    const more = 'x'.repeat(10_000);
    const endless = {
      announcements: ['', `HTTP/1.1 100 Continue\r\nX: ${more}\r\n\r\n`],
      trailers: [`${chunked}0\r\n`, `X: ${more}\r\n`],
      extensions: [chunked, `1;${more}\r\nx\r\n`],
    };
    for (const [what, [before = '', again = '']] of Object.entries(endless)) {
      read(before, ...Array.from({ length: 20 }, () => again));
      assert.throws(() => read(before, ...Array.from({ length: 30 }, () => again)), /is not HTTP/, what);
    }
  });
});
