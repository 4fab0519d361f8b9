import { z } from 'zod'
import { wasNeverSent, retryableError, unknownError } from '#platform/shared/suppliers/supplier-error.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import type { ChannelTools } from '../port.ts'
import type { AlipayAccount } from './config.ts'

/** Overall deadline of a call; the SDK's own timeouts restart with each chunk of a response. */
const DEADLINE_MS = 10_000

/** A verified response: `data` as the vendor wrote it, or its error code. */
export type AlipayAnswer = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly code: string }

const outcome = z.object({ code: z.string(), sub_code: z.string().optional() })

/**
 * Makes one call through the vendor's SDK, which signs it and verifies the response. SDK errors carry the whole response and request, so
 * only our own messages are thrown (S6).
 */
export async function callAlipayGateway(
  account: AlipayAccount,
  tools: ChannelTools,
  { method, bizContent, notifyUrl }: { readonly method: string; readonly bizContent: Record<string, unknown>; readonly notifyUrl?: string },
): Promise<AlipayAnswer> {
  const fields = { bizContent, timestamp: toShanghaiTime(tools.now()), ...(notifyUrl ? { notifyUrl } : {}) }
  const sent = account.sdks[0].exec(method, fields, { validateSign: true }).catch((error: unknown) => verifyWithOtherKey(account, method, error))
  const data: unknown = await withDeadline(sent, method)
  const { code, sub_code: subCode } = outcome.parse(data)
  if (code === '10000') return { ok: true, data }
  // 20000: the service is unavailable; 10003: the payment is in progress.
  if (code === '20000' || code === '10003' || !subCode || /SYSTEM_ERROR|unknow-error|UNKNOWN/i.test(subCode))
    throw isReadOnlyMethod(method)
      ? retryableError('supplier_fault', `Alipay is not sure about ${method}: ${subCode ?? code}`)
      : unknownError('supplier_fault', `Alipay is not sure about ${method}: ${subCode ?? code}`)
  return { ok: false, code: subCode }
}

/** While Alipay rotates its key, a response may be signed by the other one; the SDK holds one key, and its error holds the response. */
function verifyWithOtherKey({ sdks }: AlipayAccount, method: string, error: unknown): unknown {
  const { responseDataRaw: raw } = error as { responseDataRaw?: unknown }
  if (typeof raw !== 'string') throw error
  const name = `${method.replaceAll('.', '_')}_response`
  for (const sdk of sdks.slice(1)) {
    try {
      const whole = JSON.parse(raw) as Record<string, unknown>
      sdk.checkResponseSign(raw, name, whole['sign'] as string, '')
      return whole[name]
    } catch {
      continue
    }
  }
  throw error
}

async function withDeadline<T>(work: Promise<T>, method: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          isReadOnlyMethod(method)
            ? retryableError('no_answer', `Alipay did not answer ${method} in time`)
            : unknownError('no_answer', `Alipay did not answer ${method} in time`),
        ),
      DEADLINE_MS,
    )
  })
  try {
    return await Promise.race([
      work.catch((error: unknown) => {
        const said = `Alipay could not be asked: ${method}, ${classifyError(error)}`
        const isBusy = /status: 429/.test((error as Error).message)
        throw wasNeverSent(error) || isBusy || isReadOnlyMethod(method) ? retryableError('no_connection', said) : unknownError('connection_lost', said)
      }),
      late,
    ])
  } finally {
    clearTimeout(timer)
  }
}

/** Read-only methods, safe to retry after a lost response. */
const isReadOnlyMethod = (method: string) => /\.query$|downloadurl\.query/.test(method)

/** HTTP status, a network code, or nothing: the SDK's own message may repeat the request. */
function classifyError(error: unknown): string {
  const { message = '', responseDataRaw, cause } = error as { message?: string; responseDataRaw?: unknown; cause?: { code?: unknown; name?: string } }
  const status = /status: (\d{3})/.exec(message)?.[1]
  if (status) return `HTTP ${status}`
  if (responseDataRaw !== undefined) return 'the answer is not signed or not readable'
  return typeof cause?.code === 'string' ? cause.code : (cause?.name ?? 'no answer')
}

/** Alipay accepts digits, letters and underscores; our numbers have hyphens and no underscore. */
export const toAlipayTradeNo = (tradeNo: string) => tradeNo.replaceAll('-', '_')
export const fromAlipayTradeNo = (outTradeNo: string) => outTradeNo.replaceAll('_', '-')

/** An agreement's number may have letters and digits only: ours goes without its hyphen, `A20261121-…`. AlipayUserAgreementPageSignModel */
export const toAlipayAgreementNo = (agreementNo: string) => agreementNo.replaceAll('-', '')
/** Reverse mapping: the letter and the date, then twelve characters. */
export const fromAlipayAgreementNo = (number: string) => number.replace(/^(A\d{8})([0-9A-Z]{12})$/, '$1-$2')

const MAX_SUBJECT = 256
/** A subject may not contain / = & or have more than 256 characters: https://docs.open.alipay.com/api_1/alipay.trade.page.pay */
export const toAlipaySubject = (subject: string) => [...subject.replaceAll(/[/=&]/g, ' ')].slice(0, MAX_SUBJECT).join('')
