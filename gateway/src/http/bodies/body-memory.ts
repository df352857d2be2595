import { unavailable } from '@pulso/platform/errors/domain-error';
import { tooManyRequests } from '../../errors/too-many-requests.js';
import type { Address } from '../../rate-limit/address-key.js';
import { Tally } from '../guards/tally.js';

const MIB = 1024 * 1024;

/** Bytes of bodies that have not arrived whole (LIMIT-8). */
export const BODY_MEMORY = { address: 8 * MIB, all: 128 * MIB } as const;

const EMPTY_BODY = Buffer.alloc(0);

/**
 * The memory that bodies on their way may take, per address and in all: a client may send a byte of each of many bodies
 * every few seconds, and what it has sent must be kept until the rest comes.
 */
export class BodyMemory {
  private readonly taken = new Tally();

  constructor(private readonly most: Readonly<{ address: number; all: number }> = BODY_MEMORY) {}

  get bytes(): number {
    return this.taken.total;
  }

  /** For one body of this address, of `most` bytes at most. */
  open(address: Address, most: number): BodyShare {
    return new BodyShare(most, (bytes) => this.add(address, bytes));
  }

  /** Throws too-many-requests or unavailable, and adds nothing, where there is no room. */
  private add(address: Address, bytes: number): void {
    if (bytes > 0 && !this.taken.hasRoom(address, bytes, this.most.address)) throw tooManyRequests(1);
    if (bytes > 0 && this.taken.total + bytes > this.most.all) throw unavailable();
    this.taken.add(address, bytes);
  }
}

/** One body as it comes, in one buffer: a piece of one byte that is kept by itself takes some 500 bytes. */
export class BodyShare {
  private kept: Buffer = EMPTY_BODY;
  private length = 0;

  constructor(
    private readonly most: number,
    private readonly add: (bytes: number) => void,
  ) {}

  /** What has come, valid until `giveBack`. */
  get bytes(): Buffer {
    return this.kept.subarray(0, this.length);
  }

  /** Throws too-many-requests or unavailable. */
  keep(piece: Buffer): void {
    const length = this.length + piece.length;
    if (length > this.kept.length) this.grow(length, piece);
    // Most bodies are one piece, which needs no copy.
    if (this.kept !== piece) piece.copy(this.kept, this.length);
    this.length = length;
  }

  giveBack(): void {
    this.add(-this.kept.length);
    this.kept = EMPTY_BODY;
    this.length = 0;
  }

  private grow(needed: number, piece: Buffer): void {
    const bytes = Math.max(needed, Math.min(2 * this.kept.length, this.most));
    this.add(bytes - this.kept.length);
    const before = this.bytes;
    // Not of Node's pool, which a long body would keep whole.
    this.kept = this.length === 0 ? piece : Buffer.allocUnsafeSlow(bytes);
    if (this.kept !== piece) before.copy(this.kept);
  }
}
