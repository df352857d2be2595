import { Injectable } from '@nestjs/common';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import type { User } from './user.entity.js';

/** A user of an OpenID provider. */
interface Signer {
  issuer: string;
  /** Never given to another user of the provider. */
  subject: string;
}

/** A way to sign in to an account. */
export interface OpenidLink {
  issuer: string;
  /** Whether the provider had verified the address that it told. */
  emailVerified: boolean;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** Which account each user of a provider signs in to. An account may have several. */
@Injectable()
export class OpenidLinks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  async userOf(
    { issuer, subject }: Signer,
    { manager }: Pick<Transaction, 'manager'> = this.dataSource,
  ): Promise<string | undefined> {
    const rows = await manager.query<{ user_id: string }[]>(
      'SELECT user_id FROM openid_links WHERE issuer = $1 AND subject = $2',
      [issuer, subject],
    );
    return rows[0]?.user_id;
  }

  /** The ways to sign in to this account, the oldest first. */
  async listOf(userId: string): Promise<OpenidLink[]> {
    const rows = await this.dataSource.query<{ issuer: string; emailVerified: boolean; since: Date }[]>(
      `SELECT issuer, email_verified AS "emailVerified", created_at AS since FROM openid_links
       WHERE user_id = $1 ORDER BY created_at, issuer, subject`,
      [userId],
    );
    return rows.map(({ since, ...link }) => ({ ...link, createdAt: since.getTime() }));
  }

  /** Whether the account has any. */
  async existsOf(userId: string, { manager }: Transaction): Promise<boolean> {
    const rows = await manager.query<unknown[]>('SELECT FROM openid_links WHERE user_id = $1 LIMIT 1', [
      userId,
    ]);
    return rows.length > 0;
  }

  /** Returns false where there is a link already, also by a sign-in at the same time. */
  async insert(
    signer: Signer & { email: string; emailVerified: boolean },
    userId: string,
    { manager }: Transaction,
  ): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      `INSERT INTO openid_links (issuer, subject, user_id, email, email_verified, created_at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (issuer, subject) DO NOTHING RETURNING user_id`,
      [
        ...[signer.issuer, signer.subject, userId],
        ...[signer.email, signer.emailVerified, new Date(this.clock.now())],
      ],
    );
    return rows.length > 0;
  }

  /**
   * Removes those that were made with another address than the account has now: whoever had the account for a while, or made it and
   * then gave it the owner's address, must not be able to sign in any more. To be called when the owner takes the account back.
   */
  async removeOfOtherAddresses(
    { id, email }: Pick<User, 'id' | 'email'>,
    { manager }: Transaction,
  ): Promise<void> {
    await manager.query('DELETE FROM openid_links WHERE user_id = $1 AND email <> $2', [id, email]);
  }

  /** The same, and removes those whose provider had not verified the address: somebody has shown now that it is theirs. */
  async removeUnproven({ id, email }: Pick<User, 'id' | 'email'>, { manager }: Transaction): Promise<void> {
    await manager.query(
      'DELETE FROM openid_links WHERE user_id = $1 AND (email <> $2 OR NOT email_verified)',
      [id, email],
    );
  }
}
