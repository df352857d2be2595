import { Injectable } from '@nestjs/common';
import { notFound } from '@pulso/platform/errors/domain-error';
import type { User } from '../account/user.entity.js';
import { GetUser } from './get-user.js';
import { isUsername, normaliseUsername } from './username.js';
import { UsernameRepository } from './username.repository.js';

/** The active user whom a username, or one given up within 90 days, leads to; public. Throws `not-found`. */
@Injectable()
export class GetUserByUsername {
  constructor(
    private readonly usernames: UsernameRepository,
    private readonly getUser: GetUser,
  ) {}

  async execute(input: string): Promise<User> {
    const username = normaliseUsername(input).value;
    const owner = username && isUsername(username) ? await this.usernames.ownerOf(username) : undefined;
    if (owner === undefined) throw notFound('User not found');
    return this.getUser.execute(owner);
  }
}
