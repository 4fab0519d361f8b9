import { ChevronLeft, ChevronRight, Download, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { getCurrentLang, useLang, useTexts } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { Button } from '#ui/button.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { CATEGORY_TEXTS, FUNDS_CATEGORIES, movementTexts } from '#features/wallet/contract-movements.ts'
import type { FundsCategory } from '#features/wallet/contract-movements.ts'
import { fundsTexts } from '../../texts-funds.ts'
import { useDownload } from '../save-file.ts'
import { fundsApi, shiftMonth } from './use-funds.ts'
import type { FundsFilter } from './use-funds.ts'
import { LANGUAGES } from '#platform/shared/languages.ts'

interface MonthBarProps {
  readonly filter: FundsFilter
  /** First month with movements; undefined until the page is read. */
  readonly firstMonth: string | undefined
}

/** The month with its neighbours, and the actions of the balance. */
export function MonthBar({ filter, firstMonth }: MonthBarProps) {
  const t = useTexts(fundsTexts)
  const { busy, download } = useDownload()
  const { month, current, category, q } = filter
  const [year, number] = month.split('-') as [string, string]
  const get = () =>
    void download(
      () =>
        fundsApi.fundsCsv({ month, lang: getCurrentLang(), ...(category ? { category } : {}), ...(q ? { q } : {}) }) as ReturnType<typeof fundsApi.fundsCsv>,
    )
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
      <div className="inline-flex items-center rounded-control border border-line bg-surface">
        <button
          type="button"
          className="icon-btn"
          aria-label={t('funds_month_before')}
          title={t('funds_month_before')}
          disabled={firstMonth === undefined || month <= firstMonth}
          onClick={() => filter.setMonth(shiftMonth(month, -1))}
        >
          <ChevronLeft size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
        <span className="px-1 text-14 font-semibold whitespace-nowrap" aria-live="polite">
          {t('funds_month', { year, month: LANGUAGES[getCurrentLang()].script === 'latin' ? number : Number(number) })}
        </span>
        <button
          type="button"
          className="icon-btn"
          aria-label={t('funds_month_after')}
          title={t('funds_month_after')}
          disabled={month >= current}
          onClick={() => filter.setMonth(shiftMonth(month, 1))}
        >
          <ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </div>
      <div className="flex gap-2">
        <Button variant="secondary" size="sm" className="mobile:min-h-11" onClick={() => openDialog('withdraw')}>
          {t('funds_withdraw')}
        </Button>
        <Button variant="secondary" size="sm" className="mobile:min-h-11" loading={busy} onClick={get}>
          {busy ? null : <Download size={16} strokeWidth={1.75} aria-hidden="true" />}
          {t('funds_export')}
        </Button>
      </div>
    </div>
  )
}

interface FilterBarProps {
  readonly filter: FundsFilter
  readonly counts: Readonly<Record<FundsCategory | 'all', number>> | undefined
  readonly search: RefObject<HTMLInputElement | null>
}
const DEBOUNCE_MS = 300

/** Categories with their counts, which add up to the first; and a search by amounts, numbers and words. */
export function FundsFilterBar({ filter, counts, search }: FilterBarProps) {
  const t = useTexts(fundsTexts)
  const lang = useLang()
  const { category, q, setQ } = filter
  const [typed, setTyped] = useState(q)
  useEffect(() => setTyped(q), [q])
  useEffect(() => {
    if (typed === q) return
    const timer = setTimeout(() => setQ(typed.trim()), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed, q, setQ])
  const item = (value: FundsCategory) => ({ value, label: movementTexts[lang][CATEGORY_TEXTS[value]], ...(counts ? { count: counts[value] } : {}) })
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
      <Segmented<FundsCategory | 'all'>
        label={t('funds_filter')}
        value={category ?? 'all'}
        onChange={filter.setCategory}
        items={[{ value: 'all', label: t('funds_all'), ...(counts ? { count: counts.all } : {}) }, ...FUNDS_CATEGORIES.map(item)]}
      />
      <label className="relative flex w-80 max-w-full items-center mobile:w-full">
        <Search size={16} strokeWidth={1.75} className="pointer-events-none absolute left-3 text-fg-3" aria-hidden="true" />
        <span className="sr-only">{t('funds_search_label')}</span>
        <input
          ref={search}
          type="search"
          value={typed}
          maxLength={60}
          placeholder={t('funds_search')}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => (event.key === 'Escape' ? (setTyped(''), event.currentTarget.blur()) : undefined)}
          className="input w-full !pl-9"
        />
      </label>
    </div>
  )
}
