import type { FastifyInstance } from 'fastify';
import { Books } from '../books.js';
import { DAY } from '../clock.js';
import { ZodError } from 'zod';
import { StripeError } from '../http/stripe-error.js';
import { movesOf } from '../resources/dispute.js';
import { itemOf, PAUSE_BEHAVIORS } from '../resources/subscription.js';
import { DISPUTE_MOVES } from '../controls/controls.js';
import { html, type Html } from './html.js';
import { button, day, layout, moment, money, notice } from './layout.js';
import { coachOf, payerOf } from './people.js';
import { servePage, type PageContext, type Visit } from './page-app.js';

const PATH = '/_control';
const SHOWN = 30;

/** The page that lets time pass and things go wrong. */
export function registerControlPage(app: FastifyInstance, context: PageContext): void {
  servePage(app, PATH, {
    show: () => page(context),
    act({ form }) {
      try {
        act(context, form);
      } catch (error) {
        if (!(error instanceof StripeError || error instanceof RangeError || error instanceof ZodError))
          throw error;
        return page(context, error.message);
      }
      return { to: PATH };
    },
  });
}

function act({ controls }: PageContext, form: Visit['form']): void {
  const of = (name: string) => form.get(name) ?? '';
  switch (of('act')) {
    case 'clock':
      controls.advance(Number(of('days')) * DAY * 1000);
      return;
    case 'fault':
      controls.addFault({
        kind: of('kind') as never,
        count: Number(of('count')),
        status: Number(of('status')),
        ...(of('path') && { path: of('path') }),
      });
      return;
    case 'webhook':
      controls.addWebhookRule({
        kind: of('kind') as never,
        count: Number(of('count')),
        ...(of('type') && { type: of('type') }),
      });
      return;
    case 'clear':
      controls.clear();
      return;
    case 'onboard':
      controls.onboard(of('account'), of('ready') !== 'no');
      return;
    case 'card':
      controls.changeCard(of('customer'), of('card'));
      return;
    case 'dispute':
      controls.dispute(of('subscription'), of('inquiry') === 'yes');
      return;
    case 'move':
      controls.moveDispute(of('dispute'), oneOf(DISPUTE_MOVES, of('to')));
      return;
    case 'pause':
      controls.pause(of('subscription'), of('behavior') ? oneOf(PAUSE_BEHAVIORS, of('behavior')) : null);
      return;
    case 'resend':
      controls.resend(of('event'));
      return;
    default:
      throw new RangeError('there is no such control');
  }
}

function oneOf<T extends string>(known: readonly T[], given: string): T {
  const found = known.find((one) => one === given);
  if (found === undefined) throw new RangeError('there is no such control');
  return found;
}

const options = (...values: string[]): Html =>
  html`${values.map((value) => html`<option>${value}</option>`)}`;

function page(context: PageContext, problem?: string): string {
  const { now, aheadMs, undelivered, faults, webhookRules } = context.controls.state();
  return layout(
    { title: 'Controls of the Stripe simulator', isWide: true },
    html`<h1>Controls</h1>
      ${notice(problem)}
      <div class="grid">
        <section class="card">
          <h2>Clock</h2>
          <p>
            It is ${moment(now)}
            UTC${aheadMs > 0 && `, ${(aheadMs / DAY / 1000).toFixed(1)} days ahead of the machine`}. It only
            goes ahead: renewals, retries and ends of pages happen on the way.
          </p>
          <div class="actions">
            ${[1, 3, 7, 31].map((days) =>
              button(PATH, days === 1 ? '1 day' : `${days} days`, {
                fields: { act: 'clock', days: String(days) },
              }),
            )}
          </div>
        </section>
        <section class="card">
          <h2>Waiting</h2>
          <p>
            ${undelivered} ${undelivered === 1 ? 'event waits' : 'events wait'} for the webhook,
            ${faults.length} faults, ${webhookRules.length} rules for webhooks.
          </p>
          ${faults.map((one) => html`<p><code>${JSON.stringify(one)}</code></p>`)}
          ${webhookRules.map((one) => html`<p><code>${JSON.stringify(one)}</code></p>`)}
          ${button(PATH, 'Take all back, and send now', { fields: { act: 'clear' } })}
        </section>
        <form class="card" method="post" action="${PATH}">
          <h2>Let requests fail</h2>
          <input type="hidden" name="act" value="fault" />
          <div class="pair">
            <label
              >How<select name="kind">
                ${options('status', 'hang', 'slow', 'reset')}
              </select></label
            >
            <label>Status<input name="status" type="number" value="500" min="400" max="599" /></label>
          </div>
          <div class="pair">
            <label>How many<input name="count" type="number" value="1" min="1" max="1000" /></label>
            <label>Path begins with<input name="path" placeholder="/v1/refunds" /></label>
          </div>
          <button>Add</button>
        </form>
        <form class="card" method="post" action="${PATH}">
          <h2>Change webhooks</h2>
          <input type="hidden" name="act" value="webhook" />
          <div class="pair">
            <label
              >How<select name="kind">
                ${options('duplicate', 'drop', 'delay', 'reorder')}
              </select></label
            >
            <label>How many<input name="count" type="number" value="1" min="1" max="1000" /></label>
          </div>
          <label>Events<input name="type" placeholder="customer.subscription.*" /></label><button>Add</button>
        </form>
      </div>
      ${accounts(context)}${subscriptions(context)}${disputes(context)}${events(context)}
      <section class="card">
        <h2>Requests</h2>
        ${table(
          ['Request', 'Path', 'Status'],
          context.log.map(({ id, method, path, status }) => [
            html`<code>${id}</code>`,
            html`${method} <code>${path}</code>`,
            html`${status === 0 ? 'no answer' : status}`,
          ]),
        )}
      </section>`,
  );
}

