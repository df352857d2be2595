import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { aMe } from '../../../test/a-post.js';
import { fakeGateway } from '../../../test/fake-gateway.js';
import { aPageAround } from '../../../test/render.js';
import type { Config, Me } from '../../api/types.js';
import { NoPriceNote } from './no-price-note.js';

afterEach(cleanup);

function show(payments: Config['payments'], coach: Partial<Me>) {
  const gateway = fakeGateway();
  gateway.on('GET /api/config', () => ({ payments }));
  render(<NoPriceNote coach={aMe(coach)} />, { wrapper: aPageAround().wrapper });
  return gateway;
}
const TEXT = 'Nobody can subscribe until you set a price.';

// Rule: SUBS-6
it('a coach without a price is told that nobody can subscribe, where a provider takes payments', async () => {
  show('stripe', { isCoach: true, subscriptionPrice: null });
  expect(await screen.findByText(TEXT)).toBeTruthy();
  cleanup();
  const { calls } = show('none', { isCoach: true, subscriptionPrice: null });
  await waitFor(() => expect(calls).toEqual(['GET /api/config']));
  expect(screen.queryByText(TEXT)).toBeNull();
});

it.each([
  { isCoach: true, subscriptionPrice: 0 },
  { isCoach: true, subscriptionPrice: 400 },
  { isCoach: false, subscriptionPrice: null },
])('somebody of %j is not', (coach) => {
  const { calls } = show('stripe', coach);
  expect([calls, screen.queryByText(TEXT)]).toEqual([[], null]);
});
