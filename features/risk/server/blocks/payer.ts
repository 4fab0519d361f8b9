import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { markOf } from '../marks/marks.ts'
import type { Mark } from '../marks/marks.ts'
import { activeBlocks, noteDigests, subjectDigests } from './data.ts'

/** `11:2088102122458832`: a channel's number and its own id of who pays, as its merchant pages show it. */
const RAW = /^(\d{1,2}):([\x21-\x7e]{4,128})$/

/** Mark of a payer, as payments stores it too. */
export const payerMark = (keys: Pick<Deps, 'secretKeys'>, channelType: number, payer: string): Mark => markOf(keys, 'payer', `${channelType}\n${payer}`)

/** Masks a payer's id, e.g. `11:2088…8832`; a customer's id stays unchanged. */
export function maskedPayer(value: string): string {
  const [, channel, payer] = RAW.exec(value) ?? []
  if (channel === undefined || payer === undefined) return value
  return `${channel}:${payer.length > 8 ? `${payer.slice(0, 4)}…${payer.slice(-4)}` : '…'}`
}

/** Display form of a payer's id, which is never stored in clear: its ends, with a suffix that distinguishes equal ones. */
export function shownPayer(keys: Pick<Deps, 'secretKeys'>, value: string): string {
  const [, channel, payer] = RAW.exec(value) ?? []
  if (channel === undefined || payer === undefined) return value
  return `${maskedPayer(value)}#${payerMark(keys, Number(channel), payer).hashes[0]!.digest.toString('hex').slice(0, 6)}`
}

/** Digests of a payer's id, or of all payers of a customer. */
export async function payerDigests(keys: Pick<Deps, 'secretKeys'>, sql: Sql, value: string): Promise<Buffer[]> {
  const [, channel, payer] = RAW.exec(value) ?? []
  if (channel === undefined || payer === undefined) return subjectDigests(sql, 'payer', value)
  return payerMark(keys, Number(channel), payer).hashes.map(({ digest }) => digest)
}

/**
 * Returns the blocked ones among these payers. Call it in the transaction that would credit their payment:
 * then an earlier block is never missed. Matches are recorded under each key of the installation.
 */
export async function blockedPayers(sql: Sql, payers: readonly Mark[], now: Date): Promise<ReadonlySet<Mark>> {
  const blocked = new Set<Mark>()
  if (!payers.length) return blocked
  const known = (await activeBlocks(sql, now)).filter(({ kind }) => kind === 'payer').flatMap(({ digests }) => digests.map((one) => one.toString('hex')))
  if (!known.length) return blocked
  const met = new Set(known)
  for (const payer of payers) {
    const digests = payer.hashes.map(({ digest }) => digest)
    if (!digests.some((digest) => met.has(digest.toString('hex')))) continue
    blocked.add(payer)
    await noteDigests(sql, 'payer', digests)
    countEvent('risk_payer_blocked')
  }
  return blocked
}
