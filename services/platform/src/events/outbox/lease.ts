import { newId } from '../../ids/uuid-v7.js';
import { CLAIM_MS } from './outbox-source.js';

/**
 * A lease of `CLAIM_MS` by the store's clock, which at most one process has. Each store adds how its row is written. Asked often, it
 * renews the row at most once every third of that time.
 */
export abstract class Lease {
  protected readonly holder = newId();
  /** The start of the last claim that succeeded, by `elapsed`; undefined without one. */
  private renewedAt: number | undefined;
  /** Whether the row may be this process's: an attempt that failed may have reached the store. */
  private mayBeOwn = false;

  /** `elapsed` is a clock of this process that never goes back, in ms. */
  constructor(private readonly elapsed: () => number = () => performance.now()) {}

  /** Takes the row if it is free, has ended, or is this process's; resolves to whether it is now. */
  protected abstract take(mayBeOwn: boolean): Promise<boolean>;

  /** Removes the row if it is this process's. */
  protected abstract remove(): Promise<void>;

  /** Whether this process has the lease now. */
  async claim(): Promise<boolean> {
    const at = this.elapsed();
    if (this.renewedAt !== undefined && at - this.renewedAt < CLAIM_MS / 3) return true;
    const { mayBeOwn } = this;
    this.renewedAt = undefined;
    this.mayBeOwn = true;
    this.mayBeOwn = await this.take(mayBeOwn);
    if (this.mayBeOwn) this.renewedAt = at;
    return this.mayBeOwn;
  }

  /** Gives the lease back, if this process has it. */
  async unclaim(): Promise<void> {
    this.renewedAt = undefined;
    if (!this.mayBeOwn) return;
    await this.remove();
    this.mayBeOwn = false;
  }
}
