import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { PEOPLE_SEARCH_MIN, TEXT_LIMITS } from '@pulso/contracts/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IdentityClient } from '../clients.js';
import { conditional } from '../http/bodies/conditional.js';
import { listQuery } from '../http/bodies/list-query.js';
import { queryText } from '../http/bodies/query-text.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { ComposeProfile } from '../profiles/compose-profile.js';
import { profilePageSchema } from '../profiles/profile.dto.js';

@ApiTags('People')
@Controller('api/people')
export class PeopleController {
  constructor(
    private readonly identity: IdentityClient,
    private readonly profiles: ComposeProfile,
  ) {}

  @Get()
  @ApiQuery({
    name: 'q',
    required: true,
    schema: { type: 'string', minLength: PEOPLE_SEARCH_MIN, maxLength: TEXT_LIMITS.search.max },
    description:
      'Part of the name or the username, whatever the case and accents, of at least 2 letters; an @ at its beginning is left out',
  })
  @Endpoint({
    summary: 'Coaches and members by name or username',
    description:
      'First whose username it is, then usernames that begin so, then names that begin so, then all others, each by name. A page may hold fewer than `limit` and still have a next one.',
    access: 'private',
    paged: true,
    conditional: true,
    status: 200,
    answer: profilePageSchema,
    compiled: true,
  })
  async list(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const page = listQuery(request.query);
    const q = queryText(request, 'q', TEXT_LIMITS.search);
    const users = await this.identity.listPeople({ q, ...page });
    return conditional(request, reply, await this.profiles.page(users));
  }
}
