import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { holderOf, standingOf } from '#features/identity/server/door.ts'
import type { Holder } from '#features/identity/server/door.ts'
import type { OpenReason } from '../../words.ts'
import { allIssuers } from '../issuers.ts'
import { billingAddress } from '../settings.ts'
import type { HolderCall, Issuer } from '../vendors/port.ts'
import { knownHolder, refusalOf } from './data.ts'

/** `refused` is undefined as well where no issuer is connected. */
export type Choice = { readonly issuer: Issuer; readonly refused?: undefined } | { readonly issuer?: undefined; readonly refused: OpenReason | undefined }

/**
 * The issuer of a user's next card: the first connected one that does not refuse the holder by its documented limits and has not refused
 * the same data before. Else why the first one refuses.
 */
export async function chooseIssuer(deps: Deps, sql: Sql, userId: string): Promise<Choice> {
  const { savedAt } = await standingOf(sql, userId)
  const holder = await holderOf(deps, userId, sql)
  let refused: OpenReason | undefined
  for (const issuer of allIssuers(deps)) {
    const why = (await refusalOf(sql, issuer.name, userId, savedAt)) ?? (await refusedBy(deps, sql, issuer, { userId, holder }))
    if (!why) return { issuer }
    refused ??= why
  }
  return { refused }
}

async function refusedBy(
  deps: Deps,
  sql: Sql,
  issuer: Issuer,
  { userId, holder }: { userId: string; holder: Holder | undefined },
): Promise<OpenReason | undefined> {
  // The papers of an older holder may be deleted: the issuer has them.
  if ((await knownHolder(sql, issuer.name, userId)).holder_ref !== null) return undefined
  return holder ? issuer.refuses?.(await holderCall(deps, issuer, { key: '', holder })) : 'data_missing'
}

/** Holder data sent to an issuer. Includes the programme's billing address only where the setting says that the issuer agreed to it. */
export async function holderCall(deps: Pick<Deps, 'settings'>, issuer: Issuer, { key, holder }: { key: string; holder: Holder }): Promise<HolderCall> {
  const { agreed, ...billing } = await deps.settings.get(billingAddress)
  return { key, ...holder, ...(agreed && issuer.supports.billing ? { billing } : {}) }
}
