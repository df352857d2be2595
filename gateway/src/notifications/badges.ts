import { Injectable } from '@nestjs/common';
import { requireCaller } from '@pulso/platform/context/request-context';
import { Clock } from '@pulso/platform/time/clock';
import { growingCache } from '@pulso/platform/collections/growing-cache';
import { MessagingClient } from '../clients.js';
import { etagOf } from '../http/bodies/conditional.js';

/** Some 300 bytes each. */
const MAX_REMEMBERED_USERS = 50_000;
/** A change whose signal was lost is seen after this time. */
const REMEMBERED_MS = 30_000;

/** The answer to GET /api/badges. */
export interface BadgesAnswer {
  json: string;
  etag: string;
}

interface Kept extends BadgesAnswer {
  readAt: number;
}

/**
 * The unread counts of users who ask again and again (NOTIF-9). They are kept while signals are heard, until one tells that
 * something of the user has changed.
 */
@Injectable()
export class Badges {
  private readonly kept = growingCache<string, Kept>(MAX_REMEMBERED_USERS);
  /** The latest reading under way of each user; one that is not here any more when it ends is not kept. */
  private readonly underWay = new Map<string, symbol>();
  private keeping = false;

  constructor(
    private readonly messaging: MessagingClient,
    private readonly clock: Clock,
  ) {}

  /** Of the caller; synchronous where they are kept. `fresh`: as messaging has them now. */
  of(fresh: boolean): BadgesAnswer | Promise<BadgesAnswer> {
    const { userId } = requireCaller();
    if (fresh) return this.read(userId);
    // `peek` does not note the use, which would cost more than the look: what is kept is read again soon.
    const kept = this.kept.peek(userId);
    return kept && this.clock.now() - kept.readAt < REMEMBERED_MS ? kept : this.read(userId);
  }

  /** A call of the caller's that changes their counts: their next request sees it, without waiting for a signal. */
  async changedBy(call: () => Promise<unknown>): Promise<void> {
    try {
      await call();
    } finally {
      this.forget(requireCaller().userId);
    }
  }

  /** Something of the user has changed. */
  forget(userId: string): void {
    this.kept.delete(userId);
    this.underWay.delete(userId);
  }

  /** Signals are heard from now on; some may have been lost. */
  startKeeping(): void {
    this.forgetAll();
    this.keeping = true;
  }

  stopKeeping(): void {
    this.forgetAll();
    this.keeping = false;
  }

  private forgetAll(): void {
    this.kept.clear();
    this.underWay.clear();
  }

  private async read(userId: string): Promise<BadgesAnswer> {
    const reading = Symbol();
    this.underWay.set(userId, reading);
    const isLatest = () => this.underWay.get(userId) === reading;
    try {
      const readAt = this.clock.now();
      const { notifications, messages } = await this.messaging.getUnreadCounts({});
      const json = JSON.stringify({ notifications, messages });
      const answer = { json, etag: etagOf(json, userId), readAt };
      if (this.keeping && isLatest()) this.kept.set(userId, answer);
      return answer;
    } finally {
      if (isLatest()) this.underWay.delete(userId);
    }
  }
}
