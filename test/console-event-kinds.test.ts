import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { eventTypes } from '../src/events/event-kinds.ts';

it('the console offers every kind of event as a filter', async () => {
  const page = await readFile(new URL('../web/console/developers/events-page.tsx', import.meta.url), 'utf8');
  for (const type of eventTypes) assert.ok(page.includes(`  '${type}',\n`), type);
});
