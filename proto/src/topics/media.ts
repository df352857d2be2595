import { VideoState } from '@pulso/contracts/media/v1/events';
import { stateTopic } from './topic.js';

/** What has become of each uploaded video. */
export const videoTopic = stateTopic('pulso.media.video.v1', VideoState, ({ id }) => [id]);
