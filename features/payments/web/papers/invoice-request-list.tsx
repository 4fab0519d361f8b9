import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/layers/toast.ts'
import type { InvoiceRequest } from '../../contract-invoice-requests.ts'
import { paperTexts } from '../../texts-papers.ts'
import { INVOICE_REQUESTS, invoiceRequestApi } from './invoice-request-api.ts'

const REQUEST_STATE_TEXT = { refused: 'asked_refused', withdrawn: 'asked_withdrawn', open: 'asked_open', issued: 'asked_issued' } as const
const REFUSED_TEXT = {
  unclear: 'refused_unclear',
  notTheirs: 'refused_notTheirs',
  taxInvoice: 'refused_taxInvoice',
  nothingPaid: 'refused_nothingPaid',
} as const

/** Requests to the invoice desk and their outcomes; hidden while there are none. */
export function InvoiceRequestList() {
  const t = useTexts(paperTexts)
  const { data } = useQuery({ queryKey: [...INVOICE_REQUESTS], queryFn: ({ signal }) => invoiceRequestApi.invoiceRequests({}, { signal }) })
  if (!data?.rowList.length) return null
  return (
    <section aria-labelledby="asked-title" className="mt-8">
      <h2 id="asked-title" className="mb-3 text-16 font-semibold">
        {t('asked_title')}
      </h2>
      <ul className="card divide-y divide-line">
        {data.rowList.map((row) => (
          <Line key={row.requestNo} row={row} />
        ))}
      </ul>
    </section>
  )
}

function Line({ row }: { readonly row: InvoiceRequest }) {
  const t = useTexts(paperTexts)
  const cache = useQueryClient()
  const { run, isRunning } = useSubmit()
  const drop = () =>
    void run(async () => {
      await invoiceRequestApi.dropInvoiceRequest({ requestNo: row.requestNo })
    }).then((error) => {
      if (error) toast.error(error.message)
      void cache.invalidateQueries({ queryKey: [...INVOICE_REQUESTS] })
    })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 mobile:px-4">
      <span className="num text-14">{row.month}</span>
      <span dir="auto" className="min-w-0 flex-1 text-14 [overflow-wrap:anywhere]">
        {row.userName}
      </span>
      <Badge tone={row.state === 'open' ? 'warning' : row.state === 'issued' ? 'success' : 'neutral'}>{t(REQUEST_STATE_TEXT[row.state])}</Badge>
      <Time at={row.endedTime ?? row.askedTime} className="text-13 text-fg-2" />
      {row.state === 'open' ? (
        <Button size="sm" variant="ghost" className="mobile:min-h-11" loading={isRunning} aria-label={t('asked_drop_of', { no: row.requestNo })} onClick={drop}>
          {t('asked_drop')}
        </Button>
      ) : null}
      {row.paperNo || row.cause ? (
        <p dir="auto" className="w-full text-13 text-fg-2 [overflow-wrap:anywhere]">
          {row.paperNo ? <span className="num">{row.paperNo}</span> : null}
          {row.cause ? t(REFUSED_TEXT[row.cause]) : null}
          {row.answer ? <span className="block">{row.answer}</span> : null}
        </p>
      ) : null}
    </li>
  )
}
