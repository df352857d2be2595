import { rpcContracts, SERVICE_NAMES } from '@pulso/contracts/rpc';
import { userTopic } from '@pulso/contracts/topics/identity';
import { currentContext, runInContext } from '@pulso/platform/context/request-context';
import { DomainError } from '@pulso/platform/errors/domain-error';
import type { GatewayClients } from '../connect-services.js';

/**
 * Clients that find users who have just signed up (HTTP-30). A service that answers `not-found` to a call about a user (the
 * .proto's `about_user`) may not have received this user yet. Identity knows: without an account it stays `not-found`; otherwise the call is made again with a consistency
 * token of the user, for which the service waits. A service that already has the user refuses again at once.
 */
export function findingNewUsers(clients: GatewayClients): GatewayClients {
  const { identity } = clients;
  const asking = SERVICE_NAMES.map((name) => {
    const { aboutUser } = rpcContracts[name];
    return [name, aboutUser.size > 0 ? askingAgain(clients[name], aboutUser, identity) : clients[name]];
  });
  return Object.fromEntries(asking) as unknown as GatewayClients;
}

type Identity = Pick<GatewayClients['identity'], 'getUserVersion'>;
type Request = Readonly<Record<string, unknown>>;
type Call = (request: Request, ...rest: unknown[]) => Promise<unknown>;

function askingAgain<Client extends object>(
  client: Client,
  aboutUser: ReadonlyMap<string, string>,
  identity: Identity,
): Client {
  return new Proxy(client, {
    get(target, method, receiver) {
      const value: unknown = Reflect.get(target, method, receiver);
      const field = aboutUser.get(String(method));
      if (field === undefined) return value;
      const call = value as Call;
      return async (request: Request, ...rest: unknown[]) => {
        try {
          return await call(request, ...rest);
        } catch (error) {
          const user = request[field];
          if (!isNotFound(error) || typeof user !== 'string') throw error;
          const version = await versionOf(user, identity);
          if (!version) throw error;
          return withToken(user, version, () => call(request, ...rest));
        }
      };
    },
  });
}

/** Undefined for an id of nobody, and while identity cannot be asked: then the service's answer stands. */
async function versionOf(id: string, identity: Identity): Promise<number | undefined> {
  try {
    return (await identity.getUserVersion({ id })).version;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

function withToken<T>(user: string, version: number, call: () => Promise<T>): Promise<T> {
  const context = currentContext();
  if (!context) return call();
  const token = { topic: userTopic.name, key: user, version };
  return runInContext({ ...context, after: [...context.after, token] }, call);
}

const isNotFound = (error: unknown) => error instanceof DomainError && error.code === 'not-found';
