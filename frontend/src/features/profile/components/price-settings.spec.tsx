import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aMe } from '../../../../test/a-post.js';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import type { Config, Me } from '../../../api/types.js';
import { clearFeedback } from '../../../components/feedback/feedback-store.js';
import { keepDraft, keptDraft } from '../../../session/drafts.js';
import { EditProfileForm } from './edit-profile-form.js';

const CONFIG: Config = {
  google: false,
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
const amount = () => screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Price per month' });
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
    expect(screen.queryByRole('spinbutton')).toBeNull();
    await userEvent.click(screen.getByRole('checkbox'));
    expect([amount().value, currency().value]).toEqual(['400', 'MXN']);
    expect([amount().min, amount().step]).toEqual(['0', '0.5']);
    expect(await save(form)).toEqual([
      { isCoach: true, subscriptionPrice: 400, subscriptionCurrency: 'MXN' },
    ]);
  });

  it('is not proposed to a coach who has none: the field is empty, and saving the rest sets none', async () => {
    const form = open({ isCoach: true, subscriptionPrice: null, subscriptionCurrency: null });
    expect(amount().value).toBe('');
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

  it('that the provider does not take says why at its field', async () => {
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

  // Rule: UI-41
  it('is kept as typed when the page is left', async () => {
    open({ isCoach: true, subscriptionPrice: 9.5, subscriptionCurrency: 'USD' });
    await type('12');
    await userEvent.selectOptions(currency(), 'MXN');
    expect(keptDraft('ben', 'profile')).toEqual({ subscriptionPrice: '12', subscriptionCurrency: 'MXN' });
  });

  it.each([
    ['none', 1],
    ['stripe', 0],
  ] as const)('says with payments "%s" whether anybody can be paid', async (payments, times) => {
    gateway.on('GET /api/config', () => ({ ...CONFIG, payments }));
    open({ isCoach: true });
    await waitFor(() => expect(gateway.calls).toContain('GET /api/config'));
    await waitFor(() =>
      expect(screen.queryAllByText('Payments are not enabled in MVP.')).toHaveLength(times),
    );
  });
});
