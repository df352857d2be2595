import { Entity, PrimaryColumn } from 'typeorm';
import type { HiddenPostState } from '@pulso/contracts/social/v1/events';
import { Decision } from './decision.entity.js';

/** A moderator's decision about a post. */
@Entity('post_hidings')
export class PostHiding extends Decision {
  @PrimaryColumn('uuid', { name: 'post_id' })
  postId!: string;
<<<<<<< HEAD
=======

  /** False once the decision was revoked. */
  @Column('boolean')
  active!: boolean;

  @Column('text', { name: 'decided_by' })
  decidedBy!: string;

  /** Milliseconds since the epoch. */
  @Column({ type: 'timestamptz', name: 'decided_at', precision: 3, transformer: milliseconds })
  decidedAt!: number;

  @Column('bigint', { transformer: safeInteger })
  version!: number;
>>>>>>> wt-words2
}

export function toHiddenPostState({ postId, version, active }: PostHiding): HiddenPostState {
  return { postId, version, hidden: active };
}
