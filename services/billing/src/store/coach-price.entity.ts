import type { PriceState } from '@pulso/contracts/billing/v1/events';
import { safeInteger } from '@pulso/platform/postgres/column-transformers';
import { VersionColumn } from '@pulso/platform/postgres/columns';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A monthly price in minor units; null where none is set. */
export interface Price {
  priceMinor: number | null;
  currency: string;
}

/** The price of a coach who has never set one. */
export const NO_PRICE: Price = { priceMinor: null, currency: '' };

/** What new subscribers of a coach pay (SUBS-4). */
@Entity('coach_prices')
export class CoachPrice implements Price {
  @PrimaryColumn('uuid', { name: 'coach_id' })
  coachId!: string;

  @Column('integer', { name: 'price_minor', nullable: true })
  priceMinor!: number | null;

  @Column('text')
  currency!: string;

  /** The version of the latest intent of identity that it contains. */
  @Column('bigint', { name: 'intent_version', transformer: safeInteger })
  intentVersion!: number;

  @VersionColumn()
  version!: number;
}

export function toPriceState({ priceMinor, ...price }: CoachPrice): PriceState {
  return { ...price, priceMinor: priceMinor ?? undefined };
}
