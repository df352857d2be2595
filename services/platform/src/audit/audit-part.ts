import type { StorePart } from '../postgres/postgres-store.js';
import { AUDIT_COMMANDS } from './audit-command.js';
import { AuditTrail } from './audit-trail.js';
import { IndexAuditSubjects1766900000001 } from './index-audit-subjects.migration.js';
import { KeepAudit1766700000000 } from './keep-audit.migration.js';
import { RecordOsUsers1766800000000 } from './record-os-users.migration.js';

/** For `parts` of a service that injects `AuditTrail`: its table and its command. */
export const auditTrail: StorePart = {
  migrations: [KeepAudit1766700000000, RecordOsUsers1766800000000, IndexAuditSubjects1766900000001],
  provider: AuditTrail,
  jobs: [],
  commands: AUDIT_COMMANDS,
};
