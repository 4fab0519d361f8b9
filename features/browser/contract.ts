import { z } from 'zod'
import { defineContract, emptyReply, usdAmount, usdText } from '#platform/shared/contract.ts'
import { serviceTask, taskId } from '#features/services/contract.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { browserErrors } from './errors.ts'

export const browserAllErrors = { ...serviceErrors, ...browserErrors }

const count = z.number().int()
const file = z.object({ url: z.string(), sha256: z.string(), version: z.string(), bytes: count })
const kind = z.enum(['trial', 'package', 'single'])
const begun = z.object({ task: serviceTask, pay: z.object({ orderType: count, amount: usdText, service: z.string() }).nullable() })

export const packageInfo = z.object({
  isOffered: z.boolean(),
  files: z.object({ windows: file.nullable(), macos: file.nullable() }),
  /** The current use. */
  kind: z.enum(['none', 'trial', 'package', 'single']),
  startedTime: z.string().nullable(),
  expiryDate: z.string().nullable(),
  /** Remaining time in seconds. */
  remainingTime: count,
  /** While nothing is in use: the task waiting to begin, or the end of the newest one. */
  last: z.object({ kind, state: z.enum(['making', 'ended', 'failed']), time: z.string(), amount: usdText }).nullable(),
  trial: z.object({ days: count, isLeft: z.boolean() }),
  package: z.object({ days: count, price: usdText }),
  /** Creation and last use of the client's token; null without a token, or if it was never used. */
  tokenTime: z.string().nullable(),
  usedTime: z.string().nullable(),
})
export type PackageInfo = z.output<typeof packageInfo>

/** An e-mail account from abroad that comes with a package and is created by an operator. */
export const overseaAccount = z.object({
  id: taskId,
  orderNo: z.string(),
  state: z.string(),
  stateName: z.string(),
  cause: z.string(),
  address: z.string(),
  createdTime: z.string(),
  finishedTime: z.string().nullable(),
})
export type OverseaAccount = z.output<typeof overseaAccount>

/** Price shown on the page; nothing begins if it has changed since. */
const seen = usdAmount
const token = z.string().regex(/^[0-9A-Za-z_-]{43}$/)

export const browserContract = defineContract(browserAllErrors)({
  packageUseInfo: {
    method: 'GET',
    path: '/v1/tool/proxy/browser/packageUseInfo',
    access: 'user',
    summary: 'The accelerated browser: whether it is offered, its files, the package in use and its end',
    input: emptyReply,
    reply: packageInfo,
    errors: [],
  },
  activateTrial: {
    method: 'POST',
    path: '/v1/tool/proxy/browser/activateTrial',
    access: 'user',
    summary: 'Begins the free trial, once a person; so many a day in all',
    input: emptyReply,
    reply: begun,
    errors: [
      'BROWSER_NOT_OFFERED',
      'BROWSER_TRIAL_USED',
      'BROWSER_TRIALS_OVER',
      'SERVICE_PAUSED',
      'SERVICE_TRIAL_UNPAID',
      'SERVICE_TRIAL_HAD',
      'SERVICE_TRIAL_NETWORK',
      'SERVICE_TRIAL_DEBT',
    ],
  },
  packageApply: {
    method: 'POST',
    path: '/v1/tool/proxy/browser/apply',
    access: 'user',
    summary: 'A package: what to pay for. Bought while one is in use, its days join that one’s end',
    idempotency: 'required',
    input: z.object({ amount: seen.optional() }),
    reply: begun,
    errors: ['BROWSER_NOT_OFFERED', 'BROWSER_PRICE_CHANGED', 'SERVICE_PAUSED', 'SERVICE_TOO_MANY'],
  },
  singleUseInfo: {
    method: 'GET',
    path: '/v1/tool/proxy/browser/singleUseInfo',
    access: 'user',
    summary: 'Price of one day',
    input: emptyReply,
    reply: z.object({ isOffered: z.boolean(), price: usdText, hours: count }),
    errors: [],
  },
  singleUseApply: {
    method: 'POST',
    path: '/v1/tool/proxy/browser/singleUseApply',
    access: 'user',
    summary: 'One day: what to pay for',
    idempotency: 'required',
    input: z.object({ amount: seen.optional() }),
    reply: begun,
    errors: ['BROWSER_NOT_OFFERED', 'BROWSER_PRICE_CHANGED', 'SERVICE_PAUSED', 'SERVICE_TOO_MANY'],
  },
  authToken: {
    method: 'POST',
    path: '/v1/tool/proxy/browser/authToken',
    access: 'user',
    summary: 'A token for the client, shown once; the one before is void',
    input: emptyReply,
    reply: z.object({ token, expiresTime: z.string() }),
    errors: ['BROWSER_NOT_LIVE'],
  },
  browserSession: {
    method: 'POST',
    path: '/v1/tool/proxy/browser/session',
    access: 'public',
    summary: 'The client trades its token for credentials at the proxy; those it had before are void. Asked again before they end',
    input: z.object({ token }),
    reply: z.object({
      scheme: z.enum(['http', 'https']),
      host: z.string(),
      port: count,
      username: z.string(),
      password: z.string(),
      expiresTime: z.string(),
      /** Seconds after which the client renews. */
      renewAfter: count,
    }),
    errors: ['BROWSER_TOKEN_WRONG', 'BROWSER_NOT_LIVE'],
  },
  listOverseaAccount: {
    method: 'GET',
    path: '/v1/tool/overseaAccount/listOverseaAccount',
    access: 'user',
    summary: 'E-mail accounts that came with packages, newest first',
    input: emptyReply,
    reply: z.object({ rowList: z.array(overseaAccount) }),
    errors: [],
  },
  accountStatus: {
    method: 'GET',
    path: '/v1/tool/overseaAccount/accountStatus',
    access: 'user',
    summary: 'One of them by its number',
    input: z.object({ orderNo: taskId }),
    reply: overseaAccount,
    errors: [],
  },
  fastemailAvailable: {
    method: 'GET',
    path: '/v1/tool/overseaAccount/fastemail/available',
    access: 'user',
    summary: 'How many come with what is in use, and how many of them are left',
    input: emptyReply,
    reply: z.object({ allowed: count, left: count, isLive: z.boolean() }),
    errors: [],
  },
  fastemailApply: {
    method: 'POST',
    path: '/v1/tool/overseaAccount/fastemail/apply',
    access: 'user',
    summary: 'Asks for one; a person at the desk makes it. One at a time',
    input: emptyReply,
    reply: overseaAccount,
    errors: ['BROWSER_NOT_LIVE', 'BROWSER_NO_ACCOUNT_LEFT', 'SERVICE_PAUSED', 'SERVICE_TOO_MANY'],
  },
  latestOverseaAccount: {
    method: 'GET',
    path: '/v1/tool/overseaAccount/latest',
    access: 'user',
    summary: 'The newest of them',
    input: emptyReply,
    reply: z.object({ account: overseaAccount.nullable() }),
    errors: [],
  },
  reprocess: {
    method: 'POST',
    path: '/v1/tool/overseaAccount/reprocess',
    access: 'user',
    summary: 'One that failed is made again, free. One at a time',
    input: z.object({ id: taskId }),
    reply: overseaAccount,
    errors: ['BROWSER_NOT_LIVE', 'BROWSER_ACCOUNT_GOES_ON', 'BROWSER_NO_ACCOUNT_LEFT', 'SERVICE_PAUSED', 'SERVICE_TOO_MANY'],
  },
})
