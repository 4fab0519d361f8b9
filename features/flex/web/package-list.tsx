import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { Button } from '#ui/button.tsx'
import { Leader } from '#ui/receipt.tsx'
import type { FlexPrice, FlexUse } from '../contract.ts'
import { findFlexPackage, isPackageRenewal } from '../packages.ts'
import { flexTexts } from '../texts.ts'
import { useFlexOrder } from './use-order.ts'

const PERIOD_TEXT = { 0: 'period_0', 1: 'period_1', 2: 'period_2' } as const

const NAMES = { 1: 'ChatGPT', 2: 'Claude', 3: '', 6: 'Sora' } as const

interface ListProps {
  readonly prices: readonly FlexPrice[]
  readonly uses: readonly FlexUse[]
  readonly inviteCode: string
}

/** Packages of one platform as lines of a till list: what it gives, how long, what it costs, one button. */
export function PackageList({ prices, uses, inviteCode }: ListProps) {
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
  /** The one that most people want: the page has one accent. */
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

/** Why it cannot be had now stands in the button's place. */
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
