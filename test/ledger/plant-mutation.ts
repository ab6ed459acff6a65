import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { mutations } from './mutations.ts';

/*
 * Loaded before a program (`node --import`), it has the program run with the bug that LEDGER_MUTATION names: its files are
 * read with the edits in them. It fails where a file does not hold the text once, or is never read.
 */
const mutation = mutations.find(({ name }) => name === process.env.LEDGER_MUTATION);
assert.ok(mutation, `there is no mutation "${process.env.LEDGER_MUTATION}"`);
const project = new URL('../../', import.meta.url);
const waiting = new Set(mutation.edits);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const edits = mutation.edits.filter(({ file }) => new URL(file, project).href === url);
    if (edits.length === 0) return loaded;
    let source = Buffer.from(loaded.source as Uint8Array).toString();
    for (const edit of edits) {
      const parts = source.split(edit.text);
      assert.equal(
        parts.length,
        2,
        `${edit.file} has this not once, but ${parts.length - 1} times: ${edit.text}`,
      );
      source = parts.join(edit.replacement);
      waiting.delete(edit);
    }
    return { ...loaded, source };
  },
});

process.once('exit', () => {
  for (const { file } of waiting) console.error(`${file} was not read: the bug is not planted`);
});
