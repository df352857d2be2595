/** Rows that dashboards share. `match` is a matcher of labels, such as `service="billing"`, or empty for all processes. */

const INTERVAL = '[$__rate_interval]';

export const rate = (metric, match, by) =>
  `sum${by ? ` by (${by})` : ''} (rate(${metric}{${match}}${INTERVAL}))`;

export const quantile = (share, metric, match, by = '') =>
  `histogram_quantile(${share}, sum by (le${by && `, ${by}`}) (rate(${metric}_bucket{${match}}${INTERVAL})))`;

/** The median and the slowest hundredth of a histogram. */
export const times = (metric, match) => ({
  p50: quantile(0.5, metric, match),
  p99: quantile(0.99, metric, match),
});

const CALLS = 'pulso_rpc_server_duration_seconds';
const FAILED = 'code=~"unavailable|internal|deadline-exceeded"';
const and = (...matches) => matches.filter(Boolean).join(', ');

export const callsRow = (match, by = 'rpc') => ({
  title: 'Calls',
  panels: [
    { title: 'Calls', unit: 'reqps', expr: rate(`${CALLS}_count`, match, by), legend: `{{${by}}}` },
    {
      title: 'Time to handle a call (p99)',
      unit: 's',
      expr: `topk(8, ${quantile(0.99, CALLS, match, 'rpc')})`,
      legend: '{{rpc}}',
    },
    {
      title: 'Calls that failed',
      about: 'Unavailable, internal or too late',
      unit: 'reqps',
      expr: rate(`${CALLS}_count`, and(match, FAILED), 'rpc, code'),
      legend: '{{rpc}} {{code}}',
    },
    {
      title: 'Reads answered stale',
      about: "Before the caller's own writes had arrived",
      unit: 'reqps',
      expr: rate('pulso_rpc_stale_reads_total', match, 'rpc'),
      legend: '{{rpc}}',
    },
  ],
});

export const publishedRow = (match) => ({
  title: 'Events that are published',
  panels: [
    {
      title: 'Unpublished',
      about: 'In the outbox, and of these what is set aside because it failed',
      unit: 'short',
      lines: {
        '{{service}}': `max by (service) (pulso_outbox_depth{${match}})`,
        '{{topic}} {{what}} set aside': `max by (topic, what) (pulso_outbox_set_aside{${match}}) > 0`,
      },
    },
    {
      title: 'Failures of the outbox',
      unit: 'ops',
      lines: {
        '{{service}} passes of the relay': rate('pulso_outbox_relay_failures_total', match, 'service'),
        '{{topic}} {{reason}}': rate('pulso_outbox_events_failed_total', match, 'topic, reason'),
      },
    },
  ],
});

export const consumedRow = (match) => ({
  title: 'Events that are handled',
  panels: [
    {
      title: 'Undelivered',
      unit: 'short',
      expr: `sum by (group) (max by (group, topic) (pulso_events_pending{${match}}))`,
      legend: '{{group}}',
    },
    {
      title: 'Oldest that is not finished',
      unit: 's',
      expr: `max by (group) (pulso_events_oldest_seconds{${match}})`,
      legend: '{{group}}',
    },
    {
      title: 'From commit to the end of handling',
      unit: 's',
      lines: times('pulso_events_delay_seconds', match),
    },
    {
      title: 'Failures and dead letters',
      unit: 'ops',
      lines: {
        '{{group}} failed': rate('pulso_events_failed_total', match, 'group'),
        '{{group}} dead': rate('pulso_events_dead_lettered_total', match, 'group'),
      },
    },
  ],
});

export const signalsRow = (match) => ({
  title: 'Signals (Redis)',
  panels: [
    {
      title: 'Hears signals',
      about: '1 while it does. Always 0 where nothing listens',
      unit: 'short',
      expr: `pulso_signals_subscribed{${match}}`,
      legend: '{{service}} {{instance}}',
    },
    {
      title: 'Signals that were lost',
      unit: 'ops',
      expr: rate('pulso_signals_unsent_total', match, 'service'),
      legend: '{{service}}',
    },
  ],
});

export const processRow = (match) => ({
  title: 'Processes',
  panels: [
    {
      title: 'Processor',
      unit: 'percentunit',
      expr: `rate(process_cpu_seconds_total{${match}}${INTERVAL})`,
      legend: '{{service}} {{instance}}',
    },
    {
      title: 'Memory',
      unit: 'bytes',
      expr: `process_resident_memory_bytes{${match}}`,
      legend: '{{service}} {{instance}}',
    },
    {
      title: 'Delay of the event loop (p99)',
      unit: 's',
      expr: `nodejs_eventloop_lag_p99_seconds{${match}}`,
      legend: '{{service}} {{instance}}',
    },
    {
      title: 'Regular work that failed',
      unit: 'ops',
      expr: `${rate('pulso_loop_failures_total', match, 'service, loop')} > 0`,
      legend: '{{service}} {{loop}}',
    },
    {
      title: 'Since the last run of regular work',
      unit: 's',
      expr: `topk(5, time() - pulso_loop_last_pass_seconds{${match}})`,
      legend: '{{service}} {{loop}}',
    },
    {
      title: 'Metrics that could not be read',
      unit: 'ops',
      expr: `${rate('pulso_metric_failures_total', match, 'service, metric')} > 0`,
      legend: '{{service}} {{metric}}',
    },
  ],
});
