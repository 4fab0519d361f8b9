import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CommandNotice } from '../kit/command/command-body.tsx'
import { openCommand } from '../kit/command/command-store.ts'
import { formatBeijingField as field, parseBeijingField } from '../kit/beijing.ts'
import { CustomerLink } from '../kit/customer-link.tsx'
import { SideSheet } from '../kit/sheet.tsx'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { bulkContract } from '../../contract-bulk.console.ts'
import { bulkApi } from './api.ts'
import { bulkTexts } from './texts.ts'

const OUTCOME_TEXT = {
  any: 'outcome_any',
  completed: 'outcome_completed',
  client_gone: 'outcome_client_gone',
  upstream_failed: 'outcome_upstream_failed',
  upstream_cut: 'outcome_upstream_cut',
  not_completed: 'outcome_not_completed',
} as const

const OUTCOMES = ['not_completed', 'upstream_failed', 'upstream_cut', 'client_gone', 'completed', 'any'] as const
type Outcome = (typeof OUTCOMES)[number]
type Query = ReplyOf<(typeof bulkContract)['compensationQuery']>
const HOUR_MS = 3_600_000

/** Form of a compensation campaign: the calls, the share of their cost to refund, and the total before the request is sent. */
export function CampaignSheet({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(bulkTexts)
  const [form, setForm] = useState(() => ({
    title: '',
    from: field(Date.now() - 2 * HOUR_MS),
    to: field(Date.now() - 60_000),
    model: '',
    upstream: '',
    percent: '100',
    budget: '',
    days: '90',
  }))
  const [outcome, setOutcome] = useState<Outcome>('not_completed')
  const set = (name: keyof typeof form) => (event: { target: { value: string } }) => setForm((old) => ({ ...old, [name]: event.target.value }))
  const percent = /^\d{1,3}$/.test(form.percent) ? Number(form.percent) : 0
  const [from, to] = [parseBeijingField(form.from), parseBeijingField(form.to)]
  const terms = useDeferredValue(
    JSON.stringify({
      ...{ from, to, percent },
      ...(form.model.trim() ? { model: form.model.trim() } : {}),
      ...(form.upstream.trim() ? { upstream: form.upstream.trim() } : {}),
      ...(outcome === 'any' ? {} : { outcome }),
    }),
  )
  const isReady = from !== undefined && to !== undefined && from < to && percent >= 1 && percent <= 100
  const found = useQuery({
    queryKey: ['bulks', 'query', terms, form.title, form.days],
    queryFn: ({ signal }) =>
      bulkApi.compensationQuery({ ...(JSON.parse(terms) as { from: string; to: string; percent: number }), title: form.title, days: form.days }, { signal }),
    enabled: isReady,
    placeholderData: (before) => before,
  })
  const isWhole =
    isReady && form.title.trim() !== '' && /^\d{1,6}(\.\d{1,2})?$/.test(form.budget) && /^\d{1,3}$/.test(form.days) && (found.data?.calls ?? 0) > 0
  const ask = () =>
    openCommand({
      name: 'compensation.run',
      input: { ...(JSON.parse(terms) as object), title: form.title.trim(), budget: form.budget, days: Number(form.days) },
      about: form.title.trim(),
      reasonCode: 'vendorFault',
      label: (shown) => t('compensateDo', { total: String(shown.changes.find(({ name }) => name === 'total')?.before ?? '') }),
      onDone: onClose,
    })
  return (
    <SideSheet
      title={t('newCampaign')}
      about={t('campaignAbout')}
      onClose={onClose}
      foot={
        <Button size="lg" disabled={!isWhole || found.data?.isCut} onClick={ask}>
          {t('toPreview')}
        </Button>
      }
    >
      <Fields form={form} set={set} outcome={outcome} setOutcome={setOutcome} />
      <CampaignPreview found={found} isReady={isReady} />
    </SideSheet>
  )
}

type Form = Readonly<Record<'title' | 'from' | 'to' | 'model' | 'upstream' | 'percent' | 'budget' | 'days', string>>
interface FieldsProps {
  readonly form: Form
  readonly set: (name: keyof Form) => (event: { target: { value: string } }) => void
  readonly outcome: Outcome
  readonly setOutcome: (outcome: Outcome) => void
}

function Fields({ form, set, outcome, setOutcome }: FieldsProps) {
  const t = useTexts(bulkTexts)
  return (
    <div className="grid grid-cols-2 gap-3 mobile:grid-cols-1">
      <TextField
        fieldClassName="col-span-2 mobile:col-span-1"
        label={t('fieldTitle')}
        hint={t('fieldTitleHint')}
        maxLength={80}
        value={form.title}
        onChange={set('title')}
      />
      <TextField label={t('fieldFrom')} type="datetime-local" value={form.from} onChange={set('from')} />
      <TextField label={t('fieldTo')} type="datetime-local" value={form.to} onChange={set('to')} />
      <PickField
        label={t('fieldOutcome')}
        value={outcome}
        onChange={setOutcome}
        options={OUTCOMES.map((value) => ({ value, label: t(OUTCOME_TEXT[value]) }))}
      />
      <TextField label={t('fieldPercent')} inputMode="numeric" value={form.percent} onChange={set('percent')} suffix="%" />
      <TextField label={t('fieldModel')} value={form.model} placeholder={t('anyModel')} onChange={set('model')} />
      <TextField label={t('fieldUpstream')} value={form.upstream} placeholder={t('anyUpstream')} onChange={set('upstream')} />
      <TextField label={t('fieldBudget')} inputMode="decimal" value={form.budget} onChange={set('budget')} hint={t('fieldBudgetHint')} />
      <TextField label={t('fieldDays')} inputMode="numeric" value={form.days} onChange={set('days')} hint={t('fieldDaysHint')} />
    </div>
  )
}

/** Totals of the selection, the ten largest recipients, and the mail. */
function CampaignPreview({ found, isReady }: { readonly found: UseQueryResult<Query>; readonly isReady: boolean }) {
  const t = useTexts(bulkTexts)
  return (
    <>
      <Receipt look="inline" label={t('found')} className="mt-4">
        <h3 className="text-14 font-bold">{t('found')}</h3>
        <ReceiptRule className="my-2" />
        {found.isError ? <ErrorState error={found.error} onRetry={() => void found.refetch()} /> : null}
        {found.isPending && isReady ? <SkeletonRows rows={3} /> : null}
        {found.data ? (
          <>
            <ReceiptRow label={t('foundCalls')} value={String(found.data.calls)} />
            <ReceiptRow label={t('foundCustomers')} value={String(found.data.customers)} />
            {found.data.already ? <ReceiptRow label={t('foundAlready')} value={String(found.data.already)} /> : null}
            <ReceiptRow label={t('foundTotal')} value={displayUsd(found.data.total)} strong />
          </>
        ) : null}
      </Receipt>
      {found.data?.isCut ? <CommandNotice tone="danger">{t('tooMany')}</CommandNotice> : null}
      {found.data?.largest.length ? (
        <section className="mt-4" aria-label={t('largest')}>
          <h3 className="mb-1 text-13 font-semibold">{t('largest')}</h3>
          <table className="w-full text-13 tabular">
            <tbody>
              {found.data.largest.map(({ userId, calls, amount }) => (
                <tr key={userId} className="ops-row">
                  <td>
                    <CustomerLink userId={userId} />
                  </td>
                  <td className="num text-right text-fg-3">{t('callsN', { n: calls })}</td>
                  <td className="num text-right">{displayUsd(amount, 4)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <h3 className="mt-4 mb-1 text-13 font-semibold">{t('mailPreview')}</h3>
          <blockquote className="border-l-2 border-line pl-3 text-13 text-fg-2">
            <p className="font-medium text-fg">{found.data.mail.subject}</p>
            <p className="whitespace-pre-line">{found.data.mail.body}</p>
          </blockquote>
        </section>
      ) : null}
    </>
  )
}
