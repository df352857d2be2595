// For mongosh: makes the replica set of one, and for each service a user of its own database alone. May run again: then it only sets
// the passwords anew. The member is named by `localhost`, as the services connect directly (`directConnection=true` in their URLs).
const LIMIT_MS = 240_000;
const deadline = Date.now() + LIMIT_MS;

function until(what, attempt) {
  for (;;) {
    try {
      const result = attempt();
      if (result) return result;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    if (Date.now() > deadline) throw new Error(`mongodb-setup: ${what}: not within ${LIMIT_MS / 1000} s`);
    sleep(2000);
  }
}

// The image's first start makes root with a server that listens on a socket alone; the one that answers here has it.
const { MONGO_INITDB_ROOT_USERNAME: root, MONGO_INITDB_ROOT_PASSWORD: password } = process.env;
const admin = until('the server takes root', () =>
  new Mongo(
    `mongodb://${root}:${password}@mongodb:27017/?directConnection=true&authSource=admin&serverSelectionTimeoutMS=5000`,
  ).getDB('admin'),
);
const hello = until('the server answers', () => admin.hello());
if (!hello.setName) {
  admin.adminCommand({ replSetInitiate: { _id: 'pulso', members: [{ _id: 0, host: 'localhost:27017' }] } });
  print('mongodb-setup: the replica set pulso is made');
}
until('the only member is primary', () => admin.hello().isWritablePrimary);

for (const service of ['posts', 'messaging']) {
  const own = admin.getSiblingDB(service);
  const user = {
    pwd: process.env[`${service.toUpperCase()}_PASSWORD`],
    roles: [{ role: 'dbOwner', db: service }],
  };
  if (own.getUser(service)) own.updateUser(service, user);
  else own.createUser({ user: service, ...user });
  print(`mongodb-setup: user ${service} of database ${service}`);
}
