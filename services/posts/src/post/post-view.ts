import { type Author, type Permissions, type Post, Visibility } from '@pulso/contracts/posts/v1/posts';
import type { Access } from '../access/visibility.js';
import type { PostBody } from './post.js';

// Shared by all responses, which only encode it.
const NOTHING: Permissions = { edit: false, delete: false, like: false, comment: false };
const READER: Permissions = { edit: false, delete: false, like: true, comment: true };
const AUTHOR: Permissions = { edit: true, delete: true, like: true, comment: true };

const WIRE_VISIBILITY = {
  public: Visibility.VISIBILITY_PUBLIC,
  subscribers: Visibility.VISIBILITY_SUBSCRIBERS,
} as const;

/**
 * Like `viewPost`, but built once for all viewers who see the same. The object is shared until the post or its author
 * changes, so it must not be modified.
 */
export function viewSharedPost(
  body: PostBody,
  author: Author,
  access: Exclude<Access, 'hidden'>,
  viewer: { id: string; likes: boolean },
): Post {
  const reader = access === 'locked' ? 0 : body.authorId === viewer.id ? 1 : 2;
  const variant = reader * 2 + (viewer.likes ? 1 : 0);
  const known = body.views[variant];
  if (known?.author === author) return known;
  const made = viewPost(body, author, access, viewer);
  body.views[variant] = made;
  return made;
}

/** A post as one viewer sees it (POST-6); not for hidden posts. */
export function viewPost(
  body: PostBody,
  author: Author,
  access: Exclude<Access, 'hidden'>,
  viewer: { id: string; likes: boolean } | null,
): Post {
  const locked = access === 'locked';
  const shown = locked ? body.preview : body;
  return {
    id: body.id,
    author,
    content: shown.content,
    truncated: locked && body.preview.truncated,
    imageCount: 0,
    hasVideo: false,
    visibility: WIRE_VISIBILITY[body.visibility],
    likeCount: body.likeCount,
    likedByViewer: viewer?.likes ?? false,
    commentCount: body.commentCount,
    createdAt: body.createdAt,
    updatedAt: body.updatedAt,
    editedAt: body.editedAt,
    locked,
    permissions: permissionsOf(body, locked, viewer?.id),
  };
}

function permissionsOf(body: PostBody, locked: boolean, viewerId: string | undefined): Permissions {
  if (locked || viewerId === undefined) return NOTHING;
  return body.authorId === viewerId ? AUTHOR : READER;
}
