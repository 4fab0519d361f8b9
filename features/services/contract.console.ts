import { z } from 'zod'
import { defineContract, usdText } from '#platform/shared/contract.ts'
import { serviceErrors } from './errors.ts'
import { PHASES, TASK_MONEY } from './words.ts'
import { taskId } from './contract.ts'

const time = z.string().nullable()

/** A line of the desk's queue. Names come in the operator's language. */
export const deskRow = z.object({
  id: taskId,
  service: z.string(),
  title: z.string(),
  product: z.string(),
  productName: z.string(),
  state: z.string(),
  stateName: z.string(),
  phase: z.enum(PHASES),
  userId: z.string(),
  amount: usdText,
  money: z.enum(TASK_MONEY),
  /** Set if the order is paid on a card: the card that holds the amount, and the sum taken from it so far. */
  card: z.object({ last4: z.string(), taken: usdText }).nullable(),
  /** Minutes that the task has waited in its state, and the limit after which it counts as late. */
  waited: z.number(),
  target: z.number(),
  takenBy: z.string().nullable(),
  takenUntil: time,
  startedTime: time,
  deadlineTime: time,
})
export type DeskRow = z.output<typeof deskRow>

const end = z.object({ state: z.string(), name: z.string(), isGood: z.boolean() })

/** The services' desk: the queue and one order with everything that is needed to fulfil it. Taking, evidence and outcome are commands (`service.*`). */
export const servicesDeskContract = defineContract(serviceErrors)({
  deskQueue: {
    method: 'GET',
    path: '/operator/services/queue',
    access: 'operator',
    permission: 'work.read',
    summary: 'Orders of services that wait for a person, oldest first, and how many by service',
    input: z.object({
      service: z.string().max(40).optional(),
      mine: z.enum(['true', 'false']).optional(),
      /** `next` of the list before. */
      after: taskId.optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    reply: z.object({
      rows: z.array(deskRow),
      next: z.string().nullable(),
      counts: z.array(
        z.object({ service: z.string(), title: z.string(), waiting: z.number(), taken: z.number(), late: z.number(), paused: z.string().nullable() }),
      ),
      /** Tasks that wait too long for an operator or a supplier. */
      late: z.array(deskRow),
      hours: z.object({ isOpen: z.boolean(), opensTime: z.string() }),
    }),
    errors: [],
  },
  deskTask: {
    method: 'GET',
    path: '/operator/services/task',
    access: 'operator',
    permission: 'work.read',
    summary: 'One order: what was asked for, its steps, evidence, suppliers’ answers, how it can end',
    input: z.object({ id: taskId }),
    reply: z.object({
      row: deskRow,
      /** The customer's input; links and addresses, no secrets. */
      facts: z.record(z.string(), z.string()),
      steps: z.array(z.object({ at: z.string(), state: z.string(), name: z.string(), cause: z.string(), actor: z.string(), note: z.string() })),
      evidence: z.array(z.object({ at: z.string(), operatorId: z.string(), kind: z.string(), body: z.string() })),
      calls: z.array(
        z.object({ verb: z.string(), supplier: z.string(), state: z.enum(['meant', 'answered', 'refused']), tries: z.number(), refused: z.string() }),
      ),
      /** Steps to take, in order, and the possible ends. `needs`: facts required for success. */
      todo: z.array(z.string()),
      ends: z.array(end),
      needs: z.array(z.string()),
      causes: z.array(z.object({ cause: z.string(), name: z.string(), money: z.enum(['back', 'part', 'keep']) })),
    }),
    errors: ['SERVICE_TASK_UNKNOWN'],
  },
})
