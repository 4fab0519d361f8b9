import type { TextKeyOf } from '#platform/shared/texts.ts'
import type { ReactNode } from 'react'
import { formatCount } from '#platform/shared/show-money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Time, displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { VendorDot } from '../vendors/vendor-dot.tsx'
import type { CallDetail } from '../../contract-usage.ts'
import { isFactor, formatLinePrice, getPriceUnit } from '../../contract-units.ts'
import { gatewayTexts } from '../../texts.ts'
import { formatDurationMs, countDecimalPlaces, formatModelPrice } from '../figures.ts'
import { getOutcomeTextKey } from './call-line.tsx'
import { NoContentStored } from './no-content-stored.tsx'
import { GATEWAY_CALL_LINE_TEXT, CALL_PROVENANCE_TEXT } from '../../state-texts.ts'

const AFTER_TEXT = { client_gone: 'after_client_gone', upstream_failed: 'after_upstream_failed', upstream_cut: 'after_upstream_cut' } as const
const COURSE_TRY_TEXT = { connection: 'courseTry_connection', timeout: 'courseTry_timeout' } as const
const CALL_SUM_TEXT = {
  token: 'callSum_token',
  search: 'callSum_search',
  character: 'callSum_character',
  second: 'callSum_second',
  prompt: 'callSum_prompt',
  gigabyte: 'callSum_gigabyte',
} as const

/** A call as a receipt, with its timeline and its other attributes. */
export function CallReceiptView({ call }: { readonly call: CallDetail }) {
  const t = useTexts(gatewayTexts)
  // All lines share the number of decimal places, so that they add up on the screen.
  const places = Math.max(4, countDecimalPlaces(call.amount), ...call.lines.map((line) => countDecimalPlaces(line.amount)))
  const bad = call.outcome === 'upstream_failed'
  return (
    <>
      <Receipt look="inline" label={t('callTitle')}>
        <div className="flex items-baseline justify-between gap-3">
          <p className="inline-flex items-center gap-2 font-semibold [overflow-wrap:anywhere]">
            <VendorDot vendor={call.vendor} />
            {call.model}
          </p>
          <Time at={call.startedAt} show="second" className="shrink-0 text-12 text-fg-3" />
        </div>
        <ReceiptRule />
        {call.lines.map((line, index) => (
          <ReceiptRow
            key={index}
            label={t(GATEWAY_CALL_LINE_TEXT[line.kind])}
            value={isFactor(line.kind) ? '' : displayUsd(line.amount, places)}
            note={<span className="num">{describeLine(t, line)}</span>}
          />
        ))}
        {call.lines.length ? null : <p className="text-14 text-fg-2">{t('callNothing')}</p>}
        <ReceiptRule />
        <ReceiptRow strong label={t('total')} value={displayUsd(call.amount, places)} />
        {call.lines.length ? <p className="receipt-note mt-1 text-12">{t('callRounding')}</p> : null}
      </Receipt>
      <CallTimeline call={call} />
      <dl className="mt-5 grid gap-2.5 border-t border-line pt-5 text-13">
        {call.askedModel === null ? null : (
          <ReceiptFact label={t('callAsked')}>
            <span className="[overflow-wrap:anywhere]">{t('callAskedValue', { model: call.askedModel })}</span>
          </ReceiptFact>
        )}
        <ReceiptFact label={t('callStatus')}>
          <Badge tone={bad ? 'danger' : call.outcome === 'completed' ? 'success' : 'warning'}>
            {t(getOutcomeTextKey(call))} {call.status}
          </Badge>
        </ReceiptFact>
        <ReceiptFact label={t('callKey')}>
          <span className="[overflow-wrap:anywhere]">{call.keyName}</span> <code className="num text-13 text-fg-3">{call.apiToken}</code>
        </ReceiptFact>
        <ReceiptFact label={t('callProvenance')}>{t(CALL_PROVENANCE_TEXT[call.provenance])}</ReceiptFact>
        <ChargeHistory call={call} places={places} />
        <ReceiptFact label={t('callPrice')}>
          {t('callPriceValue', { version: call.priceVersion, from: displayTime(call.priceFrom) })}
          {call.pricePercent === null ? null : <span className="block">{t('ownBadge', { percent: call.pricePercent })}</span>}
        </ReceiptFact>
        <ReceiptFact label={t('callRoute')}>
          {call.dialect}
          {call.stream ? ` · ${t('callStream')}` : ''}
        </ReceiptFact>
        {(
          [
            ['callRequestId', call.requestId],
            ['callUpstreamId', call.upstreamRequestId],
            ['callId', call.callId],
          ] as const
        ).map(([key, id]) =>
          id ? (
            <ReceiptFact key={key} label={t(key)}>
              <span className="inline-flex items-start gap-1">
                <code className="num text-13 [overflow-wrap:anywhere] whitespace-normal">{id}</code>
                <CopyButton iconOnly text={id} label={t(key)} className="-my-2 shrink-0" />
              </span>
            </ReceiptFact>
          ) : null,
        )}
      </dl>
      {call.outcome === 'completed' ? null : <p className="mt-4 text-13 text-fg-2">{t(AFTER_TEXT[call.outcome])}</p>}
      <NoContentStored />
    </>
  )
}

