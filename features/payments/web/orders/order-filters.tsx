import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { Button } from '#ui/button.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { usePaymentOrderTitle } from '../use-order-title.ts'
import { filterTexts } from '../../texts-filters.ts'
import { pageTexts } from '../../texts-pages.ts'
import { ORDER_FILTERS, ORDER_TYPE } from '../../words.ts'
import type { OrderFilter } from '../../words.ts'
import type { OrderListFilter } from './use-orders.ts'

const FILTER_TEXT = { refund: 'filter_refund', paid: 'filter_paid', open: 'filter_open', over: 'filter_over', problem: 'filter_problem' } as const

const ANY = 'all'
const PERIODS = { 7: 'period_7', 30: 'period_30', 90: 'period_90' } as const
const DAY_MS = 86_400_000
const DAY = /^20\d{2}-\d{2}-\d{2}$/
export const ORDER_NO = /^\d{8}-[0-9A-Z]{12}$/
/** The best-selling type first. */
const TYPES = [ORDER_TYPE.OPENAI_API, ...Object.values(ORDER_TYPE).filter((type) => type !== ORDER_TYPE.OPENAI_API)]

/** Filters from the URL; an invalid value counts as no filter. */
export function useOrderFilters() {
  const [status, setStatus] = useQueryParam<string>('status', ANY)
  const [type, setType] = useQueryParam<string>('type', ANY)
  const [last4, setLast4] = useQueryParam<string>('no', '')
  const [period, setPeriod] = useQueryParam<string>('period', ANY)
  const [from, setFrom] = useQueryParam<string>('from', '')
  const [to, setTo] = useQueryParam<string>('to', '')
  const own = period === 'own'
  const wish: OrderListFilter = {
    ...(ORDER_FILTERS.includes(status as OrderFilter) ? { status: status as OrderFilter } : {}),
    ...(TYPES.some((one) => String(one) === type) ? { orderType: Number(type) } : {}),
    ...(/^[0-9A-Za-z]{1,4}$/.test(last4) ? { last4 } : {}),
    ...(period in PERIODS ? { from: toShanghaiDay(Date.now() - (Number(period) - 1) * DAY_MS) } : {}),
    ...(own && DAY.test(from) ? { from } : {}),
    ...(own && DAY.test(to) ? { to } : {}),
  }
  const isBackwards = own && wish.from !== undefined && wish.to !== undefined && wish.from > wish.to
  return { status, setStatus, type, setType, last4, setLast4, period, setPeriod, from, setFrom, to, setTo, wish, isBackwards }
}

/** State as one row of choices; kind, period and number beside each other. A whole order number leads to its page. */
export function OrderFilters({ filters }: { readonly filters: ReturnType<typeof useOrderFilters> }) {
  const t = useTexts(pageTexts)
  const f = useTexts(filterTexts)
  const title = usePaymentOrderTitle()
  const navigate = useNavigate()
  const [typed, setTyped] = useState(filters.last4)
  const type = (text: string) => {
    const clean = text.trim().toUpperCase()
    if (ORDER_NO.test(clean)) return void navigate({ to: '/orders/$orderNo', params: { orderNo: clean } })
    if (!/^[0-9A-Z]{0,4}$/.test(clean)) return
    setTyped(clean)
    filters.setLast4(clean)
  }
  return (
    <div className="mb-4 grid gap-3">
      <Segmented
        label={f('filter_status')}
        value={filters.status}
        onChange={filters.setStatus}
        className="justify-self-start"
        items={[{ value: ANY, label: f('filter_all') }, ...ORDER_FILTERS.map((value) => ({ value, label: f(FILTER_TEXT[value]) }))]}
      />
      <div className="grid gap-3 desktop:grid-cols-[minmax(0,220px)_minmax(0,180px)_minmax(0,220px)_1fr] mobile:grid-cols-2">
        <PickField
          label={f('filter_type')}
          value={filters.type}
          onChange={filters.setType}
          options={[{ value: ANY, label: f('type_all') }, ...TYPES.map((one) => ({ value: String(one), label: title(one) }))]}
        />
        <PickField
          label={f('filter_period')}
          value={filters.period}
          onChange={filters.setPeriod}
          options={[
            { value: ANY, label: f('period_all') },
            ...Object.entries(PERIODS).map(([value, key]) => ({ value, label: f(key) })),
            { value: 'own', label: f('period_own') },
          ]}
        />
        <TextField
          label={f('filter_last4')}
          placeholder={f('filter_last4_hint')}
          fieldClassName="mobile:col-span-2"
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => type(event.target.value)}
        />
      </div>
      {filters.period === 'own' ? (
        <div className="grid gap-3 desktop:grid-cols-[minmax(0,220px)_minmax(0,220px)] mobile:grid-cols-2">
          <TextField
            label={t('from')}
            type="date"
            value={filters.from}
            max={filters.to || undefined}
            onChange={(event) => filters.setFrom(event.target.value)}
          />
          <TextField
            label={t('to')}
            type="date"
            value={filters.to}
            min={filters.from || undefined}
            error={filters.isBackwards ? t('range_bad') : undefined}
            onChange={(event) => filters.setTo(event.target.value)}
          />
        </div>
      ) : null}
    </div>
  )
}

export function ClearFilters({ onClear }: { readonly onClear: () => void }) {
  const t = useTexts(pageTexts)
  const navigate = useNavigate()
  return (
    <Button
      variant="secondary"
      onClick={() => {
        void navigate({ to: '/orders', search: {}, replace: true }).then(onClear)
      }}
    >
      {t('clear')}
    </Button>
  )
}
