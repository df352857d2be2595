import type { Session } from '@pulso/contracts/identity/v1/identity';
import { PostPage } from '@pulso/contracts/posts/v1/posts';
import { SERVICE_NAMES } from '@pulso/contracts/rpc';
import { currentContext } from '@pulso/platform/context/request-context';
import { DomainError, notFound } from '@pulso/platform/errors/domain-error';
import type { GatewayClients } from '../../src/connect-services.js';
import { billingAnswers } from './fake-billing.js';
import { mediaAnswers } from './fake-media.js';
import { aPasskey, PASSKEY_CREATION, PASSKEY_REQUEST } from './fake-passkeys.js';
import {
  type Fake,
  POST_ID,
  TIME,
  USER_ID,
  aComment,
  aConversation,
  aMessage,
  aNotification,
  aPost,
  aRelation,
  aReview,
  aUser,
  aUserRef,
  anAccount,
  anAuthor,
  nothingHeld,
  pageOf,
} from './fake-shapes.js';
import { type EncodedPostPage, readFeedPage } from '../../src/posts/decode-feed-page.js';

export * from './fake-shapes.js';

type Call = (request: never, options?: { deadlineMs?: number }) => Promise<unknown>;

export type Service = keyof GatewayClients;

export interface RecordedCall {
  service: Service;
  method: string;
  request: unknown;
  context: ReturnType<typeof currentContext>;
}

type Answers = { [Name in Service]: Fake<GatewayClients[Name]> };

export interface FakeServices extends Answers {
  clients: GatewayClients;
  calls: RecordedCall[];
  /** Restores the original answers. */
  resetServices(): void;
}

const originalAnswers = (accessToken: string): Answers => ({
  billing: billingAnswers(),
  identity: identityAnswers(accessToken),
  media: mediaAnswers(),
  messaging: messagingAnswers(),
  posts: postsAnswers(),
  social: socialAnswers(),
});

/** Services that answer at once from the builders below, and remember how they were called. */
export function fakeServices(accessToken: string): FakeServices {
  const services: FakeServices = {
    ...originalAnswers(accessToken),
    calls: [],
    clients: undefined as never,
    resetServices() {
      const original = originalAnswers(accessToken);
      for (const name of SERVICE_NAMES) Object.assign(services[name], original[name]);
      services.calls.length = 0;
    },
  };
  const recorder = (service: Service) =>
    new Proxy({} as never, {
      get: (_target, method: string) => {
        // Nest asks every provider for its life-cycle hooks.
        const answers = services[service];
        if (!(method in answers)) return undefined;
        return async (request: never, options?: { deadlineMs?: number }) => {
          services.calls.push({ service, method, request, context: currentContext() });
          return (answers as Record<string, Call>)[method]!(request, options);
        };
      },
    });
  services.clients = Object.fromEntries(
    SERVICE_NAMES.map((name) => [name, recorder(name)]),
  ) as unknown as GatewayClients;
  return services;
}

function identityAnswers(accessToken: string): FakeServices['identity'] {
  const session = (): Promise<Session> =>
    Promise.resolve({
      accessToken,
      expiresIn: 600,
      refreshToken: 'refresh-token-2',
      refreshExpiresAt: TIME + 30 * 86_400_000,
      account: anAccount(),
    });
  return {
    exportUser: nothingHeld,
    listCoaches: pageOf(() => ({ items: [aUser()] })),
    listPeople: pageOf(() => ({ items: [aUser()] })),
    listSpecialties: () => Promise.resolve({ specialties: ['Boxing', 'Yoga'] }),
    signUp: session,
    logIn: session,
    refreshSession: session,
    beginOpenid: () => Promise.resolve({ url: 'https://accounts.example/auth', transaction: 'k1.e30.bWFj' }),
    finishOpenid: session,
    beginPasskeyLogIn: () => Promise.resolve({ json: JSON.stringify(PASSKEY_REQUEST) }),
    logInByPasskey: session,
    listPasskeys: () => Promise.resolve({ passkeys: [aPasskey()] }),
    beginPasskey: () => Promise.resolve({ json: JSON.stringify(PASSKEY_CREATION) }),
    addPasskey: () => Promise.resolve(aPasskey()),
    renamePasskey: () => Promise.resolve(aPasskey()),
    removePasskey: () => Promise.resolve({}),
    beginPasskeyConfirmation: () => Promise.resolve({ json: JSON.stringify(PASSKEY_REQUEST) }),
    confirmByPasskey: () => Promise.resolve({}),
    logOut: () => Promise.resolve({ userId: USER_ID }),
    getPasswordPolicy: () =>
      Promise.resolve({
        minLength: 6,
        maxLength: 128,
        requireLowercase: false,
        requireUppercase: false,
        requireNumeric: false,
        requireNonAlphanumeric: false,
      }),
    listSessions: () => Promise.resolve({ sessions: [] }),
    endSession: () => Promise.resolve({}),
    endOtherSessions: () => Promise.resolve({}),
    forgotPassword: () => Promise.resolve({}),
    resetPassword: () => Promise.resolve({}),
    changePassword: () => Promise.resolve({}),
    verifyEmail: () => Promise.resolve({}),
    resendVerification: () => Promise.resolve({}),
    listEndedSessions: () => Promise.resolve({ sessions: [], more: false }),
    getMe: () => Promise.resolve(anAccount()),
    updateMe: () => Promise.resolve(anAccount()),
    eraseMe: () => Promise.resolve({}),
    getUsers: ({ ids }) => Promise.resolve({ users: ids.includes(USER_ID) ? [aUser()] : [] }),
    listSubscriberEmails: ({ userIds }) =>
      Promise.resolve({ emails: userIds.map((userId) => ({ userId, email: `${userId}@example.com` })) }),
    unsubscribe: () => Promise.resolve({ emails: 'subscriptions' }),
    getUser: ({ id }) => (id === USER_ID ? Promise.resolve(aUser()) : Promise.reject(notFound())),
    getUserVersion: ({ id }) =>
      id === USER_ID ? Promise.resolve({ version: 1 }) : Promise.reject(notFound()),
    getUserByUsername: ({ username }) =>
      username === 'ana-torres' ? Promise.resolve(aUser()) : Promise.reject(notFound()),
  };
}

