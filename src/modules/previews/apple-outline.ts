import type { PassType } from '../passes/pass-row.ts';

const radius = 12;
/** Of a ticket: a shallow bite out of the middle of its upper edge. */
const bite = { width: 62, depth: 13 };
/** Of a coupon: its upper and lower edges are perforated. */
const tooth = { radius: 3.4, step: 12.5 };

/** The edge of a card as Apple Wallet cuts it, by its type. */
export function appleOutline(type: PassType, width: number, height: number): string {
  if (type === 'coupon') return perforated(width, height);
  const top = type === 'eventTicket' ? bitten(width) : '';
  return `M0 ${radius}a${radius} ${radius} 0 0 1 ${radius} ${-radius}${top}H${width - radius}a${radius} ${radius} 0 0 1 ${radius} ${radius}V${height - radius}a${radius} ${radius} 0 0 1 ${-radius} ${radius}H${radius}a${radius} ${radius} 0 0 1 ${-radius} ${-radius}Z`;
}

function bitten(width: number): string {
  const half = bite.width / 2;
  // The circle through both ends of the bite and its lowest point.
  const curve = (half * half + bite.depth * bite.depth) / (2 * bite.depth);
  return `H${width / 2 - half}a${curve} ${curve} 0 0 0 ${bite.width} 0`;
}

function perforated(width: number, height: number): string {
  const count = Math.floor(width / tooth.step);
  const flat = (width / count - 2 * tooth.radius) / 2;
  const row = (forward: 1 | -1) =>
    `h${flat * forward}a${tooth.radius} ${tooth.radius} 0 0 0 ${2 * tooth.radius * forward} 0h${flat * forward}`;
  return `M0 0${row(1).repeat(count)}V${height}${row(-1).repeat(count)}Z`;
}
