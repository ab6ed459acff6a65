import { readFileSync } from 'node:fs';

/**
 * Loaded into a process before everything else, by `--import`: its clock is wrong by as many milliseconds as the file of
 * CRASH_CLOCK says. What counts time without a date, such as a timer, runs as before.
 */
const file = process.env.CRASH_CLOCK ?? '';
const RealDate = Date;
let offset = read();
setInterval(() => {
  offset = read();
}, 50).unref();

const now = () => RealDate.now() + offset;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, asked) => Reflect.construct(target, args.length === 0 ? [now()] : args, asked),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

/** Half written, or not there: as it was. */
function read(): number {
  try {
    const said = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return Number.isNaN(said) ? (offset ?? 0) : said;
  } catch {
    return offset ?? 0;
  }
}
