import { postsErasureTopic } from '@pulso/contracts/topics/posts';
import { socialErasureTopic } from '@pulso/contracts/topics/social';
import { mongo } from '../../src/mongo/mongo-store.js';
import { postgres } from '../../src/postgres/postgres-store.js';
import { itErasesUsers } from './erased-users-suite.js';

describe('in PostgreSQL', () =>
  itErasesUsers(
    socialErasureTopic,
    postgres({ entities: [], migrations: [], owns: [], acknowledges: socialErasureTopic }),
  ));

describe('in MongoDB', () =>
  itErasesUsers(postsErasureTopic, mongo({ collections: [], acknowledges: postsErasureTopic })));
