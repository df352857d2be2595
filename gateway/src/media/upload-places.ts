import { unavailable } from '@pulso/platform/errors/domain-error';
import { tooManyRequests } from '../errors/too-many-requests.js';
import { type PlaceLimits, Places, type Release } from '../http/guards/places.js';
import type { Address } from '../rate-limit/address-key.js';

export interface UploadPlaceLimits {
  /** Of an account, of an address, and of all. */
  atOnce: PlaceLimits;
  /** Those who wait for a place; likewise. */
  waiting: PlaceLimits;
  waitMs: number;
}

/** Whose an upload is. */
export interface Uploader {
  account: string;
  address: Address;
}

interface Waiter {
  who: Uploader;
  admit(release: Release): void;
}

/**
 * Places of uploads, for which the next ones wait: a page sends its pictures two at a time, and there may be two pages.
 * Neither an account nor an address, which may have many accounts, can take all of them, or all turns.
 */
export class UploadPlaces {
  private readonly places: Places;
  private readonly waiting: Places;
  private readonly waiters = new Set<Waiter>();

  constructor(private readonly limits: UploadPlaceLimits) {
    this.places = new Places(limits.atOnce);
    this.waiting = new Places(limits.waiting);
  }

  /** Whether more than half of all places are taken: an address has fewer of them then, and uploads must be faster. */
  get isCrowded(): boolean {
    return this.places.isCrowded;
  }

  /** Gives the place back when called. Rejects with `unavailable`, `too-many-requests`, or with the signal's reason. */
  take(who: Uploader, signal: AbortSignal): Promise<Release> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const taken = this.places.take(who.account, who.address);
    if (typeof taken === 'function') return Promise.resolve(this.handingOn(taken));
    const turn = this.waiting.take(who.account, who.address);
    if (turn === 'own') return Promise.reject(tooManyWaiting());
    if (turn === 'all') return Promise.reject(noPlace());
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        turn();
        this.waiters.delete(waiter);
        signal.removeEventListener('abort', leave);
        settle();
      };
      const waiter: Waiter = { who, admit: (release) => end(() => resolve(release)) };
      const leave = () => end(() => reject(signal.reason as Error));
      const timer = setTimeout(() => end(() => reject(noPlace())), this.limits.waitMs);
      signal.addEventListener('abort', leave);
      this.waiters.add(waiter);
    });
  }

  private handingOn(release: Release): Release {
    return () => {
      release();
      for (const waiter of this.waiters) {
        const taken = this.places.take(waiter.who.account, waiter.who.address);
        if (typeof taken === 'function') waiter.admit(this.handingOn(taken));
      }
    };
  }
}

const noPlace = () => unavailable('Too many files are being uploaded. Please try again in a moment.');
const tooManyWaiting = () =>
  tooManyRequests(1, 'Too many of your files are waiting. Please try again in a moment.');
