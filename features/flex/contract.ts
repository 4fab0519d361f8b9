import { z } from 'zod'
import { defineContract, pageInput, definePage, usdText } from '#platform/shared/contract.ts'
import { serviceTask, taskId } from '#features/services/contract.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { flexErrors } from './errors.ts'

const platformId = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(6)])
const platform = z.coerce.number().pipe(platformId)
const service = z.enum(['chatgpt', 'chatgptVoice', 'claude', 'sora'])
const tabKey = z.enum(['chatgpt', 'claude', 'combined', 'sora'])
const code = z
  .string()
  .trim()
  .regex(/^[0-9A-Z]{3,10}$/)
  .or(z.literal(''))

const useRow = z.object({
  platformId,
  /** 0 not applied, 1 in use, 2 expired. */
  useStatus: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  isExpired: z.boolean(),
  /** Being set up or extended. */
  isPending: z.boolean(),
  expirationTime: z.string().nullable(),
  /** YYYY.MM.DD, or '-'. */
  expireDate: z.string(),
  remainDay: z.number(),
  /** Package number; null if there is none. */
  shareType: z.number().nullable(),
  taskId: taskId.nullable(),
  name: z.string(),
  cnName: z.string(),
  label: z.string(),
  services: z.array(service),
  path: z.string(),
  tabKey,
  /** True if the user has never had a subscription here, trials included. */
  isPlatformNewUser: z.boolean(),
  /** True if enabled in /features.yaml. */
  isOn: z.boolean(),
  /** True if it has a voice room. */
  hasVoiceRoom: z.boolean(),
})
export type FlexUse = z.output<typeof useRow>

const priceRow = z.object({
  id: z.number(),
  name: z.string(),
  tabKey,
  trial: z.boolean(),
  /** 0 day, 1 month, 2 quarter. */
  period: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  days: z.number(),
  services: z.array(service),
  platformIds: z.array(platformId),
  /** Messages per three hours, minimum and maximum, by platform. */
  messages: z.array(z.object({ platformId, least: z.number(), most: z.number() })),
  price: usdText,
  /** Discount of the code; '0' without a code. */
  discount: usdText,
  total: usdText,
  /** Packages that it extends; empty if it is not an extension. */
  extends: z.array(z.number()),
  /** Free seats: none, few (under ten) or enough. */
  seats: z.enum(['none', 'few', 'enough']),
})
export type FlexPrice = z.output<typeof priceRow>

