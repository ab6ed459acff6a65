import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../api-error.ts';
import { oneFile } from './one-file.ts';

const boundary = 'XX';
const type = `multipart/form-data; boundary=${boundary}`;
const disposition = 'Content-Disposition: form-data; name="file"; filename="a.png"';

function part(head: string, content: string | Buffer, mark = boundary): Buffer {
  return Buffer.concat([Buffer.from(`--${mark}\r\n${head}\r\n\r\n`), Buffer.from(content), crlf]);
}
const crlf = Buffer.from('\r\n');
const end = (mark = boundary) => Buffer.from(`--${mark}--\r\n`);
const whole = (...parts: Buffer[]) => Buffer.concat([...parts, end()]);

function refusalOf(body: Buffer, contentType = type): string {
  try {
    return `read: ${oneFile(body, contentType).toString().slice(0, 40)}`;
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.code, 'invalid_request');
    return error.message;
  }
}

describe('a form with one file', () => {
  it('is read as a browser, and as other clients send it', async () => {
    const form = new FormData();
    form.append('anything', new Blob([Buffer.from('\r\n--hello\r\n\0')], { type: 'image/png' }), 'a "b".png');
    const sent = new Response(form);
    const contentType = sent.headers.get('content-type') ?? '';
    const body = Buffer.from(await sent.arrayBuffer());
    assert.equal(oneFile(body, contentType).toString(), '\r\n--hello\r\n\0');

    const read = (bytes: Buffer, given = type) => oneFile(bytes, given).toString();
    const plain = whole(part(disposition, 'hello'));
    assert.equal(read(plain), 'hello');
    assert.equal(read(plain, 'Multipart/Form-Data;charset=utf-8; BOUNDARY="XX"'), 'hello');
    assert.equal(read(whole(part('content-disposition: form-data; name=x', 'hello'))), 'hello');
    assert.equal(read(whole(part(disposition, ''))), '');
    const spaced = '--=_Part (1):?/ .x';
    const javaMail = Buffer.concat([part(disposition, 'hello', spaced), end(spaced)]);
    assert.equal(read(javaMail, `multipart/form-data; boundary="${spaced}"`), 'hello');
    const wrapped = Buffer.concat([
      Buffer.from('for old programs\r\n'),
      plain,
      Buffer.from('the end\r\n--XX\r\n'),
    ]);
    assert.equal(read(wrapped), 'hello');
    assert.equal(read(Buffer.from(`--XX  \r\n${disposition}\r\n\r\nhello\r\n--XX--`)), 'hello');
  });

  it('that holds another form is that, whatever it holds', () => {
    const inner = Buffer.concat([part(disposition, 'hello', 'YY'), end('YY')]);
    const outer = whole(part('Content-Type: multipart/mixed; boundary=YY', inner));
    assert.equal(oneFile(outer, type).toString(), inner.toString());
  });
});

describe('a form that is refused', () => {
  it('has no file, or several', () => {
    assert.match(refusalOf(end()), /holds no file/);
    const file = part(disposition, 'hello');
    assert.match(refusalOf(whole(file, file)), /several parts/);
    assert.match(refusalOf(whole(part('Content-Disposition: form-data; name="csrf"', 'x'), file)), /several/);
    assert.match(refusalOf(Buffer.concat(Array.from({ length: 300_000 }, () => file))), /several parts/);
  });

  it('is cut off at any byte', () => {
    const sent = whole(part(disposition, 'hello'));
    const least = sent.indexOf('\r\n--XX--') + '\r\n--XX--'.length;
    for (let length = 0; length < least; length++)
      assert.doesNotMatch(refusalOf(sent.subarray(0, length)), /^read/);
  });

  it('is of another boundary, or of none that can be', () => {
    const other = Buffer.concat([part(disposition, 'hello', 'YY'), end('YY')]);
    assert.match(refusalOf(other), /of that boundary/);
    const sent = whole(part(disposition, 'hello'));
    for (const parameter of [
      '',
      '; boundary=',
      '; boundary=""',
      `; boundary=${'a'.repeat(71)}`,
      '; xboundary=XX',
    ])
      assert.match(refusalOf(sent, `multipart/form-data${parameter}`), /needs a `boundary`/, parameter);
  });

  it('has headers without an end, or too many of them', () => {
    assert.match(refusalOf(Buffer.from(`--XX\r\n${disposition}\r\nhello\r\n--XX--\r\n`)), /cut off/);
    assert.match(refusalOf(whole(part(`X: ${'y'.repeat(20_000)}`, 'hello'))), /cut off/);
    assert.match(refusalOf(whole(part('X: y\r\n'.repeat(10_000), 'hello'))), /cut off/);
    const headless = Buffer.concat([
      Buffer.from(`--XX\r\n${disposition}\r\n`),
      part(disposition, 'hello'),
      end(),
    ]);
    assert.match(refusalOf(headless), /cut off/);
    assert.match(refusalOf(Buffer.from('--XX\n\nhello\n--XX--\n')), /cut off/);
  });
});

it('a file of almost nothing but the boundary is not copied', () => {
  const mark = `${'-'.repeat(68)}xy`;
  const contentType = `multipart/form-data; boundary=${mark}`;
  const almost = Buffer.alloc(20 * 1_048_576, `\r\n--${mark.slice(0, -1)}`);
  const body = Buffer.concat([part(disposition, almost, mark), end(mark)]);
  const file = oneFile(body, contentType);
  assert.equal(file.length, almost.length);
  assert.equal(file.buffer, body.buffer);
});
