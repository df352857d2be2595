import { UserState } from '@pulso/contracts/identity/v1/events';
import { stateTopic } from './topic.js';

export const userTopic = stateTopic('pulso.identity.user.v1', UserState, ({ id }) => [id]);
