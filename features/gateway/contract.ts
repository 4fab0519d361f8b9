import { z } from 'zod'
import { defineContract, nothing, pageInput, pageOf, usdText } from '#platform/shared/contract.ts'
import { defineErrors } from '#platform/shared/errors.ts'
import { keyLimits, keyLimitsShown, keyUse } from './contract-limits.ts'

export const gatewayErrors = defineErrors({
  KEY_NEEDS_BALANCE: { code: 3201, status: 200 },
  KEY_NOT_FOUND: { code: 3202, status: 200 },
  KEY_CREATE_OFF: { code: 3203, status: 200 },
  KEY_CHANGE_OFF: { code: 3204, status: 200 },
  KEY_DELETE_OFF: { code: 3205, status: 200 },
  KEY_TOO_MANY: { code: 3206, status: 200 },
  KEY_REQUEST_USED: { code: 3207, status: 200 },
  CALL_NOT_FOUND: { code: 3208, status: 200 },
  KEY_EXPIRY_PAST: { code: 3209, status: 200 },
  KEY_MODEL_UNKNOWN: { code: 3210, status: 200 },
})

/** What a person calls a key: 1 to 50 characters, none of them a control character. */
export const keyName = z
  .string()
  .trim()
  .min(1)
  .max(50)
  .regex(/^\P{Cc}*$/u)
/** The full secret or the keyId (decisions, "The model API"). */
const keyRef = z
  .object({ apiToken: z.string().max(120).optional(), keyId: z.string().max(60).optional() })
  .refine((sent) => Boolean(sent.apiToken ?? sent.keyId), { path: ['keyId'] })

const keyRow = z.object({
  keyId: z.string(),
  keyName: z.string(),
  /** Masked: first two characters, dots, last four. */
  apiToken: z.string(),
  createdAt: z.string(),
  lastUseAt: z.string().nullable(),
  status: z.enum(['active', 'deleted']),
  /** Null where nothing is limited. */
  limits: keyLimitsShown.nullable(),
  use: keyUse,
})
export type KeyRow = z.output<typeof keyRow>

const usageRow = z.object({
  statDate: z.string(),
  modelValue: z.string(),
  vendor: z.string(),
  callNum: z.number(),
  totalTokens: z.number(),
  consumeAmount: usdText,
})
export type UsageRow = z.output<typeof usageRow>

const outcome = z.enum(['completed', 'client_gone', 'upstream_failed', 'upstream_cut'])
const provenance = z.enum(['upstream', 'upstream_partial', 'estimated'])
const callRow = z.object({
  callId: z.string(),
  startedAt: z.string(),
  model: z.string(),
  vendor: z.string(),
  keyId: z.string(),
  keyName: z.string(),
  status: z.number(),
  outcome,
  provenance,
  inputTokens: z.number(),
  cachedTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number(),
  totalMs: z.number(),
  amount: usdText,
})
export type CallRow = z.output<typeof callRow>

const lineKind = z.enum([
  'input',
  'cachedInput',
  'cacheWrite5m',
  'cacheWrite1h',
  'output',
  'audioInput',
  'audioOutput',
  'imageInput',
  'reasoning',
  'call',
  'cachedAudio',
  'cachedImage',
])
export type LineKind = z.output<typeof lineKind>
const callDetail = callRow.extend({
  apiToken: z.string(),
  dialect: z.string(),
  stream: z.boolean(),
  firstByteMs: z.number(),
  requestId: z.string(),
  upstreamRequestId: z.string(),
  /** Identifies the prices that were in force when the call began, and from when. */
  priceVersion: z.number(),
  priceFrom: z.string(),
  /** tokens x unitPrice (dollars per million) = amount, each rounded up to the nano-dollar; the amounts add up to the call's. */
  lines: z.array(z.object({ kind: lineKind, tokens: z.number(), unitPrice: usdText, amount: usdText })),
})
export type CallDetail = z.output<typeof callDetail>

const priced = usdText.nullable()
const classPrices = z.object({
  input: usdText,
  cachedInput: priced,
  cacheWrite5m: priced,
  cacheWrite1h: priced,
  output: usdText,
  audioInput: priced,
  audioOutput: priced,
  imageInput: priced,
  cachedAudio: priced,
  cachedImage: priced,
})
export type ClassPriceTexts = z.output<typeof classPrices>
const tier = z.object({ usd: classPrices, cny: classPrices })
const modelRow = z.object({
  modelValue: z.string(),
  modelName: z.string(),
  vendor: z.string(),
  kind: z.enum(['chat', 'embedding', 'realtime']),
  capabilities: z.array(z.string()),
  contextTokens: z.number().nullable(),
  maxOutputTokens: z.number().nullable(),
  releasedOn: z.string().nullable(),
  lifecycle: z.enum(['active', 'deprecated', 'retired']),
  retiresOn: z.string().nullable(),
  successor: z.string().nullable(),
  aliases: z.array(z.string()),
  priceVersion: z.number(),
  priceFrom: z.string(),
  prices: tier,
  longContext: tier.extend({ aboveInputTokens: z.number() }).nullable(),
  /** What the vendor asks from a later moment on, where that is known. */
  nextPrice: tier.extend({ from: z.string() }).nullable(),
})
export type ModelRow = z.output<typeof modelRow>

