import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Context, Provider } from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';

/** Where the provider leads back to. */
export const REDIRECT_URI = 'https://pulso.example/api/auth/google/callback';
const CLIENT = { id: 'pulso', secret: 'the secret of the client' };
/** Somebody else's at the same provider. */
export const OTHER_CLIENT = 'another-client';

/** Who signs in at the provider. */
export interface Signer {
  sub: string;
  email?: string;
  email_verified?: boolean | string;
  name?: string;
}

/** A real OpenID provider in this process, at which a test decides who signs in. */
export class TestProvider {
  /** Called with the path of each request before it is answered. */
  onRequest: (path: string) => void = () => undefined;
  private readonly signers = new Map<string, Signer>();
  private provider!: Provider;
  private server: Server | undefined;

  private constructor(readonly port: number) {}

  static async start(): Promise<TestProvider> {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const started = new TestProvider(port);
    started.provider = new Provider(started.issuer, started.configuration());
    await started.open();
    return started;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get settings(): Record<string, string> {
    return {
      OPENID_ISSUER: this.issuer,
      OPENID_CLIENT_ID: CLIENT.id,
      OPENID_CLIENT_SECRET: CLIENT.secret,
    };
  }

  /** The address that the provider leads the browser of `signer` back to, from its page at `url`. */
  async signIn(url: string, signer: Signer): Promise<string> {
    this.signers.set(signer.sub, signer);
    const hinted = new URL(url);
    hinted.searchParams.set('login_hint', signer.sub);
    return this.follow(hinted.href);
  }

  /** The same for somebody who does not agree. */
  deny(url: string): Promise<string> {
    return this.follow(url);
  }

  async open(): Promise<void> {
    const answer = this.provider.callback();
    const server = createServer((request, response) => {
      const path = request.url ?? '';
      this.onRequest(path);
      const isPage = path.startsWith('/interaction/');
      void (isPage ? this.interact(request, response) : answer(request, response));
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
  }

  /** Until `open`, nothing answers at its address. */
  async close(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  private async follow(url: string): Promise<string> {
    const cookies = new Map<string, string>();
    let location = url;
    for (let step = 0; location.startsWith(this.issuer); step += 1) {
      if (step > 5) throw new Error(`the provider leads nowhere: ${location}`);
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const response = await fetch(location, { redirect: 'manual', headers: { cookie } });
      for (const set of response.headers.getSetCookie()) {
        const [name, value] = set.split(';')[0]!.split(/=(.*)/s);
        cookies.set(name!, value!);
      }
      const leads = response.headers.get('location');
      if (leads === null) throw new Error(`the provider says: ${await response.text()}`);
      location = new URL(leads, this.issuer).href;
    }
    return location;
  }

  private async interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { login_hint: accountId } = (await this.provider.interactionDetails(request, response)).params;
    const result = typeof accountId === 'string' ? { login: { accountId } } : { error: 'access_denied' };
    return this.provider.interactionFinished(request, response, result);
  }

  private configuration(): object {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const client = { redirect_uris: [REDIRECT_URI], id_token_signed_response_alg: 'ES256' };
    return {
      adapter: createMemoryAdapter(0),
      clients: [
        { ...client, client_id: CLIENT.id, client_secret: CLIENT.secret },
        { ...client, client_id: OTHER_CLIENT, client_secret: 'another secret' },
      ],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
      cookies: { keys: ['a key of cookies'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
      findAccount: (_: Context, id: string) => ({ accountId: id, claims: () => this.signers.get(id) }),
      loadExistingGrant: async ({ oidc }: Context) => {
        const { clientId } = oidc.client;
        const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
      renderError: (context: { type: string; body: string }, { error }: { error: string }) => {
        context.type = 'text';
        context.body = error;
      },
    };
  }
}
