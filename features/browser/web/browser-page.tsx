import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import type { Translate } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { browserTexts } from '../texts.ts'
import { useBrowserInfo, useAct, useAccounts } from './use-browser.ts'
import { useState } from 'react'
import { displayTime, Time } from '#platform/web/time.tsx'
import { Button, getButtonClass } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import type { PackageInfo, OverseaAccount } from '../contract.ts'
import { browserApi } from './browser-api.ts'
import { Apple, Download, Monitor } from 'lucide-react'
import { openSupport } from '#platform/web/state/support.ts'
import { Badge } from '#ui/badge.tsx'
import { displayUsd } from '#platform/web/money.tsx'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import type { TextKeyOf } from '#platform/shared/texts.ts'

const KINDS = { none: 'browserNone', trial: 'browserKindTrial', package: 'browserKindPackage', single: 'browserKindSingle' } as const
const DAY_S = 86_400
type TranslateBrowser = Translate<TextKeyOf<typeof browserTexts>>

/** The current package with its end, and the offers with their prices. */
function PackageTicket({ info }: { readonly info: PackageInfo }) {
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

/** E-mail accounts that come with packages: order, progress, and retry after a failure. */
function AccountsCard() {
  const t = useTexts(browserTexts)
  const { act, isRunning } = useAct()
  const { data } = useAccounts()
  if (!data) return null
  return (
    <section aria-labelledby="browser-mail" className="card p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 flex-[1_1_260px]">
          <h2 id="browser-mail" className="text-16 font-bold">
            {t('browserMail')}
          </h2>
          <p className="mt-0.5 text-14 text-fg-2">{data.allowed > 0 ? t('browserMailAbout', { allowed: data.allowed }) : t('browserMailNone')}</p>
        </div>
        {data.left > 0 && data.rows[0]?.state !== 'failed' ? (
          <Button variant="secondary" loading={isRunning} onClick={() => void act(async () => void (await browserApi.fastemailApply({})))}>
            {t('browserMailAsk', { left: data.left })}
          </Button>
        ) : null}
      </div>
      {data.rows.length ? (
        <ul className="mt-4 divide-y divide-line border-t border-line">
          {data.rows.map((row, at) => (
            <Row key={row.id} row={row} canAsk={data.left > 0 && at === 0} />
          ))}
        </ul>
      ) : null}
    </section>
  )
}

const NOTES = { asked: 'browserMailMaking', ready: 'browserMailPassword' } as const
const TONES: Readonly<Record<string, 'brand' | 'danger' | 'info'>> = { asked: 'info', ready: 'brand', failed: 'danger' }

function Row({ row, canAsk }: { readonly row: OverseaAccount; readonly canAsk: boolean }) {
  const t = useTexts(browserTexts)
  const { act, isRunning } = useAct()
  const note = row.cause || (row.state in NOTES ? t(NOTES[row.state as keyof typeof NOTES]) : '')
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <div className="min-w-0 flex-[1_1_220px]">
        <p className="flex items-center gap-1 text-14 font-medium">
          <span className="min-w-0 [overflow-wrap:anywhere]">{row.address || t('browserMail')}</span>
          {row.address ? <CopyButton text={row.address} iconOnly label={t('browserMailCopy')} /> : null}
        </p>
        {note ? <p className="text-13 text-fg-2">{note}</p> : null}
        <p className="text-12 text-fg-3">
          <Time at={row.createdTime} />
        </p>
      </div>
      <Badge tone={TONES[row.state] ?? 'neutral'}>{row.stateName}</Badge>
      {row.state === 'ready' ? (
        <Button size="sm" variant="secondary" onClick={() => openSupport()}>
          {t('browserMailChat')}
        </Button>
      ) : null}
      {row.state === 'failed' && canAsk ? (
        <Button size="sm" variant="secondary" loading={isRunning} onClick={() => void act(async () => void (await browserApi.reprocess({ id: row.id })))}>
          {t('browserMailAgain')}
        </Button>
      ) : null}
    </li>
  )
}

type File = NonNullable<PackageInfo['files']['windows']>

const formatSize = (bytes: number) => `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`

/** One tile per system. A file without a URL is shown as missing, not as a disabled button. */
function Downloads({ files }: { readonly files: PackageInfo['files'] }) {
  const t = useTexts(browserTexts)
  return (
    <div className="grid grid-cols-2 gap-4 mobile:grid-cols-1">
      <Tile name="Windows" needs={t('browserWindows')} file={files.windows} Icon={Monitor} />
      <Tile name="macOS" needs={t('browserMac')} file={files.macos} Icon={Apple} />
    </div>
  )
}

