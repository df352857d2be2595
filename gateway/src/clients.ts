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

type Token<T> = abstract new () => T;

/** The class by which Nest injects a client: a client's type alone does not exist at run time. */
const token = <T>(name: string) => ({ [name]: class {} })[name] as unknown as Token<T>;

export type IdentityClient = GatewayClients['identity'];
export const IdentityClient = token<IdentityClient>('IdentityClient');
export type PostsClient = GatewayClients['posts'];
export const PostsClient = token<PostsClient>('PostsClient');
export type SocialClient = GatewayClients['social'];
export const SocialClient = token<SocialClient>('SocialClient');

const TOKENS: { [Name in ServiceName]: Token<GatewayClients[Name]> } = {
  identity: IdentityClient,
  posts: PostsClient,
  social: SocialClient,
};

/** What Nest injects for each client's class. */
export const clientProviders = (clients: GatewayClients) =>
  SERVICE_NAMES.map((name) => ({ provide: TOKENS[name], useValue: clients[name] }));

/** A client of each service; nothing is sent yet. */
export function connectServices(transportOf: (service: ServiceName) => RpcTransport): GatewayClients {
  const clients = SERVICE_NAMES.map((name) => [
    name,
    createRpcClient(CONTRACTS[name] as RpcService, transportOf(name)),
  ]);
  return Object.fromEntries(clients) as unknown as GatewayClients;
}
