import { coverage } from '../../tools/kubernetes/coverage.mjs';
import { unusedKustomizations } from '../../tools/kubernetes/kustomizations.mjs';
import { madeBefore } from '../../tools/kubernetes/readme.mjs';
import { skaffold } from '../../tools/kubernetes/skaffold.mjs';
import type { Gym } from './a-gym.js';
import { judges, processOf } from './kubernetes-judges.js';

describe('skaffold.yaml', () => {
  const of = (gym: Gym, name: string) =>
    gym.facts.skaffold.find(({ metadata }) => metadata.name === name) as never as {
      build: { artifacts: { image: string; custom: { buildCommand: string } }[] };
      deploy: { kubectl: { hooks: { before: { host: { command: string[] } }[] } } };
      profiles: { manifests: { kustomize: { paths: string[] } } }[];
      requires: { configs: string[] }[];
    };
  const command = (gym: Gym) => of(gym, 'gym').deploy.kubectl.hooks.before[0]!.host.command;
  judges(skaffold, '4 modules', [
    [
      'a path that is not there',
      (gym) => (of(gym, 'gym').profiles[0]!.manifests.kustomize.paths = ['deploy/gym']),
      /module gym: profile kind names deploy\/gym, which is no overlay/,
    ],
    [
      'a folder that no module deploys',
      (gym) => (of(gym, 'gym').profiles[0]!.manifests.kustomize.paths = []),
      /overlays\/kind\/gym is deployed by no module/,
    ],
    [
      'a hook that is no program',
      (gym) => (command(gym)[0] = 'delete-jobs'),
      /it runs delete-jobs, which is no program/,
    ],
    [
      'a Job that is not deployed',
      (gym) => command(gym).push('swim'),
      /it deletes the Job swim, which it does not deploy/,
    ],
    [
      'a Job that stays in the way',
      (gym) => command(gym).pop(),
      /deploys the Job gym-migrate and does not delete/,
    ],
    [
      'a deployer with nothing to deploy',
      (gym) => (of(gym, 'pulso').deploy = of(gym, 'gym').deploy),
      /module pulso: with kind it names a deployer and deploys nothing/,
    ],
    [
      'the build of another image',
      (gym) => (of(gym, 'gym').build.artifacts[0]!.custom.buildCommand = 'deploy/docker/build gateway'),
      /deploy\/docker\/build gateway does not belong to the image pulso\/gym/,
    ],
    [
      'a module that is required and not there',
      (gym) => of(gym, 'pulso').requires[0]!.configs.push('x'),
      /requires x/,
    ],
    [
      'a module that is left out',
      (gym) => of(gym, 'pulso').requires[0]!.configs.pop(),
      /module gateway is not required/,
    ],
  ]);
});

describe('processes', () => {
  judges(coverage, '2 processes in 1 overlays', [
    [
      'a process without anything',
      (gym) => gym.facts.processes.push('pool'),
      /pool is in no module of overlays\/kind: docs/,
    ],
    [
      'a process without an image',
      (gym) => (gym.facts.images = { gateway: gym.facts.images.gateway! } as never),
      /gym has no image/,
    ],
    [
      'a process without a base',
      (gym) => gym.facts.bases.splice(1, 1),
      /gym has no folder deploy\/kubernetes\/base\/gym/,
    ],
    [
      'a process without a row',
      (gym) => gym.facts.secretsTold.pop(),
      /gym has no row in the table of Secrets/,
    ],
    [
      'a process that the whole overlay lacks',
      (gym) => (gym.facts.renderings[0]!.objects = []),
      /gym is not in overlays\/kind\/kustomization\.yaml/,
    ],
    [
      'a process that no module builds',
      (gym) => gym.facts.skaffold.splice(1, 1),
      /gym is not built by the module/,
    ],
    ['a base of no process', (gym) => gym.facts.bases.push('pool'), /base\/pool is of no process/],
    [
      'a kustomization that nothing names',
      (gym) => gym.facts.unused.push('deploy/x'),
      /deploy\/x: no overlay leads to it/,
    ],
    [
      'a program that the image does not have',
      (gym) => (processOf(gym).args = ['services/gym/main.js']),
      /runs services\/gym\/main\.js, which image pulso\/gym does not have/,
    ],
  ]);

  it('lead to every kustomization, also through others', () => {
    const all = {
      'k/overlays/kind': { resources: ['gym'] },
      'k/overlays/kind/gym': {
        resources: ['../../../base/gym', 'x.yaml'],
        components: ['../../../components/a'],
      },
      'k/base/gym': {},
      'k/components/a': {},
      'k/components/b': {},
    };
    expect(unusedKustomizations(all, ['k/overlays/kind'])).toEqual(['k/components/b']);
  });
});

describe('what production makes before', () => {
  it('is read from the README, with what all services have', () => {
    const text = [
      '   | Secret | keys |',
      '   | --- | --- |',
      '   | gym | `GYM_URL`, and those of all services |',
      '   | gateway | `WORD` of somebody |',
      '   | public-keys, a ConfigMap | `KEYS` |',
      '',
      '   All services have `A` and `B`.',
    ].join('\n');
    expect(madeBefore(text)).toEqual({
      Secret: { gym: ['GYM_URL', 'A', 'B'], gateway: ['WORD'] },
      ConfigMap: { 'public-keys': ['KEYS'] },
    });
  });

  it('is named by the name of an object', () => {
    expect(() => madeBefore('| Secret | keys |\n| --- | --- |\n| each service | `A` |\n')).toThrow(
      '"each service"',
    );
  });
});
