import { begin, cancel, givesAccess, lapse, NO_TERMS, stop, type Terms } from './subscription.js';

const [START, NOW, END] = [1_000, 10_000, 50_000];
const PAID = { priceMinor: 40_000, priceCurrency: 'MXN', currentPeriodEnd: END };
const BEGUN = { ...NO_TERMS, startDate: START, everActive: true };

/** Every state that a subscription can be in. */
const STATES = {
  new: NO_TERMS,
  incomplete: { ...NO_TERMS, ...PAID },
  free: { ...BEGUN, status: 'active' },
  paid: { ...BEGUN, ...PAID, status: 'active' },
  ending: { ...BEGUN, ...PAID, status: 'active', cancelAtPeriodEnd: true, accessUntil: END },
  'ending, over': { ...BEGUN, ...PAID, status: 'active', cancelAtPeriodEnd: true, accessUntil: NOW },
  'past due': { ...BEGUN, ...PAID, status: 'past_due', accessUntil: END },
  'past due, over': { ...BEGUN, ...PAID, status: 'past_due', accessUntil: NOW - 1 },
  cancelled: { ...BEGUN, status: 'cancelled', cancelledAt: 5_000, accessUntil: 5_000 },
  'cancelled, running out': { ...BEGUN, ...PAID, status: 'cancelled', cancelledAt: 5_000, accessUntil: END },
  record: { ...NO_TERMS, status: 'cancelled', cancelledAt: 5_000 },
} satisfies Record<string, Terms>;
type State = keyof typeof STATES;

const ACTS = { begin, cancel, stop, lapse };

/** What each act makes of each state: status, the end of access, and whether anything has changed. */
const OUTCOMES: Record<State, Record<keyof typeof ACTS, string>> = {
  new: {
    begin: 'active',
    cancel: 'cancelled',
    stop: 'cancelled',
    lapse: 'same',
  },
  incomplete: {
    begin: 'active',
    cancel: 'cancelled',
    stop: 'cancelled',
    lapse: 'same',
  },
  free: {
    begin: 'same',
    cancel: 'cancelled now',
    stop: 'cancelled now',
    lapse: 'same',
  },
  paid: {
    begin: 'same',
    cancel: 'active until the period ends',
    stop: 'cancelled now',
    lapse: 'same',
  },
  ending: {
    begin: 'active',
    cancel: 'same',
    stop: 'cancelled now',
    lapse: 'same',
  },
  'ending, over': {
    begin: 'active',
    cancel: 'cancelled now',
    stop: 'cancelled now',
    lapse: 'cancelled now',
  },
  'past due': {
    begin: 'same',
    cancel: 'cancelled now',
    stop: 'cancelled now',
    lapse: 'same',
  },
  'past due, over': {
    begin: 'active',
    cancel: 'cancelled before',
    stop: 'cancelled before',
    lapse: 'cancelled before',
  },
  cancelled: {
    begin: 'active',
    cancel: 'same',
    stop: 'same',
    lapse: 'same',
  },
  'cancelled, running out': {
    begin: 'active',
    cancel: 'same',
    stop: 'cancelled now',
    lapse: 'same',
  },
  record: {
    begin: 'active',
    cancel: 'same',
    stop: 'same',
    lapse: 'same',
  },
};
const ENDS = new Map<number | null, string>([
  [null, ''],
  [NOW, ' now'],
  [NOW - 1, ' before'],
  [END, ' until the period ends'],
]);

// Rule: SUBS-9, SUBS-10, SUBS-11
describe.each(Object.keys(STATES) as State[])('a subscription that is %s', (state) => {
  const before: Terms = STATES[state];

  it.each(Object.keys(ACTS) as (keyof typeof ACTS)[])('becomes by the act %s what it should', (act) => {
    const after = ACTS[act](before, NOW);
    const told = after === before ? 'same' : `${after.status}${ENDS.get(after.accessUntil)}`;
    expect(told).toBe(OUTCOMES[state][act]);
    // The same act again changes nothing, and whoever has had access stays known for it.
    expect(ACTS[act](after, NOW)).toBe(after);
    expect(after.everActive).toBe(before.everActive || after.status === 'active');
  });

  it('gives no access after it was stopped, and has it after it begins', () => {
    expect(givesAccess(stop(before, NOW), NOW)).toBe(false);
    expect(givesAccess(begin(before, NOW), NOW)).toBe(true);
  });
});

// Rule: SUBS-9
describe('access', () => {
  const at = (state: State, time: number) => givesAccess(STATES[state], time);

  it('lasts as long as the subscription is active, or until its stored end', () => {
    expect([at('free', NOW), at('paid', END * 1_000)]).toEqual([true, true]);
    expect([at('ending', END - 1), at('ending', END)]).toEqual([true, false]);
    expect([at('cancelled, running out', END - 1), at('cancelled, running out', END)]).toEqual([true, false]);
    for (const state of ['new', 'incomplete', 'cancelled', 'record'] as const)
      expect(at(state, NOW)).toBe(false);
  });
});

describe('a subscription that begins again', () => {
  it('has no price and no end of before', () => {
    const { startDate, priceMinor, currentPeriodEnd, cancelledAt } = begin<Terms>(
      STATES['past due, over'],
      NOW,
    );
    expect([startDate, priceMinor, currentPeriodEnd, cancelledAt]).toEqual([NOW, null, null, null]);
  });

  it('keeps its beginning where access has not been interrupted', () => {
    expect(begin<Terms>(STATES['cancelled, running out'], NOW).startDate).toBe(START);
    expect(begin<Terms>(STATES.ending, NOW)).toMatchObject({ startDate: START, ...PAID });
  });
});
