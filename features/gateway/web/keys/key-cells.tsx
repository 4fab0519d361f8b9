import { TriangleAlert } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import { Usd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Badge, type Tone } from '#ui/badge.tsx'
import type { ApiKeyRow } from '../../contract.ts'
import { gatewayTexts } from '../../texts.ts'
import { formatKeyTime, resolveApiKeyState } from './key-state.ts'

const KEY_STATE_TEXT = {
  deleted: 'keyState_deleted',
  active: 'keyState_active',
  disabled: 'keyState_disabled',
  paused: 'keyState_paused',
  rotating: 'keyState_rotating',
  used: 'keyState_used',
  nearly: 'keyState_nearly',
  expired: 'keyState_expired',
  expires: 'keyState_expires',
  idle: 'keyState_idle',
} as const

/** Name and masked key. The mask cannot be copied: the secret is shown once, when the key is created. */
export function KeyName({ row }: { readonly row: ApiKeyRow }) {
  return (
    <span className="block max-w-72 py-0.5 desktop:min-w-40">
      <span className={`block [overflow-wrap:anywhere] ${row.status === 'deleted' ? 'font-normal text-fg-3 line-through' : 'font-semibold'}`}>
        {row.keyName}
      </span>
      <code className="num block text-12 font-normal text-fg-3">{row.apiToken}</code>
    </span>
  )
}

/** Formats the amount with the decimal places of its column, so that it lines up; zero keeps two. */
export function KeySpend({ amount, places }: { readonly amount: string; readonly places: number }) {
  return amount === '0' ? (
    <Usd value="0" places={2} figure={FIGURES['key.days30']} className="text-fg-3" />
  ) : (
    <Usd value={amount} figure={FIGURES['key.days30']} places={places} className="font-semibold" />
  )
}

export function KeyLastUse({ row }: { readonly row: ApiKeyRow }) {
  const t = useTexts(gatewayTexts)
  if (row.lastUseAt === null) return <span className="text-fg-3">{t('keyNeverUsed')}</span>
  const { day, text } = formatKeyTime(row.lastUseAt, Date.now())
  return (
    <span className="text-13 whitespace-nowrap">
      <time dateTime={row.lastUseAt} title={displayTime(row.lastUseAt, 'second')}>
        {day === 'yesterday' ? `${t('yesterday')} ` : null}
        <span className="num">{text}</span>
      </time>
      {row.lastFrom ? <span className="num block text-12 text-fg-3">{row.lastFrom}</span> : null}
    </span>
  )
}

const TONES = {
  active: 'success',
  deleted: 'neutral',
  disabled: 'neutral',
  paused: 'danger',
  rotating: 'info',
  used: 'danger',
  nearly: 'warning',
  expired: 'danger',
  expires: 'neutral',
  idle: 'neutral',
} as const satisfies Record<ReturnType<typeof resolveApiKeyState>['kind'], Tone>

export function KeyStateBadge({ row }: { readonly row: ApiKeyRow }) {
  const t = useTexts(gatewayTexts)
  const state = resolveApiKeyState(row, Date.now())
  const values = 'day' in state ? { day: state.day.slice(5) } : 'days' in state ? { days: state.days } : undefined
  const warns = state.kind === 'nearly' || state.kind === 'used'
  const badge = (
    <Badge tone={TONES[state.kind]} icon={warns ? <TriangleAlert size={12} strokeWidth={2} aria-hidden="true" /> : undefined}>
      {t(KEY_STATE_TEXT[state.kind], values)}
    </Badge>
  )
  if (state.kind !== 'paused' || row.pausedAt === null) return badge
  return (
    <>
      {badge}
      <span className="block text-12 whitespace-nowrap text-fg-3">{t('keyPausedSince', { at: formatKeyTime(row.pausedAt, Date.now()).text })}</span>
    </>
  )
}