/** A page as the feed's codec hands it to the gateway. */
export function encodedPage(page: PostPage): EncodedPostPage {
  return readFeedPage(PostPage.encode(page).finish());
}

const anImportedId = (id: string) => `imported-${id}`;

function postsAnswers(): FakeServices['posts'] {
  const page = pageOf(() => ({ items: [aPost()] }));
  const like = () => Promise.resolve({ liked: true, likeCount: 4 });
  return {
    exportUser: nothingHeld,
    getFeed: (request) => page(request).then(encodedPage),
    countNewerPosts: ({ cursor }) =>
      cursor === 'k.next.mac'
        ? Promise.resolve({ count: 3 })
        : Promise.reject(new DomainError('invalid-cursor', 'This page link is not valid.')),
    listUserPosts: page,
    listPublicPosts: () => Promise.resolve({ items: [], nextCursor: '' }),
    publishPost: ({ content }) => Promise.resolve(aPost({ content })),
    getPost: ({ id }) =>
      id === POST_ID ? Promise.resolve(aPost()) : Promise.reject(notFound('Post not found')),
    editPost: () => Promise.resolve(aPost({ editedAt: TIME })),
    deletePost: () => Promise.resolve({}),
    likePost: like,
    unlikePost: like,
    listPostLikes: pageOf(() => ({ items: [anAuthor(), anAuthor(aUserRef())] })),
    listComments: pageOf(() => ({ items: [aComment()] }), ''),
    addComment: ({ content }) => Promise.resolve(aComment({ content })),
    deleteComment: () => Promise.resolve({}),
    likeComment: like,
    unlikeComment: like,
    getImport: () => Promise.resolve({ sourceUserId: undefined, posts: 0, comments: 0 }),
    beginImport: ({ sourceUserId }) => Promise.resolve({ sourceUserId, posts: 0, comments: 0 }),
    findImported: ({ postIds, commentIds }) =>
      Promise.resolve({
        posts: postIds.map((id) => ({ id: anImportedId(id), imported: false })),
        comments: commentIds.map((id) => ({ id: anImportedId(id), imported: false })),
      }),
    importPosts: ({ posts }) => Promise.resolve({ ids: posts.map(({ sourceId }) => anImportedId(sourceId)) }),
    importComments: ({ comments }) =>
      Promise.resolve({ ids: comments.map(({ sourceId }) => anImportedId(sourceId)) }),
    getUsersStats: ({ userIds }) => Promise.resolve({ stats: userIds.map(aUserStats) }),
  };
}

function messagingAnswers(): FakeServices['messaging'] {
  return {
    exportUser: nothingHeld,
    listConversations: pageOf(() => ({ items: [aConversation()] })),
    startConversation: () => Promise.resolve({ conversation: aConversation(), created: false }),
    listMessages: pageOf(() => ({ items: [aMessage()] })),
    sendMessage: ({ receiverId, content }) =>
      Promise.resolve(aMessage({ senderId: USER_ID, receiverId, content })),
    markConversationRead: () => Promise.resolve({}),
    listNotifications: pageOf(() => ({ items: [aNotification()] })),
    markNotificationsRead: () => Promise.resolve({}),
    getUnreadCounts: () => Promise.resolve({ notifications: 2, messages: 1 }),
    listNews: () =>
      Promise.resolve({
        counts: { notifications: 2, messages: 1 },
        messages: [],
        notifications: [],
        moreMessages: false,
        moreNotifications: false,
      }),
  };
}

const aUserStats = () => ({ posts: 2, likes: 5, comments: 1 });

function socialAnswers(): FakeServices['social'] {
  const people = pageOf(() => ({ items: [aUserRef()] }));
  const done = () => Promise.resolve({});
  return {
    exportUser: nothingHeld,
    followUser: () => Promise.resolve({ following: true, followerCount: 49 }),
    unfollowUser: () => Promise.resolve({ following: false, followerCount: 48 }),
    listFollowers: people,
    listFollowing: people,
    listMetCoaches: () => Promise.resolve({ userIds: [] }),
    blockUser: done,
    unblockUser: done,
    listBlocks: people,
    listReviews: pageOf(() => ({
      items: [aReview()],
      summary: { averageRating: 4.7, totalReviews: 9 },
      mine: undefined,
    })),
    putReview: ({ rating, comment }) =>
      Promise.resolve({ review: aReview({ rating, comment }), created: true }),
    deleteReview: done,
    createReport: done,
    getRelations: ({ userIds }) =>
      Promise.resolve({ relations: userIds.map((userId) => aRelation({ userId })) }),
  };
}
