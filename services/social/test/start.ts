import { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import type { UserState } from '@pulso/contracts/identity/v1/events';
import { rpcContracts } from '@pulso/contracts/rpc';
import type { RatingSummary, ReviewPage, UserPage } from '@pulso/contracts/social/v1/social';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { userTopic } from '@pulso/contracts/topics/identity';
import type { Topic } from '@pulso/contracts/topics/topic';
import { readInput } from '@pulso/platform/command-line/run-commands';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { eventOf } from '@pulso/platform/events/event-record';
import type { RpcClient } from '@pulso/platform/rpc/rpc-client';
import { PublishedUsers } from '@pulso/platform/testing/published-users';
import { TestService } from '@pulso/platform/testing/test-service';
import { PublishFigures } from '../src/figures/publish-figures.js';
import { social as definition } from '../src/service.js';

export { outcome, tally } from '@pulso/platform/testing/outcomes';
export { seeded } from '@pulso/platform/testing/seeded';

export type SocialClient = RpcClient<(typeof rpcContracts)['social']['definition']>;

export interface Person {
  id: string;
  name: string;
}

interface Page {
  limit?: number;
  cursor?: string;
}

/** Social on a real store and bus, with users as identity would publish them. */
export class Social {
  private readonly users: PublishedUsers;

  private constructor(readonly service: TestService<(typeof rpcContracts)['social']['definition']>) {
    this.users = new PublishedUsers(service.clock);
  }

  static async start(settings?: Record<string, string>): Promise<Social> {
    return new Social(await TestService.start(definition, rpcContracts.social, { settings }));
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  get clock() {
    return this.service.clock;
  }

  /** A new user whose state has arrived. */
  async person(fields: Partial<UserState> = {}): Promise<Person> {
    const state = this.users.first(fields);
    await this.tell(userTopic, state);
    return { id: state.id, name: state.name };
  }

  coach(): Promise<Person> {
    return this.person({ isCoach: true });
  }

  /** Publishes a new state of the user in identity's place, and waits until it has arrived. */
  async change(person: Person, fields: Partial<UserState>): Promise<void> {
    await this.tell(userTopic, this.users.next(person, fields));
  }

  /** Like `change`, without waiting. */
  async changeSoon(person: Person, fields: Partial<UserState>): Promise<void> {
    await this.service.bus.publish([eventOf(userTopic, this.users.next(person, fields))]);
  }

  /** Publishes a state of a subscription in billing's place. */
  subscription(user: Person, coach: Person, fields: Partial<SubscriptionState>): Promise<void> {
    return this.tell(
      subscriptionTopic,
      SubscriptionState.fromPartial({ userId: user.id, coachId: coach.id, version: 1, ...fields }),
    );
  }

  tell<T>(topic: Topic<T>, state: T): Promise<void> {
    return this.service.tell(topic, state);
  }

  drainEvents(): Promise<void> {
    return this.service.drainEvents();
  }

  as<T>(
    user: Person | null,
    call: (client: SocialClient) => Promise<T>,
    wrote: ConsistencyToken[] = [],
    after: ConsistencyToken[] = [],
  ): Promise<T> {
    return this.service.as(user && user.id, call, { wrote, after });
  }

  follow(user: Person, target: Person, wrote?: ConsistencyToken[]) {
    return this.as(user, (client) => client.followUser({ userId: target.id }), wrote);
  }

  unfollow(user: Person, target: Person, wrote?: ConsistencyToken[]) {
    return this.as(user, (client) => client.unfollowUser({ userId: target.id }), wrote);
  }

  block(user: Person, target: Person, wrote?: ConsistencyToken[]) {
    return this.as(user, (client) => client.blockUser({ userId: target.id }), wrote);
  }

  unblock(user: Person, target: Person, wrote?: ConsistencyToken[]) {
    return this.as(user, (client) => client.unblockUser({ userId: target.id }), wrote);
  }

  review(
    user: Person,
    coach: Person,
    rating = 5,
    comment = 'Strong and kind',
    key = '',
    bodyHash = 'hash',
    wrote?: ConsistencyToken[],
  ) {
    const idempotency = { key, scope: `PUT ${coach.id}`, bodyHash };
    const request = { coachId: coach.id, rating, comment, idempotency };
    return this.as(user, (client) => client.putReview(request), wrote);
  }

  reviews(viewer: Person | null, coach: Person, { limit = 0, cursor = '' }: Page = {}) {
    return this.as(viewer, (client) => client.listReviews({ coachId: coach.id, limit, cursor }));
  }

  followers(viewer: Person | null, user: Person, { limit = 0, cursor = '' }: Page = {}) {
    return this.as(viewer, (client) => client.listFollowers({ userId: user.id, limit, cursor }));
  }

  following(viewer: Person | null, user: Person, { limit = 0, cursor = '' }: Page = {}) {
    return this.as(viewer, (client) => client.listFollowing({ userId: user.id, limit, cursor }));
  }

  /** Publishes the changes of figures until none is left, also while the service's own job is adding some. */
  async publishFigures(): Promise<void> {
    do await this.service.get(PublishFigures).execute();
    while ((await this.rows('SELECT FROM figure_changes')).length > 0);
    await this.drainEvents();
  }

  async relation(viewer: Person | null, user: Person) {
    const { relations } = await this.as(viewer, (client) => client.getRelations({ userIds: [user.id] }));
    return relations[0]!;
  }

  rows<T>(query: string, parameters: unknown[] = []): Promise<T[]> {
    return this.service.rows<T>(query, parameters);
  }

  /** The last delivered state of a key. */
  deliveredState<T>(topic: Topic<T>, key: string): T | undefined {
    return this.service.deliveredState(topic, key);
  }

  /** Runs a command of social's command line; returns the lines that it prints. */
  async command(name: string, ...words: string[]): Promise<string[]> {
    const command = definition.commands[name]!;
    const run = command.prepare(readInput(command, words));
    return [...(await run(this.service.running))];
  }
}

export const names = ({ items }: UserPage) => items.map(({ name }) => name);

export const comments = ({ items }: ReviewPage) => items.map(({ comment }) => comment);

export const summaryOf = ({ summary }: ReviewPage): RatingSummary => summary!;
