import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Button } from '#ui/button.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import type { ProxyStat } from '../contract.ts'
import { proxyTexts } from '../texts.ts'
import { formatBytes } from './bytes.ts'
import { useApply } from './use-apply.ts'

/** Nothing is in use: what one use is and what it costs, itemised before the press. */
export function NewProxyUse({ stat }: { readonly stat: ProxyStat }) {
  const t = useTexts(proxyTexts)
  const [exit, setExit] = useState(stat.exits[0]?.id ?? '')
  const { apply, isRunning } = useApply()
  const isFree = stat.remainingCount > 0
  const price = isFree ? displayUsd('0') : displayUsd(stat.price)
  return (
    <Receipt look="inline" label={t('networkOne')}>
      <p className="text-16 font-bold">{t('networkOne')}</p>
      <p className="mt-1 text-13 text-fg-2">{t('networkOneAbout')}</p>
      <ReceiptRule />
      <ReceiptRow label={t('networkTime')} value={t('networkMinutes', { minutes: stat.minutes })} />
      <ReceiptRow label={t('networkTraffic')} value={t('networkUpTo', { most: formatBytes(stat.limits.megabytes * 1_000_000) })} />
      <ReceiptRow label={t('networkSpeed')} value={t('networkMegabits', { megabits: stat.limits.megabits })} />
      <ReceiptRow label={t('networkTunnelsMost')} value={stat.limits.tunnels} />
      <ReceiptRow label={t('networkPorts')} value="80 · 443" />
      {stat.allowed > 0 ? <ReceiptRow label={t('networkFree')} value={t('networkOf', { left: stat.remainingCount, all: stat.allowed })} /> : null}
      {stat.exits.length > 1 ? (
        <PickField
          className="mt-3"
          label={t('networkExit')}
          value={exit}
          onChange={setExit}
          options={stat.exits.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : null}
      <ReceiptRule />
      <ReceiptRow strong label={t('networkDue')} value={price} />
      <p className="text-12 text-fg-3">{t('networkPaidFrom')}</p>
      {stat.isServed ? (
        <Button block size="lg" className="mt-4" loading={isRunning} onClick={() => void apply(exit)}>
          {isFree ? t('networkBeginFree') : t('networkBegin', { price })}
        </Button>
      ) : (
        <AlertBox kind="warning" className="mt-4" title={t('networkDownTitle')}>
          {t('networkDown')}
        </AlertBox>
      )}
    </Receipt>
  )
}
