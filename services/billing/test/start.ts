import type { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import { PriceIntentState, UserState, UserStatus } from '@pulso/contracts/identity/v1/events';
import { rpcContracts } from '@pulso/contracts/rpc';
import { BlockState } from '@pulso/contracts/social/v1/events';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { priceIntentTopic, userTopic } from '@pulso/contracts/topics/identity';
import { blockTopic } from '@pulso/contracts/topics/social';
import { readInput } from '@pulso/platform/command-line/run-commands';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import type { RpcClient } from '@pulso/platform/rpc/rpc-client';
import { PublishedUsers } from '@pulso/platform/testing/published-users';
import { TestService } from '@pulso/platform/testing/test-service';
import { until } from '@pulso/platform/testing/until';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { billing as definition } from '../src/service.js';
import { EndSubscriptions } from '../src/subscription/end-subscriptions.job.js';
import { FakeProvider } from './support/fake-provider.js';
import { withProvider } from './support/with-provider.js';

export { outcome, tally } from '@pulso/platform/testing/outcomes';
export { Dice } from '@pulso/platform/testing/seeded';

export type BillingClient = RpcClient<(typeof rpcContracts)['billing']['definition']>;

export interface Person {
  id: string;
  name: string;
  username: string;
}

interface Page {
  limit?: number;
  cursor?: string;
}

export const ACTIVE = UserStatus.USER_STATUS_ACTIVE;
export const SUSPENDED = UserStatus.USER_STATUS_SUSPENDED;
export const DELETED = UserStatus.USER_STATUS_DELETED;

/** Billing on a real store and bus, with users as identity and blocks as social would publish them. */
export class Billing {
  readonly users: PublishedUsers;

  private constructor(readonly service: TestService<(typeof rpcContracts)['billing']['definition']>) {
    this.users = new PublishedUsers(service.clock);
  }

  static async start(settings?: Record<string, string>, clock?: ManualClock): Promise<Billing> {
    return new Billing(await TestService.start(definition, rpcContracts.billing, { settings, clock }));
  }

  /** The same with a payment provider in memory, which has the same time. */
  static async startPaid(): Promise<{ billing: Billing; provider: FakeProvider }> {
    const clock = new ManualClock(Date.UTC(2026, 10, 20));
    const provider = new FakeProvider(clock);
    const tested = withProvider(definition, provider);
    const service = await TestService.start(tested, rpcContracts.billing, { clock });
    return { billing: new Billing(service), provider };
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
    await this.tellUser(state);
    const { id, name, username } = state;
    return { id, name, username };
  }

  coach(): Promise<Person> {
    return this.person({ isCoach: true });
  }

  /** Publishes a new state of the user in identity's place, and waits until it and all that follows has arrived. */
  change(person: Person, fields: Partial<UserState>): Promise<void> {
    return this.tellUser(this.users.next(person, fields));
  }

  private async tellUser(state: UserState): Promise<void> {
    await this.service.tell(userTopic, state);
    await this.untilEnded();
  }

  private blockVersion = 0;

  async block(blocker: Person, blocked: Person, active = true): Promise<void> {
    this.blockVersion += 1;
    const version = this.blockVersion;
    await this.service.tell(
      blockTopic,
      BlockState.fromPartial({ blockerId: blocker.id, blockedId: blocked.id, active, version }),
    );
    await this.service.drainEvents();
  }

  intent(coach: Person, version: number, priceMinor?: number, currency = 'MXN'): Promise<void> {
    return this.service.tell(
      priceIntentTopic,
      PriceIntentState.fromPartial({ userId: coach.id, version, priceMinor, currency }),
    );
  }

  as<T>(
    user: Person | null,
    call: (client: BillingClient) => Promise<T>,
    wrote: ConsistencyToken[] = [],
  ): Promise<T> {
    return this.service.as(user && user.id, call, { wrote });
  }

  subscribe(user: Person | null, coach: Pick<Person, 'id'>, key = '') {
    const idempotency = { key, scope: `PUT ${coach.id}`, bodyHash: 'hash' };
    return this.as(user, (client) => client.subscribe({ coachId: coach.id, idempotency }));
  }

  cancel(user: Person | null, coach: Pick<Person, 'id'>) {
    return this.as(user, (client) => client.cancelSubscription({ coachId: coach.id }));
  }

  get(user: Person, coach: Person) {
    return this.as(user, (client) => client.getSubscription({ coachId: coach.id }));
  }

  list(user: Person, { limit = 0, cursor = '', all = false }: Page & { all?: boolean } = {}) {
    return this.as(user, (client) => client.listSubscriptions({ limit, cursor, all }));
  }

  subscribers(coach: Person, { limit = 0, cursor = '' }: Page = {}) {
    return this.as(coach, (client) => client.listSubscribers({ limit, cursor }));
  }

  dashboard(coach: Person) {
    return this.as(coach, (client) => client.getDashboard({}));
  }

  /** How many subscribe to the coach, and whether the viewer does. */
  async standing(viewer: Person | null, coach: Person): Promise<[number, boolean]> {
    const { standings } = await this.as(viewer, (client) => client.getStandings({ userIds: [coach.id] }));
    const [{ subscriberCount, subscribed }] = standings as [(typeof standings)[0]];
    return [subscriberCount, subscribed];
  }

  /** Works off all endings, and cancels what has lapsed. */
  async untilEnded(): Promise<void> {
    await until(
      async () => {
        await this.service.get(EndSubscriptions).execute();
        return (await this.rows('SELECT FROM endings')).length === 0;
      },
      { what: 'no ending that waits' },
    );
    await this.service.drainEvents();
  }

  /** The last published state of a subscription, as other services know it. */
  published(user: Person, coach: Person): SubscriptionState | undefined {
    return this.service.deliveredState(subscriptionTopic, `${user.id}_${coach.id}`);
  }

  /** Changes a subscription as a payment provider's service would, without the service. */
  tamper(user: Person, coach: Person, assignments: string, parameters: unknown[] = []): Promise<void> {
    return this.service.tamper(
      `UPDATE subscriptions SET ${assignments} WHERE user_id = $1 AND coach_id = $2`,
      [user.id, coach.id, ...parameters],
    );
  }

  rows<T>(query: string, parameters: unknown[] = []): Promise<T[]> {
    return this.service.rows<T>(query, parameters);
  }

  /** Runs a command of billing's command line; returns the lines that it prints. */
  async command(name: string, ...words: string[]): Promise<string[]> {
    const command = definition.commands[name]!;
    const run = command.prepare(readInput(command, words));
    return [...(await run(this.service.running))];
  }
}
