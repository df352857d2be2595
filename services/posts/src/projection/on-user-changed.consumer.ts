import type { UserState } from '@pulso/contracts/identity/v1/events';
import type { Consumer } from '@pulso/platform/events/event-bus';
import { userTopic } from '@pulso/contracts/topics/identity';
import type { Users } from './users.js';

/** pulso.identity.user.v1 → users. */
export function onUserChanged(users: Users): Consumer<UserState> {
  return { group: 'posts.users', topic: userTopic, handle: (state, event) => users.apply(state, event) };
}
