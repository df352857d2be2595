import { Injectable } from '@nestjs/common';
import { accountNoticeTopic } from '@pulso/contracts/topics/identity';
import { deleteInBatches } from '@pulso/platform/jobs/delete-in-batches';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import { FORMER_USERNAME_MS } from './former-username.js';
import type { User } from './user.entity.js';

/** Tables whose rows of a user go with the account. A suite finds tables with rows of users that nobody erases. */
const OF_USER = [
  ...['action_tokens', 'openid_links', 'sign_in_devices', 'renames', 'price_intents', 'passkeys'],
] as const;

/** What identity holds of an account besides its own row. */
@Injectable()
export class AccountTraces {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Of sessions, which must have ended, stays when they did: gateways refuse their access tokens by that (ACCT-21). */
  async erase({ id, email, pendingEmail }: User, { manager }: Transaction): Promise<void> {
    for (const table of OF_USER) await manager.query(`DELETE FROM ${table} WHERE user_id = $1`, [id]);
    // A mail that has not left is not sent.
    await manager.query(
      `WITH gone AS (DELETE FROM account_notices WHERE user_id = $1 RETURNING id)
       DELETE FROM outbox USING gone WHERE outbox.topic = $2 AND outbox.key = gone.id::text`,
      [id, accountNoticeTopic.name],
    );
    await manager.query('DELETE FROM password_resets WHERE email = ANY ($1::text[])', [
      [email, ...(pendingEmail === null ? [] : [pendingEmail])],
    ]);
    await manager.query(
      `DELETE FROM refresh_tokens WHERE session_id IN (SELECT id FROM sessions WHERE user_id = $1)`,
      [id],
    );
    await manager.query("UPDATE sessions SET user_agent = '', address = '' WHERE user_id = $1", [id]);
    await manager.query('UPDATE usernames SET given_up_at = $2 WHERE user_id = $1 AND given_up_at IS NULL', [
      id,
      new Date(this.clock.now()),
    ]);
  }

  /** Deletes names of erased accounts that anybody may take by now (ACCT-33). */
  async purgeUsernames(stopping: AbortSignal): Promise<void> {
    await deleteInBatches(
      this.dataSource,
      {
        table: 'usernames',
        where:
          'given_up_at <= $1 AND EXISTS (SELECT FROM erasures WHERE erasures.user_id = usernames.user_id)',
        oldestBy: 'given_up_at',
        parameters: [new Date(this.clock.now() - FORMER_USERNAME_MS)],
      },
      stopping,
    );
  }
}
