import { containersOf, placeOf, podOf, textsIn } from './objects.mjs';

/** @typedef {import('./objects.mjs').Rendering} Rendering */

/** What a secret looks like, wherever it stands. Where a `$` or `%` follows, a variable is put in when the process starts. */
const SHAPES = [
  ['a password in a URL', /[a-z][a-z\d+.-]*:\/\/[^\s/:@'"]*:[^\s/@'"$%<]+@/i],
  ['a private key in PEM', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ['a private JWK', /"d"\s*:\s*"[\w-]{20,}"/],
  ['a list of secrets', /"secret"\s*:\s*"[^"$]{8,}"/],
  [
    'a password',
    /(?:passwor[dt]|passwd|secret|token)["']?\s*[=:]\s*["']?(?!passw|secret|token)[^\s"'$%<>{}[\]()]{6,}/i,
  ],
];
/** A variable with such a name comes from a Secret, whatever its value. */
const SECRET_NAME = /(?:PASSWORD|PASSWD|SECRETS?|TOKEN|PRIVATE_KEY|ACCESS_KEY|_KEYS?)$/;
const REMEDY = 'Put it into a Secret that is made outside, and name that one';

/**
 * No secret stands in a manifest, nor in a ConfigMap that is made of one: by the settings that the code marks as secret, by the names
 * of variables, and by what values look like. Faults never show a value.
 *
 * @param {{ renderings: readonly Rendering[], secretSettings: ReadonlySet<string> }} facts
 */
export function secrets({ renderings, secretSettings }) {
  const faults = [];
  let objects = 0;
  let maps = 0;
  for (const rendering of renderings)
    for (const object of rendering.objects) {
      objects++;
      const place = placeOf(rendering, object);
      if (object.kind === 'Secret') faults.push(`${place} is a Secret in a manifest. ${REMEDY}.`);
      if (object.kind === 'ConfigMap') {
        maps++;
        for (const key of Object.keys({ ...object.data, ...object.binaryData }))
          if (secretSettings.has(key)) faults.push(`${place} has ${key}, which is secret. ${REMEDY}.`);
      }
      const pod = podOf(object);
      for (const { name: container, env = [] } of pod ? containersOf(pod) : [])
        for (const { name, value } of env)
          if (value && (secretSettings.has(name) || SECRET_NAME.test(name)))
            faults.push(
              `${place}: container ${container} has ${name} as a literal, which is secret. ${REMEDY}.`,
            );
      for (const [path, text] of textsIn(object)) {
        const shape = SHAPES.find(([, pattern]) => pattern.test(text));
        if (shape) faults.push(`${place}: ${path} looks like ${shape[0]}. ${REMEDY}.`);
      }
    }
  return {
    faults,
    figures: `${objects} objects, ${maps} ConfigMaps, ${secretSettings.size} secret settings`,
  };
}
