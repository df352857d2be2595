import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { type FakeGateway, fakeGateway } from '../../../../test/fake-gateway.js';
import { session } from '../../../server/session/session.js';
import { useConfig } from './get-config.js';

const CONFIG = {
  google: false,
  payments: 'none',
  minimumPrice: { MXN: 0, USD: 0 },
  marketing: { professionals: '750+', topCoachEarnings: '6k+' },
};

let gateway: FakeGateway;
beforeEach(async () => {
  await session.boot(false);
  gateway = fakeGateway();
  jest.useFakeTimers();
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

function Claim() {
  return <output>{useConfig()?.marketing.professionals ?? 'none'}</output>;
}

/** In this order, and then the last one. */
function answers(...given: (() => unknown)[]) {
  gateway.on('GET /api/config', () => (given.length > 1 ? given.shift()! : given[0]!)());
}
const lost = () => {
  throw new TypeError('Failed to fetch');
};
const status = (code: number) => () => new Response(null, { status: code });

const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
const goOnline = () => act(async () => void window.dispatchEvent(new Event('online')));
const claim = () => screen.getByRole('status').textContent;

// Rule: UI-13
describe('the configuration', () => {
  it.each([
    ['a lost answer', lost],
    ['an answer of 502', status(502)],
  ])('is asked for once more after %s, and again when the network is back', async (_, failure) => {
    answers(failure);
    render(<Claim />);
    await pass(60_000);
    expect(gateway.calls).toHaveLength(2);
    await goOnline();
    await pass(60_000);
    expect(gateway.calls).toHaveLength(4);
    expect(claim()).toBe('none');
  });

  it('is not asked for again after a refusal', async () => {
    answers(status(404));
    render(<Claim />);
    await pass(60_000);
    expect(gateway.calls).toHaveLength(1);
  });

  // The last test: an answer is kept as long as the page is open.
  it('stays, also when an earlier call fails later', async () => {
    let fail = () => {};
    const failing = new Promise<Response>((resolve) => (fail = () => resolve(status(404)())));
    answers(
      () => failing,
      lost,
      () => CONFIG,
    );
    render(<Claim />);
    await pass(0);
    await goOnline();
    await pass(500);
    expect(claim()).toBe('750+');
    fail();
    await pass(0);
    expect(claim()).toBe('750+');
    cleanup();
    render(<Claim />);
    expect(claim()).toBe('750+');
    expect(gateway.calls).toHaveLength(3);
  });
});
