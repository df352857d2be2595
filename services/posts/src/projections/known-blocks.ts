import { Injectable } from '@nestjs/common';
import type { BlockState } from '@pulso/contracts/social/v1/events';
import { blockTopic } from '@pulso/contracts/topics/social';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { Viewers } from '../store/viewers.js';
import { BlockRows, type BlockRow } from './block.schema.js';
import { KnownRelations } from './known-relations.js';
import { ViewerGraphs } from './viewer-graphs.js';

/** Blocks; each user is hidden from the other (PEOPLE-23), also while social is down (PEOPLE-27). */
@Injectable()
export class KnownBlocks extends KnownRelations<BlockState, BlockRow> {
  readonly topic = blockTopic;

  constructor(rows: BlockRows, rebuilds: Rebuilds, viewers: Viewers, graphs: ViewerGraphs) {
    super(rows, rebuilds, viewers, graphs);
  }

  protected fieldsOf({ blockerId, blockedId, active }: BlockState) {
    return { blockerId, blockedId, active };
  }

  protected viewersOf({ blockerId, blockedId }: BlockState) {
    return [blockerId, blockedId];
  }
}
