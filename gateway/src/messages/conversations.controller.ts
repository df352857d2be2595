import { Body, Controller, Get, HttpStatus, Param, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MessagingClient } from '../clients.js';
import { conditional } from '../http/bodies/conditional.js';
import { listQuery } from '../http/bodies/list-query.js';
import { pathId } from '../http/bodies/path-id.js';
import { Badges } from '../notifications/badges.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { required } from '../user-ref/to-user-ref.js';
import { conversationId } from './conversation-id.js';
import {
  type Conversation,
  conversationPageSchema,
  conversationSchema,
  messagePageSchema,
  NewConversationBody,
  ReadConversationBody,
} from './message.dto.js';
import { toConversation, toConversationPage, toMessagePage } from './to-message.js';

@ApiTags('Messages and notifications')
@Controller('api/conversations')
export class ConversationsController {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly badges: Badges,
  ) {}

  @Get()
  @Endpoint({
    summary: 'The caller’s conversations, latest activity first',
    description: 'A page may hold fewer than `limit` and still have a next one.',
    access: 'private',
    paged: true,
    conditional: true,
    status: 200,
    answer: conversationPageSchema,
    compiled: true,
  })
  async list(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const page = await this.messaging.listConversations(listQuery(request.query));
    return conditional(request, reply, toConversationPage(page));
  }

  @Post()
  @Endpoint({
    summary: 'Start a conversation, or get the one that exists',
    description: 'Creates no message. Until the first one only the caller sees the conversation.',
    access: 'private',
    limit: 'conversations-account',
    upserts: true,
    status: 200,
    answer: conversationSchema,
    errors: ['not-found', 'blocked', 'cannot-message-self'],
  })
  async start(
    @Body() body: NewConversationBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Conversation> {
    const userId = pathId(body.userId, 'User not found');
    const { conversation, created } = await this.messaging.startConversation({ userId });
    if (created) reply.code(HttpStatus.CREATED);
    return toConversation(required(conversation, 'conversation'));
  }

  @Get(':id/messages')
  @Endpoint({
    summary: 'Messages of a conversation, the newest page first, each page in ascending order',
    description: '`nextCursor` leads to older messages.',
    access: 'private',
    paged: true,
    conditional: true,
    status: 200,
    answer: messagePageSchema,
    compiled: true,
    errors: ['not-found'],
  })
  async listMessages(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const page = listQuery(request.query);
    const messages = await this.messaging.listMessages({ conversationId: conversationId(id), ...page });
    return conditional(request, reply, toMessagePage(messages));
  }

  @Post(':id/read')
  @Endpoint({
    summary: 'Mark what the caller has received as read, up to a message or all of it',
    access: 'private',
    limit: 'read-marks-account',
    status: 204,
    errors: ['not-found'],
  })
  async markRead(@Param('id') id: string, @Body() body: ReadConversationBody): Promise<void> {
    const request = {
      conversationId: conversationId(id),
      upTo: body.upTo && pathId(body.upTo, 'Message not found'),
    };
    await this.badges.changedBy(() => this.messaging.markConversationRead(request));
  }
}
