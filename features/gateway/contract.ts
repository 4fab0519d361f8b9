import { z } from 'zod'
import { defineContract, emptyReply, pageInput, definePage, usdText } from '#platform/shared/contract.ts'
import { defineErrors } from '#platform/shared/errors.ts'
import { namesOf } from '#platform/shared/pick.ts'
import { stepUpErrors } from '#features/account/errors.ts'
import { keyLimits, keyLimitsView, keyUse } from './contract-limits.ts'

export const gatewayErrors = defineErrors({
  ...stepUpErrors,
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
  WEBHOOK_URL_BAD: { code: 3211, status: 200 },
  WEBHOOK_NONE: { code: 3212, status: 200 },
  KEY_ROTATING: { code: 3213, status: 200 },
  TEST_TOO_MANY: { code: 3214, status: 200 },
  /** Operators have paused the key; only they can resume it. */
  KEY_PAUSED: { code: 3215, status: 200 },
  /** Planned prices begin at least a minute from now. */
  PRICE_TOO_SOON: { code: 3230, status: 200 },
  PRICE_PLANNED: { code: 3231, status: 200 },
  /** The price is below the vendor's list price and the operator has not confirmed it; `models` lists the models. */
  PRICE_BELOW_COST: { code: 3232, status: 200 },
  PRICE_HOLDS: { code: 3233, status: 200 },
  /** Customers get `days` of notice before a price rise. */
  PRICE_NOTICE: { code: 3234, status: 200 },
  EXPORT_BUSY: { code: 3220, status: 429 },
})

/** Display name of a key: 1 to 50 characters, no control characters. */
export const keyName = z
  .string()
  .trim()
  .min(1)
  .max(50)
  .regex(/^\P{Cc}*$/u)
/** Fields that the owner writes on a key: the input of create and change, stored by `server/keys/data.ts`. */
const keyFields = z.object({ keyName })
export type KeyFields = z.output<typeof keyFields>
/** The same fields as shown: in the owner's list and export, and in the operators' tab. */
export const shownKeyFields = z.object({ keyName: z.string() } satisfies Record<keyof KeyFields, z.ZodType>)
export const KEY_FIELDS = namesOf(shownKeyFields.shape)

/** The full secret or the keyId. */
const keyRef = z
  .object({ apiToken: z.string().max(120).optional(), keyId: z.string().max(60).optional() })
  .refine((sent) => Boolean(sent.apiToken ?? sent.keyId), { path: ['keyId'] })

export const apiKeyRow = z.object({
  keyId: z.string(),
  ...shownKeyFields.shape,
  /** Masked: first two characters, dots, last four. */
  apiToken: z.string(),
  createdAt: z.string(),
  lastUseAt: z.string().nullable(),
  /** Network of the last call without the host part, and the model that it requested. */
  lastFrom: z.string().nullable(),
  lastModel: z.string().nullable(),
  lastVendor: z.string().nullable(),
  /** `paused`: by operators, and only they can resume it. */
  status: z.enum(['active', 'disabled', 'paused', 'deleted']),
  /** Time since which operators have paused the key. The reason is not shown to the owner. */
  pausedAt: z.string().nullable(),
  /** Set while the previous secret still works after a rotation. */
  rotation: z.object({ apiToken: z.string(), endsAt: z.string(), calls: z.number(), lastUseAt: z.string().nullable() }).nullable(),
  /** Null for a key without limits. */
  limits: keyLimitsView.nullable(),
  use: keyUse,
})
export type ApiKeyRow = z.output<typeof apiKeyRow>

