import { createHash } from 'node:crypto'
import { isSameSecret } from '#platform/server/sealing/sign.ts'
import { readNoticeFields } from '../port.ts'
import type { ChannelNotice, RawRequest } from '../port.ts'
import { fromNihaopayReference } from './client.ts'
import type { NihaopayAccount } from './config.ts'

const md5 = (text: string) => createHash('md5').update(text, 'utf8').digest('hex')

/**
 * Form fields in name order, without empty ones, followed by the MD5 of the token. The vendor offers only MD5 and signs no time, so a
 * notice decides nothing here and only triggers a query.
 */
export function computeNihaopaySignature(fields: Readonly<Record<string, string>>, token: string): string {
  const pairs = Object.entries(fields)
    .filter(([name, value]) => name !== 'verify_sign' && value !== '' && value !== 'null')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}&`)
  return md5(pairs.join('') + md5(token))
}

export function readNihaopayNotice({ tokens }: NihaopayAccount, { headers, body }: RawRequest): ChannelNotice | undefined {
  const fields = headers['content-encoding'] ? undefined : readNoticeFields(body)
  const sign = fields?.['verify_sign']?.toLowerCase()
  if (!fields || !sign || !/^[0-9a-f]{32}$/.test(sign)) return undefined
  // No early exit: every token is compared, whichever matches.
  if (tokens.filter((token) => isSameSecret(computeNihaopaySignature(fields, token), sign)).length === 0) return undefined
  const { id, reference, status } = fields
  if (!id || id.length > 80 || !reference || !/^[0-9A-Z]{1,30}$/.test(reference)) return undefined
  return { noticeId: `${id}:${status ?? ''}`, event: status === 'success' ? 'paid' : 'other', tradeNo: fromNihaopayReference(reference) }
}
