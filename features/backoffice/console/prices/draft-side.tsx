import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { CommandNotice } from '../kit/command/command-body.tsx'
import { openCommand } from '../kit/command/command-store.ts'
import { formatBasisPoints } from './price-rows.tsx'
import type { PriceDraft } from './use-draft.ts'
import { modelTexts } from './texts.ts'

/** Summary of the price draft: effect, start time, title, and the button that requests approval. */
export function PriceDraftSide({ draft }: { readonly draft: PriceDraft }) {
  const t = useTexts(modelTexts)
  const [title, setTitle] = useState('')
  const [knows, setKnows] = useState(false)
  const { tried, count } = draft
  const losing = tried?.rows.filter(({ belowCost }) => belowCost).map(({ model }) => model) ?? []
  const lacks = !count
    ? t('lacksChange')
    : !title.trim()
      ? t('lacksTitle')
      : !draft.from
        ? t('lacksTime')
        : losing.length && !knows
          ? t('lacksTick')
          : undefined
  const submit = () =>
    openCommand({
      name: 'price.plan',
      input: { title: title.trim(), from: draft.from, changes: draft.changes, acceptLoss: knows },
      about: t('planAbout', { n: count, title: title.trim() }),
      label: () => t('planDo', { n: count }),
      onDone: () => {
        draft.clear()
        setTitle('')
        setKnows(false)
      },
    })
  return (
    <aside
      className="grid min-h-full content-start gap-4 border-l border-line bg-bg p-5 mobile:border-t mobile:border-l-0 mobile:p-4"
      aria-label={t('effectTitle')}
    >
      <Receipt look="inline" label={t('effectTitle')}>
        <h2 className="text-14 font-bold">{t('effectTitle')}</h2>
        <ReceiptRule className="my-2" />
        {tried ? <Effect total={tried.total} /> : <p className="text-13 text-fg-2">{t('effectNone')}</p>}
      </Receipt>
      <TextField
        label={t('fromLabel')}
        type="datetime-local"
        value={draft.at}
        onChange={(event) => draft.setAt(event.target.value)}
        hint={draft.from ? t('fromUtc', { at: draft.from.slice(5, 16).replace('T', ' ') }) : undefined}
      />
      <TextField
        label={t('titleLabel')}
        maxLength={80}
        value={title}
        placeholder={t('titleExample')}
        autoComplete="off"
        onChange={(event) => setTitle(event.target.value)}
      />
      {losing.length ? (
        <CommandNotice tone="danger" title={t('belowTitle', { models: losing.join(' · ') })}>
          <CheckboxField label={t('belowTick')} checked={knows} onChange={(event) => setKnows(event.target.checked)} />
        </CommandNotice>
      ) : null}
      <div className="grid grid-cols-1 gap-1.5">
        <p className="text-13 text-fg-2">{t('whoDecides')}</p>
        <Button size="lg" disabled={lacks !== undefined} onClick={submit}>
          {t('submitPlan')}
        </Button>
        {lacks ? <p className="text-13 text-warning">{lacks}</p> : null}
      </div>
    </aside>
  )
}

type Total = NonNullable<PriceDraft['tried']>['total']

function Effect({ total }: { readonly total: Total }) {
  const t = useTexts(modelTexts)
  const rows: readonly (readonly [string, string, string])[] = [
    [t('sumIncome'), displayUsd(total.amountNow), displayUsd(total.amountThen)],
    [t('sumCost'), displayUsd(total.costs), displayUsd(total.costs)],
    [t('sumMargin'), displayUsd(total.marginNow), displayUsd(total.marginThen)],
    [t('sumRate'), formatBasisPoints(total.rateNow), formatBasisPoints(total.rateThen)],
  ]
  return (
    <>
      <table className="w-full text-13">
        <thead>
          <tr className="text-12 text-fg-3">
            <th className="text-left font-normal">
              <span className="sr-only">{t('figure')}</span>
            </th>
            <th className="text-right font-normal">{t('now')}</th>
            <th className="text-right font-normal">{t('then')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, now, then]) => (
            <tr key={name} className={now === then ? 'text-fg-3' : ''}>
              <th scope="row" className="py-0.5 text-left font-normal">
                {name}
              </th>
              <td className="num text-right">{now}</td>
              <td className={`text-right ${now === then ? '' : 'num font-semibold'}`}>{now === then ? t('same') : then}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ReceiptRule className="my-2" />
      <ReceiptRow label={t('hitCustomers')} value={t('customersN', { n: total.customers })} />
      <ReceiptRow label={t('sumDifference')} value={displayUsd(total.difference, 2, true)} strong />
      <p className="mt-1 text-12 text-fg-3">{t('howReckoned')}</p>
    </>
  )
}

export const formatPlanTime = (from: string) => displayTime(from, 'minute')
