import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { TEXT_LIMITS } from '@pulso/contracts/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { IdentityClient } from '../clients.js';
import { conditional } from '../http/conditional.js';
import { pageQuery } from '../http/page-query.js';
import { queryText } from '../http/query-text.js';
import { answer } from '../openapi/component.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { ComposeProfile } from '../users/compose-profile.js';
import { type ProfilePage, profilePageSchema } from '../users/user.dto.js';

export const specialtyListSchema = answer(
  'SpecialtyList',
  z.object({ items: z.array(z.string()).meta({ description: 'Sorted, each once whatever its case' }) }),
  { items: ['Boxing', 'Cardio', 'CrossFit'] },
);

type SpecialtyList = z.output<typeof specialtyListSchema>;

@ApiTags('People')
@Controller('api')
export class CoachesController {
  constructor(
    private readonly identity: IdentityClient,
    private readonly profiles: ComposeProfile,
  ) {}

  @Get('coaches')
  @ApiQuery({
    name: 'q',
    required: false,
    schema: { type: 'string', maxLength: TEXT_LIMITS.search.max },
    description: 'Part of the name, the bio or a specialty, whatever the case and accents',
  })
  @ApiQuery({
    name: 'specialty',
    required: false,
    schema: { type: 'string', maxLength: TEXT_LIMITS.search.max },
    description: 'Exactly one of the coach’s specialties',
  })
  @Endpoint({
    summary: 'The coach directory, by name',
    description: 'A page may hold fewer than `limit` and still have a next one.',
    access: 'public',
    paged: true,
    status: 200,
    answer: profilePageSchema,
    compiled: true,
  })
  async list(@Req() { query }: FastifyRequest): Promise<ProfilePage> {
    const page = pageQuery(query);
    const q = queryText(query, 'q', TEXT_LIMITS.search);
    const specialty = queryText(query, 'specialty', TEXT_LIMITS.search);
    const { items, nextCursor } = await this.identity.listCoaches({ q, specialty, ...page });
    return { items: await this.profiles.list(items), nextCursor: nextCursor === '' ? null : nextCursor };
  }

  @Get('specialties')
  @Endpoint({
    summary: 'All known specialties, sorted',
    access: 'public',
    shared: true,
    conditional: true,
    status: 200,
    answer: specialtyListSchema,
  })
  async specialties(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const { specialties: items } = await this.identity.listSpecialties({});
    reply.header('cache-control', 'public, no-cache');
    return conditional(request, reply, { items } satisfies SpecialtyList);
  }
}
