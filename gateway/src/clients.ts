import type { IdentityServiceService } from '@pulso/contracts/identity/v1/identity';
import type { SocialServiceService } from '@pulso/contracts/social/v1/social';
import type { RpcClient } from '@pulso/platform/rpc/rpc-client';
import type { POSTS_SERVICE } from './posts/feed-page.codec.js';

export type IdentityClient = RpcClient<typeof IdentityServiceService>;
export type PostsClient = RpcClient<typeof POSTS_SERVICE.definition>;
export type SocialClient = RpcClient<typeof SocialServiceService>;

/** The services behind the gateway. */
export interface GatewayClients {
  identity: IdentityClient;
  posts: PostsClient;
  social: SocialClient;
}

// What Nest injects these by: interfaces leave nothing behind at run time.
export const IDENTITY = Symbol('identity');
export const POSTS = Symbol('posts');
export const SOCIAL = Symbol('social');
export const CONFIG = Symbol('config');
export const LOGGER = Symbol('logger');
