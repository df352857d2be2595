/** What Pulso uses of oidc-provider 9, which has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  /** Of one request; `result` is what the interaction has ended with. */
  export interface Context {
    oidc: {
      client: { clientId: string };
      session: { accountId: string };
      result?: { login?: unknown };
      provider: Provider;
    };
  }

  export interface Account {
    accountId: string;
    claims(): Record<string, unknown> & { sub: string };
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface Interaction {
    uid: string;
    params: Readonly<Record<string, unknown>>;
  }

  type Result =
    | { login: { accountId: string; remember?: boolean } }
    | { error: string; error_description?: string };

  class Check {
    constructor(reason: string, description: string, isNeeded: (context: Context) => boolean);
  }

  export const interactionPolicy: {
    Check: typeof Check;
    base(): { get(prompt: 'login'): { checks: { add(check: Check): void } } };
  };

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (fields: { clientId: string; accountId: string }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: Result): Promise<void>;
    on(event: 'server_error', listener: (context: Context, error: Error) => void): this;
  }
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  /** The tokens of one provider, in memory. */
  export function createMemoryAdapter(clockTolerance: number): new (name: string) => object;
}
