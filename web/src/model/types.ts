// SPDX-License-Identifier: Apache-2.0
// What the REST API answers: docs/reference/rest.md. Times are nanoseconds since 1970 unless their name says otherwise.
import type { Resources } from './units';

export interface Partition {
  name: string;
  clusterId: string;
  capacity: { capacity?: Resources; usedCapacity?: Resources; utilization?: Resources };
  nodeSortingPolicy?: { type: string; resourceWeights?: Record<string, number> };
  preemptionEnabled?: boolean;
  quotaPreemptionEnabled?: boolean;
  totalNodes: number;
  totalContainers?: number;
  applications: Record<string, number>;
  state: string;
}

export interface Cluster {
  startTime: number;
  partition: string;
  rmBuildInformation?: Record<string, string>[];
}

export interface Queue {
  queuename: string;
  status: string;
  partition: string;
  pendingResource?: Resources;
  maxResource?: Resources;
  guaranteedResource?: Resources;
  allocatedResource?: Resources;
  preemptingResource?: Resources;
  headroom?: Resources;
  isLeaf: boolean;
  isManaged: boolean;
  properties?: Record<string, string>;
  parent?: string;
  template?: { maxApplications?: number; maxResource?: Resources; guaranteedResource?: Resources; properties?: Record<string, string> };
  maxRunningApps?: number;
  runningApps?: number;
  allocatingAcceptedApps?: string[];
  sortingPolicy: string;
  prioritySorting: boolean;
  preemptionEnabled: boolean;
  isPreemptionFence: boolean;
  isPriorityFence: boolean;
  preemptionDelay: string;
  quotaPreemptionDelay: string;
  priorityOffset?: number;
  currentPriority: number;
  drainingSince?: number;
  children?: Queue[];
}

export interface Ask {
  allocationKey: string;
  allocationTags?: Record<string, string>;
  requestTime?: number;
  resource?: Resources;
  priority?: string;
  placeholder?: boolean;
  taskGroupName?: string;
  allocationLog?: { message: string; lastOccurrence: number; count: number }[];
}

export interface Allocation {
  allocationKey: string;
  allocationTags?: Record<string, string>;
  requestTime?: number;
  allocationTime?: number;
  bindTime?: number;
  resource?: Resources;
  priority?: string;
  nodeId?: string;
  applicationId?: string;
  placeholder?: boolean;
  taskGroupName?: string;
  preempted?: boolean;
}

export interface Application {
  applicationID: string;
  partition: string;
  queueName: string;
  /** Without placeholders. */
  usedResource?: Resources;
  /** What its placeholders hold. */
  placeholderResource?: Resources;
  /** Why its pods are scheduled without the gang that one of them announced. */
  gangNotUsed?: string;
  maxUsedResource?: Resources;
  pendingResource?: Resources;
  submissionTime?: number;
  /** Milliseconds since 1970. */
  startTime?: number;
  finishedTime?: number;
  applicationState?: string;
  user?: string;
  groups?: string[];
  rejectedMessage?: string;
  /** Who killed it, or that its gang timed out. */
  failedMessage?: string;
  /** What people can do if it was rejected. */
  remedy?: string;
  stateLog?: { time: number; applicationState: string }[];
  requests?: Ask[];
  allocations?: Allocation[];
  placeholderData?: { taskGroupName: string; count?: number; minResource?: Resources; replaced?: number; timedout?: number }[];
  hasReserved?: boolean;
  reservations?: string[];
}

export interface Node {
  nodeID: string;
  hostName?: string;
  rackName?: string;
  attributes?: Record<string, string>;
  capacity?: Resources;
  allocated?: Resources;
  occupied?: Resources;
  available?: Resources;
  utilized?: Resources;
  allocations?: Allocation[];
  foreignAllocations?: Allocation[];
  schedulable: boolean;
  isReserved: boolean;
  reservations?: string[];
}