/** Shared subscriptions. Paths: product.md 2.7. */
export const flexContract = defineContract({ ...serviceErrors, ...flexErrors })({
  shareUseInfo: {
    method: 'GET',
    path: '/v1/tool/openaiPlus/shareUseInfo',
    access: 'user',
    summary: 'The user’s packages on each platform, and when they end',
    input: z.object({}),
    reply: z.object({
      rowList: z.array(useRow),
      /** Flags for menus and landing pages. */
      flags: z.object({ hasSubscribedUser: z.boolean(), flex: z.boolean(), apiFlex: z.boolean() }),
    }),
    errors: [],
  },
  shareWindows: {
    method: 'GET',
    path: '/v1/tool/openaiPlus/windows',
    access: 'user',
    summary: 'Messages used and left in the three hours that run, by service; null where the supplier does not say',
    input: z.object({ platform }),
    reply: z.object({
      rowList: z.array(z.object({ service, used: z.number(), allowed: z.number(), resetTime: z.string().nullable() })).nullable(),
    }),
    errors: ['FLEX_NOT_IN_USE'],
  },
  getPrice: {
    method: 'GET',
    path: '/v1/tool/openaiPlus/getPrice',
    access: 'public',
    summary: 'Every package with its price, less what an invitation code takes off',
    input: z.object({ inviteCode: code.default('') }),
    reply: z.object({
      rowList: z.array(priceRow),
      /** False: only trials are available now. */
      isFullBuying: z.boolean(),
      /** Result of the code; empty without one. */
      code: z.enum(['', 'taken', 'unknown', 'used']),
      /** Price of the same products at their vendors. */
      compared: z.object({ official: usdText, activation: usdText, messages: z.number() }),
    }),
    errors: [],
  },
  applySharePlus: {
    method: 'POST',
    path: '/v1/tool/openaiPlus/applySharePlus',
    access: 'user',
    summary: 'Orders a package: a trial begins at once, anything else answers what is to be paid',
    idempotency: 'optional',
    input: z.object({ packageId: z.number().int().min(1).max(99), inviteCode: code.default('') }),
    reply: z.object({ taskId, pay: z.object({ orderType: z.number(), amount: usdText, service: taskId }).nullable() }),
    errors: [
      ...(['SERVICE_UNKNOWN', 'SERVICE_PAUSED', 'SERVICE_TOO_MANY', 'FLEX_SOLD_OUT', 'FLEX_OTHER_PACKAGE'] as const),
      ...(['FLEX_TRIAL_USED', 'FLEX_TRIALS_OVER', 'FLEX_NOT_IN_USE', 'FLEX_CODE_UNKNOWN', 'FLEX_CODE_USED'] as const),
      ...(['SERVICE_TRIAL_UNPAID', 'SERVICE_TRIAL_HAD', 'SERVICE_TRIAL_NETWORK', 'SERVICE_TRIAL_DEBT'] as const),
    ],
  },
  applyExtension: {
    method: 'POST',
    path: '/v1/tool/openaiPlus/applyExtension',
    access: 'user',
    summary: 'Ten days more for what is in use on a platform, where its kind has an extension',
    idempotency: 'optional',
    input: z.object({ platform: platformId }),
    reply: z.object({ taskId, pay: z.object({ orderType: z.number(), amount: usdText, service: taskId }).nullable() }),
    errors: [
      'SERVICE_UNKNOWN',
      'SERVICE_PAUSED',
      'SERVICE_TOO_MANY',
      'FLEX_NOT_IN_USE',
      'FLEX_NO_EXTENSION',
      'FLEX_SOLD_OUT',
      'FLEX_OTHER_PACKAGE',
      'FLEX_TRIAL_USED',
      'FLEX_TRIALS_OVER',
    ],
  },
  shareUrl: {
    method: 'GET',
    path: '/v1/tool/openaiPlus/shareUrl',
    access: 'user',
    summary: 'The address at which the shared account of a platform is entered; good once, for a minute',
    input: z.object({ platform, service: service.optional() }),
    reply: z.object({ shareUrl: z.string(), chatSecret: z.string(), service, hostDigits: z.boolean(), expiresTime: z.string() }),
    errors: ['FLEX_NOT_IN_USE', 'FLEX_SUPPLIER_AWAY', 'SERVICE_PAUSED'],
  },
  shareTrialUrl: {
    method: 'GET',
    path: '/v1/tool/openaiPlus/shareTrialUrl',
    access: 'user',
    summary: 'The same for a trial alone',
    input: z.object({ platform, service: service.optional() }),
    reply: z.object({ shareUrl: z.string(), chatSecret: z.string(), service, hostDigits: z.boolean(), expiresTime: z.string() }),
    errors: ['FLEX_NOT_IN_USE', 'FLEX_SUPPLIER_AWAY', 'SERVICE_PAUSED'],
  },
  flexRecords: {
    method: 'GET',
    path: '/v1/tool/openaiPlus/pageList',
    access: 'user',
    summary: 'Orders of the user, newest first',
    input: pageInput,
    reply: definePage(serviceTask.extend({ packageId: z.number() })),
    errors: [],
  },
  livekitToken: {
    method: 'GET',
    path: '/v1/tool/openaiPlus/livekitToken',
    access: 'user',
    summary: 'A token for the voice room of a ChatGPT subscription, for ten minutes: at a LiveKit server, or in a room of our own',
    input: z.object({}),
    reply: z.object({ kind: z.enum(['livekit', 'room']), url: z.string(), token: z.string(), room: z.string(), identity: z.string(), expiresTime: z.string() }),
    errors: ['FLEX_NOT_IN_USE', 'FLEX_VOICE_OFF', 'SERVICE_PAUSED'],
  },
})
