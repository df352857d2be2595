import { Injectable } from '@nestjs/common';
import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { User } from '../account/user.entity.js';
import { UserRepository } from '../account/user.repository.js';

/** The active user of an id; public. Throws `not-found`, malformed ids included. */
@Injectable()
export class GetUser {
  constructor(private readonly users: UserRepository) {}

  async execute(id: string): Promise<User> {
    const user = isId(id) ? await this.users.findById(id) : null;
    if (user?.status !== 'active') throw notFound('User not found');
    return user;
  }
}
