import { rpcContracts, SERVICE_NAMES, type ServiceName } from '@pulso/contracts/rpc';
import { createRpcClient, type RpcClient } from '@pulso/platform/rpc/rpc-client';
import type { RpcTransport } from '@pulso/platform/rpc/rpc-transport';
import type { RpcService } from '@pulso/platform/rpc/service-definition';
import { postsContract } from './posts/decode-feed-page.js';

/** The contracts as the gateway calls them. */
const CONTRACTS = { ...rpcContracts, posts: postsContract };

/** The services behind the gateway, by their names. */
export type GatewayClients = {
  readonly [Name in ServiceName]: RpcClient<(typeof CONTRACTS)[Name]['definition']>;
};

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

/** A class by which Nest injects the client of a service. No instance of it is ever made. */
export type ClientClass<Name extends ServiceName> = (abstract new () => GatewayClients[Name]) & {
  readonly service: Name;
};

/** What the class of a client extends: a client's type alone does not exist at run time. */
export const clientOf = <Name extends ServiceName>(service: Name) =>
  class {
    static readonly service = service;
  } as unknown as ClientClass<Name>;
