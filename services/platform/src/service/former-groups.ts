import { entityOf, type Topic } from '@pulso/contracts/topics/topic';

/** A consumer group of a service that had other names in earlier versions. Its position and its dead letters are kept. */
export interface FormerGroups {
  topic: Topic<unknown>;
  /** The reaction's name; unset for the projection of the topic. */
  reaction?: string;
  /** Whole names on the bus without Kafka's prefix, the latest first. None of them is ever used again for another purpose. */
  groups: readonly string[];
}

/** A consumer group under its present and its former names; see `FormerGroups`. */
export interface RenamedGroup {
  group: string;
  topic: string;
  formerGroups: readonly string[];
}

/** The consumer group of a service's projection of the topic, or of one of its reactions. */
export const groupName = (
  service: string,
  { topic, reaction }: { topic: FormerGroups['topic']; reaction?: string | undefined },
) => `${service}.${reaction ?? entityOf(topic)}`;

/** The renamed groups of these services. Throws if one name would stand for two groups of a topic. */
export function renamedGroups(
  services: readonly { name: string; formerGroups: readonly FormerGroups[] }[],
): RenamedGroup[] {
  const renamed = services.flatMap(({ name, formerGroups }) =>
    formerGroups.map((former) => {
      return { group: groupName(name, former), topic: former.topic.name, formerGroups: former.groups };
    }),
  );
  const claimed = new Map<string, string>();
  for (const { group, topic, formerGroups } of renamed) {
    for (const former of formerGroups) {
      const place = `${former} of ${topic}`;
      const other = claimed.get(place);
      if (other !== undefined) throw new Error(`${group} and ${other} cannot both have been ${place}`);
      claimed.set(place, group);
    }
  }
  return renamed;
}
