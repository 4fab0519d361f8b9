import { z } from 'zod'
import { sendOutgoingRequest } from '#platform/server/http/http-client.ts'
import type { OutgoingReply } from '#platform/server/http/http-client.ts'
import { failedReplyError, unreadableError } from '#platform/shared/suppliers/supplier-error.ts'
import type { ChannelTools } from '../port.ts'
import type { KeyRing } from './certificates.ts'
import type { WechatPayAccount } from './config.ts'
import { buildWechatPayAuthorization, isSignedByWechatPay } from './envelope.ts'

const DEADLINE_MS = 8000

export interface WechatPayMerchant {
  readonly account: WechatPayAccount
  readonly ring: KeyRing
}

/** A verified response: its content, or the vendor's error code. */
export type WechatPayAnswer = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly status: number; readonly code: string }

const refusal = z.object({ code: z.string().max(64) })

/**
 * Sends one signed request. A success needs the platform's signature over its bytes; a refusal may be unsigned (the vendor signs only
 * requests that it could verify), but must not carry a wrong signature. Throws whenever the request may have taken effect.
 */
export async function callWechatPay(
  { account, ring }: WechatPayMerchant,
  tools: ChannelTools,
  { method, path, content }: { readonly method: 'GET' | 'POST'; readonly path: string; readonly content?: object },
): Promise<WechatPayAnswer> {
  const body = content ? JSON.stringify(content) : ''
  const [publicKeyId] = account.publicKeys.keys()
  const reply = await sendOutgoingRequest(tools.fetch, {
    method,
    url: account.baseUrl + path,
    headers: {
      'authorization': buildWechatPayAuthorization(account, tools.now(), { method, path, body }),
      'accept': 'application/json',
      'user-agent': 'mingxi',
      ...(content ? { 'content-type': 'application/json' } : {}),
      // Names the key that the response should be signed with: https://pay.weixin.qq.com/doc/v3/merchant/4012154180
      ...(publicKeyId ? { 'wechatpay-serial': publicKeyId } : {}),
    },
    deadlineMs: DEADLINE_MS,
    ...(content ? { body } : {}),
  })
  const writes = method === 'POST'
  if (reply.status >= 500 || reply.status === 429)
    throw failedReplyError({ status: reply.status, writes, retryAfter: reply.header('retry-after'), said: 'WeChat Pay' })
  const mayBeUnsigned = reply.status >= 400 && !reply.header('wechatpay-signature')
  if (!mayBeUnsigned && !(await isSignedByWechatPay((serial) => ring.keyOf(tools, serial), tools.now(), reply)))
    throw unreadableError(writes, `WeChat Pay answered ${reply.status} without a valid signature`)
  if (reply.status === 204) return { ok: true, data: {} }
  const data = parseReply(reply, writes)
  if (reply.status === 200) return { ok: true, data }
  const code = refusal.safeParse(data).data?.code
  if (!code) throw failedReplyError({ status: reply.status, writes, said: 'WeChat Pay, without a code' })
  return { ok: false, status: reply.status, code }
}

/** Downloads have a signed request and an unsigned response, whose hash was signed before. */
export async function downloadWechatPayFile({ account }: WechatPayMerchant, tools: ChannelTools, url: string): Promise<Buffer> {
  const { pathname, search } = new URL(url)
  const reply = await sendOutgoingRequest(tools.fetch, {
    method: 'GET',
    url,
    headers: {
      'authorization': buildWechatPayAuthorization(account, tools.now(), { method: 'GET', path: pathname + search, body: '' }),
      'accept': 'application/json',
      'user-agent': 'mingxi',
    },
    deadlineMs: 60_000,
    maxBytes: 200_000_000,
  })
  if (reply.status !== 200) throw new Error(`WeChat Pay's bill: HTTP ${reply.status}`)
  return reply.body
}

function parseReply(reply: OutgoingReply, writes: boolean): unknown {
  try {
    return JSON.parse(reply.body.toString('utf8'))
  } catch {
    throw failedReplyError({ status: reply.status, writes, said: 'WeChat Pay, without JSON' })
  }
}
