import { rpcContracts, SERVICE_NAMES, type ServiceName } from '@pulso/contracts/rpc';
import { createRpcClient, type RpcClient } from '@pulso/platform/rpc/rpc-client';
import type { RpcTransport } from '@pulso/platform/rpc/rpc-transport';
import type { RpcService } from '@pulso/platform/rpc/service-definition';
import { postsContract } from './posts/decode-feed-page.js';
import { findingNewUsers } from './users/find-new-users.js';

/** The contracts as the gateway calls them. */
const CONTRACTS = { ...rpcContracts, posts: postsContract };

/** The services behind the gateway, by their names. */
export type GatewayClients = {
  readonly [Name in ServiceName]: RpcClient<(typeof CONTRACTS)[Name]['definition']>;
};

type Token<T> = abstract new () => T;

/** The class by which Nest injects a client: a client's type alone does not exist at run time. */
const token = <T>(name: string) => ({ [name]: class {} })[name] as unknown as Token<T>;

export type BillingClient = GatewayClients['billing'];
export const BillingClient = token<BillingClient>('BillingClient');
export type IdentityClient = GatewayClients['identity'];
export const IdentityClient = token<IdentityClient>('IdentityClient');
export type MediaClient = GatewayClients['media'];
export const MediaClient = token<MediaClient>('MediaClient');
export type MessagingClient = GatewayClients['messaging'];
export const MessagingClient = token<MessagingClient>('MessagingClient');
export type PostsClient = GatewayClients['posts'];
export const PostsClient = token<PostsClient>('PostsClient');
export type SocialClient = GatewayClients['social'];
export const SocialClient = token<SocialClient>('SocialClient');

const TOKENS: { [Name in ServiceName]: Token<GatewayClients[Name]> } = {
  billing: BillingClient,
  identity: IdentityClient,
  media: MediaClient,
  messaging: MessagingClient,
  posts: PostsClient,
  social: SocialClient,
};

/** What Nest injects for each client's class. */
export function clientProviders(clients: GatewayClients) {
  const found = findingNewUsers(clients);
  return SERVICE_NAMES.map((name) => ({ provide: TOKENS[name], useValue: found[name] }));
}

/** A client of each service, whose calls may take `budgetMs` (5 s by default); nothing is sent yet. */
export function connectServices(
  transportOf: (service: ServiceName) => RpcTransport,
  budgetMs?: number,
): GatewayClients {
  const clients = SERVICE_NAMES.map((name) => [
    name,
    createRpcClient(CONTRACTS[name] as RpcService, transportOf(name), undefined, { budgetMs }),
  ]);
  return Object.fromEntries(clients) as unknown as GatewayClients;
}
