import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, ApiClient, type ApiPost, type Page } from '../../support/api-client.js';
import { waitFor, waitForEqual } from '../../support/wait-for.js';
import type { Cluster } from '../cluster.js';
import { gatewayUrl } from '../gateway-url.js';
import { processSelector, untilEnded, untilPods } from '../processes.js';
import type { Scenario } from '../scenario.js';
import { Simulator } from '../simulator.js';

interface Subscription {
  status: string;
  cancelAtPeriodEnd: boolean;
  currentPeriodEnd: string | null;
  accessUntil: string | null;
  paid: { amount: number; currency: string } | null;
}

const SIMULATOR = 'deploy/kubernetes/overlays/kind/payments/simulator';
const SIMULATOR_PORT = 12111;
/** PUBLIC_URL of kind: pages may lead back there alone. */
const PUBLIC_URL = 'http://localhost:8080';
const DECLINED = '4000000000000002';
const ASKS_THE_BANK = '4000002500003155';
const GOOD = '4242424242424242';
const PRICE = { subscriptionPrice: 400, subscriptionCurrency: 'MXN' };
/** Past the next renewal. */
const A_MONTH_MS = (31 * 24 + 2) * 3_600_000;
/** How long billing stays away from an event: the simulator tries again after 1, 2 and 4 s. */
const AWAY_MS = 8_000;
/** The simulator waits for twice as long each time. */
const EVENTS_MS = 120_000;

/** What `skaffold run -m payments -p payments` deploys. */
export const payments: Scenario = {
  name: 'payments',
  shows:
    'with the simulator of Stripe: payouts, a price, cards declined, confirmed and paid, an event that waits for billing, access until the end of what is paid, no difference',
  async run(cluster) {
    const people = await People.start(await gatewayUrl(cluster));
    try {
      const deployed = await cluster.skaffold.run({ modules: ['payments'] });
      // For a while the pods before them answer, too.
      await untilEnded(cluster);
      const simulator = new Simulator(await cluster.forward('stripe-simulator', SIMULATOR_PORT));
      return {
        'seconds of the roll-out of the payments': deployed.rolloutSeconds,
        ...(await paidRoad(cluster, people, simulator)),
      };
    } finally {
      await free(cluster.afterwards(), cluster);
    }
  },
};

async function paidRoad(cluster: Cluster, people: People, simulator: Simulator) {
  const { coach, member, late } = people;
  await people.setUpPayouts(simulator);

  const page = await people.checkout(member);
  const declined = await simulator.submit(page, { card: DECLINED });
  if (!declined.page.includes('Your card was declined.')) throw new Error('A declined card was not declined');
  const bank = await simulator.submit(page, { card: ASKS_THE_BANK });
  const paidAt = performance.now();
  leadsBack(await simulator.submit(bank.leadsTo, { answer: 'accept' }));
  await people.untilLocked(member, false);
  const access = secondsSince(paidAt);
  const { paid } = await people.subscription(member);
  if (paid?.amount !== PRICE.subscriptionPrice) throw new Error(`The member pays ${JSON.stringify(paid)}`);

  const ending = await member.delete<Subscription>(people.path);
  const { cancelAtPeriodEnd, accessUntil, currentPeriodEnd } = ending.body;
  if (!cancelAtPeriodEnd || !accessUntil || accessUntil !== currentPeriodEnd)
    throw new Error(`What is left after Unsubscribe: ${JSON.stringify(ending.body)}`);
  await people.untilLocked(member, false);

  const waited = await paidWithoutBilling(cluster, people, simulator, await people.checkout(late));

  // One ends at the provider, the other one is paid again. Pulso's own clock is not turned.
  const before = await people.subscription(late);
  await simulator.turnClock(A_MONTH_MS);
  const isRenewed = ({ currentPeriodEnd: until }: Subscription) => until! > before.currentPeriodEnd!;
  await waitFor(() => people.subscription(late), isRenewed, { what: 'a renewal' });
  const isOver = ({ status }: Subscription) => status === 'cancelled';
  const over = await waitFor(() => people.subscription(member), isOver, { what: 'the end at the provider' });
  if (over.accessUntil !== accessUntil)
    throw new Error(`Access ends ${over.accessUntil}, not ${accessUntil}`);
  await people.untilLocked(member, false);
  await people.untilLocked(late, false);

  await waitForEqual(() => simulator.undelivered(), 0, { what: 'events not delivered', limit: EVENTS_MS });
  const compared = await operate(cluster, 'reconcile');
  if (!compared.includes('Nothing differs.')) throw new Error(`reconcile: ${compared}`);
  const dashboard = await coach.get<{ activeSubscriptions: number }>('/api/dashboard');
  return {
    'seconds from the payment to the open post': access,
    'access of who has unsubscribed ends': accessUntil,
    'seconds without billing while somebody pays': waited.away,
    'seconds from its return to the open post': waited.late,
    'active subscriptions on the dashboard': dashboard.body.activeSubscriptions,
    reconcile: compared.trim().split('\n').at(-1)!,
  };
}

