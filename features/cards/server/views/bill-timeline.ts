import type { Sql } from '#platform/server/database/db.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { selectMoveById } from '../money/data.ts'
import { selectAuthSteps } from '../bills/data.ts'
import type { AuthStep, Bill } from '../bills/data.ts'

interface Step {
  readonly at: string
  /** A name for the text `step_<event>`. */
  readonly event: string
  readonly amount: string
}

/** Names of an authorisation's steps on a page; steps without news for the member are left out. */
const EVENTS: Readonly<Record<string, string>> = {
  approved: 'authorized',
  increased: 'incremented',
  increase_declined: 'declined',
  changed: 'reduced',
  captured: 'captured',
  reversed: 'reversed',
  expired: 'expired',
  declined: 'declined',
}

/** Steps of a bill, oldest first: for a charge those of its authorisation, for a transfer its way to the issuer and back. */
export async function readBillTimeline(sql: Sql, bill: Bill): Promise<Step[]> {
  if (bill.authorization_id !== null) return (await selectAuthSteps(sql, bill.authorization_id)).flatMap(toSteps)
  if (bill.move_id !== null) return readMoveTimeline(sql, bill.move_id)
  return []
}

function toSteps({ at, event, amount }: AuthStep): Step[] {
  const name = EVENTS[event]
  return name === undefined ? [] : [{ at: at.toISOString(), event: name, amount: formatUsd(amount) }]
}

async function readMoveTimeline(sql: Sql, id: string): Promise<Step[]> {
  const move = await selectMoveById(sql, id)
  if (!move) return []
  const amount = formatUsd(move.amount)
  const sent = { at: move.created_at.toISOString(), event: 'sent', amount }
  if (!move.finished_at) return [sent]
  return [sent, { at: move.finished_at.toISOString(), event: move.state === 'failed' ? 'failed' : 'done', amount }]
}
