import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { MessagingClient } from '../clients.js';
import { idempotencyOf } from '../http/idempotency-key.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { type Message, messageSchema, NewMessageBody } from './message.dto.js';
import { toMessage } from './to-message.js';

@ApiTags('Messages and notifications')
@Controller('api/messages')
export class MessagesController {
  constructor(private readonly messaging: MessagingClient) {}

  @Post()
  @Endpoint({
    summary: 'Send a message',
    description: 'Creates the conversation of the two if it is missing.',
    access: 'private',
    limit: 'messages-account',
    creates: true,
    status: 201,
    answer: messageSchema,
    errors: ['not-found', 'blocked', 'cannot-message-self'],
  })
  async send(@Body() body: NewMessageBody, @Req() request: FastifyRequest): Promise<Message> {
    const idempotency = idempotencyOf(request, body);
    // Also a malformed id: messaging judges the text before it (HTTP-16).
    const { receiverId, content } = body;
    return toMessage(await this.messaging.sendMessage({ receiverId, content, idempotency }));
  }
}
