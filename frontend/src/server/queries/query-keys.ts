declare const listed: unique symbol;

/** A key of the query cache. Only this file makes them, so that a key written down elsewhere is a type error. */
type ListedKey = readonly unknown[] & { readonly [listed]: true };

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: ListedKey;
  }
}

const key = (...parts: unknown[]): ListedKey => parts as unknown as ListedKey;

export type UserList = 'followers' | 'following' | 'blocks';

/** `all` is the prefix of a group: it reaches each key of the group. */
export const queryKeys = {
  passwordPolicy: key('password-policy'),
  specialties: key('specialties'),
  /** Everything under `all` holds profiles, so that one change reaches each place that shows a person. */
  profiles: {
    all: key('profiles'),
    me: key('profiles', 'me'),
    byId: (id: string) => key('profiles', 'by-id', id),
    byUsername: (username: string) => key('profiles', 'by-username', username.toLowerCase()),
    coaches: (q: string, specialty: string) => key('profiles', 'coaches', { q, specialty }),
    suggested: key('profiles', 'suggested'),
    people: (q: string) => key('profiles', 'people', q),
  },
  /** Everything under `all` holds posts that were read from the server. */
  posts: {
    all: key('posts'),
    feed: key('posts', 'feed'),
    byUser: (userId: string) => key('posts', 'by-user', userId),
    one: (id: string) => key('posts', 'one', id),
  },
  /**
   * Posts made during this visit; they come first in the feed until the next visit (POST-13). Not under `posts.all`:
   * only this browser knows them, so reading all posts again must not lose them.
   */
  pinnedPosts: key('pinned-posts'),
  /** The beginning of the feed as it would be now; not shown, so not under `posts.all`. */
  newerPosts: key('newer-posts'),
  comments: {
    all: key('comments'),
    ofPost: (postId: string) => key('comments', postId),
  },
  /** Comments made during this visit under a list that is not loaded to its end. */
  freshComments: (postId: string) => key('fresh-comments', postId),
  reviews: {
    all: key('reviews'),
    ofCoach: (coachId: string) => key('reviews', coachId),
  },
  /** Who likes a post. */
  likes: {
    all: key('likes'),
    ofPost: (postId: string) => key('likes', postId),
  },
  /** Lists of people. */
  people: {
    all: key('people'),
    /** The prefix of the viewer's list of blocked people; nobody else's blocks are ever read. */
    blocks: key('people', 'blocks'),
    list: (list: UserList, userId: string) => key('people', list, userId),
  },
  conversations: {
    all: key('conversations'),
    list: key('conversations', 'list'),
    /** The viewer's start of the conversation with a user. */
    startWith: (userId: string) => key('conversations', 'start', userId),
  },
  /** The messages of conversations. */
  threads: {
    all: key('threads'),
    of: (conversationId: string) => key('threads', conversationId),
  },
  notifications: key('notifications'),
  config: key('config'),
  /** The viewer's own. */
  subscriptions: key('subscriptions'),
  /** The viewer's as a coach. */
  dashboard: key('dashboard'),
  /** How much of the viewer's is used. */
  storage: key('storage'),
};
