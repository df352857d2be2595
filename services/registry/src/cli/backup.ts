import { SERVICE_NAMES, type ServiceName } from '@pulso/contracts/rpc';
import { backUp, forget, restore, verify } from '@pulso/platform/backup/back-up';
import { BackupBucket } from '@pulso/platform/backup/backup-bucket';
import type { Manifest } from '@pulso/platform/backup/backup-names';
import { watchBackups } from '@pulso/platform/backup/watch-backups';
import {
  type Command,
  type CommandInput,
  runCommands,
  UsageError,
} from '@pulso/platform/command-line/run-commands';
import { S3Objects } from '@pulso/platform/objects/s3-objects';
import type { S3Location } from '@pulso/platform/objects/s3-location';
import {
  readBackUpSettings,
  readListSettings,
  readTargetSettings,
  readVerifySettings,
  readWatchSettings,
} from '../backup-settings.js';
import { SERVICES } from '../services.js';
import { stepsAfterRestore } from '../steps-after-restore.js';

// The command line of backups; see docs/operations/tasks/back-up-and-restore.md.

const SERVICE = '<service>';
const TIME = '<time|latest>';

function serviceOf({ operands: [given] }: CommandInput): ServiceName {
  const name = SERVICE_NAMES.find((one) => one === given);
  if (!name) throw new UsageError(`There is no service ${given}. Name one of ${SERVICE_NAMES.join(', ')}.`);
  return name;
}

const storeOf = (service: ServiceName): Manifest['store'] =>
  SERVICES[service].store.kind === 'mongo' ? 'mongo' : 'postgres';

const objectsAt = (location: S3Location | undefined) => location && new S3Objects(location);

function described({ time, database, files }: Manifest): string {
  const added = files ? `; ${files.count} files, of which ${files.added} are new` : '';
  return `${time}: ${database.bytes} bytes${added}`;
}

const commands: Record<string, Command> = {
  run: {
    operands: [SERVICE],
    summary: 'backs up a service: dumps its database, copies its new files, and encrypts both',
    async run(input, env) {
      const service = serviceOf(input);
      const settings = readBackUpSettings(env);
      const manifest = await backUp(
        { service, store: storeOf(service), url: settings.BACKUP_DATABASE_URL },
        {
          bucket: new BackupBucket(new S3Objects(settings.BACKUP_BUCKET_URL)),
          workFolder: settings.BACKUP_WORK_DIR,
          recipients: settings.BACKUP_RECIPIENTS,
          objects: objectsAt(settings.BACKUP_OBJECTS_URL),
          leftOut: SERVICES[service].notBackedUp,
        },
      );
      return [`${service} is backed up as ${described(manifest)}`];
    },
  },
  list: {
    operands: [SERVICE],
    summary: 'lists the times of a service’s backups, the oldest first',
    async run(input, env) {
      const service = serviceOf(input);
      const times = await new BackupBucket(new S3Objects(readListSettings(env).BACKUP_BUCKET_URL)).times(
        service,
      );
      return times.length > 0 ? times : [`${service} has no backup.`];
    },
  },
  verify: {
    operands: [SERVICE, TIME],
    summary: 'brings a backup, decrypts it and reads all of it; changes nothing',
    async run(input, env) {
      const service = serviceOf(input);
      const manifest = await verify(service, input.operands[1]!, readingPlace(env));
      return [`whole ${described(manifest)}`];
    },
  },
  restore: {
    operands: [SERVICE, TIME],
    summary:
      'puts a backup in the place of a service’s database, while no process of it runs, and keeps the present one; deploy/backup/restore does all that belongs to it',
    async run(input, env) {
      const service = serviceOf(input);
      const { url, objects } = readTargetSettings(service, env);
      const { manifest, kept, filesReturned } = await restore(
        { service, store: storeOf(service), url },
        input.operands[1]!,
        { ...readingPlace(env), objects: objectsAt(objects) },
      );
      const files = manifest.files ? [`${filesReturned} missing files are back`] : [];
      return [`restored ${described(manifest)}`, ...files, `kept ${kept}`];
    },
  },
  forget: {
    operands: [SERVICE, '<kept>'],
    summary: 'drops the database that a restore has kept under this name',
    async run(input, env) {
      const service = serviceOf(input);
      const kept = input.operands[1]!;
      await forget({ service, store: storeOf(service), url: readTargetSettings(service, env).url }, kept);
      return [`${kept} is gone`];
    },
  },
  watch: {
    summary: 'shows on /metrics how old the newest backup of each service is, until it is ended',
    async run(_input, env) {
      const { BACKUP_BUCKET_URL, OPERATIONS_PORT } = readWatchSettings(env);
      const bucket = new BackupBucket(new S3Objects(BACKUP_BUCKET_URL));
      await watchBackups({ bucket, services: SERVICE_NAMES, port: OPERATIONS_PORT });
      return new Promise(() => undefined);
    },
  },
  steps: {
    operands: [SERVICE],
    summary:
      'lists what brings all services into line after a restore: a command of a service each, or a group to wait for',
    async run(input) {
      return stepsAfterRestore(serviceOf(input)).map((step) =>
        'awaits' in step
          ? `await ${step.service} ${step.awaits}`
          : `run ${step.service} ${step.command.join(' ')}`,
      );
    },
  },
};

function readingPlace(env: NodeJS.ProcessEnv) {
  const settings = readVerifySettings(env);
  return {
    bucket: new BackupBucket(new S3Objects(settings.BACKUP_BUCKET_URL)),
    workFolder: settings.BACKUP_WORK_DIR,
    identity: settings.BACKUP_IDENTITY_FILE,
  };
}

await runCommands('backup', commands);
