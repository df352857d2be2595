import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Address, addressOf } from '../../rate-limit/address-key.js';
import { isRead } from '../endpoint.js';
import { reset } from './reset.js';
import { Tally } from './tally.js';

const KIB = 1024;
const MIB = 1024 * KIB;

export interface UnreadLimits {
  /**
   * Idle limit of an answer (LIMIT-11): a client that reads nothing for so long loses its connection. The next request has
   * Node's times again.
   */
  unreadMs: number;
  /** Minimum pace: a client that reads fewer bytes than this in `ms` loses its connection, too. */
  pace: { ms: number; bytes: number };
  /** Bytes of answers on their way to readers (LIMIT-13); those up to `small` are never refused. */
  bytes: { address: number; all: number; small: number };
}

export const UNREAD_LIMITS: UnreadLimits = {
  unreadMs: 10_000,
  pace: { ms: 10_000, bytes: 16 * KIB },
  bytes: { address: 32 * MIB, all: 256 * MIB, small: 64 * KIB },
};

interface Reader {
  socket: Socket;
  address: Address;
  bytes: number;
  /** What the kernel had taken at the last look, if there was more to take. */
  taken: number | undefined;
}

/** Node tells only here what the kernel has taken of a write that is under way. */
interface Handle {
  bytesWritten: number;
  writeQueueSize: number;
}

/** Answers that are not wholly with the kernel yet: their memory is bounded, and their readers must read. */
export class UnreadAnswers {
  private readonly readers = new Map<ServerResponse, Reader>();
  private readonly unread = new Tally();
  private readonly limits: UnreadLimits;
  private readonly timer: NodeJS.Timeout;

  constructor(limits: Partial<UnreadLimits> = {}) {
    this.limits = { ...UNREAD_LIMITS, ...limits };
    this.timer = setInterval(() => this.look(), this.limits.pace.ms).unref();
  }

  /** To be called when an answer is ready. False, where there is no room for it: it must not be sent. */
  begin(request: FastifyRequest, { raw }: FastifyReply, payload: unknown): boolean {
    const { socket, method } = request.raw;
    const bytes = method === 'HEAD' ? 0 : sizeOf(payload);
    const address = addressOf(request);
    // What a write answers must be told: it has happened.
    if (isRead(request.method) && !this.hasRoom(address, bytes)) return false;
    socket.setTimeout(this.limits.unreadMs);
    if (raw.destroyed || this.readers.has(raw)) return true;
    this.unread.add(address, bytes);
    this.readers.set(raw, { socket, address, bytes, taken: undefined });
    raw.once('close', () => {
      this.readers.delete(raw);
      this.unread.add(address, -bytes);
    });
    return true;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private hasRoom(address: Address, bytes: number): boolean {
    const most = this.limits.bytes;
    if (bytes <= most.small) return true;
    return this.unread.hasRoom(address, bytes, most.address) && this.unread.total + bytes <= most.all;
  }

  private look(): void {
    for (const reader of this.readers.values()) {
      const taken = takenOf(reader.socket);
      const { taken: before } = reader;
      reader.taken = taken;
      const isSlow = taken !== undefined && before !== undefined && taken - before < this.limits.pace.bytes;
      if (isSlow) reset(reader.socket);
    }
  }
}

/** Undefined while nothing waits for the reader. */
function takenOf(socket: Socket): number | undefined {
  const handle = (socket as { _handle?: Handle | null })._handle;
  return handle && handle.writeQueueSize > 0 ? handle.bytesWritten - handle.writeQueueSize : undefined;
}

/** In JavaScript's own units, which are what memory holds; streams hold little. */
function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length;
  return Buffer.isBuffer(payload) ? payload.byteLength : 0;
}
