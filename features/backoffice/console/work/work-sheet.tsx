import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { Suspense, lazy } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { queryClient } from '#platform/web/calls/query.tsx'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Time, displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button, getButtonClass } from '#ui/button.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { toast } from '#ui/layers/toast.ts'
import { formatClock, useCountdown } from '#ui/time/countdown.tsx'
import type { WorkRow } from '../../contract-desk.console.ts'
import { CommandButton } from '../kit/command/command-button.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { AgeBar, FactRows, RiskBars } from '../kit/marks.tsx'
import { SheetStrip, SideSheet } from '../kit/sheet.tsx'
import { useSignedInOperator } from '../kit/use-me.ts'
import { workTexts } from './texts.ts'
import { formatWorkAmount, computeWaitedMinutes, workApi } from './work-api.ts'
import { WORK_KIND_TEXT } from './state-texts.ts'

interface Closable {
  readonly onClose: () => void
}

const WithdrawalSheet = lazy(() => import('../withdrawals/withdrawal-sheet.tsx').then((module) => ({ default: module.WithdrawalSheet })))
const ApprovalSheet = lazy(() => import('../approvals/approval-sheet.tsx').then((module) => ({ default: module.ApprovalSheet })))
const OrderSheet = lazy(() => import('../orders/order-sheet.tsx').then((module) => ({ default: module.OrderSheet })))
const TalkSheet = lazy(() => import('../support/conversation-sheet.tsx').then((module) => ({ default: module.ConversationSheet })))
const ComplaintSheet = lazy(() => import('../support/complaint-sheet.tsx').then((module) => ({ default: module.ComplaintSheet })))
const RequestSheet = lazy(() => import('../invoices/request-sheet.tsx').then((module) => ({ default: module.InvoiceRequestSheet })))

/** Sheet of the desk that decides a kind of item. */
function WorkItemSheet({ row, onClose }: Closable & { readonly row: WorkRow }) {
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
const hasWorkItemSheet = ({ kind }: WorkRow): boolean => KINDS_WITH_SHEET.has(kind)

/** Page with the details on which a work item is decided, and the label of its link. */
function findItemPage({ kind, id, title, waiting }: WorkRow): {
  to: string
  word: 'openOrder' | 'openService' | 'openWithdrawal' | 'openApproval' | 'openSupport' | 'openBooks' | 'openInvoice' | 'openCustomer'
} {
  const rest = id.slice(id.indexOf(':') + 1)
  if (kind === 'withdrawal') return { to: `/withdrawals?open=${rest}`, word: 'openWithdrawal' }
  if (kind === 'approval' || kind === 'glass') return { to: `/approvals?open=${rest}`, word: 'openApproval' }
  if (kind === 'refund' || kind === 'suspense' || kind === 'dispute') return { to: `/orders?open=${title}`, word: 'openOrder' }
  if (kind === 'conversation' || kind === 'complaint') return { to: `/support?open=${rest}`, word: 'openSupport' }
  if (kind === 'invoice') return { to: `/invoices?state=open&open=${rest}`, word: 'openInvoice' }
  if (kind === 'supplier') return findSupplierPage(rest, title)
  if (kind === 'fault') return { to: `/books?tab=faults&open=${rest}`, word: 'openBooks' }
  return waiting ? { to: `/approvals?open=${waiting.no}`, word: 'openApproval' } : { to: `/customers/${rest}`, word: 'openCustomer' }
}

/** Page for an item that waits on a supplier: its order, its withdrawal, else the service queue. */
function findSupplierPage(subject: string, title: string) {
  if (subject.startsWith('withdrawal:')) return { to: `/withdrawals?open=${title}`, word: 'openWithdrawal' } as const
  if (subject.startsWith('order:') || subject.startsWith('refund:')) return { to: `/orders?open=${title}`, word: 'openOrder' } as const
  return { to: '/services', word: 'openService' } as const
}

/** A work item in its own sheet, with the decision in place; a short summary while another operator has it. */
export function WorkSheet({ id, known, onClose }: { readonly id: string; readonly known: WorkRow | undefined; readonly onClose: () => void }) {
  const t = useTexts(workTexts)
  const { data: me } = useSignedInOperator()
  const { data, error, refetch } = useQuery({
    queryKey: ['work-item', id],
    queryFn: ({ signal }) => workApi.workItem({ id }, { signal }),
    initialData: known,
    retry: false,
  })
  const isGone = isApiError(error) && error.errorName === 'NOT_FOUND'
  if (isGone || !data)
    return (
      <SideSheet title={isGone ? t('gone') : id} onClose={onClose}>
        {isGone ? (
          <EmptyState title={t('gone')} body={t('goneBody')} />
        ) : error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows rows={6} />
        )}
      </SideSheet>
    )
  const taken = data.taken !== null && data.taken.operatorId !== me?.id
  if (!taken && hasWorkItemSheet(data))
    return (
      <SheetStrip value={<LeaseStrip row={data} />}>
        <Suspense fallback={<SkeletonRows rows={8} />}>
          <WorkItemSheet row={data} onClose={onClose} />
        </Suspense>
      </SheetStrip>
    )
  return <FactsSheet data={data} onClose={onClose} />
}

