import {
  dumpKey,
  filesOf,
  keptName,
  manifestKey,
  monthOf,
  timeName,
  timeOfManifest,
  timeOfName,
} from './backup-names.js';

const TIME = new Date('2026-11-27T20:45:09.500Z');

describe('the names of backups', () => {
  it('have the service and the time in UTC', () => {
    expect(timeName(TIME)).toBe('20261127-204509');
    expect(dumpKey('billing', '20261127-204509')).toBe('databases/billing/20261127-204509/database.age');
    expect(manifestKey('billing', '20261127-204509')).toBe('databases/billing/20261127-204509/manifest.json');
    expect(filesOf('media', monthOf(TIME))).toBe('files/media/2026-11/');
    expect(keptName(TIME)).toBe('before_restore_20261127_204509');
  });

  it('are read as times', () => {
    expect(timeOfName('20261127-204509')).toEqual(new Date('2026-11-27T20:45:09Z'));
    for (const other of ['latest', '20261127', '20261327-204509', '20260230-000000', '20261127-204509/'])
      expect(timeOfName(other)).toBeUndefined();
  });

  it('tell a manifest from all else', () => {
    expect(timeOfManifest(manifestKey('billing', '20261127-204509'))).toBe('20261127-204509');
    for (const other of [
      dumpKey('billing', '20261127-204509'),
      'databases/billing/manifest.json',
      'files/media/2026-11/a',
    ])
      expect(timeOfManifest(other)).toBeUndefined();
  });

  it('are in the order of the times', () => {
    const times = ['2026-01-31T23:59:59Z', '2026-02-01T00:00:00Z', '2027-01-01T00:00:00Z'];
    const names = times.map((time) => timeName(new Date(time)));
    expect(names.toSorted()).toEqual(names);
  });
});
