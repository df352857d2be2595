import { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import { CommentState, LikeState, PostState } from '@pulso/contracts/posts/v1/events';
import { FollowState, ReviewState } from '@pulso/contracts/social/v1/events';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { commentTopic, likeTopic, postTopic } from '@pulso/contracts/topics/posts';
import { followTopic, reviewTopic } from '@pulso/contracts/topics/social';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import type { Person, TestMessaging } from '../start.js';

/** What people do to each other, published in place of the services that own it. */
export class Acts {
  private latest = 0;

  constructor(private readonly messaging: TestMessaging) {}

  /** As the owners number their states: microseconds since the epoch. */
  version(): number {
    this.latest = Math.max(this.latest + 1, this.messaging.clock.now() * 1_000);
    return this.latest;
  }

  id(): string {
    return newIdAt(this.messaging.clock.now());
  }

  /** The state of a like of a post, or of a comment where `commentId` is given. */
  likeState(
    liker: Person,
    author: Person,
    {
      postId = this.id(),
      commentId,
      active = true,
    }: { postId?: string; commentId?: string; active?: boolean },
  ): LikeState {
    return LikeState.fromPartial({
      userId: liker.id,
      targetId: commentId ?? postId,
      postId,
      onComment: commentId !== undefined,
      targetAuthorId: author.id,
      version: this.version(),
      active,
      createdAt: this.messaging.clock.now(),
    });
  }

  async like(...args: Parameters<Acts['likeState']>): Promise<LikeState> {
    const state = this.likeState(...args);
    await this.messaging.tell(likeTopic, state);
    return state;
  }

  async comment(
    author: Person,
    postAuthor: Person,
    fields: Partial<CommentState> = {},
  ): Promise<CommentState> {
    const state = CommentState.fromPartial({
      id: this.id(),
      version: this.version(),
      postId: this.id(),
      postAuthorId: postAuthor.id,
      authorId: author.id,
      createdAt: this.messaging.clock.now(),
      ...fields,
    });
    await this.messaging.tell(commentTopic, state);
    return state;
  }

  /** A state of a post that mentions these people. */
  postState(author: Person, mentioned: Person[], fields: Partial<PostState> = {}): PostState {
    return PostState.fromPartial({
      ...{ id: this.id(), version: this.version(), authorId: author.id },
      createdAt: this.messaging.clock.now(),
      mentionedIds: mentioned.map(({ id }) => id),
      ...fields,
    });
  }

  async post(...args: Parameters<Acts['postState']>): Promise<PostState> {
    const state = this.postState(...args);
    await this.messaging.tell(postTopic, state);
    return state;
  }

  follow(follower: Person, target: Person, active = true): Promise<void> {
    const ids = { followerId: follower.id, targetId: target.id };
    return this.messaging.tell(
      followTopic,
      FollowState.fromPartial({ ...ids, version: this.version(), active }),
    );
  }

  review(reviewer: Person, coach: Person, deleted = false): Promise<void> {
    const ids = { id: this.id(), coachId: coach.id, reviewerId: reviewer.id };
    const at = this.messaging.clock.now();
    const rest = { deleted, rating: deleted ? 0 : 5, createdAt: at, updatedAt: at };
    return this.messaging.tell(
      reviewTopic,
      ReviewState.fromPartial({ ...ids, ...rest, version: this.version() }),
    );
  }

  subscribe(member: Person, coach: Person, active = true): Promise<void> {
    const ids = { userId: member.id, coachId: coach.id };
    const state = { ...ids, version: this.version(), active, everActive: true };
    return this.messaging.tell(subscriptionTopic, SubscriptionState.fromPartial(state));
  }
}
