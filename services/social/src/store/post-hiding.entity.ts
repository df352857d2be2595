import { Entity, PrimaryColumn } from 'typeorm';
import type { HiddenPostState } from '@pulso/contracts/social/v1/events';
import { Decision } from './decision.entity.js';

/** A moderator's decision about a post. */
@Entity('post_hidings')
export class PostHiding extends Decision {
  @PrimaryColumn('uuid', { name: 'post_id' })
  postId!: string;
}

export function toHiddenPostState(hiding: PostHiding): HiddenPostState {
  const { postId, version, active, reason, decidedAt } = hiding;
  return { postId, version, hidden: active, reason, decidedAt };
}
