import { z } from 'zod'
import { callOut } from '#platform/server/http/http-client.ts'
import type { OutReply } from '#platform/server/http/http-client.ts'
import { failedReply, unreadable } from '#platform/shared/supplier-error.ts'
import type { ChannelTools } from '../port.ts'
import type { KeyRing } from './certificates.ts'
import type { Account } from './config.ts'
import { authorization, isSigned } from './envelope.ts'

const DEADLINE_MS = 8000

export interface Merchant {
  readonly account: Account
  readonly ring: KeyRing
}

/** A verified answer: what it holds, or the vendor's error code. */
export type Answer = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly status: number; readonly code: string }

const refusal = z.object({ code: z.string().max(64) })

/**
 * Sends one signed request. A success needs the platform's signature over its bytes; a refusal may come unsigned (the vendor signs
 * only what it could verify), but never with a wrong signature. Throws whenever the request may have taken effect.
 */
export async function ask({ account, ring }: Merchant, tools: ChannelTools, method: 'GET' | 'POST', path: string, content?: object): Promise<Answer> {
  const body = content ? JSON.stringify(content) : ''
  const [publicKeyId] = account.publicKeys.keys()
  const reply = await callOut(tools.fetch, {
    method,
    url: account.baseUrl + path,
    headers: {
      'authorization': authorization(account, tools.now(), method, path, body),
      'accept': 'application/json',
      'user-agent': 'mingxi',
      ...(content ? { 'content-type': 'application/json' } : {}),
      // Names the key that we want the answer signed with: https://pay.weixin.qq.com/doc/v3/merchant/4012154180
      ...(publicKeyId ? { 'wechatpay-serial': publicKeyId } : {}),
    },
    deadlineMs: DEADLINE_MS,
    ...(content ? { body } : {}),
  })
  const writes = method === 'POST'
  if (reply.status >= 500 || reply.status === 429)
    throw failedReply({ status: reply.status, writes, retryAfter: reply.header('retry-after'), said: 'WeChat Pay' })
  const mayBeUnsigned = reply.status >= 400 && !reply.header('wechatpay-signature')
  if (!mayBeUnsigned && !(await isSigned((serial) => ring.keyOf(tools, serial), tools.now(), reply)))
    throw unreadable(writes, `WeChat Pay answered ${reply.status} without a valid signature`)
  if (reply.status === 204) return { ok: true, data: {} }
  const data = json(reply, writes)
  if (reply.status === 200) return { ok: true, data }
  const code = refusal.safeParse(data).data?.code
  if (!code) throw failedReply({ status: reply.status, writes, said: 'WeChat Pay, without a code' })
  return { ok: false, status: reply.status, code }
}

/** Downloads have a signed request, and an unsigned answer whose hash came signed before. */
export async function download({ account }: Merchant, tools: ChannelTools, url: string): Promise<Buffer> {
  const { pathname, search } = new URL(url)
  const reply = await callOut(tools.fetch, {
    method: 'GET',
    url,
    headers: { 'authorization': authorization(account, tools.now(), 'GET', pathname + search, ''), 'accept': 'application/json', 'user-agent': 'mingxi' },
    deadlineMs: 60_000,
    maxBytes: 200_000_000,
  })
  if (reply.status !== 200) throw new Error(`WeChat Pay's bill: HTTP ${reply.status}`)
  return reply.body
}

function json(reply: OutReply, writes: boolean): unknown {
  try {
    return JSON.parse(reply.body.toString('utf8'))
  } catch {
    throw failedReply({ status: reply.status, writes, said: 'WeChat Pay, without JSON' })
  }
}
