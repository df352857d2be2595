import type { Logger } from '@pulso/platform/logging/logger';
import { ChangeTail } from '../store/change-tail.js';
import type { PostsStore } from '../store/posts-store.js';
import type { UserRow } from './user.schema.js';
import type { Users } from './users.js';

/** Keeps what this process remembers of users equal to the store's: another replica may have got the event. */
export function userTail(store: PostsStore, users: Users, logger: Logger): ChangeTail<UserRow> {
  return new ChangeTail<UserRow>({
    collection: () => store.raw.users,
    fields: [
      'status',
      'name',
      'username',
      'profileImageId',
      'isCoach',
      'subscriptionPriceMinor',
      'subscriptionCurrency',
      'version',
    ],
    apply: (rows) => users.refresh(rows),
    logger,
    fromNow: true,
  });
}
