import type { Account, Session, User } from '@pulso/contracts/identity/v1/identity';
import { type Author, type Comment, type Post, PostPage, Visibility } from '@pulso/contracts/posts/v1/posts';
import type { Relation, Review, UserRef } from '@pulso/contracts/social/v1/social';
import { SERVICE_NAMES } from '@pulso/contracts/rpc';
import { currentContext } from '@pulso/platform/context/request-context';
import { DomainError, notFound } from '@pulso/platform/errors/domain-error';
import type { GatewayClients } from '../../src/clients.js';
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
  identity: Fake<GatewayClients['identity']>;
  posts: Fake<GatewayClients['posts']>;
  social: Fake<GatewayClients['social']>;
  /** Restores the original answers. */
  resetServices(): void;
}

/** Services that answer at once from the builders below, and remember how they were called. */
export function fakeServices(accessToken: string): FakeServices {
  const services: FakeServices = {
    calls: [],
    identity: identityAnswers(accessToken),
    posts: postsAnswers(),
    social: socialAnswers(),
    clients: undefined as never,
    resetServices() {
      Object.assign(services.identity, identityAnswers(accessToken));
      Object.assign(services.posts, postsAnswers());
      Object.assign(services.social, socialAnswers());
      services.calls.length = 0;
    },
  };
  const recorder = (service: Service) =>
    new Proxy({} as never, {
      get: (_target, method: string) => {
        // Nest asks every provider for its life-cycle hooks.
        const answers = (services as Partial<Record<Service, object>>)[service] ?? {};
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
function aUserRef(changes: Partial<UserRef> = {}): UserRef {
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

/** A list of one page and a next one; no cursor is any good. */
const pageOf =
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
    listEndedSessions: () => Promise.resolve({ sessions: [] }),
    getMe: () => Promise.resolve(anAccount()),
    updateMe: () => Promise.resolve(anAccount()),
    getUser: ({ id }) => (id === USER_ID ? Promise.resolve(aUser()) : Promise.reject(notFound())),
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
    listUserPosts: page,
    publishPost: ({ content }) => Promise.resolve(aPost({ content })),
    getPost: ({ id }) =>
      id === POST_ID ? Promise.resolve(aPost()) : Promise.reject(notFound('Post not found')),
    editPost: () => Promise.resolve(aPost({ editedAt: TIME })),
    deletePost: () => Promise.resolve({}),
    likePost: like,
    unlikePost: like,
    listComments: pageOf(() => ({ items: [aComment()] }), ''),
    addComment: ({ content }) => Promise.resolve(aComment({ content })),
    deleteComment: () => Promise.resolve({}),
    likeComment: like,
    unlikeComment: like,
    getUsersStats: ({ userIds }) => Promise.resolve({ stats: userIds.map(aUserStats) }),
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
