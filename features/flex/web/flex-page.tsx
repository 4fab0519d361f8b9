import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { onPaid } from '#platform/web/state/paid.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { useTitle } from '#platform/web/title.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { findFlexPackage, isPackageRenewal } from '../packages.ts'
import type { TabKey } from '../packages.ts'
import { flexTexts } from '../texts.ts'
import { InUse } from './in-use.tsx'
import { refreshFlex, useFlex, useFlexPrices, useRefreshOnChange, useFlexRecords } from './use-flex.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { displayUsd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import type { ServiceTask } from '#features/services/contract.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { Leader } from '#ui/receipt.tsx'
import type { FlexPrice, FlexUse } from '../contract.ts'
import { useFlexOrder } from './use-order.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

const PERIOD_TEXT = { 0: 'period_0', 1: 'period_1', 2: 'period_2' } as const

const NAMES = { 1: 'ChatGPT', 2: 'Claude', 3: '', 6: 'Sora' } as const

interface ListProps {
  readonly prices: readonly FlexPrice[]
  readonly uses: readonly FlexUse[]
  readonly inviteCode: string
}

/** Packages of one platform as rows: contents, duration, price, one button. */
function PackageList({ prices, uses, inviteCode }: ListProps) {
  const order = useFlexOrder()
  const main = prices.find(({ period }) => period === 1)?.id
  return (
    <ul className="-mt-6">
      {prices.map((price) => (
        <Line key={price.id} isMain={price.id === main} price={price} uses={uses} inviteCode={inviteCode} order={order} />
      ))}
    </ul>
  )
}

interface LineProps extends Omit<ListProps, 'prices'> {
  readonly price: FlexPrice
  /** The most popular package, highlighted as the page's only accent. */
  readonly isMain: boolean
  readonly order: ReturnType<typeof useFlexOrder>
}

function Line({ price, isMain, uses, inviteCode, order }: LineProps) {
  const t = useTexts(flexTexts)
  const kind = price.trial ? t('trial') : price.extends.length ? t('extension') : t(PERIOD_TEXT[price.period])
  const [only] = price.messages
  const spanOf = ({ least, most }: { readonly least: number; readonly most: number }) => (least === most ? String(most) : `${least}–${most}`)
  const messages =
    price.messages.length > 1 || !only
      ? t('perWindowEach', { each: price.messages.map((each) => `${NAMES[each.platformId]} ${spanOf(each)}`).join(' + ') })
      : only.least === only.most
        ? t('perWindowOne', only)
        : t('perWindow', only)
  return (
    <li className="grid items-baseline gap-x-6 gap-y-2 border-b border-line py-4 desktop:grid-cols-[minmax(0,240px)_minmax(0,1fr)_112px]">
      <div className="min-w-0">
        <h3 className="text-16 font-semibold">{price.name}</h3>
        <p className="text-13 text-fg-3">
          {kind} · {t('days', { days: price.days })}
        </p>
      </div>
      <p className="receipt-row text-14">
        <span className="min-w-0 text-fg-2">
          {messages}
          {price.seats === 'few' ? <span className="text-warning"> · {t('few')}</span> : null}
        </span>
        <Leader />
        <span className="shrink-0">
          {price.discount === '0' ? null : <s className="num mr-2 text-fg-3">{displayUsd(price.price)}</s>}
          <span className="num text-16 font-semibold">{price.trial ? t('priceFree') : displayUsd(price.total)}</span>
        </span>
      </p>
      <PackageAction price={price} isMain={isMain} uses={uses} inviteCode={inviteCode} order={order} />
    </li>
  )
}

