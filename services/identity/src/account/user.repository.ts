import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, MoreThan, type EntityManager } from 'typeorm';
import { DATA_SOURCE } from '../database/data-source.js';
import { User } from './user.entity.js';

@Injectable()
export class UserRepository {
  constructor(@InjectDataSource(DATA_SOURCE) private readonly dataSource: DataSource) {}

  /** Inside of a transaction pass it on: a second connection for one request can exhaust the pool. */
  findById(id: string, transaction?: EntityManager): Promise<User | null> {
    return this.users(transaction).findOneBy({ id });
  }

  findByEmail(email: string): Promise<User | null> {
    return this.users().findOneBy({ email });
  }

  /** Waits for other writers of this user; what is read stays true until the transaction ends. */
  lockById(id: string, transaction: EntityManager): Promise<User | null> {
    return this.users(transaction).findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /** Whether an account signs in with this address. */
  emailExists(email: string, transaction?: EntityManager): Promise<boolean> {
    return this.users(transaction).existsBy({ email });
  }

  /** False when the address is taken, also by an account that is being created at this moment. */
  async insert(user: User, transaction: EntityManager): Promise<boolean> {
    const { raw } = await this.users(transaction)
      .createQueryBuilder()
      .insert()
      .values(user)
      .orIgnore()
      .returning('id')
      .execute();
    return (raw as unknown[]).length > 0;
  }

  async save(user: User, transaction: EntityManager): Promise<void> {
    const { id, ...fields } = user;
    await this.users(transaction).update({ id }, fields);
  }

  /** Every user in order of id, read in batches. */
  async *all(batchSize = 500): AsyncIterable<User> {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const users = await this.users().find({
        where: { id: MoreThan(after) },
        order: { id: 'ASC' },
        take: batchSize,
      });
      yield* users;
      if (users.length < batchSize) return;
      after = users.at(-1)!.id;
    }
  }

  private users(manager: EntityManager = this.dataSource.manager) {
    return manager.getRepository(User);
  }
}
