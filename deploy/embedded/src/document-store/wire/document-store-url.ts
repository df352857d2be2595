/** The store's one user. */
export const USER_NAME = 'pulso';

/** Where clients find the store, with what they need to be let in. */
export function documentStoreUrl(port: number, password: string): string {
  const user = `${USER_NAME}:${encodeURIComponent(password)}`;
  return `mongodb://${user}@127.0.0.1:${port}/?directConnection=true&authSource=admin`;
}
