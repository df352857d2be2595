import { z } from 'zod';
import type { JWK } from 'jose';
import { ManualClock } from '../../testing/manual-clock.js';
import { createAccessTokenSigner } from './access-token.js';
import {
  createTicketSigner,
  createTicketVerifier,
  TICKET_SECONDS,
  type TicketKind,
} from './signed-ticket.js';
import { generateSigningKey, publicJwks } from './signing-key.js';

const ADA = '0198f2a4-7c10-7b3e-9d61-3f2a8c5e1b07';
const BEN = '0198f2a4-7d02-7e91-8c47-5a1b2c3d4e5f';
const posts: TicketKind<{ postId: string }> = {
  audience: 'posts',
  facts: z.strictObject({ postId: z.string() }),
};
const identity: TicketKind<{ postId: string }> = { ...posts, audience: 'identity' };
const FACTS = { postId: 'p1' };

let key: JWK;
let clock: ManualClock;
beforeAll(async () => void (key = await generateSigningKey()));
beforeEach(() => void (clock = new ManualClock()));

const sign = (signing = key, kind = posts) =>
  createTicketSigner({ keys: [signing], clock }).sign(kind, ADA, FACTS);
const read = (ticket: string, kind = posts, user = ADA) =>
  createTicketVerifier({ jwks: publicJwks([key]), clock }).verify(kind, user, ticket);

// Rule: MEDIA-17
describe('a ticket', () => {
  it('tells its facts to the service and for the user that it was signed for', async () => {
    const ticket = await sign();
    expect(await read(ticket)).toEqual(FACTS);
    expect(await read(ticket, identity)).toBeUndefined();
    expect(await read(ticket, posts, BEN)).toBeUndefined();
  });

  it('expires', async () => {
    const ticket = await sign();
    clock.advance(TICKET_SECONDS * 1000 - 1);
    expect(await read(ticket)).toEqual(FACTS);
    clock.advance(1);
    expect(await read(ticket)).toBeUndefined();
  });

  it('is refused when changed, of another key, another kind of token, or with other facts', async () => {
    const ticket = await sign();
    for (const index of [0, ticket.indexOf('.') + 5, ticket.length - 10]) {
      const changed = ticket.slice(0, index) + (ticket[index] === 'A' ? 'B' : 'A') + ticket.slice(index + 1);
      expect(await read(changed)).toBeUndefined();
    }
    expect(await read(await sign({ ...(await generateSigningKey()), kid: key.kid }))).toBeUndefined();
    const access = createAccessTokenSigner({ keys: [key], ttlSeconds: 60, clock });
    expect(await read((await access.sign({ userId: ADA, sessionId: BEN })).token)).toBeUndefined();
    const other = createTicketSigner({ keys: [key], clock });
    expect(
      await read(await other.sign({ audience: 'posts', facts: z.any() }, ADA, { id: 1 })),
    ).toBeUndefined();
    for (const text of ['', 'x', 'a.b.c']) expect(await read(text)).toBeUndefined();
  });
});
