import { useState } from 'react'
import { parseUsd, computePercentFee, formatUsd } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { sumUsd, displayUsd } from '#platform/web/money.tsx'
import { Button } from '#ui/button.tsx'
import { CodeBlock } from '#ui/code-block.tsx'
import { QrTile } from '#ui/qr-tile.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Stamp } from '#ui/stamp.tsx'
import { devTexts } from './texts.ts'

const amount = '20'
const fee = formatUsd(computePercentFee(parseUsd(amount), '3.5'))

export function ReceiptsShow() {
  const t = useTexts(devTexts)
  const [round, setRound] = useState(0)
  const lines = (
    <>
      <ReceiptRow label={t('recharge')} value={displayUsd(amount)} />
      <ReceiptRow label={t('fee')} value={displayUsd(fee)} />
      <ReceiptRow label={t('rate')} value="7.1230" />
      <ReceiptRule />
      <ReceiptRow strong label={t('pay')} value={displayUsd(sumUsd([amount, fee]))} note={t('expire')} />
    </>
  )
  return (
    <div className="grid gap-6">
      <div className="grid items-start gap-6 desktop:grid-cols-3">
        <div className="bg-ink p-6">
          <Receipt label={t('receipt')}>
            {lines}
            <div className="mt-4">
              <Stamp key={round} fresh />
            </div>
          </Receipt>
        </div>
        <Receipt look="inline" label={t('receipt')}>
          {lines}
          <div className="mt-4">
            <Stamp key={round} fresh />
          </div>
        </Receipt>
        <div className="card p-5">
          <Receipt look="flat" label={t('receipt')}>
            {lines}
          </Receipt>
        </div>
      </div>
      <div className="flex flex-wrap gap-6">
        <QrTile state="loading" value={undefined} />
        <QrTile state="active" value="https://example.com/pay/20261120" caption={t('alipay')} />
        <QrTile state="expired" value="https://example.com/pay/20261120" onRefresh={() => setRound(round + 1)} />
        <Button variant="secondary" className="self-start" onClick={() => setRound(round + 1)}>
          {t('refresh')}
        </Button>
      </div>
      <CodeBlock
        label={t('s_receipts')}
        snippets={[
          { id: 'curl', label: 'curl', code: 'curl https://example.com/v1/models' },
          { id: 'py', label: 'Python', code: 'client.models.list()' },
        ]}
      />
    </div>
  )
}
