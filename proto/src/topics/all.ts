import * as billing from './billing.js';
import * as identity from './identity.js';
import * as media from './media.js';
import * as messaging from './messaging.js';
import * as posts from './posts.js';
import * as social from './social.js';
import type { Topic } from './topic.js';

/** Every topic that a contract declares. */
export const TOPICS: readonly Topic<unknown>[] = [billing, identity, media, messaging, posts, social].flatMap(
  (topics) => Object.values(topics),
);
