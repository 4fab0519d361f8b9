import { z } from 'zod'
import { defineContract, emptyReply, pageInput, definePage, usdText } from '#platform/shared/contract.ts'
import { serviceErrors } from './errors.ts'
import { PHASES, TASK_MONEY } from './words.ts'

export const taskId = z.string().regex(/^srv_[0-9a-z]{16}$/)
const time = z.string().nullable()

/** One thing ordered or used, as its owner sees it. Names come in the caller's language. */
export const serviceTask = z.object({
  id: taskId,
  service: z.string(),
  /** Names of the service and of the ordered product. */
  title: z.string(),
  product: z.string(),
  productName: z.string(),
  state: z.string(),
  stateName: z.string(),
  phase: z.enum(PHASES),
  /** Cause of a failure or refund; empty while the task is live and after a success. */
  cause: z.string(),
  causeName: z.string(),
  amount: usdText,
  money: z.enum(TASK_MONEY),
  charged: usdText,
  /** Refunded part of `charged`. */
  returned: usdText,
  /** Use of the free quota; `back`: the free use was returned. */
  free: z.enum(['no', 'taken', 'back']),
  orderNo: z.string().nullable(),
  /** Path of the service's page. */
  path: z.string(),
  createdTime: z.string(),
  startedTime: time,
  deliveredTime: time,
  /** Time at which its state ends automatically. */
  deadlineTime: time,
  expiresTime: time,
  finishedTime: time,
})
export type ServiceTask = z.output<typeof serviceTask>

/** Public data of a service. */
const catalogueRow = z.object({
  name: z.string(),
  title: z.string(),
  path: z.string(),
  /** The lowest price in dollars; '0' if the service is free only. */
  from: usdText,
  /** Null: open. Empty: switched off. Otherwise the reason why operators paused it. */
  paused: z.string().nullable(),
  /** False if the service is unavailable now because its supplier, machines or files are missing; no order is accepted for it. */
  isOffered: z.boolean(),
  /** Opening hours of a service that operators fulfil; null if it needs no operator. */
  desk: z.object({ isOpen: z.boolean(), opensTime: z.string() }).nullable(),
  /** Measured figures: median and 90th percentile in minutes, percent delivered; null if the sample is too small. */
  measured: z.object({ count: z.number(), half: z.number().nullable(), most: z.number().nullable(), delivered: z.number().nullable(), days: z.number() }),
})
export type CatalogueRow = z.output<typeof catalogueRow>

const serviceRow = catalogueRow.extend({
  /** Free uses of the user. */
  quota: z.object({ allowed: z.number(), used: z.number(), left: z.number() }),
})
export type ServiceRow = z.output<typeof serviceRow>

/** A live task with the one fact that distinguishes it from others, e.g. a number or an address; empty if there is none. */
const runningTask = serviceTask.extend({ glance: z.string() })
export type RunningTask = z.output<typeof runningTask>

/** Endpoints common to all services. */
export const servicesContract = defineContract(serviceErrors)({
  serviceCatalogue: {
    method: 'GET',
    path: '/v1/service/catalogue',
    access: 'public',
    summary: 'Every service that is sold here: price, whether it is open, how long it takes lately',
    input: z.object({}),
    reply: z.object({ rowList: z.array(catalogueRow) }),
    errors: [],
  },
  serviceHub: {
    method: 'GET',
    path: '/v1/service/list',
    access: 'user',
    summary: 'The same for one user, in one call: free uses left, running tasks with their ends, and the subscription flags',
    input: z.object({}),
    reply: z.object({
      rowList: z.array(serviceRow),
      /** Waiting or live tasks, newest first; at most fifty. */
      running: z.array(runningTask),
      /** The user's current services, for menus and landing pages */
      flags: z.object({
        hasSubscribedUser: z.boolean(),
        wildcard: z.boolean(),
        flex: z.boolean(),
        apiFlex: z.boolean(),
        browser: z.boolean(),
        network: z.boolean(),
        chatgptBackup: z.boolean(),
      }),
    }),
    errors: [],
  },
  serviceTasks: {
    method: 'GET',
    path: '/v1/service/tasks',
    access: 'user',
    summary: 'Orders and uses of the user, of all services or one, newest first; `live`: only running ones',
    input: pageInput.extend({ service: z.string().max(40).optional(), live: z.enum(['true', 'false']).optional() }),
    reply: definePage(serviceTask),
    errors: [],
  },
  serviceTaskInfo: {
    method: 'GET',
    path: '/v1/service/task',
    access: 'user',
    summary: 'One of them, with what happened to it',
    input: z.object({ id: taskId }),
    reply: z.object({ task: serviceTask, steps: z.array(z.object({ at: z.string(), state: z.string(), name: z.string(), cause: z.string() })) }),
    errors: ['SERVICE_TASK_UNKNOWN'],
  },
  serviceGiveUp: {
    method: 'POST',
    path: '/v1/service/giveUp',
    access: 'user',
    summary: 'Gives up an unpaid draft',
    input: z.object({ id: taskId }),
    reply: emptyReply,
    errors: [],
  },
})
