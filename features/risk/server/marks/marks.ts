import { createHmac } from 'node:crypto'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { deriveKey, computeKeyId } from '#platform/server/sealing/seal.ts'
import { toBlockSubject } from '../subject.ts'
import { upsertMarks } from './data.ts'
import type { MarkKind } from './mark-kind.ts'

/** Hashes of one fact, under each key of the installation, so that it still matches during key rotation. */
export interface RiskMark {
  readonly kind: MarkKind
  readonly hashes: readonly { readonly digest: Buffer; readonly keyId: Buffer }[]
}

type Keys = Pick<Deps, 'secretKeys'>

/** Hashes a fact, which is not stored itself. */
export function hashMark({ secretKeys }: Keys, kind: MarkKind, text: string): RiskMark {
  const hashes = secretKeys.map((key) => ({
    digest: createHmac('sha256', deriveKey(key, 'risk.mark')).update(`${kind}\n${text}`).digest(),
    keyId: computeKeyId(key),
  }))
  return { kind, hashes }
}

/** Stores the marks of a subject: a user's id, or `operator:` and the operator's id. */
export async function storeMarks(sql: Sql, subject: string, { marks, now }: { readonly marks: readonly RiskMark[]; readonly now: Date }): Promise<void> {
  await storeMarksOfMany(sql, [{ subject, marks }], now)
}

/** Like `storeMarks`, for many subjects in one statement. */
export async function storeMarksOfMany(
  sql: Sql,
  owners: readonly { readonly subject: string; readonly marks: readonly RiskMark[] }[],
  now: Date,
): Promise<void> {
  const rows = owners.flatMap(({ subject, marks }) => marks.flatMap(({ kind, hashes }) => hashes.map((hash) => ({ subject, kind, ...hash }))))
  if (rows.length) await upsertMarks(sql, rows, now)
}

/** Normalizes a mailbox: case, dots and a plus suffix do not make a different one. */
export function normalizeMailbox(email: string): string {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const base = local.split('+')[0]!
  return `${base.replaceAll('.', '')}@${domain === 'googlemail.com' ? 'gmail.com' : domain}`
}

/** Builds the marks of a sign-in: its network and its browser. Skips loopback addresses. */
export function buildPlaceMarks(keys: Keys, { ip, userAgent, device }: { ip: string; userAgent: string; device?: string | undefined }): RiskMark[] {
  const block = toNetworkBlock(ip)
  return [
    ...(block === undefined ? [] : [buildNetworkMark(keys, 'network', block)]),
    ...(block === undefined || !userAgent ? [] : [hashMark(keys, 'place', `${block}\n${userAgent}`)]),
    ...(device ? [hashMark(keys, 'device', device)] : []),
  ]
}

/** Builds the mark of an API key's use: its network, which matches the network of a sign-in. Skips loopback addresses. */
export function buildKeyUseMarks(keys: Keys, ip: string): RiskMark[] {
  const block = toNetworkBlock(ip)
  return block === undefined ? [] : [buildNetworkMark(keys, 'keys', block)]
}

/** Network of an address (IPv4 /24, IPv6 /48); undefined for loopback addresses. */
export const toNetworkBlock = (ip: string): string | undefined => {
  const block = toBlockSubject(ip)
  return block.startsWith('127.') || block.startsWith('0:0:0::') ? undefined : block
}

/** Uses the same digest for both kinds, so that they match each other. */
const buildNetworkMark = (keys: Keys, kind: 'network' | 'keys', block: string): RiskMark => ({ kind, hashes: hashMark(keys, 'network', block).hashes })

export const toStaffSubject = (operatorId: string): string => `operator:${operatorId}`
