import type { JWK } from 'jose';
import { createAccessTokenSigner, generateSigningKey, publicJwks } from '../src/auth/access-token.js';
import { createTicketSigner } from '../src/auth/signed-ticket.js';
import {
  createMessageOpener,
  createMessageSealer,
  generateSealingKey,
  publicSealingKey,
} from '../src/auth/sealed-message.js';
import { createUrlSigner } from '../src/auth/signed-url.js';
import type { Clock } from '../src/time/clock.js';
import { Callers } from './callers.js';

const URL_SECRETS = [{ kid: 'test', secret: 'a secret for the addresses of these tests' }];
const CURSOR_SECRETS = [{ kid: 'test', secret: 'a secret for the cursors of these tests' }];

/** The keys and secrets of a service under test, and what other services do with them. */
export class TestKeys {
  private constructor(
    private readonly access: JWK,
    private readonly ticket: JWK,
    private readonly sealing: JWK,
  ) {}

  static async generate(): Promise<TestKeys> {
    return new TestKeys(await generateSigningKey(), await generateSigningKey(), await generateSealingKey());
  }

  /** The settings of every service, by the names of environment variables. */
  get env(): Readonly<Record<string, string>> {
    return {
      ACCESS_TOKEN_KEYS: JSON.stringify([this.access]),
      ACCESS_TOKEN_JWKS: JSON.stringify(publicJwks([this.access])),
      CURSOR_SECRETS: JSON.stringify(CURSOR_SECRETS),
      // Only ends what would never arrive: a call on a busy machine may take longer than in production.
      ...{ READ_WAIT_MS: '60000', WRITE_WAIT_MS: '60000' },
      MEDIA_TICKET_KEYS: JSON.stringify([this.ticket]),
      MEDIA_TICKET_JWKS: JSON.stringify(publicJwks([this.ticket])),
      MAIL_SEALING_JWKS: JSON.stringify([publicSealingKey(this.sealing)]),
      MAIL_OPENING_KEYS: JSON.stringify([this.sealing]),
      MEDIA_URL_SECRETS: JSON.stringify(URL_SECRETS),
    };
  }

  /** Users who are signed in, as by identity. */
  callers(clock: Clock): Callers {
    return new Callers(createAccessTokenSigner({ keys: [this.access], ttlSeconds: 3600, clock }), clock);
  }

  /** Seals as identity does for the mail worker. */
  get sealer() {
    return createMessageSealer(publicSealingKey(this.sealing));
  }

  /** Opens what identity has sealed for the mail worker. */
  get opener() {
    return createMessageOpener([this.sealing]);
  }

  /** Signs tickets as media does. */
  tickets(clock: Clock) {
    return createTicketSigner({ keys: [this.ticket], clock });
  }

  /** Signs and verifies the addresses of images as media does. */
  urls(clock: Clock) {
    return createUrlSigner({ secrets: URL_SECRETS, clock });
  }
}
