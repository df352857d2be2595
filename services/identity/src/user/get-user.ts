import { Injectable } from '@nestjs/common';
import type { GetUserRequest, User } from '@pulso/contracts/identity/v1/identity';
import { toUserMessage } from './user-message.js';
import { VisibleUsers } from './visible-users.js';

/** The active user with an id; public. Throws `not-found`; see `VisibleUsers`. */
@Injectable()
export class GetUser {
  constructor(private readonly visible: VisibleUsers) {}

  async execute({ id }: GetUserRequest): Promise<User> {
    return toUserMessage(await this.visible.require(id));
  }
}
