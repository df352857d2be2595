declare const made: unique symbol;

/** A key of the query cache. Only `queryKey` makes one, so that an array written down elsewhere is a type error. */
type QueryKey = readonly unknown[] & { readonly [made]: true };

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: QueryKey;
  }
}

/**
 * A key that begins with the name of what is cached. A key that one feature alone uses stands in this feature. Each name is
 * given in one file only: else two caches would be one.
 */
export const queryKey = (name: string, ...rest: unknown[]): QueryKey =>
  [name, ...rest] as unknown as QueryKey;

/** The end of the key of a list that begins after a cursor. */
const from = (start: string | undefined) => (start === undefined ? [] : [{ start }]);

/**
 * The keys that several features read, change or have read again. `all` is the prefix of a group: it reaches each key of the group.
 */
export const queryKeys = {
  specialties: queryKey('specialties'),
  /** Everything under `all` holds profiles, so that one change reaches each place that shows a person. */
  profiles: {
    all: queryKey('profiles'),
    me: queryKey('profiles', 'me'),
    byId: (id: string) => queryKey('profiles', 'by-id', id),
    byUsername: (username: string) => queryKey('profiles', 'by-username', username.toLowerCase()),
    coaches: (q: string, specialty: string, start?: string) =>
      queryKey('profiles', 'coaches', { q, specialty }, ...from(start)),
    first: queryKey('profiles', 'first'),
    suggested: queryKey('profiles', 'suggested'),
    people: (q: string) => queryKey('profiles', 'people', q),
  },
  /** Everything under `all` holds posts that were read from the server. */
  posts: {
    all: queryKey('posts'),
    feed: queryKey('posts', 'feed'),
    byUser: (userId: string, start?: string) => queryKey('posts', 'by-user', userId, ...from(start)),
    one: (id: string) => queryKey('posts', 'one', id),
  },
  /**
   * Posts made during this visit; they come first in the feed until the next visit (POST-13). Not under `posts.all`:
   * only this browser knows them, so reading all posts again must not lose them.
   */
  pinnedPosts: queryKey('pinned-posts'),
  /** The beginning of the feed as it would be now; not shown, so not under `posts.all`. */
  newerPosts: queryKey('newer-posts'),
  comments: {
    all: queryKey('comments'),
    ofPost: (postId: string, start?: string) => queryKey('comments', postId, ...from(start)),
  },
  reviews: {
    all: queryKey('reviews'),
    ofCoach: (coachId: string, start?: string) => queryKey('reviews', coachId, ...from(start)),
  },
  /** Who likes a post. */
  likes: {
    all: queryKey('likes'),
    ofPost: (postId: string) => queryKey('likes', postId),
  },
  conversations: {
    all: queryKey('conversations'),
    list: queryKey('conversations', 'list'),
    /** The viewer's start of the conversation with a user. */
    startWith: (userId: string) => queryKey('conversations', 'start', userId),
  },
  /** The viewer's own. */
  subscriptions: queryKey('subscriptions'),
  /** The viewer's as a coach. */
  dashboard: queryKey('dashboard'),
  /** How much of the viewer's is used. */
  storage: queryKey('storage'),
};
