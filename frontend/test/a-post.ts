import type { Comment, Me, Post, Profile, Review, Session } from '../src/api/types.js';

const author = {
  id: 'ana',
  name: 'Ana',
  username: 'ana',
  profileImage: '/api/avatars/a.svg',
  isCoach: false,
  subscriptionPrice: null,
  subscriptionCurrency: null,
};

export const aPost = (over: Partial<Post> = {}): Post => ({
  id: 'p1',
  author,
  content: 'Five sets of five',
  truncated: false,
  images: [],
  imageCount: 0,
  video: null,
  hasVideo: false,
  visibility: 'public',
  likeCount: 2,
  likedByViewer: false,
  commentCount: 0,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  editedAt: null,
  locked: false,
  permissions: { edit: false, delete: false, like: true, comment: true },
  ...over,
});

export const aComment = (over: Partial<Comment> = {}): Comment => ({
  id: 'c1',
  postId: 'p1',
  author: { id: 'ana', name: 'Ana', username: 'ana', profileImage: '/api/avatars/a.svg', isCoach: false },
  content: 'Well done',
  likeCount: 0,
  likedByViewer: false,
  createdAt: '2026-11-20T10:05:00.000Z',
  updatedAt: '2026-11-20T10:05:00.000Z',
  ...over,
});

export const aProfile = (over: Partial<Profile> = {}): Profile => ({
  id: 'coach',
  name: 'Coach',
  username: 'coach',
  profileImage: '/api/avatars/c.svg',
  isCoach: true,
  bio: '',
  specialties: [],
  subscriptionPrice: null,
  subscriptionCurrency: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  stats: { posts: 0, followers: 0, following: 0, subscribers: 0, likes: 0, comments: 0 },
  rating: { averageRating: 0, totalReviews: 0 },
  viewer: {
    isSelf: false,
    following: false,
    followsYou: false,
    subscribed: false,
    subscription: null,
    reviewed: false,
    blocked: false,
  },
  ...over,
});

export const aReview = (over: Partial<Review> = {}): Review => ({
  id: 'r1',
  coachId: 'coach',
  reviewer: { id: 'ben', name: 'Ben', username: 'ben', profileImage: '/api/avatars/b.svg', isCoach: false },
  reviewerName: 'Ben',
  reviewerImage: '/api/avatars/b.svg',
  verifiedSubscriber: false,
  rating: 4,
  comment: 'Patient and clear.',
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  ...over,
});

export const aMe = (over: Partial<Me> = {}): Me => {
  const profile = aProfile({ id: 'ben', name: 'Ben', username: 'ben', profileImage: '/api/avatars/b.svg' });
  return {
    ...profile,
    isCoach: false,
    viewer: profile.viewer && { ...profile.viewer, isSelf: true },
    email: 'ben@example.test',
    pendingEmail: null,
    emailVerified: false,
    hasPassword: true,
    language: 'en',
    emails: { subscriptions: true, security: true },
    storage: { quotaBytes: 524_288_000, bytesUsed: 0 },
    ...over,
  };
};

/** What a login or a refresh tells of them (HTTP-37). */
export const withoutFigures = (me: Me): Me => ({
  ...me,
  stats: { posts: null, followers: null, following: null, subscribers: 0, likes: null, comments: null },
  rating: { averageRating: null, totalReviews: null },
  storage: { ...me.storage, bytesUsed: null },
});

export const aSession = (accessToken: string, over: Partial<Session> = {}): Session => ({
  accessToken,
  expiresIn: 600,
  user: aMe(),
  ...over,
});
