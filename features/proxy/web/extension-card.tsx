import { Download, Puzzle } from 'lucide-react'
import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Button, getButtonClass } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Countdown, formatClock } from '#ui/time/countdown.tsx'
import { toast } from '#ui/layers/toast.ts'
import { proxyTexts } from '../texts.ts'
import { proxyApi, useExtensions, useProxyRefresh } from './use-proxy.ts'

const CODE_SECONDS = 300

/** Card of the extension: download link, sign-in code, and signed-in browsers. */
export function ExtensionCard() {
  const t = useTexts(proxyTexts)
  return (
    <section aria-labelledby="extension" className="card p-5">
      <div className="flex items-start gap-4">
        <span className="flex size-10 shrink-0 items-center justify-center rounded-control bg-brand-soft text-brand-text">
          <Puzzle size={20} strokeWidth={1.75} aria-hidden="true" />
        </span>
        <div className="min-w-0 flex-1">
          <h2 id="extension" className="text-16 font-bold">
            {t('extensionTitle')}
          </h2>
          <p className="mt-0.5 text-14 text-fg-2">{t('extensionAbout')}</p>
        </div>
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <a className={getButtonClass('secondary')} href="/extension/mingxi-proxy.zip" download>
          <Download size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('extensionDownload')}
        </a>
        <CodeButton />
      </div>
      <Browsers />
    </section>
  )
}

function CodeButton() {
  const t = useTexts(proxyTexts)
  const [given, setGiven] = useState<{ code: string; expiresTime: string }>()
  const { run, isRunning } = useSubmit()
  const get = async () => {
    const problem = await run(async () => setGiven(await proxyApi.extensionCode({})))
    if (problem) toast.warning(isApiError(problem) ? problem.message : t('networkNotDone'))
  }
  if (!given)
    return (
      <Button variant="secondary" loading={isRunning} onClick={() => void get()}>
        {t('extensionCode')}
      </Button>
    )
  return (
    <div className="w-full rounded-card border border-line bg-sunken p-4" role="status">
      <p className="text-13 text-fg-2">{t('extensionType')}</p>
      <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="num text-28 font-semibold tracking-[0.12em]">{`${given.code.slice(0, 4)} ${given.code.slice(4)}`}</span>
        <CopyButton text={given.code} label={t('networkCopy', { what: t('extensionCode') })} />
      </p>
      <div className="mt-2">
        <Countdown
          until={Date.parse(given.expiresTime)}
          of={CODE_SECONDS}
          label={t('extensionOnce')}
          say={(seconds) => formatClock(seconds)}
          onEnd={() => setGiven(undefined)}
        />
      </div>
    </div>
  )
}

function Browsers() {
  const t = useTexts(proxyTexts)
  const refresh = useProxyRefresh()
  const { data } = useExtensions()
  if (!data?.rowList.length) return null
  const remove = async (id: string) => {
    await proxyApi.extensionRemove({ id }).catch((error: unknown) => toast.warning(isApiError(error) ? error.message : t('networkNotDone')))
    refresh()
  }
  return (
    <ul aria-label={t('extensionBrowsers')} className="mt-4 divide-y divide-line border-t border-line">
      {data.rowList.map(({ id, name, seenTime }) => (
        <li key={id} className="flex items-center gap-3 py-2.5">
          <div className="min-w-0 flex-1">
            <p className="truncate text-14 font-medium">{name}</p>
            <p className="text-12 text-fg-3">{t('extensionSeen', { time: displayTime(seenTime) })}</p>
          </div>
          <Button variant="ghost" size="sm" onClick={() => void remove(id)}>
            {t('extensionRemove')}
          </Button>
        </li>
      ))}
    </ul>
  )
}
