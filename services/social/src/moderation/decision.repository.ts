import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { stageEvent } from '@pulso/platform/events/postgres-outbox';
import { hiddenPostTopic, userSuspensionTopic } from '@pulso/contracts/topics/social';
import { nextVersion } from '@pulso/platform/events/version';
import type { Clock } from '@pulso/platform/time/clock';
import { DATA_SOURCE } from '../database/data-source.js';
import { readInBatches } from '../database/read-in-batches.js';
import { CLOCK } from '../tokens.js';
import { PostHiding } from './post-hiding.entity.js';
import { UserSuspension } from './user-suspension.entity.js';

const TABLES = {
  post: { name: 'post_hidings', key: 'post_id' },
  user: { name: 'user_suspensions', key: 'user_id' },
} as const;

/** Moderators' decisions with their events: posts acts on the one kind, identity on the other. */
@Injectable()
export class DecisionRepository {
  constructor(
    @InjectDataSource(DATA_SOURCE) private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async setHidden(postId: string, hidden: boolean, by: string, transaction: EntityManager): Promise<void> {
    const version = await this.decide('post', postId, hidden, by, transaction);
    await stageEvent(transaction, hiddenPostTopic, { postId, hidden, version });
  }

  async setSuspended(
    userId: string,
    suspended: boolean,
    by: string,
    transaction: EntityManager,
  ): Promise<void> {
    const version = await this.decide('user', userId, suspended, by, transaction);
    await stageEvent(transaction, userSuspensionTopic, { userId, suspended, version });
  }

  /** Every decision there is, for republication. */
  allHidings(): AsyncIterable<PostHiding> {
    return readInBatches(this.dataSource, PostHiding, ['postId']);
  }

  allSuspensions(): AsyncIterable<UserSuspension> {
    return readInBatches(this.dataSource, UserSuspension, ['userId']);
  }

  /** One statement, so that moderators who decide at the same time get different versions. Answers the version. */
  private async decide(
    kind: keyof typeof TABLES,
    id: string,
    active: boolean,
    by: string,
    transaction: EntityManager,
  ): Promise<number> {
    const { name, key } = TABLES[kind];
    const [row] = await transaction.query<{ version: string }[]>(
      `INSERT INTO ${name} AS decision (${key}, active, decided_by, decided_at, version)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (${key}) DO UPDATE SET active = excluded.active, decided_by = excluded.decided_by,
         decided_at = excluded.decided_at, version = greatest(decision.version + 1, excluded.version)
       RETURNING version`,
      [id, active, by, new Date(this.clock.now()), nextVersion(undefined, this.clock)],
    );
    return Number(row!.version);
  }
}
