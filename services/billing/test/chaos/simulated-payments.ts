import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { until } from '@pulso/platform/testing/until';
import { Billing, type Person } from '../start.js';
import { workOff } from '../support/payments.js';
import { SimulatorProcess } from '../support/simulator-process.js';
import { startWebhook, type Webhook } from '../support/webhook.js';

export const PRICE_MINOR = 40_000;
const PAGE = 'https://pulso.example/profile/carla';
const CARD = '4242424242424242';
/** No request is under way at a provider for so long. */
const LONG_MS = 11 * 60_000;

/** Billing with its adapter of Stripe, and the simulator as a process of its own. */
export class SimulatedPayments {
  private constructor(
    readonly billing: Billing,
    readonly simulator: SimulatorProcess,
    private readonly webhook: Webhook,
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<SimulatedPayments> {
    const webhook = await startWebhook((body, signature) =>
      payments.billing.as(null, (client) => client.takeProviderEvent({ body, signature })),
    );
    const simulator = new SimulatorProcess(webhook.url);
    await simulator.start();
    // Pages of checkout end by the simulator's time, which is the machine's.
    const all = { ...simulator.settings, ...settings };
    const billing = await Billing.start(all, new ManualClock(Date.now()));
    const payments: SimulatedPayments = new SimulatedPayments(billing, simulator, webhook);
    return payments;
  }

  async stop(): Promise<void> {
    await this.simulator.stop();
    await this.webhook.stop();
    await this.billing.stop();
  }

  /** A coach with a price who can be paid. */
  async seller(): Promise<Person> {
    const coach = await this.billing.coach();
    await this.billing.intent(coach, 1, PRICE_MINOR);
    const { accountId } = await this.billing.as(coach, (client) => client.openPayoutAccount({}));
    await this.simulator.control(`accounts/${accountId}/onboard`, { ready: true });
    await this.atRest();
    return coach;
  }

  async checkout(member: Person, coach: Person): Promise<string> {
    const request = { coachId: coach.id, successUrl: PAGE, cancelUrl: PAGE };
    return (await this.billing.as(member, (client) => client.openCheckout(request))).url;
  }

  /** Opens a page to pay on, pays, and comes back. */
  async pay(member: Person, coach: Person, card = CARD): Promise<void> {
    const url = await this.checkout(member, coach);
    await this.simulator.control(`checkouts/${/cs_\w+/.exec(url)![0]}/pay`, { card });
    await this.billing.subscribe(member, coach);
  }

  async payer(coach: Person, card = CARD): Promise<Person> {
    const member = await this.billing.person();
    await this.pay(member, coach, card);
    return member;
  }

  /** The provider's customer of a member; undefined where it has none that billing knows. */
  async customerOf(member: Person): Promise<string | undefined> {
    const [row] = await this.billing.rows<{ id: string }>(
      'SELECT customer_id AS id FROM provider_customers WHERE user_id = $1',
      [member.id],
    );
    return row?.id;
  }

  /** All subscriptions and payments of a member at the provider. */
  async bookOf(member: Person) {
    const { stripe } = this.simulator;
    const customer = await this.customerOf(member);
    if (!customer) return { subscriptions: [], charges: [] };
    const { data: subscriptions } = await stripe.subscriptions.list({ customer, status: 'all' });
    const { data: charges } = await stripe.charges.list({ customer });
    return { subscriptions, charges };
  }

  /** Works off all events and calls, after the time in which a request may still be under way at the provider. */
  async atRest(): Promise<void> {
    const what = 'all events to arrive, and no call that waits';
    await until(
      async () => {
        if ((await this.simulator.sendAll()) > 0) return false;
        await workOff(this.billing, LONG_MS);
        return (await this.simulator.sendAll()) === 0;
      },
      { what },
    );
  }
}
