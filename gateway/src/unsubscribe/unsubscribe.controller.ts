import { Controller, Post, Req } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { OPTIONAL_EMAILS } from '@pulso/contracts/limits';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { IdentityClient } from '../clients.js';
import { answer } from '../validation/named-schemas.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { required } from '../user-ref/to-user-ref.js';

const unsubscribedSchema = answer(
  'Unsubscribed',
  z.object({ emails: z.enum(OPTIONAL_EMAILS).meta({ description: 'Which mails are switched off' }) }),
  { emails: 'subscriptions' },
);

/** Beside the frontend's page of the same address, which mails link to: reading it changes nothing (MAIL-6, HTTP-34). */
@ApiTags('Authentication and account')
@Controller('unsubscribe')
export class UnsubscribeController {
  constructor(private readonly identity: IdentityClient) {}

  @Post()
  @ApiQuery({
    name: 'token',
    required: true,
    schema: { type: 'string' },
    description: 'Of the link in a mail',
  })
  @Endpoint({
    summary: 'Switch off the mails of a kind by the link that they carry',
    description:
      'Takes the one-click POST of mail programs (RFC 8058): a body, of whatever type, is not read. Nobody needs to be signed in, and repeated calls succeed.',
    access: 'public',
    bodyless: 'ignored',
    limit: 'unsubscribe-address',
    status: 200,
    answer: unsubscribedSchema,
    errors: ['invalid-action-code'],
  })
  async unsubscribe(@Req() { query }: FastifyRequest): Promise<z.output<typeof unsubscribedSchema>> {
    const { token } = query as Record<string, unknown>;
    const { emails } = await this.identity.unsubscribe({ token: typeof token === 'string' ? token : '' });
    return {
      emails: required(
        OPTIONAL_EMAILS.find((kind) => kind === emails),
        'emails',
      ),
    };
  }
}
