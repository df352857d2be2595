import { milliseconds } from '@pulso/platform/postgres/column-transformers';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A refresh token, stored as its hash only. */
@Entity('refresh_tokens')
export class RefreshToken {
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @Column('uuid', { name: 'session_id' })
  sessionId!: string;

  /** Tokens issued for the same state of a session have the same generation; see `rotation.ts`. */
  @Column('integer')
  generation!: number;

  @Column({ type: 'timestamptz', name: 'issued_at', precision: 3, transformer: milliseconds })
  issuedAt!: number;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, transformer: milliseconds })
  expiresAt!: number;

  /** When a token of a later generation was first presented; null before that. */
  @Column({
    type: 'timestamptz',
    name: 'superseded_at',
    precision: 3,
    nullable: true,
    transformer: milliseconds,
  })
  supersededAt!: number | null;
}
