import { Injectable } from '@nestjs/common';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';

/** Until when other services' word is enough to erase an account: an operator opens this after a restore (ACCT-34). */
@Injectable()
export class ErasureIntake {
  constructor(private readonly clock: Clock) {}

  /** `until` in ms since the epoch; what is past closes it. */
  async open(until: number, { manager }: Transaction): Promise<void> {
    await manager.query(
      `INSERT INTO erasure_intake (open_until) VALUES ($1)
       ON CONFLICT (only_row) DO UPDATE SET open_until = excluded.open_until`,
      [new Date(until)],
    );
  }

  async isOpen({ manager }: Transaction): Promise<boolean> {
    const rows = await manager.query<unknown[]>('SELECT FROM erasure_intake WHERE open_until > $1', [
      new Date(this.clock.now()),
    ]);
    return rows.length > 0;
  }
}
