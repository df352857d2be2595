import { Injectable } from '@nestjs/common';
import { BlockProjection } from '@pulso/platform/postgres/block-projection';
import { ProjectionStore } from '@pulso/platform/postgres/projection-table';

/** Identity's projection of blocks: a block hides each user from the other (PEOPLE-23). */
@Injectable()
export class KnownBlocks extends BlockProjection {
  constructor(store: ProjectionStore) {
    super(store);
  }
}
