import type { SendMessageRequest } from '@pulso/contracts/messaging/v1/messaging';
import type { CreateReportRequest } from '@pulso/contracts/social/v1/social';
import { ReportSubject } from '@pulso/contracts/social/v1/social';
import { userTopic } from '@pulso/contracts/topics/identity';
import { currentContext, runInContext } from '@pulso/platform/context/request-context';
import { DomainError } from '@pulso/platform/errors/domain-error';
import type { GatewayClients } from '../clients.js';

type NamesUser = (request: never) => string | undefined;
type Named<Client> = Readonly<Partial<Record<keyof Client, NamesUser>>>;

const userId = (request: { userId: string }) => request.userId;
const coachId = (request: { coachId: string }) => request.coachId;
const reportedUser = ({ subjectType, subjectId }: CreateReportRequest) =>
  subjectType === ReportSubject.REPORT_SUBJECT_USER ? subjectId : undefined;

/** The calls of services other than identity that are about one user, and how each names this user. */
const SOCIAL: Named<GatewayClients['social']> = {
  ...{ followUser: userId, unfollowUser: userId, listFollowers: userId, listFollowing: userId },
  ...{ blockUser: userId, unblockUser: userId },
  ...{ listReviews: coachId, putReview: coachId, deleteReview: coachId },
  createReport: reportedUser,
};
const BILLING: Named<GatewayClients['billing']> = { subscribe: coachId, cancelSubscription: coachId };
const POSTS: Named<GatewayClients['posts']> = { listUserPosts: userId };
const MESSAGING: Named<GatewayClients['messaging']> = {
  startConversation: userId,
  sendMessage: ({ receiverId }: SendMessageRequest) => receiverId,
};

/**
 * Clients that find users who have just signed up (HTTP-30). A service that answers `not-found` may not have received the
 * user yet. Identity knows: without an account it stays `not-found`; otherwise the call is made again with a consistency
 * token of the user, for which the service waits. A service that already has the user refuses again at once.
 */
export function findingNewUsers(clients: GatewayClients): GatewayClients {
  const { identity } = clients;
  return {
    ...clients,
    billing: askingAgain(clients.billing, BILLING, identity),
    social: askingAgain(clients.social, SOCIAL, identity),
    posts: askingAgain(clients.posts, POSTS, identity),
    messaging: askingAgain(clients.messaging, MESSAGING, identity),
  };
}

type Identity = Pick<GatewayClients['identity'], 'getUserVersion'>;
type Call = (request: never, ...rest: unknown[]) => Promise<unknown>;

function askingAgain<Client extends object>(
  client: Client,
  named: Named<Client>,
  identity: Identity,
): Client {
  return new Proxy(client, {
    get(target, method, receiver) {
      const value: unknown = Reflect.get(target, method, receiver);
      const userOf = Object.hasOwn(named, method) ? named[method as keyof Client] : undefined;
      if (!userOf) return value;
      const call = value as Call;
      return async (request: never, ...rest: unknown[]) => {
        try {
          return await call(request, ...rest);
        } catch (error) {
          const user = isNotFound(error) ? userOf(request) : undefined;
          const version = user && (await versionOf(user, identity));
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
