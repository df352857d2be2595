import type { Session } from '@pulso/contracts/identity/v1/identity';
import { BeginOpenid } from '../../src/openid/begin-openid.js';
import { FinishOpenid } from '../../src/openid/finish-openid.js';
import { Identity } from '../start.js';
import { REDIRECT_URI, type Signer, TestProvider } from './test-provider.js';

let signers = 0;

/** Somebody new at the provider, which has verified their address unless told otherwise. */
export const aSigner = (fields: Partial<Signer> = {}): Signer => {
  signers += 1;
  const email = `signer-${signers}@example.net`;
  return { sub: `subject-${signers}`, email, email_verified: true, name: `Signer ${signers}`, ...fields };
};

/** Identity with a provider, and sign-ins from one device. */
export class OpenidSignIns {
  private constructor(
    readonly identity: Identity,
    readonly provider: TestProvider,
  ) {}

  static async start(): Promise<OpenidSignIns> {
    const provider = await TestProvider.start();
    return new OpenidSignIns(await Identity.start(provider.settings), provider);
  }

  async stop(): Promise<void> {
    await this.identity.stop();
    await this.provider.close();
  }

  begin = () => this.identity.get(BeginOpenid).execute({ redirectUri: REDIRECT_URI });

  finish = (transaction: string, callbackUrl: string, language = ''): Promise<Session> => {
    const device = { userAgent: 'Firefox', address: '192.0.2.9' };
    return this.identity.get(FinishOpenid).execute({ transaction, callbackUrl, language, device });
  };

  async signIn(signer: Signer, language?: string): Promise<Session> {
    const { url, transaction } = await this.begin();
    return this.finish(transaction, await this.provider.signIn(url, signer), language);
  }
}
