import { formatUsd } from '#platform/shared/money.ts'
import { pick } from '#platform/shared/pick.ts'
import { VOID_CAUSES } from '../../words-out.ts'
import type { PaperRow as Row } from '../../contract-paper.ts'
import type { PaperRow } from './data.ts'

export function toPaperView(row: PaperRow): Row {
  return {
    ...pick(row, 'paperNo', 'kind', 'month', 'orderNo'),
    userName: row.facts.kind === 'invoice' ? row.facts.to.userName : '',
    amount: formatUsd(row.amountNano),
    lang: row.lang,
    issuedTime: row.issuedAt.toISOString(),
    voidTime: row.voidAt?.toISOString() ?? null,
    replacedBy: row.replacedBy,
    voidCause: VOID_CAUSES.find((cause) => cause === row.voidReason) ?? '',
  }
}
