import { Injectable } from '@nestjs/common';
import { type DomainError, unavailable } from '@pulso/platform/errors/domain-error';
import { Logger } from '@pulso/platform/logging/logger';
import { Clock } from '@pulso/platform/time/clock';
import * as openid from 'openid-client';
import { IdentitySettings } from '../settings.js';
import { invalidCredential } from '../user/user-errors.js';
import { providerAway, refusalOf } from './openid-refusals.js';
import type { OpenidClaims } from './openid-profile.js';
import type { OpenidChecks } from './openid-transactions.js';

/** Of one request to the provider. A call of Pulso has 5 s in all. */
const ANSWER_SECONDS = 3;
/** Its addresses and keys may change: they are read again after an hour. */
const DISCOVERY_MS = 60 * 60_000;
/** By which the provider's clock may differ from ours, in seconds. */
const CLOCK_TOLERANCE = 30;
const SCOPE = 'openid email profile';

/**
 * The OpenID provider of the settings (ACCT-28, ACCT-42): authorization code with PKCE, state and nonce. It is asked for its discovery
 * document when somebody first signs in, so that Pulso starts without it.
 */
@Injectable()
export class OpenidProvider {
  private discovered: { at: number; configuration: Promise<openid.Configuration> } | undefined;

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
    const known = this.discovered;
    if (known && this.clock.now() - known.at < DISCOVERY_MS) return known.configuration;
    const discovered = { at: this.clock.now(), configuration: this.discover(clientId, clientSecret) };
    this.discovered = discovered;
    try {
      return await discovered.configuration;
    } catch (error) {
      // The next sign-in tries again.
      if (this.discovered === discovered) this.discovered = undefined;
      throw this.told(providerAway(), error);
    }
  }

  private discover(clientId: string, clientSecret: string): Promise<openid.Configuration> {
    const issuer = new URL(this.settings.OPENID_ISSUER);
    const metadata = { client_secret: clientSecret, [openid.clockTolerance]: CLOCK_TOLERANCE };
    return openid.discovery(issuer, clientId, metadata, authenticated(clientSecret), {
      timeout: ANSWER_SECONDS,
      execute: [
        // The signature of each ID token is checked, although it comes from the provider itself.
        openid.enableNonRepudiationChecks,
        // On this machine alone; the settings refuse others.
        ...(issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
      ],
    });
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
