import type { FastifyInstance } from 'fastify';
import { Books, transact } from '../books.js';
import { StripeError } from '../http/stripe-error.js';
import { PORTAL_LIVES, type PortalSession } from '../resources/portal-session.js';
import {
  amountOf,
  isLive,
  itemOf,
  setCancelAtPeriodEnd,
  type Subscription,
} from '../resources/subscription.js';
import { cardFields, chosenCard, testCards } from './card-fields.js';
import { html } from './html.js';
import { button, day, layout, money, notice } from './layout.js';
import { goneTo, servePage, type PageContext } from './page-app.js';

/** The payer's portal: subscriptions to cancel and resume, the card, and what was paid. */
export function registerPortal(app: FastifyInstance, { world, controls }: PageContext): void {
  const open = (id = ''): { session: PortalSession; books: Books } | undefined => {
    const found = world.store.find('billing_portal.session', id);
    if (!found) return undefined;
    const books = new Books(world, found.account);
    return books.now < found.value.created + PORTAL_LIVES ? { session: found.value, books } : undefined;
  };
  const EXPIRED = 'This page has expired. Open the billing portal again.';

  servePage(app, '/p/session/:id', {
    show({ params, query }) {
      const found = open(params.id);
      return found ? portal(found.session, found.books, query.get('card') ?? undefined) : goneTo(EXPIRED);
    },
    act({ params, form }) {
      const found = open(params.id);
      if (!found) return goneTo(EXPIRED);
      const { session, books } = found;
      try {
        if (form.has('card')) controls.changeCard(session.customer, form.get('card')!);
        else
          transact(world, () =>
            setEnd(books, session, form.get('subscription') ?? '', form.get('act') === 'cancel'),
          );
      } catch (error) {
        if (!(error instanceof StripeError)) throw error;
        return portal(session, books, undefined, error.message);
      }
      controls.changed();
      return { to: `/p/session/${session.id}` };
    },
  });
}

function setEnd(books: Books, { customer }: PortalSession, id: string, cancels: boolean): void {
  const one = books.get('subscription', id);
  if (one.customer !== customer || !isLive(one))
    throw new StripeError(404, { type: 'invalid_request_error', message: 'This subscription has ended.' });
  setCancelAtPeriodEnd(books, one, cancels);
}

function portal(session: PortalSession, books: Books, card?: string, problem?: string): string {
  const path = `/p/session/${session.id}`;
  const own = books.all('subscription').filter(({ customer }) => customer === session.customer);
  const customer = books.get('customer', session.customer);
  const methodId =
    customer.invoice_settings.default_payment_method ?? own.findLast(isLive)?.default_payment_method ?? null;
  const method = methodId === null ? undefined : books.get('payment_method', methodId);
  const invoices = books
    .all('invoice')
    .filter((one) => one.customer === session.customer && one.status !== 'draft');
  return layout(
    { title: 'Billing portal' },
    html`${session.return_url && html`<p><a href="${session.return_url}">Go back</a></p>`}
      <h1>Billing portal</h1>
      ${notice(problem)}
      <h2>Subscriptions</h2>
      ${own.filter(isLive).length === 0 && html`<p class="dimmed">You have no subscription.</p>`}
      ${own
        .filter(isLive)
        .toReversed()
        .map((one) => subscriptionCard(one, books, path))}
      <h2>Card</h2>
      <div class="card">
        ${method ? html`<p>Visa ending in ${method.card.last4}</p>` : html`<p class="dimmed">There is no card.</p>`}
        <form method="post" action="${path}">
          ${cardFields(chosenCard(card))}<button class="full">Pay with this card</button>
        </form>
        ${testCards(path)}
      </div>
      <h2>Invoices</h2>
      <div class="table">
        <table>
          <thead>
            <tr>
              <th>Date</th>
              <th>Amount</th>
              <th>Status</th>
            </tr>
          </thead>
          <tbody>
            ${invoices.toReversed().map(
              (one) =>
                html`<tr>
                  <td>${day(one.created)}</td>
                  <td>${money(one.total, one.currency)}</td>
                  <td>${one.status}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`,
  );
}

function subscriptionCard(one: Subscription, books: Books, path: string) {
  const item = itemOf(one);
  const { name } = books.get('product', item.price.product);
  const fields = { subscription: one.id };
  return html`<div class="card">
    <div class="row">
      <h3>${name}</h3>
      <p>
        ${money(amountOf(one), one.currency)} <span class="dimmed">per ${item.price.recurring.interval}</span>
      </p>
    </div>
    ${one.status === 'past_due' && notice('The last payment failed. Pay with another card below.')}
    <p class="dimmed">${one.cancel_at_period_end ? 'Ends' : 'Renews'} on ${day(item.current_period_end)}</p>
    ${
      one.cancel_at_period_end
        ? button(path, 'Do not cancel', { fields: { ...fields, act: 'resume' } })
        : button(path, 'Cancel subscription', { fields: { ...fields, act: 'cancel' } })
    }
  </div>`;
}
