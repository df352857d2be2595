import { Injectable } from '@nestjs/common';
import { SignedInAccount } from '../session/signed-in-account.js';
import type { User } from '../store/user.entity.js';

/** The caller's own account. */
@Injectable()
export class GetMe {
  constructor(private readonly signedIn: SignedInAccount) {}

  async execute(): Promise<User> {
    const { user } = await this.signedIn.require();
    return user;
  }
}
