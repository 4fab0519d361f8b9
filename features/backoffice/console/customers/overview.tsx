import { Link } from '@tanstack/react-router'
import { Gift, KeyRound, LogOut, RotateCcw, Users } from 'lucide-react'
import { useState, lazy, Suspense } from 'react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { TIMELINE_KINDS } from '../../contract-customers.console.ts'
import { CommandButton } from '../kit/command/command-button.tsx'
import { FactList } from '../kit/marks.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { ConsolePanel } from '../kit/page.tsx'
import { useConsoleFormatter } from '../kit/format.ts'
import { useMoneyWord } from '../orders/words.ts'
import type { Customer } from './customer.ts'
import { customersApi } from './customers-api.ts'
import { NotesPanel } from './notes-panel.tsx'
import { customerTexts } from './texts.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'
import { CUSTOMERS_LOT_TEXT, CUSTOMERS_KIND_TEXT } from './state-texts.ts'
import { Badge } from '#ui/badge.tsx'
import { useHasPermission } from '../kit/use-me.ts'
import { modelsApi } from '../prices/use-draft.ts'

const STATE_TEXT = { cancelled: 'state_cancelled', holds: 'state_holds', planned: 'state_planned', over: 'state_over' } as const

const TermsForm = lazy(() => import('./terms-form.tsx').then((module) => ({ default: module.TermsForm })))
const TONES = { holds: 'success', planned: 'info', over: 'neutral', cancelled: 'neutral' } as const

/** Prices negotiated with a customer: current, planned (can be cancelled) and past. */
function PriceTerms({ customer: { userId, name } }: { readonly customer: Customer }) {
  const t = useTexts(customerTexts)
  const may = useHasPermission()
  const nameOf = useOperatorName()
  const [isAdding, setAdding] = useState(false)
  const [isPast, setPast] = useState(false)
  const read = useQuery({ queryKey: ['customer-terms', userId], queryFn: ({ signal }) => modelsApi.customerTerms({ userId }, { signal }) })
  const rows = read.data?.rows ?? []
  const live = rows.filter(({ state }) => state === 'holds' || state === 'planned')
  const about = name || userId
  return (
    <ConsolePanel title={t('terms_title')}>
      {read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : null}
      {read.isPending ? <SkeletonRows rows={2} /> : null}
      {read.data && !live.length ? <p className="py-1 text-13 text-fg-3">{t('none')}</p> : null}
      <ul className="divide-y divide-line">
        {(isPast ? rows : live).map((row) => (
          <li key={row.id} className="py-2 text-13">
            <p className="flex flex-wrap items-center gap-x-2">
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{row.model ?? t('allModels')}</span>
              <span className="num font-semibold">{row.percent}%</span>
              <Badge tone={TONES[row.state]}>{t(STATE_TEXT[row.state])}</Badge>
            </p>
            <p className="text-12 text-fg-3 [overflow-wrap:anywhere]">{t('line', { title: row.title, at: displayTime(row.from), name: nameOf(row.madeBy) })}</p>
            {row.state === 'planned' ? (
              <CommandButton name="price.terms-cancel" input={{ user: userId, title: row.title }} about={about} word={t('cancel')} />
            ) : null}
          </li>
        ))}
      </ul>
      <div className="mt-1 flex flex-wrap gap-x-4 text-13">
        {may('prices.change') && read.data ? (
          <button type="button" className="link" onClick={() => setAdding(true)}>
            {t('add')}
          </button>
        ) : null}
        {rows.length > live.length ? (
          <button type="button" className="link" aria-expanded={isPast} onClick={() => setPast((old) => !old)}>
            {t('past')}
          </button>
        ) : null}
      </div>
      {isAdding && read.data ? (
        <Suspense fallback={null}>
          <TermsForm user={userId} about={about} noticeDays={read.data.noticeDays} onClose={() => setAdding(false)} onDone={() => void read.refetch()} />
        </Suspense>
      ) : null}
    </ConsolePanel>
  )
}

const CUSTOMER_COMMANDS = [
  { name: 'account.end-sessions', Icon: LogOut },
  { name: 'account.reset-pay-tries', Icon: RotateCcw },
  { name: 'account.reset-factors', Icon: KeyRound },
] as const

