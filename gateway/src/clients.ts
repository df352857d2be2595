import { rpcContracts, SERVICE_NAMES, type ServiceName } from '@pulso/contracts/rpc';
import { createRpcClient, type RpcClient } from '@pulso/platform/rpc/rpc-client';
import type { RpcTransport } from '@pulso/platform/rpc/rpc-transport';
import type { RpcService } from '@pulso/platform/rpc/service-definition';
import { POSTS_SERVICE } from './posts/feed-page.codec.js';

/** The contracts as the gateway calls them. */
const CONTRACTS = { ...rpcContracts, posts: POSTS_SERVICE };

/** The services behind the gateway, by their names. */
export type GatewayClients = {
  readonly [Name in ServiceName]: RpcClient<(typeof CONTRACTS)[Name]['definition']>;
};

export type IdentityClient = GatewayClients['identity'];
export type PostsClient = GatewayClients['posts'];
export type SocialClient = GatewayClients['social'];

/** A client of each service; nothing is sent yet. */
export function connectServices(transportOf: (service: ServiceName) => RpcTransport): GatewayClients {
  const clients = SERVICE_NAMES.map((name) => [
    name,
    createRpcClient(CONTRACTS[name] as RpcService, transportOf(name)),
  ]);
  return Object.fromEntries(clients) as unknown as GatewayClients;
}

// What Nest injects these by: interfaces leave nothing behind at run time.
export const IDENTITY = Symbol('identity');
export const POSTS = Symbol('posts');
export const SOCIAL = Symbol('social');
export const CONFIG = Symbol('config');
export const LOGGER = Symbol('logger');
