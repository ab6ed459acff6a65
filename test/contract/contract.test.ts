import { after, describe, test } from 'node:test';
import { contents } from './contents.ts';
import { missing, openTarget } from './target.ts';
import { World } from './world.ts';

/** Every sentence of the contract, against the installation that the environment names or a service of its own. */
const target = await openTarget(process.env);
const world = new World(target);
const skipped = new Map<string, number>();
after(async () => {
  await world.leave();
  await target.outside?.close();
  await target.own?.close();
  for (const [reason, count] of skipped) console.log(`${count} sentences were not shown: ${reason}`);
});

for (const { title, sentences } of contents) {
  describe(title, () => {
    for (const { says, needs, prove } of sentences) {
      const reason = missing(needs, target);
      if (reason !== null) skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
      test(says, { skip: reason ?? false }, () => prove(world));
    }
  });
}
