import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { readableLine } from './readable-line.ts';

const at = { time: Date.UTC(2026, 10, 23, 9, 8, 7, 65), pid: 7, hostname: 'till' };
const shown = (fields: object) =>
  stripVTControlCharacters(readableLine(JSON.stringify({ ...at, ...fields })));

test('an answer is one short line', () => {
  const facts = { requestId: 'req_7', op: 'getPass', method: 'GET', route: '/passes/{passId}', status: 404 };
  assert.equal(
    shown({ level: 30, ...facts, code: 'pass_not_found', ms: 1.5, keyId: 'key_1', msg: 'answered' }),
    '09:08:07.065 info  answered GET /passes/{passId} 404 1.5 ms getPass req_7 code="pass_not_found" keyId="key_1"\n',
  );
  const unknown = { level: 30, op: null, method: null, route: null, status: 400, ms: 0, msg: 'answered' };
  assert.equal(shown(unknown), '09:08:07.065 info  answered 400 0 ms\n');
});

test('an error has its stack below, and nothing in it steers the terminal', () => {
  const err = { type: 'Error', message: 'x', stack: 'Error: \u001b[2J\u0007x\n    at db.ts:9' };
  assert.equal(
    shown({ level: 50, job: 'sendInvites', err, msg: 'a turn failed' }),
    '09:08:07.065 error a turn failed job="sendInvites"\n    Error:  x\n        at db.ts:9\n',
  );
});
