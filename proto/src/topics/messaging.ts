import { ErasedUserState } from '@pulso/contracts/common/v1/events';
import { ABOUT_NOBODY, stateTopic } from './topic.js';

export const messagingErasureTopic = stateTopic(
  'pulso.messaging.erasure.v1',
  ErasedUserState,
  ({ userId }) => [userId],
  ABOUT_NOBODY,
);
