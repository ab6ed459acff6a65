import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type ErrorCode, errors } from '../src/errors.ts';
import type { Reply } from './client.ts';

/** Writes bytes that no HTTP client would send, and reads the one answer. */
export function sendRaw(url: string, bytes: string): Promise<Reply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const [statusLine = '', ...lines] = head.split('\r\n');
      const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
      const reply = {
        status: Number(statusLine.split(' ')[1]),
        headers,
        body: JSON.parse(body),
        text: body,
      };
      assert.equal(headers.get('x-request-id'), reply.body.requestId);
      assert.equal(reply.status, errors[reply.body.code as ErrorCode][0]);
      resolve(reply);
    });
  });
}