/** The reason why it is unavailable replaces the button. */
function PackageAction({ price, isMain, uses, inviteCode, order }: LineProps) {
  const t = useTexts(flexTexts)
  const signedIn = useSignedIn()
  const wanted = findFlexPackage(price.id)!
  const here = uses.filter(({ platformId, useStatus, isPending }) => price.platformIds.includes(platformId) && (useStatus === 1 || isPending))
  const renewable = here.some(({ shareType, useStatus }) => useStatus === 1 && shareType !== null && isPackageRenewal(wanted, shareType))
  const used = price.trial && uses.some(({ platformId, isPlatformNewUser }) => price.platformIds.includes(platformId) && !isPlatformNewUser)
  const why = used ? 'trialUsed' : price.extends.length > 0 && !renewable && signedIn ? 'extensionFor' : undefined
  if (why) return <span className="text-13 text-fg-3 desktop:text-right">{t(why)}</span>
  if (here.length && !renewable) return <span className="text-13 text-fg-3 desktop:text-right">{t('usedOther')}</span>
  if (price.seats === 'none' && !renewable) return <span className="text-13 text-fg-3 desktop:text-right">{t('soldOut')}</span>
  const word = t(price.trial ? 'try' : price.extends.length ? 'addTime' : renewable ? 'renewThis' : 'buy')
  const press = () =>
    signedIn ? void order.buy(price.id, inviteCode, price.name) : openDialog('auth', { mode: 'login', redirect: `/gpt-plus-share?tab=${price.tabKey}` })
  return (
    <Button
      size="sm"
      variant={isMain && !here.length ? 'primary' : 'secondary'}
      className="mobile:w-full"
      loading={order.busy === String(price.id)}
      disabled={order.busy !== undefined && order.busy !== String(price.id)}
      aria-label={`${word} ${price.name}`}
      onClick={press}
    >
      {word}
    </Button>
  )
}

const DAY_MS = 86_400_000
const TONES: Readonly<Record<ServiceTask['phase'], Tone>> = { draft: 'neutral', waiting: 'info', using: 'brand', done: 'neutral', failed: 'warning' }

/** Past orders, newest first; renders nothing if there are none. */
function FlexRecords() {
  const t = useTexts(flexTexts)
  const [page, setPage] = useState(1)
  const { data } = useFlexRecords(page, true)
  if (!data?.totalRecord) return null
  return (
    <section aria-labelledby="flex-records" className="mt-10">
      <h2 id="flex-records" className="mb-3 text-16 font-semibold">
        {t('records')}
      </h2>
      <ul className="border-t border-line">
        {data.rowList.map((row) => (
          <li key={row.id} className="flex flex-wrap items-baseline gap-x-5 gap-y-1 border-b border-line py-3 text-14">
            <Time at={row.createdTime} className="text-13 text-fg-3" />
            <span className="min-w-40 flex-1">{row.productName}</span>
            <span className="flex flex-wrap items-baseline gap-2">
              <Badge tone={TONES[row.phase]}>{row.stateName}</Badge>
              {row.phase === 'failed' ? <span className="text-13 text-fg-3">{row.causeName}</span> : null}
            </span>
            <RecordMoney row={row} />
          </li>
        ))}
      </ul>
      {data.totalPage > 1 ? (
        <div className="mt-4 flex items-center gap-3">
          <Button variant="secondary" size="sm" disabled={page <= 1} onClick={() => setPage(page - 1)}>
            {t('newer')}
          </Button>
          <span className="num text-13 text-fg-2">
            {page} / {data.totalPage}
          </span>
          <Button variant="secondary" size="sm" disabled={page >= data.totalPage} onClick={() => setPage(page + 1)}>
            {t('older')}
          </Button>
        </div>
      ) : null}
    </section>
  )
}

/** Recent failure of the newest order, and its effect on the money. */
function FailureReason() {
  const t = useTexts(flexTexts)
  const newest = useFlexRecords(1, true).data?.rowList[0]
  const isBad = newest && newest.cause !== 'not_paid' && (newest.phase === 'failed' || newest.returned !== '0')
  if (!isBad || !newest.finishedTime || Date.now() - Date.parse(newest.finishedTime) > DAY_MS) return null
  const { productName, causeName, stateName, returned, amount } = newest
  const money = returned !== '0' ? t('endReturned', { amount: displayUsd(returned) }) : amount === '0' ? '' : t('endReleased', { amount: displayUsd(amount) })
  return (
    <AlertBox kind="warning" className="mb-8" title={t('endTitle', { name: productName, why: causeName || stateName })}>
      {money}
      {t('endNext')}
    </AlertBox>
  )
}

/** Strikes through an amount that was never charged. */
function RecordMoney({ row }: { readonly row: ServiceTask }) {
  const t = useTexts(flexTexts)
  const back = row.money === 'released'
  return (
    <span className="num ml-auto min-w-20 text-right">
      {back ? <s className="text-fg-3">{displayUsd(row.amount)}</s> : row.amount === '0' ? t('priceFree') : displayUsd(row.amount)}
      {row.returned === '0' ? null : <span className="block text-13 text-fg-3">{t('moneyReturned', { amount: displayUsd(row.returned) })}</span>}
    </span>
  )
}

