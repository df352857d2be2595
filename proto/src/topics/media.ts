import { ErasedUserState } from '@pulso/contracts/common/v1/events';
import { VideoState } from '@pulso/contracts/media/v1/events';
import { ABOUT_NOBODY, stateTopic } from './topic.js';

/** What has become of each uploaded video. */
export const videoTopic = stateTopic(
  'pulso.media.video.v1',
  VideoState,
  ({ id }) => [id],
  ({ deleted, ownerId }) => (deleted ? [] : [ownerId]),
);

export const mediaErasureTopic = stateTopic(
  'pulso.media.erasure.v1',
  ErasedUserState,
  ({ userId }) => [userId],
  ABOUT_NOBODY,
);
