import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Logger } from '@pulso/platform/logging/logger';
import { type Context, Provider } from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import { personsPage } from './persons-page.js';
import { PERSONS, type Person, personWith } from './persons.js';

export interface IdentityProviderOptions {
  port: number;
  /** Where it leads back to. */
  redirectUri: string;
  logger: Logger;
}

export interface IdentityProvider {
  /** The settings of identity with which it signs in by this provider. */
  environment: Record<'OPENID_ISSUER' | 'OPENID_CLIENT_ID' | 'OPENID_CLIENT_SECRET', string>;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const CLIENT_ID = 'pulso-development';
const SIGNING = 'ES256';
/** In seconds: as long as a developer may think. */
const LIFE = 600;
const SCOPE = 'openid email profile';

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
};

/**
 * The OpenID provider of development (ACCT-30): a real one, to which anybody may say who they are. It listens on this machine alone,
 * and forgets everything when it closes. Rejects with EADDRINUSE.
 */
export async function startIdentityProvider({
  port,
  redirectUri,
  logger,
}: IdentityProviderOptions): Promise<IdentityProvider> {
  const issuer = `http://${HOST}:${port}`;
  const clientSecret = randomBytes(32).toString('base64url');
  const persons = new Map(PERSONS.map((person) => [person.email, person]));
  const provider = new Provider(issuer, configurationOf({ redirectUri, clientSecret, persons }));
  provider.on('server_error', (_, err) => logger.error({ err }, 'the development provider failed'));
  const answer = provider.callback();
  const server = createServer((request, response) => {
    forgetSession(request);
    const work = async () => {
      // Throws where a client sends a path that is none, as `//`.
      const { pathname, searchParams: query } = new URL(request.url ?? '/', issuer);
      if (!pathname.startsWith('/interaction/')) return answer(request, response);
      return choose({ provider, persons, query, request, response });
    };
    work().catch((err: unknown) => {
      logger.warn({ err }, 'the development provider refused a request');
      response.writeHead(400, { 'content-type': 'text/plain' }).end('This sign-in is over. Begin again.');
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, HOST, resolve));
  return {
    environment: {
      OPENID_ISSUER: issuer,
      OPENID_CLIENT_ID: CLIENT_ID,
      OPENID_CLIENT_SECRET: clientSecret,
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Each sign-in asks anew who it is: whoever tries things out is somebody else each time. */
function forgetSession(request: IncomingMessage): void {
  const kept = (request.headers.cookie ?? '').split('; ').filter((one) => !one.startsWith('_session'));
  request.headers.cookie = kept.join('; ');
}

interface Choice {
  provider: Provider;
  persons: Map<string, Person>;
  query: URLSearchParams;
  request: IncomingMessage;
  response: ServerResponse;
}

/** The page, or what was chosen on it. */
async function choose({ provider, persons, query, request, response }: Choice): Promise<void> {
  // Rejects where the browser has begun no sign-in here.
  await provider.interactionDetails(request, response);
  const email = query.get('email');
  const person = email === null ? undefined : personWith(email, query.has('verified'));
  if (person) {
    const known = PERSONS.find((one) => one.email === person.email);
    persons.set(person.email, { ...person, ...(known && { name: known.name }) });
    return provider.interactionFinished(request, response, { login: { accountId: person.email } });
  }
  if (query.has('cancel')) return provider.interactionFinished(request, response, { error: 'access_denied' });
  response.writeHead(200, PAGE_HEADERS).end(personsPage(PERSONS));
}

interface Parts {
  redirectUri: string;
  clientSecret: string;
  persons: ReadonlyMap<string, Person>;
}

function configurationOf({ redirectUri, clientSecret, persons }: Parts): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    adapter: createMemoryAdapter(0),
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: SIGNING,
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: SIGNING, use: 'sig' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    ttl: {
      AccessToken: LIFE,
      AuthorizationCode: 60,
      Grant: LIFE,
      IdToken: LIFE,
      Interaction: LIFE,
      Session: LIFE,
    },
    findAccount: (_: Context, id: string) => {
      const person = persons.get(id);
      return person && accountOf(person);
    },
    // Whoever chooses a person agrees to what Pulso asks of them.
    loadExistingGrant: async ({ oidc }: Context) => {
      const { clientId } = oidc.client;
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope(SCOPE);
      await grant.save();
      return grant;
    },
    renderError: (context: { type: string; body: string }, { error }: { error: string }) => {
      context.type = 'text';
      context.body = `The development provider refuses this: ${error}.`;
    },
  };
}

const accountOf = ({ name, email, emailVerified }: Person) => ({
  accountId: email,
  claims: () => ({ sub: email, name, email, email_verified: emailVerified }),
});