interface InviteCodeFieldProps {
  /** The selected tab, from the URL. */
  readonly code: string
  readonly state: '' | 'taken' | 'unknown' | 'used'
  readonly onUse: (code: string) => void
}

/** Field for an invitation code with a discount; its result is shown below. */
function InviteCodeField({ code: used, state, onUse }: InviteCodeFieldProps) {
  const t = useTexts(flexTexts)
  const [typed, setTyped] = useState(used)
  const code = typed.trim().toUpperCase()
  const isCode = /^[0-9A-Z]{3,10}$/.test(code)
  return (
    <form
      className="flex items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isCode || code === '') onUse(code) // an empty code removes it
      }}
    >
      <TextField
        fieldClassName="min-w-0 flex-1"
        label={t('codeLabel')}
        hint={state === 'taken' ? t('codeTaken') : t('codeHint')}
        error={state === 'unknown' ? t('codeUnknown') : state === 'used' ? t('codeUsed') : undefined}
        value={typed}
        maxLength={10}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" variant="secondary" className="mt-7" disabled={!isCode && (code !== '' || used === '')}>
        {t('codeUse')}
      </Button>
    </form>
  )
}

const TAB_TEXT = { claude: 'tab_claude', chatgpt: 'tab_chatgpt', sora: 'tab_sora', combined: 'tab_combined' } as const satisfies Record<
  TabKey,
  TextKeyOf<typeof flexTexts>
>

const TABS: readonly TabKey[] = ['chatgpt', 'claude', 'combined', 'sora']
const FLEX_ORDER = 9
const RULES = ['rule1', 'rule2', 'rule3', 'rule4'] as const

/** /gpt-plus-share: current subscriptions, the offer, and past orders. Visitors see the offer. */
export function FlexPage() {
  const t = useTexts(flexTexts)
  useTitle(t('page'))
  const signedIn = useSignedIn()
  const [asked, setTab] = useQueryParam<string>('tab', 'chatgpt')
  const [code, setCode] = useQueryParam<string>('invite', '')
  const tab = TABS.find((key) => key === asked) ?? 'chatgpt'
  const prices = useFlexPrices(code)
  const rows = useFlex(signedIn).data?.rowList
  const uses = rows ?? []
  useRefreshOnChange(rows)
  useEffect(() => onPaid(({ orderType }) => (orderType === FLEX_ORDER ? refreshFlex() : undefined)), [])
  return (
    <section aria-labelledby="flex-title">
      <h1 id="flex-title" className="text-20 font-bold">
        {t('page')}
      </h1>
      <p className="mb-6 mt-1 max-w-[46em] text-14 text-fg-2">
        {t('lead')}{' '}
        <Link to={'/service/flex' as string} className="link">
          {t('landingLink')}
        </Link>
      </p>
      {signedIn ? <FailureReason /> : null}
      <InUse uses={uses} />
      {prices.isError && !prices.data ? (
        <ErrorState error={prices.error} title={t('readFailed')} onRetry={() => void prices.refetch()} />
      ) : !prices.data ? (
        <Skeleton className="h-96" />
      ) : (
        <div className="grid gap-x-12 gap-y-8 desktop:grid-cols-[minmax(0,1fr)_300px]">
          <div className="min-w-0">
            {prices.data.isFullBuying ? null : <AlertBox kind="warning" title={t('fullNote')} className="mb-5" />}
            <h2 className="sr-only">{t('tabs')}</h2>
            <Tabs
              label={t('tabs')}
              value={tab}
              onChange={setTab}
              items={TABS.map((key) => ({
                value: key,
                label: t(TAB_TEXT[key]),
                panel: (
                  <PackageList
                    prices={prices.data.rowList.filter(({ tabKey }) => tabKey === key)}
                    uses={uses}
                    inviteCode={prices.data.code === 'taken' ? code : ''}
                  />
                ),
              }))}
            />
            <p className="mt-4 text-13 text-fg-3">{t('compare', prices.data.compared)}</p>
          </div>
          <aside className="flex flex-col gap-8">
            <InviteCodeField code={code} state={prices.data.code} onUse={setCode} />
            <div>
              <h2 className="text-14 font-semibold">{t('rules')}</h2>
              <ul className="mt-2 list-disc space-y-1.5 pl-5 text-14 text-fg-2">
                {RULES.map((rule) => (
                  <li key={rule}>{t(rule)}</li>
                ))}
              </ul>
            </div>
          </aside>
        </div>
      )}
      {signedIn ? <FlexRecords /> : null}
    </section>
  )
}
