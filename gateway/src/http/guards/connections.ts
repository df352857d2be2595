import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { counter, gauge } from '@pulso/platform/telemetry/metrics';
import type { Registry } from 'prom-client';
import { type AddressKey, addressKeys } from '../../rate-limit/address-key.js';
import { endIdle, mayBeUnsent, reset } from './reset.js';

export interface ConnectionLimits {
  /** Of one address: of the socket's own peer, not of a header. Infinity where that is a proxy. */
  perAddress: number;
  all: number;
  /** How long a client has to read the last answer of a connection. */
  lingerMs: number;
}

/** Twice as many as an address has event streams (NOTIF-8), times a RATE_LIMIT_FACTOR over 1. */
const PER_ADDRESS = 1_000;
/** From this part of all connections on, idle ones are ended for new ones. */
const CROWDED_SHARE = 0.8;
const LINGER_MS = 30_000;
const MAX_LISTENERS = 20;

/** An address, or a network of one (LIMIT-14). */
interface Owner extends AddressKey {
  open: number;
  /** Without a request under way, the longest idle one first. */
  idle: Set<Connection>;
}

interface Connection {
  socket: Socket;
  owners: readonly Owner[];
  underWay: number;
}

/** How many connections an address may have; behind a proxy all would be of one address. */
export function connectionsPerAddress(factor: number, trustedProxies: number): number {
  if (factor === 0 || trustedProxies > 0) return Infinity;
  // Never fewer: a browser has several, and its stream of events keeps one.
  return Math.floor(PER_ADDRESS * Math.max(1, factor));
}

/**
 * Bounds the open connections of an address and of all (LIMIT-12): each takes a file descriptor, and stores and files need
 * some, too. A new connection takes the place of an idle one; it is refused only where all have requests under way.
 */
export class Connections {
  private readonly owners = new Map<string, Owner>();
  private readonly connections = new Map<Socket, Connection>();
  private readonly limits: ConnectionLimits;
  private readonly refused;

  constructor(limits: Omit<ConnectionLimits, 'lingerMs'> & Partial<ConnectionLimits>, registry?: Registry) {
    this.limits = { lingerMs: LINGER_MS, ...limits };
    if (!registry) return;
    const open = () => this.connections.size;
    gauge(registry, {
      name: 'pulso_http_connections',
      help: 'Open connections of clients',
      collect() {
        this.set(open());
      },
    });
    this.refused = counter(registry, {
      name: 'pulso_http_connections_refused_total',
      help: 'Connections refused because all others were busy, by the limit that was reached',
      labelNames: ['limit'],
    });
  }

  /** Whether clients are asked to leave their connections after each answer. */
  get isCrowded(): boolean {
    return this.connections.size >= this.limits.all * CROWDED_SHARE;
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.accept(socket));
    server.prependListener('request', (request, response) => this.begin(request, response));
    // Idle connections, and answers that the client does not read (LIMIT-11).
    server.on('timeout', (socket: Socket) => {
      if (this.connections.get(socket)?.underWay) reset(socket);
      else endIdle(socket);
    });
  }

  private accept(socket: Socket): void {
    const owners = addressKeys(socket.remoteAddress ?? '').map(
      (key): Owner => this.owners.get(key.key) ?? { ...key, open: 0, idle: new Set() },
    );
    const limit = this.makeRoom(owners);
    if (limit) {
      this.refused?.inc({ limit });
      return reset(socket);
    }
    const connection: Connection = { socket, owners, underWay: 0 };
    this.connections.set(socket, connection);
    for (const owner of owners) {
      this.owners.set(owner.key, owner);
      owner.open += 1;
      owner.idle.add(connection);
    }
    this.lookAfterEnd(connection);
  }

  /** Says which limit is reached where no idle connection can be ended instead. */
  private makeRoom(owners: readonly Owner[]): 'address' | 'all' | undefined {
    const { perAddress, all } = this.limits;
    for (const owner of owners) {
      if (owner.open >= perAddress * owner.times && !this.endLongestIdle(owner)) return 'address';
    }
    if (!this.isCrowded || this.endLongestIdle(this.mostIdle())) return undefined;
    return this.connections.size >= all ? 'all' : undefined;
  }

  /** Whoever keeps most connections for nothing. */
  private mostIdle(): Owner | undefined {
    let most: Owner | undefined;
    for (const owner of this.owners.values()) if (owner.idle.size > (most?.idle.size ?? 0)) most = owner;
    return most;
  }

  private endLongestIdle(owner: Owner | undefined): boolean {
    for (const connection of owner?.idle ?? []) {
      this.leave(connection);
      endIdle(connection.socket);
      return true;
    }
    return false;
  }

  private begin({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.connections.get(socket);
    if (!connection) return;
    connection.underWay += 1;
    for (const { idle } of connection.owners) idle.delete(connection);
    // Of a file, ten and more parts each listen for the end of its answer.
    response.setMaxListeners(MAX_LISTENERS);
    response.once('close', () => {
      connection.underWay -= 1;
      if (connection.underWay > 0 || !this.connections.has(socket)) return;
      for (const { idle } of connection.owners) idle.add(connection);
    });
  }

  /** However a connection ends, nothing of its answers stays in the kernel. */
  private lookAfterEnd(connection: Connection): void {
    const { socket } = connection;
    const close = socket.destroySoon.bind(socket);
    // After the last answer, which says `Connection: close`.
    socket.destroySoon = () => (mayBeUnsent(socket) && !socket.destroyed ? this.linger(socket) : close());
    socket.prependOnceListener('end', () => {
      // The client has left, or pretends to; Node would close now.
      if (connection.underWay === 0 && mayBeUnsent(socket)) reset(socket);
    });
    socket.once('finish', () => {
      if (socket.readableEnded && mayBeUnsent(socket)) reset(socket);
    });
    socket.once('close', () => this.leave(connection));
  }

  /** The client leaves when it has read all; one that does not leave is cut off. */
  private linger(socket: Socket): void {
    socket.end();
    socket.resume();
    // A timeout would be that of an unread answer (LIMIT-11), but the kernel has all of this one.
    socket.setTimeout(0);
    const timer = setTimeout(() => reset(socket), this.limits.lingerMs).unref();
    socket.once('close', () => clearTimeout(timer));
  }

  private leave(connection: Connection): void {
    if (!this.connections.delete(connection.socket)) return;
    for (const owner of connection.owners) {
      owner.idle.delete(connection);
      owner.open -= 1;
      if (owner.open === 0) this.owners.delete(owner.key);
    }
  }
}
