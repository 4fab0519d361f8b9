import { useQuery } from '@tanstack/react-query'
import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { SideSheet } from '../kit/sheet.tsx'
import { AnswerBox } from './answer-box.tsx'
import { supportDeskApi } from './api.ts'
import { supportDeskTexts } from './texts.ts'
import { SUPPORT_VIEW_TEXT } from './state-texts.ts'

/** One complaint with an answer form; the answer is mailed and closes it. */
export function ComplaintSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useTexts(supportDeskTexts)
  const nameOf = useOperatorName()
  const read = useQuery({ queryKey: ['support', id], queryFn: ({ signal }) => supportDeskApi.complaint({ id }, { signal }) })
  const one = read.data
  return (
    <SideSheet
      title={t('kind_complaint')}
      tags={one ? <Badge tone={one.state === 'open' ? 'warning' : 'neutral'}>{t(SUPPORT_VIEW_TEXT[one.state])}</Badge> : null}
      about={
        one ? (
          <>
            <span className="num">{id}</span>
            {one.userId ? <CustomerLink userId={one.userId} /> : <span className="num">{one.visitor}</span>}
            {one.orderNo ? <span className="num">{one.orderNo}</span> : null}
            <Time at={one.at} />
          </>
        ) : null
      }
      onClose={onClose}
      foot={one?.state === 'open' ? <AnswerBox command="complaint.answer" input={{ complaintId: id }} about={id} onDone={() => void read.refetch()} /> : null}
    >
      {read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : null}
      {read.isPending ? <SkeletonRows rows={4} /> : null}
      {one ? (
        <p dir="auto" className="text-14 whitespace-pre-wrap [overflow-wrap:anywhere]">
          {one.text}
        </p>
      ) : null}
      {one?.answer ? (
        <section className="mt-5 border-l-2 border-brand pl-3" aria-label={t('answered')}>
          <p className="text-12 text-fg-3">
            {t('answeredBy', { name: nameOf(one.answeredBy ?? '') })} {one.closedAt ? <Time at={one.closedAt} /> : null}
          </p>
          <p dir="auto" className="text-14 whitespace-pre-wrap [overflow-wrap:anywhere]">
            {one.answer}
          </p>
        </section>
      ) : null}
    </SideSheet>
  )
}
