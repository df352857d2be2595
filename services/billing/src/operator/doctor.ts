import { Injectable } from '@nestjs/common';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import { Inbox } from '../inbox/inbox.js';
import { Provider } from '../provider/provider.js';
import { ReconciliationRepository } from '../store/reconciliation.repository.js';
import { BillingSettings, isLiveKey } from '../settings.js';

const HOUR_MS = 60 * 60_000;
/** The comparison of each night, and the hours that it may take. */
const COMPARED_MS = 30 * HOUR_MS;
/** What takes longer than this does not go by itself. */
const SLOW_MS = 15 * 60_000;

export interface Finding {
  what: string;
  isGood: boolean;
  detail: string;
}

/** Looks at what payments need, for operators; it changes nothing and asks the provider nothing. */
@Injectable()
export class Doctor {
  constructor(
    private readonly settings: BillingSettings,
    private readonly provider: Provider,
    private readonly inbox: Inbox,
    private readonly nights: ReconciliationRepository,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<Finding[]> {
    const { PAYMENTS = 'none', STRIPE_SECRET_KEY: key = '' } = this.settings;
    if (!this.provider.isOn)
      return [{ what: 'payments', isGood: true, detail: `PAYMENTS=${PAYMENTS}: all is free` }];
    const charges = this.provider.isDirect ? 'direct charges, ' : '';
    const mode = isLiveKey(key) ? 'a live key: payments are real' : 'a test key: no payment is real';
    return [
      { what: 'payments', isGood: true, detail: `PAYMENTS=${PAYMENTS}, ${charges}${mode}` },
      ...(await this.events()),
      await this.calls(),
      await this.refunds(),
      await this.disputes(),
      await this.endings(),
      await this.comparison(),
    ];
  }

  private async events(): Promise<Finding[]> {
    const { platform, accounts, lastAt } = await this.inbox.lastDay();
    const { waiting, failing } = await this.inbox.waiting();
    const last = lastAt ? `, the last at ${lastAt.toISOString()}` : '';
    return [
      {
        ...{ what: 'webhooks', isGood: (this.provider.isDirect ? accounts : platform) > 0 },
        detail: `within a day ${platform} of the platform, ${accounts} of connected accounts${last}`,
      },
      { what: 'inbox', isGood: failing === 0, detail: `${waiting} wait, ${failing} of them have failed` },
    ];
  }

  private async calls(): Promise<Finding> {
    const count = await this.count(
      "foreign_calls WHERE state IN ('pending', 'abandoned') AND created_at <= $1",
      SLOW_MS,
    );
    return {
      what: 'calls',
      isGood: count === 0,
      detail: `${count} to the provider without an outcome for 15 minutes`,
    };
  }

  private async refunds(): Promise<Finding> {
    const refused = await this.count(
      "refunds WHERE state = 'refused' AND dealt_with_at IS NULL AND created_at <= $1",
      0,
    );
    const ordered = await this.count("refunds WHERE state = 'ordered' AND created_at <= $1", SLOW_MS);
    return {
      ...{ what: 'refunds', isGood: refused + ordered === 0 },
      detail: `${refused} refused by the provider, ${ordered} not made for 15 minutes`,
    };
  }

  private async disputes(): Promise<Finding> {
    const open = await this.count("disputes WHERE state = 'open' AND seen_at <= $1", 0);
    const refused = await this.count(
      "disputes WHERE share IN ('take-refused', 'give-refused') AND seen_at <= $1",
      0,
    );
    return {
      ...{ what: 'disputes', isGood: open + refused === 0 },
      detail: `${open} to be answered at the provider, of ${refused} the provider has refused to move the coach’s share`,
    };
  }

  private async endings(): Promise<Finding> {
    const count = await this.count(
      'provider_endings WHERE refunded_minor IS NULL AND ended_at <= $1',
      SLOW_MS,
    );
    return {
      what: 'endings',
      isGood: count === 0,
      detail: `${count} have not reached the provider for 15 minutes`,
    };
  }

  private async comparison(): Promise<Finding> {
    const last = await this.nights.last();
    if (!last) return { what: 'comparison', isGood: false, detail: 'never made' };
    const { night, endedAt, customers, differences } = last;
    const isRecent = endedAt!.getTime() > this.clock.now() - COMPARED_MS;
    return {
      ...{ what: 'comparison', isGood: isRecent && differences === 0 },
      detail: `night ${night}: ${customers} customers read again, ${differences} differences`,
    };
  }

  private async count(which: string, olderThanMs: number): Promise<number> {
    const before = new Date(this.clock.now() - olderThanMs);
    const [row] = await this.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM ${which}`,
      [before],
    );
    return row!.count;
  }
}
