import { Injectable } from '@nestjs/common';
import { KeyWindows } from '@pulso/platform/limits/key-windows';
import { Clock } from '@pulso/platform/time/clock';
import { GatewayConfig } from '../config.js';
import { tooManyRequests } from '../errors/too-many-requests.js';
import type { Address } from '../rate-limit/address-key.js';

const DAY_MS = 24 * 60 * 60_000;
/** Four times what one account may store. A gym or a school behind one address uploads less in a day. */
const MAX_DAILY_BYTES = 2_000_000_000;
/** The longest unused are forgotten first. */
const MAX_COUNTED_ADDRESSES = 100_000;

/**
 * The bytes that are stored for one address in a day, whatever accounts it makes (LIMIT-10). Each gateway counts by itself; counted once
 * a picture is stored, and with each part of a video, so that those on their way may pass the limit, once.
 */
@Injectable()
export class UploadVolume {
  private readonly days: KeyWindows;

  constructor(
    private readonly config: GatewayConfig,
    clock: Clock,
  ) {
    this.days = new KeyWindows(clock, MAX_COUNTED_ADDRESSES);
  }

  /** Throws `too-many-requests` for an address that has had its bytes, or one of whose networks has. */
  admit(address: Address): void {
    const { RATE_LIMIT_FACTOR: factor } = this.config;
    if (factor === 0) return;
    for (const { key, times } of address) {
      const retryAfter = this.days.secondsBeyond(key, MAX_DAILY_BYTES * times * factor);
      if (retryAfter === undefined) continue;
      throw tooManyRequests(
        retryAfter,
        'Too many files have come from your network today. Please try again later.',
      );
    }
  }

  add(address: Address, bytes: number): void {
    for (const { key } of address) this.days.add(key, bytes, DAY_MS);
  }
}
