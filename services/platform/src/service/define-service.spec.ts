import { foreignCalls } from '../foreign-calls/foreign-calls-part.js';
import { followTopic, socialErasureTopic } from '@pulso/contracts/topics/social';
import { UserEraser } from '../erasure/user-eraser.js';
import type { ExportedSection } from '../export/export-page.js';
import { UserExport } from '../export/user-export.js';
import { settings } from '../process/settings.js';
import { mongo } from '../mongo/mongo-store.js';
import { owned, postgres } from '../postgres/postgres-store.js';
import type { RpcMethodDefinition } from '../rpc/service-definition.js';
import { defineService, type ServiceDeclaration } from './define-service.js';

class NoSettings extends settings({}) {}
class Row {}
class NoModule {}

const declaration = (fields: Partial<ServiceDeclaration<NoSettings>> = {}) => ({
  name: 'social',
  rpc: { name: 'pulso.test.v1.EmptyService', definition: {}, reads: new Set<string>() },
  handlers: {},
  settings: NoSettings,
  store: postgres({
    entities: [Row],
    migrations: [],
    owns: [owned(followTopic, Row, () => followTopic.codec.decode(new Uint8Array()))],
  }),
  module: NoModule,
  consumes: [],
  projections: [],
  ...fields,
});

describe('a service', () => {
  it('owns the topics of its store and has the jobs of its store', () => {
    const service = defineService(declaration());
    expect(service.owns).toEqual([followTopic]);
    expect(service.jobs.map(({ name }) => name)).toContain('purge of idempotency keys');
  });

  it('sends signals if it says so, and where its replicas tell each other of their writes', () => {
    expect(defineService(declaration()).signals).toBe(false);
    expect(defineService(declaration({ signals: true })).signals).toBe(true);
    expect(defineService(declaration({ store: mongo({ collections: [] }) })).signals).toBe(true);
  });

  it('cannot own the topic of another service', () => {
    expect(() => defineService(declaration({ name: 'posts' }))).toThrow(
      'posts cannot own pulso.social.follow.v1',
    );
  });

  it('has no group that would be two groups of an earlier version', () => {
    const twice = [
      { topic: followTopic, groups: ['old'] },
      { topic: followTopic, reaction: 'mail', groups: ['old'] },
    ];
    expect(() => defineService(declaration({ formerGroups: twice }))).toThrow(
      'social.mail and social.follow cannot both have been old of pulso.social.follow.v1',
    );
  });

  it('has an eraser and a topic on which it acknowledges erasures, or neither', () => {
    class Eraser extends UserEraser {
      erase(): Promise<boolean> {
        return Promise.resolve(true);
      }
    }
    const store = postgres({ entities: [], migrations: [], owns: [], acknowledges: socialErasureTopic });
    const service = defineService(declaration({ store, eraser: Eraser }));
    expect([service.owns, service.eraser]).toEqual([[socialErasureTopic], Eraser]);
    for (const half of [{ store }, { eraser: Eraser }])
      expect(() => defineService(declaration(half))).toThrow('social acknowledges erasures by an eraser and');
  });

  it('has exports and an rpc that tells them, or neither; each service answers it by a class of its own', () => {
    class Exports extends UserExport {
      readonly sections: readonly ExportedSection[] = [];
    }
    const exportUser = {} as RpcMethodDefinition;
    const telling = { ...declaration(), rpc: { ...declaration().rpc, definition: { exportUser } } };
    const define = () => defineService({ ...telling, exports: Exports });
    const [one, other] = [define(), define()];
    expect([one.exports, one.controllers.length]).toEqual([Exports, 1]);
    expect(one.controllers[0]).not.toBe(other.controllers[0]);
    for (const half of [telling, declaration({ exports: Exports })])
      expect(() => defineService(half)).toThrow('social tells what it holds of a user by exports and');
  });

  it('has the commands of its store, and cannot replace them', () => {
    const store = postgres({ entities: [Row], migrations: [], owns: [], parts: [foreignCalls] });
    const list = { summary: 'something else', prepare: () => async () => [] };
    const { commands } = defineService(declaration({ store, commands: { list } }));
    expect(Object.keys(commands)).toEqual(['foreign-calls', 'settle-foreign-call', 'list']);
    expect(() => defineService(declaration({ store, commands: { 'foreign-calls': list } }))).toThrow(
      'named foreign-calls',
    );
    expect(defineService(declaration()).commands).toEqual({});
  });

  it('cannot replace a command that every service has', () => {
    const migrate = { summary: 'something else', prepare: () => async () => [] };
    expect(() => defineService(declaration({ commands: { migrate } }))).toThrow('named migrate');
  });
});
