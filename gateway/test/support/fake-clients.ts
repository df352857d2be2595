import type { Account, Session, User } from '@pulso/contracts/identity/v1/identity';
import { type Author, type Comment, type Post, PostPage, Visibility } from '@pulso/contracts/posts/v1/posts';
import {
  type Conversation,
  type Message,
  MessageType,
  type Notification,
  NotificationType,
} from '@pulso/contracts/messaging/v1/messaging';
import type { Relation, Review, UserRef } from '@pulso/contracts/social/v1/social';
import { SERVICE_NAMES } from '@pulso/contracts/rpc';
import { currentContext } from '@pulso/platform/context/request-context';
import { DomainError, notFound } from '@pulso/platform/errors/domain-error';
import type { GatewayClients } from '../../src/clients.js';
import { billingAnswers } from './fake-billing.js';
import { mediaAnswers } from './fake-media.js';
import { type EncodedPostPage, readFeedPage } from '../../src/posts/feed-page.codec.js';

type Call = (request: never, options?: { deadlineMs?: number }) => Promise<unknown>;

/** Calls by method name. */
export type Fake<T> = { -readonly [M in keyof T]?: T[M] };

export type Service = keyof GatewayClients;

export interface RecordedCall {
  service: Service;
  method: string;
  request: unknown;
  context: ReturnType<typeof currentContext>;
}

export interface FakeServices {
  clients: GatewayClients;
  calls: RecordedCall[];
  billing: Fake<GatewayClients['billing']>;
  identity: Fake<GatewayClients['identity']>;
  media: Fake<GatewayClients['media']>;
  messaging: Fake<GatewayClients['messaging']>;
  posts: Fake<GatewayClients['posts']>;
  social: Fake<GatewayClients['social']>;
  /** Restores the original answers. */
  resetServices(): void;
}

