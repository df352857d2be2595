import { Injectable } from '@nestjs/common';
import type { BlockState } from '@pulso/contracts/social/v1/events';
import type { EventRecord, RepublishEnd } from '@pulso/platform/events/event-bus';
import { BlockProjection } from '@pulso/platform/postgres/block-projection';
import { ProjectionStore } from '@pulso/platform/postgres/projection-table';
import { DirectoryRows, hiddenRow } from '../store/directory-rows.js';
import { blockRow, IdentityRows } from '../store/identity-rows.js';

/** Identity's projection of blocks: a block hides each user from the other (PEOPLE-23). */
@Injectable()
export class KnownBlocks extends BlockProjection {
  constructor(
    store: ProjectionStore,
    private readonly rows: IdentityRows,
    private readonly pages: DirectoryRows,
  ) {
    super(store);
  }

  override async apply(state: BlockState, event: EventRecord): Promise<boolean> {
    const isShown = await super.apply(state, event);
    this.rows.changed(blockRow(state.blockerId, state.blockedId));
    this.pages.changed(hiddenRow(state.blockerId), hiddenRow(state.blockedId));
    return isShown;
  }

  /** It may have removed any of them. */
  override async republishEnded(end: RepublishEnd): Promise<void> {
    await super.republishEnded(end);
    this.rows.allChanged();
    this.pages.allChanged();
  }
}
