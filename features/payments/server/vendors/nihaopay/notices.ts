import { createHash } from 'node:crypto'
import { sameSecret } from '#platform/server/sealing/sign.ts'
import { readFields } from '../port.ts'
import type { Notice, RawRequest } from '../port.ts'
import { ourNumber } from './client.ts'
import type { Account } from './config.ts'

const md5 = (text: string) => createHash('md5').update(text, 'utf8').digest('hex')

/**
 * Form fields in the order of their names, without empty ones, and the MD5 of the token behind them. MD5 is all that the
 * vendor offers, and no time is signed; a notice therefore decides nothing here, it only makes us ask.
 */
export function signatureOf(fields: Readonly<Record<string, string>>, token: string): string {
  const pairs = Object.entries(fields)
    .filter(([name, value]) => name !== 'verify_sign' && value !== '' && value !== 'null')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}&`)
  return md5(pairs.join('') + md5(token))
}

export function readNotice({ tokens }: Account, { headers, body }: RawRequest): Notice | undefined {
  const fields = headers['content-encoding'] ? undefined : readFields(body)
  const sign = fields?.['verify_sign']?.toLowerCase()
  if (!fields || !sign || !/^[0-9a-f]{32}$/.test(sign)) return undefined
  // No early end: every token is tried, whichever fits.
  if (tokens.filter((token) => sameSecret(signatureOf(fields, token), sign)).length === 0) return undefined
  const { id, reference, status } = fields
  if (!id || id.length > 80 || !reference || !/^[0-9A-Z]{1,30}$/.test(reference)) return undefined
  return { noticeId: `${id}:${status ?? ''}`, event: status === 'success' ? 'paid' : 'other', tradeNo: ourNumber(reference) }
}
