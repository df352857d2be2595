import type { Notification } from '../../api/types.js';
import { commentHash } from '../../shared/comment-anchor.js';
import { profilePath } from '../../components/profile-path.js';

/** Where pressing a notification leads (NOTIF-5): to the post, and there to its comment; else to the profile of who did it. */
export const destinationOf = ({ postId, commentId, actor }: Notification): string =>
  postId === null ? profilePath(actor) : `/post/${postId}${commentId === null ? '' : commentHash(commentId)}`;
