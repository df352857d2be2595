import { Injectable } from '@nestjs/common';
import type { GetUserByUsernameRequest, User } from '@pulso/contracts/identity/v1/identity';
import { userNotFound } from '@pulso/platform/errors/user-errors';
import { toUserMessage } from './user-message.js';
import { isUsername, normaliseUsername } from './username.js';
import { VisibleUsers } from './visible-users.js';

/** The active user with this username, or with one given up within 90 days; public. Throws `not-found`. */
@Injectable()
export class GetUserByUsername {
  constructor(private readonly visible: VisibleUsers) {}

  async execute(request: GetUserByUsernameRequest): Promise<User> {
    const username = normaliseUsername(request.username).value;
    if (!username || !isUsername(username)) throw userNotFound();
    return toUserMessage(await this.visible.requireNamed(username));
  }
}