function table(heads: string[], rows: Html[][]): Html {
  if (rows.length === 0) return html`<p class="dimmed">None yet.</p>`;
  return html`<div class="table">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th>${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** What a person is known by, above the id. */
const named = (who: Html, id: string): Html => html`${who}<br /><code>${id}</code>`;

const accounts = ({ world }: PageContext): Html =>
  html`<section class="card">
    <h2>Accounts</h2>
    ${table(
      ['Account', 'Ready', ''],
      new Books(world, null)
        .all('account')
        .toReversed()
        .slice(0, SHOWN)
        .map(({ id, payouts_enabled: isReady }) => [
          html`<code>${id}</code>`,
          html`${isReady ? 'yes' : 'no'}`,
          button(PATH, isReady ? 'Take back' : 'Make ready', {
            fields: { act: 'onboard', account: id, ready: isReady ? 'no' : 'yes' },
          }),
        ]),
    )}
  </section>`;

const subscriptions = ({ world }: PageContext): Html =>
  html`<section class="card">
    <h2>Subscriptions</h2>
    ${table(
      ['Subscription', 'Status', 'Period ends', 'Next payment', 'Latest payment', 'Collection'],
      world.store
        .all('subscription')
        .toReversed()
        .slice(0, SHOWN)
        .map((one) => [
          named(html`${coachOf(world, one)}<br />paid by ${payerOf(world, one.customer)}`, one.id),
          html`${one.status}${one.cancel_at_period_end && ', ends'}${one.pause_collection && ', paused'}`,
          html`${day(itemOf(one).current_period_end)}`,
          button(PATH, 'Let it fail', {
            fields: { act: 'card', customer: one.customer, card: '4000000000000341' },
          }),
          html`${button(PATH, 'Dispute', { fields: { act: 'dispute', subscription: one.id } })}
          ${button(PATH, 'Ask', { fields: { act: 'dispute', subscription: one.id, inquiry: 'yes' } })}`,
          one.pause_collection
            ? button(PATH, 'Collect again', { fields: { act: 'pause', subscription: one.id } })
            : html`${PAUSE_BEHAVIORS.map((behavior) =>
                button(PATH, `Pause: ${behavior.replaceAll('_', ' ')}`, {
                  fields: { act: 'pause', subscription: one.id, behavior },
                }),
              )}`,
        ]),
    )}
  </section>`;

const MOVES = { answer: 'Answer', escalate: 'Make it a dispute', win: 'Win', lose: 'Lose' } as const;

const disputes = ({ world }: PageContext): Html =>
  html`<section class="card">
    <h2>Disputes</h2>
    ${table(
      ['Dispute', 'Of', 'Amount', 'Status', ''],
      world.store
        .all('dispute')
        .toReversed()
        .slice(0, SHOWN)
        .map((one) => [
          html`<code>${one.id}</code>`,
          named(payerOf(world, world.store.find('charge', one.charge)?.value.customer ?? null), one.charge),
          html`${money(one.amount, one.currency)}`,
          html`${one.status.replaceAll('_', ' ')}`,
          html`${movesOf(one).map((to) =>
            button(PATH, MOVES[to], { fields: { act: 'move', dispute: one.id, to } }),
          )}`,
        ]),
    )}
  </section>`;

const events = ({ world }: PageContext): Html =>
  html`<section class="card">
    <h2>Events</h2>
    ${table(
      ['Time', 'Event', 'Webhook', ''],
      world.store
        .all('event')
        .toReversed()
        .slice(0, SHOWN)
        .map((one) => [
          html`${moment(one.created)}`,
          html`${one.type}<br /><code>${one.id}</code>`,
          html`${one.pending_webhooks === 0 ? 'done' : 'waits'}`,
          button(PATH, 'Send again', { fields: { act: 'resend', event: one.id } }),
        ]),
    )}
  </section>`;