export interface Usage {
  queuePath: string;
  resourceUsage?: Resources;
  runningApplications?: string[];
  maxResources?: Resources;
  maxApplications?: number;
  children?: Usage[];
}

export interface UserUsage {
  userName: string;
  groups?: Record<string, string>;
  queues?: Usage;
}

export interface GroupUsage {
  groupName: string;
  applications?: string[];
  queues?: Usage;
}

export interface Health {
  Healthy: boolean;
  HealthChecks: { Name: string; Succeeded: boolean; Description: string; DiagnosisMessage: string }[];
}

export interface EventRecord {
  type?: number;
  objectID?: string;
  referenceID?: string;
  message?: string;
  timestampNano?: number;
  eventChangeType?: number;
  eventChangeDetail?: number;
  resource?: { resources?: Record<string, { value?: number }> };
}

export interface PendingPod {
  applicationID: string;
  queueName: string;
  allocationKey: string;
  namespace?: string;
  podName?: string;
  user?: string;
  priority?: number;
  resource?: Resources;
  positionInQueue?: number;
  positionInApplication?: number;
  reason: string;
  message: string;
  since?: number;
  attempts?: number;
  lastAttempt?: number;
}

export interface Pending {
  total: number;
  /** How many of them are members of gangs whose placeholders wait. */
  gangMembers?: number;
  reasons?: Record<string, number>;
  pending: PendingPod[];
  reason?: string;
  message?: string;
}

/** The amounts are empty where the limit is a number of applications. */
export interface Limit {
  kind: 'queue' | 'user' | 'group';
  name: string;
  queueName: string;
  max?: Resources;
  used?: Resources;
  requested?: Resources;
  missing?: Resources;
  /** Of a maximum of running applications. */
  maxApplications?: number;
  runningApplications?: number;
}

export interface Explain extends PendingPod {
  ahead?: { applicationID: string; queueName: string; user?: string; podName?: string; pods?: number }[];
  estimate?: { state: 'estimated' | 'unknown'; earliest?: number; latest?: number; basis?: string };
  limit?: Limit;
  limits?: Limit[];
  obstacles?: { reason: string; message: string; limit?: Limit }[];
  remedy?: string;
  /** Of a member of a gang whose placeholders wait: then the other keys are about one of these. */
  gang?: { placeholders: number; placed: number; podName?: string };
  /** When the timeout of its gang ends, in nanoseconds since 1970. */
  gangTimeout?: { time: number; outcome: 'applicationFails' | 'gangGivenUp'; isCertain?: boolean; mayBeginAgain?: boolean };
  nodes?: { total: number; unschedulable?: number; insufficient?: Record<string, number>; predicates?: Record<string, number>; examples?: string[]; words?: string };
  preemption?: { state: string; message?: string };
  reservation?: { nodeID: string };
}

export interface TimelineEvent {
  time: number;
  type: string;
  message: string;
  allocationKey?: string;
  podName?: string;
  nodeID?: string;
  reason?: string;
}

export interface Timeline {
  applicationID: string;
  state?: string;
  events: TimelineEvent[];
  omitted?: number;
}

export interface PreemptionSide {
  allocationKey?: string;
  podName?: string;
  namespace?: string;
  applicationID?: string;
  queueName?: string;
  user?: string;
  resource?: Resources;
}

export interface Preemption {
  time: number;
  kind: string;
  victim: PreemptionSide;
  for?: PreemptionSide;
  nodeID?: string;
  message?: string;
}

export interface Rule {
  name: string;
  parameters?: Record<string, string>;
  filter?: { type: string; userList?: string[]; userExp?: string; groupList?: string[]; groupExp?: string };
  parentRule?: Rule;
}

export interface SimState {
  scenario: string;
  seed: number;
  now: number;
  elapsedNs: number;
  speed: number;
  paused: boolean;
  behind: boolean;
  over: boolean;
  broken: string;
  pods: { submitted: number; waiting: number; running: number; ended: number; refused: number };
  notes: { atNs: number; text: string }[];
}
