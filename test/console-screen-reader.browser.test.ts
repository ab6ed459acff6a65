import { describe, it } from 'node:test';
import { consoleSkip } from './console.ts';
import { walkFirstDay } from './walk/first-day.ts';
import { withDay } from './walk/open-day.ts';
import { ScreenReader } from './walk/screen-reader.ts';

describe("a merchant's first day with a screen reader", { skip: consoleSkip }, () => {
  it('finds everything in the accessibility tree, and hears what came of it', () =>
    withDay(ScreenReader.start, walkFirstDay));
});
