import { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import { UserState, UserStatus } from '@pulso/contracts/identity/v1/events';
import { rpcContracts } from '@pulso/contracts/rpc';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { userTopic } from '@pulso/contracts/topics/identity';
import { blockTopic } from '@pulso/contracts/topics/social';
import type { Topic } from '@pulso/contracts/topics/topic';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { StoreClock } from '@pulso/platform/mongo/store-clock';
import type { RpcClient } from '@pulso/platform/rpc/rpc-client';
import { PublishedUsers } from '@pulso/platform/testing/published-users';
import { TestService } from '@pulso/platform/testing/test-service';
import { UnreadCounts } from '../src/news/unread-counts.js';
import { messaging as definition } from '../src/service.js';

export { outcome, tally } from '@pulso/platform/testing/outcomes';

export type MessagingClient = RpcClient<(typeof rpcContracts)['messaging']['definition']>;

export interface Person {
  id: string;
  name: string;
}

interface AsOptions {
  wrote?: ConsistencyToken[];
  after?: ConsistencyToken[];
}

interface SendOptions extends AsOptions {
  key?: string;
  bodyHash?: string;
}

interface Page {
  limit?: number;
  cursor?: string;
}

/** Messaging on a real store and bus, with users as identity would publish them. */
export class TestMessaging {
  private blocks = 0;
  private readonly users: PublishedUsers;
  /** How far the store's clock, by which messages have their times, is ahead of the process's. */
  storeAheadMs = 0;

  private constructor(readonly service: TestService<(typeof rpcContracts)['messaging']['definition']>) {
    this.users = new PublishedUsers(service.clock);
    this.moveStoreClock(service);
  }

  /** The store's clock of this service, or of another replica of it, is moved by the test, too. */
  moveStoreClock(replica: Pick<TestMessaging['service'], 'get'>, behindMs = 0): void {
    replica.get(StoreClock).now = async () => this.clock.now() + this.storeAheadMs - behindMs;
  }

  static async start(settings?: Record<string, string>): Promise<TestMessaging> {
    return new TestMessaging(await TestService.start(definition, rpcContracts.messaging, { settings }));
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

  /** Publishes a new state of the user in identity's place, and waits until it has arrived. */
  change(person: Person, fields: Partial<UserState>): Promise<void> {
    return this.tell(userTopic, this.users.next(person, fields));
  }

  suspend(person: Person): Promise<void> {
    return this.change(person, { status: UserStatus.USER_STATUS_SUSPENDED });
  }

  remove(person: Person): Promise<void> {
    return this.change(person, { status: UserStatus.USER_STATUS_DELETED, name: '', username: '' });
  }

  async block(blocker: Person, blocked: Person, active = true): Promise<void> {
    this.blocks += 1;
    const ids = { blockerId: blocker.id, blockedId: blocked.id };
    await this.tell(blockTopic, { ...ids, active, version: this.blocks });
  }

  /** Publishes a state in place of its owner and waits until the service has handled it. */
  tell<T>(topic: Topic<T>, state: T): Promise<void> {
    return this.service.tell(topic, state);
  }

  /** Publishes a state of a subscription in billing's place, and waits for what it causes. */
  async subscription(user: Person, coach: Person, fields: Partial<SubscriptionState>): Promise<void> {
    const ids = { userId: user.id, coachId: coach.id };
    await this.tell(subscriptionTopic, SubscriptionState.fromPartial({ ...ids, ...fields }));
  }

  send(
    sender: Person,
    receiver: Person,
    content: string,
    { key = '', bodyHash = content, ...options }: SendOptions = {},
  ) {
    const idempotency = { key, scope: 'POST /api/messages', bodyHash };
    const request = { receiverId: receiver.id, content, idempotency };
    return this.as(sender, (client) => client.sendMessage(request), options);
  }

  start(user: Person, other: Person, options?: AsOptions) {
    return this.as(user, (client) => client.startConversation({ userId: other.id }), options);
  }

  conversations(user: Person, { limit = 0, cursor = '' }: Page = {}) {
    return this.as(user, (client) => client.listConversations({ limit, cursor }));
  }

  messages(user: Person, conversationId: string, { limit = 0, cursor = '' }: Page = {}) {
    return this.as(user, (client) => client.listMessages({ conversationId, limit, cursor }));
  }

  read(user: Person, conversationId: string, upTo?: string) {
    return this.as(user, (client) => client.markConversationRead({ conversationId, upTo }));
  }

  /** The number on the user's badge for messages. */
  async badge(user: Person): Promise<number> {
    return (await this.as(user, (client) => client.getUnreadCounts({}))).messages;
  }

  /** The number on the user's badge for notifications. */
  async unread({ id }: Person): Promise<number> {
    return (await this.service.get(UnreadCounts).of(id)).notifications;
  }

  news(user: Person, since: number) {
    return this.as(user, (client) => client.listNews({ since }));
  }

  /** The items of all pages of a list. */
  async all<T>(page: (cursor: string) => Promise<{ items: T[]; nextCursor: string }>): Promise<T[]> {
    const items: T[] = [];
    for (let cursor = ''; ;) {
      const answer = await page(cursor);
      items.push(...answer.items);
      if (answer.nextCursor === '') return items;
      cursor = answer.nextCursor;
    }
  }

  as<T>(
    user: Person | null,
    call: (client: MessagingClient) => Promise<T>,
    options: AsOptions = {},
  ): Promise<T> {
    return this.service.as(user && user.id, call, options);
  }
}

/** The id of two users' conversation. */
export const between = (one: Person, other: Person) => [one.id, other.id].sort().join('_');

export const texts = ({ items }: { items: { content: string }[] }) => items.map(({ content }) => content);
