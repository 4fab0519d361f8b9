import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import type { PackageInfo } from '../contract.ts'
import { browserTexts } from '../texts.ts'
import { browserApi } from './browser-api.ts'
import { useAct } from './use-browser.ts'

/** The client's token: shown once, replaced by a press that says what it ends. */
export function TokenCard({ info }: { readonly info: PackageInfo }) {
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
