import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aMe } from '../../../../test/a-post.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import type { Config, Me } from '../../../api/types.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { keepDraft, keptDraft } from '../../../drafts/drafts.js';
import { EditProfileForm } from './edit-profile-form.js';

const CONFIG: Config = {
  google: false,
  openidName: 'Google',
  payments: 'none',
  minimumPrice: { MXN: 0, USD: 0 },
  marketing: { professionals: '500+', topCoachEarnings: '5k+' },
};

let gateway: FakeGateway;
let sent: unknown[];
beforeEach(() => {
  sent = [];
  gateway = fakeGateway();
  gateway.on('GET /api/specialties', () => ({ items: [] }));
  gateway.on('GET /api/config', () => CONFIG);
  gateway.on('PATCH /api/me', async (request) => {
    sent.push(await request.json());
    return aMe();
  });
});
afterEach(() => {
  act(clearFeedback);
  act(() => keepDraft('ben', 'profile', undefined));
  cleanup();
});

function open(me: Partial<Me>) {
  const onDone = jest.fn();
  const wrapper = aPageAround().wrapper;
  render(<EditProfileForm me={aMe(me)} onDone={onDone} onUndone={jest.fn()} />, { wrapper });
  return { onDone };
}
const amount = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Price per month' });
const currency = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Currency' });
const type = async (text: string) => {
  await userEvent.clear(amount());
  if (text) await userEvent.type(amount(), text);
};
const save = async ({ onDone }: { onDone: jest.Mock }) => {
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
  await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
  return sent;
};

