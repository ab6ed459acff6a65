/** Addresses that the service must not call, by the reason why; at least the first and the last of each network. */
const blocked: Readonly<Record<string, string>> = {
  'this host': '0.0.0.0 0.0.0.1 0.255.255.255',
  loopback: '127.0.0.0 127.0.0.1 127.0.0.2 127.255.255.255',
  'RFC 1918': '10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255',
  'link-local, metadata of AWS, Azure and Google':
    '169.254.0.0 169.254.169.254 169.254.170.2 169.254.255.255',
  'carrier-grade NAT, metadata of Alibaba': '100.64.0.0 100.100.100.200 100.127.255.255',
  'reserved, metadata of Oracle': '192.0.0.0 192.0.0.192 192.0.0.255',
  documentation: '192.0.2.0 192.0.2.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255',
  '6to4 relays': '192.88.99.0 192.88.99.1 192.88.99.255',
  benchmarks: '198.18.0.0 198.19.255.255',
  multicast: '224.0.0.0 224.0.0.1 239.255.255.255',
  'reserved and broadcast': '240.0.0.0 255.255.255.254 255.255.255.255',
  'Azure WireServer': '168.63.129.16',
  'unspecified and loopback, IPv6': ':: ::1',
  'unique local, metadata of AWS and Google': 'fc00:: fd00:ec2::254 fd20:ce::254 fdff:ffff::1',
  'link-local, IPv6': 'fe80:: fe80::1 fe80::1%eth0 febf:ffff::1',
  'multicast, IPv6': 'ff00:: ff02::1 ffff::1',
  'IPv4-mapped': '::ffff:7f00:1 ::ffff:127.0.0.1 ::ffff:a9fe:a9fe ::ffff:10.0.0.1 ::ffff:168.63.129.16',
  'IPv4-compatible': '::7f00:1 ::127.0.0.1 ::a9fe:a9fe ::8.8.8.8',
  'NAT64, both': '64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 64:ff9b:1:ffff::1',
  '6to4': '2002:: 2002:7f00:1:: 2002:808:808::1',
  Teredo: '2001:: 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:0:ffff::1',
  'IPv4-translated': '::ffff:0:0 ::ffff:0:7f00:1 ::ffff:0:808:808',
  'site-local, deprecated': 'fec0:: fec0::1 feff:ffff::1',
  'discard only': '100:: 100::1',
  'reserved for other ends': '2001:2::1 2001:db8::1 3fff::1 5f00::1 2620:4f:8000::1',
  'outside of what was handed out':
    '100:0:0:1::1 4000::1 5fff::1 fe00::1 1::1 200::1 1fff:ffff::1 8000::1 c000::1',
  ISATAP: '2600::5efe:7f00:1 2600::200:5efe:7f00:1 2600:1:2:3:0:5efe:a9fe:a9fe 2600:1:2:3:100:5efe:808:808',
};

/** Public addresses, right next to the others. */
const open =
  '1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 ' +
  '169.253.1.1 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0 ' +
  '192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 ' +
  '223.255.255.255 168.63.129.15 168.63.129.17 8.8.8.8 93.184.216.34 ::ffff:8.8.8.8 ::ffff:808:808 ' +
  '2606:4700:4700::1111 2a00:1450:4001:80b::2003 2003::1 2600::1 2600::1:5efe:7f00:1';

/** The blocked ones, each with the reason. */
export const blockedAddresses = Object.entries(blocked).flatMap(([why, addresses]) =>
  addresses.split(' ').map((address) => ({ address, why })),
);

export const publicNeighbours = open.split(' ');

/** Hosts as the URL parser reads them, and other ways to write them. */
export const spellings = {
  '127.0.0.1':
    '2130706433 0x7f000001 017700000001 0177.0.0.1 0x7f.1 127.1 127.0.1 %31%32%37.0.0.1 ①②⑦.⓪.⓪.① 127。0。0。1 127.0.0.1.',
  '169.254.169.254': '⑯⑨。②⑤④。⑯⑨｡②⑤④ 2852039166 0xa9.0xfe.0xa9.0xfe 0251.0376.0251.0376 169.254.43518',
  '0.0.0.0': '0 0x0 00000',
  '[::ffff:7f00:1]': '[::ffff:127.0.0.1] [0:0:0:0:0:ffff:127.0.0.1] [::FFFF:7F00:0001]',
  '[::7f00:1]': '[::127.0.0.1] [0:0:0:0:0:0:127.0.0.1]',
} as const;
