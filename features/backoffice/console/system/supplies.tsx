import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Spark } from '#ui/figures/spark.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { systemContract } from '../../contract-system.console.ts'
import { ConsolePanel } from '../kit/page.tsx'
import { pollWhileAttended } from '../kit/use-me.ts'
import { systemApi } from './system-api.ts'
import { systemTexts } from './texts.ts'

type Supplies = ReplyOf<(typeof systemContract)['supplies']>
type Source = Supplies['sources'][number]
const BARS = 28

/** Balances at suppliers and channels with their last 14 days, and the expiry of certificates. */
export function SuppliesPanels() {
  const t = useTexts(systemTexts)
  const read = useQuery({ queryKey: ['supplies'], queryFn: ({ signal }) => systemApi.supplies({}, { signal }), refetchInterval: pollWhileAttended(60_000) })
  const wait = read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : <SkeletonRows rows={2} />
  return (
    <>
      <ConsolePanel title={t('balances')} note={t('balancesNote')}>
        {read.data ? <Balances sources={read.data.sources} /> : wait}
      </ConsolePanel>
      <ConsolePanel title={t('certificates')} note={t('certificatesNote')}>
        {read.data ? <Certificates certificates={read.data.certificates} /> : wait}
      </ConsolePanel>
    </>
  )
}

function Balances({ sources }: { readonly sources: readonly Source[] }) {
  const t = useTexts(systemTexts)
  if (!sources.length) return <p className="text-13 text-fg-3">{t('balancesNone')}</p>
  return (
    <>
      <ul className="divide-y divide-line">
        {sources.map((source) => (
          <li key={source.source} className="grid grid-cols-1 gap-1 py-2 text-13">
            {source.balances.map((one) => (
              <BalanceLine key={one.currency} source={source.source} one={one} />
            ))}
            {source.balances.length ? null : <span className="num">{source.source}</span>}
            {source.failingSince ? (
              <p className="flex flex-wrap items-center gap-2 text-12 text-danger">
                <Badge tone="danger">{t('unread')}</Badge>
                {t('unreadSince', { at: displayTime(source.failingSince), problem: source.problem ?? '' })}
              </p>
            ) : null}
          </li>
        ))}
      </ul>
      <Link to="/settings" search={{ open: 'backoffice.balanceFloors' }} className="link mt-2 inline-block text-13">
        {t('editFloors')}
      </Link>
    </>
  )
}

/** Bar chart, newest bar last: each bar is the last point of its period; empty where no balance was known. */
function buildBars(points: Source['balances'][number]['points']): number[] {
  const step = Math.max(1, Math.ceil(points.length / BARS))
  const known = points.filter((_, at) => (points.length - 1 - at) % step === 0).map(({ amount: text }) => Math.max(0, Number(text)))
  return [...Array<number>(Math.max(0, BARS - known.length)).fill(0), ...known]
}

function BalanceLine({ source, one }: { readonly source: string; readonly one: Source['balances'][number] }) {
  const t = useTexts(systemTexts)
  const amount = `${one.currency} ${one.amount}`
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span className="min-w-0 flex-1">
        <span className="num block truncate">{source}</span>
        {one.floor ? <span className="text-12 text-fg-3">{t('floorOf', { floor: one.floor })}</span> : null}
      </span>
      <Spark values={buildBars(one.points)} label={t('pathOf', { source, currency: one.currency, amount: one.amount })} />
      <strong className={`num min-w-28 text-right font-semibold ${one.isLow ? 'text-danger' : ''}`}>{amount}</strong>
      {one.isLow ? <Badge tone="danger">{t('low')}</Badge> : null}
    </div>
  )
}

function Certificates({ certificates }: { readonly certificates: Supplies['certificates'] }) {
  const t = useTexts(systemTexts)
  if (!certificates.length) return <p className="text-13 text-fg-3">{t('certificatesNone')}</p>
  return (
    <ul className="divide-y divide-line">
      {certificates.map(({ name, issuer, expiresAt, days, isSoon, failingSince, problem }) => (
        <li key={name} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-13">
          <span className="min-w-0 flex-1">
            <span className="num block [overflow-wrap:anywhere] whitespace-normal">{name}</span>
            <span className="text-12 text-fg-3">{issuer}</span>
          </span>
          {expiresAt ? <span className="num text-fg-2">{t('expiresOn', { day: displayTime(expiresAt, 'day') })}</span> : null}
          {days === null ? null : <Badge tone={isSoon ? 'danger' : 'success'}>{t('daysLeft', { n: days })}</Badge>}
          {failingSince ? (
            <span className="basis-full text-12 text-danger">{t('unreadSince', { at: displayTime(failingSince), problem: problem ?? '' })}</span>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
