import { useTexts } from '#platform/web/i18n.ts'
import type { Translate } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import type { PackageInfo } from '../contract.ts'
import { browserTexts } from '../texts.ts'
import { browserApi } from './browser-api.ts'
import { useAct } from './use-browser.ts'

const KINDS = { none: 'browserNone', trial: 'browserKindTrial', package: 'browserKindPackage', single: 'browserKindSingle' } as const
const DAY_S = 86_400
type TranslateBrowser = Translate<keyof (typeof browserTexts)['zh']>

/** The current package with its end, and the offers with their prices. */
export function PackageTicket({ info }: { readonly info: PackageInfo }) {
  const t = useTexts(browserTexts)
  const live = info.kind !== 'none'
  const left =
    info.remainingTime >= 2 * DAY_S
      ? t('browserDays', { days: Math.ceil(info.remainingTime / DAY_S) })
      : t('browserHours', { hours: Math.ceil(info.remainingTime / 3600) })
  return (
    <Receipt look="inline" label={t('browserNow')}>
      <p className="flex items-center gap-2.5 text-16 font-bold">
        {live ? <span className="size-2 rounded-full bg-brand ring-4 ring-brand-soft" aria-hidden="true" /> : null}
        {live || !info.last ? t(KINDS[info.kind]) : translateTitle(t, info.last)}
      </p>
      {live ? (
        <>
          <p className="num mt-3 text-28 font-semibold">{left}</p>
          <ReceiptRule />
          {info.startedTime ? <ReceiptRow label={t('browserStarted')} value={displayTime(info.startedTime)} /> : null}
          {info.expiryDate ? <ReceiptRow label={t('browserUntil')} value={displayTime(info.expiryDate)} /> : null}
        </>
      ) : info.last ? (
        <Last last={info.last} />
      ) : null}
      <ReceiptRule />
      {live ? null : <ReceiptRow label={t('browserTrialRow', { days: info.trial.days })} value={t(info.trial.isLeft ? 'browserFree' : 'browserTrialUsed')} />}
      <ReceiptRow label={t('browserPackageRow', { days: info.package.days })} value={displayUsd(info.package.price)} />
      <p className="mt-2 text-12 text-fg-3">{t('browserJoins')}</p>
      {info.isOffered && info.last?.state !== 'making' ? <Begin info={info} live={live} /> : null}
    </Receipt>
  )
}

type LastPackage = NonNullable<PackageInfo['last']>
const OVER = { trial: 'browserOverTrial', package: 'browserOverPackage', single: 'browserOverSingle' } as const

const translateTitle = (t: TranslateBrowser, { kind, state }: LastPackage): string =>
  t(state === 'ended' ? OVER[kind] : state === 'making' ? 'browserMaking' : 'browserFailed')

/** The task that waits to begin, or the end of the newest one with its refund. */
function Last({ last: { kind, state, time, amount } }: { readonly last: LastPackage }) {
  const t = useTexts(browserTexts)
  if (state === 'ended') return <ReceiptRow className="mt-2" label={t('browserEnded')} value={displayTime(time)} />
  const failed = kind === 'trial' ? t('browserFailedTrial') : t('browserFailedNote', { amount: displayUsd(amount) })
  return (
    <p className="mt-2 text-14 text-fg-2" role="status">
      {state === 'making' ? t('browserMakingNote') : failed}
    </p>
  )
}

function Begin({ info, live }: { readonly info: PackageInfo; readonly live: boolean }) {
  const t = useTexts(browserTexts)
  const { act, isRunning } = useAct()
  const price = displayUsd(info.package.price)
  const buy = () =>
    act(async () => {
      const { pay } = await browserApi.packageApply({ amount: info.package.price })
      if (pay) openDialog('recharge', { ask: { ...pay, what: t('browserPackageRow', { days: info.package.days }) } })
    })
  return (
    <div className="mt-4 grid gap-3">
      {info.trial.isLeft ? (
        <Button size="lg" block loading={isRunning} onClick={() => void act(async () => void (await browserApi.activateTrial({})))}>
          {t('browserTryIt', { days: info.trial.days })}
        </Button>
      ) : null}
      <Button size="lg" block variant={info.trial.isLeft ? 'secondary' : 'primary'} loading={isRunning} onClick={() => void buy()}>
        {live ? t('browserMore', { days: info.package.days, price }) : t('browserBuy', { price })}
      </Button>
    </div>
  )
}