/** Short summary with a link to the page that decides it. */
function FactsSheet({ data, onClose }: { readonly data: WorkRow; readonly onClose: () => void }) {
  const t = useTexts(workTexts)
  const place = findItemPage(data)
  return (
    <SideSheet
      title={`${t(WORK_KIND_TEXT[data.kind])}${data.amount === null ? '' : ` ${formatWorkAmount(data)}`}`}
      tags={
        data.waiting ? (
          <Badge tone="warning" icon={<Users size={12} aria-hidden="true" />}>
            {t('waits')}
          </Badge>
        ) : null
      }
      about={
        <>
          <span className={/^[\w-]+$/.test(data.title) ? 'num' : ''}>{data.title}</span>
          {data.userId ? <CustomerLink userId={data.userId} /> : null}
        </>
      }
      onClose={onClose}
      foot={
        <>
          <Lease row={data} />
          {data.kind === 'silent' ? (
            <SilentNodeActions node={data.title} onDone={onClose} />
          ) : (
            <Link to={place.to} className={getButtonClass('primary', 'lg')}>
              {t(place.word)}
            </Link>
          )}
        </>
      }
    >
      <FactRows
        rows={[
          [t('colAge'), <AgeBar key="age" waited={computeWaitedMinutes(data, Date.now())} target={data.targetMinutes} />],
          [t('since'), <Time key="since" at={data.since} />],
          [t('due'), <Time key="due" at={data.dueAt} />],
          [t('colRisk'), <RiskBars key="risk" risk={data.risk} />],
          ...(data.amount === null
            ? []
            : ([
                [
                  t('amount'),
                  <strong key="amount" className="num">
                    {formatWorkAmount(data)}
                  </strong>,
                ],
              ] as const)),
          ...(data.userId ? ([[t('customer'), <CustomerLink key="user" userId={data.userId} />]] as const) : []),
          ...(data.detail ? ([[t('detail'), data.detail]] as const) : []),
        ]}
      />
      {data.waiting ? (
        <p className="mt-4 rounded-card bg-sunken px-3 py-2">{t(data.waiting.isOwn ? 'secondOwn' : 'secondOther', { no: data.waiting.no })}</p>
      ) : null}
    </SideSheet>
  )
}

/** Calls charged at their held amount: the operator can query the vendor again or keep the charges. */
function SilentNodeActions({ node, onDone }: { readonly node: string; readonly onDone: () => void }) {
  return (
    <div className="flex flex-wrap gap-2">
      <CommandButton name="calls.keep" input={{ node }} about={node} onDone={onDone} />
      <CommandButton name="calls.repair" input={{ node }} about={node} variant="primary" />
    </div>
  )
}

/** Waiting time and holder, shown above the decision. */
function LeaseStrip({ row }: { readonly row: WorkRow }) {
  return (
    <>
      <AgeBar waited={computeWaitedMinutes(row, Date.now())} target={row.targetMinutes} />
      <Lease row={row} small />
    </>
  )
}

/** Buttons to take an item and to put it back; only the holder's name while another operator has it. */
function Lease({ row, small }: { readonly row: WorkRow; readonly small?: boolean }) {
  const t = useTexts(workTexts)
  const { data: me } = useSignedInOperator()
  const { run, isRunning } = useSubmit()
  const act = (call: () => Promise<unknown>) =>
    void run(async () => {
      await call()
      await queryClient.invalidateQueries()
    }).then((error) => {
      if (error) toast.error(error.message)
    })
  const take = () => act(() => workApi.take({ id: row.id }))
  if (row.taken && row.taken.operatorId !== me?.id)
    return <p className="max-w-[24ch] text-12 text-fg-2">{t('takenBy', { name: row.taken.name, until: displayTime(row.taken.until).slice(11) })}</p>
  if (!row.taken)
    return (
      <Button size={small ? 'md' : 'lg'} variant="secondary" onClick={take} loading={isRunning} title={t('takeFirst')}>
        {t('take')}
      </Button>
    )
  return (
    <div className="flex items-center gap-2">
      <Button size={small ? 'md' : 'lg'} variant="secondary" onClick={() => act(() => workApi.putBack({ id: row.id }))} loading={isRunning}>
        {t('putBack')}
      </Button>
      <LeaseTimeLeft until={Date.parse(row.taken.until)} onRenew={take} />
    </div>
  )
}

function LeaseTimeLeft({ until, onRenew }: { readonly until: number; readonly onRenew: () => void }) {
  const t = useTexts(workTexts)
  const seconds = useCountdown(until)
  return (
    <p className={`text-12 ${seconds < 120 ? 'text-warning' : 'text-fg-2'}`}>
      {t('takenByYou', { left: formatClock(seconds) })}{' '}
      {seconds < 120 ? (
        <button type="button" className="link" onClick={onRenew}>
          {t('renew')}
        </button>
      ) : null}
    </p>
  )
}
