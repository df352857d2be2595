import { ForeignCalls } from '@pulso/platform/foreign-calls/foreign-calls';
import { Billing, type Person } from '../start.js';
import type { FakeProvider } from './fake-provider.js';

export const PAGE = 'https://pulso.example/profile/carla';
export const PRICE_MINOR = 40_000;

/** Billing with a payment provider in memory, and what members and coaches do there. */
export class Paying {
  private constructor(
    readonly billing: Billing,
    readonly provider: FakeProvider,
  ) {}

  /** `isDirect`: coaches' accounts take the payments (SUBS-16). */
  static async start({ isDirect = false } = {}): Promise<Paying> {
    const { billing, provider } = await Billing.startPaid();
    provider.isDirect = isDirect;
    return new Paying(billing, provider);
  }

  stop(): Promise<void> {
    return this.billing.stop();
  }

  /** Makes the calls again whose outcome is not known, without waiting for their time. */
  async repeatCalls(): Promise<void> {
    this.provider.recover();
    await this.billing.rows(
      "UPDATE foreign_calls SET due_at = now() WHERE state = 'pending' AND NOT running",
    );
    await this.billing.service.get(ForeignCalls).recover();
  }

  private version = 0;

  /** Takes the price away where none is given. */
  setPrice(coach: Person, priceMinor?: number, currency = 'MXN'): Promise<void> {
    this.version += 1;
    return this.billing.intent(coach, this.version, priceMinor, currency);
  }

  /** A coach with a price and an account that can be paid. */
  async seller(priceMinor: number | undefined = PRICE_MINOR): Promise<Person> {
    const coach = await this.billing.coach();
    await this.setPrice(coach, priceMinor);
    this.provider.onboard(await this.account(coach));
    return coach;
  }

  /** The coach's account at the provider. */
  async account(coach: Person): Promise<string> {
    return (await this.billing.as(coach, (client) => client.openPayoutAccount({}))).accountId;
  }

  /** The address of the page to pay on. */
  async checkout(user: Person | null, coach: Pick<Person, 'id'>, page = PAGE): Promise<string> {
    const request = { coachId: coach.id, successUrl: `${page}?checkout=done`, cancelUrl: page };
    return (await this.billing.as(user, (client) => client.openCheckout(request))).url;
  }

  /** The checkouts of a pair at the provider, in the order in which they were made. */
  checkouts(user: Person, coach: Person) {
    return [...this.provider.checkouts.values()].filter(
      ({ pair }) => pair.userId === user.id && pair.coachId === coach.id,
    );
  }

  /** Opens a page and pays on it. Returns the subscription's id at the provider. */
  async pay(user: Person, coach: Person): Promise<string> {
    const url = await this.checkout(user, coach);
    return this.provider.pay(decodeURIComponent(url.split('/').at(-1)!));
  }

  /** Pays, and comes back from the page. */
  async subscribed(user: Person, coach: Person): Promise<string> {
    const id = await this.pay(user, coach);
    await this.billing.subscribe(user, coach);
    return id;
  }
}
