import { Injectable } from '@nestjs/common';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { type AssetPurpose, DETACHED_MS } from './asset.js';
import { MediaRows } from './media-rows.js';

/** The assets of a post or a profile, by its newest event. */
export interface Attachment {
  /** The post's id, or the user's. */
  targetId: string;
  ownerId: string;
  purpose: AssetPurpose;
  /** The ids of the assets that it has. */
  listed: readonly string[];
  epoch: number;
}

/**
 * Records which assets posts and profiles have. Called in the transaction that writes the projected row, so the newest
 * event wins; every step may be repeated.
 */
@Injectable()
export class Attachments {
  constructor(
    private readonly clock: Clock,
    private readonly kept: MediaRows,
  ) {}

  /** Attaches what is listed, also what was detached before, and detaches the rest. */
  async apply(attachment: Attachment, transaction: Transaction): Promise<void> {
    const { targetId, ownerId, purpose, epoch } = attachment;
    const listed = attachment.listed.filter(isId);
    if (listed.length > 0) {
      await transaction.manager.query(
        `UPDATE assets SET state = 'ready', attached_to = $2, epoch = $5, expires_at = NULL
         WHERE id = ANY($1::uuid[]) AND owner_id = $3 AND purpose = $4 AND state IN ('ready', 'detached')
           AND (attached_to IS NULL OR attached_to = $2)
           AND NOT EXISTS (SELECT FROM known_users WHERE id = $3 AND status = 'deleted')`,
        [listed, targetId, ownerId, purpose, epoch],
      );
      transaction.afterCommit.push(() => this.kept.storageChanged(ownerId));
    }
    await this.detachRest(targetId, purpose, listed, false, transaction);
  }

  /** Detaches all assets of a post or profile that is gone. What is claimed for it is free, too. */
  end(targetId: string, purpose: AssetPurpose, transaction: Transaction): Promise<void> {
    return this.detachRest(targetId, purpose, [], true, transaction);
  }

  /** Frees all that a deleted user has stored. */
  async freeAllOf(ownerId: string, { manager, afterCommit }: Transaction): Promise<void> {
    await manager.query(
      "UPDATE assets SET state = 'detached', expires_at = $2 WHERE owner_id = $1 AND state = 'ready'",
      [ownerId, this.removalTime()],
    );
    afterCommit.push(() => this.kept.storageChanged(ownerId));
  }

  /** A claim that is alive belongs to a write whose event is still to come. */
  private async detachRest(
    targetId: string,
    purpose: AssetPurpose,
    listed: readonly string[],
    ended: boolean,
    { manager, afterCommit }: Transaction,
  ): Promise<void> {
    const [detached] = await manager.query<[{ ownerId: string }[], number]>(
      `UPDATE assets SET state = 'detached', expires_at = $4
       WHERE state = 'ready' AND purpose = $2 AND id <> ALL($3::uuid[]) AND (attached_to = $1
         OR (claimed_for = $1 AND attached_to IS NULL AND (claimed_until <= $5 OR $6::boolean)))
       RETURNING owner_id AS "ownerId"`,
      [targetId, purpose, listed, this.removalTime(), new Date(this.clock.now()), ended],
    );
    afterCommit.push(() => this.kept.storageChanged(...detached.map(({ ownerId }) => ownerId)));
  }

  private removalTime(): Date {
    return new Date(this.clock.now() + DETACHED_MS);
  }
}
