import { Injectable } from '@nestjs/common';
import type { HiddenPostState } from '@pulso/contracts/social/v1/events';
import { hiddenPostTopic } from '@pulso/contracts/topics/social';
import { ProjectionStore, ProjectionTable } from '@pulso/platform/postgres/projection-table';

/**
 * Which posts moderators have hidden (MEDIA-22). It reads the topic of the decisions, as posts does: a new projection is
 * filled from the start of its topic, so it also has the decisions that are older than itself.
 */
@Injectable()
export class KnownHiddenPosts extends ProjectionTable<HiddenPostState> {
  constructor(store: ProjectionStore) {
    super(store, {
      topic: hiddenPostTopic,
      table: 'known_hidden_posts',
      key: ['post_id'],
      columns: ({ hidden }) => ({ hidden }),
    });
  }
}
