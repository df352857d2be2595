import { Injectable } from '@nestjs/common';
import type { BeginOpenidRequest, BeginOpenidResponse } from '@pulso/contracts/identity/v1/identity';
import { OpenidProvider } from './openid-provider.js';
import { OpenidTransactions } from './openid-transactions.js';

/** Begins a sign-in at the OpenID provider (ACCT-28). Throws `unavailable`, also where none is set up. */
@Injectable()
export class BeginOpenid {
  constructor(
    private readonly provider: OpenidProvider,
    private readonly transactions: OpenidTransactions,
  ) {}

  async execute({ redirectUri }: BeginOpenidRequest): Promise<BeginOpenidResponse> {
    const { url, checks } = await this.provider.begin(redirectUri);
    return { url, transaction: this.transactions.seal(checks) };
  }
}
