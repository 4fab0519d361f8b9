import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { CodeBlock } from '#ui/code-block.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Stamp } from '#ui/stamp.tsx'
import { gatewayTexts } from '../../texts.ts'
import { KeyHosts } from '../keys/key-hosts.tsx'
import { useKeyDialogs } from '../keys/key-dialogs.ts'
import { buildKeySnippets, KEY_PLACEHOLDER } from '../keys/snippets.ts'
import { useGatewayBalance, useModelPrices, useSummary } from '../queries.ts'

/** Clients with a help article, the most used first. */
const CLIENTS = [
  ['cherry-studio', 'Cherry Studio'],
  ['cc-switch', 'CC Switch'],
  ['claude-code', 'Claude Code'],
  ['codex', 'Codex'],
  ['cursor', 'Cursor'],
  ['cline', 'Cline'],
  ['open-webui', 'Open WebUI'],
  ['dify', 'Dify'],
] as const

/** Onboarding in four steps, from no key to the first answer. Real data completes the steps; the last one completes when the call arrives. */
export function StartPage({ titleId, onNext }: { readonly titleId: string; readonly onNext: () => void }) {
  const t = useTexts(gatewayTexts)
  const openCreate = useKeyDialogs((state) => state.openCreate)
  const balance = useGatewayBalance().data?.balance
  const [waiting, setWaiting] = useState(true)
  const summary = useSummary(waiting)
  const hasKey = summary.data?.hasKey ?? false
  const hasCall = summary.data?.hasCall ?? false
  const isFresh = useTurnedTrue(summary.data && hasCall)
  useEffect(() => setWaiting(!hasCall), [hasCall])
  return (
    <div className="mx-auto grid w-full max-w-190 grid-cols-1 gap-6">
      <div>
        <h1 id={titleId} className="text-20 font-bold">
          {t('tab_start')}
        </h1>
        <p className="mt-1 text-14 text-fg-2">{t('startLead')}</p>
      </div>
      {summary.error ? <ErrorState error={summary.error} onRetry={() => void summary.refetch()} /> : null}
      <ol className="grid grid-cols-1">
        <Step number={1} title={t('startCreate')} note={t('startCreateNote')} done={hasKey}>
          <Button variant={hasKey ? 'secondary' : 'primary'} onClick={openCreate}>
            {t(hasKey ? 'startCreateMore' : 'createKey')}
          </Button>
        </Step>
        <Step number={2} title={t('startCopy')} note={t('startCopyNote')} done={hasCall} />
        <Step number={3} title={t('startPaste')} note={t('startPasteNote')} done={hasCall}>
          <Addresses />
          <p className="mt-4 text-13 text-fg-3">{t('startClients')}</p>
          <ul className="mt-1.5 flex flex-wrap gap-2">
            {CLIENTS.map(([slug, name]) => (
              <li key={slug}>
                <Link to="/help/$slug" params={{ slug }} className={getButtonClass('secondary', 'sm')}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </Step>
        <Step number={4} title={t('startCall')} note={t('startCallNote')} done={hasCall} isLast>
          <Snippets />
          <div className="mt-3 flex min-h-9 flex-wrap items-center gap-3 text-14" aria-live="polite">
            {hasCall ? (
              <>
                {isFresh ? <Stamp fresh text={t('stepDone')} className="mr-2" /> : null}
                <span className="text-success">{t('stepCallDone')}</span>
                <Link to="/api" search={{ tab: 'requests' }} className={getButtonClass('ghost', 'sm')}>
                  {t('startSee')}
                </Link>
              </>
            ) : (
              <span className="inline-flex items-center gap-2 text-fg-2">
                <span className="size-2 rounded-full bg-brand ring-3 ring-brand-soft" aria-hidden="true" />
                {t('startWait')}
              </span>
            )}
          </div>
        </Step>
      </ol>
      <div className="flex flex-wrap items-center gap-3 border-t border-line pt-5">
        <Button variant={hasCall ? 'primary' : 'secondary'} onClick={onNext}>
          {t('startNext')}
        </Button>
        <Link to="/help/$slug" params={{ slug: 'errors' }} className={getButtonClass('ghost')}>
          {t('startErrors')}
        </Link>
      </div>
      <KeyHosts balance={balance} />
    </div>
  )
}

/** True once `now` has become true while the page was open. */
function useTurnedTrue(now: boolean | undefined): boolean {
  const seen = useRef<boolean | undefined>(undefined)
  const [turned, setTurned] = useState(false)
  useEffect(() => {
    if (seen.current === false && now) setTurned(true)
    if (now !== undefined) seen.current = now
  }, [now])
  return turned
}

interface StepProps {
  readonly number: number
  readonly title: string
  readonly note: string
  readonly done: boolean
  readonly isLast?: boolean
  readonly children?: ReactNode
}

function Step({ number, title, note, done, isLast = false, children }: StepProps) {
  const t = useTexts(gatewayTexts)
  return (
    <li className="grid grid-cols-[24px_minmax(0,1fr)] gap-x-4 mobile:gap-x-3">
      <span className="flex flex-col items-center" aria-hidden="true">
        <span
          className={`num inline-flex size-6 shrink-0 items-center justify-center rounded-full text-13 font-semibold ${done ? 'bg-brand text-on-brand' : 'bg-sunken text-fg-2'}`}
        >
          {done ? <Check size={14} strokeWidth={2.5} /> : number}
        </span>
        {isLast ? null : <span className="w-px flex-1 bg-line" />}
      </span>
      <div className={isLast ? '' : 'pb-7'}>
        <h2 className="text-16 leading-6 font-semibold">
          {title}
          {done ? <span className="sr-only"> {t('stepDone')}</span> : null}
        </h2>
        <p className="mt-0.5 text-14 text-fg-2">{note}</p>
        {children ? <div className="mt-3">{children}</div> : null}
      </div>
    </li>
  )
}

/** Base URLs, because each kind of client requires a different form. */
function Addresses() {
  const t = useTexts(gatewayTexts)
  const { origin } = location
  return (
    <dl className="divide-y divide-line rounded-card border border-line bg-surface">
      {(
        [
          ['startOpenai', `${origin}/v1`],
          ['startAnthropic', origin],
          ['startGemini', origin],
        ] as const
      ).map(([key, address]) => (
        <div key={key} className="py-1 pr-1 pl-4 desktop:flex desktop:items-center desktop:gap-3 mobile:pt-2.5 mobile:pl-3.5">
          <dt className="shrink-0 text-13 text-fg-2 desktop:w-44">{t(key)}</dt>
          <dd className="flex min-w-0 flex-1 items-center justify-between gap-2">
            <code className="num min-w-0 text-13 [overflow-wrap:anywhere] whitespace-normal">{address}</code>
            <CopyButton iconOnly text={address} label={t(key)} className="shrink-0" />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Snippets() {
  const t = useTexts(gatewayTexts)
  const rows = (useModelPrices().data?.rowList ?? []).filter((row) => row.kind === 'chat' && row.lifecycle === 'active')
  const words = { other: t('otherClients'), base: t('snippetBase'), key: t('snippetKey'), models: t('snippetModels') }
  const snippets = buildKeySnippets(location.origin, KEY_PLACEHOLDER, { words, models: rows.map((row) => row.modelValue) })
  return <CodeBlock label={t('snippets')} snippets={snippets} remembered />
}
