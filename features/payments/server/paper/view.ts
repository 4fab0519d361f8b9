import { formatUsd } from '#platform/shared/money.ts'
import { VOID_CAUSES } from '../../words-out.ts'
import type { PaperRow as Row } from '../../contract-paper.ts'
import type { PaperRow } from './data.ts'

export function toPaperView(row: PaperRow): Row {
  return {
    paperNo: row.paper_no,
    kind: row.kind,
    month: row.month,
    orderNo: row.order_no,
    userName: row.facts.kind === 'invoice' ? row.facts.to.userName : '',
    amount: formatUsd(row.amount_nano),
    lang: row.lang,
    issuedTime: row.issued_at.toISOString(),
    voidTime: row.void_at?.toISOString() ?? null,
    replacedBy: row.replaced_by,
    voidCause: VOID_CAUSES.find((cause) => cause === row.void_reason) ?? '',
  }
}
