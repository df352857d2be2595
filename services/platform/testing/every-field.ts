/** What a message of ts-proto offers. */
interface Message<T> {
  encode(message: T): unknown;
  decode(bytes: Uint8Array): T;
}

/** The names of all fields of a message, sorted; also of those that are optional, which no empty message has. */
export function fieldsOf<T extends object>(message: Message<T>): string[] {
  const names = new Set<string>();
  const get = (empty: T, name: string): unknown => {
    names.add(name);
    return empty[name as keyof T];
  };
  message.encode(new Proxy(message.decode(new Uint8Array()), { get: get as ProxyHandler<T>['get'] }));
  return [...names].sort();
}

/**
 * An example that has every field of its message. Throws for a field that the message has got since, and for one with
 * the value that it has in an empty message: a test could not see what becomes of it.
 */
export function everyField<T extends object>(message: Message<T>, example: Required<T>): Required<T> {
  const empty = message.decode(new Uint8Array());
  const missing = fieldsOf(message).filter((name) => {
    const value = example[name as keyof T];
    return value === undefined || value === empty[name as keyof T];
  });
  if (missing.length > 0) throw new Error(`The example needs a value of its own for ${missing.join(', ')}`);
  return example;
}
