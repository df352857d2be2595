import type { FastifyInstance } from 'fastify';
import { Books } from '../books.js';
import { StripeError } from '../http/stripe-error.js';
import type { CheckoutSession } from '../resources/checkout-session.js';
import type { Presence } from '../resources/charge.js';
import { cardFields, chosenCard, testCards } from './card-fields.js';
import { html } from './html.js';
import { layout, money, notice } from './layout.js';
import { goneTo, servePage, type PageContext, type Shown } from './page-app.js';

/** Where one pays: the form, and the bank's page for 3-D Secure. */
export function registerCheckout(app: FastifyInstance, { world, controls }: PageContext): void {
  /** The session with its books; where there is nothing to pay, what is shown instead. */
  const open = (id = ''): { session: CheckoutSession; books: Books } | { instead: Shown } => {
    const found = world.store.find('checkout.session', id);
    if (!found) return { instead: goneTo('There is no such checkout.') };
    const { account, value: session } = found;
    if (session.status === 'complete') return { instead: { to: successUrl(session) } };
    if (session.status === 'expired') return { instead: goneTo('This checkout has expired.') };
    return { session, books: new Books(world, account) };
  };

  const pay = (id: string, presence: Presence, number?: string): Shown => {
    const found = open(id);
    if ('instead' in found) return found.instead;
    try {
      const attempt = controls.pay(id, number, presence);
      if (attempt.outcome === 'paid') return { to: successUrl(attempt.session) };
      if (attempt.outcome === 'authenticate') return { to: `/c/pay/${id}/authenticate` };
      return form(found.session, found.books, number, attempt.message);
    } catch (error) {
      if (!(error instanceof StripeError)) throw error;
      return form(found.session, found.books, number, error.message);
    }
  };

  servePage(app, '/c/pay/:id', {
    show({ params, query }) {
      const found = open(params.id);
      if ('instead' in found) return found.instead;
      return form(found.session, found.books, query.get('card') ?? undefined);
    },
    act: ({ params, form: fields }) => pay(params.id!, 'at the page', fields.get('card') ?? ''),
  });

  servePage(app, '/c/pay/:id/authenticate', {
    show({ params }) {
      const found = open(params.id);
      if ('instead' in found) return found.instead;
      return isWaiting(found.session, found.books) ? bank(found.session) : { to: `/c/pay/${params.id}` };
    },
    act({ params, form: fields }) {
      const found = open(params.id);
      if ('instead' in found) return found.instead;
      if (!isWaiting(found.session, found.books)) return { to: `/c/pay/${params.id}` };
      return pay(params.id!, fields.get('answer') === 'accept' ? 'authenticated' : 'refused');
    },
  });
}

const successUrl = ({ success_url: url, id }: CheckoutSession) => url.replaceAll('{CHECKOUT_SESSION_ID}', id);

const isWaiting = ({ _intent: id }: CheckoutSession, books: Books) =>
  id !== null && books.get('payment_intent', id).status === 'requires_action';

const PERIODS = { day: 'day', week: 'week', month: 'month', year: 'year' };

function form(session: CheckoutSession, books: Books, card?: string, problem?: string): string {
  const price = books.get('price', session._price);
  const { name } = books.get('product', price.product);
  const { email } = books.get('customer', session.customer);
  const { interval, interval_count: count } = price.recurring;
  const period = count === 1 ? PERIODS[interval] : `${count} ${PERIODS[interval]}s`;
  const path = `/c/pay/${session.id}`;
  return layout(
    { title: `Subscribe to ${name}`, isWide: true },
    html`<div class="checkout">
      <section>
        ${session.cancel_url && html`<p class="back"><a href="${session.cancel_url}">Back without paying</a></p>`}
        <h1>Subscribe to ${name}</h1>
        <p class="amount">
          ${money(session.amount_total, session.currency)} <span class="dimmed small">per ${period}</span>
        </p>
        <p class="dimmed">Renews each ${period} until you cancel.</p>
      </section>
      <section class="card">
        <h2>Pay with card</h2>
        ${notice(problem)} ${email && html`<p class="dimmed">${email}</p>`}
        <form method="post" action="${path}">
          ${cardFields(problem === undefined ? chosenCard(card) : (card ?? chosenCard(undefined)))}
          <button class="main">Subscribe for ${money(session.amount_total, session.currency)}</button>
        </form>
        ${testCards(path)}
      </section>
    </div>`,
  );
}

const bank = ({ id, amount_total: amount, currency }: CheckoutSession): string =>
  layout(
    { title: 'Your bank' },
    html`<div class="card">
      <h1>Your bank asks: is this you?</h1>
      <p>3-D Secure for a payment of ${money(amount, currency)}.</p>
      <form method="post" action="/c/pay/${id}/authenticate">
        <div class="actions">
          <button class="main" name="answer" value="accept">Accept</button>
          <button name="answer" value="refuse">Refuse</button>
        </div>
      </form>
    </div>`,
  );
