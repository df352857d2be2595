import { aContext } from '../../testing/context.js';
import { currentContext, recordWrite, requireCaller, runInContext, viewerId } from './request-context.js';

const context = aContext();
const caller = { userId: 'ada', sessionId: 's', expiresAt: 0 };

describe('the request context', () => {
  it('exists only inside a request', async () => {
    expect(currentContext()).toBeUndefined();
    await runInContext(context, async () => {
      await Promise.resolve();
      expect(currentContext()).toBe(context);
    });
    expect(currentContext()).toBeUndefined();
  });

  it('knows the caller', () => {
    runInContext({ ...context, caller }, () => {
      expect(requireCaller()).toBe(caller);
      expect(viewerId()).toBe('ada');
    });
  });

  it('refuses visitors, and jobs outside of a request', () => {
    const refused = expect.objectContaining({ code: 'not-authenticated' });
    runInContext(context, () => {
      expect(requireCaller).toThrow(refused);
      expect(viewerId()).toBeNull();
    });
    expect(requireCaller).toThrow(refused);
    expect(viewerId()).toBeNull();
  });

  it('records the writes', () => {
    const token = { topic: 't', key: 'k', version: 1 };
    const mine = { ...context, wrote: [] };
    runInContext(mine, () => recordWrite(token));
    recordWrite(token);
    expect(mine.wrote).toEqual([token]);
  });
});
