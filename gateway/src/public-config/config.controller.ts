import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PROVIDER_MINIMUM_MINOR } from '@pulso/contracts/payments';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { GatewayConfig } from '../config.js';
import { conditional } from '../http/bodies/conditional.js';
import { answer } from '../validation/named-schemas.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';

export const configSchema = answer(
  'Config',
  z.object({
    google: z.boolean().meta({ description: 'Whether signing in by an OpenID provider works here' }),
    openidName: z
      .string()
      .meta({ description: 'What the provider is called: Google unless another is set up' }),
    payments: z
      .enum(['none', 'stripe'])
      .meta({ description: 'Who takes the money; `stripe` also for its simulator' }),
    minimumPrice: z
      .object({ MXN: z.number().min(0), USD: z.number().min(0) })
      .meta({ description: 'The least a coach may ask a month, unless nothing' }),
    marketing: z.object({ professionals: z.string(), topCoachEarnings: z.string() }),
  }),
  {
    google: false,
    openidName: 'Google',
    payments: 'none',
    minimumPrice: { MXN: 0, USD: 0 },
    marketing: { professionals: '500+', topCoachEarnings: '5k+' },
  },
);

const MINOR_UNITS = 100;
const NO_MINIMUM = { MXN: 0, USD: 0 };
const PROVIDER_MINIMUM = {
  MXN: PROVIDER_MINIMUM_MINOR.MXN / MINOR_UNITS,
  USD: PROVIDER_MINIMUM_MINOR.USD / MINOR_UNITS,
};

/** What clients must know before they ask for anything else (HTTP-29). */
@ApiTags('Authentication and account')
@Controller('api/config')
export class ConfigController {
  private readonly config: z.output<typeof configSchema>;

  constructor({
    PAYMENTS = 'none',
    OPENID_CLIENT_ID,
    OPENID_NAME = 'Google',
    MARKETING_PROFESSIONALS,
    MARKETING_TOP_COACH_EARNINGS,
  }: GatewayConfig) {
    const isOn = PAYMENTS !== 'none';
    this.config = {
      google: OPENID_CLIENT_ID !== undefined,
      openidName: OPENID_NAME,
      payments: isOn ? 'stripe' : 'none',
      minimumPrice: isOn ? PROVIDER_MINIMUM : NO_MINIMUM,
      marketing: {
        professionals: MARKETING_PROFESSIONALS,
        topCoachEarnings: MARKETING_TOP_COACH_EARNINGS,
      },
    };
  }

  @Get()
  @Endpoint({
    summary: 'What this installation offers',
    access: 'public',
    shared: true,
    conditional: true,
    status: 200,
    answer: configSchema,
  })
  get(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): string | undefined {
    reply.header('cache-control', 'public, no-cache');
    return conditional(request, reply, this.config);
  }
}
