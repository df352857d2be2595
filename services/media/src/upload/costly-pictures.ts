import { Injectable } from '@nestjs/common';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { growingCache } from '@pulso/platform/memory/growing-cache';
import { Clock } from '@pulso/platform/time/clock';
import { UploadLimits } from './upload-limits.js';

const HOUR_MS = 60 * 60_000;
/** The longest unused are forgotten first. */
const MOST_OWNERS = 10_000;

/**
 * Counts the pictures of an account that cost much and bring little: refused ones, and those that took long. Each process counts
 * those that it has worked on (LIMIT-10).
 */
@Injectable()
export class DearPictures {
  private readonly windows = growingCache<string, { count: number; endsAt: number }>(MOST_OWNERS);

  constructor(
    private readonly limits: UploadLimits,
    private readonly clock: Clock,
  ) {}

  /** Throws `too-many-requests` while the account has had too many of them. */
  requireFew(ownerId: string): void {
    const window = this.windowOf(ownerId);
    if (!window || window.count < this.limits.dearPerHour) return;
    const retryAfter = Math.max(1, Math.ceil((window.endsAt - this.clock.now()) / 1000));
    throw new DomainError(
      'too-many-requests',
      'Too many of your pictures could not be used. Please try again later.',
      { retryAfter },
    );
  }

  note(ownerId: string): void {
    const window = this.windowOf(ownerId);
    if (window) window.count += 1;
    else this.windows.set(ownerId, { count: 1, endsAt: this.clock.now() + HOUR_MS });
  }

  private windowOf(ownerId: string) {
    const window = this.windows.get(ownerId);
    return window && window.endsAt > this.clock.now() ? window : undefined;
  }
}
