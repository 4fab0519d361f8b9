import { lazy } from 'react'
import type { WorkRow } from '../../contract-desk.console.ts'

interface Closable {
  readonly onClose: () => void
}

const WithdrawalSheet = lazy(() => import('../withdrawals/withdrawal-sheet.tsx').then((module) => ({ default: module.WithdrawalSheet })))
const ApprovalSheet = lazy(() => import('../approvals/approval-sheet.tsx').then((module) => ({ default: module.ApprovalSheet })))
const OrderSheet = lazy(() => import('../orders/order-sheet.tsx').then((module) => ({ default: module.OrderSheet })))
const TalkSheet = lazy(() => import('../support/conversation-sheet.tsx').then((module) => ({ default: module.ConversationSheet })))
const ComplaintSheet = lazy(() => import('../support/complaint-sheet.tsx').then((module) => ({ default: module.ComplaintSheet })))
const RequestSheet = lazy(() => import('../invoices/request-sheet.tsx').then((module) => ({ default: module.InvoiceRequestSheet })))

/** The sheet of the desk where a kind of thing is decided. */
export function WorkItemSheet({ row, onClose }: Closable & { readonly row: WorkRow }) {
  const rest = row.id.slice(row.id.indexOf(':') + 1)
  if (row.kind === 'withdrawal') return <WithdrawalSheet withdrawalNo={rest} onClose={onClose} />
  if (row.kind === 'approval' || row.kind === 'glass') return <ApprovalSheet no={rest} onClose={onClose} />
  if (row.kind === 'refund' || row.kind === 'suspense' || row.kind === 'dispute') return <OrderSheet orderNo={row.title} onClose={onClose} />
  if (row.kind === 'conversation') return <TalkSheet id={rest} onClose={onClose} />
  if (row.kind === 'complaint') return <ComplaintSheet id={rest} onClose={onClose} />
  return <RequestSheet requestNo={rest} onClose={onClose} />
}

const KINDS_WITH_SHEET: ReadonlySet<WorkRow['kind']> = new Set([
  'withdrawal',
  'approval',
  'glass',
  'refund',
  'suspense',
  'dispute',
  'conversation',
  'complaint',
  'invoice',
])
export const hasWorkItemSheet = ({ kind }: WorkRow): boolean => KINDS_WITH_SHEET.has(kind)
