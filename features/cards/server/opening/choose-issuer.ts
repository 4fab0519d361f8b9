import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { readCardholder, readIdentityStatus } from '#features/identity/server/door.ts'
import type { Cardholder } from '#features/identity/server/door.ts'
import type { OpenReason } from '../../words.ts'
import { listIssuers } from '../vendors/index.ts'
import { billingAddress } from '../settings.ts'
import type { HolderCall, Issuer } from '../vendors/port.ts'
import { selectIssuerHolder, selectIssuerRefusal } from './data.ts'

/** `refused` is also undefined if no issuer is connected. */
export type IssuerChoice = { readonly issuer: Issuer; readonly refused?: undefined } | { readonly issuer?: undefined; readonly refused: OpenReason | undefined }

/**
 * Chooses the issuer of a user's next card: the first connected one whose documented limits accept the holder and that has not refused the
 * same data. Otherwise returns the first one's reason.
 */
export async function chooseIssuer(deps: Deps, sql: Sql, userId: string): Promise<IssuerChoice> {
  const { savedAt } = await readIdentityStatus(sql, userId)
  const holder = await readCardholder(deps, userId, sql)
  let refused: OpenReason | undefined
  for (const issuer of listIssuers(deps)) {
    const why = (await selectIssuerRefusal(sql, issuer.name, { userId, savedAt })) ?? (await findRefusalReason(deps, sql, { issuer, userId, holder }))
    if (!why) return { issuer }
    refused ??= why
  }
  return { refused }
}

async function findRefusalReason(
  deps: Deps,
  sql: Sql,
  { issuer, userId, holder }: { readonly issuer: Issuer; readonly userId: string; readonly holder: Cardholder | undefined },
): Promise<OpenReason | undefined> {
  // The papers of an older holder may be deleted: the issuer has them.
  if ((await selectIssuerHolder(sql, issuer.name, userId)).holderRef !== null) return undefined
  return holder ? issuer.refuses?.(await buildHolderCall(deps, issuer, { key: '', holder })) : 'data_missing'
}

/** Holder data sent to an issuer. Includes the programme's billing address only where the setting says that the issuer agreed to it. */
export async function buildHolderCall(deps: Pick<Deps, 'settings'>, issuer: Issuer, { key, holder }: { key: string; holder: Cardholder }): Promise<HolderCall> {
  const { agreed, ...billing } = await deps.settings.get(billingAddress)
  return { key, ...holder, ...(agreed && issuer.supports.billing ? { billing } : {}) }
}
