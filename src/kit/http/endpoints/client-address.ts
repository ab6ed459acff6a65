import { isIPv4, isIPv6 } from 'node:net';

/**
 * The unit in which clients are counted by address: an IPv4 address as it is, an IPv6 address by its /64 (one
 * site is handed a whole /64, so counting single addresses would not limit it), an IPv4-mapped one
 * (`::ffff:192.0.2.1`) as its IPv4 address. Zone ids are dropped. Whatever is not an address shares the one
 * bucket `invalid`, so that forged text cannot make buckets at will.
 */
export function addressBucket(ip: string): string {
  if (isIPv4(ip)) return ip;
  if (!isIPv6(ip)) return 'invalid';
  const groups = ipv6Groups(ip);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const mapped = (a | b | c | d | e) === 0 && f === 0xffff;
  if (mapped) return `${g >> 8}.${g & 255}.${h >> 8}.${h & 255}`;
  return `${a.toString(16)}:${b.toString(16)}:${c.toString(16)}:${d.toString(16)}::/64`;
}

/** The eight 16-bit groups of a valid IPv6 address. */
function ipv6Groups(ip: string): number[] {
  const [bare = ''] = ip.split('%');
  const [head = '', tail] = bare.split('::');
  const left = groupsOf(head);
  if (tail === undefined) return left;
  const right = groupsOf(tail);
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