export const gatewayContract = defineContract(gatewayErrors)({
  generateKey: {
    method: 'POST',
    path: '/user/key/generate',
    access: 'user',
    summary: 'Creates an API key; its secret is shown by this reply only',
    // Not `idempotency: 'required'`: that stores replies, and this one holds a secret. `requestKey` does its work instead:
    // repeated within half an hour it answers with the same key, its secret computed again (server/secret.ts).
    input: z.object({ keyName, requestKey: z.string().min(16).max(200).optional(), limits: keyLimits.optional() }),
    reply: z.object({ apiToken: z.string(), keyId: z.string(), keyName: z.string(), masked: z.string() }),
    errors: ['KEY_NEEDS_BALANCE', 'KEY_CREATE_OFF', 'KEY_TOO_MANY', 'KEY_REQUEST_USED', 'KEY_EXPIRY_PAST', 'KEY_MODEL_UNKNOWN'],
  },
  updateKey: {
    method: 'POST',
    path: '/user/key/update',
    access: 'user',
    summary: 'Renames an API key; `limits` replaces all its limits, and leaves them alone when absent. In force everywhere within a second',
    input: keyRef.safeExtend({ keyName, limits: keyLimits.optional() }),
    reply: nothing,
    errors: ['KEY_NOT_FOUND', 'KEY_CHANGE_OFF', 'KEY_EXPIRY_PAST', 'KEY_MODEL_UNKNOWN'],
  },
  deleteKey: {
    method: 'POST',
    path: '/user/key/delete',
    access: 'user',
    summary: 'Deletes an API key: refused everywhere within a second; what it used stays listed',
    input: keyRef,
    reply: nothing,
    errors: ['KEY_NOT_FOUND', 'KEY_DELETE_OFF'],
  },
  listKeys: {
    method: 'GET',
    path: '/user/key/list',
    access: 'user',
    summary: 'API keys, newest first; deleted ones too when asked',
    input: pageInput.extend({ includeDeleted: z.enum(['true', 'false']).default('false') }),
    reply: pageOf(keyRow),
    errors: [],
    timeoutMs: 0,
  },
  usage: {
    method: 'GET',
    path: '/user/usage',
    access: 'user',
    summary: 'Use by day and model: this month, or the months before',
    input: pageInput.extend({ mode: z.enum(['current', 'history']).default('current'), keyId: z.string().max(60).optional() }),
    reply: pageOf(usageRow).extend({ callNum: z.number(), totalTokens: z.number(), consumeAmount: usdText, updatedAt: z.string() }),
    errors: [],
    timeoutMs: 0,
  },
  calls: {
    method: 'GET',
    path: '/user/usage/calls',
    access: 'user',
    summary: 'Single calls, newest first; `after` is the `next` of the page before',
    input: z.object({
      keyId: z.string().max(60).optional(),
      model: z.string().max(120).optional(),
      day: z.iso.date().optional(),
      after: z.string().max(120).optional(),
      pageSize: z.coerce.number().int().min(1).max(100).default(20),
    }),
    reply: z.object({ rowList: z.array(callRow), next: z.string().nullable() }),
    errors: [],
  },
  call: {
    method: 'GET',
    path: '/user/usage/call',
    access: 'user',
    summary: 'One call as a receipt that adds up',
    input: z.object({ callId: z.string().min(1).max(80) }),
    reply: callDetail,
    errors: ['CALL_NOT_FOUND'],
  },
  usageSummary: {
    method: 'GET',
    path: '/user/usage/summary',
    access: 'user',
    summary: 'The last 30 days by vendor, how long the balance lasts, and the first steps done',
    input: z.object({}),
    reply: z.object({
      days: z.array(z.object({ statDate: z.string(), vendor: z.string(), callNum: z.number(), consumeAmount: usdText })),
      from: z.string(),
      to: z.string(),
      callNum: z.number(),
      consumeAmount: usdText,
      monthAmount: usdText,
      weekAmount: usdText,
      /** Whole days at the pace of the last seven; null when nothing was spent. */
      runwayDays: z.number().nullable(),
      hasKey: z.boolean(),
      hasCall: z.boolean(),
      firstCallAt: z.string().nullable(),
    }),
    errors: [],
  },
  modelPrice: {
    method: 'GET',
    path: '/user/model_price',
    access: 'public',
    summary: 'Models and prices per million tokens, in dollars and yuan',
    input: z.object({}),
    reply: z.object({ rate: z.string(), rowList: z.array(modelRow) }),
    errors: [],
  },
})
