import { Injectable } from '@nestjs/common';
import { deleteInBatches } from '@pulso/platform/jobs/delete-in-batches';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import { notAttachable } from './asset-errors.js';
import {
  type Asset,
  type AssetKind,
  type AssetPurpose,
  CLAIM_MS,
  CLAIMED_MS,
  isClaimable,
  PUBLICATION_MS,
  UNATTACHED_MS,
} from './asset.js';
import { AssetRepository } from './asset.repository.js';

/** A post or a profile that is to get assets of its owner. */
export interface ClaimTarget {
  /** The post's id, or the user's. */
  id: string;
  ownerId: string;
  kind: AssetKind;
  purpose: AssetPurpose;
}

@Injectable()
export class ClaimRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly assets: AssetRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Reserves assets for a target, for `CLAIM_MS`; those that it has already are fine. Returns them in the order of `ids`.
   * Throws `media-not-attachable`.
   */
  async claim(ids: readonly string[], target: ClaimTarget, { manager }: Transaction): Promise<Asset[]> {
    const now = this.clock.now();
    const found = await this.assets.lock(ids, target.ownerId, manager);
    const claimed = ids.map((id) => {
      const asset = found.get(id);
      if (asset?.kind !== target.kind || asset.purpose !== target.purpose) throw notAttachable();
      if (!isClaimable(asset, target.id, now)) throw notAttachable();
      return asset;
    });
    await manager.query(
      `UPDATE assets SET claimed_for = $2, claimed_until = $3, expires_at = greatest(expires_at, $4),
         claims = CASE WHEN claimed_for = $2 AND claimed_until > $5 THEN claims + 1 ELSE 1 END
       WHERE id = ANY($1::uuid[]) AND attached_to IS NULL`,
      [ids, target.id, new Date(now + CLAIM_MS), new Date(now + CLAIMED_MS), new Date(now)],
    );
    return claimed;
  }

  /**
   * Gives back one claim of the target on each asset that is not attached. An asset whose claims are all given back is free;
   * before that, another request may still attach it.
   */
  async release(ids: readonly string[], { id, ownerId }: Pick<ClaimTarget, 'id' | 'ownerId'>): Promise<void> {
    await this.dataSource.query(
      `UPDATE assets SET claims = claims - 1,
         claimed_for = CASE WHEN claims > 1 THEN claimed_for END,
         claimed_until = CASE WHEN claims > 1 THEN claimed_until END,
         expires_at = CASE WHEN claims > 1 THEN expires_at ELSE $4 END
       WHERE id = ANY($1::uuid[]) AND claimed_for = $2 AND owner_id = $3 AND claims > 0
         AND attached_to IS NULL AND state = 'ready'`,
      [ids, id, ownerId, new Date(this.clock.now() + UNATTACHED_MS)],
    );
  }

  /** The post of a publication: `postId`, or that of its first claim, if that was less than a day ago. */
  async postOf(ownerId: string, key: string, postId: string, { manager }: Transaction): Promise<string> {
    const now = this.clock.now();
    const rows = await manager.query<{ post_id: string }[]>(
      `INSERT INTO publications AS known (owner_id, key, post_id, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (owner_id, key) DO UPDATE SET
         post_id = CASE WHEN known.created_at > $5 THEN known.post_id ELSE excluded.post_id END,
         created_at = CASE WHEN known.created_at > $5 THEN known.created_at ELSE excluded.created_at END
       RETURNING post_id`,
      [ownerId, key, postId, new Date(now), new Date(now - PUBLICATION_MS)],
    );
    return rows[0]!.post_id;
  }

  /** Forgets the keys of a user's publications. */
  async forgetAllOf(ownerId: string): Promise<void> {
    await this.dataSource.query('DELETE FROM publications WHERE owner_id = $1', [ownerId]);
  }

  /** Forgets the keys of publications that are over. */
  async purge(stopping: AbortSignal): Promise<void> {
    const old = { table: 'publications', where: 'created_at <= $1', oldestBy: 'created_at' };
    const parameters = [new Date(this.clock.now() - PUBLICATION_MS)];
    await deleteInBatches(this.dataSource, { ...old, parameters }, stopping);
  }
}
