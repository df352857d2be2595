import { Injectable } from '@nestjs/common';
import type { HiddenCommentState } from '@pulso/contracts/social/v1/events';
import { hiddenCommentTopic } from '@pulso/contracts/topics/social';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { ProjectedRows } from '@pulso/platform/mongo/projected-rows';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { CommentRepository } from '../store/comment.repository.js';
import { RowCounting } from '../store/row-counting.js';
import { type HiddenCommentRow, HiddenCommentRows } from './hidden-comment.schema.js';

/**
 * Moderators' decisions about comments. Each is written on its comment, which every list reads anyway, and the comments
 * of the post are counted again. A crash in between leaves the comment uncounted, so `RowCounting` counts it.
 */
@Injectable()
export class KnownHiddenComments extends ProjectedRows<HiddenCommentState, HiddenCommentRow> {
  readonly topic = hiddenCommentTopic;

  constructor(
    rows: HiddenCommentRows,
    rebuilds: Rebuilds,
    private readonly comments: CommentRepository,
    private readonly rowCounting: RowCounting,
  ) {
    super(rows, rebuilds);
  }

  /** Throws for a malformed id. */
  protected fieldsOf({ commentId, hidden, reason, decidedAt }: HiddenCommentState) {
    if (!isId(commentId)) throw new Error(`not a comment id: ${commentId}`);
    return { hidden, reason, decidedAt: new Date(decidedAt) };
  }

  protected override written({ commentId }: HiddenCommentState): Promise<void> {
    return this.store(commentId);
  }

  /** Takes back the decisions whose rows the rebuild has removed. */
  protected async rebuilt(): Promise<void> {
    for (const commentId of await this.comments.listHidden()) await this.store(commentId);
  }

  private async store(commentId: string): Promise<void> {
    const changed = await this.comments.storeDecision(commentId, await this.rows.findOne({ _id: commentId }));
    if (changed) await this.rowCounting.countComment(changed);
  }
}