/** Somebody pays on a page that was open before billing went. */
async function paidWithoutBilling(cluster: Cluster, people: People, simulator: Simulator, page: string) {
  const scale = (replicas: number) =>
    cluster.kubectl(['scale', 'deployment/billing', `--replicas=${replicas}`]);
  await scale(0);
  await untilEnded(cluster, processSelector('billing'));
  const goneAt = performance.now();
  try {
    leadsBack(await simulator.submit(page, { card: GOOD }));
    await delay(AWAY_MS, undefined, { signal: cluster.signal });
    if ((await simulator.undelivered()) === 0) throw new Error('Somebody has taken an event for billing');
    if (!(await people.isLocked(people.late))) throw new Error('Access was given without billing');
  } finally {
    await cluster.afterwards().kubectl(['scale', 'deployment/billing', '--replicas=1']);
  }
  await untilPods(cluster, 'billing', 1);
  const away = secondsSince(goneAt);
  const backAt = performance.now();
  await people.untilLocked(people.late, false, EVENTS_MS);
  return { away, late: secondsSince(backAt) };
}

/** A coach with a post for subscribers, one who leaves, and one who pays while billing is away. */
class People {
  private constructor(
    readonly coach: ApiClient,
    readonly member: ApiClient,
    readonly late: ApiClient,
    private readonly post: ApiPost,
  ) {}

  static async start(url: string): Promise<People> {
    const name = `pays-${randomUUID().slice(0, 8)}`;
    const coach = await new ApiClient(url).signUp(`${name}-coach`, { isCoach: true });
    const member = await new ApiClient(url).signUp(`${name}-member`);
    const late = await new ApiClient(url).signUp(`${name}-late`);
    const post = done(
      await coach.post<ApiPost>('/api/posts', { content: name.repeat(20), visibility: 'subscribers' }),
    );
    return new People(coach, member, late, post);
  }

  get path(): string {
    return `/api/subscriptions/${this.coach.userId}`;
  }

  /** On the pages of the provider, as the button 'Set up payouts' leads there. */
  async setUpPayouts(simulator: Simulator): Promise<void> {
    const { coach } = this;
    const uid = coach.userId;
    // Who has just signed up is not known to billing yet.
    const price = () => coach.patch('/api/me', PRICE);
    await waitFor(price, ({ status }) => status === 200, { what: 'the price' });
    const asked = { unitAmount: 40_000, currency: 'mxn', interval: 'month', coachName: coach.username };
    done(await coach.post('/api/stripe/prices/lazy-create', { coachUid: uid, ...asked }));
    const early = await this.askForCheckout(this.member);
    if (early.body['code'] !== 'coach-not-ready') throw new Error(`A page to pay: ${JSON.stringify(early)}`);
    done(await coach.post('/api/stripe/connect/create-account', { uid }));
    const addresses = { refresh_url: `${PUBLIC_URL}/dashboard`, return_url: `${PUBLIC_URL}/dashboard` };
    const link = await coach.post<{ url: string }>('/api/stripe/connect/onboarding-link', {
      uid,
      ...addresses,
    });
    leadsBack(await simulator.submit(await simulator.follow(done(link).url), {}));
    const payouts = async () => (await coach.get('/api/stripe/status')).body['payouts'];
    await waitForEqual(payouts, 'ready', { what: 'the state of the payouts' });
  }

  /** The address of the page to pay. */
  async checkout(client: ApiClient): Promise<string> {
    const isOpen = ({ status }: Answer) => status === 200;
    const ask = () => this.askForCheckout(client);
    return (await waitFor(ask, isOpen, { what: 'a page to pay' })).body.url;
  }

  private askForCheckout(client: ApiClient): Promise<Answer<{ url: string; code?: string }>> {
    const addresses = { success_url: `${PUBLIC_URL}/paid`, cancel_url: `${PUBLIC_URL}/left` };
    return client.post('/api/stripe/checkout/create', { coachUid: this.coach.userId, ...addresses });
  }

  /** That which gives access. */
  async subscription(client: ApiClient): Promise<Subscription> {
    const [one] = done(await client.get<Page<Subscription>>('/api/subscriptions')).items;
    if (!one) throw new Error(`${client.username} has no subscription`);
    return one;
  }

  async isLocked(client: ApiClient): Promise<boolean> {
    return done(await client.get<ApiPost>(`/api/posts/${this.post.id}`)).locked;
  }

  untilLocked(client: ApiClient, locked: boolean, limit?: number): Promise<void> {
    return waitForEqual(() => this.isLocked(client), locked, { what: 'whether the post is locked', limit });
  }
}

/** Takes the simulator away, and lets members subscribe for free again. */
async function free(afterwards: Cluster, { skaffold }: Cluster): Promise<void> {
  await skaffold.run({ modules: ['billing', 'gateway'] });
  const folder = join(afterwards.root, SIMULATOR);
  await afterwards.kubectl(['delete', '--ignore-not-found', '--kustomize', folder]);
  await afterwards.kubectl(['delete', '--ignore-not-found', 'networkpolicy', 'billing-to-stripe-simulator']);
}

const operate = (cluster: Cluster, ...words: string[]) =>
  cluster.exec('deployment/billing', ['node', 'services/billing/bundle/cli/main.js', ...words], {
    container: 'process',
  });

function done<T>({ status, body }: Answer<T>): T {
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

function leadsBack({ page, leadsTo }: { page: string; leadsTo: string }): void {
  if (!leadsTo.startsWith(PUBLIC_URL))
    throw new Error(`The page leads to '${leadsTo}': ${page.slice(0, 500)}`);
}

const secondsSince = (at: number) => Math.round((performance.now() - at) / 100) / 10;
