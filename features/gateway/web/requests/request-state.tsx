import { Ban, CircleCheck, CircleX, Unplug } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import type { RequestRow, RequestState } from '../../contract-requests.ts'
import { gatewayTexts } from '../../texts.ts'
import { getCauseTexts } from './causes.ts'
import { GATEWAY_STATE_TEXT } from '../../state-texts.ts'

const ICONS = { completed: CircleCheck, client_gone: Unplug, upstream_failed: CircleX, upstream_cut: CircleX, refused: Ban } as const
const TONES = {
  completed: 'text-success',
  client_gone: 'text-warning',
  upstream_failed: 'text-danger',
  upstream_cut: 'text-danger',
  refused: 'text-fg-2',
} as const satisfies Record<RequestState, string>

/** How a call ended, and why where it did not end well. */
export function RequestStateCell({ row }: { readonly row: Pick<RequestRow, 'state' | 'status' | 'cause' | 'amount'> }) {
  const t = useTexts(gatewayTexts)
  const Icon = ICONS[row.state]
  const why =
    row.state === 'refused'
      ? `${row.status} ${t(getCauseTexts(row.cause).why)}`
      : row.state === 'completed'
        ? ''
        : `${row.status === 200 ? '' : `${row.status} `}${row.amount === '0' ? t('notCharged') : t('chargedPart')}`
  return (
    <span className="block text-13">
      <span className={`inline-flex items-center gap-1.5 font-medium ${TONES[row.state]}`}>
        <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
        {t(GATEWAY_STATE_TEXT[row.state])}
      </span>
      {why ? <span className="block text-12 text-fg-3">{why}</span> : null}
    </span>
  )
}
