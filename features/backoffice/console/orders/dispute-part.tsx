import { useQuery } from '@tanstack/react-query'
import { Gavel } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { Time, displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { disputesContract } from '../../contract-disputes.console.ts'
import { createConsoleApi } from '../kit/api.ts'
import { CommandButton } from '../kit/command/command-button.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { formatPayAmount } from './money-api.ts'
import { OrderStateTag } from './state-tag.tsx'
import { moneyTexts } from './texts.ts'

const EVIDENCE_TEXT = {
  waiting: 'evidence_waiting',
  refused: 'evidence_refused',
  taken: 'evidence_taken',
  product: 'evidence_product',
  access: 'evidence_access',
  receipt: 'evidence_receipt',
  use: 'evidence_use',
} as const

const api = createConsoleApi(disputesContract)
const DAY_MS = 86_400_000
const FACTS = ['receipt', 'product', 'use', 'access'] as const

/** One dispute: how long evidence is taken, what would be handed in, and what was. */
export function DisputePart({ channelType, disputeId }: { readonly channelType: number; readonly disputeId: string }) {
  const t = useTexts(moneyTexts)
  const nameOf = useOperatorName()
  const read = useQuery({
    queryKey: ['dispute', channelType, disputeId],
    queryFn: ({ signal }) => api.dispute({ channelType, disputeId }, { signal }),
    retry: false,
  })
  const one = read.data
  if (read.isError) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  if (!one) return <SkeletonRows rows={3} />
  const { evidence } = one
  return (
    <article className="grid gap-2 py-2 text-13">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <OrderStateTag of="dispute" state={one.state} />
        {one.state === 'open' && one.dueAt ? <DaysLeft dueAt={one.dueAt} /> : null}
        <strong className="num ml-auto">{formatPayAmount(one.payAmount, one.currency)}</strong>
      </p>
      <p className="num text-12 [overflow-wrap:anywhere] whitespace-normal text-fg-3">{disputeId}</p>
      {evidence ? (
        <>
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={evidence.state === 'taken' ? 'success' : evidence.state === 'refused' ? 'danger' : 'info'}>{t(EVIDENCE_TEXT[evidence.state])}</Badge>
            <span className="text-fg-2">{t('evidenceBy', { name: nameOf(evidence.by), at: displayTime(evidence.at) })}</span>
            {evidence.refusal ? <span className="text-danger">{evidence.refusal}</span> : null}
          </p>
          <p className="whitespace-pre-line [overflow-wrap:anywhere]">“{evidence.words}”</p>
        </>
      ) : null}
      <details>
        <summary className="cursor-pointer py-1 text-12 text-fg-2">{t(evidence ? 'factsSent' : 'factsReady')}</summary>
        <dl className="mt-2 grid gap-2">
          {FACTS.map((name) => (
            <div key={name}>
              <dt className="text-12 text-fg-3">{t(EVIDENCE_TEXT[name])}</dt>
              <dd className="num max-h-40 overflow-auto rounded-card bg-sunken p-2 text-12 whitespace-pre-wrap [overflow-wrap:anywhere]">{one.facts[name]}</dd>
            </div>
          ))}
        </dl>
      </details>
      {one.isOpen ? (
        <p>
          <CommandButton
            name="dispute.submit"
            word={t('submitEvidence')}
            input={{ channelType, disputeId }}
            about={
              <>
                <span className="num">{disputeId}</span>
                <span className="block">{t('submitNote')}</span>
              </>
            }
            reasonCode="correction"
            warning={t('submitOnce')}
            icon={<Gavel size={14} strokeWidth={1.75} aria-hidden="true" />}
            onDone={() => void read.refetch()}
          />
        </p>
      ) : null}
    </article>
  )
}

/** Red from the last two days on. */
function DaysLeft({ dueAt }: { readonly dueAt: string }) {
  const t = useTexts(moneyTexts)
  const left = (Date.parse(dueAt) - Date.now()) / DAY_MS
  const tone = left < 2 ? 'font-semibold text-danger' : 'text-warning'
  return (
    <span className={tone}>
      {left <= 0 ? t('tooLate') : left < 1 ? t('lessThanDay') : t('daysLeft', { n: Math.floor(left) })} · <Time at={dueAt} />
    </span>
  )
}
