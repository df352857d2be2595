import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { deleteInBatches } from '@pulso/platform/jobs/delete-in-batches';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';

const KEPT_MS = 90 * 24 * 60 * 60_000;
/** Devices kept of a user, that of the present sign-in among them. Whoever knows the password can name any number. */
const MAX_DEVICES = 50;

const SEEN = statement<object>(
  'sign-in-device',
  'SELECT FROM sign_in_devices WHERE user_id = $1 AND device = $2 AND seen_at > $3',
);

/** A browser and its system, by what it says of itself without any versions: an update makes no new device. */
export function deviceKey(userAgent: string): Buffer {
  return createHash('sha256')
    .update(userAgent.replace(/\d[\w.]*/g, ''))
    .digest();
}

/** The devices on which users have signed in within 90 days, the last `MAX_DEVICES` of each. Sessions are deleted a day after their end. */
@Injectable()
export class SignInDevices {
  constructor(
    private readonly statements: Statements,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Whether a sign-in on such a device was noted; what `note` says counts, as it knows of sessions and of all that was committed. */
  async wasSeen(userId: string, userAgent: string): Promise<boolean> {
    const since = new Date(this.clock.now() - KEPT_MS);
    return (await this.statements.row(SEEN, [userId, deviceKey(userAgent), since])) !== undefined;
  }

  /**
   * Notes a sign-in. Returns whether it is the first one on such a device. Lock the user's row before, or insert it; call it before the
   * session is stored.
   */
  async note(userId: string, userAgent: string, { manager }: Transaction): Promise<boolean> {
    const now = this.clock.now();
    const device = deviceKey(userAgent);
    const seen = await manager.query<unknown[]>(
      `WITH noted AS (
         INSERT INTO sign_in_devices (user_id, device, seen_at) VALUES ($1, $2, $3)
         ON CONFLICT (user_id, device) DO UPDATE SET seen_at = excluded.seen_at
       ), forgotten AS (
         DELETE FROM sign_in_devices WHERE user_id = $1 AND device IN (
           SELECT device FROM sign_in_devices WHERE user_id = $1 AND device <> $2
           ORDER BY seen_at DESC OFFSET ${MAX_DEVICES - 1}))
       SELECT FROM sign_in_devices WHERE user_id = $1 AND device = $2 AND seen_at > $4`,
      [userId, device, new Date(now), new Date(now - KEPT_MS)],
    );
    if (seen.length > 0) return false;
    // A session that has gone on for longer, or from before devices were noted.
    const sessions = await manager.query<{ user_agent: string }[]>(
      'SELECT user_agent FROM sessions WHERE user_id = $1 AND ended_at IS NULL AND last_used_at > $2',
      [userId, new Date(now - KEPT_MS)],
    );
    return !sessions.some((session) => deviceKey(session.user_agent).equals(device));
  }

  /** Forgets those that were not seen for 90 days. */
  async purge(stopping: AbortSignal): Promise<void> {
    const old = { table: 'sign_in_devices', where: 'seen_at <= $1', oldestBy: 'seen_at' };
    await deleteInBatches(
      this.dataSource,
      { ...old, parameters: [new Date(this.clock.now() - KEPT_MS)] },
      stopping,
    );
  }
}
