import { CircleCheck, CircleHelp, CircleX, KeyRound, Loader } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Time, displayTime } from '#platform/web/time.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { modelTexts } from '../prices/texts.ts'
import type { UpstreamDetail } from './types.ts'

const TEST_TEXT = { unknown: 'test_unknown', waiting: 'test_waiting', failed: 'test_failed', done: 'test_done', calling: 'test_calling' } as const

type Test = UpstreamDetail['tests'][number]
const TEST_ICONS = {
  waiting: [Loader, 'text-fg-3'],
  calling: [Loader, 'text-fg-3'],
  done: [CircleCheck, 'text-success'],
  failed: [CircleX, 'text-danger'],
  unknown: [CircleHelp, 'text-warning'],
} as const

/** The upstream's API key (last four characters, who set it and when) and its commands. */
export function UpstreamKeyLine({ upstream: { id, key, fromEnvironment } }: { readonly upstream: UpstreamDetail }) {
  const t = useTexts(modelTexts)
  const nameOf = useOperatorName()
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2 text-13">
      <KeyRound size={14} strokeWidth={1.75} className="shrink-0 text-fg-3" aria-hidden="true" />
      <span className="min-w-0 text-fg-2">
        {key ? t('keyBy', { last4: key.last4 || '••••', name: nameOf(key.by), at: displayTime(key.at) }) : t('keyFromEnvironment')}
      </span>
      <span className="ml-auto flex flex-wrap gap-2">
        {key ? (
          <CommandButton
            name="upstream.retire-key"
            input={{ upstreamId: id }}
            about={id}
            reasonCode="maintenance"
            word={t('retireKey')}
            variant="ghost"
            danger
            warning={t('retireKeyNote')}
          />
        ) : null}
        {fromEnvironment ? null : (
          <CommandButton
            name="upstream.set-key"
            input={{ upstreamId: id }}
            about={`${id} · ${t('setKeyNote')}`}
            reasonCode="maintenance"
            word={t(key ? 'replaceKey' : 'setKey')}
            variant="ghost"
          />
        )}
        <CommandButton
          name="upstream.test"
          input={{ upstreamId: id }}
          about={`${id} · ${t('testNote')}`}
          reasonCode="maintenance"
          word={t('test')}
          variant="ghost"
        />
      </span>
    </div>
  )
}

/** The newest test calls: result, latency and our cost. */
export function UpstreamTests({ tests }: { readonly tests: readonly Test[] }) {
  const t = useTexts(modelTexts)
  if (!tests.length) return null
  return (
    <ul className="divide-y divide-line border-t border-line" aria-label={t('tests')}>
      {tests.map((test) => (
        <UpstreamTest key={test.id} test={test} />
      ))}
    </ul>
  )
}

function UpstreamTest({ test }: { readonly test: Test }) {
  const t = useTexts(modelTexts)
  const nameOf = useOperatorName()
  const [Icon, tone] = TEST_ICONS[test.state]
  const facts = [
    test.status === null ? '' : `HTTP ${test.status}`,
    test.latencyMs === null ? '' : `${test.latencyMs} ms`,
    test.cost === null ? '' : t(test.isMost ? 'testCostMost' : 'testCost', { cost: displayUsd(test.cost) }),
  ].filter(Boolean)
  return (
    <li className="px-4 py-2 text-13">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Icon size={14} strokeWidth={1.75} className={`shrink-0 ${tone}`} aria-hidden="true" />
        <span className={tone}>{t(TEST_TEXT[test.state])}</span>
        <span className="num">{test.model}</span>
        <span className="num text-fg-2">{facts.join(' · ')}</span>
        <span className="ml-auto text-12 text-fg-3">
          {nameOf(test.by)} <Time at={test.at} />
        </span>
      </p>
      {test.answer ? (
        <details>
          <summary className="cursor-pointer py-1 text-12 text-fg-3">{t('testAnswer')}</summary>
          <pre className="num mt-1 max-h-40 overflow-auto rounded-card bg-sunken p-2 text-12 whitespace-pre-wrap [overflow-wrap:anywhere]">{test.answer}</pre>
        </details>
      ) : null}
    </li>
  )
}
