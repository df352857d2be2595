import { ManualClock } from '../../testing/manual-clock.js';
import { createUrlSigner, type UrlSigner } from './signed-url.js';

const PATH = '/media/01a2036b-8ba3-7354-9c74-b0f26f6ca146/full';
const LIFE = 300_000;
const [old, fresh] = ['1', '2'].map((kid) => ({ kid, secret: kid.repeat(32) })) as [Secret, Secret];
interface Secret {
  kid: string;
  secret: string;
}

let clock: ManualClock;
let urls: UrlSigner;
beforeEach(() => {
  clock = new ManualClock();
  urls = createUrlSigner({ secrets: [fresh, old], clock });
});

function check(signed: string, path = PATH) {
  return urls.verify(path, new URL(signed, 'http://x').searchParams);
}

// Rule: MEDIA-19
describe('a signed address', () => {
  it('tells its epoch and expiry, and holds for a minute', () => {
    const signed = urls.sign(PATH, { epoch: 3, lifeMs: LIFE });
    const claims = check(signed);
    expect(claims).toEqual({ epoch: 3, expiresAt: expect.any(Number) });
    const left = (claims as { expiresAt: number }).expiresAt - clock.now();
    expect(left).toBeGreaterThan(LIFE - 60_000);
    expect(left).toBeLessThanOrEqual(LIFE);
    clock.advance(left - LIFE + 59_999);
    expect(urls.sign(PATH, { epoch: 3, lifeMs: LIFE })).toBe(signed);
    clock.advance(1);
    expect(urls.sign(PATH, { epoch: 3, lifeMs: LIFE })).not.toBe(signed);
  });

  it('expires', () => {
    const signed = urls.sign(PATH, { epoch: 0, lifeMs: LIFE });
    const { expiresAt } = check(signed) as { expiresAt: number };
    clock.advance(expiresAt - clock.now() - 1);
    expect(check(signed)).toMatchObject({ epoch: 0 });
    clock.advance(1);
    expect(check(signed)).toBe('expired');
  });

  it('without a life is valid as long as its epoch', () => {
    const signed = urls.sign(PATH, { epoch: 1 });
    clock.advance(1e12);
    expect(check(signed)).toEqual({ epoch: 1, expiresAt: undefined });
  });

  it('is forged when path, epoch, expiry or secret is another', () => {
    const signed = urls.sign(PATH, { epoch: 1, lifeMs: LIFE });
    expect(check(signed, `${PATH}x`)).toBe('forged');
    const changed = (change: (query: URLSearchParams) => void) => {
      const url = new URL(signed, 'http://x');
      change(url.searchParams);
      return check(url.href);
    };
    expect(changed(() => undefined)).toMatchObject({ epoch: 1 });
    for (const [name, value] of Object.entries({ e: '2', x: '9'.repeat(13), k: '1', s: 'A'.repeat(22) })) {
      expect([name, changed((query) => query.set(name, value))]).toEqual([name, 'forged']);
      expect([name, changed((query) => query.delete(name))]).toEqual([name, 'forged']);
    }
  });

  it('of an older secret is still valid', () => {
    const before = createUrlSigner({ secrets: [old], clock }).sign(PATH, { epoch: 1 });
    expect(check(before)).toMatchObject({ epoch: 1 });
  });
});
