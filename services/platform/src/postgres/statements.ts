import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';

/** One SQL statement. Its name belongs to it alone within a service. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Never set: it carries the type of a row. */
  readonly row?: Row;
}

/** Declares a statement that answers with rows of the type `Row`; bigint and numeric columns come as text. */
export const statement = <Row>(name: string, text: string): Statement<Row> => ({ name, text });

/**
 * Runs single statements outside of transactions, directly on the pool. They are named: each connection parses and plans
 * each of them once. That costs less than half of a TypeORM query, so it is for what every request asks. Rejects with
 * the driver's error.
 */
@Injectable()
export class Statements {
  private readonly pool: Pool;

  constructor(dataSource: DataSource) {
    // TypeORM's driver has no type for its pool.
    this.pool = (dataSource.driver as unknown as { master: Pool }).master;
  }

  rows<Row>(asked: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
    return rowsOf(this.pool, asked, values);
  }

  /** The only row of a statement that finds one at most. */
  async row<Row>(asked: Statement<Row>, values: readonly unknown[]): Promise<Row | undefined> {
    const [row] = await this.rows(asked, values);
    return row;
  }
}

/** Runs a statement in the transaction of `manager`, on its connection. */
export async function rowsIn<Row>(
  { queryRunner }: EntityManager,
  asked: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const connection = (await queryRunner!.connect()) as PoolClient;
  return rowsOf(connection, asked, values);
}

async function rowsOf<Row>(
  on: Pick<Pool | PoolClient, 'query'>,
  { name, text }: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await on.query<Row & object>({ name, text, values: [...values] });
  return rows;
}
