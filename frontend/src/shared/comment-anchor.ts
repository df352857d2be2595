const PREFIX = '#comment-';

/** The end of an address that leads to a comment on the page of its post. */
export const commentHash = (commentId: string): string => `${PREFIX}${commentId}`;

/** The comment that such an address names. */
export const commentOfHash = (hash: string): string | undefined =>
  hash.startsWith(PREFIX) ? hash.slice(PREFIX.length) : undefined;