/** Services that answer at once from the builders below, and remember how they were called. */
export function fakeServices(accessToken: string): FakeServices {
  const services: FakeServices = {
    calls: [],
    billing: billingAnswers(),
    identity: identityAnswers(accessToken),
    media: mediaAnswers(),
    messaging: messagingAnswers(),
    posts: postsAnswers(),
    social: socialAnswers(),
    clients: undefined as never,
    resetServices() {
      Object.assign(services.billing, billingAnswers());
      Object.assign(services.identity, identityAnswers(accessToken));
      Object.assign(services.media, mediaAnswers());
      Object.assign(services.messaging, messagingAnswers());
      Object.assign(services.posts, postsAnswers());
      Object.assign(services.social, socialAnswers());
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

export const USER_ID = '0198f2a4-7c10-7b3e-9d61-3f2a8c5e1b07';
export const OTHER_ID = '0198f2a9-01f4-7d52-8a3c-6e0b9d4f2c18';
export const POST_ID = '0198f2b3-5a20-7c81-b4e9-1d7f3a6c8e29';
export const COMMENT_ID = '0198f2b7-9e48-7f06-a5d2-8b4c0e7f1a3d';
export const REVIEW_ID = '0198f2bc-4d16-7e83-b0c7-9a2f5e8d1c46';
export const SESSION_ID = '0198f2a4-7d02-7e91-8c47-5a1b2c3d4e5f';
export const CONVERSATION_ID = `${USER_ID}_${OTHER_ID}`;
export const MESSAGE_ID = '0198f2c6-2b57-7d40-9a1e-5f8c3e7d0b92';
export const NOTIFICATION_ID = '0198f2c8-8d03-7a6b-b7f4-0e9d2c5a1f83';
export const TIME = Date.UTC(2026, 4, 4, 9, 30);

export function aUser(changes: Partial<User> = {}): User {
  return {
    id: USER_ID,
    name: 'Ana Torres',
    username: 'ana-torres',
    profileImageId: '',
    isCoach: true,
    bio: 'Strength for busy people.',
    specialties: ['Yoga'],
    subscriptionPriceMinor: 40_050,
    subscriptionCurrency: 'MXN',
    createdAt: TIME,
    ...changes,
  };
}

export function anAccount(changes: Partial<Account> = {}): Account {
  return {
    user: aUser(),
    email: 'ana@example.com',
    pendingEmail: '',
    emailVerified: false,
    hasPassword: true,
    language: 'es',
    emails: { subscriptions: true, security: false },
    ...changes,
  };
}

export function anAuthor(changes: Partial<Author> = {}): Author {
  const { id, name, username, profileImageId, isCoach, subscriptionPriceMinor, subscriptionCurrency } =
    aUser();
  return {
    id,
    name,
    username,
    profileImageId,
    isCoach,
    subscriptionPriceMinor,
    subscriptionCurrency,
    ...changes,
  };
}

export function aPost(changes: Partial<Post> = {}): Post {
  return {
    id: POST_ID,
    author: anAuthor(),
    content: 'First session done!',
    truncated: false,
    images: [],
    imageCount: 0,
    hasVideo: false,
    visibility: Visibility.VISIBILITY_PUBLIC,
    likeCount: 3,
    likedByViewer: true,
    commentCount: 1,
    createdAt: TIME,
    updatedAt: TIME,
    editedAt: undefined,
    locked: false,
    permissions: { edit: true, delete: true, like: true, comment: true },
    ...changes,
  };
}

export function aComment(changes: Partial<Comment> = {}): Comment {
  return {
    id: COMMENT_ID,
    postId: POST_ID,
    author: anAuthor(),
    content: 'Well done!',
    likeCount: 0,
    likedByViewer: false,
    createdAt: TIME,
    updatedAt: TIME,
    ...changes,
  };
}

/** The caller of most tests is USER_ID, so this is the other one. */
export function aUserRef(changes: Partial<UserRef> = {}): UserRef {
  return {
    id: OTHER_ID,
    name: 'Ben Ortiz',
    username: 'ben-ortiz',
    profileImageId: '',
    isCoach: false,
    ...changes,
  };
}

export function aReview(changes: Partial<Review> = {}): Review {
  return {
    id: REVIEW_ID,
    coachId: USER_ID,
    reviewer: aUserRef(),
    verifiedSubscriber: true,
    rating: 5,
    comment: 'Patient, clear, and it works.',
    createdAt: TIME,
    updatedAt: TIME,
    ...changes,
  };
}

export function aRelation(changes: Partial<Relation> = {}): Relation {
  return {
    userId: USER_ID,
    following: false,
    followsYou: false,
    blocked: false,
    blockedBy: false,
    followerCount: 48,
    followingCount: 7,
    rating: { averageRating: 4.7, totalReviews: 9 },
    reviewed: false,
    ...changes,
  };
}

export function aMessage(changes: Partial<Message> = {}): Message {
  return {
    id: MESSAGE_ID,
    conversationId: CONVERSATION_ID,
    senderId: OTHER_ID,
    receiverId: USER_ID,
    content: 'See you at six?',
    type: MessageType.MESSAGE_TYPE_USER,
    event: undefined,
    createdAt: TIME,
    read: false,
    ...changes,
  };
}

export function aConversation(changes: Partial<Conversation> = {}): Conversation {
  const { senderId, receiverId, content, type, createdAt } = aMessage();
  return {
    id: CONVERSATION_ID,
    otherUser: aUserRef(),
    lastMessage: { senderId, receiverId, content, type, createdAt },
    lastActivity: TIME,
    unreadCount: 1,
    ...changes,
  };
}

export function aNotification(changes: Partial<Notification> = {}): Notification {
  return {
    id: NOTIFICATION_ID,
    type: NotificationType.NOTIFICATION_TYPE_COMMENT,
    actor: aUserRef(),
    postId: POST_ID,
    commentId: COMMENT_ID,
    read: false,
    createdAt: TIME,
    ...changes,
  };
}

/** A list of one page and a next one; no cursor is any good. */
export const pageOf =
  <T extends object>(answer: () => T, nextCursor = 'k.next.mac') =>
  ({ cursor }: { cursor: string }) =>
    cursor === ''
      ? Promise.resolve({ ...answer(), nextCursor })
      : Promise.reject(new DomainError('invalid-cursor', 'This page link is not valid.'));

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
    listCoaches: pageOf(() => ({ items: [aUser()] })),
    listPeople: pageOf(() => ({ items: [aUser()] })),
    listSpecialties: () => Promise.resolve({ specialties: ['Boxing', 'Yoga'] }),
    signUp: session,
    logIn: session,
    refreshSession: session,
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
    listEndedSessions: () => Promise.resolve({ sessions: [], more: false }),
    getMe: () => Promise.resolve(anAccount()),
    updateMe: () => Promise.resolve(anAccount()),
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

function postsAnswers(): FakeServices['posts'] {
  const page = pageOf(() => ({ items: [aPost()] }));
  const like = () => Promise.resolve({ liked: true, likeCount: 4 });
  return {
    getFeed: (request) => page(request).then(encodedPage),
    countNewerPosts: ({ cursor }) =>
      cursor === 'k.next.mac'
        ? Promise.resolve({ count: 3 })
        : Promise.reject(new DomainError('invalid-cursor', 'This page link is not valid.')),
    listUserPosts: page,
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
    getUsersStats: ({ userIds }) => Promise.resolve({ stats: userIds.map(aUserStats) }),
  };
}

function messagingAnswers(): FakeServices['messaging'] {
  return {
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
      Promise.resolve({ counts: { notifications: 2, messages: 1 }, messages: [], notifications: [] }),
  };
}

const aUserStats = () => ({ posts: 2, likes: 5, comments: 1 });

function socialAnswers(): FakeServices['social'] {
  const people = pageOf(() => ({ items: [aUserRef()] }));
  const done = () => Promise.resolve({});
  return {
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
