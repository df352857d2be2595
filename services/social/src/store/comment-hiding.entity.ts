import { Entity, PrimaryColumn } from 'typeorm';
import type { HiddenCommentState } from '@pulso/contracts/social/v1/events';
import { Decision } from './decision.entity.js';

/** A moderator's decision about a comment. */
@Entity('comment_hidings')
export class CommentHiding extends Decision {
  @PrimaryColumn('uuid', { name: 'comment_id' })
  commentId!: string;
}

export function toHiddenCommentState(hiding: CommentHiding): HiddenCommentState {
  const { commentId, version, active, reason, decidedAt } = hiding;
  return { commentId, version, hidden: active, reason, decidedAt };
}
