import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { servicesDeskContract, DeskRow } from '#features/services/contract.console.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { serviceDeskTexts } from './texts.ts'

type Task = ReplyOf<(typeof servicesDeskContract)['deskTask']>

/** Price of a task and where the money is held; for a card, the amount already charged. */
export function TaskAmount({ row: { amount, card, phase } }: { readonly row: DeskRow }) {
  const t = useTexts(serviceDeskTexts)
  if (!card) return amount === '0' ? <span>{t('free')}</span> : <span className="num">{displayUsd(amount)}</span>
  const isOver = phase === 'done' || phase === 'failed'
  const where = isOver || card.taken !== '0' ? t('takenOf', { last4: card.last4, taken: displayUsd(card.taken) }) : t('onCard', { last4: card.last4 })
  return (
    <span className="num">
      {displayUsd(amount)} <span className="text-fg-3">{where}</span>
    </span>
  )
}

const BYTES = new Set(['upBytes', 'downBytes'])
const formatSize = (bytes: string) => (Number(bytes) < 1e9 ? `${(Number(bytes) / 1e6).toFixed(1)} MB` : `${(Number(bytes) / 1e9).toFixed(2)} GB`)

const REFUSED = /^(refusal$|refused_)/

/** Why a task was refused or waits. Shown first, because that is what the customer asks about. */
export function TaskRefusals({ task: { facts, calls } }: { readonly task: Task }) {
  const t = useTexts(serviceDeskTexts)
  const say = useConsoleFormatter()
  const told = [
    ...Object.entries(facts)
      .filter(([name]) => REFUSED.test(name))
      .toSorted(([, a], [, b]) => (Number(b) || Infinity) - (Number(a) || Infinity))
      .map(([name, value]) => ({ name: say.fact(name), value: name === 'refusal' ? value : t('timesN', { n: value }) })),
    ...calls.flatMap(({ supplier, verb, refused }) => (refused ? [{ name: t('refusedBy', { supplier, verb }), value: say.reason(refused) }] : [])),
  ]
  if (!told.length) return null
  return (
    <section aria-label={t('refusals')} className="mb-4 rounded-card border border-line bg-sunken p-3 text-13">
      <h3 className="font-semibold text-warning">{t('refusals')}</h3>
      <dl className="mt-1 grid gap-y-1">
        {told.map(({ name, value }) => (
          <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt>{name}</dt>
            <dd className="num min-w-0 text-right whitespace-normal [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export function TaskFacts({ facts }: { readonly facts: Task['facts'] }) {
  const say = useConsoleFormatter()
  return (
    <dl className="grid grid-cols-1 gap-y-1 text-13">
      {Object.entries(facts)
        .filter(([name]) => !REFUSED.test(name))
        .map(([name, value]) => (
          <div key={name} className="flex items-baseline justify-between gap-4">
            <dt className="shrink-0 text-fg-3">{say.fact(name)}</dt>
            <dd className="flex min-w-0 items-center gap-1 text-right [&>button]:shrink-0">
              <span className="num whitespace-normal [overflow-wrap:anywhere]">{BYTES.has(name) ? formatSize(value) : say.value(value, name)}</span>
              <CopyButton text={value} iconOnly />
            </dd>
          </div>
        ))}
    </dl>
  )
}