// Rule: SUBS-6
describe('the price in the profile editor', () => {
  it('is proposed to who becomes a coach, and saved as it is shown', async () => {
    const form = open({ isCoach: false });
    expect(screen.queryByRole('textbox', { name: 'Price per month' })).toBeNull();
    await userEvent.click(screen.getByRole('checkbox'));
    expect([amount().value, currency().value]).toEqual(['400', 'MXN']);
    expect(await save(form)).toEqual([
      { isCoach: true, subscriptionPrice: 400, subscriptionCurrency: 'MXN' },
    ]);
  });

  it('is not proposed to a coach who has none: the field is empty, and saving the rest sets none', async () => {
    const form = open({ isCoach: true, subscriptionPrice: null, subscriptionCurrency: null });
    expect([amount().value, amount().placeholder]).toEqual(['', '400']);
    await userEvent.selectOptions(currency(), 'USD');
    expect(amount().placeholder).toBe('');
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), ' Two');
    expect(await save(form)).toEqual([{ name: 'Ben Two' }]);
  });

  it('is sent with its currency once a coach who has none types one', async () => {
    const form = open({ isCoach: true, subscriptionPrice: null, subscriptionCurrency: null });
    await type('250');
    expect(await save(form)).toEqual([{ subscriptionPrice: 250, subscriptionCurrency: 'MXN' }]);
  });

  it('is the coach’s own, of which only what differs is sent', async () => {
    const form = open({ isCoach: true, subscriptionPrice: 9.5, subscriptionCurrency: 'USD' });
    expect([amount().value, currency().value]).toEqual(['9.5', 'USD']);
    await type('12.5');
    expect(await save(form)).toEqual([{ subscriptionPrice: 12.5 }]);
  });

  it.each([
    ['9,5', 9.5],
    ['199,50', 199.5],
    ['1.234,50', 1234.5],
    ['١٩٩', 199],
  ])('typed as %s is saved as %d', async (text, price) => {
    const form = open({ isCoach: true, subscriptionPrice: 400, subscriptionCurrency: 'MXN' });
    await type(text);
    expect(await save(form)).toEqual([{ subscriptionPrice: price }]);
  });

  it('that may be two amounts is none of them, and its field says so', async () => {
    open({ isCoach: true, subscriptionPrice: 400, subscriptionCurrency: 'MXN' });
    await type('1.500');
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    expect(
      screen.getByText('“1.500” can be read as 1.5 or as 1500. Please write one of these.'),
    ).toBeTruthy();
    expect(sent).toEqual([]);
  });

  it('is not changed by the wheel: a text field has no steps', () => {
    open({ isCoach: true, subscriptionPrice: 400, subscriptionCurrency: 'MXN' });
    expect([amount().type, amount().inputMode]).toEqual(['text', 'decimal']);
  });

  it('is not taken over into the other currency, and comes back with its own', async () => {
    const form = open({ isCoach: true, subscriptionPrice: 400, subscriptionCurrency: 'MXN' });
    await userEvent.selectOptions(currency(), 'USD');
    expect(amount().value).toBe('');
    await type('20');
    await userEvent.selectOptions(currency(), 'MXN');
    expect(amount().value).toBe('400');
    await userEvent.selectOptions(currency(), 'USD');
    expect(amount().value).toBe('20');
    expect(await save(form)).toEqual([{ subscriptionPrice: 20, subscriptionCurrency: 'USD' }]);
  });

  it('goes when the field is emptied', async () => {
    const form = open({ isCoach: true, subscriptionPrice: 9.5, subscriptionCurrency: 'USD' });
    await type('');
    expect(await save(form)).toEqual([{ subscriptionPrice: null }]);
  });

  it('is sent by coaches alone', async () => {
    const form = open({ isCoach: true, subscriptionPrice: 9.5, subscriptionCurrency: 'USD' });
    await type('12');
    await userEvent.click(screen.getByRole('checkbox'));
    expect(await save(form)).toEqual([{ isCoach: false }]);
  });

  // Rule: SUBS-4
  it.each(['9.4', '-1', '100000.5'])('of %s is refused at its field', async (text) => {
    open({ isCoach: true, subscriptionPrice: 9.5, subscriptionCurrency: 'USD' });
    await type(text);
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    expect(screen.getByText('Please enter a price from 0 to 100,000 in steps of 0.5')).toBeTruthy();
    expect(sent).toEqual([]);
  });

  // Rule: SUBS-5
  it('below what the provider takes is refused at its field, unless it is 0 or stays as it was', async () => {
    gateway.on('GET /api/config', () => ({
      ...CONFIG,
      payments: 'stripe',
      minimumPrice: { MXN: 10, USD: 0.5 },
    }));
    const form = open({ isCoach: true, subscriptionPrice: 5, subscriptionCurrency: 'MXN' });
    await waitFor(() => expect(gateway.calls).toContain('GET /api/config'));
    await type('9.5');
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    expect(await screen.findByText('The lowest price is MX$10.00')).toBeTruthy();
    expect(sent).toEqual([]);
    await type('5');
    expect(screen.queryByText(/lowest price/)).toBeNull();
    await type('0');
    await save(form);
    expect(sent).toEqual([{ subscriptionPrice: 0 }]);
  });

  it('that the provider does not take says why at its field, also where that is not known beforehand', async () => {
    gateway.on('PATCH /api/me', () =>
      Response.json(
        { code: 'price-below-minimum', status: 422, detail: 'The lowest price is MX$10.00' },
        { status: 422 },
      ),
    );
    open({ isCoach: true, subscriptionPrice: 400, subscriptionCurrency: 'MXN' });
    await type('5');
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    expect(await screen.findByText('The lowest price is MX$10.00')).toBeTruthy();
  });

  // Rule: SUBS-7
  it.each([
    ['that is saved', { subscriptionPrice: 12.5 }, 'stripe', ['prices/lazy-create']],
    ['of 0', { subscriptionPrice: 0 }, 'stripe', []],
    ['without a provider', { subscriptionPrice: 12.5 }, 'none', []],
  ] as const)(
    '%s is made at the provider, where there is something to pay',
    async (_which, saved, payments, made) => {
      const asked: unknown[] = [];
      gateway.on('GET /api/config', () => ({ ...CONFIG, payments }));
      gateway.on('PATCH /api/me', () => aMe({ isCoach: true, subscriptionCurrency: 'USD', ...saved }));
      gateway.on('POST /api/stripe/prices/lazy-create', async (request) => {
        asked.push(await request.json());
        return problem(500, 'internal');
      });
      const form = open({ isCoach: true, subscriptionPrice: 9.5, subscriptionCurrency: 'USD' });
      await type('12.5');
      await save(form);
      await screen.findByRole('button', { name: 'Save Changes' });
      const prices = () => gateway.calls.filter((call) => call.startsWith('POST /api/stripe'));
      await waitFor(() => expect(prices()).toEqual(made.map((path) => `POST /api/stripe/${path}`)));
      // That it fails is no matter.
      expect(getFeedback().toasts.map(({ type: kind }) => kind)).toEqual(['success']);
      if (made.length > 0) {
        expect(asked).toEqual([
          { coachUid: 'ben', unitAmount: 1250, currency: 'usd', interval: 'month', coachName: 'Ben' },
        ]);
      }
    },
  );

  it('that did not change is not asked for again', async () => {
    gateway.on('GET /api/config', () => ({ ...CONFIG, payments: 'stripe' }));
    gateway.on('PATCH /api/me', () =>
      aMe({ isCoach: true, subscriptionPrice: 9.5, subscriptionCurrency: 'USD' }),
    );
    const form = open({ isCoach: true, subscriptionPrice: 9.5, subscriptionCurrency: 'USD' });
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), ' Two');
    await save(form);
    expect(gateway.calls.filter((call) => call.startsWith('POST /api/stripe'))).toEqual([]);
  });

  // Rule: UI-41
  it('is kept as typed when the page is left', async () => {
    open({ isCoach: true, subscriptionPrice: 9.5, subscriptionCurrency: 'USD' });
    await type('12');
    await userEvent.selectOptions(currency(), 'MXN');
    expect(keptDraft('ben', 'profile')).toEqual({
      subscriptionPrice: '',
      subscriptionCurrency: 'MXN',
      otherPrice: '12',
    });
  });

  it.each([
    ['none', 1],
    ['stripe', 0],
  ] as const)('says with payments "%s" whether anybody can be paid', async (payments, times) => {
    gateway.on('GET /api/config', () => ({ ...CONFIG, payments }));
    open({ isCoach: true });
    await waitFor(() => expect(gateway.calls).toContain('GET /api/config'));
    const text = 'Payments are not enabled here yet: members subscribe for free, whatever the price.';
    await waitFor(() => expect(screen.queryAllByText(text)).toHaveLength(times));
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('tells a coach (%s) whom a new price concerns', async (isCoach, times) => {
    open({ isCoach });
    if (!isCoach) await userEvent.click(screen.getByRole('checkbox'));
    expect(screen.queryAllByText('Current subscribers keep the price they joined at.')).toHaveLength(times);
  });
});
