import { describe, it } from 'node:test';
import { consoleSkip } from './console.ts';
import { walkFirstDay } from './walk/first-day.ts';
import { mouseWalker } from './walk/mouse.ts';
import { withDay } from './walk/open-day.ts';

describe("a merchant's first day in Chromium", { skip: consoleSkip }, () => {
  it('goes from the link of the first start to cards, points, a message and a colleague', () =>
    withDay(mouseWalker, walkFirstDay));
});
