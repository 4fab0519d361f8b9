import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { hashMark } from '../marks/marks.ts'
import type { RiskMark } from '../marks/marks.ts'
import { selectActiveBlocks, addBlockDigests, selectSubjectDigests } from './data.ts'

/** `11:2088102122458832`: a channel's number and its own id of the payer, as its merchant pages show it. */
const RAW = /^(\d{1,2}):([\x21-\x7e]{4,128})$/

/** Mark of a payer, as also stored by payments. */
export const buildPayerMark = (keys: Pick<Deps, 'secretKeys'>, channelType: number, payer: string): RiskMark =>
  hashMark(keys, 'payer', `${channelType}\n${payer}`)

/** Masks a payer's id, e.g. `11:2088…8832`; a customer's id stays unchanged. */
export function maskPayer(value: string): string {
  const [, channel, payer] = RAW.exec(value) ?? []
  if (channel === undefined || payer === undefined) return value
  return `${channel}:${payer.length > 8 ? `${payer.slice(0, 4)}…${payer.slice(-4)}` : '…'}`
}

/** Display form of a payer's id, which is never stored in clear: its ends, with a suffix that distinguishes equal ones. */
export function formatPayer(keys: Pick<Deps, 'secretKeys'>, value: string): string {
  const [, channel, payer] = RAW.exec(value) ?? []
  if (channel === undefined || payer === undefined) return value
  return `${maskPayer(value)}#${buildPayerMark(keys, Number(channel), payer).hashes[0]!.digest.toString('hex').slice(0, 6)}`
}

/** Digests of a payer's id, or of all payers of a customer. */
export async function loadPayerDigests(keys: Pick<Deps, 'secretKeys'>, sql: Sql, value: string): Promise<Buffer[]> {
  const [, channel, payer] = RAW.exec(value) ?? []
  if (channel === undefined || payer === undefined) return selectSubjectDigests(sql, 'payer', value)
  return buildPayerMark(keys, Number(channel), payer).hashes.map(({ digest }) => digest)
}

/**
 * Returns the blocked ones among these payers. Call it in the transaction that would credit their payment:
 * then an earlier block is never missed. Matches are recorded under each key of the installation.
 */
export async function selectBlockedPayers(sql: Sql, payers: readonly RiskMark[], now: Date): Promise<ReadonlySet<RiskMark>> {
  const blocked = new Set<RiskMark>()
  if (!payers.length) return blocked
  const known = (await selectActiveBlocks(sql, now)).filter(({ kind }) => kind === 'payer').flatMap(({ digests }) => digests.map((one) => one.toString('hex')))
  if (!known.length) return blocked
  const met = new Set(known)
  for (const payer of payers) {
    const digests = payer.hashes.map(({ digest }) => digest)
    if (!digests.some((digest) => met.has(digest.toString('hex')))) continue
    blocked.add(payer)
    await addBlockDigests(sql, 'payer', digests)
    countEvent('risk_payer_blocked')
  }
  return blocked
}