export function CustomerOverview({ customer }: { readonly customer: Customer }) {
  const t = useTexts(customerTexts)
  const word = useMoneyWord()
  return (
    <div className="grid grid-cols-[minmax(300px,420px)_minmax(280px,1fr)_minmax(220px,270px)] items-start gap-6 px-5 py-5 max-[1100px]:grid-cols-2 mobile:grid-cols-1 mobile:px-4">
      <div className="grid grid-cols-1 gap-4">
        <Balance customer={customer} />
        <CustomerTotals customer={customer} />
      </div>
      <CustomerTimeline userId={customer.userId} />
      <div className="grid grid-cols-1 gap-4">
        <ConsolePanel title={t('signals')}>
          <div className="[&>ul]:grid-cols-1">
            <FactList facts={customer.facts.map(({ key, tone, value }) => ({ key, tone, text: word('fact', key).replace('{value}', value) }))} />
          </div>
        </ConsolePanel>
        <NotesPanel customer={customer} />
        <PriceTerms customer={customer} />
        <ConsolePanel title={t('acts')}>
          <CommandButton
            look="line"
            name="credit.grant"
            word={t('grant')}
            input={{ user: customer.userId }}
            about={customer.name || customer.userId}
            icon={<Gift size={14} strokeWidth={1.75} aria-hidden="true" />}
          />
          <Link
            to={`/risk?open=${customer.userId}`}
            className="flex min-h-9 items-center gap-2.5 border-b border-line text-13 text-inherit no-underline hover:text-brand-text"
          >
            <Users size={14} strokeWidth={1.75} aria-hidden="true" />
            {t('toInviter')}
          </Link>
          {CUSTOMER_COMMANDS.map(({ name, Icon }) => (
            <CommandButton
              key={name}
              look="line"
              name={name}
              input={{ user: customer.userId }}
              about={customer.name || customer.userId}
              icon={<Icon size={14} strokeWidth={1.75} aria-hidden="true" />}
            />
          ))}
        </ConsolePanel>
      </div>
    </div>
  )
}

/** The balance as a receipt that adds up: sources, holds, remainder. */
function Balance({ customer: { balance, lots, lotsMore, holds } }: { readonly customer: Customer }) {
  const t = useTexts(customerTexts)
  const holdWord = (purpose: string) =>
    /withdraw/.test(purpose) ? t('hold_withdrawal') : /lease|call|gateway/.test(purpose) ? t('hold_gateway') : t('hold_other', { purpose })
  const small = (value: string) => <span className="text-13">{value}</span>
  return (
    <Receipt look="inline" label={t('balanceTitle')}>
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-14 font-bold">{t('balanceTitle')}</h2>
        <p className="text-12 text-fg-3">{t('balanceNote', { n: balance.entries })}</p>
      </div>
      <ReceiptRule className="my-2" />
      {lots.length ? (
        <table className="w-full text-13 tabular">
          <thead>
            <tr className="text-12 text-fg-3">
              <th className="text-left font-normal">{t('lotSource')}</th>
              <th className="pl-3 text-right font-normal">{t('lotThen')}</th>
              <th className="pl-3 text-right font-normal">{t('lotLeft')}</th>
            </tr>
          </thead>
          <tbody>
            {lots.map((lot) => (
              <tr key={lot.id} className="align-top">
                <td className="py-0.5">
                  <span className={lot.kind === 'granted' ? 'text-warning' : ''}>{t(resolveTextKey(CUSTOMERS_LOT_TEXT, lot.kind))}</span>{' '}
                  <span className="num">{lot.orderNo ?? ''}</span>
                  <span className="block text-12 text-fg-3">
                    {displayTime(lot.at, 'day')}
                    {lot.expiresAt ? `, ${t('lotExpires', { at: displayTime(lot.expiresAt, 'day') })}` : ''}
                  </span>
                </td>
                <td className="num py-0.5 pl-3 text-right text-fg-3">{displayUsd(lot.amount)}</td>
                <td className="num py-0.5 pl-3 text-right font-semibold">{displayUsd(lot.left)}</td>
              </tr>
            ))}
            {lotsMore.count ? (
              <tr>
                <td className="py-0.5 text-fg-3" colSpan={2}>
                  {t('lotsMore', { n: lotsMore.count })}
                </td>
                <td className="num py-0.5 pl-3 text-right">{displayUsd(lotsMore.left)}</td>
              </tr>
            ) : null}
          </tbody>
        </table>
      ) : null}
      <ReceiptRule className="my-2" />
      <ReceiptRow label={small(t('posted'))} value={small(displayUsd(balance.posted))} />
      {holds.map((hold) => (
        <ReceiptRow key={hold.id} label={small(holdWord(hold.purpose))} value={small(displayUsd(`-${hold.amount}`))} />
      ))}
      {balance.debt === '0' ? null : <ReceiptRow label={<span className="text-13 text-danger">{t('debt')}</span>} value={small(displayUsd(balance.debt))} />}
      <ReceiptRule className="my-2" />
      <ReceiptRow strong label={t('available')} value={displayUsd(balance.available)} note={t('withdrawable', { amount: displayUsd(balance.withdrawable) })} />
    </Receipt>
  )
}

