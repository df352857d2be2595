import { Injectable } from '@nestjs/common';
import { currentContext } from '@pulso/platform/context/request-context';
import { type DomainError, unavailable } from '@pulso/platform/errors/domain-error';
import { Logger } from '@pulso/platform/logging/logger';
import { Clock } from '@pulso/platform/time/clock';
import * as openid from 'openid-client';
import { IdentitySettings } from '../settings.js';
import { invalidCredential } from '../user/user-errors.js';
import { providerAway, refusalOf } from './openid-refusals.js';
import type { OpenidClaims } from './openid-profile.js';
import type { OpenidChecks } from './openid-transactions.js';

/** Of one request to the provider. */
const ANSWER_MS = 3_000;
/** What a call keeps of its time for its own work: its user is to be told that the provider is too slow. */
const OWN_WORK_MS = 1_000;
/** Its addresses and keys may change: they are read again after an hour. */
const DISCOVERY_MS = 60 * 60_000;
/** When they could not be read, those of before are used for this long. */
const RETRY_MS = 60_000;
/** By which the provider's clock may differ from ours, in seconds. */
const CLOCK_TOLERANCE = 30;
const SCOPE = 'openid email profile';

/**
 * The OpenID provider of the settings (ACCT-28, ACCT-42): authorization code with PKCE, state and nonce. It is asked for its discovery
 * document when somebody first signs in, so that Pulso starts without it. All requests of one call end a second before the call's
 * own time does.
 */
@Injectable()
export class OpenidProvider {
  private known: { configuration: openid.Configuration; until: number } | undefined;
  private reading: Promise<openid.Configuration> | undefined;

  constructor(
    private readonly settings: IdentitySettings,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** The provider's page for a new sign-in, and what its answer must match. Throws `unavailable`. */
  async begin(redirectUri: string): Promise<{ url: string; checks: OpenidChecks }> {
    const configuration = await this.configuration();
    const checks = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      verifier: openid.randomPKCECodeVerifier(),
    };
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: SCOPE,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, checks };
  }

  /**
   * Who has signed in, by the address that the provider has led back to. Throws `sign-in-denied`, `invalid-credential` for
   * whatever does not match, and `unavailable`.
   */
  async finish(callbackUrl: string, { state, nonce, verifier }: OpenidChecks): Promise<OpenidClaims> {
    const configuration = await this.configuration();
    if (!URL.canParse(callbackUrl)) throw invalidCredential();
    try {
      const tokens = await openid.authorizationCodeGrant(configuration, new URL(callbackUrl), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      if (claims['email'] !== undefined || !configuration.serverMetadata().userinfo_endpoint) return claims;
      // With a code, most providers tell the address there alone.
      const told = await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return { ...told, iss: claims.iss, sub: claims.sub };
    } catch (error) {
      throw this.told(refusalOf(error), error);
    }
  }

  private async configuration(): Promise<openid.Configuration> {
    const { OPENID_CLIENT_ID: clientId, OPENID_CLIENT_SECRET: clientSecret } = this.settings;
    if (clientId === undefined || clientSecret === undefined) throw unavailable();
    if (this.known && this.clock.now() < this.known.until) return this.known.configuration;
    this.reading ??= this.read(clientId, clientSecret).finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  /** Of several sign-ins at once, one reads. Those that come after a failure try again, unless there is what was read before. */
  private async read(clientId: string, clientSecret: string): Promise<openid.Configuration> {
    const before = this.known;
    try {
      const configuration = await this.discover(clientId, clientSecret);
      this.known = { configuration, until: this.clock.now() + DISCOVERY_MS };
      return configuration;
    } catch (error) {
      const refusal = this.told(providerAway(), error);
      if (!before) throw refusal;
      this.known = { ...before, until: this.clock.now() + RETRY_MS };
      return before.configuration;
    }
  }

  private discover(clientId: string, clientSecret: string): Promise<openid.Configuration> {
    const issuer = new URL(this.settings.OPENID_ISSUER);
    const metadata = { client_secret: clientSecret, [openid.clockTolerance]: CLOCK_TOLERANCE };
    return openid.discovery(issuer, clientId, metadata, authenticated(clientSecret), {
      [openid.customFetch]: (url, options) => this.request(url, options),
      execute: [
        // The signature of each ID token is checked, although it comes from the provider itself.
        openid.enableNonRepudiationChecks,
        // On this machine alone; the settings refuse others.
        ...(issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
      ],
    });
  }

  private async request(url: string, options: openid.CustomFetchOptions): Promise<Response> {
    const left = (currentContext()?.deadline ?? Infinity) - OWN_WORK_MS - this.clock.now();
    if (left <= 0) throw new DOMException('the call has no time left', 'TimeoutError');
    return fetch(url, { ...options, signal: AbortSignal.timeout(Math.ceil(Math.min(left, ANSWER_MS))) });
  }

  /** Logs why, without the error itself: it holds the code or the tokens. */
  private told(refusal: DomainError, error: unknown): DomainError {
    const { code, error: reason, message } = error as { code?: string; error?: string; message?: string };
    if (refusal.code !== 'sign-in-denied')
      this.logger.warn(
        { code, reason, told: refusal.code },
        `a sign-in by OpenID Connect failed: ${message}`,
      );
    return refusal;
  }
}

/** By the form, where the provider takes that; else as every provider must (RFC 6749, 2.3.1). */
function authenticated(clientSecret: string): openid.ClientAuth {
  const [byForm, byHeader] = [openid.ClientSecretPost(clientSecret), openid.ClientSecretBasic(clientSecret)];
  return (server, ...rest) => {
    const takesForm = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
    return (takesForm ? byForm : byHeader)(server, ...rest);
  };
}
