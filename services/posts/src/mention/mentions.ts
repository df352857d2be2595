import { Injectable } from '@nestjs/common';
import { Clock } from '@pulso/platform/time/clock';
import { KnownUsers } from '../projections/known-users.js';
import { accessTo, type Guarded, isHiddenFrom, type ViewerAccess } from '../projections/viewer-access.js';
import { ViewerGraphs } from '../projections/viewer-graphs.js';
import { Viewers } from '../store/viewers.js';
import { usernamesIn } from './usernames-in.js';

/** How many people one text can tell that it mentions them. */
const MAX_MENTIONED = 20;

interface Written {
  authorId: string;
  content: string;
}

/** A post; `hiddenAt` while a moderator hides it. */
type CommentedPost = Guarded & { readonly hiddenAt?: Date };

/** Whom a text mentions, of those who may read it in full when it is written (NOTIF-2), without its author. */
@Injectable()
export class Mentions {
  constructor(
    private readonly users: KnownUsers,
    private readonly viewers: Viewers,
    private readonly graphs: ViewerGraphs,
    private readonly clock: Clock,
  ) {}

  /** Also of a post that a moderator hides: it carries the hiding itself, which may end. */
  inPost(post: Written & Guarded): Promise<string[]> {
    return this.readers(post, (access) => this.isOpen(post, access, false));
  }

  inComment(comment: Written, post: CommentedPost): Promise<string[]> {
    return this.readers(
      comment,
      (access) =>
        this.isOpen(post, access, post.hiddenAt !== undefined) && !isHiddenFrom(comment.authorId, access),
    );
  }

  private async readers(
    { authorId, content }: Written,
    mayRead: (access: ViewerAccess) => boolean,
  ): Promise<string[]> {
    const named = await this.users.named(usernamesIn(content, MAX_MENTIONED), this.clock.now());
    const others = [...new Set(named.values())].filter((id) => id !== authorId);
    const open = await Promise.all(
      others.map(async (id) => mayRead(await this.graphs.access(await this.viewers.read(id)))),
    );
    return others.filter((_, index) => open[index]);
  }

  private isOpen(post: Guarded, access: ViewerAccess, isHidden: boolean): boolean {
    return accessTo(post, access, this.clock.now(), isHidden) === 'open';
  }
}
