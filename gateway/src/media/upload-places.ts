import { unavailable } from '@pulso/platform/errors/domain-error';
import { Places, type PlaceLimits, type Release } from './places.js';

export interface UploadPlaceLimits extends PlaceLimits {
  waitMs: number;
  /** Who may wait, all together. */
  waiting: number;
}

interface Waiter {
  who: string;
  admit(release: Release): void;
}

/** Places of uploads, for which the next ones wait: a page sends its pictures two at a time, and there may be two pages. */
export class UploadPlaces {
  private readonly places: Places;
  private readonly waiters = new Set<Waiter>();

  constructor(private readonly limits: UploadPlaceLimits) {
    this.places = new Places(limits);
  }

  /** Gives the place back when called. Rejects with `unavailable`, or with the signal's reason. */
  take(who: string, signal: AbortSignal): Promise<Release> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const taken = this.places.take(who);
    if (typeof taken === 'function') return Promise.resolve(this.handingOn(taken));
    if (this.waiters.size >= this.limits.waiting) return Promise.reject(noPlace());
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
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
        const taken = this.places.take(waiter.who);
        if (typeof taken === 'function') waiter.admit(this.handingOn(taken));
      }
    };
  }
}

const noPlace = () => unavailable('Too many files are being uploaded. Please try again in a moment.');
