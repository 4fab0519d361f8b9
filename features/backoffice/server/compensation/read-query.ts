import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { fill } from '#platform/shared/texts.ts'
import { backofficeTexts } from '../../texts.ts'
import type { bulkContract } from '../../contract-bulk.console.ts'
import { selectCompensatedCalls } from './choose-calls.ts'
import { compensatedMail } from './compensate.ts'

type C = (typeof bulkContract)['compensationQuery']

/** Preview of a campaign before its request: the total, the ten largest recipients, and the mail to the first of them. */
export async function queryCompensation({ db, lang }: Ctx, { title, days, ...terms }: InputOf<C>): Promise<ReplyOf<C>> {
  const { calls, customers, total, already, isCut, byCustomer } = await selectCompensatedCalls(db, terms)
  const most = byCustomer[0]
  const values = { title, days: String(days), amount: formatUsd(most?.amount ?? 0n), calls: String(most?.calls ?? 0) }
  const write = (part: 'subject' | 'body') => fill(backofficeTexts[lang][compensatedMail[part]], values)
  return {
    ...{ calls: calls.length, customers, total: formatUsd(total), already, isCut },
    largest: byCustomer.slice(0, 10).map(({ userId, calls: n, amount }) => ({ userId, calls: n, amount: formatUsd(amount) })),
    mail: { subject: write('subject'), body: write('body') },
  }
}
