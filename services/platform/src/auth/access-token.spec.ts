import { SignJWT, generateKeyPair, importJWK, type JWK } from 'jose';
import { DomainError } from '../errors/domain-error.js';
import { newId } from '../ids/uuid-v7.js';
import { ManualClock } from '../../testing/manual-clock.js';
import {
  createAccessTokenSigner,
  createAccessTokenVerifier,
  generateSigningKey,
  publicJwks,
  type AccessTokenVerifier,
} from './access-token.js';

const ada = {
  userId: '0198f2a4-7c10-7b3e-9d61-3f2a8c5e1b07',
  sessionId: '0198f2a4-7d02-7e91-8c47-5a1b2c3d4e5f',
};
let clock: ManualClock;
let key: JWK;
let older: JWK;
let verifier: AccessTokenVerifier;

beforeAll(async () => {
  [key, older] = await Promise.all([generateSigningKey(), generateSigningKey()]);
});

beforeEach(() => {
  clock = new ManualClock();
  verifier = createAccessTokenVerifier({ jwks: publicJwks([key, older]), clock });
});

const sign = async (signing = key) =>
  (await createAccessTokenSigner({ keys: [signing], ttlSeconds: 900, clock }).sign(ada)).token;
const header = async (signing = key) => `Bearer ${await sign(signing)}`;

async function refusal(token: string): Promise<string> {
  try {
    await verifier.verify(`Bearer ${token}`);
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return 'accepted';
}

// Rule: ACCT-15
describe('access tokens', () => {
  it('name the caller and their expiry', async () => {
    const caller = await verifier.verify(await header());
    expect(caller).toEqual({
      ...ada,
      issuedAt: clock.now(),
      expiresAt: clock.now() + 900_000,
    });
  });

  it('state their lifetime', async () => {
    const { expiresIn } = await createAccessTokenSigner({ keys: [key], ttlSeconds: 60, clock }).sign(ada);
    expect(expiresIn).toBe(60);
  });

  it('verify under every published key', async () => {
    expect(await verifier.verify(await header(older))).toMatchObject(ada);
  });

  it('are verified synchronously when cached', async () => {
    const seen = await header();
    const first = await verifier.verify(seen);
    expect(verifier.verify(seen)).toBe(first);
  });

  it('use the scheme Bearer, in any case and with any spaces', async () => {
    const token = await sign();
    for (const authorization of [`Bearer ${token}`, `bearer  ${token}`, `BEARER   ${token}`]) {
      expect(await verifier.verify(authorization)).toMatchObject(ada);
      expect(await verifier.verify(authorization)).toMatchObject(ada);
    }
    for (const authorization of [token, `Basic ${token}`, `Bearer${token}`, `Bearer ${token} x`, '']) {
      await expect(async () => verifier.verify(authorization)).rejects.toMatchObject({
        code: 'user-token-expired',
      });
    }
  });

  it('expire, cached or not', async () => {
    const seen = await sign();
    const unseen = await createAccessTokenSigner({ keys: [key], ttlSeconds: 900, clock }).sign({
      ...ada,
      sessionId: newId(),
    });
    await verifier.verify(`Bearer ${seen}`);
    clock.advance(899_999);
    expect(await refusal(seen)).toBe('accepted');
    clock.advance(1);
    expect(await refusal(seen)).toBe('user-token-expired');
    expect(await refusal(unseen.token)).toBe('user-token-expired');
  });

  it('are refused from an unknown key, also with a known kid', async () => {
    const stranger = await generateSigningKey();
    expect(await refusal(await sign(stranger))).toBe('user-token-expired');
    expect(await refusal(await sign({ ...stranger, kid: key.kid }))).toBe('user-token-expired');
  });

  it('are refused with any character changed', async () => {
    const token = await sign();
    for (let index = 0; index < token.length; index += 1) {
      const changed = token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1);
      expect(await refusal(changed)).toBe('user-token-expired');
    }
  });

  it.each(['', 'x', 'a.b.c', '..', 'null', `${'a'.repeat(5000)}.b.c`])('are refused as %j', async (token) => {
    expect(await refusal(token)).toBe('user-token-expired');
  });

  describe('that the key has signed', () => {
    const claims = () => {
      const now = clock.now() / 1000;
      return { sub: ada.userId, sid: ada.sessionId, iss: 'pulso', aud: 'pulso', iat: now, exp: now + 60 };
    };
    const signed = async (changes: Record<string, unknown>, header: Record<string, unknown> = {}) =>
      new SignJWT({ ...claims(), ...changes })
        .setProtectedHeader({ alg: 'EdDSA', kid: key.kid, typ: 'at+jwt', ...header })
        .sign(await importJWK(key, 'EdDSA'));

    it('are accepted with exactly our claims', async () => {
      expect(await refusal(await signed({}))).toBe('accepted');
    });

    it.each<Record<string, unknown>>([
      { sub: undefined },
      { sid: undefined },
      { sid: 7 },
      { sub: 'ada' },
      { sub: '7b3e4c4e-4f6c-4c53-9b8e-0d8f5a0c9e11' },
      { sid: "' OR 1=1" },
      { iss: 'other' },
      { aud: 'other' },
      { exp: undefined },
      { iat: undefined },
      { exp: 1e300 },
    ])('are refused with %j', async (changes) => {
      expect(await refusal(await signed(changes))).toBe('user-token-expired');
    });

    it.each(['JWT', 'logout+jwt', undefined])('are refused as tokens of the type %j', async (typ) => {
      expect(await refusal(await signed({}, { typ }))).toBe('user-token-expired');
    });

    it('are refused when they come from the future, clocks that differ a little aside', async () => {
      const issued = (seconds: number) => ({ iat: claims().iat + seconds, exp: claims().exp + seconds });
      expect(await refusal(await signed(issued(20)))).toBe('accepted');
      expect(await refusal(await signed(issued(40)))).toBe('user-token-expired');
    });

    it('are refused when they were issued for more than an hour', async () => {
      expect(await refusal(await signed({ exp: claims().iat + 3600 }))).toBe('accepted');
      expect(await refusal(await signed({ exp: claims().iat + 3601 }))).toBe('user-token-expired');
    });
  });

  it('are refused under another algorithm or none', async () => {
    const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const payload = (await sign()).split('.')[1];
    expect(await refusal(`${header}.${payload}.`)).toBe('user-token-expired');
    const { privateKey } = await generateKeyPair('ES256');
    const foreign = await new SignJWT({ sid: ada.sessionId })
      .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: 'at+jwt' })
      .setSubject(ada.userId)
      .setIssuer('pulso')
      .setAudience('pulso')
      .setIssuedAt(clock.now() / 1000)
      .setExpirationTime(clock.now() / 1000 + 60)
      .sign(privateKey);
    expect(await refusal(foreign)).toBe('user-token-expired');
  });
});

describe('signing keys', () => {
  it('are published without their private part', () => {
    expect(publicJwks([key])).toEqual([
      { kty: 'OKP', crv: 'Ed25519', x: key.x, kid: key.kid, alg: 'EdDSA', use: 'sig' },
    ]);
    expect(key.d).toEqual(expect.any(String));
  });

  it('must be private and have a kid to sign', () => {
    expect(() => createAccessTokenSigner({ keys: [], ttlSeconds: 1, clock })).toThrow('private key');
    expect(() => createAccessTokenSigner({ keys: publicJwks([key]), ttlSeconds: 1, clock })).toThrow(
      'private key',
    );
  });
});
