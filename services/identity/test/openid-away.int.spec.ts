import { Cancellation } from '@pulso/platform/context/cancellation';
import { inContext } from '@pulso/platform/testing/context';
import { outcome, tally } from '@pulso/platform/testing/outcomes';
import { aSigner, OpenidSignIns } from './support/openid-sign-ins.js';

const AWAY = 'unavailable unavailable';
const MINUTE = 60_000;
/** What a call has in all (LIMIT-5), and what of it is left to the requests to the provider. */
const [CALL, REQUESTS] = [5_000, 4_000];
const [TOKEN, USERINFO] = ['/token', '/me'];

let signIns: OpenidSignIns;
let paths: string[];
beforeEach(async () => {
  signIns = await OpenidSignIns.start();
  paths = [];
  signIns.provider.onRequest = (path) => {
    paths.push(path);
  };
});
afterEach(() => signIns?.stop());

const reads = () => paths.filter((path) => path.includes('/.well-known/')).length;

// Rule: ACCT-28
describe('a provider that does not answer', () => {
  it('closes the way to it, until it answers again', async () => {
    await signIns.provider.close();
    await expect(signIns.begin()).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The sign-in service does not answer right now. Please try again.',
    });
    await signIns.provider.open();
    const { url, transaction } = await signIns.begin();
    const callbackUrl = await signIns.provider.signIn(url, aSigner());
    await signIns.provider.close();
    expect(await outcome(signIns.finish(transaction, callbackUrl))).toBe(AWAY);
  });

  it('is told to each of several who begin at once', async () => {
    await signIns.provider.close();
    const beginning = Array.from({ length: 4 }, () => outcome(signIns.begin()));
    expect(tally(await Promise.all(beginning))).toEqual({ [AWAY]: 4 });
    await signIns.provider.open();
    await Promise.all(Array.from({ length: 4 }, () => signIns.begin()));
    expect(reads()).toBe(1);
  });

  it('is known as it was before, and asked again after a minute', async () => {
    await signIns.begin();
    await signIns.provider.close();
    signIns.identity.clock.advance(60 * MINUTE);
    const beginning = Array.from({ length: 3 }, () => outcome(signIns.begin()));
    expect(tally(await Promise.all(beginning))).toEqual({ resolved: 3 });
    await signIns.provider.open();
    await signIns.begin();
    expect(reads()).toBe(1);
    signIns.identity.clock.advance(MINUTE);
    await signIns.begin();
    await signIns.begin();
    expect(reads()).toBe(2);
  });
});

// Rule: ACCT-28
describe('a provider that is slow', () => {
  it('is asked nothing more when most of the call’s time is over', async () => {
    const { clock } = signIns.identity;
    const run = async (spent: number) => {
      const { url, transaction } = await signIns.begin();
      const callbackUrl = await signIns.provider.signIn(url, aSigner());
      paths = [];
      signIns.provider.onRequest = (path) => {
        if (path === TOKEN) clock.advance(spent);
        paths.push(path);
      };
      const finish = () => outcome(signIns.finish(transaction, callbackUrl));
      const ending = await inContext(null, finish, { deadline: clock.now() + CALL });
      return { ending, asked: paths.filter((path) => path === TOKEN || path === USERINFO) };
    };
    expect(await run(0)).toEqual({ ending: 'resolved', asked: [TOKEN, USERINFO] });
    expect(await run(REQUESTS)).toEqual({ ending: AWAY, asked: [TOKEN] });
  });

  it('signs in nobody whose call is over', async () => {
    const signer = aSigner();
    const { url, transaction } = await signIns.begin();
    const callbackUrl = await signIns.provider.signIn(url, signer);
    const cancellation = new Cancellation();
    signIns.provider.onRequest = (path) => {
      if (path === USERINFO) cancellation.end(new Error('left'));
    };
    const finish = () => outcome(signIns.finish(transaction, callbackUrl));
    expect(await inContext(null, finish, { cancellation })).toBe(AWAY);
    const sql = 'SELECT id FROM users WHERE email = $1';
    expect(await signIns.identity.rows(sql, [signer.email])).toEqual([]);
  });
});
