import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Button, getButtonClass } from '#ui/button.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { toast } from '#ui/layers/toast.ts'
import { Meter } from '#ui/figures/meter.tsx'
import type { FlexUse } from '../contract.ts'
import { findPackageExtension, findFlexPackage } from '../packages.ts'
import type { FlexService } from '../packages.ts'
import { flexTexts } from '../texts.ts'
import { useUsageWindows } from './use-flex.ts'
import { useFlexOrder } from './use-order.ts'
import { storeValue } from '#platform/web/state/storage.ts'
import { openWindow } from '#ui/open-window.ts'
import { rewriteShareUrl } from '../share-url.ts'
import { flexApi } from './flex-api.ts'

interface EnterOutcome {
  readonly how: 'opened' | 'blocked' | 'unsafe'
  /** Password that the chat page may ask for; empty if it asks for none. */
  readonly secret: string
}

/** Opens the shared account in a new window. The click itself opens it, so no popup blocker interferes, and it gets no reference to this page. */
async function openSharedPage(use: FlexUse, service: FlexService): Promise<EnterOutcome> {
  const opened = openWindow('about:blank')
  try {
    const ask = findFlexPackage(use.shareType ?? 0)?.trial ? flexApi.shareTrialUrl : flexApi.shareUrl
    const { shareUrl, hostDigits, chatSecret, expiresTime } = await ask({ platform: use.platformId, service })
    const digit = crypto.getRandomValues(new Uint8Array(1))[0]! % 10
    const url = rewriteShareUrl(shareUrl, { service, ...(hostDigits ? { digit } : {}) })
    if (url === undefined) {
      opened?.close()
      return { how: 'unsafe', secret: '' }
    }
    if (chatSecret) storeValue('chatSecret', chatSecret, Math.max(1000, Date.parse(expiresTime) - Date.now()))
    if (!opened) return { how: 'blocked', secret: chatSecret }
    opened.opener = null
    opened.location.replace(url)
    return { how: 'opened', secret: chatSecret }
  } catch (error) {
    opened?.close()
    throw error
  }
}

const NAMES = { chatgpt: 'ChatGPT', chatgptVoice: 'ChatGPT', claude: 'Claude', sora: 'Sora' } as const

/** Current subscriptions: the links to enter, the messages left, the end date. */
export function InUse({ uses }: { readonly uses: readonly FlexUse[] }) {
  const t = useTexts(flexTexts)
  const shown = uses.filter(({ useStatus, isPending }) => useStatus === 1 || isPending)
  // A combined package is listed once, under its own name.
  const own = shown.filter((use, at) => shown.findLastIndex(({ taskId }) => taskId === use.taskId) === at)
  if (!own.length) return null
  return (
    <section aria-labelledby="flex-in-use" className="mb-8">
      <h2 id="flex-in-use" className="mb-3 text-16 font-semibold">
        {t('inUse')}
      </h2>
      <div className="grid gap-4 desktop:grid-cols-2">
        {own.map((use) => (
          <UseCard key={use.taskId} use={use} />
        ))}
      </div>
    </section>
  )
}

function UseCard({ use }: { readonly use: FlexUse }) {
  const t = useTexts(flexTexts)
  const { busy, extend } = useFlexOrder()
  const [secret, setSecret] = useState('')
  const used = use.useStatus === 1
  const extension = used && use.shareType !== null ? findPackageExtension(use.shareType) : undefined
  return (
    <article className="card flex flex-col gap-4 p-5" aria-label={use.name}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="text-16 font-semibold">{use.name}</h3>
        {use.isPending ? <Badge tone="info">{t(used ? 'adding' : 'settingUp')}</Badge> : null}
        {used ? <p className="text-13 text-fg-2">{t('usedUntil', { date: use.expireDate.replaceAll('.', '-'), days: use.remainDay })}</p> : null}
      </div>
      {used ? <Windows use={use} /> : <p className="text-14 text-fg-2">{t('setUp')}</p>}
      {used && !use.isOn ? <AlertBox kind="warning" title={t('off', { name: use.label })} /> : null}
      {secret ? (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13 text-fg-2" role="status">
          {t('secretNote')} <b className="num text-14 text-fg">{secret}</b> <CopyButton text={secret} label={t('secretCopy')} />
        </p>
      ) : null}
      {used && use.isOn ? (
        <div className="mt-auto flex flex-wrap gap-3 mobile:[&>*]:flex-1 mobile:[&>:first-child]:basis-full">
          <Enter use={use} onSecret={setSecret} />
          {use.hasVoiceRoom ? (
            <Link to="/voice" className={getButtonClass('secondary')}>
              {t('voiceRoomEnter')}
            </Link>
          ) : null}
          {extension ? (
            <Button variant="secondary" loading={busy !== undefined} onClick={() => void extend(use.platformId, `${use.name} · ${t('extend')}`)}>
              {t('extend')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </article>
  )
}

function Windows({ use }: { readonly use: FlexUse }) {
  const t = useTexts(flexTexts)
  const windows = useUsageWindows(use)
  if (!windows.data) return <div className="h-10" />
  if (windows.data.rowList === null) return <p className="text-13 text-fg-3">{t('windowAway')}</p>
  return (
    <div className="flex flex-col gap-4">
      {windows.data.rowList.map(({ service, used, allowed, resetTime }) => (
        <Meter
          key={service}
          label={windows.data.rowList!.length > 1 ? `${NAMES[service]} · ${t('window')}` : t('window')}
          used={used}
          of={allowed}
          share={allowed > 0 ? used / allowed : 0}
          note={resetTime === null ? t('windowNone') : t('windowReset', { time: displayTime(resetTime).slice(11) })}
        />
      ))}
    </div>
  )
}

/** One button per service; voice next to its chat. */
function Enter({ use, onSecret }: { readonly use: FlexUse; readonly onSecret: (secret: string) => void }) {
  const t = useTexts(flexTexts)
  const [busy, setBusy] = useState<FlexService>()
  const enter = async (service: FlexService) => {
    setBusy(service)
    try {
      const { how, secret } = await openSharedPage(use, service)
      onSecret(secret)
      if (how === 'unsafe') toast.warning(t('badUrl'))
    } catch (error) {
      toast.warning(isApiError(error) ? error.message : t('readFailed'))
    } finally {
      setBusy(undefined)
    }
  }
  return use.services.map((service) => (
    <Button
      key={service}
      variant={service === 'chatgptVoice' ? 'secondary' : 'primary'}
      loading={busy === service}
      disabled={busy !== undefined && busy !== service}
      onClick={() => void enter(service)}
    >
      {service === 'chatgptVoice' ? t('voice') : t('enter', { name: NAMES[service] })}
    </Button>
  ))
}
