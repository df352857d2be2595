import { clientOf } from './connect-services.js';

// The clients that controllers and providers inject, one a service. `clientProviders` provides all that stand here.
export class BillingClient extends clientOf('billing') {}
export class IdentityClient extends clientOf('identity') {}
export class MediaClient extends clientOf('media') {}
export class MessagingClient extends clientOf('messaging') {}
export class PostsClient extends clientOf('posts') {}
export class SocialClient extends clientOf('social') {}
