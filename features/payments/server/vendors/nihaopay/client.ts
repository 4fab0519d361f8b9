import { z } from 'zod'
import { sendOutgoingRequest } from '#platform/server/http/http-client.ts'
import { failedReplyError } from '#platform/shared/suppliers/supplier-error.ts'
import type { ChannelTools } from '../port.ts'
import type { NihaopayAccount } from './config.ts'

const DEADLINE_MS = 10_000
const failure = z.object({ code: z.number().int(), label: z.string(), message: z.string().optional() })

/** Response data, or the vendor's `code-label` error. */
export type NihaopayAnswer = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly code: string }

/** Sends one request with the bearer token. Throws on a 5xx, a 429 and a body that is not JSON, because the request may have taken effect. */
export async function callNihaopay(
  account: NihaopayAccount,
  tools: ChannelTools,
  { method, path, fields }: { readonly method: 'GET' | 'POST'; readonly path: string; readonly fields?: Readonly<Record<string, string>> },
): Promise<NihaopayAnswer> {
  const reply = await sendOutgoingRequest(tools.fetch, {
    method,
    url: `${account.baseUrl}/v1.2${path}`,
    headers: {
      authorization: `Bearer ${account.tokens[0]}`,
      accept: 'application/json',
      ...(fields ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    deadlineMs: DEADLINE_MS,
    ...(fields ? { body: new URLSearchParams(fields).toString() } : {}),
  })
  const writes = method === 'POST'
  const failedWith = (status: number, said: string) => failedReplyError({ status, said: `NihaoPay ${said}`, writes, retryAfter: reply.header('retry-after') })
  if (reply.status >= 500 || reply.status === 429) throw failedWith(reply.status, '')
  const data = parseJsonBody(reply.body)
  if (data === undefined) throw failedWith(reply.status, 'without JSON')
  const failed = failure.safeParse(data).data
  if (failed) {
    if (failed.code >= 500 || failed.code === 429) throw failedWith(failed.code, failed.label)
    return { ok: false, code: `${failed.code}-${failed.label}` }
  }
  if (reply.status !== 200) throw failedWith(reply.status, 'without a label')
  return { ok: true, data }
}

function parseJsonBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** References: letters and digits, at most 30. */
export const toNihaopayReference = (tradeNo: string) => tradeNo.replaceAll('-', '')
/** Reverse mapping: eight digits of the date, twelve characters, the method. */
export const fromNihaopayReference = (reference: string) => reference.replace(/^(\d{8})([0-9A-Z]{12})([0-9A-Z]{1,10})$/, '$1-$2-$3')
