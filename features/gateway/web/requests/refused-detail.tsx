import { Link } from '@tanstack/react-router'
import { Ban } from 'lucide-react'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Button, getButtonClass } from '#ui/button.tsx'
import { CodeBlock } from '#ui/code-block.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { VendorDot } from '../vendors/vendor-dot.tsx'
import type { RefusedDetail } from '../../contract-requests.ts'
import { gatewayTexts } from '../../texts.ts'
import { formatCallCost, formatDurationMs } from '../figures.ts'
import { ReceiptFact } from './call-receipt.tsx'
import { getCauseTexts } from './causes.ts'
import { NoContentStored } from './no-content-stored.tsx'

/** A refused call: the reason, the remedy, and the response that the client received. */
export function RefusedCallDetail({ call }: { readonly call: RefusedDetail }) {
  const t = useTexts(gatewayTexts)
  const { why, remedy, at } = getCauseTexts(call.cause)
  const act =
    at === 'key' ? (
      <Link to="/api" search={{ tab: 'keys', key: call.keyId }} className={getButtonClass('secondary', 'sm')}>
        {t('goKey')}
      </Link>
    ) : at === 'prices' ? (
      <Link to="/api" search={{ tab: 'pricing' }} className={getButtonClass('secondary', 'sm')}>
        {t('goModels')}
      </Link>
    ) : at === 'recharge' ? (
      <Button size="sm" onClick={() => openDialog('recharge')}>
        {t('recharge')}
      </Button>
    ) : null
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="inline-flex min-w-0 items-center gap-2 text-16 font-semibold [overflow-wrap:anywhere]">
          <VendorDot vendor={call.vendor} />
          {call.model || call.askedModel || call.path}
        </h2>
        <Time at={call.startedAt} show="second" className="shrink-0 text-12 text-fg-3" />
      </div>
      <AlertBox
        icon={<Ban size={18} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0 text-fg-2" />}
        title={
          <>
            <span className="num">{call.status}</span> {t(why)}
          </>
        }
        action={act}
      >
        {t(remedy)}
      </AlertBox>
      {call.body ? (
        <CodeBlock
          label={t('answerBody')}
          snippets={[{ id: 'body', label: t('answerBody'), code: call.body }]}
          className="[&_code]:break-anywhere [&_pre]:whitespace-pre-wrap"
        />
      ) : null}
      <dl className="grid gap-2.5 text-13">
        {call.askedModel && call.model ? (
          <ReceiptFact label={t('callAsked')}>
            <code className="num [overflow-wrap:anywhere] whitespace-normal">{call.askedModel}</code>
          </ReceiptFact>
        ) : null}
        <ReceiptFact label={t('callKey')}>
          <span className="[overflow-wrap:anywhere]">{call.keyName}</span> <code className="num text-fg-3">{call.apiToken}</code>
        </ReceiptFact>
        <ReceiptFact label={t('callRoute')}>
          <code className="num [overflow-wrap:anywhere] whitespace-normal">POST {call.path}</code>
        </ReceiptFact>
        <ReceiptFact label={t('colCost')}>
          <span className="num">{formatCallCost(call.amount)}</span> {t('notCharged')}
        </ReceiptFact>
        <ReceiptFact label={t('callSpeed')}>
          <span className="num">{formatDurationMs(call.totalMs)}</span>
        </ReceiptFact>
        <ReceiptFact label={t('callRequestId')}>
          <span className="inline-flex items-start gap-1">
            <code className="num [overflow-wrap:anywhere] whitespace-normal">{call.requestId}</code>
            <CopyButton iconOnly text={call.requestId} label={t('callRequestId')} className="-my-2 shrink-0" />
          </span>
        </ReceiptFact>
      </dl>
      <NoContentStored />
    </div>
  )
}
