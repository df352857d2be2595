import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Reason, Report, SubjectType } from './report.entity.js';

/** A report as it is shown to moderators. */
export interface QueuedReport extends Omit<Report, 'reporterId' | 'createdAt' | 'resolvedAt'> {
  /** The reporter's username, or their id while the projection doesn't hold them, and once they are deleted. */
  reporter: string;
  createdAt: Date;
  resolvedAt: Date | null;
}

/** All open reports about one subject. */
export interface ReportedSubject {
  subjectType: SubjectType;
  subjectId: string;
  /** How many users have reported it. */
  reporters: number;
  /** How many of them had an account for `ESTABLISHED_DAYS` when they reported it. */
  established: number;
  /** When the first of the open reports was made, in ISO 8601. */
  since: string;
  /** How many reports name each reason. */
  reasons: Partial<Record<Reason, number>>;
  /** The newest `NEWEST_SHOWN`, newest first. */
  newest: readonly { id: string; createdAt: string; reason: Reason; note: string; reporter: string }[];
}

/** Accounts that are made for reports are younger. */
export const ESTABLISHED_DAYS = 7;
const NEWEST_SHOWN = 3;

export interface QueueFilter {
  /** Whether resolved reports are listed as well. */
  resolved: boolean;
  /** Only those about this subject. */
  subjectId?: string;
  /** Only those of this user. */
  reporterId?: string;
  newestFirst?: boolean;
  limit: number;
}

const OPEN_ABOUT_S =
  'r.subject_type = s.subject_type AND r.subject_id = s.subject_id AND r.resolved_at IS NULL';
const REPORTER = "coalesce(nullif(u.username, ''), r.reporter_id::text)";
/** SQL: the milliseconds in an id, which is a UUIDv7. */
const madeMs = (id: string) => `('x' || translate(left(${id}::text, 13), '-', ''))::bit(48)::bigint`;

const iso = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** What moderators read of reports (PEOPLE-36, PEOPLE-42). */
@Injectable()
export class ReportQueue {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Open reports by their subject: first what most established accounts have reported, then most accounts, then the oldest.
   * However many accounts somebody makes for it, what they report stands behind what others report.
   */
  bySubject({ limit, offset }: { limit: number; offset: number }): Promise<ReportedSubject[]> {
    return this.dataSource.query<ReportedSubject[]>(
      `WITH subjects AS (
         SELECT subject_type, subject_id, count(*)::integer AS reporters, min(id::text)::uuid AS first,
           (count(*) FILTER (WHERE ${madeMs('id')} - ${madeMs('reporter_id')} >= $1))::integer AS established
         FROM reports WHERE resolved_at IS NULL GROUP BY subject_type, subject_id
         ORDER BY established DESC, reporters DESC, first LIMIT $2 OFFSET $3
       )
       SELECT s.subject_type AS "subjectType", s.subject_id AS "subjectId", s.reporters, s.established,
         (${iso('(SELECT created_at FROM reports WHERE id = s.first)')}) AS since, named.reasons, newest.newest
       FROM subjects s
       CROSS JOIN LATERAL (
         SELECT json_object_agg(reason, number ORDER BY number DESC, reason) AS reasons FROM (
           SELECT reason, count(*)::integer AS number FROM reports r
           WHERE ${OPEN_ABOUT_S} GROUP BY reason
         ) AS counted
       ) AS named
       CROSS JOIN LATERAL (
         SELECT json_agg(json_build_object('id', id, 'createdAt', ${iso('created_at')}, 'reason', reason, 'note', note,
           'reporter', reporter) ORDER BY id DESC) AS newest
         FROM (
           SELECT r.id, r.created_at, r.reason, r.note, ${REPORTER} AS reporter
           FROM reports r LEFT JOIN known_users u ON u.id = r.reporter_id
           WHERE ${OPEN_ABOUT_S} ORDER BY r.id DESC LIMIT ${NEWEST_SHOWN}
         ) AS few
       ) AS newest
       ORDER BY s.established DESC, s.reporters DESC, s.first`,
      [ESTABLISHED_DAYS * 86_400_000, limit, offset],
    );
  }

  /** One by one, oldest first unless asked otherwise. */
  list({
    resolved,
    subjectId,
    reporterId,
    newestFirst = false,
    limit,
  }: QueueFilter): Promise<QueuedReport[]> {
    return this.dataSource.query<QueuedReport[]>(
      `SELECT r.id, r.subject_type AS "subjectType", r.subject_id AS "subjectId", r.reason, r.note,
         r.created_at AS "createdAt", r.resolved_at AS "resolvedAt", r.resolution, r.resolved_by AS "resolvedBy",
         ${REPORTER} AS reporter
       FROM reports r LEFT JOIN known_users u ON u.id = r.reporter_id
       WHERE ($2::uuid IS NULL OR r.subject_id = $2) AND ($3::uuid IS NULL OR r.reporter_id = $3)
         ${resolved ? '' : 'AND r.resolved_at IS NULL'}
       ORDER BY r.id ${newestFirst ? 'DESC' : ''} LIMIT $1`,
      [limit, subjectId ?? null, reporterId ?? null],
    );
  }
}
