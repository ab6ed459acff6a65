import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { nearestOf } from './places.ts';

const at = (latitude: number, longitude: number) => ({ latitude, longitude });
const order = (places: { latitude: number; longitude: number }[], from: ReturnType<typeof at>) =>
  nearestOf(places, from).map((one) => one.at);

describe('the nearest places', () => {
  it('are ten, the nearest first', () => {
    const row = Array.from({ length: 40 }, (_, index) => at(0, index));
    assert.deepEqual(order(row, at(0, 20.4)), [20, 21, 19, 22, 18, 23, 17, 24, 16, 25]);
    assert.deepEqual(nearestOf([at(1, 2)], at(0, 0)), [{ place: at(1, 2), at: 0 }]);
    assert.deepEqual(nearestOf([], at(0, 0)), []);
  });

  it('are measured on a globe: over the date line, near a pole, and to the metre', () => {
    assert.deepEqual(order([at(0, 170), at(0, -179)], at(0, 179)), [1, 0]);
    // A degree of longitude is short in the north.
    assert.deepEqual(order([at(66, 25), at(70, 33)], at(70, 25)), [1, 0]);
    assert.deepEqual(order([at(89, 0), at(89, 180)], at(88, 180)), [1, 0]);
    assert.deepEqual(order([at(52.52002, 13.405), at(52.52001, 13.405)], at(52.52, 13.405)), [1, 0]);
  });

  it('are in the order of the list where they are equally near', () => {
    const place = fc.record({ latitude: fc.integer({ min: -2, max: 2 }), longitude: fc.constant(0) });
    fc.assert(
      fc.property(fc.array(place, { maxLength: 60 }), (places) => {
        const far = (index: number) => Math.abs(places[index]?.latitude ?? 0);
        const wanted = [...places.keys()].sort((one, other) => far(one) - far(other) || one - other);
        assert.deepEqual(order(places, at(0, 0)), wanted.slice(0, 10));
      }),
    );
  });
});
