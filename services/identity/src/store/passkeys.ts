import { Injectable } from '@nestjs/common';
import { newId } from '@pulso/platform/ids/uuid-v7';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import type { User } from './user.entity.js';

type Read = Pick<Transaction, 'manager'>;

/** What is kept of a passkey. Times are milliseconds since the epoch. */
export interface Passkey {
  id: string;
  userId: string;
  /** By which its authenticator knows it. */
  credentialId: Buffer;
  /** In COSE form (RFC 9052). */
  publicKey: Buffer;
  /** How often the authenticator has signed; 0 for those that do not count. */
  counter: number;
  /** By which ways browsers reach the authenticator: hints, in words of the WebAuthn standard. */
  transports: string[];
  /** Chosen by its owner. */
  name: string;
  /** Whether the authenticator has copies of it elsewhere. */
  backedUp: boolean;
  createdAt: number;
  /** Null if it was never used. */
  lastUsedAt: number | null;
}

export type NewPasskey = Omit<Passkey, 'id' | 'createdAt' | 'lastUsedAt'>;

/** An account, by its address now. */
type Owner = Pick<User, 'id' | 'email'>;

/** What an authenticator has told when it showed a passkey. */
export type PasskeyUse = Pick<Passkey, 'id' | 'counter' | 'backedUp'>;

interface PasskeyRow {
  id: string;
  user_id: string;
  credential_id: Buffer;
  public_key: Buffer;
  /** PostgreSQL's bigint. */
  counter: string;
  transports: string[];
  name: string;
  backed_up: boolean;
  created_at: Date;
  last_used_at: Date | null;
}

/** The passkeys of accounts (ACCT-43). */
@Injectable()
export class Passkeys {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Those of a user, the newest first. */
  async of(userId: string, { manager }: Read = this.dataSource): Promise<Passkey[]> {
    const rows = await manager.query<PasskeyRow[]>(
      'SELECT * FROM passkeys WHERE user_id = $1 ORDER BY created_at DESC, id DESC',
      [userId],
    );
    return rows.map(toPasskey);
  }

  async withCredential(credentialId: Buffer): Promise<Passkey | undefined> {
    const [row] = await this.dataSource.query<PasskeyRow[]>(
      'SELECT * FROM passkeys WHERE credential_id = $1',
      [credentialId],
    );
    return row && toPasskey(row);
  }

  /**
   * Undefined where an account has one with this credential already. The address that the account has now is kept with it, and whether
   * it is verified: see `removeUnproven`.
   */
  async insert(
    passkey: NewPasskey,
    { email, emailVerified }: Pick<User, 'email' | 'emailVerified'>,
    { manager }: Transaction,
  ): Promise<Passkey | undefined> {
    const { userId, credentialId, publicKey, counter, transports, name, backedUp } = passkey;
    const [row] = await manager.query<PasskeyRow[]>(
      `INSERT INTO passkeys
         (id, user_id, credential_id, public_key, counter, transports, name, backed_up, email, email_verified,
          created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       ON CONFLICT (credential_id) DO NOTHING RETURNING *`,
      [
        newId(),
        userId,
        credentialId,
        publicKey,
        counter,
        transports,
        name,
        backedUp,
        email,
        emailVerified,
        new Date(this.clock.now()),
      ],
    );
    return row && toPasskey(row);
  }

  /**
   * Notes that a passkey was shown. Returns false where it is gone, or where its counter has not grown: another authenticator has
   * signed with a copy of the key (WebAuthn, 7.2, step 22). Of those that do not count it stays 0.
   */
  async use({ id, counter, backedUp }: PasskeyUse, { manager }: Transaction): Promise<boolean> {
    const [rows] = await manager.query<[unknown[], number]>(
      `UPDATE passkeys SET counter = $2, backed_up = $3, last_used_at = $4
       WHERE id = $1 AND (counter < $2::bigint OR (counter = 0 AND $2::bigint = 0)) RETURNING id`,
      [id, counter, backedUp, new Date(this.clock.now())],
    );
    return rows.length > 0;
  }

  /** Undefined where the user has no such passkey. */
  async rename(
    { id, userId, name }: Pick<Passkey, 'id' | 'userId' | 'name'>,
    { manager }: Transaction,
  ): Promise<Passkey | undefined> {
    const [rows] = await manager.query<[PasskeyRow[], number]>(
      'UPDATE passkeys SET name = $3 WHERE id = $1 AND user_id = $2 RETURNING *',
      [id, userId, name],
    );
    return rows[0] && toPasskey(rows[0]);
  }

  /** Returns false where the user has no such passkey. */
  async remove({ id, userId }: Pick<Passkey, 'id' | 'userId'>, { manager }: Transaction): Promise<boolean> {
    const [rows] = await manager.query<[unknown[], number]>(
      'DELETE FROM passkeys WHERE id = $1 AND user_id = $2 RETURNING id',
      [id, userId],
    );
    return rows.length > 0;
  }

  async removeAll({ id }: Owner, { manager }: Transaction): Promise<void> {
    await manager.query('DELETE FROM passkeys WHERE user_id = $1', [id]);
  }

  /** Removes those that were added while the account had another address: maybe by somebody who had it then. */
  async removeOfOtherAddresses({ id, email }: Owner, { manager }: Transaction): Promise<void> {
    await manager.query('DELETE FROM passkeys WHERE user_id = $1 AND email <> $2', [id, email]);
  }

  /** The same, and removes those that were added before the address was verified: somebody else may have made the account. */
  async removeUnproven({ id, email }: Owner, { manager }: Transaction): Promise<void> {
    await manager.query('DELETE FROM passkeys WHERE user_id = $1 AND (email <> $2 OR NOT email_verified)', [
      id,
      email,
    ]);
  }
}

const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  userId: row.user_id,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  counter: Number(row.counter),
  transports: row.transports,
  name: row.name,
  backedUp: row.backed_up,
  createdAt: row.created_at.getTime(),
  lastUsedAt: row.last_used_at?.getTime() ?? null,
});
