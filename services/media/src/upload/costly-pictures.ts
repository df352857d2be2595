import { Injectable } from '@nestjs/common';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { KeyWindows } from '@pulso/platform/limits/key-windows';
import { Clock } from '@pulso/platform/time/clock';
import { UploadLimits } from './upload-limits.js';

const HOUR_MS = 60 * 60_000;
const MOST_OWNERS = 10_000;

/**
 * Counts the pictures of an account that cost much and bring little: refused ones, and those that took long. Each process counts
 * those that it has worked on (LIMIT-10).
 */
@Injectable()
export class CostlyPictures {
  private readonly windows: KeyWindows;

  constructor(
    private readonly limits: UploadLimits,
    clock: Clock,
  ) {
    this.windows = new KeyWindows(clock, MOST_OWNERS);
  }

  /** Throws `too-many-requests` while the account has had too many of them. */
  requireFew(ownerId: string): void {
    const retryAfter = this.windows.secondsBeyond(ownerId, this.limits.costlyPerHour);
    if (retryAfter === undefined) return;
    throw new DomainError(
      'too-many-requests',
      'Too many of your pictures could not be used. Please try again later.',
      { retryAfter },
    );
  }

  note(ownerId: string): void {
    this.windows.add(ownerId, 1, HOUR_MS);
  }
}
