/** What the proof reads of a pod, as Kubernetes shows it. */
export interface Pod {
  metadata: Metadata;
  spec: PodSpec;
  status: {
    phase: string;
    podIP?: string;
    conditions?: { type: string; status: string; lastTransitionTime: string }[];
    containerStatuses?: ContainerStatus[];
    initContainerStatuses?: ContainerStatus[];
  };
}

export interface Metadata {
  name: string;
  uid: string;
  labels: Record<string, string>;
  creationTimestamp: string;
  deletionTimestamp?: string;
  ownerReferences?: { kind: string; name: string }[];
  generation?: number;
}

export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  automountServiceAccountToken?: boolean;
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number };
  volumes?: { name: string; projected?: { sources: object[] } }[];
  hostNetwork?: boolean;
}

export interface Container {
  name: string;
  image: string;
  ports?: { name?: string; containerPort: number; protocol?: string }[];
  resources?: { limits?: Record<string, string>; requests?: Record<string, string> };
  securityContext?: {
    runAsNonRoot?: boolean;
    runAsUser?: number;
    readOnlyRootFilesystem?: boolean;
    allowPrivilegeEscalation?: boolean;
    capabilities?: { drop?: string[]; add?: string[] };
  };
  volumeMounts?: { name: string; mountPath: string }[];
}

export interface ContainerStatus {
  name: string;
  ready: boolean;
  restartCount: number;
  state: { running?: { startedAt: string }; waiting?: { reason?: string; message?: string } };
}

/** What it reads of a Deployment or StatefulSet. */
export interface Condition {
  metadata: Metadata;
  spec: { replicas?: number };
  status: {
    observedGeneration?: number;
    replicas?: number;
    updatedReplicas?: number;
    readyReplicas?: number;
  };
}

/** Of the Service `mail`: its page, where the mails can be read. */
export const INBOX_PORT = 1080;

export const isReady = ({ status }: Pod) =>
  status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;

/** Whether all its pods are of its present template, and ready. */
export function deploymentsReady({ metadata, spec, status }: Condition): boolean {
  const wanted = spec.replicas ?? 1;
  const are = [status.replicas ?? 0, status.updatedReplicas ?? 0, status.readyReplicas ?? 0];
  return status.observedGeneration === metadata.generation && are.every((count) => count === wanted);
}

export const newestLast = (a: Pod, b: Pod) =>
  a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp);

/** The process or engine that it is of: `posts`. */
export const nameOf = ({ metadata }: Pod) => metadata.labels['app.kubernetes.io/name']!;

/** `posts-7d9 (Running, not ready, CrashLoopBackOff)`, for a message. */
export function shortState(pod: Pod): string {
  const { initContainerStatuses = [], containerStatuses = [], phase } = pod.status;
  const reasons = [...initContainerStatuses, ...containerStatuses].flatMap(
    ({ state }) => state.waiting?.reason ?? [],
  );
  return `${pod.metadata.name} (${[phase, isReady(pod) ? 'ready' : 'not ready', ...reasons].join(', ')})`;
}
