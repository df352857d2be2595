import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { currentContext, requireCaller } from '@pulso/platform/context/request-context';
import { unavailable } from '@pulso/platform/errors/domain-error';
import {
  graphChannel,
  mediaChannel,
  Signals,
  subscribersChannel,
  subscriptionChannel,
  userChannel,
} from '@pulso/platform/signals/signals';
import { Clock } from '@pulso/platform/time/clock';
import { BillingClient, MediaClient, MessagingClient, SocialClient } from '../clients.js';
import type { Frames } from '../http/kinds/event-stream.js';
import { Badges } from '../notifications/badges.js';
import { ComposeProfile } from '../profiles/compose-profile.js';
import { PulsoAfter } from '../pulso-after/pulso-after.js';
import { ComposeSubscription } from '../subscriptions/compose-subscription.js';
import { UserNews } from './user-news.js';

/** After an outage all users are read for: messaging must not get all of it at once. */
const MAX_READINGS = 50;
/** From one reading of a user to the next one of the same service, however many signals come (NOTIF-13). */
const READ_EVERY_MS = 1_000;
const USERS = userChannel('');
const GRAPH = graphChannel('', '').slice(0, -1);
const SUBSCRIPTIONS = subscriptionChannel('', '').slice(0, -1);
const SUBSCRIBERS = subscribersChannel('');
const MEDIA = mediaChannel('', '').slice(0, -1);

/** Another pace of readings than the usual one. */
export class ReadingPace {
  constructor(readonly everyMs: number = READ_EVERY_MS) {}
}

/** Turns signals into events of the users who have streams open here (NOTIF-8). */
@Injectable()
export class EventHub implements OnModuleInit, OnModuleDestroy {
  private readonly users = new Map<string, UserNews>();
  private readonly waiting: (() => void)[] = [];
  private readings = 0;
  private hears = false;
  private endListening: () => void = () => undefined;

  constructor(
    private readonly billing: BillingClient,
    private readonly media: MediaClient,
    private readonly messaging: MessagingClient,
    private readonly social: SocialClient,
    private readonly signals: Signals,
    private readonly clock: Clock,
    private readonly badges: Badges,
    private readonly profiles: ComposeProfile,
    private readonly subscriptions: ComposeSubscription,
    private readonly pulsoAfter: PulsoAfter,
    private readonly pace: ReadingPace,
  ) {}

  onModuleInit(): void {
    this.endListening = this.signals.listen({
      heard: (channel) => this.heard(channel),
      lost: () => this.lost(),
      resumed: () => this.resumed(),
    });
  }

  onModuleDestroy(): void {
    this.endListening();
  }

  /** The frames of the caller's stream. Throws `unavailable` while signals are lost: then clients poll. */
  open(): Promise<Frames> {
    const { userId } = requireCaller();
    if (!this.hears) throw unavailable();
    let news = this.users.get(userId);
    if (!news) {
      const { billing, media, messaging, social, profiles, subscriptions, pulsoAfter, clock } = this;
      news = new UserNews({
        billing,
        media,
        messaging,
        social,
        profiles,
        subscriptions,
        pulsoAfter,
        clock,
        inTurn: (work) => this.inTurn(work),
        pause: () => sleep(this.pace.everyMs, undefined, { ref: false }),
        onEmpty: () => this.users.delete(userId),
      });
      this.users.set(userId, news);
    }
    return news.join(currentContext()!);
  }

  private heard(channel: string): void {
    if (channel.startsWith(USERS)) {
      const userId = channel.slice(USERS.length);
      this.badges.forget(userId);
      this.users.get(userId)?.nudge();
    } else if (channel.startsWith(GRAPH)) {
      const [viewerId, userId] = channel.slice(GRAPH.length).split(':');
      if (userId) this.users.get(viewerId!)?.relationChanged(userId);
    } else if (channel.startsWith(SUBSCRIPTIONS)) {
      const [userId, coachId] = channel.slice(SUBSCRIPTIONS.length).split(':');
      if (coachId) this.users.get(userId!)?.subscriptionChanged(coachId);
    } else if (channel.startsWith(SUBSCRIBERS)) {
      this.users.get(channel.slice(SUBSCRIBERS.length))?.subscribersChanged();
    } else if (channel.startsWith(MEDIA)) {
      const [userId, assetId] = channel.slice(MEDIA.length).split(':');
      if (assetId) this.users.get(userId!)?.mediaChanged(assetId);
    }
  }

  private lost(): void {
    this.hears = false;
    this.badges.stopKeeping();
    for (const news of this.users.values()) news.end();
  }

  private resumed(): void {
    this.hears = true;
    this.badges.startKeeping();
    for (const news of this.users.values()) news.nudge();
  }

  private async inTurn(work: () => Promise<void>): Promise<void> {
    if (this.readings >= MAX_READINGS) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.readings += 1;
    try {
      await work();
    } finally {
      // The place is handed on, or given back.
      const next = this.waiting.shift();
      if (next) next();
      else this.readings -= 1;
    }
  }
}