/** Shows a provisional charge, and earlier charges before corrections. */
function ChargeHistory({ call, places }: { readonly call: CallDetail; readonly places: number }) {
  const t = useTexts(gatewayTexts)
  return (
    <>
      {call.isProvisional ? <ReceiptFact label={t('callProvisional')}>{t('callProvisionalValue')}</ReceiptFact> : null}
      {call.corrections.map(({ at, before, after }) => (
        <ReceiptFact key={at} label={t('callCorrected')}>
          {t('callCorrectedValue', { at: displayTime(at), before: displayUsd(before, places), after: displayUsd(after, places) })}
        </ReceiptFact>
      ))}
    </>
  )
}

/** Time to the first byte, and from there to the end, on one scale. */
function CallTimeline({ call }: { readonly call: CallDetail }) {
  const t = useTexts(gatewayTexts)
  const { failedTries: failed } = call
  const total = Math.max(1, call.totalMs, ...failed.map(({ from, ms }) => from + ms))
  const first = Math.min(call.firstByteMs, total)
  // time before the upstream that answered is drawn as separate attempts
  const since = Math.min(first, ...failed.slice(-1).map(({ from, ms }) => from + ms))
  const from = failed.length ? since : 0
  const parts = [
    ...failed.map((one, at) => ({ key: `try ${at}`, label: t('courseTry', { number: at + 1 }), tone: 'bg-danger', ...one, note: describeFailedTry(t, one) })),
    ...(call.outcome === 'upstream_failed' && failed.length
      ? []
      : [
          { key: 'first', label: t('courseFirst'), tone: 'bg-info', from, ms: first - from, note: '' },
          { key: 'rest', label: t('courseRest'), tone: 'bg-brand', from: first, ms: total - first, note: '' },
        ]),
  ]
  return (
    <section aria-label={t('course')} className="mt-6">
      <p className="flex justify-between text-14">
        <span className="font-semibold">{t('course')}</span>
        <span className="num text-13 text-fg-3">{formatDurationMs(call.totalMs)}</span>
      </p>
      <ul className="mt-2 grid gap-1.5 text-13">
        {parts.map(({ key, label, from, ms, tone, note }) => (
          <li key={key} className="grid grid-cols-[5.5em_minmax(0,1fr)_5em] items-center gap-3">
            <span className="text-fg-2">{label}</span>
            <span className="relative h-1.5 overflow-hidden rounded-full bg-sunken" aria-hidden="true">
              <span
                className={`absolute inset-y-0 rounded-full ${tone}`}
                style={{ left: `${(from / total) * 100}%`, width: `max(2px, ${(ms / total) * 100}%)` }}
              />
            </span>
            <span className="num text-right">{formatDurationMs(ms)}</span>
            {note ? <span className="col-span-2 col-start-2 -mt-1 text-12 text-fg-3">{note}</span> : null}
          </li>
        ))}
      </ul>
    </section>
  )
}

type ReceiptTexts = ReturnType<typeof useTexts<TextKeyOf<typeof gatewayTexts>>>

/** Reason why another upstream failed before the call was retried on the next. */
function describeFailedTry(t: ReceiptTexts, { status, cause }: CallDetail['failedTries'][number]): string {
  return cause === 'refused' ? t('courseTry_refused', { status }) : t(COURSE_TRY_TEXT[cause])
}

/** Units x price, in figures from which each line can be recomputed; a charge of the held amount has none. */
function describeLine(t: ReceiptTexts, line: CallDetail['lines'][number]): string {
  if (line.kind === 'call') return ''
  if (isFactor(line.kind)) return t('callFactor', { factor: line.unitPrice })
  const unit = getPriceUnit(line.kind)
  return t(CALL_SUM_TEXT[unit], { count: formatCount(line.tokens), price: formatModelPrice(formatLinePrice(line.unitPrice, unit), 'usd') })
}

export function ReceiptFact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex items-start justify-between gap-6">
      <dt className="shrink-0 text-fg-3">{label}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  )
}
