import { outcome } from '@pulso/platform/testing/outcomes';
import { idOf } from './start.js';
import { aSigner, OpenidSignIns } from './support/openid-sign-ins.js';
import { OTHER_CLIENT, REDIRECT_URI } from './support/test-provider.js';

const REFUSED = 'unauthenticated invalid-credential';

let signIns: OpenidSignIns;
beforeAll(async () => (signIns = await OpenidSignIns.start()));
afterAll(() => signIns?.stop());

const begin = () => signIns.begin();
const finish = (transaction: string, callbackUrl: string) => signIns.finish(transaction, callbackUrl);

// Rule: ACCT-28
describe('an answer of the provider', () => {
  const changed = (url: string, name: string, value: string) => {
    const other = new URL(url);
    other.searchParams.set(name, value);
    return other.href;
  };

  it('that says no has a code of its own', async () => {
    const { url, transaction } = await begin();
    expect(await outcome(finish(transaction, await signIns.provider.deny(url)))).toBe(
      'unauthenticated sign-in-denied',
    );
  });

  it('opens one session', async () => {
    const signer = aSigner();
    const { url, transaction } = await begin();
    const callback = await signIns.provider.signIn(url, signer);
    const id = idOf(await finish(transaction, callback));
    expect(await outcome(finish(transaction, callback))).toBe(REFUSED);
    expect(await signIns.identity.rows('SELECT id FROM sessions WHERE user_id = $1', [id])).toHaveLength(1);
  });

  it('to another sign-in is refused', async () => {
    const [one, other] = [await begin(), await begin()];
    const callback = await signIns.provider.signIn(other.url, aSigner());
    expect(await outcome(finish(one.transaction, callback))).toBe(REFUSED);
  });

  it('with a state of its own is refused, also where it says no', async () => {
    const { url, transaction } = await begin();
    const callback = await signIns.provider.signIn(url, aSigner());
    expect(await outcome(finish(transaction, changed(callback, 'state', 'x'.repeat(43))))).toBe(REFUSED);
    const denied = await signIns.provider.deny((await begin()).url);
    expect(await outcome(finish(transaction, denied))).toBe(REFUSED);
  });

  it.each(['nonce', 'code_challenge'])('to another %s is refused', async (name) => {
    const [{ url, transaction }, other] = [await begin(), await begin()];
    const callback = await signIns.provider.signIn(
      changed(url, name, new URL(other.url).searchParams.get(name)!),
      aSigner(),
    );
    expect(await outcome(finish(transaction, callback))).toBe(REFUSED);
  });

  it('to another client is refused', async () => {
    const { url, transaction } = await begin();
    const callback = await signIns.provider.signIn(changed(url, 'client_id', OTHER_CLIENT), aSigner());
    expect(new URL(callback).searchParams.get('code')).not.toBeNull();
    expect(await outcome(finish(transaction, callback))).toBe(REFUSED);
  });

  it('that names another provider is refused', async () => {
    const { url, transaction } = await begin();
    const callback = await signIns.provider.signIn(url, aSigner());
    expect(await outcome(finish(transaction, changed(callback, 'iss', 'https://evil.example')))).toBe(
      REFUSED,
    );
  });

  it('that comes after 10 minutes is refused, before that not', async () => {
    for (const [minutes, expected] of [
      [10, 'resolved'],
      [10 + 1 / 60, REFUSED],
    ] as const) {
      const { url, transaction } = await begin();
      const callback = await signIns.provider.signIn(url, aSigner());
      signIns.identity.clock.advance(minutes * 60_000);
      expect(await outcome(finish(transaction, callback))).toBe(expected);
    }
  });

  it('is refused with a transaction that was changed, or is none', async () => {
    const { url, transaction } = await begin();
    const callback = await signIns.provider.signIn(url, aSigner());
    const [kid, payload, mac] = transaction.split('.');
    const [begun, ...checks] = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as [number];
    const later = Buffer.from(JSON.stringify([begun + 1, ...checks])).toString('base64url');
    for (const wrong of [`${kid}.${later}.${mac}`, 'none', '', '\u0000'.repeat(2000)]) {
      expect(await outcome(finish(wrong, callback))).toBe(REFUSED);
    }
    for (const wrong of ['', 'nothing', REDIRECT_URI]) {
      expect(await outcome(finish(transaction, wrong))).toBe(REFUSED);
    }
    expect(await outcome(finish(transaction, callback))).toBe('resolved');
  });
});
