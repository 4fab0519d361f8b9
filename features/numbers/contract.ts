import { z } from 'zod'
import { defineContract, pageInput, definePage, usdText } from '#platform/shared/contract.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { numberErrors } from './errors.ts'
import { NUMBER_COUNTRIES, NUMBER_SERVICES, NUMBER_ORDER_STATES } from './words.ts'

const taskId = z.string().regex(/^srv_[0-9a-z]{16}$/)
const time = z.string().nullable()
/** Position in `NUMBER_SERVICES`, from 1. */
const type = z.coerce.number().int().min(1).max(NUMBER_SERVICES.length)

const message = z.object({
  at: z.string(),
  /** Text of the message; '' after a day, or if the supplier reports only the code. */
  text: z.string(),
  code: z.string(),
  /** True if it arrived after the end; it is free then. */
  late: z.boolean(),
})

export const numberRow = z.object({
  id: taskId,
  type: z.number(),
  service: z.enum(NUMBER_SERVICES),
  country: z.enum(NUMBER_COUNTRIES),
  state: z.enum(NUMBER_ORDER_STATES),
  /** Cause of an end without a message, a name for `cause_<name>`; else ''. */
  cause: z.string(),
  /** E.164; '' until a number is rented. */
  number: z.string(),
  message: z.string(),
  code: z.string(),
  messages: z.array(message),
  appliedTime: z.string(),
  /** Time from which it can receive messages. */
  startedTime: time,
  receiveTime: time,
  /** Deadline for the message. */
  deadlineTime: time,
  endedTime: time,
  /** Source of the use: included with the card, or from a pack. */
  paidBy: z.enum(['card', 'pack']),
  /** True if the use was given back. */
  returned: z.boolean(),
  /** Changes with every visible change; for long polling. */
  version: z.string(),
})
export type NumberRow = z.output<typeof numberRow>

const measured = z.object({
  /** Period in days, rentals in it, and how many of them got a message; null if there were too few. */
  days: z.number(),
  count: z.number(),
  received: z.number(),
  percent: z.number().nullable(),
  /** Median time to the message in seconds. */
  half: z.number().nullable(),
  /** Histogram of the waits: messages per interval of two minutes. */
  waits: z.array(z.number()),
})

const packRow = z.object({ id: taskId, total: z.number(), left: z.number(), boughtTime: z.string(), untilTime: time, worth: usdText })

const errors = { ...numberErrors, ...serviceErrors }

/** Phone numbers for one code. */
export const numbersContract = defineContract(errors)({
  overseaMobileStat: {
    method: 'GET',
    path: '/v1/tool/reward/overseaMobileStat',
    access: 'user',
    summary: 'Numbers on offer, the price of a pack, and the uses left',
    input: z.object({}),
    reply: z.object({
      /** True if the user has a working card. */
      hasCard: z.boolean(),
      /** Uses left from the card and from packs; the total is their sum. */
      included: z.object({ allowed: z.number(), used: z.number(), left: z.number() }),
      packs: z.array(packRow),
      remaining: z.number(),
      pack: z.object({ count: z.number(), price: usdText, each: usdText }),
      /** Timeout for a message. */
      minutes: z.number(),
      services: z.array(z.object({ type: z.number(), service: z.enum(NUMBER_SERVICES), countries: z.array(z.enum(NUMBER_COUNTRIES)), measured })),
      /** Null if open, '' if switched off, else the reason for the pause. */
      paused: z.string().nullable(),
    }),
    errors: [],
  },
  overseaMobileApply: {
    method: 'POST',
    path: '/v1/tool/reward/overseaMobile/apply',
    access: 'user',
    idempotency: 'required',
    summary: 'Asks for a number; takes a use, which comes back when no message does',
    input: z.object({ type, country: z.enum(NUMBER_COUNTRIES).optional() }),
    reply: numberRow,
    errors: ['NUMBER_NEEDS_CARD', 'NUMBER_NO_USES', 'NUMBER_ONE_AT_A_TIME', 'NUMBER_TOO_MANY_CANCELLED', 'NUMBER_NOT_OFFERED', 'SERVICE_PAUSED'],
  },
  overseaMobileAvailable: {
    method: 'GET',
    path: '/v1/tool/reward/overseaMobile/available',
    access: 'user',
    summary: 'The number that waits for its message, or has it and is still rented',
    input: z.object({}),
    reply: z.object({ current: numberRow.nullable() }),
    errors: [],
  },
  overseaMobilePageList: {
    method: 'GET',
    path: '/v1/tool/reward/overseaMobile/pageList',
    access: 'user',
    summary: 'All numbers, newest first',
    input: pageInput,
    reply: definePage(numberRow),
    errors: [],
  },
  overseaMobilePack: {
    method: 'POST',
    path: '/v1/tool/reward/overseaMobile/pack',
    access: 'user',
    idempotency: 'optional',
    summary: 'A pack of further uses with its price, to be paid by an order of type 4 that names `service`',
    input: z.object({}),
    reply: z.object({ orderType: z.number(), amount: usdText, service: z.string() }),
    errors: ['NUMBER_NEEDS_CARD', 'SERVICE_PAUSED'],
  },
  overseaMobileReturnPack: {
    method: 'POST',
    path: '/v1/tool/reward/overseaMobile/returnPack',
    access: 'user',
    idempotency: 'optional',
    summary: 'Gives a pack’s unused uses back; their price returns to the balance',
    input: z.object({ id: taskId }),
    reply: z.object({ returned: usdText }),
    errors: ['NUMBER_UNKNOWN', 'NUMBER_ENDED'],
  },
  overseaMobileCancel: {
    method: 'POST',
    path: '/v1/tool/reward/overseaMobile/cancel',
    access: 'user',
    idempotency: 'optional',
    summary: 'Gives a number back before a message came; the use returns',
    input: z.object({ id: taskId }),
    reply: numberRow,
    errors: ['NUMBER_UNKNOWN', 'NUMBER_ENDED'],
  },
  overseaMobileInfo: {
    method: 'GET',
    path: '/v1/tool/reward/overseaMobile/{id}',
    access: 'user',
    summary: 'One number. With `version` the answer waits until it is another one, or `waitSeconds`',
    input: z.object({ id: taskId, version: z.string().max(40).optional(), waitSeconds: z.coerce.number().int().min(0).max(25).default(25) }),
    reply: numberRow,
    errors: ['NUMBER_UNKNOWN'],
  },
})

export type NumberStat = ReplyOf<typeof numbersContract.overseaMobileStat>
