import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { hostAndPort } from '../process/all-addresses.js';
import type { KeepaliveOptions } from './connect-protocol.js';
import { Replica } from './replica.js';
import { addressOf, type Address } from './rpc-url.js';

/** A name is looked up again after so long, when it is used. */
const LOOKUP_MS = 5_000;
/** After a failed look-up. */
const RETRY_LOOKUP_MS = 500;

/** The replicas behind a service's address, which get calls in turn: every address of a name, or the addresses of a list. */
export class Replicas {
  /** What requests name as their host. */
  readonly authority: string;
  private readonly name: Address | undefined;
  private replicas: Replica[] = [];
  private turn = 0;
  private lookUpAt = 0;
  private lookingUp: Promise<void> | undefined;
  private isClosed = false;

  /** @param url as `rpcUrl` makes it */
  constructor(
    url: string,
    private readonly keepalive: KeepaliveOptions,
  ) {
    const addresses = url.split(',');
    this.authority = addresses[0]!;
    const first = addressOf(this.authority);
    if (!first) throw new Error(`${url} is not host:port`);
    if (isIP(first.host)) this.replicas = addresses.map((address) => this.replicaAt(address));
    else this.name = first;
  }

  /** A promise while there is nothing to call yet because the name's addresses are being looked up. It never rejects. */
  whenKnown(): Promise<void> | undefined {
    if (!this.name || this.isClosed) return undefined;
    if (performance.now() >= this.lookUpAt) this.lookUp(this.name);
    return this.replicas.length === 0 ? this.lookingUp : undefined;
  }

  /** The replica whose turn it is, but for those in `asked` and those that cannot be reached now. */
  next(asked: ReadonlySet<Replica>): Replica | undefined {
    const { length } = this.replicas;
    for (let tried = 0; tried < length; tried += 1) {
      this.turn = (this.turn + 1) % length;
      const replica = this.replicas[this.turn]!;
      if (replica.isUsable && !asked.has(replica)) return replica;
    }
    // Perhaps it has moved.
    this.lookUpAt = Math.min(this.lookUpAt, performance.now() + RETRY_LOOKUP_MS);
    return undefined;
  }

  /** Running calls go on until their deadline. */
  close(): void {
    this.isClosed = true;
    for (const replica of this.replicas.splice(0)) replica.close();
  }

  private lookUp({ host, port }: Address): void {
    this.lookUpAt = performance.now() + LOOKUP_MS;
    this.lookingUp = lookup(host, { all: true }).then(
      (found) => this.take(found.map(({ address }) => hostAndPort(address, port))),
      () => {
        // The known addresses may still be right; with none, calls fail as unavailable.
        this.lookUpAt = performance.now() + RETRY_LOOKUP_MS;
      },
    );
  }

  private take(addresses: readonly string[]): void {
    if (this.isClosed) return;
    const known = new Map(this.replicas.map((replica) => [replica.address, replica]));
    this.replicas = [...new Set(addresses)].map((address) => known.get(address) ?? this.replicaAt(address));
    const kept = new Set(this.replicas);
    for (const replica of known.values()) if (!kept.has(replica)) replica.close();
  }

  private replicaAt(address: string): Replica {
    return new Replica(address, this.authority, this.keepalive);
  }
}
