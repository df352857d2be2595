import { userTopic } from '@pulso/contracts/topics/identity';
import { aContext } from '../../testing/context.js';
import { outcome } from '../../testing/outcomes.js';
import { runInContext } from '../context/request-context.js';
import { newId } from '../ids/uuid-v7.js';
import { checkCaller, checkOther, SUSPENDED_TOO } from './user-checks.js';

const of = (work: () => unknown) => outcome(Promise.resolve().then(work));
const as = (status: 'active' | 'suspended' | 'deleted') => ({ status });

// Rule: HTTP-30
describe('the check of a caller', () => {
  it('returns an active one', () => {
    const caller = as('active');
    expect(checkCaller(caller)).toBe(caller);
  });

  it.each([
    ['unavailable unavailable', 'whose row has not arrived', undefined],
    ['permission-denied user-disabled', 'who is suspended', as('suspended')],
    ['permission-denied user-disabled', 'who is deleted', as('deleted')],
  ])('throws %s for one %s', async (error, _, row) => {
    expect(await of(() => checkCaller(row))).toBe(error);
  });
});

describe('the check of the user whom an action is about', () => {
  const id = newId();

  it('returns an active one, and others where they are accepted', () => {
    const [active, suspended] = [as('active'), as('suspended')];
    expect(checkOther(id, active)).toBe(active);
    expect(checkOther(id, suspended, SUSPENDED_TOO)).toBe(suspended);
  });

  it.each([
    ['unknown', undefined],
    ['suspended', as('suspended')],
    ['deleted', as('deleted')],
  ])('throws not-found for one who is %s', async (_, row) => {
    expect(await of(() => checkOther(id, row))).toBe('not-found not-found');
  });

  it('throws not-found for a deleted one, also where suspended ones are accepted', async () => {
    expect(await of(() => checkOther(id, as('deleted'), SUSPENDED_TOO))).toBe('not-found not-found');
  });

  // Rule: HTTP-30
  it('throws unavailable for an unknown one, while the caller has a token of them', async () => {
    const after = [{ topic: userTopic.name, key: id, version: 1 }];
    const withToken = (work: () => unknown) => of(() => runInContext(aContext({ after }), work));
    expect(await withToken(() => checkOther(id, undefined))).toBe('unavailable unavailable');
    expect(await withToken(() => checkOther(newId(), undefined))).toBe('not-found not-found');
    expect(await withToken(() => checkOther(id, as('deleted')))).toBe('not-found not-found');
  });
});
