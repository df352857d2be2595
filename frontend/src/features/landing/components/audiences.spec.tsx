import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { Audiences } from './audiences.js';
import { HowItWorks } from './how-it-works.js';

function Place() {
  const { pathname, state } = useLocation();
  return <output>{JSON.stringify([pathname, state])}</output>;
}

beforeEach(() => {
  fakeGateway().on('GET /api/config', () => ({
    google: false,
    payments: 'none',
    minimumPrice: { MXN: 0, USD: 0 },
    marketing: { professionals: '750+', topCoachEarnings: '6k+' },
  }));
  render(
    <>
      <Audiences />
      <HowItWorks />
      <Place />
    </>,
    { wrapper: aPageAround().wrapper },
  );
});
afterEach(cleanup);

// Rule: UI-11, UI-13
describe('the landing page’s blocks', () => {
  it.each([
    ['Become a coach', { isCoach: true }],
    ['Start training', null],
  ])('lead to sign-up by %s', async (name, state) => {
    await userEvent.click(screen.getByRole('link', { name }));
    expect(JSON.parse(screen.getByRole('status').textContent)).toEqual(['/signup', state]);
  });

  it('make the claims of the configuration', async () => {
    const claims = [(await screen.findByText('6k+')).parentElement, screen.getByText('750+').parentElement];
    expect(claims.map((claim) => claim?.textContent)).toEqual([
      'Top coaches earn 6k+ a month',
      '750+ professionals',
    ]);
  });

  it('tell how it works in three steps', () => {
    const steps = within(screen.getByRole('list')).getAllByRole('heading');
    expect(steps.map(({ textContent }) => textContent)).toEqual([
      'Sign up',
      'Find and follow coaches',
      'Start training',
    ]);
  });
});
