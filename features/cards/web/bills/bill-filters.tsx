import { useEffect, useState } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { PickField } from '#ui/fields/pick-field.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { formatBillTitle } from '../../bill-titles.ts'
import type { CardRow } from '../../contract.ts'
import { billTexts } from '../../texts-bills.ts'
import { BILL_STATES, type BillKind } from '../../words.ts'
import { ANY_FILTER, type BillFilterState as Filters } from './use-bill-filters.ts'
import { CARDS_STATUS_TEXT } from '../../state-texts-bills.ts'

const SHORT_TEXT = { standard: 'short_standard', pro: 'short_pro' } as const

/** Kinds offered as filters; rarer kinds are found by name. */
const KINDS: readonly BillKind[] = ['purchase', 'refund', 'recharge', 'withdrawal', 'verification', 'activation', 'dispute_credit', 'settled_debt', 'returned']
const DEBOUNCE_MS = 300

interface BillFiltersProps {
  readonly filters: Filters
  readonly cards: readonly CardRow[]
}

/** Bill filters: the state as a row of choices, then the others, which a phone folds away. */
export function BillFilters({ filters, cards }: BillFiltersProps) {
  const t = useTexts(billTexts)
  const mobile = useIsMobile()
  const [isNarrowed] = useState(() => Object.keys(filters.wish).some((name) => name !== 'state'))
  return (
    <div className="mb-4 grid gap-3">
      <Segmented
        label={t('filter_state')}
        value={filters.state}
        onChange={filters.setState}
        className="justify-self-start"
        items={[{ value: ANY_FILTER, label: t('all') }, ...BILL_STATES.map((value) => ({ value: value as string, label: t(CARDS_STATUS_TEXT[value]) }))]}
      />
      {mobile ? (
        <details className="fold" open={isNarrowed}>
          <summary>{t('moreFilters')}</summary>
          <div className="pb-1">
            <More filters={filters} cards={cards} />
          </div>
        </details>
      ) : (
        <More filters={filters} cards={cards} />
      )}
    </div>
  )
}

function More({ filters, cards }: BillFiltersProps) {
  const t = useTexts(billTexts)
  const lang = useLang()
  const [typed, setTyped] = useState(filters.merchant)
  const { merchant, setMerchant } = filters
  useEffect(() => {
    if (typed === merchant) return
    const timer = setTimeout(() => setMerchant(typed), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed, merchant, setMerchant])
  return (
    <div className="grid gap-3 mobile:grid-cols-2 desktop:grid-cols-[repeat(auto-fit,minmax(150px,1fr))]">
      {cards.length > 1 ? (
        <PickField
          label={t('col_card')}
          value={filters.card}
          onChange={filters.setCard}
          options={[
            { value: ANY_FILTER, label: t('allCards') },
            ...cards.filter(({ last4 }) => last4).map(({ id, last4, type }) => ({ value: id, label: `${t(SHORT_TEXT[type])} ${last4}` })),
          ]}
        />
      ) : null}
      <PickField
        label={t('filter_kind')}
        value={filters.kind}
        onChange={filters.setKind}
        options={[{ value: ANY_FILTER, label: t('allKinds') }, ...KINDS.map((value) => ({ value: value as string, label: formatBillTitle(lang, value) }))]}
      />
      <TextField
        label={t('filter_from')}
        type="date"
        value={filters.from}
        max={filters.to || undefined}
        onChange={(event) => filters.setFrom(event.target.value)}
      />
      <TextField
        label={t('filter_to')}
        type="date"
        value={filters.to}
        min={filters.from || undefined}
        error={filters.isBackwards ? t('range_bad') : undefined}
        onChange={(event) => filters.setTo(event.target.value)}
      />
      <TextField
        label={t('filter_merchant')}
        type="search"
        maxLength={60}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        fieldClassName={cards.length > 1 ? 'mobile:col-span-2' : ''}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  )
}
