import { Injectable } from '@nestjs/common';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { DataSource } from 'typeorm';
import { IdentityRows, userRow } from './identity-rows.js';
import { User } from './user.entity.js';

const UNIQUE_VIOLATION = '23505';

@Injectable()
export class UserRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: IdentityRows,
  ) {}

  /** Pass the transaction if there is one: a second connection for one request can exhaust the pool. */
  findById(id: string, transaction?: Transaction): Promise<User | null> {
    return this.users(transaction).findOneBy({ id });
  }

  findByEmail(email: string): Promise<User | null> {
    return this.users().findOneBy({ email });
  }

  /** Waits for other writers of this user; the row stays locked until the transaction ends. */
  async lockById(id: string, transaction: Transaction): Promise<User | null> {
    await transaction.manager.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [id]);
    // A second statement: the one that waits for the lock would read the price as it was before.
    return this.findById(id, transaction);
  }

  lockByUnsubscribeToken(unsubscribeToken: string, transaction: Transaction): Promise<User | null> {
    return this.users(transaction).findOne({
      where: { unsubscribeToken },
      lock: { mode: 'for_no_key_update' },
    });
  }

  /** Whether an account signs in with this address. */
  emailExists(email: string, transaction?: Transaction): Promise<boolean> {
    return this.users(transaction).existsBy({ email });
  }

  /** Returns false when the address is taken, also by an account that is being created concurrently. */
  async insert(user: User, transaction: Transaction): Promise<boolean> {
    const { raw } = await this.users(transaction)
      .createQueryBuilder()
      .insert()
      .values(user)
      .orIgnore()
      .returning('id')
      .execute();
    return (raw as unknown[]).length > 0;
  }

  /**
   * Gives a user another address. Returns false, and changes nothing, when it is taken, also by an account that is being created
   * concurrently. The user's row must be locked.
   */
  async takeEmail(id: string, email: string, transaction: Transaction): Promise<boolean> {
    if (await this.emailExists(email, transaction)) return false;
    try {
      // Within a savepoint: the transaction goes on after a refusal.
      await transaction.manager.transaction((savepoint) =>
        this.users({ manager: savepoint }).update({ id }, { email }),
      );
    } catch (error) {
      if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return false;
      throw error;
    }
    transaction.afterCommit.push(() => this.rows.changed(userRow(id)));
    return true;
  }

  /** Lets somebody else sign up with the address of an account that is deleted (ACCT-33). */
  async freeEmail(id: string, transaction: Transaction): Promise<void> {
    // No address: nobody can have taken it. Ids are public.
    await this.users(transaction).update({ id, status: 'deleted' }, { email: `erased:${id}` });
  }

  async save(user: User, transaction: Transaction): Promise<void> {
    const { id, ...fields } = user;
    await this.users(transaction).update({ id }, fields);
    transaction.afterCommit.push(() => this.rows.changed(userRow(id)));
  }

  private users({ manager }: Pick<Transaction, 'manager'> = this.dataSource) {
    return manager.getRepository(User);
  }
}