function CustomerTotals({ customer: { balance } }: { readonly customer: Customer }) {
  const t = useTexts(customerTexts)
  const sums = [
    [t('rewards'), balance.rewards, ''],
    [t('recharged'), balance.recharged, t('lessRefunds')],
    [t('spent'), balance.spent, t('lessRefunds')],
  ] as const
  return (
    <dl className="card grid grid-cols-3 divide-x divide-line">
      {sums.map(([name, value, note]) => (
        <div key={name} className="px-3.5 py-2.5">
          <dt className="text-12 text-fg-2">{name}</dt>
          <dd className="num text-14 font-semibold">{displayUsd(value)}</dd>
          <dd className="text-12 text-fg-3">{note}</dd>
        </div>
      ))}
    </dl>
  )
}

const PAGE = 30

/** The customer's timeline, newest first. */
function CustomerTimeline({ userId }: { readonly userId: string }) {
  const t = useTexts(customerTexts)
  const say = useConsoleFormatter()
  const word = useMoneyWord()
  const nameOf = useOperatorName()
  const [kind, setKind] = useState<'all' | (typeof TIMELINE_KINDS)[number]>('all')
  const query = useInfiniteQuery({
    queryKey: ['customer-timeline', userId, kind],
    queryFn: ({ pageParam, signal }) =>
      customersApi.customerTimeline({ userId, limit: PAGE, ...(kind === 'all' ? {} : { kind }), ...(pageParam ? { after: pageParam } : {}) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? []
  const textOf = (what: string) => {
    const [thing = '', event = ''] = what.split('.')
    if (thing === 'order') return word('state', event)
    if (thing === 'withdrawal') return `${say.subject('withdrawal:').trim()} ${word('wstate', event)}`
    return say.action(what)
  }
  return (
    <section aria-label={t('timeline')} className="min-w-0">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-14 font-bold">{t('timeline')}</h2>
        <Segmented
          label={t('timeline')}
          value={kind}
          onChange={setKind}
          items={(['all', ...TIMELINE_KINDS] as const).map((one) => ({ value: one, label: t(CUSTOMERS_KIND_TEXT[one]) }))}
        />
      </div>
      {query.isError && !rows.length ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.isPending ? <SkeletonRows rows={8} /> : rows.length ? null : <p className="py-6 text-center text-fg-3">{t('nothingYet')}</p>}
      <ol>
        {rows.map((row) => (
          <li key={row.id} className="grid grid-cols-[84px_14px_minmax(0,1fr)] gap-2 pb-2.5 text-13">
            <time dateTime={row.at} title={displayTime(row.at, 'second')} className="num text-right text-12 leading-5 text-fg-2">
              {displayTime(row.at).slice(5)}
            </time>
            <span
              className={`mt-1.5 size-2 justify-self-center rounded-full ${row.kind === 'operator' ? 'bg-warning' : row.kind === 'money' ? 'bg-brand' : 'bg-control'}`}
              aria-hidden="true"
            />
            <div className="min-w-0">
              <p className="font-medium">
                {textOf(row.what)} {row.amount ? <span className="num">{displayUsd(row.amount)}</span> : null}
              </p>
              <p className="truncate text-12 text-fg-3">
                {row.kind === 'operator' ? nameOf(row.actor) : say.subject(row.target)}
                {row.note ? ` · ${row.note}` : ''}
              </p>
            </div>
          </li>
        ))}
      </ol>
      {query.hasNextPage ? (
        <button type="button" className="link ml-[114px]" onClick={() => void query.fetchNextPage()}>
          {t('older')}
        </button>
      ) : null}
    </section>
  )
}
