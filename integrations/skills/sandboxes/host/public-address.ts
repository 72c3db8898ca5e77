import { BlockList, isIP } from 'node:net';

/** Ranges that do not lead to a host on the public internet: private, loopback, link-local, reserved, translated. */
const NOT_PUBLIC_4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Inside of the global range: tunnels that carry an IPv4 address, and documentation. */
const NOT_PUBLIC_6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** Returns whether an address leads to the public internet. IPv6 addresses that contain an IPv4 address do not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return !rangesOf(NOT_PUBLIC_4, 'ipv4').check(address, 'ipv4');
  const isGlobal = rangesOf([['2000::', 3]], 'ipv6').check(address, 'ipv6');
  return isGlobal && !rangesOf(NOT_PUBLIC_6, 'ipv6').check(address, 'ipv6');
}

function rangesOf(ranges: readonly (readonly [string, number])[], type: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, type);
  return list;
}
