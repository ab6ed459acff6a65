import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BufferedBody, FairRoom } from './fair-room.ts';

interface Guest extends BufferedBody {
  readonly name: string;
}

/** A room of 12, who was evicted from it, and how to let a body in. */
function open() {
  const room = new FairRoom<Guest>(12);
  const evicted: string[] = [];
  const enter = (name: string, size = 1): Guest => {
    const guest = { name, caller: name.replace(/\d+$/, ''), size, evict: () => void evicted.push(name) };
    room.enter(guest);
    return guest;
  };
  return { room, evicted, enter, inside: () => [...room.occupants()].map(({ name }) => name) };
}

test('no caller takes more than half of the room: the oldest of its bodies goes', () => {
  const { evicted, enter, inside } = open();
  for (let n = 1; n <= 8; n++) enter(`ada${n}`);
  assert.deepEqual(evicted, ['ada1', 'ada2']);
  assert.equal(inside().length, 6);
});

test('where the room is full, the greediest loses the oldest, and callers with little keep theirs', () => {
  const { evicted, enter, inside } = open();
  enter('bea1');
  for (let n = 1; n <= 6; n++) enter(`ada${n}`);
  for (let n = 1; n <= 5; n++) enter(`eve${n}`);
  assert.deepEqual(evicted, []);
  enter('eve6');
  enter('zoe1');
  assert.deepEqual(evicted, ['ada1', 'eve1']);
  assert.ok(inside().includes('bea1') && inside().includes('zoe1'));
});

test('among callers who have as much the one who came first goes', () => {
  const { evicted, enter } = open();
  const names = [...'abcdefghijklmnop'];
  for (const name of names) enter(name);
  assert.deepEqual(evicted, names.slice(0, 4));
});

test('who grows makes room as who enters does, and may have to go itself', () => {
  const { room, evicted, enter } = open();
  const ada = enter('ada1');
  const bea = enter('bea1');
  enter('eve1');
  room.grow(ada, 4);
  room.grow(bea, 5);
  assert.deepEqual(evicted, []);
  room.grow(ada, 1);
  assert.deepEqual(evicted, ['ada1']);
  room.grow(bea, 1);
  assert.deepEqual(evicted, ['ada1', 'bea1']);
  enter('zoe1', 7);
  assert.deepEqual(evicted, ['ada1', 'bea1', 'zoe1']);
});

test('who has left, or was evicted, takes no room and is not evicted again', () => {
  const { room, evicted, enter, inside } = open();
  const gone = [enter('ada1', 3), enter('ada2', 3)];
  for (const guest of [...gone, ...gone]) room.leave(guest);
  for (const guest of gone) room.grow(guest, 12);
  for (let n = 1; n <= 6; n++) enter(`bea${n}`);
  for (let n = 1; n <= 6; n++) enter(`eve${n}`);
  assert.deepEqual(evicted, []);
  assert.equal(inside().length, 12);
});
