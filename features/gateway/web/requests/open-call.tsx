import { CircleDashed } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { VendorDot } from '../vendors/vendor-dot.tsx'
import type { OpenApiCall } from '../../contract-requests.ts'
import { gatewayTexts } from '../../texts.ts'
import { formatElapsedSeconds } from '../figures.ts'
import { ReceiptFact } from './call-receipt.tsx'
import { NoContentStored } from './no-content-stored.tsx'
import { useElapsed } from './use-open-calls.ts'

/** State of a call under way, with the amount set aside for it. */
export function OpenCallState({ held }: { readonly held: string }) {
  const t = useTexts(gatewayTexts)
  return (
    <span className="block text-13">
      <span className="inline-flex items-center gap-1.5 font-medium text-info">
        <CircleDashed size={14} strokeWidth={1.75} aria-hidden="true" />
        {t('state_in_progress')}
      </span>
      <span className="num block text-12 text-fg-3">{t('openHeld', { amount: displayUsd(held, 4) })}</span>
    </span>
  )
}

interface ElapsedProps {
  readonly startedAt: string
  /** Difference of this clock from the server's, in milliseconds. */
  readonly ahead: number
}

/** Elapsed time, updated once a second; hidden from screen readers. */
export function Elapsed({ startedAt, ahead }: ElapsedProps) {
  return (
    <span className="num" aria-live="off">
      {formatElapsedSeconds(useElapsed(startedAt, ahead))}
    </span>
  )
}

/** Details of a call under way. No items exist before it ends, so this is not a receipt. */
export function OpenCallDetail({ call, ahead }: { readonly call: OpenApiCall; readonly ahead: number }) {
  const t = useTexts(gatewayTexts)
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="inline-flex min-w-0 items-center gap-2 text-16 font-semibold [overflow-wrap:anywhere]">
          <VendorDot vendor={call.vendor} />
          {call.model}
        </h2>
        <Time at={call.startedAt} show="second" className="shrink-0 text-12 text-fg-3" />
      </div>
      <dl className="grid grid-cols-2 border-y border-line">
        <div className="py-4">
          <dt className="text-13 text-fg-3">{t('openElapsed')}</dt>
          <dd className="mt-1 text-20 font-semibold">
            <Elapsed startedAt={call.startedAt} ahead={ahead} />
          </dd>
        </div>
        <div className="border-l border-line py-4 pl-5">
          <dt className="text-13 text-fg-3">{t('openHeldLabel')}</dt>
          <dd className="num mt-1 text-20 font-semibold">{displayUsd(call.held, 4)}</dd>
        </div>
      </dl>
      <p className="text-13 text-fg-2">{t('openHint')}</p>
      <dl className="grid gap-2.5 text-13">
        {call.askedModel === null ? null : (
          <ReceiptFact label={t('callAsked')}>
            <code className="num [overflow-wrap:anywhere] whitespace-normal">{call.askedModel}</code>
          </ReceiptFact>
        )}
        <ReceiptFact label={t('callKey')}>
          <span className="[overflow-wrap:anywhere]">{call.keyName}</span> <code className="num text-fg-3">{call.apiToken}</code>
        </ReceiptFact>
        <ReceiptFact label={t('callId')}>
          <span className="inline-flex items-start gap-1">
            <code className="num [overflow-wrap:anywhere] whitespace-normal">{call.id}</code>
            <CopyButton iconOnly text={call.id} label={t('callId')} className="-my-2 shrink-0" />
          </span>
        </ReceiptFact>
      </dl>
      <NoContentStored />
    </div>
  )
}
