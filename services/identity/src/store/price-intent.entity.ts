import type { PriceIntentState } from '@pulso/contracts/identity/v1/events';
import { VersionColumn } from '@pulso/platform/postgres/columns';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The price that a user asked for last, until billing has stored it. */
@Entity('price_intents')
export class PriceIntent {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  /** In minor units; null takes the price away. */
  @Column('integer', { name: 'price_minor', nullable: true })
  priceMinor!: number | null;

  @Column('text')
  currency!: string;

  @VersionColumn()
  version!: number;
}

export function toPriceIntentState({ priceMinor, ...intent }: PriceIntent): PriceIntentState {
  return { ...intent, priceMinor: priceMinor ?? undefined };
}
