import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** Network that `http` uses. */
export interface Network {
  /** Returns all addresses of a name. */
  resolve(name: string): Promise<readonly string[]>;
  /** Connects to an address. Never resolves a name. */
  connect(address: string, port: number): Duplex;
}

export const machineNetwork: Network = {
  resolve: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  connect: (address, port) => connect({ host: address, port }),
};
