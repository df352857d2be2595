import { clientOf } from './connect-services.js';

// The clients that several folders inject. One that a single folder needs stands in that folder; `services.ts` lists all.
export class BillingClient extends clientOf('billing') {}
export class IdentityClient extends clientOf('identity') {}
export class MediaClient extends clientOf('media') {}
export class MessagingClient extends clientOf('messaging') {}
export class PostsClient extends clientOf('posts') {}
export class SocialClient extends clientOf('social') {}
