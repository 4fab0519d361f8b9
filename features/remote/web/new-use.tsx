import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Button } from '#ui/button.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import type { RemoteCount } from '../contract.ts'
import { remoteTexts } from '../texts.ts'
import { readBrowserSupport } from './support.ts'
import { useRemoteActions } from './use-apply.ts'

/** Description and itemised cost of one use, shown before the order. */
export function NewRemoteUse({ stat }: { readonly stat: RemoteCount }) {
  const t = useTexts(remoteTexts)
  const { apply, isRunning } = useRemoteActions()
  const isFree = stat.remainingCount > 0
  const price = isFree ? displayUsd('0') : displayUsd(stat.price)
  return (
    <Receipt look="inline" label={t('remoteOne')}>
      <p className="text-16 font-bold">{t('remoteOne')}</p>
      <p className="mt-1 text-13 text-fg-2">{t('remoteOneAbout')}</p>
      <ReceiptRule />
      <ReceiptRow label={t('remoteTime')} value={t('remoteMinutes', { minutes: stat.minutes })} />
      <ReceiptRow label={t('remotePlace')} value={stat.place} />
      {stat.allowed > 0 ? <ReceiptRow label={t('remoteIncluded')} value={t('remoteOf', { left: stat.remainingCount, all: stat.allowed })} /> : null}
      {stat.waiting > 0 ? <ReceiptRow label={t('remoteQueued')} value={t('remoteAhead', { ahead: stat.waiting })} /> : null}
      <ReceiptRule />
      <ReceiptRow strong label={t('remoteDue')} value={price} />
      {isFree ? null : <p className="text-12 text-fg-3">{t('remotePaidFrom')}</p>}
      <Button block size="lg" className="mt-4" loading={isRunning} disabled={readBrowserSupport() === 'none'} onClick={() => void apply()}>
        {isFree ? t('remoteBeginFree') : t('remoteBegin', { price })}
      </Button>
    </Receipt>
  )
}
