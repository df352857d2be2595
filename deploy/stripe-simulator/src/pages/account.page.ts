import type { FastifyInstance } from 'fastify';
import { Books, transact, type World } from '../books.js';
import { openPage, PAGE_LIVES, type Account, type AccountPage } from '../resources/account.js';
import { html } from './html.js';
import { layout, money } from './layout.js';
import { goneTo, servePage, type PageContext } from './page-app.js';

/** Connect's pages: onboarding, and the Express dashboard. */
export function registerAccountPages(app: FastifyInstance, { world, controls }: PageContext): void {
  const platform = new Books(world, null);
  const pageOf = (id = '', kind: AccountPage['kind']) => {
    const page = platform.find('_page', id);
    return page?.kind === kind && !page.isSpent && page.expiresAt > platform.now ? page : undefined;
  };

  // A link is good once, and a few minutes; Stripe sends one that was opened before to the refresh address.
  servePage(app, '/setup/e/:account/:id', {
    show({ params }) {
      const link = pageOf(params.id, 'link');
      if (!link) {
        const spent = platform.find('_page', params.id ?? '');
        return spent ? { to: spent.refreshUrl } : goneTo('This link has expired. Ask for a new one.');
      }
      const form = transact(world, () => {
        platform.put('_page', { ...link, isSpent: true });
        const { account, refreshUrl, returnUrl } = link;
        return openPage(platform, { account, kind: 'form', refreshUrl, returnUrl }, PAGE_LIVES);
      });
      return { to: `/setup/s/${form.id}` };
    },
  });

  servePage(app, '/setup/s/:id', {
    show({ params }) {
      const page = pageOf(params.id, 'form');
      return page
        ? onboarding(page, platform.get('account', page.account))
        : goneTo('This page has expired.');
    },
    act({ params }) {
      const page = pageOf(params.id, 'form');
      if (!page) return goneTo('This page has expired.');
      controls.onboard(page.account);
      return { to: page.returnUrl };
    },
  });

  servePage(app, '/express/:account/:id', {
    show({ params }) {
      const page = pageOf(params.id, 'dashboard');
      return page
        ? dashboard(platform.get('account', page.account), world)
        : goneTo('This page has expired.');
    },
  });
}

const onboarding = ({ id, returnUrl }: AccountPage, account: Account): string =>
  layout(
    { title: 'Get paid' },
    html`<h1>Get paid through Stripe</h1>
      <p class="dimmed">
        Tell Stripe who you are and where your money goes. The simulator looks at none of it.
      </p>
      <form class="card" method="post" action="/setup/s/${id}">
        <label
          >Legal name<input name="name" value="Alex Example" autocomplete="off" required maxlength="100"
        /></label>
        <label>Country<input name="country" value="${account.country}" readonly /></label>
        <label
          >Bank account<input
            name="bank"
            value="000123456789"
            inputmode="numeric"
            autocomplete="off"
            required
            maxlength="34"
        /></label>
        <button class="main full">Finish</button>
      </form>
      <p><a href="${returnUrl}">Leave, and finish later</a></p>`,
  );

/** What an account has, by currency, in minor units. */
function balances(account: string, { store }: World): Map<string, number> {
  const totals = new Map<string, number>();
  const add = (currency: string, minor: number) => totals.set(currency, (totals.get(currency) ?? 0) + minor);
  for (const one of store.all('transfer', null))
    if (one.destination === account) add(one.currency, one.amount - one.amount_reversed);
  for (const one of store.all('charge', account))
    if (one.paid) add(one.currency, one.amount - one.amount_refunded);
  for (const one of store.all('application_fee', null))
    if (one.account === account) add(one.currency, one.amount_refunded - one.amount);
  return totals;
}

function dashboard(account: Account, world: World): string {
  const totals = [...balances(account.id, world)];
  return layout(
    { title: 'Express dashboard' },
    html`<h1>Express dashboard</h1>
      <p class="dimmed"><code>${account.id}</code></p>
      <div class="card">
        <h2>Balance</h2>
        ${
          totals.length === 0
            ? html`<p>Nothing was paid yet.</p>`
            : totals.map(([currency, minor]) => html`<p class="amount">${money(minor, currency)}</p>`)
        }
        <p>
          ${account.payouts_enabled ? 'Payouts are on.' : 'Payouts are off: Stripe needs more information.'}
        </p>
      </div>`,
  );
}
