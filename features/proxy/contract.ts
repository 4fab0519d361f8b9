import { z } from 'zod'
import { defineContract, fileReply, emptyReply, pageInput, definePage, usdText } from '#platform/shared/contract.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { serviceTask } from '#features/services/contract.ts'
import { proxyErrors } from './errors.ts'

export const proxyAllErrors = { ...serviceErrors, ...proxyErrors }

const exitId = z.string().regex(/^[a-z0-9-]{2,32}$/)
const bytes = z.number().int().min(0)

/** The use in progress with its credentials; only for its owner. */
export const proxyAccount = z.object({
  id: z.string(),
  username: z.string(),
  password: z.string(),
  scheme: z.enum(['http', 'https']),
  host: z.string(),
  port: z.number().int(),
  exit: z.object({ id: z.string(), name: z.string() }),
  startedTime: z.string(),
  expiresTime: z.string(),
  /** Remaining time in seconds. */
  remainingTime: z.number().int(),
  upBytes: bytes,
  downBytes: bytes,
  /** Traffic limit in bytes. */
  allowedBytes: bytes,
  tunnels: bytes,
  refused: bytes,
})
export type ProxyAccount = z.output<typeof proxyAccount>

export const proxyStat = z.object({
  price: usdText,
  minutes: z.number().int(),
  /** Free uses. */
  allowed: z.number().int(),
  used: z.number().int(),
  remainingCount: z.number().int(),
  isServed: z.boolean(),
  exits: z.array(z.object({ id: z.string(), name: z.string() })),
  limits: z.object({ tunnels: z.number().int(), megabits: z.number(), megabytes: z.number().int() }),
})
export type ProxyStat = z.output<typeof proxyStat>

export const proxyUse = z.object({
  id: z.string(),
  /** Id of the services task. */
  taskId: z.string(),
  exit: z.string(),
  startedTime: z.string(),
  endedTime: z.string(),
  isLive: z.boolean(),
  upBytes: bytes,
  downBytes: bytes,
  tunnels: bytes,
  refused: bytes,
})
export type ProxyUse = z.output<typeof proxyUse>

export const extensionRow = z.object({ id: z.string(), name: z.string(), createdTime: z.string(), seenTime: z.string() })

const extensionToken = z.string().regex(/^[0-9A-Za-z_-]{43}$/)

export const proxyContract = defineContract(proxyAllErrors)({
  proxyStat: {
    method: 'GET',
    path: '/v1/tool/reward/proxyStat',
    access: 'user',
    summary: 'Price and length of a use of the proxy, free uses left, exits and limits',
    input: emptyReply,
    reply: proxyStat,
    errors: [],
  },
  proxyApply: {
    method: 'POST',
    path: '/v1/tool/reward/proxy/apply',
    access: 'user',
    summary: 'A new password, good for the whole time again; what was open ends. Free at once, else what to pay for',
    idempotency: 'required',
    input: z.object({ exit: exitId.optional() }),
    reply: z.object({ task: serviceTask, pay: z.object({ orderType: z.number().int(), amount: usdText, service: z.string() }).nullable() }),
    errors: ['PROXY_DOWN', 'PROXY_EXIT_UNKNOWN', 'SERVICE_PAUSED', 'SERVICE_TOO_MANY'],
  },
  proxyAvailable: {
    method: 'GET',
    path: '/v1/tool/reward/proxy/available',
    access: 'user',
    // Holds the password: an operator who views the account does not see it
    inPerson: true,
    summary: 'The use in progress, with its password and traffic; null without one',
    input: emptyReply,
    reply: z.object({ account: proxyAccount.nullable() }),
    errors: [],
  },
  proxyEnd: {
    method: 'POST',
    path: '/v1/tool/reward/proxy/end',
    access: 'user',
    summary: 'Ends the use in progress; open tunnels are cut, the price stays charged',
    input: emptyReply,
    reply: emptyReply,
    errors: ['PROXY_NOT_LIVE'],
  },
  proxyUses: {
    method: 'GET',
    path: '/v1/tool/reward/proxy/pageList',
    access: 'user',
    summary: 'Uses of the proxy, newest first, with their traffic; never where it went',
    input: pageInput,
    reply: definePage(proxyUse),
    errors: [],
  },
  switchyOmega: {
    method: 'POST',
    path: '/common/switchyOmega',
    access: 'user',
    summary: 'A settings file for SwitchyOmega and its successors, with what is in use now',
    input: emptyReply,
    reply: fileReply,
    errors: ['PROXY_NOT_LIVE'],
  },
  extensionCode: {
    method: 'POST',
    path: '/v1/tool/proxy/extension/code',
    access: 'user',
    summary: 'A code that signs the browser extension in, once; the one before it is void',
    input: emptyReply,
    reply: z.object({ code: z.string(), expiresTime: z.string() }),
    errors: [],
  },
  extensionList: {
    method: 'GET',
    path: '/v1/tool/proxy/extension/list',
    access: 'user',
    summary: 'Browsers whose extension is signed in',
    input: emptyReply,
    reply: z.object({ rowList: z.array(extensionRow) }),
    errors: [],
  },
  extensionRemove: {
    method: 'POST',
    path: '/v1/tool/proxy/extension/remove',
    access: 'user',
    summary: 'Signs one of them out',
    input: z.object({ id: z.string().regex(/^ext_[0-9a-z]{16}$/) }),
    reply: emptyReply,
    errors: [],
  },
  extensionLink: {
    method: 'POST',
    path: '/v1/tool/proxy/extension/link',
    access: 'public',
    summary: 'The extension trades a code for a token of its own, which opens nothing but `extensionState`',
    input: z.object({
      code: z
        .string()
        .trim()
        .toUpperCase()
        .regex(/^[0-9A-Z]{8}$/),
      name: z.string().trim().min(1).max(60),
    }),
    reply: z.object({ token: extensionToken }),
    errors: ['PROXY_CODE_WRONG'],
  },
  extensionState: {
    method: 'POST',
    path: '/v1/tool/proxy/extension/state',
    access: 'public',
    summary: 'The use in progress, for a signed-in extension: credentials, time, traffic',
    input: z.object({ token: extensionToken }),
    reply: z.object({ account: proxyAccount.nullable() }),
    errors: ['PROXY_EXTENSION_OUT'],
  },
})
