import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { findLatestRefund } from '#features/payments/server/door.ts'
import type { CardRow } from '../../contract.ts'
import { OPEN_REASONS } from '../../words.ts'
import type { FailureStep, OpeningPace, OpenReason } from '../../words.ts'
import type { Card } from '../cards/data.ts'
import { chooseIssuer } from './choose-issuer.ts'

const PROMISED_MS = 10 * 60_000
const DAY_MS = 86_400_000

/** Null unless the card is being opened. */
export function computeOpeningPace({ state, askedAt: asked, now }: Card): OpeningPace | null {
  if (state !== 'requested' && state !== 'opening') return null
  const took = now.getTime() - asked.getTime()
  return took < PROMISED_MS ? 'normal' : took < DAY_MS ? 'slow' : 'operators'
}

/** Rows of earlier versions keep an issuer's own words. */
export const toOpenReason = ({ failReason: reason }: Card): OpenReason => OPEN_REASONS.find((one) => one === reason) ?? 'other'

/** The holder's data can change the issuer's answer. */
const CORRECTABLE: readonly OpenReason[] = ['name', 'phone', 'address', 'document', 'data_missing']

/** Details of a failed opening for its user: the refund, and the next step. */
export async function readOpeningFailure(deps: Deps, sql: Sql, card: Card): Promise<NonNullable<CardRow['failure']>> {
  const back = card.orderNo === null ? undefined : await findLatestRefund(sql, card.orderNo)
  const moneyBack = back ? { amount: formatUsd(back.amount), goesTo: back.goesTo, isDone: back.isDone } : null
  return { moneyBack, next: back ? await findNextStep(deps, sql, card) : 'reopen' }
}

async function findNextStep(deps: Deps, sql: Sql, card: Card): Promise<FailureStep> {
  const { issuer, refused } = await chooseIssuer(deps, sql, card.userId)
  if (issuer) return 'again'
  return refused && CORRECTABLE.includes(refused) ? 'correct' : 'ask'
}
