import { OptionalTimeColumn, TimeColumn } from '@pulso/platform/postgres/columns';
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

  @TimeColumn('issued_at')
  issuedAt!: number;

  @TimeColumn('expires_at')
  expiresAt!: number;

  /** When a token of a later generation was first presented; null before that. */
  @OptionalTimeColumn('superseded_at')
  supersededAt!: number | null;
}
