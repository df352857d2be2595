import { Injectable } from '@nestjs/common';
import { userNotFound } from '@pulso/platform/errors/user-errors';
import type { User } from '../store/user.entity.js';
import { isUsername, normaliseUsername } from './username.js';
import { UsernameRepository } from '../store/username.repository.js';
import { GetUser } from './get-user.js';

/** The active user with this username, or with one given up within 90 days; public. Throws `not-found`. */
@Injectable()
export class GetUserByUsername {
  constructor(
    private readonly usernames: UsernameRepository,
    private readonly getUser: GetUser,
  ) {}

  async execute(input: string): Promise<User> {
    const username = normaliseUsername(input).value;
    const owner = username && isUsername(username) ? await this.usernames.ownerOf(username) : undefined;
    if (owner === undefined) throw userNotFound();
    return this.getUser.execute(owner);
  }
}
