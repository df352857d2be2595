import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { doorRow, gatewayRows, objectivesRow } from './gateway-rows.mjs';
import { dashboard } from './panels.mjs';
import { callsRow, consumedRow, processRow, publishedRow, rate, signalsRow, times } from './service-rows.mjs';

/**
 * `node deploy/grafana/dashboards.mjs <folder>`: writes Grafana's dashboards as JSON into the folder, one file each. Needs Node alone:
 * the component `telemetry` runs it before Grafana starts.
 */

const only = (service) => `service="${service}"`;

/** Of a service that publishes events and handles those of others. */
const publisher = (service) => [
  callsRow(only(service)),
  publishedRow(only(service)),
  consumedRow(only(service)),
  processRow(only(service)),
];

const subscriptionsRow = {
  title: 'Subscriptions',
  panels: [
    {
      title: 'Begun and ended within an hour',
      unit: 'short',
      lines: {
        begun: 'sum(increase(pulso_billing_subscriptions_begun_total[1h]))',
        'ended: {{reason}}': 'sum by (reason) (increase(pulso_billing_subscriptions_ended_total[1h]))',
      },
    },
    {
      title: 'Endings that wait',
      about: 'Coaches and deleted subscribers whose subscriptions are still to be ended',
      unit: 'short',
      expr: 'max(pulso_billing_endings_waiting)',
    },
  ],
};

const paymentsRow = {
  title: 'Payments',
  panels: [
    {
      title: 'Events of the provider within an hour',
      about: 'Refused are those whose signature, age or mode is not right',
      unit: 'short',
      lines: {
        '{{what}}': 'sum by (what) (increase(pulso_billing_provider_events_total[1h]))',
        'attempts that failed': 'sum(increase(pulso_billing_provider_event_failures_total[1h]))',
      },
    },
    {
      title: 'Events that wait',
      unit: 'short',
      expr: 'max by (what) (pulso_billing_provider_events_waiting)',
      legend: '{{what}}',
    },
    {
      title: 'Oldest event that waits',
      unit: 's',
      expr: 'max(pulso_billing_provider_events_oldest_seconds)',
    },
    {
      title: 'Oldest call to the provider without an end',
      unit: 's',
      expr: 'max by (kind, state) (pulso_foreign_calls_oldest_seconds{service="billing"})',
      legend: '{{kind}} {{state}}',
    },
    {
      title: 'Differences that a night has found',
      unit: 'short',
      expr: 'sum(increase(pulso_billing_drifts_total[1d]))',
    },
  ],
};

const feedRow = {
  title: 'Feed',
  panels: [
    {
      title: "Posts in the feed's index",
      unit: 'short',
      expr: 'pulso_feed_index_posts',
      legend: '{{instance}}',
    },
  ],
};

/** What a worker does with its queue. */
const queuePanels = (queue, rows) => [
  {
    title: 'Jobs of the queue',
    unit: 'short',
    expr: `max by (state) (pulso_queue_jobs{queue="${queue}"})`,
    legend: '{{state}}',
  },
  { title: 'Time for a row', unit: 's', lines: times('pulso_queue_work_seconds', `queue="${queue}"`) },
  {
    title: 'Found by a sweep',
    about: `Due ${rows} that the queue did not bring`,
    unit: 'ops',
    expr: rate('pulso_queue_swept_total', `queue="${queue}"`, 'queue'),
    legend: '{{queue}}',
  },
];

const videoRow = {
  title: 'Videos',
  panels: [
    {
      title: 'Attempts',
      unit: 'ops',
      expr: rate('pulso_videos_total', '', 'outcome'),
      legend: '{{outcome}}',
    },
    {
      title: 'Oldest that is neither ready nor failed',
      unit: 's',
      expr: 'max(pulso_videos_oldest_seconds)',
    },
    {
      title: 'Time by step',
      unit: 's',
      expr: 'sum by (step) (rate(pulso_video_step_seconds_sum[5m])) / sum by (step) (rate(pulso_video_step_seconds_count[5m]))',
      legend: '{{step}}',
    },
    ...queuePanels('media-video', 'videos'),
  ],
};

const archiveRow = {
  title: 'Archives',
  panels: [
    {
      title: 'Archives by state',
      unit: 'short',
      expr: 'max by (state) (pulso_archives)',
      legend: '{{state}}',
    },
    {
      title: 'Oldest that is neither ready nor failed',
      unit: 's',
      expr: 'max(pulso_archives_oldest_seconds)',
    },
  ],
};

const mailRow = {
  title: 'Mails',
  panels: [
    {
      title: 'Attempts',
      unit: 'ops',
      expr: rate('pulso_mails_total', '', 'outcome'),
      legend: '{{outcome}}',
    },
    {
      title: 'Not sent to their receivers',
      unit: 'ops',
      expr: rate('pulso_mails_dropped_total', '', 'reason'),
      legend: '{{reason}}',
    },
    ...queuePanels('messaging-mail', 'mails'),
  ],
};

const upRow = {
  title: 'Processes that answer',
  panels: [
    {
      title: 'Replicas',
      unit: 'short',
      expr: 'count by (service) (process_start_time_seconds{job="pulso"})',
      legend: '{{service}}',
    },
    {
      title: 'Alerts that fire',
      unit: 'short',
      expr: 'count by (alertname, severity) (ALERTS{alertstate="firing", alertname=~"Pulso.*"})',
      legend: '{{alertname}} ({{severity}})',
    },
  ],
};

const DASHBOARDS = {
  overview: {
    title: 'Pulso',
    rows: [
      upRow,
      doorRow,
      objectivesRow,
      callsRow('', 'service'),
      publishedRow(''),
      consumedRow(''),
      signalsRow(''),
      processRow(''),
    ],
  },
  gateway: {
    title: 'Pulso: gateway',
    rows: [...gatewayRows, signalsRow(only('gateway')), processRow(only('gateway'))],
  },
  identity: { title: 'Pulso: identity', rows: publisher('identity') },
  social: { title: 'Pulso: social', rows: publisher('social') },
  posts: { title: 'Pulso: posts', rows: [feedRow, ...publisher('posts'), signalsRow(only('posts'))] },
  media: {
    title: 'Pulso: media',
    rows: [
      videoRow,
      archiveRow,
      callsRow(only('media')),
      publishedRow(only('media')),
      consumedRow(only('media')),
      processRow('service=~"media|media-video"'),
    ],
  },
  billing: { title: 'Pulso: billing', rows: [subscriptionsRow, paymentsRow, ...publisher('billing')] },
  messaging: {
    title: 'Pulso: messaging',
    rows: [
      mailRow,
      callsRow(only('messaging')),
      consumedRow(only('messaging')),
      signalsRow(only('messaging')),
      processRow('service=~"messaging|messaging-mail"'),
    ],
  },
};

/** All dashboards as Grafana reads them, by name, which is that of the service. */
export const grafanaDashboards = () =>
  new Map(
    Object.entries(DASHBOARDS).map(([name, { title, rows }]) => [
      name,
      dashboard({ name: `pulso-${name}`, title, rows }),
    ]),
  );

if (process.argv[1] === import.meta.filename) {
  const folder = process.argv[2];
  if (!folder) {
    process.stderr.write('Usage: node deploy/grafana/dashboards.mjs <folder>\n');
    process.exit(1);
  }
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of grafanaDashboards()) {
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(content, null, 2)}\n`);
  }
}
