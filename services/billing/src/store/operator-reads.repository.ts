import { Injectable } from '@nestjs/common';
import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { DataSource } from 'typeorm';
import { Subscription } from './subscription.entity.js';
import type { SubscriptionStatus } from './subscription.js';

export interface Account {
  id: string;
  username: string;
  status: string;
  isCoach: boolean;
}

/** A price that the payment provider knows, or will when it is first needed. */
export interface KnownPrice {
  id: string;
  username: string;
  amountMinor: number;
  currency: string;
  isPresent: boolean;
  /** On the platform's account, and on the coach's; null until it was needed. */
  providerId: string | null;
  createdAt: Date;
}

/** What operators look up. */
@Injectable()
export class OperatorReads {
  constructor(private readonly dataSource: DataSource) {}

  /** The user with this id or username. Throws `not-found`. */
  async account(name: string): Promise<Account> {
    const [row] = await this.dataSource.query<Account[]>(
      `SELECT id, username, status, is_coach AS "isCoach" FROM known_users
       WHERE ${isId(name) ? 'id = $1::uuid' : 'username = $1'} ORDER BY version DESC LIMIT 1`,
      [isId(name) ? name : name.trim().toLowerCase()],
    );
    if (!row) throw notFound(`Billing knows no user ${name}`);
    return row;
  }

  /** The latest first, with the usernames of both. */
  async subscriptions(filter: {
    userId?: string;
    coachId?: string;
    status?: SubscriptionStatus;
    limit: number;
  }): Promise<(Subscription & { user: string; coach: string })[]> {
    const { userId, coachId, status, limit } = filter;
    const wanted = Object.fromEntries(
      Object.entries({ userId, coachId, status }).filter(([, value]) => value !== undefined),
    );
    const found = await this.dataSource
      .getRepository(Subscription)
      .find({ where: wanted, order: { createdAt: 'DESC', id: 'DESC' }, take: limit });
    const names = await this.usernames(found.flatMap((row) => [row.userId, row.coachId]));
    const nameOf = (id: string) => names.get(id) || id;
    return found.map((row) => ({ ...row, user: nameOf(row.userId), coach: nameOf(row.coachId) }));
  }

  /** The latest first; `isPresent` tells whether new subscribers pay it. */
  prices(coachId: string | undefined, limit: number): Promise<KnownPrice[]> {
    return this.dataSource.query(
      `SELECT p.id, coalesce(u.username, p.coach_id::text) AS username, p.amount_minor AS "amountMinor", p.currency,
         nullif(concat_ws(' ', p.provider_id, p.account_provider_id), '') AS "providerId", p.created_at AS "createdAt",
         coalesce((c.price_minor, c.currency) = (p.amount_minor, p.currency), false) AS "isPresent"
       FROM prices p LEFT JOIN known_users u ON u.id = p.coach_id LEFT JOIN coach_prices c ON c.coach_id = p.coach_id
       WHERE $1::uuid IS NULL OR p.coach_id = $1::uuid ORDER BY p.id DESC LIMIT $2`,
      [coachId ?? null, limit],
    );
  }

  private async usernames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.dataSource.query<{ id: string; username: string }[]>(
      'SELECT id, username FROM known_users WHERE id = ANY ($1::uuid[])',
      [ids],
    );
    return new Map(rows.map(({ id, username }) => [id, username]));
  }
}