function Tile({ name, needs, file, Icon }: { readonly name: string; readonly needs: string; readonly file: File | null; readonly Icon: typeof Monitor }) {
  const t = useTexts(browserTexts)
  return (
    <section aria-label={name} className="card flex min-w-0 flex-col p-5">
      <div className="flex items-center gap-3">
        <Icon size={22} strokeWidth={1.75} aria-hidden="true" className={file ? 'text-fg' : 'text-fg-3'} />
        <div className="min-w-0">
          <h2 className="text-16 font-bold">{name}</h2>
          <p className="text-13 text-fg-2">{needs}</p>
        </div>
      </div>
      {file ? (
        <>
          <p className="num mt-4 text-13 text-fg-2">{t('browserVersion', { version: file.version, size: formatSize(file.bytes) })}</p>
          <a className={getButtonClass('secondary', 'md', 'mt-2')} href={file.url} rel="noreferrer">
            <Download size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('browserDownload')}
          </a>
          <div className="mt-4 border-t border-dashed border-line pt-3">
            <div className="flex items-center justify-between gap-2">
              <span className="text-12 text-fg-3">{t('browserHash')}</span>
              <CopyButton text={file.sha256} iconOnly label={t('browserCopyHash')} />
            </div>
            <p className="font-mono text-12 [overflow-wrap:anywhere]">{file.sha256}</p>
            <p className="mt-1 text-12 text-fg-3">{t('browserHashWhy')}</p>
          </div>
        </>
      ) : (
        <p className="mt-4 text-14 text-fg-3">{t('browserNoFile')}</p>
      )}
    </section>
  )
}

/** The client's token: shown once; a button replaces it after a warning. */
function TokenCard({ info }: { readonly info: PackageInfo }) {
  const t = useTexts(browserTexts)
  const [token, setToken] = useState<string>()
  const { act, isRunning } = useAct()
  const live = info.kind !== 'none'
  const get = async () => {
    if (info.tokenTime && !(await confirm({ title: t('browserTokenAsk'), body: t('browserTokenAskBody'), action: t('browserTokenNew') }))) return
    await act(async () => setToken((await browserApi.authToken({})).token))
  }
  const note = info.usedTime
    ? t('browserTokenUsed', { time: displayTime(info.usedTime) })
    : info.tokenTime
      ? t('browserTokenUnused', { time: displayTime(info.tokenTime) })
      : ''
  return (
    <section aria-labelledby="browser-token" className="card p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 flex-[1_1_260px]">
          <h2 id="browser-token" className="text-16 font-bold">
            {t('browserToken')}
          </h2>
          <p className="mt-0.5 text-14 text-fg-2">{t(live ? 'browserTokenAbout' : info.tokenTime ? 'browserTokenKept' : 'browserTokenLater')}</p>
          {note ? <p className="mt-1 text-13 text-fg-3">{note}</p> : null}
        </div>
        <Button variant="secondary" disabled={!live} loading={isRunning} onClick={() => void get()}>
          {t(info.tokenTime ? 'browserTokenNew' : 'browserTokenGet')}
        </Button>
      </div>
      {token ? (
        <div className="mt-4 flex flex-wrap items-center gap-3 rounded-card border border-line bg-sunken p-4" role="status">
          <code className="min-w-0 flex-[1_1_260px] text-13 [overflow-wrap:anywhere]">{token}</code>
          <CopyButton text={token} label={t('browserTokenCopy')} />
        </div>
      ) : null}
    </section>
  )
}

/** /browser: downloads with hashes, the live package, the client's token, and the e-mail accounts that come with a package. */
export function BrowserPage() {
  const t = useTexts(browserTexts)
  useTitle(t('browserTitle'))
  const mobile = useIsMobile()
  const { data, isError, error, refetch } = useBrowserInfo()
  if (isError && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <header className="mb-6">
        <h1 className="text-20 font-bold">{t('browserTitle')}</h1>
        <p className="mt-1 max-w-2xl text-14 text-fg-2">{t('browserAbout')}</p>
      </header>
      {data ? (
        <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,420px)] items-start gap-10 mobile:grid-cols-1 mobile:gap-7">
          <div className="grid gap-6">
            {data.isOffered ? null : (
              <AlertBox kind="info" title={t('browserNotOffered')}>
                {t('browserNotOfferedBody')}
              </AlertBox>
            )}
            {data.isOffered && mobile ? (
              <AlertBox kind="info" title={t('browserPhoneTitle')}>
                {t('browserPhone')}
              </AlertBox>
            ) : null}
            <Downloads files={data.files} />
            <TokenCard info={data} />
            <AccountsCard />
          </div>
          <div className="mobile:order-first">
            <PackageTicket info={data} />
          </div>
        </div>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,420px)] gap-10 mobile:grid-cols-1" aria-busy="true">
          <Skeleton className="h-96" />
          <Skeleton className="h-80" />
        </div>
      )}
    </>
  )
}