const nullablePrice = usdText.nullable()
const classPrices = z.object({
  input: usdText,
  cachedInput: nullablePrice,
  cacheWrite5m: nullablePrice,
  cacheWrite1h: nullablePrice,
  output: usdText,
  audioInput: nullablePrice,
  audioOutput: nullablePrice,
  imageInput: nullablePrice,
  cachedAudio: nullablePrice,
  cachedImage: nullablePrice,
  imageOutput: nullablePrice.optional(),
  /** These three count characters, seconds of audio and searches, priced per million like all others. */
  characters: nullablePrice.optional(),
  seconds: nullablePrice.optional(),
  searches: nullablePrice.optional(),
  cacheWrite12h: nullablePrice.optional(),
  /** Uses of the vendor's own tools: searches, prompts, and gigabytes or seconds of a code container. */
  webSearches: nullablePrice.optional(),
  groundedPrompts: nullablePrice.optional(),
  mapPrompts: nullablePrice.optional(),
  containers: nullablePrice.optional(),
  codeSeconds: nullablePrice.optional(),
})
export type ClassPriceTexts = z.output<typeof classPrices>
const priceTier = z.object({ usd: classPrices, cny: classPrices })
const modelKind = z.enum(['chat', 'embedding', 'realtime', 'image', 'speech', 'transcription', 'moderation', 'rerank'])
export type ModelKindText = z.output<typeof modelKind>
const modelRow = z.object({
  modelValue: z.string(),
  modelName: z.string(),
  vendor: z.string(),
  kind: modelKind,
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
  prices: priceTier,
  /** Multipliers of the token prices per service tier, speed or region; absent if the model does not offer it. */
  factors: z.object({ flex: z.string(), priority: z.string(), fast: z.string(), us: z.string() }).partial().optional(),
  longContext: priceTier.extend({ aboveInputTokens: z.number() }).nullable(),
  /** Percentage of the list price that the caller has negotiated; the prices shown include it. Never in the public list. */
  percent: z.string().optional(),
  /** Announced future price of the vendor, if known. */
  nextPrice: priceTier.extend({ from: z.string() }).nullable(),
})
export type ModelRow = z.output<typeof modelRow>

export const gatewayContract = defineContract(gatewayErrors)({
  generateKey: {
    method: 'POST',
    path: '/user/key/generate',
    flag: 'createKey',
    access: 'user',
    summary: 'Creates an API key; its secret is shown by this reply only. Wants a login or step-up of the last ten minutes',
    // Not `idempotency: 'required'`: that stores replies, and this one holds a secret. `requestKey` makes it idempotent instead: a repeat
    // within half an hour returns the same key and recomputes its secret (server/keys/secret.ts).
    input: keyFields.extend({ requestKey: z.string().min(16).max(200).optional(), limits: keyLimits.optional() }),
    // both spellings, for clients that read either name
    reply: z.object({ apiToken: z.string(), api_token: z.string(), keyId: z.string(), keyName: z.string(), masked: z.string() }),
    errors: ['KEY_NEEDS_BALANCE', 'KEY_CREATE_OFF', 'KEY_TOO_MANY', 'KEY_REQUEST_USED', 'KEY_EXPIRY_PAST', 'KEY_MODEL_UNKNOWN', 'STEP_UP_REQUIRED'],
  },
  updateKey: {
    method: 'POST',
    path: '/user/key/update',
    flag: 'modifyKey',
    access: 'user',
    summary:
      'Renames an API key; `limits` replaces all its limits, and leaves them alone when absent. In force everywhere within a second; wider limits want a login or step-up of the last ten minutes',
    input: keyRef.safeExtend({ ...keyFields.shape, limits: keyLimits.optional() }),
    reply: emptyReply,
    errors: ['KEY_NOT_FOUND', 'KEY_CHANGE_OFF', 'KEY_EXPIRY_PAST', 'KEY_MODEL_UNKNOWN', 'STEP_UP_REQUIRED'],
  },
  deleteKey: {
    method: 'POST',
    path: '/user/key/delete',
    flag: 'deleteKey',
    access: 'user',
    summary: 'Deletes an API key: refused everywhere within a second; what it used stays listed',
    input: keyRef,
    reply: emptyReply,
    errors: ['KEY_NOT_FOUND', 'KEY_DELETE_OFF'],
  },
  listKeys: {
    method: 'GET',
    path: '/user/key/list',
    access: 'user',
    summary: 'API keys, newest first; deleted ones too when asked',
    input: pageInput.extend({ includeDeleted: z.enum(['true', 'false']).default('false') }),
    reply: definePage(apiKeyRow),
    errors: [],
    timeoutMs: 0,
  },
  modelPrice: {
    method: 'GET',
    path: '/user/model_price',
    access: 'public',
    summary: 'Models and prices per million tokens (or characters, seconds, searches), in dollars and yuan',
    input: z.object({}),
    /** `readOnMinutes`: how long we read an answer for its usage after its client has disconnected. */
    reply: z.object({ rate: z.string(), readOnMinutes: z.number(), rowList: z.array(modelRow) }),
    errors: [],
  },
  ownPrices: {
    ...{ method: 'GET', path: '/user/own_prices', access: 'user' },
    summary: 'Terms negotiated by the caller, as a share of the list, and the models whose prices it changes',
    input: z.object({}),
    reply: z.object({
      terms: z.array(
        z.object({
          /** Null: all models without terms for that model. */
          model: z.string().nullable(),
          percent: z.string(),
          from: z.string(),
          holds: z.boolean(),
        }),
      ),
      rowList: z.array(modelRow),
    }),
    errors: [],
  },
})
