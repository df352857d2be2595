import { Injectable } from '@nestjs/common';
import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { Transaction } from '@pulso/platform/postgres/writes';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';
import { UsernameRepository } from '../store/username.repository.js';
import { normaliseEmail } from './email.js';

/** Accounts in any state, as moderators and operators name them on the command line. */
@Injectable()
export class NamedUsers {
  constructor(
    private readonly users: UserRepository,
    private readonly usernames: UsernameRepository,
  ) {}

  /** By id, or by present or former username. Throws `not-found`. */
  async byName(named: string): Promise<User> {
    const name = storedForm(named);
    const id = isId(name) ? name : await this.usernames.ownerOf(name);
    const user = id === undefined ? null : await this.users.findById(id);
    if (!user) throw noAccount(named);
    return user;
  }

  /** The same, and by present e-mail address. Throws `not-found`. */
  async find(named: string): Promise<User> {
    const email = storedForm(named);
    if (!email.includes('@')) return this.byName(named);
    const user = await this.users.findByEmail(email);
    if (!user) throw noAccount(named);
    return user;
  }

  /**
   * The account that `find` has found, its row locked. Throws `not-found` where it does not go by this name or address now: a former
   * name leads to its owner, but an operator must not mistake one account for another. Also for a deleted one.
   */
  async lock({ id }: User, named: string, transaction: Transaction): Promise<User> {
    const user = await this.users.lockById(id, transaction);
    if (!user || user.status === 'deleted') throw noAccount(named);
    if (![user.id, user.username, user.email].includes(storedForm(named))) throw noAccount(named);
    return user;
  }
}

/** A username may be written with its sign, which no username has inside; `''` for what cannot be an address. */
function storedForm(named: string): string {
  const name = named.trim().replace(/^@/, '').toLowerCase();
  return name.includes('@') ? (normaliseEmail(name).value ?? '') : name;
}

const noAccount = (named: string) => notFound(`No account is called ${named}.`);
