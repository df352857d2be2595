import { Body, Controller, Get, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { BillingClient } from '../clients.js';
import { GatewayConfig } from '../config.js';
import { BODY_BYTES } from '../http/endpoint.js';
import type { HttpErrorCode } from '../errors/error-table.js';
import { Endpoint, type EndpointOptions } from '../openapi/endpoint.decorator.js';
import { notConfigured, OwnAddresses, otherId, ownId } from './checks.js';
import {
  CheckoutBody,
  ConnectAccountBody,
  LazyPriceBody,
  OnboardingLinkBody,
  ReturnBody,
  type StripeAccount,
  stripeAccountSchema,
  type StripePrice,
  stripePriceSchema,
  type StripeStatus,
  stripeStatusSchema,
  type StripeUrl,
  stripeUrlSchema,
} from './stripe.dto.js';
import { toStripeStatus } from './to-stripe-status.js';

const call = (
  summary: string,
  answer: EndpointOptions['answer'],
  errors: readonly HttpErrorCode[],
): EndpointOptions => ({
  summary,
  access: 'private',
  limit: 'payments-account',
  status: 200,
  answer,
  errors: ['payments-not-configured', 'unprocessable', 'outcome-unknown', ...errors],
});

/**
 * What needs a payment provider, which billing talks to. Without one (SUBS-3) each call is refused, after the same checks as with
 * one: a client learns of its mistakes wherever it is tried out.
 */
@ApiTags('Subscriptions and billing')
@Controller('api/stripe')
export class StripeController {
  private readonly addresses: OwnAddresses;
  private readonly isOn: boolean;

  constructor(
    { PUBLIC_URL, PAYMENTS = 'none' }: GatewayConfig,
    private readonly billing: BillingClient,
  ) {
    this.addresses = new OwnAddresses(PUBLIC_URL);
    this.isOn = PAYMENTS !== 'none';
  }

  /** Throws `payments-not-configured`. */
  private provider(): BillingClient {
    if (!this.isOn) throw notConfigured();
    return this.billing;
  }

  @Post('checkout/create')
  @Endpoint(
    call('A page to pay for a subscription', stripeUrlSchema, [
      'cannot-subscribe-self',
      'not-found',
      'blocked',
      'not-a-coach',
      'price-not-set',
      'coach-not-ready',
      'conflict',
    ]),
  )
  async checkout(@Body() { coachUid, success_url, cancel_url }: CheckoutBody): Promise<StripeUrl> {
    this.addresses.check({ success_url, cancel_url });
    otherId(coachUid);
    const asked = { coachId: coachUid, successUrl: success_url, cancelUrl: cancel_url };
    return this.provider().openCheckout(asked);
  }

  @Post('prices/lazy-create')
  @Endpoint(
    call('The provider’s price for the caller’s own', stripePriceSchema, [
      'permission-denied',
      'price-not-set',
    ]),
  )
  async price(@Body() { coachUid }: LazyPriceBody): Promise<StripePrice> {
    ownId(coachUid);
    return this.provider().ensurePrice({});
  }

  @Post('connect/create-account')
  @Endpoint(call('The caller’s account for payouts', stripeAccountSchema, ['permission-denied']))
  async account(@Body() { uid }: ConnectAccountBody): Promise<StripeAccount> {
    ownId(uid);
    return this.provider().openPayoutAccount({});
  }

  @Post('connect/onboarding-link')
  @Endpoint(call('A page to set up payouts', stripeUrlSchema, ['permission-denied']))
  async onboarding(@Body() { uid, refresh_url, return_url }: OnboardingLinkBody): Promise<StripeUrl> {
    this.addresses.check({ refresh_url, return_url });
    ownId(uid);
    return this.provider().openOnboarding({ refreshUrl: refresh_url, returnUrl: return_url });
  }

  @Post('billing/portal')
  @Endpoint(call('The provider’s page of the caller as a payer', stripeUrlSchema, ['no-billing-account']))
  async portal(@Body() { return_url }: ReturnBody): Promise<StripeUrl> {
    this.addresses.check({ return_url });
    return this.provider().openBillingPortal({ returnUrl: return_url });
  }

  @Post('connect/dashboard-link')
  @Endpoint(
    call('The provider’s page of the caller’s payouts', stripeUrlSchema, [
      'no-billing-account',
      'coach-not-ready',
    ]),
  )
  async payouts(@Body() { return_url }: ReturnBody): Promise<StripeUrl> {
    this.addresses.check({ return_url });
    return this.provider().openPayoutDashboard({ returnUrl: return_url });
  }

  @Get('status')
  @Endpoint({
    summary: 'What the caller has left to do with payments',
    access: 'private',
    status: 200,
    answer: stripeStatusSchema,
    errors: ['payments-not-configured'],
  })
  async status(): Promise<StripeStatus> {
    return toStripeStatus(await this.provider().getPaymentStatus({}));
  }

  @Post('webhook')
  @Endpoint({
    summary: 'The provider’s events',
    description:
      'Not for clients. The body is taken as it comes, of whatever type: its signature in `Stripe-Signature` is of the bytes.',
    access: 'public',
    rawBody: true,
    bodyBytes: BODY_BYTES.post,
    status: 200,
    errors: ['payments-not-configured', 'validation-failed', 'payload-too-large', 'unsupported-media-type'],
  })
  async webhook(@Req() { body, headers }: FastifyRequest): Promise<void> {
    const signature = headers['stripe-signature'];
    await this.provider().takeProviderEvent({
      body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
      signature: typeof signature === 'string' ? signature : '',
    });
  }
}
