import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ApiClient, type ApiPost } from '../support/api-client.js';
import { aCoachWithPosts, untilKnown } from '../support/crowd.js';
import { type PulsoProcess, startPulsoProcess } from '../support/pulso-process.js';
import { aDataDirectory } from '../support/template-directory.js';
import { waitFor } from '../support/wait-for.js';

const SECRET_KEY = 'sk_test_journey';
const DAY_MS = 24 * 60 * 60_000;

interface List {
  data: { id: string }[];
}

// Rule: SUBS-16
describe('with STRIPE_CHARGES=direct and the simulator', () => {
  let dataDirectory: string;
  let pulso: PulsoProcess;
  let simulator: string;

  beforeAll(async () => {
    dataDirectory = await aDataDirectory('direct');
    const env = { PAYMENTS: 'simulator', STRIPE_CHARGES: 'direct', STRIPE_SECRET_KEY: SECRET_KEY };
    pulso = await startPulsoProcess({ dataDirectory, env });
    const kept = JSON.parse(readFileSync(join(dataDirectory, 'simulator.json'), 'utf8')) as {
      runsAt: string;
    };
    simulator = kept.runsAt;
  }, 180_000);
  afterAll(async () => {
    await pulso?.killTree();
    if (dataDirectory) rmSync(dataDirectory, { recursive: true, force: true });
  });

  const control = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${simulator}/_control/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  /** What Stripe shows to an account, or to the platform. */
  const subscriptionsOn = async (account?: string): Promise<string[]> => {
    const answer = await fetch(`${simulator}/v1/subscriptions?status=all`, {
      headers: { authorization: `Bearer ${SECRET_KEY}`, ...(account && { 'stripe-account': account }) },
    });
    return ((await answer.json()) as List).data.map(({ id }) => id);
  };
  const page = async (client: ApiClient, path: string, body: object): Promise<string> => {
    const answer = await waitFor(
      () => client.post<{ url: string }>(path, body),
      ({ status }) => status === 200,
      { what: `a page of ${path}` },
    );
    return answer.body.url;
  };

  it('a member pays a coach on the coach’s account, opens the portal there, is renewed, and disputes', async () => {
    const user = (name: string, fields?: object) => new ApiClient(pulso.url).signUp(name, { ...fields });
    const { coach: carla, posts } = await aCoachWithPosts({ user }, 'carla');
    const ana = await user('ana');
    await untilKnown(ana);
    expect((await carla.patch('/api/me', { subscriptionPrice: 400 })).status).toBe(200);
    const made = await waitFor(
      () => carla.post<{ accountId: string }>('/api/stripe/connect/create-account', { uid: carla.userId }),
      ({ status }) => status === 200,
      { what: 'an account for payouts' },
    );
    const { accountId } = made.body;
    await control(`accounts/${accountId}/onboard`, { ready: true });

    const back = `${pulso.url}/profile/${carla.userId}`;
    const url = await page(ana, '/api/stripe/checkout/create', {
      ...{ coachUid: carla.userId, success_url: back, cancel_url: back },
    });
    await control(`checkouts/${url.split('/').at(-1)!}/pay`, { card: '4242424242424242' });
    const isLocked = async () => (await ana.get<ApiPost>(`/api/posts/${posts[1]!.id}`)).body.locked;
    // The event alone tells it: nobody comes back from the page.
    await waitFor(isLocked, (locked) => locked === false, { what: 'a post that opens', limit: 60_000 });
    const [subscription] = await subscriptionsOn(accountId);
    expect([await subscriptionsOn(), subscription]).toEqual([[], expect.stringMatching(/^sub_/)]);

    const portal = await page(ana, '/api/stripe/billing/portal', { return_url: back });
    expect(await (await fetch(portal)).text()).toContain('Billing portal');

    const periodEnd = async () => {
      const { body } = await ana.get<{ items: { currentPeriodEnd: string }[] }>('/api/subscriptions');
      return Date.parse(body.items[0]!.currentPeriodEnd);
    };
    const before = await periodEnd();
    await control('clock', { ms: 32 * DAY_MS });
    await waitFor(periodEnd, (end) => end > before, { what: 'a renewal', limit: 60_000 });

    await control(`subscriptions/${subscription!}/dispute`, { inquiry: false });
    await waitFor(isLocked, (locked) => locked, { what: 'a post that closes', limit: 60_000 });
  }, 240_000);
});
