import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { FactRows } from '../kit/marks.tsx'
import { useConsoleFormatter } from '../kit/format.ts'
import { SideSheet } from '../kit/sheet.tsx'
import { useHasPermission } from '../kit/use-me.ts'
import { invoicesApi } from './api.ts'
import type { InvoiceRequestDetail, InvoiceRequestListRow } from './api.ts'
import { formatRecipientLines } from './recipient-lines.ts'
import { invoiceTexts } from './texts.ts'

const REQUEST_STATE_TEXT = { refused: 'asked_refused', open: 'asked_open', withdrawn: 'asked_withdrawn', issued: 'asked_issued' } as const

export function InvoiceRequestBadge({ state }: { readonly state: InvoiceRequestListRow['state'] }) {
  const t = useTexts(invoiceTexts)
  return <Badge tone={state === 'open' ? 'warning' : state === 'issued' ? 'success' : 'neutral'}>{t(REQUEST_STATE_TEXT[state])}</Badge>
}

/** One request: the recipient of the invoice, the month's payments, and the two possible decisions. */
export function InvoiceRequestSheet({ requestNo, onClose }: { readonly requestNo: string; readonly onClose: () => void }) {
  const t = useTexts(invoiceTexts)
  const may = useHasPermission()('invoices.decide')
  const read = useQuery({
    queryKey: ['invoices', requestNo],
    queryFn: ({ signal }) => invoicesApi.invoiceRequest({ requestNo }, { signal }),
    enabled: may,
  })
  const asked = read.data
  const title = <span className="num [overflow-wrap:anywhere] whitespace-normal">{requestNo}</span>
  if (!asked)
    return (
      <SideSheet title={title} onClose={onClose}>
        {!may ? (
          <p className="text-13 text-fg-2">{t('mayNot')}</p>
        ) : read.isError ? (
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        ) : (
          <SkeletonRows rows={6} />
        )}
      </SideSheet>
    )
  return (
    <SideSheet
      title={title}
      tags={<InvoiceRequestBadge state={asked.state} />}
      about={
        <>
          <CustomerLink userId={asked.userId} />
          <span className="num">{asked.month}</span>
          <Time at={asked.askedAt} />
        </>
      }
      onClose={onClose}
      foot={
        asked.state === 'open' ? (
          <>
            <CommandButton name="invoice.refuse" input={{ requestNo }} about={requestNo} danger />
            <CommandButton
              name="invoice.issue"
              variant="primary"
              input={{ requestNo }}
              about={requestNo}
              warning={asked.holds ? t('willVoid', { no: asked.holds }) : undefined}
            />
          </>
        ) : undefined
      }
    >
      <RequestFacts asked={asked} />
    </SideSheet>
  )
}

function RequestFacts({ asked }: { readonly asked: InvoiceRequestDetail }) {
  const t = useTexts(invoiceTexts)
  const say = useConsoleFormatter()
  return (
    <>
      <FactRows
        rows={[
          [t('paid'), displayUsd(asked.paid)],
          [t('invoiceable'), displayUsd(asked.invoiceable)],
          [t('agreedFee'), displayUsd(asked.agreedFee)],
          ...(asked.holds ? [[t('holdsNow'), <InvoiceLink key="holds" no={asked.holds} />] as const] : []),
          ...(asked.paperNo ? [[t('colEnd'), <InvoiceLink key="paper" no={asked.paperNo} />] as const] : []),
          ...(asked.cause ? [[t('cause_refused'), say.value(asked.cause)] as const] : []),
          ...(asked.endedAt ? [[t('endedAt'), <Time key="ended" at={asked.endedAt} />] as const] : []),
        ]}
      />
      <RequestText title={t('to')} text={formatRecipientLines(asked.to).join('\n')} />
      {asked.note ? <RequestText title={t('note')} text={asked.note} /> : null}
      {asked.answer ? <RequestText title={t('answer')} text={asked.answer} /> : null}
    </>
  )
}

function RequestText({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <>
      <h3 className="mt-4 mb-1 text-13 font-semibold">{title}</h3>
      <p dir="auto" className="text-13 whitespace-pre-line [overflow-wrap:anywhere]">
        {text}
      </p>
    </>
  )
}

function InvoiceLink({ no }: { readonly no: string }) {
  return (
    <Link to="/invoices" search={{ open: no }} className="link num">
      {no}
    </Link>
  )
}
