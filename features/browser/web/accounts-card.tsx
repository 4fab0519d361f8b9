import { useTexts } from '#platform/web/i18n.ts'
import { openSupport } from '#platform/web/state/support.ts'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import type { OverseaAccount } from '../contract.ts'
import { browserTexts } from '../texts.ts'
import { browserApi } from './browser-api.ts'
import { useAccounts, useAct } from './use-browser.ts'

/** E-mail accounts that come with packages: asked for, made by a person, made again where it failed. */
export function AccountsCard() {
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
